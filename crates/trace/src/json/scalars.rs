//! Numbers, strings, words and lists.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::Arc;

use crate::claim::TraceDigest;
use crate::geometry::{Point, Rect, Size};
use crate::key::Key;
use crate::selector::WidgetPath;
use crate::state::StateKey;
use crate::step::CoverageId;
use crate::target::Target;
use crate::time::Micros;

use super::{Decode, Json, JsonPath, Unknown, Wrong};

impl Decode for bool {
    const EXPECTED: &'static str = "true or false";

    fn decode(json: Json<'_>, path: &JsonPath<'_>, _: &mut Unknown) -> Result<Self, Wrong> {
        match json {
            Json::Bool(yes) => Ok(yes),
            _ => Err(Self::unexpected(&json, path)),
        }
    }
}

macro_rules! whole_numbers {
    ($($number:ty: $expected:literal,)*) => {
        $(impl Decode for $number {
            const EXPECTED: &'static str = $expected;

            fn decode(json: Json<'_>, path: &JsonPath<'_>, _: &mut Unknown) -> Result<Self, Wrong> {
                whole(&json).ok_or_else(|| Self::unexpected(&json, path))
            }
        })*
    };
}

whole_numbers! {
    i32: "a whole number from -2147483648 to 2147483647",
    u32: "a whole number from 0 to 4294967295",
    u64: "a whole number from 0 to 18446744073709551615",
}

fn whole<T: TryFrom<i128>>(json: &Json<'_>) -> Option<T> {
    let Json::Number(number) = json else { return None };
    let number = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))?;
    T::try_from(number).ok()
}

impl Decode for Micros {
    const EXPECTED: &'static str = "a time in whole microseconds";

    fn decode(json: Json<'_>, path: &JsonPath<'_>, _: &mut Unknown) -> Result<Self, Wrong> {
        whole(&json).map(Self).ok_or_else(|| Self::unexpected(&json, path))
    }
}

impl Decode for CoverageId {
    const EXPECTED: &'static str = "the number of a piece of code, from 0 to 4294967295";

    fn decode(json: Json<'_>, path: &JsonPath<'_>, _: &mut Unknown) -> Result<Self, Wrong> {
        whole(&json).map(Self).ok_or_else(|| Self::unexpected(&json, path))
    }
}

impl Decode for String {
    const EXPECTED: &'static str = "a string";

    fn decode(json: Json<'_>, path: &JsonPath<'_>, _: &mut Unknown) -> Result<Self, Wrong> {
        match json {
            Json::Text(text) => Ok(text.into_owned()),
            _ => Err(Self::unexpected(&json, path)),
        }
    }
}

impl Decode for Arc<str> {
    const EXPECTED: &'static str = String::EXPECTED;

    fn decode(json: Json<'_>, path: &JsonPath<'_>, _: &mut Unknown) -> Result<Self, Wrong> {
        match json {
            Json::Text(text) => Ok(text.into()),
            _ => Err(Self::unexpected(&json, path)),
        }
    }
}

impl<T: Decode> Decode for Vec<T> {
    const EXPECTED: &'static str = "a list";

    fn decode(json: Json<'_>, path: &JsonPath<'_>, unknown: &mut Unknown) -> Result<Self, Wrong> {
        let Json::List(items) = json else { return Err(Self::unexpected(&json, path)) };
        let items = items.into_iter().enumerate();
        items.map(|(nth, item)| T::decode(item, &JsonPath::Item(path, nth), unknown)).collect()
    }
}

impl Decode for BTreeMap<String, String> {
    const EXPECTED: &'static str = "an object of strings";

    fn decode(json: Json<'_>, path: &JsonPath<'_>, unknown: &mut Unknown) -> Result<Self, Wrong> {
        let Json::Object(fields) = json else { return Err(Self::unexpected(&json, path)) };
        let mut map = Self::new();
        for (name, field) in fields {
            let here = JsonPath::Field(path, &name);
            let text = String::decode(field, &here, unknown)?;
            if map.insert(name.to_string(), text).is_some() {
                return Err(here.stands_twice());
            }
        }
        Ok(map)
    }
}

impl Decode for Point {
    const EXPECTED: &'static str = "[x, y], two whole numbers";

    fn decode(json: Json<'_>, path: &JsonPath<'_>, unknown: &mut Unknown) -> Result<Self, Wrong> {
        let [x, y] = numbers::<Self, i32, 2>(json, path, unknown)?;
        Ok(Self::new(x, y))
    }
}

impl Decode for Size {
    const EXPECTED: &'static str = "[width, height], two whole numbers";

    fn decode(json: Json<'_>, path: &JsonPath<'_>, unknown: &mut Unknown) -> Result<Self, Wrong> {
        let [width, height] = numbers::<Self, u32, 2>(json, path, unknown)?;
        Ok(Self { width, height })
    }
}

impl Decode for Rect {
    const EXPECTED: &'static str = "[left, top, right, bottom], four whole numbers";

    fn decode(json: Json<'_>, path: &JsonPath<'_>, unknown: &mut Unknown) -> Result<Self, Wrong> {
        let [left, top, right, bottom] = numbers::<Self, i32, 4>(json, path, unknown)?;
        Ok(Self::new(left, top, right, bottom))
    }
}

/// A list of so many numbers. A list of another shape is wrong as a whole; a number that does not fit is wrong
/// alone.
fn numbers<T: Decode, N: Decode + Default + Copy, const COUNT: usize>(
    json: Json<'_>,
    path: &JsonPath<'_>,
    unknown: &mut Unknown,
) -> Result<[N; COUNT], Wrong> {
    match json {
        Json::List(items)
            if items.len() == COUNT && items.iter().all(|item| matches!(item, Json::Number(_))) =>
        {
            let mut numbers = [N::default(); COUNT];
            for (nth, item) in items.into_iter().enumerate() {
                numbers[nth] = N::decode(item, &JsonPath::Item(path, nth), unknown)?;
            }
            Ok(numbers)
        }
        _ => Err(T::unexpected(&json, path)),
    }
}

macro_rules! written_as_strings {
    ($($noun:ty: $expected:literal,)*) => {
        $(impl Decode for $noun {
            const EXPECTED: &'static str = $expected;

            fn decode(json: Json<'_>, path: &JsonPath<'_>, _: &mut Unknown) -> Result<Self, Wrong> {
                match json {
                    Json::Text(text) => Self::from_str(&text).map_err(|why| path.wrong(why)),
                    _ => Err(Self::unexpected(&json, path)),
                }
            }
        })*
    };
}

written_as_strings! {
    Key: "the name of a key, such as \"back\" or \"code:4\"",
    StateKey: "a state key, a string of 16 hexadecimal digits",
    Target: "a target, such as \"crash\" or \"activity:NAME\"",
    TraceDigest: "a digest, a string of 16 hexadecimal digits",
    WidgetPath: "a path in the tree, such as \"0/2/1\"",
}

/// One of a few words.
pub(crate) fn word<T: Copy>(words: &[(&str, T)], json: &Json<'_>, path: &JsonPath<'_>) -> Result<T, Wrong> {
    let known = |text: &str| words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
    let found = if let Json::Text(text) = json { known(text) } else { None };
    found.ok_or_else(|| {
        let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        path.wrong(format!("expected one of {}, found {}", words.join(", "), json.brief()))
    })
}
