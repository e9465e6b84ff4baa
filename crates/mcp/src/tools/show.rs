//! What a trace, a session or a suite holds, in the words and with the fields of `retap show`.

use std::path::Path;

use retap_job::overview::{JobOverview, SessionOverview, Showable, platform_near};
use retap_show::{ShownSession, ShownSuite, ShownTrace, StepRanges, TextPage};
use retap_trace::{Level, Trace};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{ToolAnswer, ToolEffect, ToolKind};
use crate::arguments::{Takes, optional, required};
use crate::call::Call;

/// Steps that are shown when none are named: a model reads every one of them. The last lead to the crash.
const FIRST_STEPS: usize = 30;
const LAST_STEPS: usize = 20;

pub(super) const TOOL: ToolKind = ToolKind {
    name: "show",
    title: "Show a trace, a session or a suite",
    about: "Shows what a trace holds (the app, the steps in words, crashes with their stacks, the confirmed rate), what the \
            folder of an exploration, a reduction or a replay says, finished or not, or which traces a suite has; and \
            which commands come next.",
    fields: &[
        required("path", Takes::Path, "night", "A trace, or the folder of a session or a suite"),
        optional(
            "steps",
            Takes::Text,
            "10-20",
            "The steps of a trace to show, counted from 1: 10-20, -20, 10-, 7, or several with commas [default: all, or the first 30 and the last 20]",
        ),
    ],
    effect: ToolEffect::Reads,
    answers,
    run,
};

/// The fields of `retap show --json`, which differ with what is shown.
fn answers() -> Map<String, Value> {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What `retap show --json` prints",
        "type": "object",
        "properties": {
            "command": { "const": "show" },
            "what": { "enum": ["trace", "session", "suite"], "description": "What is shown" },
            "of": {
                "enum": ["explore", "reduce", "suite", "replay"],
                "description": "The job of a session",
            },
            "next": {
                "type": "array",
                "items": { "type": "string" },
                "description": "Commands that come next",
            },
        },
        "required": ["command", "what"],
    });
    schema.as_object().cloned().unwrap_or_default()
}

fn run(call: &Call<'_>) -> Result<ToolAnswer, String> {
    let path = call.existing("path")?;
    let named = Showable::read(&path).map_err(|error| error.in_words())?;
    let typed = call.arguments.text("steps").map(str::parse::<StepRanges>);
    let typed = typed.transpose().map_err(|why| format!("steps: {why}"))?;
    if typed.is_some() && !matches!(named, Showable::Trace(..)) {
        return Err(format!("steps does nothing with {}; name a trace, or leave steps out", named.what()));
    }
    match &named {
        Showable::Trace(file, trace) => {
            let steps = chosen(typed, trace, file)?;
            let platform = platform_near(file);
            let (platform, level) = (platform.as_deref(), Level::Layout);
            let shown = ShownTrace { file, trace, platform, level, steps: &steps };
            answer(&shown.page(), &shown.data())
        }
        Showable::Session(session) => {
            stays_inside(call, session)?;
            let shown = ShownSession(session);
            answer(&shown.page(), &shown.data())
        }
        Showable::Suite(manifest) => {
            for entry in &manifest.traces {
                call.inside("path", &path.join(&entry.file))?;
            }
            let damage = manifest.damage(&path);
            let shown = ShownSuite { folder: &path, manifest, damage: &damage };
            answer(&shown.page(), &shown.data())
        }
    }
}

/// The steps that were asked for, or the first.
fn chosen(typed: Option<StepRanges>, trace: &Trace, path: &Path) -> Result<StepRanges, String> {
    let total = trace.steps.len();
    let Some(steps) = typed else {
        return match total {
            _ if total <= FIRST_STEPS + LAST_STEPS => Ok(StepRanges::default()),
            _ => format!("-{FIRST_STEPS},{}-", total - LAST_STEPS + 1).parse(),
        };
    };
    match steps.beyond(total) {
        Some(beyond) => {
            Err(format!("steps {beyond}: {} has {}", path.display(), super::count(total, "step")))
        }
        None => Ok(steps),
    }
}

/// Refuses a session whose files are links that lead out of the server's folder.
fn stays_inside(call: &Call<'_>, session: &SessionOverview) -> Result<(), String> {
    let check = |file: &Path| call.inside("path", file);
    match &session.job {
        JobOverview::Explore(explored) => {
            for crash in &explored.crashes {
                check(&crash.trace)?;
                crash.segments.iter().try_for_each(|file| check(file))?;
            }
            Ok(())
        }
        JobOverview::Reduce(reduced) => {
            reduced.trace.iter().chain(&reduced.changed).try_for_each(|file| check(file))
        }
        JobOverview::Suite(_) | JobOverview::Replay(_) => Ok(()),
    }
}

fn answer(page: &TextPage, data: &impl Serialize) -> Result<ToolAnswer, String> {
    ToolAnswer::new(vec![page.plain()], data)
}
