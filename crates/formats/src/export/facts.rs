//! What a template is told of a trace. The names here are what templates of users rely on; `docs/exporting.md` lists them.

mod commands;

use std::collections::BTreeSet;

use retap_adb::{SystemDeed, deed};
use retap_trace::{
    Aiming, ConfirmedRate, Crash, CrashKind, Event, Key, Micros, Orientation, Point, Selector, Size, Start,
    Step, Target, Trace,
};
use serde::Serialize;

use commands::{am_failures, undo};

use super::locator::{Locator, meant};
use super::quote::regex;
use super::{Expect, Reader};

/// System events are brought about as on Android 11 and later.
const API: u32 = 30;

/// Errors of JavaScript whose names Java does not have.
const ONLY_IN_PAGES: [&str; 7] =
    ["AggregateError", "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError"];

/// So many characters may stand in a field that no step has typed. No trace says what stands in one.
const ERASED: usize = 256;

/// Everything that a template is told.
#[derive(Debug, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each says something of its own")]
pub(super) struct Facts {
    package: String,
    /// The activity in front when the trace begins, where that is known and is the app's.
    activity: Option<String>,
    /// Whether the app runs before the first step.
    launched: bool,
    /// A name for the test: lower case letters, digits and `_`.
    name: String,
    /// The same as a class is called.
    class_name: String,
    /// Whether the test passes when the app crashes.
    expect_crash: bool,
    /// What the test is of, what was measured, and what it expects: sentences for a comment.
    about: Vec<String>,
    crash: Option<CrashFacts>,
    /// What the trace reaches in the place of a crash, in words.
    target: Option<String>,
    /// Whether it is there to reach a crash, and has none.
    pub(super) any_crash: bool,
    claim: Option<ConfirmedRate>,
    /// Whether it was changed since it was confirmed.
    changed: bool,
    device: Option<String>,
    /// What the device is, where its name does not tell it.
    platform: Option<String>,
    screen: Option<Size>,
    steps: Vec<StepFacts>,
    /// The commands on the device that put back what system events have changed outside the app.
    undo: Vec<&'static str>,
    /// What Android's am says when it fails, which ends as if it had worked: patterns of lines, where a step asks it.
    am_failures: Vec<String>,
}

#[derive(Debug, Serialize)]
struct CrashFacts {
    signature: String,
    /// `java` | `anr` | `native` | `javascript`
    kind: &'static str,
    exception: String,
    /// Where only the last part of the exception's name is known: a regular expression for its name in whole.
    class_regex: Option<String>,
    message: String,
    /// The innermost frames, as printed.
    frames: Vec<String>,
    /// One line for people.
    words: String,
}

/// One step. Parts that its kind does not have are absent.
#[derive(Debug, Default, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each says something of its own")]
struct StepFacts {
    /// From 1.
    number: usize,
    /// The kind, as in a trace file: `tap`, `long_tap`, ..
    #[serde(rename = "do")]
    kind: &'static str,
    words: String,
    /// The widget that a test looks for; absent where only the place is known.
    find: Option<Locator>,
    /// The place of a touch, or of a field without a name that something is typed into.
    at: Option<Point>,
    /// Where a swipe ends.
    to: Option<Point>,
    /// How long it takes, is held or waits, in milliseconds.
    ms: u64,
    /// Of a pinch.
    percent: u32,
    key: Option<KeyFacts>,
    /// What is typed.
    text: String,
    /// How many characters are deleted before, so that none is left of what stood there.
    erase: usize,
    /// Whether a keyboard that comes up by typing is put away: in the runs of the trace none came up.
    hide_keyboard: bool,
    /// `portrait` | `landscape`
    orientation: &'static str,
    /// The commands on the device that bring a system event about; none where it takes an emulator's console.
    shell: Vec<String>,
    /// What an emulator's console is told for it.
    console: Option<String>,
    /// The activity in front before the step, where that is known.
    activity: Option<String>,
    /// The app's activity that comes to the front before the step, which itself looks for no widget: a test waits for it.
    arrives: Option<String>,
    /// Whether it touches a widget with a name, and no run has confirmed that the touch works by that.
    unconfirmed: bool,
    /// Whether the step is meant for a widget of which no name is known.
    #[serde(skip)]
    nameless: bool,
    /// Whether it swipes over a widget of which no run has told where it is: the place is a guess.
    #[serde(skip)]
    adrift: bool,
}

#[derive(Debug, Serialize)]
struct KeyFacts {
    name: String,
    code: u16,
    /// What it types.
    char: Option<char>,
}

