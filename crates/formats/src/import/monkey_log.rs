//! What Android's Monkey says of itself: `monkey -v`, `-v -v` and `-v -v -v`, alone or among other lines of a log.

use std::iter::Peekable;

use retap_trace::{Aim, Crash, Event, Micros, NoCrash, Orientation, Point};

use super::finger::pinched;
use super::keys::HeldKeys;
use super::lines::{from_mark, numbered, text};
use super::monkey::{Launches, fingers, key, named};
use super::numbers::distance;
use super::tally::Made;
use super::{ImportInput, ImportOptions, Importer};

pub(super) const IMPORTER: Importer = Importer {
    name: "monkey-log",
    about: "the log of Android's Monkey (monkey -v -v)",
    sniff,
    read: |input, given| Ok(read(input, given)),
};

/// A touch that ends so near to where it began, in pixels, is a tap: the Monkey lets its finger slip.
const SLIP: f64 = 36.0;
/// How long a finger takes from one place of the log to the next.
const MOVE: Micros = Micros::from_millis(5);
/// The shortest swipe.
const SHORTEST: Micros = Micros::from_millis(50);
/// So many lines of a crash are looked at.
const LONGEST_REPORT: usize = 2_000;
/// The marks of an app that crashed, and of one that hangs.
const CRASH: &str = "// CRASH: ";
const NOT_RESPONDING: &str = "// NOT RESPONDING: ";

fn sniff(input: &ImportInput<'_>) -> Option<&'static str> {
    let text = text(input.bytes);
    let says = |mark: &str| text.contains(mark);
    (says(":Monkey: seed=") || says(":Sending Touch (ACTION_") || says(":Sending Key (ACTION_"))
        .then_some("it has lines such as ':Sending Touch (ACTION_DOWN)'")
}

fn read(input: &ImportInput<'_>, given: &ImportOptions) -> Made {
    let text = text(input.bytes);
    let mut log = Log::new(given);
    let mut lines = numbered(&text).peekable();
    while let Some((number, line)) = lines.next() {
        if log.made.crashed() {
            let rest = lines.filter(|(_, line)| line.contains(":Sending ")).count() as u64;
            let rest = rest + u64::from(line.contains(":Sending "));
            log.made.line = None;
            log.made.skip_many("lines of events after the crash", rest, None);
            break;
        }
        log.made.line = Some(number);
        if let Some(failure) = Failure::of(line).filter(|failure| !failure.process().is_empty()) {
            let report = report(&text, &mut lines, ends_report);
            log.failed(&failure, &report);
        } else {
            log.line(line);
        }
    }
    log.end()
}

/// What the Monkey says of an app that crashed or hangs, before its report: `// CRASH: com.example (pid 71)`.
pub(super) struct Failure<'a> {
    /// What stands behind the mark.
    pub(super) told: &'a str,
    hangs: bool,
}

impl<'a> Failure<'a> {
    pub(super) fn of(line: &'a str) -> Option<Self> {
        let marked = |(mark, hangs)| from_mark(line, mark).map(|told| Self { told, hangs });
        [(CRASH, false), (NOT_RESPONDING, true)].into_iter().find_map(marked)
    }

    /// The process; nothing where SimplyDroid has put the stack in its place.
    pub(super) fn process(&self) -> &'a str {
        if self.told.starts_with("//") {
            return "";
        }
        self.told.split([' ', '(']).find(|word| !word.is_empty()).unwrap_or_default()
    }

    /// Whether the process is of the app, if both are known.
    pub(super) fn is_of(&self, app: &str) -> bool {
        let process = self.process();
        let of_app = process.strip_prefix(app).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'));
        of_app || process.is_empty() || app.is_empty()
    }

    /// The crash, with the report in the lines that follow.
    pub(super) fn crash(&self, report: &[&str], app: &str) -> Result<Crash, NoCrash> {
        if !self.is_of(app) {
            let (process, package) = (self.process().to_owned(), app.to_owned());
            return Err(NoCrash::OtherProcess { process, package });
        }
        // A stack is a comment of the Monkey; what stands in between is not of it. The system's report is none.
        let lines = report.iter().filter(|line| self.hangs || line.contains("// ")).take(LONGEST_REPORT);
        let text = lines.map(|line| uncommented(line)).collect::<Vec<_>>().join("\n");
        let crash = if self.hangs { Crash::from_anr(&text, app) } else { Crash::from_java(&text, app) };
        crash.or_else(|why| Crash::from_native(&text, app).map_err(|_| why))
    }
}

