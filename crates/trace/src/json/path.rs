//! Where in a line something stands: `event.at[1]`.

use std::fmt;

use super::Wrong;

/// The way from the line to a value in it. It lives on the stack of the decoder: following it costs nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) enum JsonPath<'a> {
    /// The whole line.
    Line,
    /// A field of an object.
    Field(&'a JsonPath<'a>, &'a str),
    /// An item of a list.
    Item(&'a JsonPath<'a>, usize),
}

/// One part of a path that outlives the decoder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PathPart {
    Field(String),
    Item(usize),
}

impl JsonPath<'_> {
    /// The parts from the line inwards.
    pub(crate) fn parts(&self) -> Vec<PathPart> {
        match *self {
            Self::Line => Vec::new(),
            Self::Field(outer, name) => [outer.parts(), vec![PathPart::Field(name.to_owned())]].concat(),
            Self::Item(outer, nth) => [outer.parts(), vec![PathPart::Item(nth)]].concat(),
        }
    }

    /// What is wrong at this place.
    pub(crate) fn wrong(&self, message: impl Into<String>) -> Wrong {
        Wrong { at: self.parts(), message: message.into() }
    }

    /// The field at this place stands there twice. One of the two would be lost.
    pub(crate) fn stands_twice(&self) -> Wrong {
        self.wrong("this field stands twice; keep one of them")
    }
}

/// The parts in words: `event.at[1]`, nothing for the whole line.
pub(crate) fn name(parts: &[PathPart]) -> String {
    let mut name = String::new();
    for part in parts {
        if matches!(part, PathPart::Field(_)) && !name.is_empty() {
            name.push('.');
        }
        name += &part.to_string();
    }
    name
}

impl fmt::Display for PathPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name) => f.write_str(name),
            Self::Item(nth) => write!(f, "[{nth}]"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_read_like_code() {
        let event = JsonPath::Field(&JsonPath::Line, "event");
        let at = JsonPath::Field(&event, "at");
        assert_eq!(name(&JsonPath::Item(&at, 1).parts()), "event.at[1]");
        assert_eq!(name(&JsonPath::Line.parts()), "");
        assert_eq!(name(&JsonPath::Item(&JsonPath::Line, 3).parts()), "[3]");
    }
}
