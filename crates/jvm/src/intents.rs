//! Other apps that are to be on the phone, by the intents that they take: a TOML file.
//!
//! ```toml
//! [[intent]]
//! action = "android.intent.action.GET_CONTENT"
//! activity = "com.android.documentsui/.DocumentsActivity"
//! file = "photo.jpg"
//! ```

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::convert;
use crate::error::JvmError;

/// One intent, and who takes it. What is not said does not matter.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TakenIntent {
    action: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    schemes: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    types: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    authorities: Option<Vec<String>>,
    /// `package/class`.
    activity: String,
    /// What is given back at once; relative to the file that this is written in.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<PathBuf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Intents {
    #[serde(default)]
    intent: Vec<TakenIntent>,
}

/// Reads them. Each file that is named is there, and is named from the root on.
pub(crate) fn read(path: &Path) -> Result<Vec<TakenIntent>, JvmError> {
    let wrong = |line: Option<usize>, why: String| JvmError::Intents { path: path.to_owned(), line, why };
    let unreadable =
        |error: std::io::Error| JvmError::Unreadable { path: path.to_owned(), why: error.to_string() };
    if !std::fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(unreadable(std::io::Error::other("it is no file")));
    }
    let text = std::fs::read_to_string(path).map_err(unreadable)?;
    let read: Intents = toml::from_str(&text).map_err(|error| {
        let line = error.span().map(|span| 1 + text[..span.start].matches('\n').count());
        wrong(line, error.message().replace('\n', " "))
    })?;
    let mut intents = read.intent;
    if intents.is_empty() {
        let none =
            "it has no intent; write [[intent]], and below it an action and an activity (package/class)";
        return Err(wrong(None, none.to_owned()));
    }
    for intent in &mut intents {
        let named =
            intent.activity.split_once('/').is_some_and(|(app, class)| !app.is_empty() && !class.is_empty());
        if !named {
            return Err(wrong(None, format!("'{}' is no activity; write package/class", intent.activity)));
        }
        if let Some(file) = &mut intent.file {
            let there = path.parent().unwrap_or(Path::new("")).join(&*file);
            *file = there
                .canonicalize()
                .map_err(|error| wrong(None, format!("{} cannot be read: {error}", there.display())))?;
        }
    }
    Ok(intents)
}

/// A hash of what they say and of what they give; none where there are none.
pub(crate) fn hash(intents: &[TakenIntent]) -> Option<blake3::Hash> {
    if intents.is_empty() {
        return None;
    }
    let mut hasher = blake3::Hasher::new();
    for intent in intents {
        // Where a file is does not matter, but what is in it.
        let said = TakenIntent { file: None, ..intent.clone() };
        hasher.update(format!("{said:?}").as_bytes());
        if let Some(file) = &intent.file {
            hasher.update(convert::hash(file).map_or([0; 32], |hash| *hash.as_bytes()).as_slice());
        }
    }
    Some(hasher.finalize())
}

/// The files that are given back.
pub(crate) fn files(intents: &[TakenIntent]) -> impl Iterator<Item = &Path> {
    intents.iter().filter_map(|intent| intent.file.as_deref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_apps_and_other_files_have_another_hash() {
        let folder = tempfile::tempdir().unwrap();
        let table = folder.path().join("intents.toml");
        let of = |action: &str, content: &str| {
            std::fs::write(folder.path().join("note.txt"), content).unwrap();
            let text = format!("[[intent]]\naction = '{action}'\nactivity = 'a/.B'\nfile = 'note.txt'\n");
            std::fs::write(&table, text).unwrap();
            hash(&read(&table).unwrap())
        };
        let first = of("VIEW", "one");
        assert_eq!((first, hash(&[])), (of("VIEW", "one"), None));
        assert_ne!(first, of("VIEW", "two"));
        assert_ne!(first, of("EDIT", "one"));
    }

    fn read_text(text: &str) -> Result<Vec<TakenIntent>, String> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("photo.jpg"), "x").unwrap();
        let path = folder.path().join("intents.toml");
        std::fs::write(&path, text).unwrap();
        let read = read(&path).map_err(|error| {
            error.to_string().replace(&folder.path().display().to_string(), "DIR").replace('\\', "/")
        })?;
        assert!(files(&read).all(|file| file.is_absolute() && file.exists()));
        Ok(read)
    }

    #[test]
    fn everything_can_be_said() {
        let read = read_text(
            "[[intent]]\naction = 'a.B'\nschemes = ['geo']\ntypes = ['image/*']\nauthorities = ['x']\n\
             activity = 'p/.C'\nfile = 'photo.jpg'\n[[intent]]\naction = 'a.C'\nactivity = 'p/q.D'\n",
        )
        .unwrap();
        assert_eq!((read.len(), files(&read).count()), (2, 1));
        let plain = serde_json::to_string(&read[1]).unwrap();
        assert_eq!(plain, r#"{"action":"a.C","activity":"p/q.D"}"#);
    }

    #[test]
    fn mistakes_are_named() {
        for (text, said) in [
            ("", "DIR/intents.toml is no table of intents: it has no intent; write [[intent]], and below it"),
            (
                "[[intent]]\naction = 'a'\n",
                "DIR/intents.toml:1 is no table of intents: missing field `activity`",
            ),
            ("[[intent]]\naction = 'a'\nactivity = 'p/q'\ntype = 'x'\n", "DIR/intents.toml:4 is no table of"),
            (
                "[[intent]]\naction = 'a'\nactivity = 'p'\n",
                "DIR/intents.toml is no table of intents: 'p' is no act",
            ),
            (
                "[[intent]]\naction = 'a'\nactivity = 'p/q'\nfile = 'no.jpg'\n",
                "DIR/intents.toml is no table of intents: DIR/no.jpg cannot be read",
            ),
        ] {
            let error = read_text(text).unwrap_err();
            assert!(error.starts_with(said), "{error}");
        }
        let absent = read(Path::new("/no/such/file")).unwrap_err().to_string();
        assert!(absent.starts_with("/no/such/file cannot be read: No such file"), "{absent}");
    }
}
