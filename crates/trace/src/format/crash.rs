//! Crashes out of JSON.

use crate::crash::{Crash, CrashKind, Frame, Signature};
use crate::json::{Decode, Fields, Json, JsonError, JsonPath, Unknown, Wrong, read, word};

use super::Shape;

impl Crash {
    /// Reads a crash as its `Serialize` writes it. Unknown fields are passed over.
    pub fn from_json(text: &str) -> Result<Self, JsonError> {
        read(text)
    }
}

impl Decode for Crash {
    const EXPECTED: &'static str =
        "a crash such as {\"kind\":\"java\",\"signature\":\"..\",\"exception\":\"..\"}";

    fn decode(json: Json<'_>, path: &JsonPath<'_>, unknown: &mut Unknown) -> Result<Self, Wrong> {
        let mut fields = Fields::open::<Self>(json, Shape::Crash, path, unknown)?;
        Ok(Self {
            kind: fields.need("kind", unknown)?,
            signature: fields.need("signature", unknown)?,
            exception: fields.need("exception", unknown)?,
            message: fields.or_default("message", unknown)?,
            root_cause: fields.may("root_cause", unknown)?,
            frames: fields.or_default("frames", unknown)?,
        })
    }
}

impl Decode for CrashKind {
    const EXPECTED: &'static str = "java, anr, native or javascript";

    fn decode(json: Json<'_>, path: &JsonPath<'_>, _: &mut Unknown) -> Result<Self, Wrong> {
        let words = Self::ALL.map(|kind| (kind.word(), kind));
        word(&words, &json, path)
    }
}

impl Decode for Signature {
    const EXPECTED: &'static str = "a signature, a string";

    fn decode(json: Json<'_>, path: &JsonPath<'_>, _: &mut Unknown) -> Result<Self, Wrong> {
        match json {
            Json::Text(text) => Ok(Self(text.into())),
            _ => Err(Self::unexpected(&json, path)),
        }
    }
}

impl Decode for Frame {
    const EXPECTED: &'static str = "a line of a stack, a string";

    fn decode(json: Json<'_>, path: &JsonPath<'_>, _: &mut Unknown) -> Result<Self, Wrong> {
        match json {
            Json::Text(text) => Ok(Self(text.into_owned())),
            _ => Err(Self::unexpected(&json, path)),
        }
    }
}