/// The lines of a log up to one that ends the report of a failure. A log that ends in the middle of a line may have half the
/// name of an exception in it.
pub(super) fn report<'a>(
    log: &str,
    lines: &mut Peekable<impl Iterator<Item = (usize, &'a str)>>,
    ends: impl Fn(&str) -> bool,
) -> Vec<&'a str> {
    let mut report = Vec::new();
    while let Some((_, line)) = lines.next_if(|(_, line)| !ends(line)) {
        report.push(line);
    }
    if lines.peek().is_none() && !log.ends_with('\n') {
        report.pop();
    }
    report
}

fn ends_report(line: &str) -> bool {
    ["** ", ":Sending ", ":Switch: ", "Events injected:", CRASH, NOT_RESPONDING, "// Monkey finished"]
        .iter()
        .any(|mark| line.contains(mark))
}

/// A line without the marks of a comment, whatever stands before them.
fn uncommented(line: &str) -> &str {
    from_mark(line, "// ").unwrap_or(line)
}

/// A finger that is down.
#[derive(Debug, Clone, Copy)]
struct Down {
    finger: u32,
    from: Point,
    to: Point,
    /// How far it has been from where it went down.
    farthest: f64,
}

impl Down {
    const fn at(finger: u32, at: Point) -> Self {
        Self { finger, from: at, to: at, farthest: 0.0 }
    }
}

/// The log so far.
struct Log {
    made: Made,
    /// The fingers that are down, and how many moves were told.
    touch: Vec<Down>,
    /// The line in which the first of them went down.
    pressed: Option<usize>,
    moves: u64,
    held: HeldKeys,
    launches: Launches,
    /// Whether anything was said that one `-v` leaves out.
    thorough: bool,
}

impl Log {
    fn new(given: &ImportOptions) -> Self {
        Self {
            made: Made::of(given),
            touch: Vec::new(),
            pressed: None,
            moves: 0,
            held: HeldKeys::default(),
            launches: Launches::default(),
            thorough: false,
        }
    }

    fn line(&mut self, line: &str) {
        if let Some(sent) = from_mark(line, ":Sending ").or_else(|| from_mark(line, ":Send")) {
            if self.sent(sent).is_none() {
                self.made.skip("events that cannot be read", None);
            }
        } else if let Some(intent) = from_mark(line, ":Switch: ") {
            self.switch(intent);
        } else if let Some(rest) = from_mark(line, ":AllowPackage: ") {
            self.made.package.get_or_insert_with(|| rest.trim().to_owned());
        } else if let Some(rest) = from_mark(line, ":Monkey: ") {
            self.made.seed = named(rest, "seed=").and_then(|seed| seed.parse().ok());
        } else if line.contains("Sleeping for ") {
            self.thorough = true;
        } else if line.contains("// Rejecting start of ") {
            self.made.skip("starts of other apps, which the Monkey rejected", None);
        }
    }

    /// One event, as it is told behind `:Sending `. Nothing when it cannot be read.
    fn sent(&mut self, sent: &str) -> Option<()> {
        let (kind, rest) = sent.split_once(' ')?;
        match kind {
            "Touch" => self.touched(rest)?,
            "Key" => {
                self.thorough = true;
                let (action, code) = rest.split_once(": ")?;
                let key = key(code.split_whitespace().next()?)?;
                if action.contains("DOWN") {
                    self.held.down(key, &mut self.made);
                } else {
                    self.held.up(key, &mut self.made);
                }
            }
            "rotation" => {
                let degree: u32 = named(rest, "degree=")?.parse().ok()?;
                let to = if degree % 2 == 1 { Orientation::Landscape } else { Orientation::Portrait };
                self.made.add(Event::Rotate { to });
            }
            "Trackball" => self.made.skip("events of a trackball", None),
            "Flip" => self.made.skip("flips of a hardware keyboard", None),
            _ => self.made.skip(format!("events of the kind {kind}"), None),
        }
        Some(())
    }