impl Facts {
    pub(super) fn of(trace: &Trace, expect: Expect, reader: Reader) -> Self {
        let header = &trace.header;
        let crash = trace.crash();
        let signature = signature(trace);
        let name = test_name(trace);
        let package = header.app.package.to_string();
        let activity = first_activity(trace);
        let crash = crash.map(CrashFacts::of).or_else(|| signature.map(CrashFacts::signed));
        let mut steps = steps(trace);
        // A tool that looks for words finds an id without its package as well.
        let finds = steps.iter_mut().filter_map(|step| step.find.as_mut());
        for find in finds.filter(|find| find.short && reader != Reader::Words) {
            find.id = find.id.take().map(|id| format!("{package}:id/{id}"));
        }
        Self {
            about: about(trace, crash.as_ref(), expect),
            activity,
            launched: header.start == Start::Launched,
            class_name: class_name(&name),
            name,
            expect_crash: expect == Expect::Crash,
            crash,
            target: target(trace),
            any_crash: trace.crash().is_none() && trace.header.target == Some(Target::AnyCrash),
            claim: trace.claim(),
            changed: trace.is_changed(),
            device: header.device.clone(),
            platform: header.platform.clone(),
            screen: header.screen,
            undo: undo(&steps),
            am_failures: if steps.iter().any(StepFacts::asks_am) { am_failures() } else { Vec::new() },
            steps,
            package,
        }
    }

    pub(super) const fn has_crash(&self) -> bool {
        self.crash.is_some()
    }

    /// The first step that a test has no way to find the widget of. Steps in words need none.
    pub(super) fn lost(&self, reader: Reader) -> Option<String> {
        let mut steps = self.steps.iter().filter(|_| reader != Reader::People);
        let lost = steps.find(|step| step.adrift || step.is_lost())?;
        let why = if lost.adrift && !lost.is_lost() {
            "it swipes over a widget of which the trace does not say where it is"
        } else {
            "the widget has no id, description, text or hint, and its place is not known"
        };
        Some(format!("step {}: {}, because {why}", lost.number, lost.words))
    }

    /// Why a step is refused, with what may help: a trace that nobody has reduced has steps that it does not need.
    pub(super) fn with_the_fix(&self, what: String) -> String {
        if self.claim.is_some() || !what.starts_with("step ") {
            return what;
        }
        format!("{what}; 'retap reduce' leaves out the steps that are not needed")
    }

    /// A crash that no tool of ours sees. Steps in words need none that does.
    pub(super) fn unseen(&self, reader: Reader) -> Option<String> {
        let page = CrashKind::JavaScript.word();
        let crash = self.crash.as_ref().filter(|crash| reader != Reader::People && crash.kind == page)?;
        Some(format!(
            "the crash {}: Android tells of no error in a page, so the test would pass while it is there",
            crash.words
        ))
    }

    /// What is so whatever the template says.
    pub(super) fn warnings(&self, reader: Reader) -> Vec<String> {
        let for_people = reader == Reader::People;
        let mut warnings = Vec::new();
        if self.claim.is_none() {
            let why = if self.changed {
                "the trace was changed since it was confirmed"
            } else {
                "the trace is not the result of a reduction"
            };
            warnings
                .push(format!("{why}: no run has confirmed that its touches work by the names of widgets"));
        }
        if let Some(claim) = self.claim.filter(|claim| claim.reached < claim.runs && self.has_crash())
            && !for_people
        {
            let by_chance = if self.expect_crash { "fails" } else { "passes" };
            let missed = claim.runs - claim.reached;
            warnings.push(format!(
                "the crash does not always come: while it is there, the test {by_chance} by chance in {missed} of {} runs",
                claim.runs
            ));
        }
        if let Some(target) = self.target.as_ref().filter(|_| !for_people) {
            warnings.push(format!(
                "the trace was recorded or reduced to reach {target}; the test does not ask for that, only for no crash"
            ));
        }
        let by_place = self.steps.iter().filter(|step| step.at.is_some() && step.find.is_none()).count();
        if by_place > 0 {
            let screen = self.screen.map_or_else(
                || "a screen of unknown size".to_owned(),
                |screen| format!("a screen of {}x{}", screen.width, screen.height),
            );
            let touches = if by_place == 1 { "touch goes" } else { "touches go" };
            warnings.push(format!("{by_place} {touches} by coordinates, those of {screen}"));
        }
        let unnamed = |step: &&StepFacts| {
            step.kind == "text" && step.find.is_none() && step.at.is_none() && !step.nameless
        };
        let blind: Vec<String> =
            self.steps.iter().filter(unnamed).map(|step| step.number.to_string()).collect();
        if !blind.is_empty() && !for_people {
            let steps = if blind.len() == 1 { "step" } else { "steps" };
            warnings.push(format!(
                "the trace does not say which field is typed into: the test types into the one that has the focus \
                 ({steps} {})",
                blind.join(", ")
            ));
        }
        let by_words = self.steps.iter().any(|step| step.find.as_ref().is_some_and(|find| find.words));
        if by_words && reader == Reader::Program {
            warnings.push(
                "the trace names widgets by words of which it is not known whether they are text, description or hint; the \
                 test takes them for text"
                    .to_owned(),
            );
        }
        let short = self.steps.iter().filter_map(|step| step.find.as_ref()).filter(|find| find.short);
        let short: BTreeSet<&str> = short.filter_map(|find| find.id.as_deref()).collect();
        if !short.is_empty() && reader == Reader::Program {
            let ids = short.into_iter().collect::<Vec<_>>().join(", ");
            warnings.push(format!(
                "the trace names ids without a package, and the test takes them for {ids}: test tags of Compose it does not \
                 find so"
            ));
        }
        warnings
    }
}

