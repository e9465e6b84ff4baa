//! Coverage, where the app is built with `JaCoCo` and writes what was executed to a file.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use retap_trace::CoverageId;

use crate::client::{AdbError, Deadline, Transport, quote};
use crate::parse;

use super::shell::Shell;

/// Where coverage comes from, and what of it was told in this run.
#[derive(Debug)]
pub(super) struct Covered {
    package: String,
    file: String,
    /// The broadcast that makes the app write the file.
    dump: Option<String>,
    told: BTreeSet<CoverageId>,
    /// The class and the probe of everything that was ever told.
    names: BTreeMap<CoverageId, (Arc<str>, usize)>,
}

impl Covered {
    pub(super) const fn new(package: String, file: String, dump: Option<String>) -> Self {
        Self { package, file, dump, told: BTreeSet::new(), names: BTreeMap::new() }
    }

    /// A new run begins.
    pub(super) fn reset(&mut self) {
        self.told.clear();
    }

    /// The name of a piece of code that was told: its class, and the number of its probe there.
    pub(super) fn name(&self, id: CoverageId) -> Option<Arc<str>> {
        let (class, probe) = self.names.get(&id)?;
        Some(format!("{}, probe {probe}", class.replace('/', ".")).into())
    }

    fn learn(&mut self, found: &parse::Coverage) {
        let mut last: Option<Arc<str>> = None;
        for (id, class, probe) in found.executed() {
            if self.names.contains_key(&id) {
                continue;
            }
            let class = last.take().filter(|last| **last == *class).unwrap_or_else(|| class.into());
            last = Some(class.clone());
            self.names.insert(id, (class, probe));
        }
    }

    /// What was executed for the first time in this run. Nothing while the app has not written its file.
    pub(super) fn news(
        &mut self,
        shell: &mut Shell,
        transport: &Transport,
        deadline: &Deadline,
    ) -> Result<Vec<CoverageId>, AdbError> {
        if let Some(action) = &self.dump {
            shell.run(&format!("am broadcast -a {} -p {}", quote(action), quote(&self.package)), deadline)?;
        }
        let file = quote(&self.file);
        let own = transport.exec(&format!("run-as {} cat {file}", quote(&self.package)), deadline)?;
        let found = match parse::coverage(&own) {
            // Not a debug build, or not a file of the app's own: the shell may read it by itself.
            Err(parse::CoverageError::NotJacoco | parse::CoverageError::Empty) => {
                parse::coverage(&transport.exec(&format!("cat {file}"), deadline)?)
            }
            found => found,
        };
        let ids = match found {
            Ok(found) => {
                self.learn(&found);
                found.ids()
            }
            Err(parse::CoverageError::NotJacoco | parse::CoverageError::Empty) => Vec::new(),
            Err(error) => return Err(AdbError::Remote { path: self.file.clone(), why: error.to_string() }),
        };
        Ok(ids.into_iter().filter(|id| self.told.insert(*id)).collect())
    }
}
