//! The apps that ship with retap, by name.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LibraryApp {
    /// Its name, as in `sim:notes`.
    pub name: &'static str,
    /// Its file.
    pub text: &'static str,
}

macro_rules! library {
    ($($name:literal,)*) => {
        &[$(LibraryApp { name: $name, text: include_str!(concat!("../apps/", $name, ".app")) },)*]
    };
}

/// All apps, in the order in which they are listed. The file of `"notes"` is `apps/notes.app`.
pub const APPS: &[LibraryApp] = library!["notes", "diner", "dalvik", "addi", "flashcards", "filebrowser",];

pub fn names() -> impl Iterator<Item = &'static str> {
    APPS.iter().map(|app| app.name)
}

/// The file of an app.
pub fn text(name: &str) -> Option<&'static str> {
    APPS.iter().find(|app| app.name == name).map(|app| app.text)
}
