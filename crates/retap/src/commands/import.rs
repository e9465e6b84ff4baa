//! `retap import`: a recording of another tool as a trace.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use retap_formats::{
    FileProblem, FilesBeside, ImportInput, ImportOptions, Imported, LARGEST, NoFilesBeside, Skipped, import,
};
use retap_job::tracefile;
use retap_trace::{Target, TraceWriter};
use serde::Serialize;

use super::Context;
use super::same_file::is_same_file;
use crate::args::ImportArgs;
use crate::devices;
use crate::exit::Exit;
use crate::output::{count, print_json, warn};

#[derive(Serialize)]
struct ImportResult<'a> {
    command: &'static str,
    from: &'static str,
    /// By what that is known, when it was guessed.
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<&'static str>,
    app: &'a str,
    events: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<&'a Target>,
    skipped: &'a [Skipped],
    notes: &'a [String],
    /// Where it was written, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a Path>,
    /// The trace, if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
}

/// Writes the trace to stdout, or into the folder that was named.
pub(super) fn run(args: &ImportArgs, context: &Context) -> anyhow::Result<Exit> {
    if let Some(command @ Target::Command(_)) = &args.to {
        bail!(
            "--to {command}: a command judges files, and a trace is run on a device; say what a run must reach, such as \
             --to crash"
        );
    }
    if let Some(spec) = &args.device {
        devices::check_scheme(spec)?;
    }
    let imported =
        context.interrupt.ends(|| read(args)).with_context(|| args.recording.display().to_string())?;
    let trace = &imported.trace;
    if let Some(spec) = &args.device {
        devices::check_app(&trace.header, &args.recording, spec)?;
    }
    say(&imported, context);
    let file = context.out().map(|folder| write(folder, args, &imported)).transpose()?;
    let text = if file.is_none() { Some(in_lines(&imported)?) } else { None };
    if context.output.is_for_programs() {
        let result = ImportResult {
            command: "import",
            from: imported.from,
            because: imported.because,
            app: &trace.header.app.package,
            events: trace.steps.len(),
            target: trace.header.target.as_ref(),
            skipped: &imported.skipped,
            notes: &imported.notes,
            file: file.as_deref(),
            text: text.as_deref(),
        };
        print_json(&serde_json::to_string(&result)?)?;
    } else if let Some(text) = &text {
        print_json(text.trim_end_matches('\n'))?;
    }
    if let Some(file) = &file {
        context.output.say(format!("saved: {}", file.display()));
        context.output.say(format!("  {}", next(file, &imported)));
    }
    Ok(Exit::Done)
}

fn read(args: &ImportArgs) -> anyhow::Result<Imported> {
    let options = ImportOptions {
        app: args.app.clone(),
        device: args.device.clone(),
        screen: args.screen,
        axes: args.axes,
        target: args.to.clone(),
    };
    let from = args.from.as_deref();
    let recording = &args.recording;
    if recording.as_os_str() == "-" {
        let bytes = limited(io::stdin().lock()).context("cannot be read")?;
        return Ok(import(from, &ImportInput { name: "", bytes: &bytes, files: &NoFilesBeside }, &options)?);
    }
    if recording.is_dir() {
        let files = Folder::new(recording)?;
        return Ok(import(from, &ImportInput { name: "", bytes: &[], files: &files }, &options)?);
    }
    let bytes = limited(File::open(recording).context("cannot be opened")?).context("cannot be read")?;
    let folder = recording.parent().filter(|folder| !folder.as_os_str().is_empty());
    let files = Folder::new(folder.unwrap_or_else(|| Path::new(".")))?;
    let name = recording.file_name().unwrap_or_default().to_string_lossy();
    Ok(import(from, &ImportInput { name: &name, bytes: &bytes, files: &files }, &options)?)
}

