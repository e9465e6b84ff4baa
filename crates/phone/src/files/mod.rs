//! The phone's files: a tree in memory, of bounded size, that snapshots share until somebody writes.
//!
//! It is seen as the shell's user sees it: `/data/local/tmp` and the shared storage can be written, all else can be
//! read at most. Every node counts for a block, so that the number of files is bounded as well.

mod error;
mod fresh;
mod path;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

pub(crate) use error::FileError;
pub(crate) use path::{join, name, parent};

/// What a node takes beside its content.
const BLOCK: u64 = 4096;
const LONGEST_PATH: usize = 4096;
/// Where the shell's user may write.
const WRITABLE: [&str; 2] = ["/data/local/tmp", "/storage/emulated/0"];
/// Folders whose names the shell's user may not list.
const HIDDEN: [&str; 3] = ["/data", "/data/app", "/data/data"];

#[derive(Debug, Clone)]
pub(crate) struct Files {
    nodes: BTreeMap<String, FileNode>,
    used: u64,
    limit: u64,
    made: u64,
}

/// A file, folder or link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileNode {
    pub(crate) kind: InodeKind,
    /// Permission bits.
    pub(crate) mode: u32,
    /// When it was changed, in seconds since 1970.
    pub(crate) changed: u64,
    pub(crate) number: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum InodeKind {
    Folder,
    File(Arc<Vec<u8>>),
    /// An absolute path. Only the system makes links, and none in a circle.
    Link(String),
    /// A character device, such as `/dev/null`.
    Device,
}

impl FileNode {
    /// Its type and permissions, as `stat` gives them.
    pub(crate) const fn full_mode(&self) -> u32 {
        let kind = match self.kind {
            InodeKind::Folder => 0o040_000,
            InodeKind::File(_) => 0o100_000,
            InodeKind::Link(_) => 0o120_000,
            InodeKind::Device => 0o020_000,
        };
        kind | self.mode
    }

    pub(crate) fn size(&self) -> u64 {
        match &self.kind {
            InodeKind::File(content) => content.len() as u64,
            InodeKind::Link(to) => to.len() as u64,
            InodeKind::Folder => BLOCK,
            InodeKind::Device => 0,
        }
    }

    pub(crate) const fn is_folder(&self) -> bool {
        matches!(self.kind, InodeKind::Folder)
    }

    fn cost(&self) -> u64 {
        let content = if let InodeKind::File(content) = &self.kind { content.len() as u64 } else { 0 };
        content.saturating_add(BLOCK)
    }
}

impl Files {
    /// What is at a path, links followed.
    pub(crate) fn stat(&self, path: &str) -> Result<&FileNode, FileError> {
        let real = self.resolve(path)?;
        self.nodes.get(&real).ok_or(FileError::NotFound)
    }

    /// What is at a path; a link at its end is not followed.
    pub(crate) fn lstat(&self, path: &str) -> Result<&FileNode, FileError> {
        let place = self.place(path)?;
        self.nodes.get(&place).ok_or(FileError::NotFound)
    }

    pub(crate) fn read(&self, path: &str) -> Result<Arc<Vec<u8>>, FileError> {
        match &self.stat(path)?.kind {
            InodeKind::File(content) => Ok(content.clone()),
            InodeKind::Folder => Err(FileError::IsFolder),
            InodeKind::Link(_) => Err(FileError::NotFound),
            InodeKind::Device => Ok(Arc::default()),
        }
    }

    /// Writes a whole file, in place of what was there.
    pub(crate) fn write(
        &mut self,
        path: &str,
        content: Vec<u8>,
        mode: u32,
        now: u64,
    ) -> Result<(), FileError> {
        let real = self.resolve_new(path)?;
        let old = self.nodes.get(&real);
        if old.is_some_and(FileNode::is_folder) {
            return Err(FileError::IsFolder);
        }
        if old.is_some_and(|node| node.kind == InodeKind::Device) {
            return Ok(());
        }
        let mode = old.map_or(mode, |old| old.mode);
        self.put(real, InodeKind::File(Arc::new(content)), mode, now)
    }

    /// Writes at the end of a file.
    pub(crate) fn append(&mut self, path: &str, more: &[u8], now: u64) -> Result<(), FileError> {
        let real = self.resolve_new(path)?;
        let Some(node) = self.nodes.get_mut(&real) else {
            return self.put(real, InodeKind::File(Arc::new(more.to_vec())), 0o644, now);
        };
        allowed(&real)?;
        match &mut node.kind {
            InodeKind::File(content) => {
                if self.used.saturating_add(more.len() as u64) > self.limit {
                    return Err(FileError::Full);
                }
                Arc::make_mut(content).extend_from_slice(more);
                node.changed = now;
                self.used += more.len() as u64;
                Ok(())
            }
            InodeKind::Device => Ok(()),
            InodeKind::Folder | InodeKind::Link(_) => Err(FileError::IsFolder),
        }
    }

    /// Makes a folder, with those above it when asked to.
    pub(crate) fn make_folder(&mut self, path: &str, with_parents: bool, now: u64) -> Result<(), FileError> {
        if with_parents {
            let above = parent(path);
            if above != path && self.stat(&above).is_err() {
                self.make_folder(&above, true, now)?;
            }
        }
        let real = self.resolve_new(path)?;
        match self.nodes.get(&real) {
            Some(node) if with_parents && node.is_folder() => Ok(()),
            Some(_) => Err(FileError::Exists),
            None => self.put(real, InodeKind::Folder, 0o755, now),
        }
    }

