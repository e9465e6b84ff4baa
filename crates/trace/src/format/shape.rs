//! Which fields each object of the format has. Everything else is unknown, is kept, and is written back.

use crate::json::Json;

/// The kinds of object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Header,
    App,
    Claim,
    After,
    Step,
    Found,
    Event(Do),
    Widget,
    Seen,
    Crash,
    Tree,
    Node,
    Observation,
}

/// The kinds of event, by the word in their field `do`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Do {
    Launch,
    Tap,
    LongTap,
    DoubleTap,
    Swipe,
    Pinch,
    Key,
    Text,
    Rotate,
    System,
    Wait,
}

impl Shape {
    /// The fields that an object of this shape can have.
    pub(crate) fn fields(self) -> &'static [&'static str] {
        match self {
            Self::Header => &[
                "retap", "version", "app", "start", "after", "device", "platform", "screen", "target",
                "seed", "claim", "crash", "note",
            ],
            Self::Claim => &["reached", "runs", "before", "digest"],
            Self::App => &["package", "build"],
            Self::After => &["trace", "steps"],
            Self::Found => &["widget", "at"],
            Self::Step => &["event", "at", "found", "before", "after", "coverage", "crash"],
            Self::Event(kind) => kind.fields(),
            Self::Widget => {
                &["id", "text", "desc", "hint", "words", "class", "path", "id_index", "label_index"]
            }
            Self::Seen => &["activity", "actionable", "layout", "full"],
            Self::Crash => &["kind", "signature", "exception", "message", "root_cause", "frames"],
            Self::Tree => &["nodes"],
            Self::Node => &["depth", "class", "id", "text", "desc", "hint", "bounds", "flags"],
            Self::Observation => &[
                "at",
                "package",
                "activity",
                "tree",
                "keyboard",
                "orientation",
                "screen",
                "coverage",
                "crashes",
            ],
        }
    }

    /// The shape of the object in one of these fields.
    pub(crate) fn inner(self, field: &str, json: &Json<'_>) -> Option<Self> {
        match (self, field) {
            (Self::Header, "app") => Some(Self::App),
            (Self::Header, "after") => Some(Self::After),
            (Self::Header, "claim") => Some(Self::Claim),
            (Self::Step, "event") => match json.field("do") {
                Some(Json::Text(word)) => Do::from_word(word).map(Self::Event),
                _ => None,
            },
            (Self::Step, "before" | "after") => Some(Self::Seen),
            (Self::Header | Self::Step, "crash") => Some(Self::Crash),
            (Self::Step, "found") => Some(Self::Found),
            (Self::Event(_) | Self::Found, "widget") => Some(Self::Widget),
            _ => None,
        }
    }
}

impl Do {
    /// Every word, in the order in which people are told.
    pub(crate) const WORDS: [(&'static str, Self); 11] = [
        ("launch", Self::Launch),
        ("tap", Self::Tap),
        ("long_tap", Self::LongTap),
        ("double_tap", Self::DoubleTap),
        ("swipe", Self::Swipe),
        ("pinch", Self::Pinch),
        ("key", Self::Key),
        ("text", Self::Text),
        ("rotate", Self::Rotate),
        ("system", Self::System),
        ("wait", Self::Wait),
    ];

    fn from_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(known, _)| *known == word).map(|(_, kind)| *kind)
    }

    fn fields(self) -> &'static [&'static str] {
        match self {
            Self::Launch => &["do"],
            Self::Tap | Self::DoubleTap => &["do", "at", "widget", "by"],
            Self::LongTap => &["do", "at", "widget", "by", "hold"],
            Self::Swipe => &["do", "at", "widget", "by", "to", "over"],
            Self::Pinch => &["do", "at", "widget", "by", "percent", "over"],
            Self::Key => &["do", "key"],
            Self::Text => &["do", "text", "widget"],
            Self::Rotate => &["do", "to"],
            Self::System => &["do", "action", "extras"],
            Self::Wait => &["do", "time"],
        }
    }
}
