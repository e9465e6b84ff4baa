//! `retap export`: a trace as a test of another tool.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, ensure};
use retap_formats::{EXPORTERS, Expect, Export, ExportError, Exporter, at_line, export_file, exporter};
use retap_job::reduce::answer_in;
use retap_job::textfile;
use serde::Serialize;

use super::Context;
use super::same_file::is_same_file;
use crate::args::{Expected, ExportArgs};
use crate::exit::Exit;
use crate::output::{commands_github, print_data, print_json, warn};

#[derive(Serialize)]
struct ExportResult<'a> {
    command: &'static str,
    #[serde(rename = "as")]
    tool: &'static str,
    /// Where it was written, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a Path>,
    text: &'a str,
    warnings: &'a [String],
}

/// Writes the test to stdout, or into the folder that was named.
pub(super) fn run(args: &ExportArgs, context: &Context) -> anyhow::Result<Exit> {
    let tool = exporter(&args.tool).ok_or_else(|| unknown_tool(&args.tool))?;
    let file = answer_in(&args.trace)?.unwrap_or_else(|| args.trace.clone());
    let trace = context.interrupt.ends(|| super::trace_in(&file))?;
    let template = args.templates.as_deref().map(|folder| template(folder, tool)).transpose()?.flatten();
    let expect = match args.expect {
        Expected::NoCrash => Expect::NoCrash,
        Expected::Crash => Expect::Crash,
    };
    let exported = export_file(tool, &file, &Export { trace: &trace, expect, template: template.as_deref() })
        .map_err(|error| in_words(&error, &file, args.templates.as_deref()))?;
    exported.warnings.iter().for_each(warn);
    let written = context.out().map(|folder| folder.join(tool.file_name(&file, &trace)));
    if let Some(written) = &written {
        ensure!(
            !is_same_file(written, &file),
            "{} is the trace itself; name another folder with --out",
            written.display()
        );
        super::keep_other(written, &exported.text, args.force)?;
        textfile::write(written, &exported.text, tool.is_program())?;
    }
    match &written {
        _ if context.output.is_for_programs() => {
            let (text, warnings) = (exported.text.as_str(), exported.warnings.as_slice());
            let file = written.as_deref();
            let result = ExportResult { command: "export", tool: tool.name, file, text, warnings };
            print_json(&serde_json::to_string(&result)?)?;
        }
        Some(file) => context.output.say(format!("saved: {}", file.display())),
        None => {
            // With other words in it, it would be another test.
            ensure!(
                !commands_github(&exported.text),
                "{}: GitHub would take text of this test for a command of the workflow; write the test into a folder with \
                 --out, or print it with --json",
                file.display()
            );
            print_data(exported.text.trim_end_matches('\n'))?;
        }
    }
    Ok(Exit::Done)
}

fn unknown_tool(name: &str) -> anyhow::Error {
    let names: Vec<&str> = EXPORTERS.iter().map(|exporter| exporter.name).collect();
    anyhow!("--as: {}", retap_trace::unknown("tool", name, &names))
}

/// The user's template for a tool, where the folder has one.
fn template(folder: &Path, tool: &Exporter) -> anyhow::Result<Option<String>> {
    let file = template_file(folder, tool.name);
    ensure!(folder.is_dir(), "--templates: {} is not a folder", folder.display());
    if !file.exists() {
        return Ok(None);
    }
    std::fs::read_to_string(&file)
        .with_context(|| format!("cannot read the template {}", file.display()))
        .map(Some)
}

fn template_file(folder: &Path, tool: &str) -> PathBuf {
    folder.join(format!("{tool}.jinja"))
}

/// With the file that is wrong: the user's template, or the trace.
fn in_words(error: &ExportError, file: &Path, templates: Option<&Path>) -> anyhow::Error {
    match (error, templates) {
        (ExportError::Template { exporter, line, why }, Some(folder)) => {
            anyhow!("{}{}: {why}", template_file(folder, exporter).display(), at_line(*line))
        }
        _ => anyhow!("{}: {error}", file.display()),
    }
}
