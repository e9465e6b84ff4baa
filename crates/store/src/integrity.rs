//! Looking for damage.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::{BlobId, SessionView, StoreError, blobs};

impl SessionView {
    /// Checks the database, the numbers of the log and the content of every blob. Returns one sentence for each
    /// damage: none when all is well.
    pub fn integrity(&self) -> Result<Vec<String>, StoreError> {
        let damage = self.database_damage().map_err(|error| StoreError::database(&self.db, &error));
        // Worse damage: it stops the check itself.
        let mut damage = match damage {
            Err(damaged @ StoreError::Damaged { .. }) => vec![damaged.to_string()],
            other => other?,
        };
        for path in blob_files(&blobs::folder(&self.dir))? {
            let content = fs::read(&path).map_err(|error| StoreError::reading(&path, &error))?;
            if name_of(&path) != Some(BlobId::of(&content)) {
                damage.push(StoreError::BlobDamaged { path }.to_string());
            }
        }
        Ok(damage)
    }

    fn database_damage(&self) -> rusqlite::Result<Vec<String>> {
        let db = self.db.display();
        let mut statement = self.connection.prepare("PRAGMA integrity_check")?;
        let lines =
            statement.query_map([], |row| row.get::<_, String>(0))?.collect::<rusqlite::Result<Vec<_>>>()?;
        let mut damage: Vec<String> =
            lines.iter().filter(|line| *line != "ok").map(|line| format!("{db}: {line}")).collect();
        let whole = "SELECT count(*) = coalesce(max(seq), 0) FROM log";
        if !self.connection.query_row(whole, [], |row| row.get::<_, bool>(0))? {
            damage.push(format!("{db}: entries are missing from the log"));
        }
        Ok(damage)
    }
}

/// The files in the folders under `blobs/`, in order. Whatever lies in `blobs/` itself is no blob.
fn blob_files(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let mut files = Vec::new();
    for shard in list(folder)?.iter().filter(|path| path.is_dir()) {
        files.extend(list(shard)?);
    }
    Ok(files)
}

fn list(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let paths = fs::read_dir(folder)
        .and_then(|items| items.map(|item| Ok(item?.path())).collect::<io::Result<Vec<PathBuf>>>());
    match paths {
        Ok(mut paths) => {
            paths.sort();
            Ok(paths)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(StoreError::reading(folder, &error)),
    }
}

fn name_of(path: &Path) -> Option<BlobId> {
    let shard = path.parent()?.file_name()?.to_str()?;
    format!("{shard}{}", path.file_name()?.to_str()?).parse().ok()
}
