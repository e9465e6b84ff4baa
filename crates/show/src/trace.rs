//! A trace: what its header says, its steps in words, its crash, and what to do with it.

use std::path::Path;

use retap_lab::short_name;
use retap_reduce::Tally;
use retap_trace::{
    ConfirmedRate, Crash, Event, Header, Level, Micros, Seen, Size, Start, StateKey, Step, Target, Trace,
};
use serde::Serialize;
use unicode_width::UnicodeWidthStr as _;

use crate::page::{TextLine, TextPage, Tone};
use crate::steps::StepRanges;
use crate::words::{count, path, rate};
use crate::{again, crash};

/// Digits of a state's key that tell it from others on a page.
const DIGITS: usize = 8;
/// So many equal steps in a row, or more, take one line.
const FOLDED: usize = 3;

/// What is said in the place of a claim that does not fit.
pub(crate) const CHANGED: &str = "none: the trace was changed since it was confirmed";

/// A trace to be shown.
#[derive(Debug, Clone, Copy)]
pub struct ShownTrace<'a> {
    /// Its file, as it was named.
    pub file: &'a Path,
    /// The trace, whole.
    pub trace: &'a Trace,
    /// What the devices are that it was recorded on, where that is known.
    pub platform: Option<&'a str>,
    /// The level at which states are told apart.
    pub level: Level,
    /// The steps that are shown.
    pub steps: &'a StepRanges,
}

/// A trace as data.
#[derive(Debug, Serialize)]
pub struct TraceData<'a> {
    command: &'static str,
    what: &'static str,
    file: &'a Path,
    header: &'a Header,
    #[serde(skip_serializing_if = "Option::is_none")]
    platform: Option<&'a str>,
    level: Level,
    /// Whether the claim of its header is of other steps or another target.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    changed: bool,
    total: usize,
    steps: Vec<StepData<'a>>,
    next: Vec<String>,
}

/// A step as data.
#[derive(Debug, Serialize)]
struct StepData<'a> {
    number: usize,
    words: String,
    event: &'a Event,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<Micros>,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<StateData<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<StateData<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    crash: Option<&'a Crash>,
}

#[derive(Debug, Serialize)]
struct StateData<'a> {
    activity: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<StateKey>,
}

/// Equal steps in a row, as they stand in a line.
struct Row<'a> {
    /// The numbers of the first and the last.
    numbers: (usize, usize),
    at: Option<String>,
    state: String,
    event: &'a Event,
    crash: Option<&'a Crash>,
}

impl<'a> ShownTrace<'a> {
    /// For people.
    pub fn page(&self) -> TextPage {
        let mut page = TextPage::new();
        let steps = count(self.trace.steps.len(), "step");
        let line = TextLine::new().text("trace ").toned(Tone::Strong, path(self.file));
        page.add(line.text(format!(": {steps}")).hanging(2));
        for (name, value) in facts(self.trace, self.platform) {
            page.fact(name, value);
        }
        page.gap();
        self.table(&mut page);
        again::next(&mut page, &self.next());
        page
    }

