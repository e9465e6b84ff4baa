//! Observations out of JSON.

use crate::json::{Decode, Fields, Json, JsonError, JsonPath, Unknown, Wrong, read};
use crate::observation::Observation;

use super::Shape;

impl Observation {
    /// Reads an observation as its `Serialize` writes it. Unknown fields are passed over.
    pub fn from_json(text: &str) -> Result<Self, JsonError> {
        read(text)
    }
}

impl Decode for Observation {
    const EXPECTED: &'static str = "an observation, an object";

    fn decode(json: Json<'_>, path: &JsonPath<'_>, unknown: &mut Unknown) -> Result<Self, Wrong> {
        let mut fields = Fields::open::<Self>(json, Shape::Observation, path, unknown)?;
        Ok(Self {
            at: fields.need("at", unknown)?,
            package: fields.need("package", unknown)?,
            activity: fields.need("activity", unknown)?,
            tree: fields.may("tree", unknown)?,
            keyboard: fields.or_default("keyboard", unknown)?,
            orientation: fields.or_default("orientation", unknown)?,
            screen: fields.need("screen", unknown)?,
            coverage: fields.or_default("coverage", unknown)?,
            crashes: fields.or_default("crashes", unknown)?,
        })
    }
}
