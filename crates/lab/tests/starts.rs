//! Apps that crash when they start: an exploration that no event will ever end comes to an end all the same.

use retap_device::Device;
use retap_explore::{STRATEGIES, StrategyKind, StrategySettings};
use retap_lab::{Exploration, ExplorationEnd, ExplorationSettings, SegmentEnd};
use retap_sim::SimDevice;
use retap_trace::{Event, Micros, Seed};

/// An app that crashes in this part of its starts.
fn device(part: f64) -> Box<dyn Device> {
    let app = format!(
        "app dead \"Dead\"\non start\n  chance {part}\n    crash java.lang.IllegalStateException \"no\"\n\
         activity MainActivity\n  screen main \"Main\"\n    button \"Leave\" id=leave\n      on tap\n        \
         crash java.lang.IllegalArgumentException \"left\"\n"
    );
    Box::new(SimDevice::open("sim:./dead.app", &|_| Ok(app.clone())).expect("an app"))
}

fn explore(
    strategy: &StrategyKind,
    settings: ExplorationSettings,
    parts: &[f64],
) -> (Exploration, ExplorationEnd, Vec<SegmentEnd>) {
    let chosen = StrategySettings::new(&[]).expect("the usual mix");
    let explorer = strategy.explorer(&chosen, Seed(1));
    let devices: Vec<Box<dyn Device>> = parts.iter().map(|part| device(*part)).collect();
    let lanes = u32::try_from(devices.len()).expect("few");
    let mut exploration = Exploration::new(settings, explorer, "org.example.dead", lanes);
    // What never ends is stopped here, and is seen to be.
    let few = |exploration: &Exploration| exploration.segments().iter().len() < 2_000;
    let (end, ends) = exploration.virtually(devices, Seed(1), &mut |exploration| few(exploration));
    (exploration, end, ends.into_iter().map(|(_, end)| end).collect())
}

fn settings(events: u64) -> ExplorationSettings {
    ExplorationSettings { events, ..ExplorationSettings::default() }
}

fn why(end: ExplorationEnd) -> String {
    let ExplorationEnd::CrashesAtStart(why) = end else { panic!("{end:?}") };
    why
}

#[test]
fn an_app_that_crashes_at_every_start_ends_every_strategy() {
    for strategy in STRATEGIES {
        for snapshots in [true, false] {
            let settings = ExplorationSettings { snapshots, ..settings(50) };
            let (exploration, end, ends) = explore(strategy, settings, &[1.0]);
            assert_eq!(
                why(end),
                "the app crashes when it starts, in 20 of 20 launches, so nothing more could be explored",
                "{strategy}"
            );
            assert_eq!((exploration.performed(), exploration.segments().iter().len()), (0, 20), "{strategy}");
            assert!(ends.len() == 20 && ends.iter().all(|end| matches!(end, SegmentEnd::Crash(_))));
        }
    }
}

/// Every second start is a crash, and so is most of what is done: there are hundreds of starts, and many in a row.
#[test]
fn an_app_that_sometimes_starts_is_explored() {
    for strategy in STRATEGIES {
        let (exploration, end, _) = explore(strategy, settings(300), &[0.5]);
        assert_eq!((end, exploration.performed()), (ExplorationEnd::Done, 300), "{strategy}");
        assert_eq!(exploration.crashing_at_start().count(), 0);
    }
}

#[test]
fn a_limit_of_time_holds_as_well() {
    let monkey = StrategyKind::named("monkey").expect("there is one");
    let limited = ExplorationSettings { time: Micros::from_secs(30), ..settings(50) };
    let (exploration, end, _) = explore(monkey, limited, &[1.0]);
    assert_eq!(end, ExplorationEnd::Done);
    assert!((1..20).contains(&exploration.segments().iter().len()), "{exploration:?}");
    let limited = ExplorationSettings { time: Micros::from_secs(36_000), ..settings(u64::MAX) };
    why(explore(monkey, limited, &[1.0]).1);
}

#[test]
fn each_device_is_judged_by_its_own_starts() {
    for strategy in STRATEGIES {
        let (exploration, end, _) = explore(strategy, settings(300), &[1.0, 0.0]);
        assert_eq!((end, exploration.performed()), (ExplorationEnd::Done, 300), "{strategy}");
        assert_eq!(exploration.crashing_at_start().collect::<Vec<_>>(), [0], "{strategy}");
    }
    let (exploration, end, _) = explore(&STRATEGIES[0], settings(300), &[1.0, 1.0, 1.0]);
    assert!(why(end).contains("in 60 of 60 launches"));
    assert_eq!(exploration.crashing_at_start().count(), 3);
}

/// The crash may come in what each start performs.
#[test]
fn a_start_is_over_when_its_script_is() {
    let leave = retap_trace::Selector { text: Some("Leave".into()), ..retap_trace::Selector::default() };
    let aim = retap_trace::Aim::widget(retap_trace::Point::new(0, 0), leave);
    let script = [Event::Tap(aim)].into();
    let (exploration, end, _) =
        explore(&STRATEGIES[0], ExplorationSettings { script, ..settings(50) }, &[0.0]);
    assert!(
        why(end).contains("when it starts or in the trace that each start performs, in 20 of 20 launches")
    );
    assert_eq!(exploration.performed(), 0);
}