/// The crash that the trace ends in, or is there to reach.
fn signature(trace: &Trace) -> Option<String> {
    match (&trace.header.target, trace.crash()) {
        (_, Some(crash)) => Some(crash.signature.to_string()),
        (Some(Target::Crash(signature)), None) => Some(signature.to_string()),
        _ => None,
    }
}

/// The activity of the app that was in front first: before the first step, or after the first launch.
fn first_activity(trace: &Trace) -> Option<String> {
    let steps = &trace.steps;
    let launch = trace.events().position(|event| *event == Event::Launch);
    let places = [
        steps.first().and_then(|step| step.before.as_ref()),
        launch.and_then(|launch| steps[launch].after.as_ref()),
        launch.and_then(|launch| steps.get(launch + 1)?.before.as_ref()),
    ];
    let mut activities = places.into_iter().flatten().map(|seen| &*seen.activity);
    activities.find(|activity| activity.starts_with(&*trace.header.app.package)).map(str::to_owned)
}

/// What the trace is there to reach, where that is no crash.
fn target(trace: &Trace) -> Option<String> {
    match trace.header.target.as_ref().filter(|_| trace.crash().is_none())? {
        Target::AnyCrash | Target::Crash(_) => None,
        Target::Activity(name) => Some(format!("the activity {name}")),
        other => Some(other.to_string()),
    }
}

/// A name for the test: lower case letters, digits and `_`.
pub(super) fn test_name(trace: &Trace) -> String {
    name(signature(trace).as_deref(), &trace.header.app.package)
}

fn about(trace: &Trace, crash: Option<&CrashFacts>, expect: Expect) -> Vec<String> {
    let mut about = Vec::new();
    about.extend(crash.map(|crash| crash.words.clone()));
    let events = match trace.steps.len() {
        1 => "1 event".to_owned(),
        events => format!("{events} events"),
    };
    let claim = trace.claim();
    about.push(match claim {
        Some(ConfirmedRate { reached, runs, before, .. }) => {
            let on = trace.header.platform.as_ref().map_or_else(String::new, |on| format!(" on {on}"));
            let it = target(trace).unwrap_or_else(|| "it".to_owned());
            format!("{events}, reduced from {before}; {reached} of {runs} fresh runs{on} reached {it}.")
        }
        None if trace.is_changed() => format!("{events}, changed since they were confirmed."),
        None => format!("{events}."),
    });
    about.extend(crash.map(|_| outcome(claim.as_ref(), expect)));
    about
}

/// How the test ends, and how often it does not, where runs have not always reached the crash.
fn outcome(claim: Option<&ConfirmedRate>, expect: Expect) -> String {
    let (here, here_alone, gone) = match expect {
        Expect::NoCrash => ("fails", "passes", "passes"),
        Expect::Crash => ("passes", "fails", "fails"),
    };
    match claim {
        None => {
            let (here, gone) = if expect == Expect::NoCrash { ("fail", "pass") } else { ("pass", "fail") };
            format!(
                "Is to {here} while the app crashes and to {gone} when it is mended, but no run has confirmed that it does."
            )
        }
        Some(ConfirmedRate { reached, runs, .. }) if reached < runs => format!(
            "While the app crashes, {here} in {reached} of {runs} runs and {here_alone} by chance in {}; {gone} when it is mended.",
            runs - reached
        ),
        Some(_) if expect == Expect::NoCrash => {
            "Fails while the app crashes, passes when it is mended.".to_owned()
        }
        Some(_) => "Passes while the app crashes, fails when it is mended.".to_owned(),
    }
}

