//! The files beside a recording. The caller reads them; here they are names.

use std::collections::BTreeMap;

/// The files of a folder and below, by their paths in it, with `/` between the parts.
pub trait FilesBeside {
    /// What is in a file.
    fn read(&self, path: &str) -> Result<Vec<u8>, FileProblem>;
    /// The names of the files of a folder, in order. The folder itself is `""`.
    fn list(&self, folder: &str) -> Vec<String>;
}

/// Why a file cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileProblem {
    /// There is none.
    #[error("is not there")]
    Missing,
    /// It is not below the folder.
    #[error("lies outside the folder of the recording")]
    Outside,
    /// The system does not give it out, or it is too large.
    #[error("cannot be read: {0}")]
    Failed(String),
}

/// No files at all: of what comes from stdin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoFilesBeside;

impl FilesBeside for NoFilesBeside {
    fn read(&self, _: &str) -> Result<Vec<u8>, FileProblem> {
        Err(FileProblem::Missing)
    }

    fn list(&self, _: &str) -> Vec<String> {
        Vec::new()
    }
}

/// Files in memory.
impl FilesBeside for BTreeMap<String, Vec<u8>> {
    fn read(&self, path: &str) -> Result<Vec<u8>, FileProblem> {
        self.get(path).cloned().ok_or(FileProblem::Missing)
    }

    fn list(&self, folder: &str) -> Vec<String> {
        let inside = |path: &String| {
            let name = if folder.is_empty() { path } else { path.strip_prefix(folder)?.strip_prefix('/')? };
            (!name.contains('/')).then(|| name.to_owned())
        };
        self.keys().filter_map(inside).collect()
    }
}

/// The path of a file that another one names, from the folder of both: `sub/a.yaml` names `../b.yaml`, which is `b.yaml`.
/// What leads out of the folder is nothing.
pub(super) fn resolve(from: &str, named: &str) -> Option<String> {
    if named.starts_with('/') || named.contains(['\\', '\0']) || named.contains(':') {
        return None;
    }
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in named.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_out_of_the_folder_is_nothing() {
        let some = |path: &str| Some(path.to_owned());
        assert_eq!(resolve("flow.yaml", "sub/a.yaml"), some("sub/a.yaml"));
        assert_eq!(resolve("sub/a.yaml", "../b.yaml"), some("b.yaml"));
        assert_eq!(resolve("sub/a.yaml", "./c.yaml"), some("sub/c.yaml"));
        for out in ["../b.yaml", "/etc/passwd", "sub/../../b.yaml", "C:/b.yaml", "..\\b.yaml", "a\0b"] {
            assert_eq!(resolve("flow.yaml", out), None, "{out}");
        }
    }

    #[test]
    fn folders_have_their_own_files_only() {
        let files: BTreeMap<String, Vec<u8>> =
            ["a", "b/c", "b/d/e"].map(|path| (path.to_owned(), path.as_bytes().to_vec())).into();
        assert_eq!(files.list(""), ["a"]);
        assert_eq!(files.list("b"), ["c"]);
        assert_eq!(files.read("b/d/e"), Ok(b"b/d/e".to_vec()));
        assert_eq!(files.read("x"), Err(FileProblem::Missing));
    }
}