/// Everything; one byte more than a recording may have, when it has more.
fn limited(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(LARGEST as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The files of a folder and below; links that lead out of it are not followed.
struct Folder(PathBuf);

impl Folder {
    fn new(path: &Path) -> anyhow::Result<Self> {
        let path = fs::canonicalize(path).with_context(|| format!("{} cannot be read", path.display()))?;
        Ok(Self(path))
    }
}

impl FilesBeside for Folder {
    fn read(&self, path: &str) -> Result<Vec<u8>, FileProblem> {
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => FileProblem::Missing,
            _ => FileProblem::Failed(error.to_string()),
        };
        let path = fs::canonicalize(self.0.join(path)).map_err(failed)?;
        if !path.starts_with(&self.0) {
            return Err(FileProblem::Outside);
        }
        if !path.is_file() {
            return Err(FileProblem::Failed("it is no file".to_owned()));
        }
        let bytes = File::open(&path).and_then(limited).map_err(failed)?;
        if bytes.len() > LARGEST {
            return Err(FileProblem::Failed(format!("it has more than {LARGEST} bytes")));
        }
        Ok(bytes)
    }

    fn list(&self, folder: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.0.join(folder)) else { return Vec::new() };
        let files = entries.filter_map(Result::ok).filter(|entry| entry.path().is_file());
        let mut names: Vec<String> =
            files.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

/// What was made of it, and what was not.
fn say(imported: &Imported, context: &Context) {
    let trace = &imported.trace;
    let because = imported.because.map_or_else(String::new, |because| format!(", because {because}"));
    context.output.say(format!("read as {}{because}", imported.from));
    let steps = count(trace.steps.len() as u64, "event");
    let target =
        trace.header.target.as_ref().map_or_else(String::new, |target| format!(", to reach {target}"));
    context.output.say(format!("{steps} of {}{target}", trace.header.app.package));
    for kind in &imported.skipped {
        context.output.say(format!("skipped: {kind}"));
    }
    imported.notes.iter().for_each(warn);
}

fn write(folder: &Path, args: &ImportArgs, imported: &Imported) -> anyhow::Result<PathBuf> {
    let named = args.recording.file_stem().filter(|_| args.recording.as_os_str() != "-");
    let name = named.map_or_else(|| imported.from.into(), |name| name.to_string_lossy());
    let file = folder.join(format!("{name}.trace.jsonl"));
    if named.is_some() && is_same_file(&file, &args.recording) {
        return Err(anyhow!("{} is the recording itself; name another folder with --out", file.display()));
    }
    super::keep_other(&file, &in_lines(imported)?, args.force)?;
    fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    tracefile::write(&file, &imported.trace)?;
    Ok(file)
}

fn in_lines(imported: &Imported) -> anyhow::Result<String> {
    let mut lines = Vec::new();
    let mut writer = TraceWriter::new(&mut lines, &imported.trace.header)?;
    imported.trace.steps.iter().try_for_each(|step| writer.step(step))?;
    writer.finish()?;
    Ok(String::from_utf8(lines)?)
}

/// What to type next.
fn next(file: &Path, imported: &Imported) -> String {
    let header = &imported.trace.header;
    let device = if header.device.is_none() { " --device DEVICE" } else { "" };
    let to = if header.target.is_none() { " --to crash" } else { "" };
    format!("retap reduce {}{device}{to}", retap_show::quoted_path(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A part of a file is not the file, and a file that cannot be read is not one that is missing.
    #[test]
    fn files_beside_a_recording_are_read_whole_or_not_at_all() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let folder = Folder::new(scratch.path()).expect("a folder");
        fs::write(scratch.path().join("flow.yaml"), "---").expect("a file");
        let large = File::create(scratch.path().join("large.yaml")).expect("a file");
        large.set_len(LARGEST as u64 + 1).expect("a sparse file");
        let said = |path: &str| folder.read(path).map_err(|problem| problem.to_string());
        assert_eq!(said("flow.yaml"), Ok(b"---".to_vec()));
        assert_eq!(said("large.yaml"), Err("cannot be read: it has more than 268435456 bytes".to_owned()));
        assert_eq!(said("gone.yaml"), Err("is not there".to_owned()));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("circle.yaml", scratch.path().join("circle.yaml")).expect("a link");
            assert!(said("circle.yaml").is_err_and(|why| why.starts_with("cannot be read: ")));
        }
    }
}
