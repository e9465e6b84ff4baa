//! Answers about files, in the layouts of both generations.

use crate::files::{FileError, FileNode};

/// The user and group of the shell.
const SHELL: u32 = 2000;
const DEVICE: u64 = 0xfd05;

/// Makes answers.
pub(super) struct Reply;

impl Reply {
    /// Mode, size and time; all zero when there is nothing.
    pub(super) fn status(node: Option<&FileNode>) -> Vec<u8> {
        let mut reply = b"STAT".to_vec();
        put_first(&mut reply, node);
        reply
    }

    /// The same with everything that `stat` gives, and why there is nothing.
    pub(super) fn status_2(id: [u8; 4], node: Result<&FileNode, FileError>) -> Vec<u8> {
        let mut reply = id.to_vec();
        put_second(&mut reply, node);
        reply
    }

    /// The entries of a folder, and the end of them.
    pub(super) fn list(entries: &[(&str, &FileNode)], second: bool) -> Vec<u8> {
        let mut reply = Vec::new();
        for (name, node) in entries {
            reply.extend_from_slice(if second { b"DNT2" } else { b"DENT" });
            if second {
                put_second(&mut reply, Ok(node));
            } else {
                put_first(&mut reply, Some(node));
            }
            put(&mut reply, u32::try_from(name.len()).unwrap_or(0));
            reply.extend_from_slice(name.as_bytes());
        }
        let rest = if second { 72 } else { 16 };
        reply.extend_from_slice(b"DONE");
        reply.extend(std::iter::repeat_n(0, rest));
        reply
    }
}

fn put_first(reply: &mut Vec<u8>, node: Option<&FileNode>) {
    let (mode, size, changed) =
        node.map_or((0, 0, 0), |node| (node.full_mode(), clamp(node.size()), clamp(node.changed)));
    for number in [mode, size, changed] {
        put(reply, number);
    }
}

fn put_second(reply: &mut Vec<u8>, node: Result<&FileNode, FileError>) {
    match node {
        Err(error) => {
            put(reply, error.number());
            reply.extend(std::iter::repeat_n(0, 64));
        }
        Ok(node) => {
            put(reply, 0);
            put_long(reply, DEVICE);
            put_long(reply, node.number);
            for number in [node.full_mode(), 1, SHELL, SHELL] {
                put(reply, number);
            }
            for number in [node.size(), node.changed, node.changed, node.changed] {
                put_long(reply, number);
            }
        }
    }
}

fn clamp(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn put(reply: &mut Vec<u8>, number: u32) {
    reply.extend_from_slice(&number.to_le_bytes());
}

fn put_long(reply: &mut Vec<u8>, number: u64) {
    reply.extend_from_slice(&number.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::InodeKind;

    #[test]
    fn answers_have_the_lengths_of_the_protocol() {
        let node = FileNode { kind: InodeKind::Folder, mode: 0o755, changed: 9, number: 3 };
        assert_eq!(Reply::status(Some(&node)).len(), 16);
        assert_eq!(Reply::status_2(*b"STA2", Ok(&node)).len(), 72);
        assert_eq!(Reply::status_2(*b"STA2", Err(FileError::NotFound)).len(), 72);
        assert_eq!(Reply::list(&[("ab", &node)], false).len(), 20 + 2 + 20);
        assert_eq!(Reply::list(&[("ab", &node)], true).len(), 76 + 2 + 76);
        assert_eq!(&Reply::status(None)[4..], [0; 12]);
    }
}
