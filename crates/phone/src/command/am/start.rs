//! `am start`: an activity is started.

use std::collections::BTreeMap;

use retap_device::DeviceError;
use retap_trace::{Event, Key, Micros, SystemEvent};

use super::intent::Intent;
use crate::command::options::Options;
use crate::phone::{State, short_component};
use crate::shell::{CommandOutcome, Process};

const HOME: &str = "android.intent.category.HOME";

/// What an intent means on this phone.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Meaning {
    /// The app under test, by an activity that others may start.
    App(String),
    /// An activity of an app that only itself may start.
    Private(String, String, u32),
    Home,
    Settings,
    /// An activity by name that is not there.
    Missing(String, String),
    /// Nothing that could do it.
    Unknown,
}

pub(super) fn run(process: &Process<'_>, args: Options) -> CommandOutcome {
    let intent = Intent::read(args);
    let meaning = process.phone().with(|state| mean(state, &intent));
    if intent.stop_first {
        let package =
            intent.component.as_ref().map(|(package, _)| package.clone()).or(intent.package.clone());
        process.say(format!("Stopping: {}", package.unwrap_or_default()))?;
        process.phone().with(|state| state.end_app("stop due to from pid 7000"));
    }
    let shown = shown(&intent, &meaning);
    process.say(format!("Starting: {shown}"))?;
    match meaning {
        Meaning::App(activity) => start_app(process, &intent, &activity),
        Meaning::Home => process.does(|state| state.perform(&Event::key(Key::HOME))),
        Meaning::Settings => process.does(State::open_settings),
        Meaning::Private(package, activity, uid) => {
            let component = short_component(&package, &activity);
            process.exception(
                "start",
                &format!(
                    "java.lang.SecurityException: Permission Denial: starting Intent {{ flg=0x10000000 \
                     cmp={component} }} from null (pid=7000, uid=2000) not exported from uid {uid}"
                ),
            )
        }
        Meaning::Missing(package, activity) => {
            process.streams.err.line("Error type 3")?;
            process.fail(1, format!("Error: Activity class {{{package}/{activity}}} does not exist."))
        }
        Meaning::Unknown => {
            let flagged = Intent { flags: intent.flags | 0x1000_0000, ..intent };
            process.fail(1, format!("Error: Activity not started, unable to resolve {flagged}"))
        }
    }
}

/// An intent that was found by its package is printed as the launcher would send it.
fn shown(intent: &Intent, meaning: &Meaning) -> Intent {
    match (meaning, &intent.component, &intent.action) {
        (Meaning::App(activity), None, None) => {
            let package = intent.package.clone().unwrap_or_default();
            Intent {
                action: Some("android.intent.action.MAIN".into()),
                categories: vec!["android.intent.category.LAUNCHER".into()],
                component: Some((package, activity.clone())),
                package: None,
                ..intent.clone()
            }
        }
        _ => intent.clone(),
    }
}

fn mean(state: &State, intent: &Intent) -> Meaning {
    let packages = &state.world.packages;
    if let Some((package, activity)) = &intent.component {
        let known = packages.get(package).filter(|known| known.activities.contains(activity));
        return match known {
            None => Meaning::Missing(package.clone(), activity.clone()),
            Some(known)
                if known.activities.first() != Some(activity) && !exported(state, package, activity) =>
            {
                Meaning::Private(package.clone(), activity.clone(), known.uid)
            }
            Some(_) if *package == state.package() => Meaning::App(activity.clone()),
            Some(_) if package == "com.android.settings" => Meaning::Settings,
            Some(_) if package == "com.android.launcher3" => Meaning::Home,
            Some(_) => Meaning::Missing(package.clone(), activity.clone()),
        };
    }
    let action = intent.action.as_deref().unwrap_or_default();
    if action.starts_with("android.settings.") {
        return Meaning::Settings;
    }
    if intent.categories.iter().any(|category| category == HOME) {
        return Meaning::Home;
    }
    let app = state.package();
    let launches = ["", "android.intent.action.MAIN"].contains(&action);
    match packages.get(&app).and_then(|package| package.activities.first()) {
        Some(activity) if launches && intent.package.as_deref() == Some(&app) => {
            Meaning::App(activity.clone())
        }
        _ => Meaning::Unknown,
    }
}

/// Whether the app under test lets others start this activity.
fn exported(state: &State, package: &str, activity: &str) -> bool {
    state.machine().program().app().exported(&format!("{package}/{activity}")).is_some()
}

fn start_app(process: &Process<'_>, intent: &Intent, activity: &str) -> CommandOutcome {
    let (ran, in_front) = process
        .phone()
        .with(|state| (state.machine().running(), **state.machine().package() == *state.package()));
    let (began, event) = process.phone().with(|state| (state.uptime(), starting(state, activity)));
    match process.device(|state| state.perform(&event))? {
        Ok(()) => {}
        Err(DeviceError::AppGone { package }) => {
            process.phone().with(|state| state.world.packages.remove(&package));
            process.streams.err.line("Error type 3")?;
            return process
                .fail(1, format!("Error: Activity class {{{package}/{activity}}} does not exist."));
        }
        Err(error) => return process.fail(1, format!("Error: {error}")),
    }
    let warning = match in_front {
        _ if event != Event::Launch || !ran => None,
        false => Some("its current task has been brought to the front"),
        true => Some("intent has been delivered to currently running top-most instance."),
    };
    if let Some(warning) = warning {
        let place = if intent.wait { &process.streams.out } else { &process.streams.err };
        place.line(format!("Warning: Activity not started, {warning}"))?;
    }
    if intent.wait { report(process, began) } else { Ok(0) }
}

/// The first activity is launched; any other comes on top of what is there.
fn starting(state: &State, activity: &str) -> Event {
    let package = state.package();
    let known = state.world.packages.get(&package);
    if known.is_none_or(|known| known.activities.first().is_some_and(|first| first == activity)) {
        return Event::Launch;
    }
    let extras = BTreeMap::from([("component".to_owned(), format!("{package}/{activity}"))]);
    Event::System(SystemEvent { action: "am:start".to_owned(), extras })
}

/// Waits until the app is there, and tells how long that took.
fn report(process: &Process<'_>, began: Micros) -> CommandOutcome {
    let settled = process.device(|state| state.settle(Micros::from_secs(10)))?;
    let (took, front) = process.phone().with(|state| {
        let front = short_component(state.machine().package(), state.machine().activity());
        (state.uptime().since(began).as_millis(), front)
    });
    let status = if settled == Ok(true) { "ok" } else { "timeout" };
    process.done(format!("Status: {status}\nActivity: {front}\nTotalTime: {took}\nComplete\n"))
}