fn steps(trace: &Trace) -> Vec<StepFacts> {
    let reduced = trace.claim().is_some();
    let package = &trace.header.app.package;
    let numbered = trace.steps.iter().enumerate();
    let mut steps: Vec<StepFacts> =
        numbered.map(|(number, step)| StepFacts::of(number + 1, step, package, reduced)).collect();
    let mut before: Option<String> = None;
    for step in &mut steps {
        let waits = step.find.is_none() && !matches!(step.kind, "launch" | "wait");
        let arrives = step.activity.as_ref().filter(|activity| {
            waits && before.as_ref() != Some(*activity) && activity.starts_with(&**package)
        });
        step.arrives = arrives.cloned();
        before.clone_from(&step.activity);
    }
    let simulated = is_simulated(trace);
    let mut typed = 0;
    for (number, step) in steps.iter_mut().enumerate() {
        if step.kind == "text" {
            let touched = touched_before(trace, number);
            step.erase = ERASED + typed;
            step.at = touched.filter(|_| step.nameless);
            step.hide_keyboard = simulated && step.find.is_some() && touched.is_none();
        }
        let letter = step.key.as_ref().and_then(|key| key.char);
        typed += step.text.chars().count() + usize::from(letter.is_some());
    }
    steps
}

/// Whether the trace was run on the simulator, which types into a field without a touch that calls up the keyboard.
fn is_simulated(trace: &Trace) -> bool {
    trace.header.device.as_ref().is_some_and(|device| device.starts_with("sim:"))
}

/// Where a field was touched last, when nothing since has changed what is on the screen but typing.
fn touched_before(trace: &Trace, number: usize) -> Option<Point> {
    let Event::Text { widget, .. } = &trace.steps[number].event else { return None };
    let mut before = trace.steps[..number].iter().rev().map(|step| &step.event);
    let touch = before.find(|event| !matches!(event, Event::Text { .. } | Event::Wait { .. }))?;
    let Event::Tap(aim) = touch else { return None };
    aim.place_if_known().filter(|_| aim.widget == *widget)
}

impl StepFacts {
    fn of(number: usize, step: &Step, package: &str, reduced: bool) -> Self {
        let facts = Self {
            number,
            words: step.event.to_string(),
            at: match &step.found {
                Some(found) => Some(found.at),
                None => step.event.aim().and_then(retap_trace::Aim::place_if_known),
            },
            activity: step.before.as_ref().map(|seen| seen.activity.to_string()),
            unconfirmed: step.event.aim().is_some_and(|aim| {
                meant(aim, reduced).is_none() && meant(aim, false).and_then(Locator::of).is_some()
            }),
            ..Self::default()
        };
        let named = |widget: &Selector| match &step.found {
            Some(found) => Locator::of_found(&found.widget, widget),
            None => Locator::of(widget),
        };
        let touch = || step.event.aim().and_then(|aim| meant(aim, reduced)).and_then(named);
        match &step.event {
            Event::Launch => Self { kind: "launch", ..facts },
            Event::Tap(_) => Self { kind: "tap", find: touch(), ..facts },
            Event::LongTap { hold, .. } => Self { kind: "long_tap", find: touch(), ms: ms(*hold), ..facts },
            Event::DoubleTap(_) => Self { kind: "double_tap", find: touch(), ..facts },
            Event::Swipe { aim, to, over } => {
                let unknown = aim.widget.as_ref().is_some_and(|widget| widget.path.is_none());
                let adrift = unknown && aim.by == Aiming::Widget && step.found.is_none();
                let from = facts.at.unwrap_or(aim.at);
                // As far as it goes when retap performs it.
                let shifted = |to: i32, from: i32, at: i32| to.saturating_add(from.saturating_sub(at));
                let to = Point::new(shifted(to.x, from.x, aim.at.x), shifted(to.y, from.y, aim.at.y));
                Self { kind: "swipe", to: Some(to), ms: ms(*over), adrift, ..facts }
            }
            Event::Pinch { percent, over, .. } => {
                Self { kind: "pinch", find: touch(), percent: *percent, ms: ms(*over), ..facts }
            }
            Event::Key { key } => Self { kind: "key", key: Some(KeyFacts::of(*key)), ..facts },
            Event::Text { text, widget } => {
                let find = widget.as_ref().and_then(named);
                let nameless = widget.is_some() && find.is_none();
                Self { kind: "text", find, nameless, text: text.clone(), ..facts }
            }
            Event::Rotate { to } => Self { kind: "rotate", orientation: word(*to), ..facts },
            Event::System(system) => match deed(system, package, API) {
                SystemDeed::Shell(shell) => Self { kind: "system", shell, ..facts },
                SystemDeed::Intent(command) => Self { kind: "system", shell: vec![command], ..facts },
                SystemDeed::Console(words) => Self { kind: "system", console: Some(words), ..facts },
            },
            Event::Wait { time } => Self { kind: "wait", ms: ms(*time), ..facts },
        }
    }
}

