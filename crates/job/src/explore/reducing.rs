//! `--reduce`: crashes are reduced as they are found, each in a session of its own below that of the exploration.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::ExplorePlan;
use super::entries::ReducedEntry;
use super::record::Record;
use crate::devices::Devices;
use crate::error::Result;
use crate::reduce::{self, Confirmed, ReduceOptions, ReducePlan, ReduceStatus, Subject};
use crate::watch::{JobEvent, Watching};

/// A crash that was reduced.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReducedResult {
    /// The signature of the crash.
    pub signature: String,
    /// How its reduction ended.
    pub status: ReduceStatus,
    /// Events of the answer.
    pub events: u32,
    /// What fresh runs of it showed.
    pub confirmed: Confirmed,
    /// Its file.
    pub trace: Option<PathBuf>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

impl ReducedResult {
    /// One that an earlier process has written down.
    fn recalled(entry: &ReducedEntry, folder: &Path) -> Self {
        let (reached, of) = entry.confirmed;
        Self {
            signature: entry.signature.clone(),
            status: entry.status,
            events: entry.events,
            confirmed: Confirmed { reached, of },
            trace: entry.trace.as_ref().map(|trace| folder.join(trace)),
            why: None,
        }
    }

    fn failed(signature: &str, why: String) -> Self {
        Self {
            signature: signature.to_owned(),
            status: ReduceStatus::Failed,
            events: 0,
            confirmed: Confirmed { reached: 0, of: 0 },
            trace: None,
            why: Some(why),
        }
    }

    /// What to write down; nothing when the reduction was stopped, because then it goes on another time.
    fn entry(&self, folder: &Path) -> Option<ReducedEntry> {
        let inside = |trace: &PathBuf| trace.strip_prefix(folder).unwrap_or(trace).to_owned();
        let stopped =
            matches!(self.status, ReduceStatus::Interrupted | ReduceStatus::CutShort | ReduceStatus::Failed);
        (!stopped).then(|| ReducedEntry {
            signature: self.signature.clone(),
            status: self.status,
            events: self.events,
            confirmed: (self.confirmed.reached, self.confirmed.of),
            trace: self.trace.as_ref().map(inside),
        })
    }
}

/// Reduces crashes as they come.
pub(super) struct CrashReducer<'a> {
    pub(super) plan: &'a ExplorePlan,
    /// The folder of the exploration.
    pub(super) folder: &'a Path,
    pub(super) devices: &'a Devices,
    pub(super) watching: &'a Watching<'a>,
    pub(super) results: &'a mut Vec<ReducedResult>,
}

impl CrashReducer<'_> {
    /// Reduces the crashes that are new, one after the other, and writes down what came of it. Nothing is done where
    /// the plan does not ask for it.
    pub(super) fn reduce_new(&mut self, record: &mut Record<'_>) -> Result<()> {
        let Some(options) = &self.plan.reduce else { return Ok(()) };
        while !record.new.is_empty() {
            let crash = record.new.remove(0);
            let signature = &*crash.signature.0;
            if let Some(entry) = record.known_reduction(signature) {
                self.results.push(ReducedResult::recalled(&entry, self.folder));
                continue;
            }
            if self.watching.stop().asked() {
                break;
            }
            let finding = record.findings.crashes().find(|known| known.crash.signature == crash.signature);
            let Some(file) = finding.map(|finding| self.folder.join(&finding.shortest.0)) else { continue };
            match self.reduce(&file, signature, options) {
                Ok(result) => {
                    if let Some(entry) = result.entry(self.folder) {
                        record.reduced(&entry)?;
                    }
                    let no_device_left = result.status == ReduceStatus::CutShort;
                    self.results.push(result);
                    if no_device_left {
                        break;
                    }
                }
                // Without room for a reduction there is none for the exploration either.
                Err(error) if error.is_of_the_store() => return Err(error),
                Err(error) => {
                    let why = error.in_words();
                    self.watching.tell(&JobEvent::NotReduced { crash: &crash, why: why.clone() });
                    self.results.push(ReducedResult::failed(signature, why));
                }
            }
        }
        Ok(())
    }

    /// Reduces a crash that has been found, on devices of its own where there are some.
    fn reduce(&self, file: &Path, signature: &str, options: &ReduceOptions) -> Result<ReducedResult> {
        self.watching.tell(&JobEvent::ReductionBegun { signature });
        let subject = Subject::read(file, None, Some(signature))?;
        let device = Some(self.plan.device.clone());
        let mut plan = ReducePlan::new(subject, device, options.clone(), self.plan.seed)?;
        plan.devices = self.plan.devices;
        let folder = reduce::folder_below(&self.folder.join("reduced"), &plan)?;
        let result = reduce::run(&plan, Some(&self.devices.for_reducing()), Some(&folder), self.watching)?;
        self.watching.tell(&JobEvent::Reduced(&result));
        Ok(ReducedResult {
            signature: signature.to_owned(),
            status: result.status,
            events: result.events_after,
            confirmed: result.confirmed,
            trace: result.trace,
            why: result.details.no_device_left,
        })
    }
}
