//! Files on the device: the `sync:` service.
//!
//! Version 2 of its questions is used where the device offers it: only there is a missing file told apart from an
//! empty one by a code, and are sizes larger than 4 GB.

use std::io::{Read, Write};

use super::wire::Wire;
use super::{AdbError, Deadline, Transport};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    File,
    Folder,
    Link,
    /// A socket, a pipe, a device.
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileStat {
    /// Kind and permissions, as Unix writes them.
    pub mode: u32,
    /// Size in bytes; the rest beyond 4 GB is lost on old devices.
    pub size: u64,
    /// When it was changed, in seconds since 1970.
    pub modified: i64,
}

/// A file in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its name without the folder.
    pub name: String,
    pub stat: FileStat,
}

/// The protocol takes no longer chunks.
const CHUNK: usize = 64 << 10;
/// Nor longer paths.
const LONGEST_PATH: usize = 1024;
/// A folder with more files than this is not one we read.
const MOST_ENTRIES: usize = 100_000;

impl FileStat {
    pub const fn kind(&self) -> FileKind {
        match self.mode & 0o170_000 {
            0o100_000 => FileKind::File,
            0o040_000 => FileKind::Folder,
            0o120_000 => FileKind::Link,
            _ => FileKind::Other,
        }
    }
}

impl Transport {
    /// What is known of a file; none when it is not there.
    pub fn stat(&self, path: &str, deadline: &Deadline) -> Result<Option<FileStat>, AdbError> {
        let version2 = self.features(deadline)?.stat_v2();
        let mut sync = Sync::open(self, deadline)?;
        if version2 {
            sync.ask(*b"STA2", path.as_bytes(), path)?;
            sync.expect(*b"STA2", path)?;
            let (error, stat) = sync.stat2()?;
            return if error == 0 { Ok(Some(stat)) } else { Ok(None) };
        }
        sync.ask(*b"STAT", path.as_bytes(), path)?;
        sync.expect(*b"STAT", path)?;
        let stat = sync.stat1()?;
        Ok((stat.mode != 0).then_some(stat))
    }

    /// The files in a folder; empty when it is none.
    pub fn list(&self, folder: &str, deadline: &Deadline) -> Result<Vec<Entry>, AdbError> {
        let version2 = self.features(deadline)?.ls_v2();
        let (question, answer) = if version2 { (b"LIS2", b"DNT2") } else { (b"LIST", b"DENT") };
        let mut sync = Sync::open(self, deadline)?;
        sync.ask(*question, folder.as_bytes(), folder)?;
        let mut entries = Vec::new();
        loop {
            let id = sync.id()?;
            if &id == b"DONE" {
                return Ok(entries);
            }
            if &id != answer || entries.len() >= MOST_ENTRIES {
                return Err(sync.nonsense(id));
            }
            let (error, stat) = if version2 { sync.stat2()? } else { (0, sync.stat1()?) };
            let length = sync.number()? as usize;
            let name = sync.bytes(length.min(CHUNK))?;
            let name = String::from_utf8_lossy(&name).into_owned();
            if error == 0 && name != "." && name != ".." {
                entries.push(Entry { name, stat });
            }
        }
    }

    /// Copies to a file on the device.
    pub fn push(
        &self,
        from: &mut dyn Read,
        path: &str,
        mode: u32,
        deadline: &Deadline,
    ) -> Result<(), AdbError> {
        let mut sync = Sync::open(self, deadline)?;
        sync.ask(*b"SEND", format!("{path},{}", 0o100_000 | (mode & 0o777)).as_bytes(), path)?;
        let mut buffer = vec![0; CHUNK];
        loop {
            let count = from
                .read(&mut buffer)
                .map_err(|error| AdbError::File { path: path.to_owned(), why: error.to_string() })?;
            if count == 0 {
                break;
            }
            sync.send(*b"DATA", u32::try_from(count).expect("a chunk is short"), &buffer[..count])?;
        }
        // The time of the file: now would do, but a fixed one does as well and keeps the clock out of this.
        sync.send(*b"DONE", 0, &[])?;
        sync.expect(*b"OKAY", path)?;
        sync.number().map(|_| ())
    }

