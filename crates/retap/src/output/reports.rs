//! The reports that a command was asked for: what they are made of is collected while it goes on, and they are written
//! when it ends, however it ends.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use retap_job::JobEvent;

use super::annotations::annotations;
use super::cases::cases;
use super::junit::junit;
use super::learnt::Learnt;
use super::sarif::sarif;
use super::sources::SourceFiles;
use super::summary::summary;
use super::{on_github, tell_command, warn};
use crate::args::ReportArgs;
use crate::exit::Exit;

/// Where reports go, and what they are made of.
pub(crate) struct Reports {
    learnt: Learnt,
    files: ReportArgs,
    /// Whether this is a step of a workflow of GitHub.
    github: bool,
    /// The file of the job summary.
    step_summary: Option<PathBuf>,
    began: String,
    /// Pipes and devices that reports go to, so that their readers wait for the end.
    open: Vec<File>,
}

impl Reports {
    /// A command that makes no reports.
    pub(crate) fn none() -> Self {
        Self {
            learnt: Learnt::begun(""),
            files: ReportArgs::default(),
            github: false,
            step_summary: None,
            began: String::new(),
            open: Vec::new(),
        }
    }

    /// A command that begins now. Its files are written at once, as of one that was killed: whatever happens, none of an
    /// earlier command is taken for its own, and a file that cannot be written is known before hours have passed.
    pub(crate) fn begin(command: &'static str, files: ReportArgs) -> anyhow::Result<Self> {
        if let Some(folder) = &files.sources {
            anyhow::ensure!(folder.is_dir(), "--sources {}: no such folder", folder.display());
        }
        let began = chrono::DateTime::<chrono::Utc>::from(SystemTime::now());
        let github = on_github();
        let step_summary = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty());
        let mut reports = Self {
            learnt: Learnt::begun(command),
            files,
            github,
            step_summary: step_summary.filter(|_| github).map(PathBuf::from),
            began: began.format("%Y-%m-%dT%H:%M:%S").to_string(),
            open: Vec::new(),
        };
        for file in reports.files.junit.iter().chain(&reports.files.sarif) {
            reports.open.extend(retap_store::open_directly(file)?);
        }
        // What is written to a pipe or a device stays there.
        let is_kept = |path: &Path| path.metadata().map_or(true, |old| old.is_file() || old.is_dir());
        reports.write(&SourceFiles::unknown(), is_kept)?;
        Ok(reports)
    }

    /// Takes in what happened in a job.
    pub(crate) fn event(&mut self, event: &JobEvent<'_>) {
        self.learnt.event(event);
    }

    /// A job that is a part of the command could not be done.
    pub(crate) fn failure(&mut self, what: &str, why: &anyhow::Error) {
        self.learnt.failures.push((what.to_owned(), format!("{why:#}")));
    }

    /// Writes everything, now that the command has ended so.
    pub(crate) fn end(mut self, ended: &anyhow::Result<Exit>) -> anyhow::Result<()> {
        self.learnt.unfinished = ended.as_ref().err().map(|error| format!("{error:#}"));
        self.learnt.code = ended.as_ref().map_or(Exit::Usage, |exit| *exit).code();
        let asked = self.files.junit.is_some() || self.files.sarif.is_some();
        if !asked && !self.github {
            return Ok(());
        }
        let sources = if self.files.sarif.is_some() || self.github {
            SourceFiles::tracked_below(self.files.sources.as_deref())
        } else {
            SourceFiles::unknown()
        };
        self.write(&sources, |_| true)?;
        if self.github {
            self.tell_github(&sources);
        }
        Ok(())
    }

    fn write(&self, sources: &SourceFiles, wanted: impl Fn(&Path) -> bool) -> anyhow::Result<()> {
        let groups = cases(&self.learnt);
        if let Some(file) = self.files.junit.as_deref().filter(|file| wanted(file)) {
            let text = junit(&groups, &self.began)?;
            retap_store::write_beside(file, |to| to.write_all(text.as_bytes()))?;
        }
        if let Some(file) = self.files.sarif.as_deref().filter(|file| wanted(file)) {
            let text = sarif(&groups, sources, self.learnt.code)?;
            retap_store::write_beside(file, |to| to.write_all(text.as_bytes()))?;
        }
        Ok(())
    }

    fn tell_github(&self, sources: &SourceFiles) {
        let groups = cases(&self.learnt);
        for line in annotations(&groups, sources) {
            tell_command(&line);
        }
        let Some(file) = &self.step_summary else { return };
        let text = summary(&groups, sources);
        let opened = std::fs::OpenOptions::new().create(true).append(true).open(file);
        // Nobody asked for it: the result counts without.
        if let Err(error) = opened.and_then(|mut to| to.write_all(text.as_bytes())) {
            warn(format!("cannot write the job summary to {}: {error}", file.display()));
        }
    }
}
