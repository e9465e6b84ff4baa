//! Headers and steps out of JSON.

use crate::claim::ConfirmedRate;
use crate::json::{Decode, Fields, Json, JsonError, JsonPath, Unknown, Wrong, read, word};
use crate::state::Seen;
use crate::step::{After, AppId, Extra, Found, Header, Start, Step};

use super::Shape;

impl Decode for Header {
    const EXPECTED: &'static str =
        "a header such as {\"retap\":\"trace\",\"version\":1,\"app\":{\"package\":\"com.example\"}}";

    fn decode(json: Json<'_>, path: &JsonPath<'_>, unknown: &mut Unknown) -> Result<Self, Wrong> {
        let mut fields = Fields::open::<Self>(json, Shape::Header, path, unknown)?;
        Ok(Self {
            app: fields.need("app", unknown)?,
            start: fields.or_default("start", unknown)?,
            after: fields.may("after", unknown)?,
            device: fields.may("device", unknown)?,
            platform: fields.may("platform", unknown)?,
            screen: fields.may("screen", unknown)?,
            target: fields.may("target", unknown)?,
            seed: fields.may("seed", unknown)?,
            claim: fields.may("claim", unknown)?,
            crash: fields.may("crash", unknown)?,
            note: fields.may("note", unknown)?,
            extra: Extra::default(),
        })
    }
}

impl Decode for AppId {
    const EXPECTED: &'static str = "an app such as {\"package\":\"com.example\"}";

    fn decode(json: Json<'_>, path: &JsonPath<'_>, unknown: &mut Unknown) -> Result<Self, Wrong> {
        let mut fields = Fields::open::<Self>(json, Shape::App, path, unknown)?;
        Ok(Self { package: fields.need("package", unknown)?, build: fields.may("build", unknown)? })
    }
}

impl Decode for After {
    const EXPECTED: &'static str =
        "what came before, such as {\"trace\":\"d0-0003.trace.jsonl\",\"steps\":12}";

    fn decode(json: Json<'_>, path: &JsonPath<'_>, unknown: &mut Unknown) -> Result<Self, Wrong> {
        let mut fields = Fields::open::<Self>(json, Shape::After, path, unknown)?;
        Ok(Self { trace: fields.need("trace", unknown)?, steps: fields.need("steps", unknown)? })
    }
}

impl Decode for ConfirmedRate {
    const EXPECTED: &'static str =
        "what fresh runs showed, such as {\"reached\":20,\"runs\":20,\"before\":325}";

    fn decode(json: Json<'_>, path: &JsonPath<'_>, unknown: &mut Unknown) -> Result<Self, Wrong> {
        let mut fields = Fields::open::<Self>(json, Shape::Claim, path, unknown)?;
        let claim = Self {
            reached: fields.need("reached", unknown)?,
            runs: fields.need("runs", unknown)?,
            before: fields.need("before", unknown)?,
            digest: fields.may("digest", unknown)?,
        };
        let Self { reached, runs, .. } = claim;
        if runs == 0 || reached > runs {
            let wrong = format!("{reached} of {runs} runs cannot have reached the target");
            return Err(path.wrong(format!("{wrong}; take 'claim' out of the header")));
        }
        Ok(claim)
    }
}

impl Decode for Start {
    const EXPECTED: &'static str = "launched or stopped";

    fn decode(json: Json<'_>, path: &JsonPath<'_>, _: &mut Unknown) -> Result<Self, Wrong> {
        word(&[("launched", Self::Launched), ("stopped", Self::Stopped)], &json, path)
    }
}

impl Step {
    /// Reads a step as its `Serialize` writes it. Unknown fields are passed over.
    pub fn from_json(text: &str) -> Result<Self, JsonError> {
        read(text)
    }
}

impl Decode for Step {
    const EXPECTED: &'static str = "a step such as {\"event\":{\"do\":\"tap\",\"at\":[1,2]}}";

    fn decode(json: Json<'_>, path: &JsonPath<'_>, unknown: &mut Unknown) -> Result<Self, Wrong> {
        let mut fields = Fields::open::<Self>(json, Shape::Step, path, unknown)?;
        Ok(Self {
            event: fields.need("event", unknown)?,
            at: fields.may("at", unknown)?,
            found: fields.may("found", unknown)?,
            before: fields.may("before", unknown)?,
            after: fields.may("after", unknown)?,
            coverage: fields.or_default("coverage", unknown)?,
            crash: fields.may("crash", unknown)?,
            extra: Extra::default(),
        })
    }
}

impl Decode for Found {
    const EXPECTED: &'static str =
        "a widget that was found, such as {\"widget\":{\"text\":\"Add tag\"},\"at\":[1,2]}";

    fn decode(json: Json<'_>, path: &JsonPath<'_>, unknown: &mut Unknown) -> Result<Self, Wrong> {
        let mut fields = Fields::open::<Self>(json, Shape::Found, path, unknown)?;
        Ok(Self { widget: fields.need("widget", unknown)?, at: fields.need("at", unknown)? })
    }
}

impl Decode for Seen {
    const EXPECTED: &'static str = "a state such as {\"activity\":\"com.example.Main\"}";

    fn decode(json: Json<'_>, path: &JsonPath<'_>, unknown: &mut Unknown) -> Result<Self, Wrong> {
        let mut fields = Fields::open::<Self>(json, Shape::Seen, path, unknown)?;
        Ok(Self {
            activity: fields.need("activity", unknown)?,
            actionable: fields.may("actionable", unknown)?,
            layout: fields.may("layout", unknown)?,
            full: fields.may("full", unknown)?,
        })
    }
}
