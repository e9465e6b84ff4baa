//! Where a session was begun: the files that its plan names are named from there.

use std::path::{Path, PathBuf};

use super::{JobOverview, SessionOverview};

/// The folder in which a session was begun, as far as the files that its plan names tell it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum BegunIn {
    /// This one: what is named is here.
    #[default]
    Here,
    /// Another one that the session is in.
    Folder(PathBuf),
    /// What is named is neither here nor around the session.
    Unknown,
}

impl SessionOverview {
    /// Looks where the files are that the plan names. They are not opened. What lies around the session comes first: here may
    /// be another file of that name.
    pub fn find_where_it_was_begun(&mut self) {
        let named = self.job.named();
        let all_in = |folder: &Path| named.iter().all(|file| folder.join(file).exists());
        let (session, here) = (self.session.canonicalize().unwrap_or_default(), Path::new(""));
        let is_here = |folder: &Path| here_is(folder) && all_in(folder);
        let mut around = session.ancestors().skip(1);
        self.begun = if named.is_empty() || around.clone().any(is_here) {
            BegunIn::Here
        } else if let Some(folder) = around.find(|folder| all_in(folder)) {
            BegunIn::Folder(folder.to_owned())
        } else if all_in(here) {
            BegunIn::Here
        } else {
            BegunIn::Unknown
        };
    }

    /// The folder of the session, as it is named where it was begun.
    #[must_use]
    pub fn from_where_it_was_begun(&self) -> PathBuf {
        let whole = || self.session.canonicalize().unwrap_or_else(|_| self.session.clone());
        match &self.begun {
            BegunIn::Here => self.session.clone(),
            BegunIn::Folder(folder) => {
                let whole = whole();
                whole.strip_prefix(folder).map(Path::to_owned).unwrap_or(whole)
            }
            BegunIn::Unknown => whole(),
        }
    }
}

impl JobOverview {
    /// The files that its plan names from where it was begun: what it is about, and the app of its device.
    fn named(&self) -> Vec<PathBuf> {
        let (mut files, device) = match self {
            Self::Explore(explored) => (Vec::new(), Some(&explored.plan.device)),
            Self::Reduce(reduced) => (vec![reduced.plan.input.clone()], reduced.plan.device.as_ref()),
            Self::Suite(made) => (made.plan.input.clone(), Some(&made.plan.device)),
            Self::Replay(replayed) => (vec![replayed.plan.input.clone()], Some(&replayed.plan.device)),
        };
        let app = device.and_then(|device| device.split_once(':')).map(|(_, app)| app.split('?').next());
        let is_file = |app: &&str| app.starts_with("./") || app.starts_with("../");
        files.extend(app.flatten().filter(is_file).map(PathBuf::from));
        files.retain(|file| file.is_relative());
        files
    }
}

/// Whether a folder is the current one.
fn here_is(folder: &Path) -> bool {
    std::env::current_dir().and_then(|here| here.canonicalize()).is_ok_and(|here| here == folder)
}
