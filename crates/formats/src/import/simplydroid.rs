//! Recordings of SimplyDroid: `script.log`, a script of a changed Monkey, and `execute.log`, one line for each event that
//! Android got, with the activity in front, and the crash.

use retap_trace::{Crash, Event, Micros, NoCrash, Seen, Step};

use super::lines::{numbered, text};
use super::monkey::{self, Script};
use super::monkey_log::{Failure, report};
use super::tally::Made;
use super::{ImportError, ImportInput, ImportOptions, Importer, MOST_STEPS};

pub(super) const IMPORTER: Importer = Importer {
    name: "simplydroid",
    about: "a recording of SimplyDroid: script.log and execute.log in one folder",
    sniff,
    read,
};

/// How long a drag takes from one of its steps to the next.
const DRAG_STEP: Micros = Micros::from_millis(2);
/// Where a folder has two recordings, the second one is the one that counts.
const PAIRS: [(&str, &str); 2] = [("script2.log", "execute2.log"), ("script.log", "execute.log")];
/// The end of an event in the log.
const THROTTLE: &str = "MonkeyThrottleEvent";

fn sniff(input: &ImportInput<'_>) -> Option<&'static str> {
    if is_script(input) {
        return Some("execute.log stands beside the script");
    }
    if is_log(input.bytes) {
        return Some("its lines are 'number;MonkeyTouchEvent;package;activity;code'");
    }
    let folder = input.name.is_empty() && input.bytes.is_empty();
    let names = if folder { input.files.list("") } else { Vec::new() };
    let has = |name: &str| names.iter().any(|known| known == name);
    PAIRS
        .iter()
        .any(|(script, log)| has(script) && has(log))
        .then_some("the folder has script.log and execute.log")
}

/// Whether it is a script with its log beside it.
pub(super) fn is_script(input: &ImportInput<'_>) -> bool {
    let beside = input.name.strip_prefix("script").filter(|_| monkey::is_script(input.bytes));
    beside.is_some_and(|rest| input.files.read(&format!("execute{rest}")).is_ok_and(|log| is_log(&log)))
}

fn is_log(bytes: &[u8]) -> bool {
    let head = text(&bytes[..bytes.len().min(4_096)]).into_owned();
    numbered(&head).take(3).any(|(_, line)| is_event(line))
}

/// `4;MonkeyTouchEvent;com.example;com.example.Main;1`
fn is_event(line: &str) -> bool {
    let mut fields = line.split(';');
    fields.next().is_some_and(|number| number.parse::<u64>().is_ok())
        && fields.next().is_some_and(|kind| kind.starts_with("Monkey") && kind.ends_with("Event"))
}

fn read(input: &ImportInput<'_>, given: &ImportOptions) -> Result<Made, ImportError> {
    let (script, log, second) = pair(input)?;
    let (script, log) = (text(&script), text(&log));
    let mut made = Made::default();
    let recorded = statements(&script, given).map_err(|(line, what)| ImportError::at(line, what))?;
    let events = recorded.events;
    let app = recorded.package.clone().unwrap_or_default();
    let activities = activities_of(&log, &app, events.len());
    for process in crashes_of_others(&log, &app) {
        made.skip(format!("crashes of {process}"), None);
    }
    let failed = log.lines().any(|line| is_failure_of(line, &app));
    let crash = failed.then(|| crash(&log, &app));
    let kept = if crash.is_some() { (performed(&log, &app) + 1).min(events.len()) } else { events.len() };
    made.package = recorded.package;
    made.skip_many("events after the crash", (events.len() - kept) as u64, None);
    let seen = |nth: usize| {
        activities.get(nth).filter(|name| !name.is_empty()).map(|name| Seen::activity(name.as_str()))
    };
    for (nth, event) in events.into_iter().take(kept).enumerate() {
        made.step(Step { before: seen(nth), after: seen(nth + 1), ..Step::new(event) });
    }
    match crash {
        Some(Ok(crash)) => made.crash(crash),
        Some(Err(why)) => made.note(format!("execute.log tells of a crash that cannot be read: {why}")),
        None => made.note("execute.log tells of no crash"),
    }
    if second {
        made.note("the folder has two recordings; this is the second one, script2.log");
    }
    Ok(made)
}

/// The script, the log, and whether they are the second of two.
fn pair(input: &ImportInput<'_>) -> Result<(Vec<u8>, Vec<u8>, bool), ImportError> {
    let beside = |name: &str| {
        let problem = |problem| {
            ImportError::whole(format!("a recording of SimplyDroid is two files, and {name} {problem}"))
        };
        input.files.read(name).map_err(problem)
    };
    if let Some(rest) = input.name.strip_prefix("script") {
        return Ok((input.bytes.to_vec(), beside(&format!("execute{rest}"))?, false));
    }
    if let Some(rest) = input.name.strip_prefix("execute") {
        return Ok((beside(&format!("script{rest}"))?, input.bytes.to_vec(), false));
    }
    let names = input.files.list("");
    let (script, log) =
        PAIRS.into_iter().find(|(script, _)| names.iter().any(|name| name == script)).unwrap_or(PAIRS[1]);
    Ok((beside(script)?, beside(log)?, script == PAIRS[0].0))
}

/// What a script says.
struct Recorded {
    events: Vec<Event>,
    package: Option<String>,
}

/// Every statement is one event, also for the log. What is none, such as one that was cut, is an error, with its line: without
/// it each event after it would have the activity of another one, and the crash would come of the wrong step.
fn statements(script: &str, given: &ImportOptions) -> Result<Recorded, (usize, String)> {
    let mut read = Script::new(Made::of(given), DRAG_STEP, false);
    for (number, line) in monkey::statements(script) {
        let before = read.steps();
        if before > MOST_STEPS {
            break; // Who imports it says that it is too large.
        }
        read.line(number, line);
        if read.steps() != before + 1 {
            return Err((number, format!("'{}' is no event of SimplyDroid", line.trim())));
        }
    }
    let mut made = read.end();
    let package = made.package.take();
    let mut events = Vec::new();
    while let Some(step) = made.pop() {
        events.push(step.event);
    }
    events.reverse();
    Ok(Recorded { events, package })
}

/// The events of a script, the launch of the app first: each statement is one.
pub fn events(script: &str) -> Result<Vec<Event>, String> {
    let recorded = statements(script, &ImportOptions::default())
        .map_err(|(line, what)| format!("line {line}: {what}"))?;
    Ok(recorded.events)
}

/// The activity before each of so many events, of a log with no failure but the app's.
pub fn activities(log: &str, events: usize) -> Vec<String> {
    activities_of(log, "", events)
}

/// The activity before each event: the one on the last line before the event's throttle line.
fn activities_of(log: &str, app: &str, events: usize) -> Vec<String> {
    let mut activities: Vec<String> = Vec::new();
    let mut last = "";
    for line in before_crash(log, app).filter(|line| is_event(line)) {
        let fields: Vec<&str> = line.split(';').collect();
        // The field behind the activity tells that its name is whole: the log may end in the middle of a line.
        let [_, kind, _, activity, _, ..] = fields[..] else { continue };
        if kind == THROTTLE {
            activities.push(std::mem::take(&mut last).to_owned());
        } else {
            last = activity;
        }
    }
    // The crash ends the reading before the last event's throttle line.
    activities.resize(events, last.to_owned());
    activities
}

/// How many events had come to their end before the crash.
fn performed(log: &str, app: &str) -> usize {
    before_crash(log, app).filter(|line| line.split(';').nth(1) == Some(THROTTLE)).count()
}

/// Whether the line says that the app crashed or hangs: another process may do so, and the app goes on.
fn is_failure_of(line: &str, app: &str) -> bool {
    Failure::of(line).is_some_and(|failure| failure.is_of(app))
}

fn before_crash<'a>(log: &'a str, app: &str) -> impl Iterator<Item = &'a str> {
    numbered(log).map(|(_, line)| line).take_while(move |line| !is_failure_of(line, app))
}

