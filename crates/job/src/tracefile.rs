//! Trace files: reading with clear words, writing whole or not at all.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use crate::error::{Doing as _, Result, require};
use retap_reduce::Subset;
use retap_trace::{
    Header, Signature, Step, Target, Trace, TraceError, TraceProblem, TraceReader, TraceWriter,
};

/// Reads a trace; also from a pipe, so nothing but the text decides. One that goes on from a saved state gets the
/// steps that led there in front.
pub fn read(path: &Path) -> Result<Trace> {
    let mut trace = read_alone(path)?;
    let mut after = trace.header.after.take();
    let mut known = BTreeSet::new();
    while let Some(before) = after {
        let plain = Path::new(&before.trace).file_name() == Some(OsStr::new(&before.trace));
        require!(
            plain,
            "{} goes on from {}, which is not the name of a file in the same folder",
            path.display(),
            before.trace
        );
        let file = path.with_file_name(&before.trace);
        require!(
            known.insert(before.trace.clone()),
            "{} goes on from itself by way of {}",
            path.display(),
            before.trace
        );
        let mut earlier =
            read_alone(&file).doing(|| format!("{} goes on from another trace", path.display()))?;
        require!(
            before.steps as usize <= earlier.steps.len(),
            "{} goes on after step {} of {}, which has only {}",
            path.display(),
            before.steps,
            file.display(),
            earlier.steps.len()
        );
        earlier.steps.truncate(before.steps as usize);
        earlier.steps.append(&mut trace.steps);
        trace.steps = earlier.steps;
        after = earlier.header.after;
    }
    Ok(trace)
}

/// Reads what a trace is of, and no steps.
pub fn header(path: &Path) -> Result<Header> {
    Ok(TraceReader::new(path.display().to_string(), open(path)?)?.header().clone())
}

fn read_alone(path: &Path) -> Result<Trace> {
    Ok(Trace::read(path.display().to_string(), open(path)?)?)
}

/// Reads the steps of a trace that another process may be writing, without those that came before it in another trace:
/// what stands there in whole lines.
pub(crate) fn read_growing(path: &Path) -> Result<(Header, Vec<Step>)> {
    let mut reader = TraceReader::new(path.display().to_string(), open(path)?)?;
    let mut steps = Vec::new();
    for step in reader.by_ref() {
        match step {
            Ok(step) => steps.push(step),
            Err(TraceError { problem: TraceProblem::CutOff { .. }, .. }) => break,
            Err(error) => return Err(error.into()),
        }
    }
    Ok((reader.header().clone(), steps))
}

fn open(path: &Path) -> Result<BufReader<File>> {
    let file = File::open(path).doing(|| format!("cannot open the trace {}", path.display()))?;
    require!(
        !path.is_dir(),
        "{} is a folder; name a trace file in it, or give the folder of an exploration to reduce",
        path.display()
    );
    Ok(BufReader::new(file))
}

/// Writes a trace beside and renames it.
pub fn write(path: &Path, trace: &Trace) -> Result<()> {
    retap_store::write_beside(path, |to| {
        let mut writer = TraceWriter::new(to, &trace.header)?;
        trace.steps.iter().try_for_each(|step| writer.step(step))?;
        writer.finish().map(drop)
    })?;
    Ok(())
}

/// The trace that keeps only these steps. What was seen around them in the long trace is not what is seen in the
/// short one, so it is left out; the crash of the last step is what was confirmed.
pub(crate) fn subset(trace: &Trace, kept: &Subset, target: &Target, note: String) -> Trace {
    let mut header = trace.header.clone();
    header.target = Some(target.clone());
    header.claim = None;
    header.note = Some(note);
    let last = kept.positions().last();
    let steps = kept.positions().map(|position| {
        let step = &trace.steps[position as usize];
        // A command does not say what the app died of.
        let shown = Some(position) == last && !matches!(target, Target::Command(_));
        let crash = if shown { step.crash.clone() } else { None };
        Step { crash, extra: step.extra.clone(), ..Step::new(step.event.clone()) }
    });
    Trace { header, steps: steps.collect() }
}

/// A hash of what a trace says, to tell whether a session is of the same trace.
pub fn fingerprint(trace: &Trace) -> Result<String> {
    let mut hasher = blake3::Hasher::new();
    let mut writer = TraceWriter::new(&mut hasher, &trace.header)?;
    trace.steps.iter().try_for_each(|step| writer.step(step))?;
    writer.finish()?;
    Ok(hasher.finalize().to_hex()[..16].to_owned())
}

/// The name of the file of a trace to this crash.
pub(crate) fn name_of(signature: &Signature) -> String {
    let name = signature.0.replace(|char: char| !char.is_alphanumeric() && char != '.', "-");
    format!("{name}.trace.jsonl")
}