    fn touched(&mut self, said: &str) -> Option<()> {
        let (action, places) = said.split_once("): ")?;
        let places: Vec<(u32, Point)> = fingers(places).collect();
        if places.is_empty() {
            return None;
        }
        match action.trim_start_matches('(').split_whitespace().next()? {
            "ACTION_DOWN" => {
                self.endless();
                self.moves = 0;
                self.pressed = self.made.line;
                self.touch = places.iter().map(|(finger, at)| Down::at(*finger, *at)).collect();
            }
            "ACTION_POINTER_DOWN" => {
                self.follow(&places);
                for (finger, at) in places {
                    if !self.touch.iter().any(|down| down.finger == finger) {
                        self.touch.push(Down::at(finger, at));
                    }
                }
            }
            "ACTION_MOVE" | "ACTION_POINTER_UP" => {
                self.thorough = true;
                if self.touch.is_empty() {
                    self.made.skip("ways of fingers that are not down", None);
                }
                self.moves += 1;
                self.follow(&places);
            }
            "ACTION_UP" => {
                self.follow(&places);
                self.lifted();
            }
            "ACTION_CANCEL" => {
                self.made.skip("touches that were cancelled", None);
                self.touch.clear();
            }
            _ => return None,
        }
        Some(())
    }

    fn endless(&mut self) {
        if !self.touch.is_empty() {
            self.made.skip("touches without an end", self.pressed);
        }
    }

    fn follow(&mut self, places: &[(u32, Point)]) {
        for down in &mut self.touch {
            if let Some((_, at)) = places.iter().find(|(known, _)| *known == down.finger) {
                down.to = *at;
                down.farthest = down.farthest.max(distance(down.from, *at));
            }
        }
    }

    fn lifted(&mut self) {
        let over = Micros(MOVE.0.saturating_mul(self.moves)).max(SHORTEST);
        match std::mem::take(&mut self.touch)[..] {
            [] => self.made.skip("touches without a beginning", None),
            [down] if down.farthest <= SLIP => self.made.add(Event::Tap(Aim::place(down.from))),
            [Down { from, to, .. }] if distance(from, to) <= SLIP => {
                self.made.skip("ways of a finger that end where they began", None);
            }
            [Down { from, to, .. }] => self.made.add(Event::Swipe { aim: Aim::place(from), to, over }),
            [one, two] => match pinched([one.from, one.to, two.from, two.to], over) {
                Some(event) => self.made.add(event),
                None => self.made.skip("pinches whose fingers end at one place", None),
            },
            _ => self.made.skip("gestures of more than two fingers", None),
        }
    }

    /// The Monkey starts an app: `#Intent;...;component=com.example/.Main;end`.
    fn switch(&mut self, intent: &str) {
        // It is a URI, in which a nested class has no `$`.
        let component = named(intent, "component=").unwrap_or_default().replace("%24", "$");
        let Some((package, activity)) = component.split_once('/').filter(|(package, _)| !package.is_empty())
        else {
            return self.made.skip("starts of an app without a name", None);
        };
        let app = self.made.package.get_or_insert_with(|| package.to_owned());
        if app == package {
            let event = self.launches.start(app, package, activity);
            self.made.add(event);
        } else {
            self.made.skip("starts of other apps", None);
        }
    }

    fn failed(&mut self, failure: &Failure<'_>, report: &[&str]) {
        let process = failure.process();
        let app = self.made.package.get_or_insert_with(|| process.to_owned()).clone();
        if !failure.is_of(&app) {
            return self.made.skip(format!("crashes of {process}"), None);
        }
        match failure.crash(report, &app) {
            Ok(crash) => self.made.crash(crash),
            Err(_) => self.made.skip(format!("crashes of {process} without a stack"), None),
        }
    }

    fn end(mut self) -> Made {
        self.made.line = None;
        self.endless();
        self.held.end(&mut self.made);
        if !self.thorough {
            self.made.note(
                "the log seems to come of a single -v, which leaves out keys and the ways of fingers; make it with -v -v",
            );
        }
        self.made
    }
}
