//! A trace as a test of another tool.

use std::path::{Path, PathBuf};

use retap_formats::{Expect, Export, export_file, exporter};
use retap_job::{textfile, tracefile};
use schemars::JsonSchema;
use serde::Serialize;

use super::{EXPORTER, ToolAnswer, ToolEffect, ToolKind, answer, noted};
use crate::arguments::{NameTable, Takes, optional, required};
use crate::call::Call;

const EXPECT: NameTable = NameTable {
    of: "expectation",
    names: || {
        vec![("no-crash", "fails while the crash is there"), ("crash", "passes while the crash is there")]
    },
};

pub(super) const TOOL: ToolKind = ToolKind {
    name: "export",
    title: "Write a trace down as a test",
    about: "Writes a trace, such as a reduced one, down as a test of another tool (Maestro, Appium, WebdriverIO, UI Automator, \
            Espresso, adb, Monkey) or as steps in words for a bug report. Answers with the text of the test.",
    fields: &[
        required(
            "trace",
            Takes::Path,
            "reduced/reduced.trace.jsonl",
            "The trace, or the folder of a reduction",
        ),
        required("as", Takes::Name(EXPORTER), "maestro", "The tool that the test is for"),
        optional(
            "expect",
            Takes::Name(EXPECT),
            "no-crash",
            "What the test expects of the app [default: no-crash]",
        ),
        optional("out", Takes::Path, "tests", "Also write the test to a file in this folder"),
    ],
    effect: ToolEffect::Writes,
    answers: answer::<ExportAnswer>,
    run,
};

/// The result of `retap export --json`.
#[derive(Serialize, JsonSchema)]
pub(super) struct ExportAnswer {
    /// Always `export`.
    command: &'static str,
    /// The tool.
    #[serde(rename = "as")]
    tool: &'static str,
    /// Where it was written, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<PathBuf>,
    /// The test.
    pub(super) text: String,
    /// What the test cannot do.
    warnings: Vec<String>,
}

fn run(call: &Call<'_>) -> Result<ToolAnswer, String> {
    let given = &call.arguments;
    let trace = call.the_trace("trace")?;
    let (tool, folder) = (given.text("as").unwrap_or_default(), call.path("out")?);
    let test = exported(&trace, tool, given.text("expect"), folder.as_deref())?;
    let about = match &test.file {
        Some(file) => format!("saved: {}", file.display()),
        None => {
            format!("{} as {}:", trace.display(), exporter(test.tool).map_or(test.tool, |tool| tool.about))
        }
    };
    ToolAnswer::new(vec![about + &noted(&test.warnings), test.text.clone()], &test)
}

/// A trace as a test, in a file of this folder where one is given.
pub(super) fn exported(
    trace: &Path,
    tool: &str,
    expect: Option<&str>,
    folder: Option<&Path>,
) -> Result<ExportAnswer, String> {
    let tool = exporter(tool).ok_or_else(|| format!("as: there is no exporter '{tool}'"))?;
    let read = tracefile::read(trace).map_err(|error| error.in_words())?;
    let expect = if expect == Some("crash") { Expect::Crash } else { Expect::NoCrash };
    let test = export_file(tool, trace, &Export { trace: &read, expect, template: None })
        .map_err(|error| format!("{}: {error}", trace.display()))?;
    let file = folder.map(|folder| folder.join(tool.file_name(trace, &read)));
    if let Some(file) = &file {
        if textfile::is_other(file, &test.text) {
            return Err(format!(
                "out: {} has other content; move it away or name another folder",
                file.display()
            ));
        }
        textfile::write(file, &test.text, tool.is_program())
            .map_err(|error| format!("out: {}", error.in_words()))?;
    }
    Ok(ExportAnswer { command: "export", tool: tool.name, file, text: test.text, warnings: test.warnings })
}
