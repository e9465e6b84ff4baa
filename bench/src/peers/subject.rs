//! What is reduced: the published traces of SimplyDroid, and lists with needed events at random places.

use std::path::Path;

use anyhow::{Context as _, ensure};
use retap_trace::{
    Aim, Event, Extra, Header, Key, Micros, Point, Seed, Seen, Start, Step, Trace, TraceWriter,
};
use serde_json::{Map, Value};

use super::model::App;
use super::variant::Variant;
use crate::simplydroid::csv;

/// How many events of a list are needed.
pub(super) const NEEDED: [usize; 4] = [1, 3, 10, 25];
/// How long lists are.
pub(super) const LENGTHS: [usize; 3] = [500, 5_000, 50_000];
/// The field of a step with the line that it has in the plain list.
pub(super) const FIELD: &str = "x_line";

/// Something to reduce.
#[derive(Debug, Clone)]
pub(super) struct Subject {
    pub(super) name: String,
    pub(super) app: App,
    /// One a event; each begins with its number, so no two are the same.
    pub(super) lines: Vec<String>,
    /// The activity before each event, of a recorded trace.
    pub(super) activities: Option<Vec<String>>,
}

/// What a job names as its subject, without the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// One of the published traces, by its place among them.
    Trace(usize),
    /// A list of this length, with so many needed.
    List(usize, usize),
}

impl Subject {
    /// The published traces, in the order of `hierarchy_parents.csv`.
    pub(super) fn published(data: &Path) -> anyhow::Result<Vec<Self>> {
        let table = data.join("hierarchy_parents.csv");
        let rows = csv(&table)?;
        ensure!(!rows.is_empty(), "{} has no rows", table.display());
        let cell = |row: &std::collections::BTreeMap<String, String>, name: &str| {
            row.get(name).cloned().with_context(|| format!("{} has no column {name}", table.display()))
        };
        rows.iter()
            .map(|row| {
                let folder =
                    data.join("traces").join(cell(row, "repo_dir")?).join(cell(row, "no_in_subject")?);
                let events = cell(row, "events")?.parse()?;
                let name = format!("simplydroid-{}", cell(row, "trace_no")?);
                Self::recorded(name, &folder, events).with_context(|| folder.display().to_string())
            })
            .collect()
    }

    fn recorded(name: String, folder: &Path, events: usize) -> anyhow::Result<Self> {
        let read =
            |file: &str| std::fs::read(folder.join(file)).with_context(|| format!("cannot read {file}"));
        let script = String::from_utf8_lossy(&read("script.log")?).into_owned();
        let mut activities = activities(&String::from_utf8_lossy(&read("execute.log")?));
        let script: Vec<&str> = script.lines().skip(5).filter(|line| !line.trim().is_empty()).collect();
        ensure!(
            events > 0 && script.len() >= events && activities.len() >= events,
            "fewer than {events} events"
        );
        activities.truncate(events);
        let mut names: Vec<&str> = activities.iter().map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        let number = |name: &String| names.binary_search(&name.as_str()).expect("it is one of them");
        let numbers = activities.iter().map(|name| u32::try_from(number(name)).expect("few activities"));
        let app = App::Activities(numbers.collect());
        let script = (1..).zip(&script[..events]);
        let lines = script.map(|(number, line)| format!("{number} {}", line.trim_end())).collect();
        Ok(Self { name, app, lines, activities: Some(activities) })
    }

    /// A list of so many events, some of them needed.
    pub(super) fn list(length: usize, needed: usize, seed: Seed) -> Self {
        let mut dice = seed.branch("list", length as u64).branch("needed", needed as u64).dice();
        let mut places: Vec<usize> = (0..length).collect();
        dice.shuffle(&mut places);
        let mut is_needed = vec![false; length];
        places.iter().take(needed).for_each(|&place| is_needed[place] = true);
        let lines = (1..=length)
            .map(|number| format!("{number} Tap({}.0, {}.0, 0)", dice.below(480), dice.below(854)))
            .collect();
        let name = Kind::List(length, needed).name(&[]);
        Self { name, app: App::Needed(is_needed), lines, activities: None }
    }

