//! The six bugs of the app, and the fewest events that reach each from a launched app.
//!
//! Some events have equals, which count as the same list: `Menu` and the menu key; any note for another one; in
//! the camera, `Done`, the back key and a launch; another text where only its kind matters; any last touch or key
//! on an app that hangs. A focus that is moved by the dpad is no equal of a tap: screens ignore the dpad's centre.

use retap_trace::{CrashKind, Event, Key, Orientation};

use crate::deed::Deed::{self, LongTap, Press, System, Tap, Turn, Type};
use crate::play::{Phone, SPEC};

pub(crate) const BATTERY_LOW: &str = "android.intent.action.BATTERY_LOW";

/// A bug, and what reaches it.
#[derive(Debug)]
pub(crate) struct Bug {
    /// Its name, in the app's file and in that of its sample.
    pub(crate) name: &'static str,
    pub(crate) kind: CrashKind,
    pub(crate) signature: &'static str,
    /// The fewest deeds that reach it.
    pub(crate) deeds: &'static [Deed],
    /// Whether they always do.
    pub(crate) always: bool,
}

pub(crate) const EMPTY_HISTORY: Bug = Bug {
    name: "empty-history",
    kind: CrashKind::Java,
    signature: "IndexOutOfBoundsException@History.forgetLast#346c8d61",
    deeds: &[Tap("Search"), LongTap("Last search")],
    always: true,
};

pub(crate) const LEAKED_DIALOG: Bug = Bug {
    name: "leaked-dialog",
    kind: CrashKind::Java,
    signature: "IllegalArgumentException@WindowManagerGlobal.findViewLocked#663d4876",
    deeds: &[Tap("Settings"), Tap("Text size: Normal"), Turn(Orientation::Landscape)],
    always: true,
};

pub(crate) const UNNAMED_TAG: Bug = Bug {
    name: "unnamed-tag",
    kind: CrashKind::Java,
    signature: "IllegalStateException@EditorActivity.addTag#5cd8f2da",
    deeds: &[Tap("New note"), Tap("Tags"), Tap("Add tag"), Tap("Done")],
    always: true,
};

pub(crate) const THUMBNAIL: Bug = Bug {
    name: "thumbnail",
    kind: CrashKind::Native,
    signature: "SIGSEGV@libthumbs.so.thumb_scale_row#e10d8083",
    deeds: &[Tap("Books to read"), Tap("Attach photo"), Tap("Allow"), Tap("Done"), System(BATTERY_LOW)],
    always: true,
};

pub(crate) const SYNC_CONFLICT: Bug = Bug {
    name: "sync-conflict",
    kind: CrashKind::Java,
    signature: "ConcurrentModificationException@Merger.keepBoth#e800c0bc",
    deeds: &[
        Tap("Menu"),
        Tap("Account"),
        Type("someone@example.com", "email"),
        Type("secret", "password"),
        Tap("Sign in"),
        Tap("Sync now"),
        Tap("Keep both"),
    ],
    always: false,
};

pub(crate) const UNDO_RESTORE: Bug = Bug {
    name: "undo-restore",
    kind: CrashKind::Anr,
    signature: "ANR@ArchiveActivity.undoRestore#1a5eae68",
    deeds: &[
        Tap("New note"),
        Type("Call the bank", "title"),
        Tap("Save"),
        Tap("Archive"),
        Tap("Archive"),
        LongTap("Call the bank"),
        Tap("Restore"),
        Tap("Undo"),
        Press(Key::DPAD_DOWN),
    ],
    always: true,
};

/// All of them, from the shallowest to the deepest.
pub(crate) const BUGS: [&Bug; 6] =
    [&EMPTY_HISTORY, &LEAKED_DIALOG, &UNNAMED_TAG, &THUMBNAIL, &SYNC_CONFLICT, &UNDO_RESTORE];

impl Bug {
    /// The deeds as events, with their places on the screens that they lead to.
    pub(crate) fn events(&self) -> Vec<Event> {
        Phone::new(SPEC).events_of(self.deeds)
    }

    /// The device on which they always reach it.
    pub(crate) fn sure_spec(&self) -> &'static str {
        if self.always { SPEC } else { "sim:notes?flaky=1" }
    }
}
