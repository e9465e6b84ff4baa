//! `--reduce`: crashes are reduced as they are found, each in a session of its own below that of the exploration.

use std::path::{Path, PathBuf};

use retap_store::StoreError;
use serde::Serialize;

use super::ExploreSettings;
use super::entries::ReducedEntry;
use super::record::Record;
use crate::commands::Context;
use crate::commands::reduce::{self, Confirmed};
use crate::output::{strong, warn};

/// A crash that was reduced.
#[derive(Debug, Clone, Serialize)]
pub(super) struct ReducedResult {
    pub(super) signature: String,
    status: String,
    events: u32,
    confirmed: Confirmed,
    trace: Option<PathBuf>,
}

impl ReducedResult {
    /// One that an earlier process has written down.
    pub(super) fn recalled(entry: &ReducedEntry, folder: &Path) -> Self {
        let (reached, of) = entry.confirmed;
        Self {
            signature: entry.signature.clone(),
            status: entry.status.clone(),
            events: entry.events,
            confirmed: Confirmed { reached, of },
            trace: entry.trace.as_ref().map(|trace| folder.join(trace)),
        }
    }

    /// What to write down; nothing when the reduction was stopped, because then it goes on another time.
    fn entry(&self, folder: &Path) -> Option<ReducedEntry> {
        let inside = |trace: &PathBuf| trace.strip_prefix(folder).unwrap_or(trace).to_owned();
        let stopped = matches!(&*self.status, "interrupted" | "cut_short");
        (!stopped).then(|| ReducedEntry {
            signature: self.signature.clone(),
            status: self.status.clone(),
            events: self.events,
            confirmed: (self.confirmed.reached, self.confirmed.of),
            trace: self.trace.as_ref().map(inside),
        })
    }
}

/// Reduces crashes as they come.
pub(super) struct Reducing<'a> {
    pub(super) settings: &'a ExploreSettings,
    /// The folder of the exploration.
    pub(super) folder: &'a Path,
    pub(super) context: &'a Context,
    pub(super) results: &'a mut Vec<ReducedResult>,
}

impl Reducing<'_> {
    /// Reduces the crashes that are new, one after the other, and writes down what came of it.
    pub(super) fn reduce_new(&mut self, record: &mut Record<'_>) -> anyhow::Result<()> {
        while !record.new.is_empty() {
            let crash = record.new.remove(0);
            let signature = &*crash.signature.0;
            if let Some(entry) = record.known_reduction(signature)? {
                self.results.push(ReducedResult::recalled(&entry, self.folder));
                continue;
            }
            if self.context.interrupt.asked() {
                break;
            }
            let finding = record.findings.crashes().find(|known| known.crash.signature == crash.signature);
            let Some(file) = finding.map(|finding| self.folder.join(&finding.shortest.0)) else { continue };
            match reduce_now(&file, signature, self.settings, self.folder, self.context) {
                Ok(result) => {
                    if let Some(entry) = result.entry(self.folder) {
                        record.reduced(&entry)?;
                    }
                    self.results.push(result);
                }
                // Without room for a reduction there is none for the exploration either.
                Err(error) if error.is::<StoreError>() => return Err(error),
                Err(error) => warn(format!("{crash} could not be reduced: {error:#}")),
            }
        }
        Ok(())
    }
}

/// Reduces a crash that has been found, on devices of its own.
fn reduce_now(
    file: &Path,
    signature: &str,
    settings: &ExploreSettings,
    folder: &Path,
    context: &Context,
) -> anyhow::Result<ReducedResult> {
    context.output.say(format!("\nreducing {} ...", strong(signature)));
    let subject = reduce::Subject::of_crash(file, signature)?;
    let mut plan = reduce::ReduceSettings::usual(
        &subject,
        settings.device_here().to_owned(),
        settings.devices,
        context,
    )?;
    // Going on must come to the same plan, and then no seed is typed.
    plan.seed = settings.seed;
    let (result, _) = reduce::in_folder_of_its_own(subject, plan, file, &folder.join("reduced"), context)?;
    Ok(ReducedResult {
        signature: signature.to_owned(),
        status: result.status.to_owned(),
        events: result.events_after,
        confirmed: result.confirmed,
        trace: result.trace,
    })
}