/// The processes of which the log says that they crashed or hang while the app still ran.
fn crashes_of_others<'a>(log: &'a str, app: &str) -> impl Iterator<Item = &'a str> {
    before_crash(log, app).filter_map(|line| Failure::of(line).map(|failure| failure.process()))
}

/// The first crash of the app in a log, or that the app hangs: one line, in which the ends of lines are marks; or, as an unchanged Monkey
/// writes it, the process (`// CRASH: com.example (pid 42)`), and then a report.
pub fn crash(log: &str, package: &str) -> Result<Crash, NoCrash> {
    let mut lines = numbered(log).peekable();
    let failure =
        lines.by_ref().find_map(|(_, line)| Failure::of(line).filter(|failure| failure.is_of(package)));
    let failure = failure.ok_or(NoCrash::Nothing { what: "crash" })?;
    if let Some(stack) = failure.told.strip_prefix("// ") {
        // What stands behind the last mark was cut.
        let whole = stack.rsplit_once("$$").map_or("", |(whole, _)| whole);
        return Crash::from_java(&whole.replace("$$ ", "\n"), package);
    }
    let report = report(log, &mut lines, |line| Failure::of(line).is_some() || is_event(line));
    failure.crash(&report, package)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_read() {
        let text = "# Start Script\ntype= user\nstart data >>\nLaunchActivity(a.b, a.b.Main)\nTap(116.0, 160.6, 0)\n\
                    Drag(530.0, 238.0, 592.46704, 255.12378, 8)\nDispatchPress(4)\nDispatchPress(KEYCODE_MENU)\n";
        let events = events(text).unwrap();
        let words: Vec<String> = events.iter().map(ToString::to_string).collect();
        let drag = "swipe right from 530,238 to 592,255";
        assert_eq!(words, ["launch the app", "tap 116,161", drag, "press back", "press menu"]);
        assert!(matches!(&events[2], Event::Swipe { over: Micros(16_000), .. }));
        assert_eq!(super::events("Fly(1.0)\n").unwrap_err(), "line 1: 'Fly(1.0)' is no event of SimplyDroid");
    }

    #[test]
    fn a_log_tells_activities_and_the_crash() {
        let log = "1;MonkeyActivityEvent;a;a.Main;1\n2;MonkeyThrottleEvent;a;a.Main;1\n3;MonkeyTouchEvent;a;a.List;1\n\
                   4;MonkeyThrottleEvent;a;a.List;1\n5;MonkeyTouchEvent;a;a.Edit;1\n\
                   // CRASH: // java.lang.Error: x$$ \tat a.Edit.go(Edit.java:7)$$ \n6;MonkeyThrottleEvent;a;b;1\n";
        assert_eq!(activities(log, 3), ["a.Main", "a.List", "a.Edit"]);
        assert_eq!(performed(log, "a"), 2);
        assert!(crash(log, "a").unwrap().signature.to_string().starts_with("Error@Edit.go#"));
        assert!(crash("", "a").is_err());
    }

    #[test]
    fn a_crash_as_an_unchanged_monkey_writes_it_is_read_or_said() {
        let stack = "// Short Msg: java.lang.Error\n// Long Msg: java.lang.Error: x ** y\n// java.lang.Error: x ** y\n\
                     // \tat a.Edit.go(Edit.java:7)\n// \n";
        let imported = |told: &str| {
            let log = format!(
                "1;MonkeyActivityEvent;a.b;a.Main;1\n2;MonkeyThrottleEvent;a.b;a.Main;1\n3;MonkeyTouchEvent;a.b;a.Main;1\n\
                 {told}4;MonkeyThrottleEvent;a.b;a.Main;1\n5;MonkeyTouchEvent;a.b;a.Main;1\n6;MonkeyThrottleEvent;a.b;a.Main;1\n"
            );
            let script = "start data >>\nLaunchActivity(a.b, a.Main)\nTap(1, 2, 0)\nTap(3, 4, 0)\n";
            let files = std::collections::BTreeMap::from([("execute.log".to_owned(), log.into_bytes())]);
            let input = ImportInput { name: "script.log", bytes: script.as_bytes(), files: &files };
            crate::import::import(None, &input, &ImportOptions::default()).unwrap()
        };
        let read = imported(&format!("// CRASH: a.b (pid 42)\n{stack}"));
        assert!(read.trace.crash().unwrap().signature.to_string().starts_with("Error@Edit.go#"));
        assert_eq!((read.trace.steps.len(), read.notes), (1, vec![]));
        let unread = imported("// CRASH: a.b (pid 42)\n");
        assert_eq!(unread.trace.crash(), None);
        let why = "there is no Java exception in this text";
        assert_eq!(unread.notes[0], format!("execute.log tells of a crash that cannot be read: {why}"));
        assert_eq!((unread.trace.steps.len(), unread.skipped[0].count), (1, 1));
        assert_eq!(imported("").notes[0], "execute.log tells of no crash");
        let anr = "// NOT RESPONDING: a.b (pid 42)\nANR in a.b (a.b/.Main)\nPID: 42\nReason: Input dispatching timed out\n\n";
        let hangs = imported(anr);
        assert_eq!(hangs.trace.crash().unwrap().to_string(), "ANR in a.b.Main");
        assert_eq!((hangs.trace.steps.len(), hangs.notes), (1, vec![]));
        // Another process ends nothing, and does not hide what happens to the app.
        let own = format!("// CRASH: a.b (pid 42)\n{stack}");
        for others in [anr.replace("a.b", "c.d"), own.replace("a.b (", "c.d (")] {
            let other = imported(&others);
            assert_eq!((other.trace.steps.len(), other.trace.crash()), (2, None));
            assert_eq!(other.notes[0], "execute.log tells of no crash");
            let said: Vec<String> = other.skipped.iter().map(ToString::to_string).collect();
            assert_eq!(said, ["1 x crashes of c.d"]);
            let both = imported(&(others + &own));
            assert_eq!(both.trace.crash(), read.trace.crash());
            let said: Vec<String> = both.skipped.iter().map(ToString::to_string).collect();
            assert_eq!(said, ["1 x crashes of c.d", "1 x events after the crash"]);
        }
    }
}
