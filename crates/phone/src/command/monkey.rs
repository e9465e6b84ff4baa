//! `monkey`: an app is launched, and then poked at random.

use std::collections::BTreeMap;

use retap_device::DeviceError;
use retap_trace::{Aim, Crash, CrashKind, Dice, Event, Key, Micros, Orientation, Point, Seed, Size};

use super::options::Options;
use crate::phone::State;
use crate::shell::{CommandOutcome, Process};

/// Events of one run.
const MOST: u32 = 100_000;
/// What a monkey does, with its usual share in percent.
const KINDS: [(&str, u32); 6] =
    [("touch", 60), ("motion", 15), ("syskeys", 8), ("nav", 10), ("rotation", 2), ("appswitch", 5)];
const KEYS: [Key; 6] =
    [Key::MENU, Key::DPAD_UP, Key::DPAD_DOWN, Key::DPAD_LEFT, Key::DPAD_RIGHT, Key::DPAD_CENTER];

/// What the monkey was told.
#[derive(Debug, Default)]
struct Wanted {
    packages: Vec<String>,
    count: u32,
    seed: Option<u64>,
    throttle: u64,
    ignores_crashes: bool,
    /// The shares that were given, in percent.
    shares: BTreeMap<String, u8>,
    data: Vec<String>,
    /// What this monkey cannot do, or does not know.
    refused: Option<String>,
}

/// Options that change nothing here.
const IDLE: [&str; 15] = [
    "-v",
    "--bugreport",
    "--dbg-no-events",
    "--hprof",
    "--ignore-native-crashes",
    "--ignore-security-exceptions",
    "--ignore-timeouts",
    "--kill-process-after-error",
    "--match-description",
    "--monitor-native-crashes",
    "--permission-target-system",
    "--randomize-script",
    "--randomize-throttle",
    "--script-log",
    "--wait-dbg",
];

pub(super) fn run(process: &mut Process<'_>) -> CommandOutcome {
    let wanted = Wanted::read(process.args());
    process.put(echo(process.args(), &wanted))?;
    if let Some(refused) = &wanted.refused {
        return process.fail(255, refused);
    }
    if wanted.count == 0 {
        return process.fail(0, "** Error: Count not specified");
    }
    let (app, known, began) = process.phone().with(|state| {
        let app = state.package();
        let known = state.world.packages.get(&app).is_some();
        (app, known, state.uptime())
    });
    if !known || !(wanted.packages.is_empty() || wanted.packages.contains(&app)) {
        return nothing_to_run(process);
    }
    let seed = wanted.seed.unwrap_or(began.0);
    let (mut dice, weights) = (Seed(seed).branch("monkey", 0).dice(), wanted.weights());
    let (mut injected, mut crash) = (0, None);
    while injected < wanted.count && crash.is_none() && !process.shell.cancel.is_set() {
        let screen = process.phone().with(|state| state.screen());
        let event = if injected == 0 { Event::Launch } else { draw(screen, &weights, &mut dice) };
        match process.device(|state| poke(state, &event))? {
            Ok(found) => crash = found.filter(|_| !wanted.ignores_crashes),
            Err(DeviceError::AppGone { .. }) => {
                process.phone().with(|state| state.world.packages.remove(&app));
                return nothing_to_run(process);
            }
            Err(_) => {}
        }
        injected += 1;
        if injected < wanted.count {
            process.phone().wait(Micros::from_millis(wanted.throttle), || process.shell.cancel.is_set());
        }
    }
    if let Some((crash, number)) = &crash {
        process.put(told(crash, &app, *number, process.phone().settings().android.build()))?;
    }
    let took = process.phone().with(|state| state.uptime()).since(began).as_millis();
    process.put(format!(
        "Events injected: {injected}\n## Network stats: elapsed time={took}ms (0ms mobile, 0ms wifi, {took}ms not \
         connected)\n"
    ))?;
    if crash.is_none() {
        return Ok(0);
    }
    let count = wanted.count;
    process
        .say(format!("** System appears to have crashed at event {injected} of {count} using seed {seed}"))?;
    Ok(u8::try_from(injected % 256).unwrap_or(1))
}

fn nothing_to_run(process: &Process<'_>) -> CommandOutcome {
    process.say("** No activities found to run, monkey aborted.")?;
    Ok(252)
}