    /// For programs.
    pub fn data(&self) -> TraceData<'a> {
        let level = self.level;
        let step = |(number, step): (usize, &'a Step)| StepData {
            number,
            words: step.event.to_string(),
            event: &step.event,
            at: step.at,
            before: step.before.as_ref().map(|seen| StateData::of(seen, level)),
            after: step.after.as_ref().map(|seen| StateData::of(seen, level)),
            crash: step.crash.as_ref(),
        };
        TraceData {
            command: "show",
            what: "trace",
            file: self.file,
            header: &self.trace.header,
            platform: self.platform,
            level,
            changed: self.trace.is_changed(),
            total: self.trace.steps.len(),
            steps: self.chosen().map(step).collect(),
            next: self.next().into_iter().map(|(command, _)| command).collect(),
        }
    }

    fn chosen(&self) -> impl Iterator<Item = (usize, &'a Step)> {
        let steps = self.steps;
        (1..).zip(&self.trace.steps).filter(move |(number, _)| steps.have(*number))
    }

    /// The steps in lines, with times and states where they were recorded.
    fn table(&self, page: &mut TextPage) {
        let rows = self.rows();
        let Some(last) = rows.last() else {
            page.say(match self.trace.header.start {
                Start::Launched => "no steps: the app is started, and nothing else is done",
                Start::Stopped => "no steps: the app is not even started",
            });
            if let Some(known) = &self.trace.header.crash {
                page.add(crash::named(known, 2));
                crash::stack(page, known, 4);
            }
            return;
        };
        let most = last.numbers.1.to_string().len();
        let folded = rows.iter().any(|row| row.numbers.0 < row.numbers.1);
        let number = if folded { 2 * most + 1 } else { most };
        let state = rows.iter().map(|row| row.state.width()).max().unwrap_or(0);
        let time = rows.iter().filter_map(|row| row.at.as_ref()).map(String::len).max().unwrap_or(0);
        let mut shown = 0;
        for row in &rows {
            if row.numbers.0 > shown + 1 {
                let left_out = count(row.numbers.0 - shown - 1, "step");
                page.add(
                    TextLine::new().toned(Tone::Faint, format!("  {:number$}  ... {left_out} not shown", "")),
                );
            }
            shown = row.numbers.1;
            row.lines(page, Columns { number, time, state });
        }
        let (more, after) = (self.trace.steps.len() - shown, &self.trace.steps[shown - 1].after);
        if more > 0 {
            let more = count(more, "step");
            page.add(TextLine::new().toned(Tone::Faint, format!("  {:number$}  ... {more} not shown", "")));
        } else if let (Some(after), None) = (after, last.crash) {
            let line = TextLine::new().toned(Tone::Faint, format!("  {:number$}  then ", ""));
            page.add(line.text(state_of(after, self.level)));
        }
    }

    /// The chosen steps, equal ones in a row as one.
    fn rows(&self) -> Vec<Row<'a>> {
        let mut rows: Vec<Row<'a>> = Vec::new();
        let mut equal: Vec<Row<'a>> = Vec::new();
        for (number, step) in self.chosen() {
            let row = Row::of(number, step, self.level);
            if !equal.last().is_some_and(|last| last.goes_on_with(&row)) {
                fold(&mut rows, &mut equal);
            }
            equal.push(row);
        }
        fold(&mut rows, &mut equal);
        rows
    }

    /// What can be done with it.
    fn next(&self) -> Vec<(String, &'static str)> {
        // What was read from stdin is not there once more.
        if self.file.as_os_str() == "-" {
            return Vec::new();
        }
        let Trace { header, steps } = self.trace;
        let mut to = String::new();
        if header.target.is_none() && self.trace.crash().is_none() {
            let last = steps.iter().rev().find_map(|step| step.after.as_ref().or(step.before.as_ref()));
            let Some(last) = last else { return Vec::new() };
            to = format!(" --to {}", crate::quoted(&format!("activity:{}", short_name(&last.activity))));
        }
        let judged = matches!(header.target, Some(Target::Command(_)));
        if header.device.is_none() && !judged {
            to.push_str(" --device DEVICE");
        }
        let replay = (again::replay(self.file) + &to, "how often it gets there, as it is");
        let export = (again::export(self.file), "for a bug report; --as maestro, appium, ... for a test");
        match self.trace.claim() {
            _ if judged => Vec::new(),
            Some(_) => vec![export, replay],
            None => vec![(again::reduce(self.file) + &to, "the fewest steps that get there"), replay, export],
        }
    }
}

impl<'a> StateData<'a> {
    fn of(seen: &'a Seen, level: Level) -> Self {
        let key = seen.key(level).filter(|_| level != Level::Activity);
        Self { activity: &seen.activity, key }
    }
}

/// A state by its activity and the first digits of its key.
fn state_of(seen: &Seen, level: Level) -> String {
    let activity = short_name(&seen.activity);
    match seen.key(level).filter(|_| level != Level::Activity) {
        Some(key) => format!("{activity} {}", &key.to_string()[..DIGITS]),
        None => activity.to_owned(),
    }
}

