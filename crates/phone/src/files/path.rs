//! Paths as text. Those of nodes are absolute, without dots, doubled slashes and a slash at the end.

/// The parts of a path that mean something, `..` among them.
pub(super) fn parts(path: &str) -> impl DoubleEndedIterator<Item = &str> {
    path.split('/').filter(|part| !part.is_empty() && *part != ".")
}

/// A path inside a folder; an absolute one is taken as it is.
pub(crate) fn join(folder: &str, rest: &str) -> String {
    if rest.starts_with('/') {
        return rest.to_owned();
    }
    let folder = folder.trim_end_matches('/');
    format!("{folder}/{rest}")
}

/// The folder that something is in; the root is in itself.
pub(crate) fn parent(path: &str) -> String {
    let path = path.trim_end_matches('/');
    match path.rsplit_once('/') {
        Some(("", _)) | None => "/".to_owned(),
        Some((folder, _)) => folder.to_owned(),
    }
}

/// The last part of a path.
pub(crate) fn name(path: &str) -> &str {
    let path = path.trim_end_matches('/');
    path.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or("/")
}