impl Wanted {
    fn read(args: &[String]) -> Self {
        let mut wanted = Self::default();
        let mut args = Options::new(args);
        while let Some(arg) = args.next() {
            let mut value = || args.next().unwrap_or_default();
            match &*arg {
                "-p" => {
                    wanted.packages.push(value());
                    wanted.data.extend(wanted.packages.last().cloned());
                }
                "-c" => wanted.data.push(value()),
                "-s" => wanted.seed = value().parse::<i64>().ok().map(i64::cast_unsigned),
                "--throttle" => wanted.throttle = value().parse().unwrap_or(0),
                "--ignore-crashes" => wanted.ignores_crashes = true,
                "--pkg-blacklist-file" | "--pkg-whitelist-file" => drop(value()),
                // One that seemed to carry out a script would make a test of it green.
                "-f" | "--setup" | "--port" => {
                    wanted.refused = Some(format!("** Error: the monkey of this virtual phone has no {arg}"));
                }
                option if let Some(kind) = option.strip_prefix("--pct-") => {
                    wanted.shares.insert(kind.to_owned(), value().parse().unwrap_or(0));
                }
                option if IDLE.contains(&option) => {}
                option if option.starts_with('-') => {
                    wanted.refused = Some(format!("** Error: Unknown option: {option}"));
                }
                count => wanted.count = count.parse::<u32>().unwrap_or(0).min(MOST),
            }
        }
        wanted
    }

    /// Shares that were given are kept; the other kinds divide what is left as they usually do.
    fn weights(&self) -> [u32; 6] {
        let given = |name: &str| self.shares.get(name).map(|&percent| u32::from(percent));
        let taken: u32 = KINDS.iter().filter_map(|(name, _)| given(name)).sum();
        let open: u32 = KINDS.iter().filter(|(name, _)| given(name).is_none()).map(|(_, usual)| usual).sum();
        KINDS.map(|(name, usual)| match given(name) {
            Some(percent) => percent * open.max(1),
            None => usual * 100_u32.saturating_sub(taken),
        })
    }
}

/// A monkey repeats what it was told, twice.
fn echo(args: &[String], wanted: &Wanted) -> String {
    let mut text: String = args.iter().map(|arg| format!("  bash arg: {arg}\n")).collect();
    text.push_str(&format!("args: [{}]\n", args.join(", ")));
    text.extend(args.iter().map(|arg| format!(" arg: \"{arg}\"\n")));
    text.extend(wanted.data.iter().map(|data| format!("data=\"{data}\"\n")));
    text
}

fn draw(screen: Size, weights: &[u32], dice: &mut Dice) -> Event {
    let side = |dice: &mut Dice, pixels: u32| i32::try_from(dice.below(u64::from(pixels))).unwrap_or(0);
    let point = |dice: &mut Dice| Point::new(side(dice, screen.width), side(dice, screen.height));
    match dice.weighted(weights).map_or("", |kind| KINDS[kind].0) {
        "touch" => Event::Tap(Aim::place(point(dice))),
        "motion" => {
            let aim = Aim::place(point(dice));
            Event::Swipe { aim, to: point(dice), over: Micros::from_millis(200) }
        }
        "syskeys" => Event::key(if dice.chance(0.8) { Key::BACK } else { Key::HOME }),
        "nav" => Event::key(*dice.pick(&KEYS).unwrap_or(&Key::MENU)),
        "rotation" if dice.chance(0.5) => Event::Rotate { to: Orientation::Landscape },
        "rotation" => Event::Rotate { to: Orientation::Portrait },
        _ => Event::Launch,
    }
}

/// Does something, and returns the crash it has led to, with the process that is gone.
fn poke(state: &mut State, event: &Event) -> Result<Option<(Crash, u32)>, DeviceError> {
    let process = state.machine().process().unwrap_or(0);
    state.perform(event)?;
    Ok(state.glance()?.crashes.into_iter().next().map(|crash| (crash, process)))
}

/// What a monkey prints of a crash.
fn told(crash: &Crash, app: &str, process: u32, build: &str) -> String {
    let Crash { exception, message, .. } = crash;
    if crash.kind == CrashKind::Anr {
        return format!(
            "// NOT RESPONDING: {app} (pid {process})\nANR in {app}\nPID: {process}\nReason: {message}\n\
             ** Monkey aborted due to error.\n"
        );
    }
    let head = if message.is_empty() { exception.clone() } else { format!("{exception}: {message}") };
    let frames: String = crash.frames.iter().map(|frame| format!("// \tat {frame}\n")).collect();
    format!(
        "// CRASH: {app} (pid {process})\n// Short Msg: {exception}\n// Long Msg: {head}\n// Build Label: {build}\n// \
         Build Changelist: 10000000\n// Build Time: 1693000000000\n// {head}\n{frames}// \n** Monkey aborted due to \
         error.\n"
    )
}