    /// Copies a file from the device. Returns how many bytes it has.
    pub fn pull(&self, path: &str, to: &mut dyn Write, deadline: &Deadline) -> Result<u64, AdbError> {
        let mut sync = Sync::open(self, deadline)?;
        sync.ask(*b"RECV", path.as_bytes(), path)?;
        let mut copied = 0;
        loop {
            match &sync.id()? {
                b"DONE" => return Ok(copied),
                b"DATA" => {
                    let length = sync.number()? as usize;
                    if length > CHUNK {
                        return Err(sync.nonsense(*b"DATA"));
                    }
                    let bytes = sync.bytes(length)?;
                    to.write_all(&bytes)
                        .map_err(|error| AdbError::File { path: path.to_owned(), why: error.to_string() })?;
                    copied += length as u64;
                }
                id => return Err(sync.refusal(*id, path)),
            }
        }
    }
}

/// An open `sync:` service.
struct Sync<'d> {
    wire: Wire,
    deadline: &'d Deadline,
}

impl<'d> Sync<'d> {
    fn open(transport: &Transport, deadline: &'d Deadline) -> Result<Self, AdbError> {
        Ok(Self { wire: transport.open("sync:", deadline)?, deadline })
    }

    fn ask(&mut self, id: [u8; 4], argument: &[u8], path: &str) -> Result<(), AdbError> {
        if path.len() > LONGEST_PATH {
            return Err(AdbError::Remote { path: path.to_owned(), why: "the path is too long".to_owned() });
        }
        self.send(id, u32::try_from(argument.len()).expect("a path is short"), argument)
    }

    fn send(&mut self, id: [u8; 4], number: u32, bytes: &[u8]) -> Result<(), AdbError> {
        let mut packet = id.to_vec();
        packet.extend_from_slice(&number.to_le_bytes());
        packet.extend_from_slice(bytes);
        self.wire.write(&packet, self.deadline)
    }

    /// Reads an id that must be this one.
    fn expect(&mut self, wanted: [u8; 4], path: &str) -> Result<(), AdbError> {
        match self.id()? {
            id if id == wanted => Ok(()),
            id => Err(self.refusal(id, path)),
        }
    }

    /// `FAIL` with its reason, or nonsense.
    fn refusal(&mut self, id: [u8; 4], path: &str) -> AdbError {
        if &id != b"FAIL" {
            return self.nonsense(id);
        }
        let reason = self.number().and_then(|length| self.bytes((length as usize).min(CHUNK)));
        match reason {
            Ok(why) => {
                AdbError::Remote { path: path.to_owned(), why: String::from_utf8_lossy(&why).into_owned() }
            }
            Err(error) => error,
        }
    }

    fn nonsense(&self, id: [u8; 4]) -> AdbError {
        AdbError::Protocol {
            what: self.deadline.what(),
            why: format!("{:?} in a sync", String::from_utf8_lossy(&id)),
        }
    }

    fn id(&mut self) -> Result<[u8; 4], AdbError> {
        let mut id = [0; 4];
        self.wire.read_exact(&mut id, self.deadline)?;
        Ok(id)
    }

    fn number(&mut self) -> Result<u32, AdbError> {
        Ok(u32::from_le_bytes(self.id()?))
    }

    fn long(&mut self) -> Result<u64, AdbError> {
        let mut bytes = [0; 8];
        self.wire.read_exact(&mut bytes, self.deadline)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn bytes(&mut self, count: usize) -> Result<Vec<u8>, AdbError> {
        let mut bytes = vec![0; count];
        self.wire.read_exact(&mut bytes, self.deadline)?;
        Ok(bytes)
    }

    fn stat1(&mut self) -> Result<FileStat, AdbError> {
        let (mode, size, modified) = (self.number()?, self.number()?, self.number()?);
        Ok(FileStat { mode, size: u64::from(size), modified: i64::from(modified) })
    }

    /// An error code, and what is known when it is zero.
    fn stat2(&mut self) -> Result<(u32, FileStat), AdbError> {
        let error = self.number()?;
        let (_device, _inode) = (self.long()?, self.long()?);
        let mode = self.number()?;
        let (_links, _user, _group) = (self.number()?, self.number()?, self.number()?);
        let size = self.long()?;
        let _accessed = self.long()?;
        let modified = self.long()?.cast_signed();
        let _changed = self.long()?;
        Ok((error, FileStat { mode, size, modified }))
    }
}
