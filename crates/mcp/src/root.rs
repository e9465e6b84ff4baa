//! Paths stay in a folder, wherever symbolic links lead, and are of files and folders.

use std::path::{Component, Path, PathBuf};

/// The folder that all paths must be in. Relative paths are relative to the current folder.
#[derive(Debug, Clone)]
pub(crate) struct ServerRoot {
    folder: PathBuf,
}

impl ServerRoot {
    /// Everything stays in this folder, which must be there.
    pub(crate) fn to(root: &Path) -> Result<Self, String> {
        let whole = root.canonicalize().map_err(|why| format!("the folder {}: {why}", root.display()))?;
        if whole.is_dir() {
            Ok(Self { folder: whole })
        } else {
            Err(format!("{} is not a folder", root.display()))
        }
    }

    /// Refuses a path that leads out of the folder, or to what is neither a file nor a folder: a pipe may never end, and
    /// nobody could stop who reads it. `what` names the path.
    pub(crate) fn check(&self, what: &str, path: &Path) -> Result<(), String> {
        let outside = || {
            format!(
                "{what}: {} is outside of {}, to which this server is confined; name a path in it, or start the server \
                 with another --root",
                path.display(),
                self.folder.display()
            )
        };
        let whole = resolved(path).map_err(|why| {
            // Why a path outside cannot be followed tells what is there.
            let inside = std::path::absolute(path).is_ok_and(|path| is_below(&path, &self.folder));
            if inside { format!("{what}: {}: {why}", path.display()) } else { outside() }
        })?;
        if !whole.starts_with(&self.folder) {
            return Err(outside());
        }
        match whole.metadata() {
            Ok(found) if !found.is_file() && !found.is_dir() => Err(format!(
                "{what}: {} is neither a file nor a folder, such as a pipe; name a file or a folder",
                path.display()
            )),
            _ => Ok(()),
        }
    }

    /// Refuses a folder with links, at any depth, that lead out of the folder.
    pub(crate) fn check_links(&self, what: &str, folder: &Path) -> Result<(), String> {
        let unread = |why: std::io::Error| format!("{what}: {}: {why}", folder.display());
        for entry in folder.read_dir().map_err(unread)? {
            let entry = entry.map_err(unread)?;
            let kind = entry.file_type().map_err(unread)?;
            if kind.is_symlink() {
                self.check(what, &entry.path())?;
            } else if kind.is_dir() {
                self.check_links(what, &entry.path())?;
            }
        }
        Ok(())
    }
}

/// Whether a path is in a folder by its names alone.
fn is_below(path: &Path, folder: &Path) -> bool {
    path.starts_with(folder) && !path.components().any(|part| part == Component::ParentDir)
}

/// The path with all links followed, also where its end is not there yet.
fn resolved(path: &Path) -> std::io::Result<PathBuf> {
    let mut there = std::path::absolute(path)?;
    let mut missing = Vec::new();
    loop {
        match there.canonicalize() {
            Ok(whole) => {
                let ends = missing.iter().rev();
                return Ok(ends.fold(whole, |path: PathBuf, name| path.join(name)));
            }
            // A link that leads nowhere could lead anywhere tomorrow.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && !there.is_symlink() => {
                let Some(Component::Normal(name)) = there.components().next_back() else { return Err(error) };
                missing.push(name.to_owned());
                if !there.pop() {
                    return Err(error);
                }
            }
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn paths_stay_inside() {
        let scratch = tempfile::tempdir().unwrap();
        let (root, other) = (scratch.path().join("root"), scratch.path().join("other"));
        for folder in [&root, &other] {
            fs::create_dir_all(folder.join("deep")).unwrap();
        }
        fs::write(other.join("secret"), "").unwrap();
        let allowed = ServerRoot::to(&root).unwrap();
        let may = |path: &str| allowed.check("out", &root.join(path)).is_ok();
        for inside in ["", "new", "deep/new/newer", "deep/../new", "./deep"] {
            assert!(may(inside), "{inside}");
        }
        let elsewhere = other.join("secret");
        for outside in ["..", "../other", "../other/secret", "../new", "deep/../../other", "new/../../other"]
        {
            assert!(!may(outside), "{outside}");
        }
        assert!(!may(elsewhere.to_str().unwrap()));
        assert!(!may("/"));
        for unread in ["../other/secret/deeper", "../other/secret/../x"] {
            let said = allowed.check("out", &root.join(unread)).unwrap_err();
            assert!(said.contains("is outside of"), "what is there is told: {said}");
        }
        let said = allowed.check("out", &elsewhere).unwrap_err();
        assert!(said.starts_with("out: ") && said.contains("is outside of"), "{said}");
        assert!(ServerRoot::to(&scratch.path().join("nowhere")).is_err());
        assert!(ServerRoot::to(&elsewhere).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed() {
        use std::os::unix::fs::symlink;

        let scratch = tempfile::tempdir().unwrap();
        let (root, other) = (scratch.path().join("root"), scratch.path().join("other"));
        for folder in [&root, &other] {
            fs::create_dir_all(folder.join("deep")).unwrap();
        }
        symlink(&other, root.join("away")).unwrap();
        symlink(root.join("deep"), root.join("near")).unwrap();
        symlink(scratch.path().join("nowhere"), root.join("dangling")).unwrap();
        let allowed = ServerRoot::to(&root).unwrap();
        let may = |path: &str| allowed.check("out", &root.join(path)).is_ok();
        assert!(may("near") && may("near/new"));
        assert!(!may("away") && !may("away/deep") && !may("away/new/newer"));
        assert!(!may("dangling") && !may("dangling/new"));
        let links = |path: &str| allowed.check_links("out", &root.join(path));
        assert!(links("deep").is_ok());
        fs::create_dir_all(root.join("deep/er")).unwrap();
        symlink(root.join("near"), root.join("deep/er/near")).unwrap();
        assert!(links("deep").is_ok());
        symlink(scratch.path().join("nowhere"), root.join("deep/er/session.db")).unwrap();
        assert!(links("deep").unwrap_err().contains("deep/er/session.db"));
    }
}