fn fold<'a>(rows: &mut Vec<Row<'a>>, equal: &mut Vec<Row<'a>>) {
    if equal.len() < FOLDED {
        rows.append(equal);
        return;
    }
    let last = equal.last().map_or(0, |row| row.numbers.1);
    let mut first = equal.swap_remove(0);
    first.numbers.1 = last;
    rows.push(first);
    equal.clear();
}

/// How wide the columns of a table are.
#[derive(Clone, Copy)]
struct Columns {
    number: usize,
    time: usize,
    state: usize,
}

impl<'a> Row<'a> {
    fn of(number: usize, step: &'a Step, level: Level) -> Self {
        Self {
            numbers: (number, number),
            at: step.at.map(|at| format!("{:.1} s", at.as_secs_f64())),
            state: retap_trace::harmless(
                &step.before.as_ref().map_or_else(String::new, |seen| state_of(seen, level)),
            ),
            event: &step.event,
            crash: step.crash.as_ref(),
        }
    }

    /// Whether the next step is the same, in the same state. Widgets with the same words may be different ones.
    fn goes_on_with(&self, next: &Self) -> bool {
        let adjacent = self.numbers.1 + 1 == next.numbers.0;
        adjacent
            && self.crash.is_none()
            && next.crash.is_none()
            && self.event == next.event
            && self.state == next.state
    }

    fn lines(&self, page: &mut TextPage, columns: Columns) {
        let (first, last) = self.numbers;
        let numbers = if first == last { format!("{first}.") } else { format!("{first}-{last}.") };
        let mut line =
            TextLine::new().toned(Tone::Faint, format!("  {numbers:>width$} ", width = columns.number + 1));
        let mut hang = columns.number + 4;
        if columns.time > 0 {
            let at = self.at.as_deref().unwrap_or_default();
            line = line.toned(Tone::Faint, format!("{at:>width$}  ", width = columns.time));
            hang += columns.time + 2;
        }
        if columns.state > 0 {
            let space = " ".repeat(columns.state - self.state.width() + 2);
            line = line.text(&self.state).text(space);
            hang += columns.state + 2;
        }
        line = line.toned(Tone::Strong, self.event.to_string());
        if first < last {
            line = line.toned(Tone::Faint, format!("  ({} times)", last - first + 1));
        }
        page.add(line.hanging(hang));
        if let Some(crash) = self.crash {
            page.add(crash::named(crash, columns.number + 4));
            crash::stack(page, crash, columns.number + 6);
        }
    }
}

/// The facts of a header, by their names.
pub(crate) fn facts(trace: &Trace, platform: Option<&str>) -> Vec<(&'static str, String)> {
    let header = &trace.header;
    let changed = trace.is_changed().then(|| CHANGED.to_owned());
    let build = header.app.build.as_ref().map(|build| format!(", build {build}")).unwrap_or_default();
    let screen = |screen: Size| format!("{} x {}", screen.width, screen.height);
    let start = match header.start {
        Start::Launched => "the app is freshly installed and launched",
        Start::Stopped if trace.events().any(|event| *event == Event::Launch) => {
            "the app is freshly installed, and a step launches it"
        }
        Start::Stopped => "the app is freshly installed, and no step launches it",
    };
    let facts = [
        ("app", Some(format!("{}{build}", header.app.package))),
        ("device", header.device.clone()),
        ("platform", header.platform.clone().or_else(|| platform.map(str::to_owned))),
        ("screen", header.screen.map(screen)),
        ("start", Some(start.to_owned())),
        ("target", header.target.as_ref().map(ToString::to_string)),
        ("claim", changed.or_else(|| trace.claim().map(claim))),
        ("seed", header.seed.map(|seed| seed.to_string())),
        ("note", header.note.clone()),
    ];
    facts.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

/// What was confirmed of a reduced trace.
fn claim(claim: ConfirmedRate) -> String {
    let ConfirmedRate { reached, runs, before, .. } = claim;
    let tally = Tally::new(reached, runs.saturating_sub(reached));
    format!("fresh runs reached the target {}; it had {before} events before", rate(tally))
}
