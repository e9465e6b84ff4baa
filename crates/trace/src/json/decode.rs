//! How values come out of JSON.

use crate::step::Extra;

use super::path::{self, PathPart};
use super::{Json, JsonError, JsonPath};

/// A thing that can be read from JSON. Written by hand rather than derived, so that each error names its field
/// and unknown fields are kept.
pub(crate) trait Decode: Sized {
    /// What should stand there, for messages: `[x, y], two whole numbers`.
    const EXPECTED: &'static str;

    /// Reads it. `path` says where it stands.
    fn decode(json: Json<'_>, path: &JsonPath<'_>, unknown: &mut Unknown) -> Result<Self, Wrong>;

    /// Something else stands there.
    fn unexpected(json: &Json<'_>, path: &JsonPath<'_>) -> Wrong {
        path.wrong(format!("expected {}, found {}", Self::EXPECTED, json.brief()))
    }
}

/// Reads one thing that is kept on its own. Unknown fields are passed over.
pub(crate) fn read<T: Decode>(text: &str) -> Result<T, JsonError> {
    let json = Json::parse(text)?;
    T::decode(json, &JsonPath::Line, &mut Unknown::Drop).map_err(|wrong| JsonError::wrong(text, wrong))
}

/// What happens to fields that nobody knows.
#[derive(Debug)]
pub(crate) enum Unknown {
    /// They are kept for the next writing.
    Keep(Extra),
    /// They are passed over.
    Drop,
}

impl Unknown {
    /// What was kept.
    pub(crate) fn into_extra(self) -> Extra {
        match self {
            Self::Keep(extra) => extra,
            Self::Drop => Extra::default(),
        }
    }
}

/// What is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wrong {
    pub(super) at: Vec<PathPart>,
    pub(super) message: String,
}

impl Wrong {
    /// The field in words.
    pub(crate) fn field(&self) -> String {
        path::name(&self.at)
    }
}