    /// Names and nodes in a folder, in order.
    pub(crate) fn list(&self, path: &str) -> Result<Vec<(&str, &FileNode)>, FileError> {
        let real = self.resolve(path)?;
        let node = self.nodes.get(&real).ok_or(FileError::NotFound)?;
        if !node.is_folder() {
            return Err(FileError::NotFolder);
        }
        if HIDDEN.contains(&&*real) {
            return Err(FileError::Denied);
        }
        Ok(self.below(&real).filter(|(rest, _)| !rest.contains('/')).collect())
    }

    /// Removes what is at a path; a folder that is not empty only when asked to.
    pub(crate) fn remove(&mut self, path: &str, with_content: bool) -> Result<(), FileError> {
        let place = self.place(path)?;
        let node = self.nodes.get(&place).ok_or(FileError::NotFound)?;
        allowed(&place)?;
        if WRITABLE.contains(&&*place) {
            return Err(FileError::Denied);
        }
        if node.is_folder() {
            let inside: Vec<String> = self.below(&place).map(|(rest, _)| join(&place, rest)).collect();
            if !inside.is_empty() && !with_content {
                return Err(FileError::NotEmpty);
            }
            for path in inside {
                self.take(&path);
            }
        }
        self.take(&place);
        Ok(())
    }

    /// Changes permissions, the time of the last change, or both.
    pub(crate) fn change(
        &mut self,
        path: &str,
        mode: Option<u32>,
        changed: Option<u64>,
    ) -> Result<(), FileError> {
        let real = self.resolve(path)?;
        let node = self.nodes.get_mut(&real).ok_or(FileError::NotFound)?;
        allowed(&real)?;
        node.mode = mode.map_or(node.mode, |mode| mode & 0o7777);
        node.changed = changed.unwrap_or(node.changed);
        Ok(())
    }

    /// The path with all links followed. What does not exist at its end is kept as it is.
    pub(crate) fn resolve(&self, path: &str) -> Result<String, FileError> {
        self.follow(path, true)
    }

    /// Bytes taken, and bytes there are.
    pub(crate) const fn space(&self) -> (u64, u64) {
        (self.used, self.limit)
    }

    pub(crate) const fn free(&self) -> u64 {
        self.limit - self.used
    }

    /// The path with all links followed but one at its end.
    fn place(&self, path: &str) -> Result<String, FileError> {
        self.follow(path, false)
    }

    fn follow(&self, path: &str, to_the_end: bool) -> Result<String, FileError> {
        if path.is_empty() {
            return Err(FileError::NotFound);
        }
        if path.len() > LONGEST_PATH {
            return Err(FileError::TooLong);
        }
        let mut todo: Vec<String> = path::parts(path).rev().map(str::to_owned).collect();
        let mut here = String::from("/");
        while let Some(part) = todo.pop() {
            if part == ".." {
                here = parent(&here);
                continue;
            }
            let next = join(&here, &part);
            match self.nodes.get(&next).map(|node| &node.kind) {
                Some(InodeKind::Link(to)) if to_the_end || !todo.is_empty() => {
                    here = String::from("/");
                    todo.extend(path::parts(to).rev().map(str::to_owned));
                }
                Some(InodeKind::File(_) | InodeKind::Device) if !todo.is_empty() => {
                    return Err(FileError::NotFolder);
                }
                None if !todo.is_empty() => return Err(FileError::NotFound),
                _ => here = next,
            }
        }
        Ok(here)
    }

    /// Where something new would be: the folder above must be there.
    fn resolve_new(&self, path: &str) -> Result<String, FileError> {
        let real = self.resolve(path)?;
        self.folder_of(&real)?;
        Ok(real)
    }

    fn folder_of(&self, real: &str) -> Result<(), FileError> {
        match self.nodes.get(&parent(real)) {
            Some(node) if node.is_folder() => Ok(()),
            Some(_) => Err(FileError::NotFolder),
            None => Err(FileError::NotFound),
        }
    }

    fn put(&mut self, real: String, kind: InodeKind, mode: u32, now: u64) -> Result<(), FileError> {
        allowed(&real)?;
        self.set(real, kind, mode, now)
    }

    fn set(&mut self, real: String, kind: InodeKind, mode: u32, now: u64) -> Result<(), FileError> {
        self.made += 1;
        let node = FileNode { kind, mode: mode & 0o7777, changed: now, number: self.made };
        let freed = self.nodes.get(&real).map_or(0, FileNode::cost);
        let used = (self.used - freed).saturating_add(node.cost());
        if used > self.limit {
            return Err(FileError::Full);
        }
        self.used = used;
        self.nodes.insert(real, node);
        Ok(())
    }

    fn take(&mut self, real: &str) {
        if let Some(node) = self.nodes.remove(real) {
            self.used -= node.cost();
        }
    }

    /// Everything inside a folder, however deep: the rest of the path, and the node.
    fn below<'a>(&'a self, folder: &str) -> impl Iterator<Item = (&'a str, &'a FileNode)> {
        let prefix = if folder == "/" { "/".to_owned() } else { format!("{folder}/") };
        let length = prefix.len();
        let from = self.nodes.range(prefix.clone()..);
        from.take_while(move |(path, _)| path.starts_with(&prefix))
            .map(move |(path, node)| (&path[length..], node))
            .filter(|(rest, _)| !rest.is_empty())
    }
}

/// Whether the shell's user may write here.
fn allowed(real: &str) -> Result<(), FileError> {
    let inside =
        |folder: &str| real.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    if WRITABLE.iter().any(|folder| inside(folder)) || real.starts_with("/dev/") {
        Ok(())
    } else if real.starts_with("/data") || real.starts_with("/storage") || real.starts_with("/proc") {
        Err(FileError::Denied)
    } else {
        Err(FileError::ReadOnly)
    }
}
