//! `monkey`: an app is launched, and then poked at random.

use retap_device::DeviceError;
use retap_trace::{Crash, CrashKind, Dice, Event, Key, Micros, Orientation, Point, Seed};

use super::options::Options;
use crate::phone::State;
use crate::shell::{Outcome, Process};

/// Events of one run.
const MOST: u32 = 100_000;
/// What a monkey is fond of, with weights: touch, swipe, back and home, other keys, rotation, launch.
const WEIGHTS: [u32; 6] = [60, 15, 8, 10, 2, 5];
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
    data: Vec<String>,
}

pub(super) fn run(process: &mut Process<'_>) -> Outcome {
    let args = process.args().to_vec();
    let wanted = read(&args);
    process.put(echo(&args, &wanted))?;
    if wanted.count == 0 {
        return process.fail(0, "** Error: Count not specified");
    }
    let app = process.phone().with(|state| {
        let package = state.package();
        let known = state.world.packages.get(&package).is_some();
        (known && (wanted.packages.is_empty() || wanted.packages.contains(&package))).then_some(package)
    });
    let Some(app) = app else {
        process.say("** No activities found to run, monkey aborted.")?;
        return Ok(252);
    };
    let began = process.phone().with(|state| state.uptime());
    let seed = wanted.seed.unwrap_or(began.0);
    let mut dice = Seed(seed).branch("monkey", 0).dice();
    let mut injected = 0;
    let mut crash = None;
    while injected < wanted.count && crash.is_none() && !process.shell.cancel.is_set() {
        let event = if injected == 0 { Event::Launch } else { draw(process, &mut dice) };
        match process.device(|state| poke(state, &event))? {
            Ok(found) => crash = found.filter(|_| !wanted.ignores_crashes),
            Err(DeviceError::AppGone { .. }) => {
                process.phone().with(|state| state.world.packages.remove(&app));
                process.say("** No activities found to run, monkey aborted.")?;
                return Ok(252);
            }
            Err(_) => {}
        }
        injected += 1;
        if wanted.throttle > 0 && injected < wanted.count {
            process.phone().wait(Micros::from_millis(wanted.throttle), || process.shell.cancel.is_set());
        }
    }
    if let Some((crash, number)) = &crash {
        process.put(tell(crash, &app, *number, process.phone().settings().android.build()))?;
    }
    let took = process.phone().with(|state| state.uptime()).since(began).as_millis();
    process.put(format!(
        "Events injected: {injected}\n## Network stats: elapsed time={took}ms (0ms mobile, 0ms wifi, {took}ms not \
         connected)\n"
    ))?;
    if crash.is_some() {
        process.say(format!(
            "** System appears to have crashed at event {injected} of {} using seed {seed}",
            wanted.count
        ))?;
        return Ok(u8::try_from(injected % 256).unwrap_or(1));
    }
    Ok(0)
}

fn read(args: &[String]) -> Wanted {
    let mut wanted = Wanted::default();
    let mut args = Options::new(args);
    while let Some(arg) = args.next() {
        match &*arg {
            "-p" | "-c" => {
                let value = args.next().unwrap_or_default();
                if arg == "-p" {
                    wanted.packages.push(value.clone());
                }
                wanted.data.push(value);
            }
            "-s" => {
                wanted.seed = args.next().and_then(|seed| seed.parse::<i64>().ok()).map(i64::cast_unsigned);
            }
            "--throttle" => wanted.throttle = args.next().and_then(|millis| millis.parse().ok()).unwrap_or(0),
            "--ignore-crashes" => wanted.ignores_crashes = true,
            option if option.starts_with("--pct-") => {
                args.next();
            }
            "-f" | "--port" | "--pkg-blacklist-file" | "--pkg-whitelist-file" => {
                args.next();
            }
            option if option.starts_with('-') => {}
            count => wanted.count = count.parse::<u32>().unwrap_or(0).min(MOST),
        }
    }
    wanted
}

/// A monkey repeats what it was told, twice.
fn echo(args: &[String], wanted: &Wanted) -> String {
    let mut text: String = args.iter().map(|arg| format!("  bash arg: {arg}\n")).collect();
    text.push_str(&format!("args: [{}]\n", args.join(", ")));
    text.extend(args.iter().map(|arg| format!(" arg: \"{arg}\"\n")));
    text.extend(wanted.data.iter().map(|data| format!("data=\"{data}\"\n")));
    text
}

fn draw(process: &Process<'_>, dice: &mut Dice) -> Event {
    let size = process.phone().with(|state| state.screen());
    let point = |dice: &mut Dice| {
        let side = |dice: &mut Dice, pixels: u32| i32::try_from(dice.below(u64::from(pixels))).unwrap_or(0);
        Point::new(side(dice, size.width), side(dice, size.height))
    };
    match dice.weighted(&WEIGHTS) {
        Some(0) => {
            let at = point(dice);
            Event::tap(at.x, at.y)
        }
        Some(1) => {
            let (from, to) = (point(dice), point(dice));
            Event::Swipe { aim: retap_trace::Aim::place(from), to, over: Micros::from_millis(200) }
        }
        Some(2) => Event::key(if dice.chance(0.8) { Key::BACK } else { Key::HOME }),
        Some(3) => Event::key(*dice.pick(&KEYS).unwrap_or(&Key::MENU)),
        Some(4) => Event::Rotate {
            to: if dice.chance(0.5) { Orientation::Landscape } else { Orientation::Portrait },
        },
        _ => Event::Launch,
    }
}

/// Does something, and returns the crash it has led to, with the process that is gone.
fn poke(state: &mut State, event: &Event) -> Result<Option<(Crash, u32)>, DeviceError> {
    let process = state.machine().process().unwrap_or(0);
    state.perform(event)?;
    let seen = state.glance()?;
    Ok(seen.crashes.into_iter().next().map(|crash| (crash, process)))
}

fn tell(crash: &Crash, app: &str, process: u32, build: &str) -> String {
    let head = if crash.message.is_empty() {
        crash.exception.clone()
    } else {
        format!("{}: {}", crash.exception, crash.message)
    };
    if crash.kind == CrashKind::Anr {
        return format!(
            "// NOT RESPONDING: {app} (pid {process})\nANR in {app}\nPID: {process}\nReason: {}\n** Monkey aborted due to error.\n",
            crash.message
        );
    }
    let frames: String = crash.frames.iter().map(|frame| format!("// \tat {frame}\n")).collect();
    format!(
        "// CRASH: {app} (pid {process})\n// Short Msg: {}\n// Long Msg: {head}\n// Build Label: {build}\n// Build \
         Changelist: 10000000\n// Build Time: 1693000000000\n// {head}\n{frames}// \n** Monkey aborted due to error.\n",
        crash.exception
    )
}
