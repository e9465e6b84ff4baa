//! Monkey scripts, read by the grammar of AOSP's `MonkeySourceScript`: what it takes for an event is looked for anywhere in a
//! line, and what it does not understand it ignores.

use retap_trace::{Point, Trace};

use crate::corpus;
use crate::deed::{Deed, Place, deeds, hangs};
use crate::{exported, hostile, test_of};
use retap_formats::Expect;

#[derive(Debug, Clone, PartialEq)]
enum Read {
    Launch(String, String),
    Tap(i32, i32, u64),
    Drag([i32; 4], u32),
    Press(u16),
    Input(String),
    Wait(u64),
    Rotate(u8, bool),
    /// Anything else that the Monkey does.
    Other(&'static str),
}

/// The events of a script; nothing when its header is wrong.
fn read(script: &str) -> Option<Vec<Read>> {
    let mut lines = script.lines();
    for line in lines.by_ref().map(str::trim) {
        let value = || line.get(7..).map(str::trim);
        if line.contains("count=") {
            value()?.parse::<u32>().ok()?;
        } else if line.contains("speed=") {
            value()?.parse::<f64>().ok()?;
        } else if line.contains("start data >>") {
            return Some(lines.flat_map(events).collect());
        }
    }
    None
}

/// What one line does.
fn events(line: &str) -> Vec<Read> {
    let (Some(open), Some(close)) = (line.find('('), line.find(')')) else { return Vec::new() };
    let inside = line.get(open + 1..close).expect("the Monkey would fail");
    let args: Vec<&str> = inside.split(',').map(str::trim).collect();
    let has = |word: &str| line.contains(word);
    let number = |at: usize| args[at].parse::<i32>().ok();
    let large = |at: usize| args[at].parse::<u64>().ok();
    if has("RotateScreen") && args.len() == 2 {
        return vec![Read::Rotate(args[0].parse().expect("a number"), args[1] != "0")];
    }
    if has("Tap") && args.len() >= 2 {
        let hold = if args.len() == 3 { large(2) } else { Some(0) };
        let tap = || Some(Read::Tap(number(0)?, number(1)?, hold?));
        return tap().into_iter().collect();
    }
    let mut done = Vec::new();
    if has("Drag") && args.len() == 5 {
        let number = |at: usize| number(at).expect("the Monkey would fail");
        done.push(Read::Drag(
            [number(0), number(1), number(2), number(3)],
            args[4].parse().expect("a number"),
        ));
    }
    if has("DispatchFlip") && args.len() == 1 {
        done.push(Read::Other("flip"));
    }
    if has("LaunchActivity") && args.len() >= 2 {
        done.push(Read::Launch(args[0].to_owned(), args[1].to_owned()));
        return done;
    }
    if has("DeviceWakeUp") {
        return vec![Read::Other("wake up")];
    }
    if has("UserWait") && args.len() == 1 {
        return large(0).map(Read::Wait).into_iter().collect();
    }
    if has("ProfileWait") {
        return vec![Read::Other("profile")];
    }
    if has("DispatchPress") && args.len() == 1 {
        return vec![Read::Press(args[0].parse().expect("a number"))];
    }
    for word in ["LongPress", "PowerLog", "WriteLog", "RunCmd"] {
        if has(word) {
            done.push(Read::Other(word));
        }
    }
    if has("DispatchString") && args.len() == 1 {
        // It is a command whose words stand between blanks; `input` has %s for one.
        let words: Vec<&str> = args[0].split_whitespace().collect();
        done.push(Read::Input(words.first().unwrap_or(&"").replace("%s", " ")));
    }
    done
}

fn wanted(trace: &Trace) -> Vec<Read> {
    let package = trace.header.app.package.to_string();
    // What a trace that begins on the home screen launches is in front after that.
    let seen =
        trace.steps.iter().filter_map(|step| step.before.as_ref()).map(|seen| seen.activity.to_string());
    let activity = seen.into_iter().find(|activity| activity.starts_with(&package)).expect("it is known");
    let mut all = Vec::new();
    let at = |step: usize| trace.steps[step].event.aim().map_or(Point::new(0, 0), |aim| aim.at);
    let launched = usize::from(matches!(trace.header.start, retap_trace::Start::Launched));
    let deeds = deeds(trace);
    let doubled = deeds.iter().any(|deed| matches!(deed, Deed::DoubleTap(_)));
    let mut tapped = None;
    for (number, deed) in deeds.into_iter().enumerate() {
        // Whatever a touch is meant for, a script goes by the place.
        let at = at(number.saturating_sub(launched));
        let touch = matches!(deed, Deed::Tap(_) | Deed::DoubleTap(_) | Deed::LongTap(..));
        if touch && tapped.is_some_and(|before| doubled || before == at) {
            // The two would be one double tap.
            all.push(Read::Wait(400));
        }
        tapped = matches!(deed, Deed::Tap(_) | Deed::DoubleTap(_)).then_some(at);
        match deed {
            Deed::Launch => all.push(Read::Launch(package.clone(), activity.clone())),
            Deed::Tap(Place::At(_) | Place::Widget(_)) => all.push(Read::Tap(at.x, at.y, 0)),
            Deed::DoubleTap(_) => all.extend([Read::Tap(at.x, at.y, 0), Read::Tap(at.x, at.y, 0)]),
            Deed::LongTap(_, ms) => all.push(Read::Tap(at.x, at.y, ms)),
            Deed::Swipe(at, to, ms) => {
                all.push(Read::Drag(
                    [at.x, at.y, to.x, to.y],
                    u32::try_from((ms + 2) / 5).expect("short").max(1),
                ));
            }
            Deed::Key(code) => all.push(Read::Press(code)),
            Deed::Text(None, text) => all.push(Read::Input(text)),
            Deed::Rotate(to) => all.push(Read::Rotate(u8::from(to == "landscape"), true)),
            Deed::Wait(ms) => all.push(Read::Wait(ms)),
            deed => panic!("{deed:?} should have been refused"),
        }
    }
    // A crash that takes its time is seen while the Monkey still runs.
    all.push(Read::Wait(if hangs(trace) { 15_000 } else { 3_000 }));
    all
}

#[test]
fn a_monkey_reads_the_events_of_samples_and_generated_crashes() {
    let mut read_back = 0;
    for case in corpus::all() {
        let Some(script) = test_of(&case.trace, "monkey") else { continue };
        assert_eq!(read(&script), Some(wanted(&case.trace)), "{}:\n{script}", case.name);
        read_back += 1;
    }
    assert!(read_back >= 15, "{read_back} scripts");
}

#[test]
fn names_add_nothing_to_what_a_monkey_does() {
    for name in hostile::names() {
        // Its widgets are touched by place; a field by name is not.
        let mut trace = hostile::touched(&name);
        trace.steps.retain(|step| step.event.aim().is_some());
        let script = test_of(&trace, "monkey").expect("places can be touched");
        assert_eq!(read(&script), Some(wanted(&trace)), "{name:?}:\n{script}");
        let typed = hostile::typed_blindly(&name);
        let can = name.bytes().all(|byte| matches!(byte, b' '..=b'~'))
            && !["%s", ",", ")", "DeviceWakeUp", "LongPress"].iter().any(|part| name.contains(part));
        match exported(&typed, "monkey", Expect::NoCrash) {
            Ok(script) => assert_eq!(read(&script.text), Some(wanted(&typed)), "{name:?}:\n{}", script.text),
            Err(error) => {
                assert!(error.to_string().starts_with("monkey cannot express step 1: type "), "{error}");
                assert!(!can, "{name:?} was refused");
                continue;
            }
        }
        assert!(can, "{name:?} should have been refused");
    }
}

/// The launch is a line too, and a name in it can mean a touch.
#[test]
fn what_a_monkey_cannot_launch_is_refused() {
    for activity in ["org.example.app.TapActivity", "org.example.app.A,B", "org.example.app.A)"] {
        let mut trace = hostile::touched("name");
        trace.steps.retain(|step| step.event.aim().is_some());
        trace.steps[0].before.as_mut().expect("it is known").activity = activity.into();
        let error = exported(&trace, "monkey", Expect::NoCrash).expect_err("it cannot").to_string();
        assert!(error.starts_with("monkey cannot express the launch of org.example.app."), "{error}");
    }
}

/// The reader would see what a script should not have.
#[test]
fn the_reader_is_as_careless_as_the_monkey() {
    let script = |line: &str| format!("count= 1\nspeed= 1.0\nstart data >>\n{line}\n");
    assert_eq!(read(&script("# Tap(1, 2)")), Some(vec![Read::Tap(1, 2, 0)]));
    assert_eq!(read(&script("DispatchString(DeviceWakeUp)")), Some(vec![Read::Other("wake up")]));
    assert_eq!(read(&script("LaunchActivity(a, a.TapActivity)")), Some(vec![]));
    assert_eq!(read("# count= x\nstart data >>\n"), None);
}