impl StepFacts {
    fn asks_am(&self) -> bool {
        self.shell.iter().any(|command| command.starts_with("am "))
    }

    fn is_lost(&self) -> bool {
        let touch = matches!(self.kind, "tap" | "long_tap" | "double_tap" | "swipe" | "pinch");
        (self.nameless || touch && self.find.is_none()) && self.at.is_none()
    }
}

impl CrashFacts {
    fn of(crash: &Crash) -> Self {
        Self {
            signature: crash.signature.to_string(),
            kind: crash.kind.word(),
            exception: crash.exception.clone(),
            class_regex: None,
            message: crash.message.clone(),
            frames: crash.frames.iter().map(ToString::to_string).collect(),
            words: crash.to_string(),
        }
    }

    /// All that is known when the trace only says which crash it is there to reach. Signatures have exceptions without
    /// their packages, and `Outer.Inner` for `Outer$Inner`.
    fn signed(signature: String) -> Self {
        let exception = signature.split('@').next().unwrap_or_default().to_owned();
        let kind = match &*exception {
            "ANR" => CrashKind::Anr,
            name if ONLY_IN_PAGES.contains(&name) => CrashKind::JavaScript,
            _ => CrashKind::Java,
        };
        let parts: Vec<String> = exception.split('.').map(regex).collect();
        Self {
            words: signature.clone(),
            signature,
            kind: kind.word(),
            class_regex: Some(format!(r"([^: ]*\.)?{}", parts.join(r"\$+"))),
            exception,
            message: String::new(),
            frames: Vec::new(),
        }
    }
}

impl KeyFacts {
    fn of(key: Key) -> Self {
        Self { name: key.to_string(), code: key.0, char: key.char() }
    }
}

const fn word(orientation: Orientation) -> &'static str {
    match orientation {
        Orientation::Portrait => "portrait",
        Orientation::Landscape => "landscape",
    }
}

/// Rounded up: nothing that takes time takes none.
const fn ms(time: Micros) -> u64 {
    time.0.div_ceil(1000)
}

/// `illegal_state_exception_editor_activity_add_tag` out of the signature, else the last part of the package.
fn name(signature: Option<&str>, package: &str) -> String {
    let from = match signature {
        Some(signature) => signature.rsplit_once('#').map_or(signature, |(front, _)| front),
        None => package.rsplit('.').next().unwrap_or_default(),
    };
    let mut name = String::new();
    let mut lower = false;
    for letter in from.chars().take(120) {
        if letter.is_ascii_uppercase() && lower {
            name.push('_');
        }
        lower = letter.is_ascii_lowercase() || letter.is_ascii_digit();
        if letter.is_ascii_alphanumeric() {
            name.push(letter.to_ascii_lowercase());
        } else if !name.ends_with('_') {
            name.push('_');
        }
    }
    let name = name.trim_matches('_');
    match name.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => name.to_owned(),
        _ => format!("trace_{name}"),
    }
}

/// The same as a class is called.
pub(super) fn class_name(name: &str) -> String {
    let part = |part: &str| {
        let mut letters = part.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    };
    name.split('_').map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_named_after_the_crash() {
        let of = |signature| name(Some(signature), "org.retap.notes");
        assert_eq!(
            of("IllegalStateException@EditorActivity.addTag#5cd8f2da"),
            "illegal_state_exception_editor_activity_add_tag"
        );
        assert_eq!(of("NullPointerException@Über$1.<init>#1"), "null_pointer_exception_ber_1_init");
        assert_eq!(of("@#"), "trace_");
        assert_eq!(name(None, "org.retap.notes"), "notes");
        assert_eq!(name(None, "org.1x"), "trace_1x");
        assert_eq!(class_name("add_tag_2"), "AddTag2");
    }
}
