//! What many reductions come to: means, shares and tables.

use serde::Serialize;

use super::kept::Done;
use super::limit;
use super::subject::NEEDED;
use super::tool::Tool;
use super::variant::Variant;
use crate::table;

/// An answer is good when its exact rate is at least 0.9; sums of floats may fall short of it by a little.
const GOOD: f64 = 0.8999;

/// What one tool did with one group of subjects.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Mean {
    pub(super) jobs: usize,
    /// Reductions without an answer, or with one that never reaches the target.
    pub(super) failures: usize,
    /// Reductions that took too long; some tools then have an answer nevertheless, their best so far.
    pub(super) stopped: usize,
    /// Of the answers that reach the target at all, like the rate.
    pub(super) length: Option<f64>,
    pub(super) rate: Option<f64>,
    /// Of all reductions, like what follows.
    pub(super) runs: f64,
    pub(super) executed: f64,
    /// Answers that hold at least 9 times in 10, of all reductions.
    pub(super) share: f64,
    /// Lines of the answers that the tool has changed.
    pub(super) changed: f64,
    pub(super) seconds: f64,
}

/// A tool and what it did.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Row {
    #[serde(serialize_with = "name")]
    pub(super) tool: Tool,
    #[serde(flatten)]
    pub(super) mean: Mean,
    /// Of lists: the same by how many events are needed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) by_needed: Vec<ByNeeded>,
}

#[derive(Debug, Clone, Serialize)]
pub(super) struct ByNeeded {
    pub(super) needed: usize,
    #[serde(flatten)]
    pub(super) mean: Mean,
}

/// A table: a variant, and the length of the lists.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Group {
    #[serde(serialize_with = "variant")]
    pub(super) variant: Variant,
    pub(super) list_length: Option<usize>,
    /// The fewest runs that can do, for each number of needed events.
    pub(super) limits: Vec<f64>,
    pub(super) rows: Vec<Row>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn name<S: serde::Serializer>(tool: &Tool, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(tool.name())
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn variant<S: serde::Serializer>(variant: &Variant, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(variant.name())
}

impl Mean {
    /// Of at least one reduction.
    #[expect(clippy::cast_precision_loss, reason = "means")]
    pub(super) fn of(all: &[&Done]) -> Option<Self> {
        let jobs = all.len();
        let over_all = |of: &dyn Fn(&Done) -> f64| all.iter().map(|done| of(done)).sum::<f64>() / jobs as f64;
        let answers: Vec<(u64, f64)> = all.iter().filter_map(|done| done.answer()).collect();
        let over_answers = |of: &dyn Fn(&(u64, f64)) -> f64| {
            (!answers.is_empty()).then(|| answers.iter().map(of).sum::<f64>() / answers.len() as f64)
        };
        (jobs > 0).then(|| Self {
            jobs,
            failures: jobs - answers.len(),
            stopped: all.iter().filter(|done| done.was_stopped()).count(),
            length: over_answers(&|answer| answer.0 as f64),
            rate: over_answers(&|answer| answer.1),
            runs: over_all(&|done| done.runs as f64),
            executed: over_all(&|done| done.executed as f64),
            share: answers.iter().filter(|answer| answer.1 >= GOOD).count() as f64 / jobs as f64,
            changed: over_all(&|done| done.changed as f64),
            seconds: over_all(&|done| done.seconds),
        })
    }
}

impl Group {
    /// What all tools did with the traces of a variant, or with its lists of a length.
    pub(super) fn of(variant: Variant, length: Option<usize>, tools: &[Tool], done: &[Done]) -> Self {
        let of = |tool: Tool, needed: Option<usize>| {
            let model = |done: &Done| match (length, needed) {
                (Some(length), Some(needed)) => done.key.model == format!("list-{length}-{needed}"),
                (Some(length), None) => done.key.model.starts_with(&format!("list-{length}-")),
                (None, _) => true,
            };
            let mine = done.iter().filter(|done| {
                done.key.variant == variant.name() && done.key.tool == tool.name() && model(done)
            });
            Mean::of(&mine.collect::<Vec<_>>())
        };
        let row = |&tool: &Tool| {
            let needed = if length.is_some() { &NEEDED[..] } else { &[] };
            let by_needed = needed
                .iter()
                .filter_map(|&needed| of(tool, Some(needed)).map(|mean| ByNeeded { needed, mean }));
            of(tool, None).map(|mean| Row { tool, mean, by_needed: by_needed.collect() })
        };
        let rate = variant.flaws().rate;
        let limits = length.map_or(Vec::new(), |length| {
            NEEDED.iter().map(|&needed| limit::runs(length, needed, rate)).collect()
        });
        Self { variant, list_length: length, limits, rows: tools.iter().filter_map(row).collect() }
    }

    /// The title of its table and of its part of the picture.
    pub(super) fn title(&self) -> String {
        let lines = self
            .list_length
            .map_or_else(String::new, |length| format!(", {} events", table::thousands(length as u64)));
        format!("{}{lines}", self.variant.name())
    }

    pub(super) fn print(&self) {
        table::say(&format!("\n{}: {}", self.title(), self.variant.words()));
        let lists = self.list_length.is_some();
        let mut head = vec!["tool", "length", "runs"];
        if lists {
            head.extend(["k=1", "k=3", "k=10", "k=25"]);
        }
        head.extend(["executed", "rate", "share", "failed", "of"]);
        let mut rows: Vec<Vec<String>> = self.rows.iter().map(|row| row.cells(lists)).collect();
        if lists {
            let mut cells = vec!["limit".to_owned(), String::new(), mean(&self.limits)];
            cells.extend(self.limits.iter().map(|limit| format!("{limit:.0}")));
            cells.resize(head.len(), String::new());
            rows.push(cells);
        }
        table::print(&head, &rows);
        for row in self.rows.iter().filter(|row| row.mean.stopped > 0) {
            let Mean { stopped, jobs, .. } = row.mean;
            let answer =
                if row.tool.keeps_its_best() { "its best so far counts" } else { "it has no answer" };
            let tool = row.tool.name();
            table::say(&format!(
                "{tool} was stopped in {stopped} of {jobs} when its time was over; {answer}"
            ));
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "four of them")]
fn mean(numbers: &[f64]) -> String {
    format!("{:.0}", numbers.iter().sum::<f64>() / numbers.len() as f64)
}

impl Row {
    fn cells(&self, lists: bool) -> Vec<String> {
        let maybe = |known: Option<f64>, digits: usize| {
            known.map_or_else(|| "-".to_owned(), |number| format!("{number:.digits$}"))
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rounded count")]
        let whole = |number: f64| table::thousands(number.round() as u64);
        let mean = &self.mean;
        let mut cells = vec![self.tool.name().to_owned(), maybe(mean.length, 2), whole(mean.runs)];
        if lists {
            cells.extend(NEEDED.iter().map(|&needed| {
                let found = self.by_needed.iter().find(|part| part.needed == needed);
                found.map_or_else(|| "-".to_owned(), |part| whole(part.mean.runs))
            }));
        }
        cells.extend([
            whole(mean.executed),
            maybe(mean.rate, 3),
            format!("{:.3}", mean.share),
            mean.failures.to_string(),
            mean.jobs.to_string(),
        ]);
        cells
    }
}
