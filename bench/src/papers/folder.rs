//! Folders for what is thrown away once a cell is measured: traces and sessions.

use std::path::PathBuf;

use anyhow::Context as _;

/// The folder of this process, which goes with it.
#[derive(Debug)]
pub(super) struct Folder(PathBuf);

impl Folder {
    /// Beside this program, where builds are.
    pub(super) fn new() -> anyhow::Result<Self> {
        let program = std::env::current_exe().context("this program cannot be found")?;
        let target = program.parent().and_then(|folder| folder.parent()).context("it is in no folder")?;
        Ok(Self(target.join("papers").join(std::process::id().to_string())))
    }

    /// An empty folder of this name.
    pub(super) fn fresh(&self, name: &str) -> anyhow::Result<PathBuf> {
        let folder = self.0.join(name);
        if folder.exists() {
            std::fs::remove_dir_all(&folder)?;
        }
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
