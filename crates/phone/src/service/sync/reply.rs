//! Answers about files, in the layouts of both generations.

use crate::files::{FileError, FileNode};

/// The user and group of the shell.
const SHELL: u32 = 2000;
const DEVICE: u64 = 0xfd05;

/// Mode, size and time; all zero when there is nothing.
pub(super) fn status(node: Option<&FileNode>) -> Vec<u8> {
    [b"STAT", &*first(node)].concat()
}

/// The same with everything that `stat` gives, and why there is nothing.
pub(super) fn status_2(id: [u8; 4], node: Result<&FileNode, FileError>) -> Vec<u8> {
    [&id, &*second(node)].concat()
}

/// The entries of a folder, and the end of them.
pub(super) fn list(entries: &[(&str, &FileNode)], generation_2: bool) -> Vec<u8> {
    let mut reply = Vec::new();
    for (name, node) in entries {
        let (id, facts) =
            if generation_2 { (b"DNT2", second(Ok(node))) } else { (b"DENT", first(Some(node))) };
        let length = u32::try_from(name.len()).unwrap_or(0).to_le_bytes();
        reply.extend([id, &*facts, &length, name.as_bytes()].concat());
    }
    reply.extend_from_slice(b"DONE");
    reply.extend(std::iter::repeat_n(0, if generation_2 { 72 } else { 16 }));
    reply
}

fn first(node: Option<&FileNode>) -> Vec<u8> {
    let clamp = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let facts = node.map_or([0; 3], |node| [node.full_mode(), clamp(node.size()), clamp(node.changed)]);
    facts.map(u32::to_le_bytes).concat()
}

fn second(node: Result<&FileNode, FileError>) -> Vec<u8> {
    let node = match node {
        Ok(node) => node,
        Err(error) => return [&error.number().to_le_bytes(), &[0; 64][..]].concat(),
    };
    let owner = [node.full_mode(), 1, SHELL, SHELL].map(u32::to_le_bytes).concat();
    let times = [node.size(), node.changed, node.changed, node.changed].map(u64::to_le_bytes).concat();
    [vec![0; 4], [DEVICE, node.number].map(u64::to_le_bytes).concat(), owner, times].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::InodeKind;

    #[test]
    fn answers_have_the_lengths_of_the_protocol() {
        let node = FileNode { kind: InodeKind::Folder, mode: 0o755, changed: 9, number: 3 };
        assert_eq!(status(Some(&node)).len(), 16);
        assert_eq!(status_2(*b"STA2", Ok(&node)).len(), 72);
        assert_eq!(status_2(*b"STA2", Err(FileError::NotFound)).len(), 72);
        assert_eq!(list(&[("ab", &node)], false).len(), 20 + 2 + 20);
        assert_eq!(list(&[("ab", &node)], true).len(), 76 + 2 + 76);
        assert_eq!(&status(None)[4..], [0; 12]);
    }
}
