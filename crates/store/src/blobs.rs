//! Large things, named by their content: `blobs/ab/cdef...`, the BLAKE3 hash in hex.
//!
//! A blob is written to one side and renamed, so that a file with the name of a blob is a whole blob. A killed
//! writer leaves at most one temporary file, which the next writer of the session sweeps away.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::atomic::{Flush, replace};
use crate::{Session, SessionView, StoreError};

/// Name of a blob: the hash of its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlobId([u8; 32]);

/// Text that is not the name of a blob.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not the name of a blob, which has 64 hexadecimal digits")]
pub struct BlobIdError(String);

impl BlobId {
    pub fn of(content: &[u8]) -> Self {
        Self(*blake3::hash(content).as_bytes())
    }
}

impl Session {
    /// Keeps this content. Putting it again does nothing, except that it mends a damaged copy.
    ///
    /// Put blobs before appending the entry that names them.
    pub fn put(&mut self, content: &[u8]) -> Result<BlobId, StoreError> {
        let id = BlobId::of(content);
        let (shard, path) = self.place(id);
        if fs::read(&path).is_ok_and(|there| there == content) {
            return Ok(id);
        }
        fs::create_dir_all(&shard).map_err(|error| StoreError::writing(&shard, &error))?;
        let flush = if self.fsync { Flush::ToDisk } else { Flush::ToSystem };
        replace(&incoming(&self.dir), &path, flush, |file| file.write_all(content))?;
        Ok(id)
    }
}

impl SessionView {
    /// The content of a blob, checked against its name.
    pub fn get(&self, id: &BlobId) -> Result<Vec<u8>, StoreError> {
        let (_, path) = self.place(*id);
        let content = fs::read(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => StoreError::BlobMissing { id: *id, dir: self.dir.clone() },
            _ => StoreError::reading(&path, &error),
        })?;
        if BlobId::of(&content) == *id { Ok(content) } else { Err(StoreError::BlobDamaged { path }) }
    }

    /// Whether the blob is there. Only [`SessionView::get`] says whether it is whole.
    pub fn has(&self, id: &BlobId) -> bool {
        self.place(*id).1.is_file()
    }

    /// The folder and the file of a blob.
    fn place(&self, id: BlobId) -> (PathBuf, PathBuf) {
        let hex = id.to_string();
        let shard = folder(&self.dir).join(&hex[..2]);
        let path = shard.join(&hex[2..]);
        (shard, path)
    }
}

/// Where the blobs of a session are.
pub(crate) fn folder(dir: &Path) -> PathBuf {
    dir.join("blobs")
}

/// Removes what a killed writer has left.
pub(crate) fn sweep(dir: &Path) -> Result<(), StoreError> {
    let path = incoming(dir);
    match fs::remove_file(&path) {
        Err(error) if !matches!(error.kind(), io::ErrorKind::NotFound) => {
            Err(StoreError::writing(&path, &error))
        }
        _ => Ok(()),
    }
}

/// The one temporary file: a session has one writer, and it puts one blob at a time.
fn incoming(dir: &Path) -> PathBuf {
    folder(dir).join("incoming.tmp")
}

impl fmt::Display for BlobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&blake3::Hash::from_bytes(self.0).to_hex())
    }
}

impl FromStr for BlobId {
    type Err = BlobIdError;

    fn from_str(text: &str) -> Result<Self, BlobIdError> {
        blake3::Hash::from_hex(text)
            .map(|hash| Self(*hash.as_bytes()))
            .map_err(|_| BlobIdError(text.to_owned()))
    }
}

impl Serialize for BlobId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for BlobId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}