    /// The plain list.
    pub(super) fn text(&self) -> String {
        self.lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
    }

    /// The same as a trace that has recorded its activities as states.
    pub(super) fn trace(&self) -> Option<anyhow::Result<Vec<u8>>> {
        let activities = self.activities.as_ref()?;
        let seen = |place: usize| Seen::activity(activities[place.min(activities.len() - 1)].clone());
        let step = |(place, line): (usize, &String)| Step {
            before: Some(seen(place)),
            after: Some(seen(place + 1)),
            extra: Extra(Some(Box::new(Map::from_iter([(FIELD.to_owned(), Value::from(line.clone()))])))),
            ..Step::new(event(line))
        };
        let header = Header { start: Start::Stopped, ..Header::new("model") };
        let trace = Trace { header, steps: self.lines.iter().enumerate().map(step).collect() };
        Some(write(&trace))
    }
}

fn write(trace: &Trace) -> anyhow::Result<Vec<u8>> {
    let mut text = Vec::new();
    let mut writer = TraceWriter::new(&mut text, &trace.header)?;
    trace.steps.iter().try_for_each(|step| writer.step(step))?;
    writer.finish()?;
    Ok(text)
}

/// The event that a line of Monkey's script tells of, after its number.
fn event(line: &str) -> Event {
    let (_, call) = line.split_once(' ').unwrap_or(("", line));
    let (verb, arguments) = call.split_once('(').unwrap_or((call, ""));
    #[expect(clippy::cast_possible_truncation, reason = "pixels")]
    let numbers: Vec<i32> = arguments
        .trim_end_matches([')', ' '])
        .split(',')
        .filter_map(|word| word.trim().parse::<f64>().ok())
        .map(|number| number.round() as i32)
        .collect();
    match (verb, &*numbers) {
        ("LaunchActivity", _) => Event::Launch,
        ("Drag", &[x, y, to_x, to_y, ..]) => Event::Swipe {
            aim: Aim::place(Point::new(x, y)),
            to: Point::new(to_x, to_y),
            over: Micros::from_millis(200),
        },
        ("DispatchPress", &[code]) => Event::key(Key(u16::try_from(code).unwrap_or_default())),
        (_, &[x, y, ..]) => Event::tap(x, y),
        _ => Event::tap(0, 0),
    }
}

/// The activity before each event: the one on the last line before the event's throttle line.
fn activities(log: &str) -> Vec<String> {
    let mut activities = Vec::new();
    let mut last = None;
    for line in log.lines().filter(|line| !line.starts_with("// ")) {
        let fields: Vec<&str> = line.split(';').collect();
        let [_, kind, _, activity, ..] = fields[..] else { continue };
        if kind == "MonkeyThrottleEvent" {
            activities.push(last.take().unwrap_or(activity).to_owned());
        } else {
            last = Some(activity);
        }
    }
    activities
}

impl Kind {
    /// What is reduced under a variant: so many traces, taken evenly, or the lists up to a length.
    pub(super) fn all(variant: Variant, published: usize, traces: usize, longest: usize) -> Vec<Self> {
        if variant.is_of_traces() {
            let traces = traces.min(published);
            return (0..traces).map(|nth| Self::Trace(nth * published / traces)).collect();
        }
        let lengths = LENGTHS.into_iter().filter(|&length| length <= longest);
        lengths.flat_map(|length| NEEDED.map(|needed| Self::List(length, needed))).collect()
    }

    /// Its name in kept results.
    pub(super) fn name(self, published: &[Subject]) -> String {
        match self {
            Self::Trace(place) => published[place].name.clone(),
            Self::List(length, needed) => format!("list-{length}-{needed}"),
        }
    }
}
