//! JSON as it stands in a line: fields keep their order and even their repetitions, so that reading can say
//! what is wrong and writing can put things back where they were.

mod decode;
mod error;
mod fields;
mod path;
mod position;
mod scalars;

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Number, Value};

pub(crate) use decode::{Decode, Unknown, Wrong, read};
pub use error::JsonError;
pub(crate) use error::in_words;
pub(crate) use fields::{Fields, duplicate};
pub(crate) use path::JsonPath;
pub(crate) use scalars::word;

/// Any JSON value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json<'t> {
    Null,
    Bool(bool),
    Number(Number),
    Text(Cow<'t, str>),
    List(Vec<Json<'t>>),
    Object(Vec<(Cow<'t, str>, Json<'t>)>),
}

impl<'t> Json<'t> {
    /// Reads one value. Its strings stay where they are in the text, unless they have escapes.
    pub(crate) fn parse(text: &'t str) -> Result<Self, JsonError> {
        serde_json::from_str(text).map_err(|error| JsonError::syntax(text, &error))
    }

    /// A field of an object.
    pub(crate) fn field(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Object(fields) => fields.iter().find(|(known, _)| known == name).map(|(_, json)| json),
            _ => None,
        }
    }

    /// The value for a message: at most a few words of it.
    pub(crate) fn brief(&self) -> String {
        let mut brief = Brief { text: String::new(), left: 60 };
        if write!(brief, "{self}").is_err() {
            brief.text.push('…');
        }
        brief.text
    }

    /// The value as serde knows it. A field that stands twice is refused: one of the two would be lost.
    pub(crate) fn into_value(self, path: &JsonPath<'_>) -> Result<Value, Wrong> {
        Ok(match self {
            Self::Null => Value::Null,
            Self::Bool(yes) => Value::Bool(yes),
            Self::Number(number) => Value::Number(number),
            Self::Text(text) => Value::String(text.into_owned()),
            Self::List(items) => Value::Array(
                items
                    .into_iter()
                    .enumerate()
                    .map(|(nth, item)| item.into_value(&JsonPath::Item(path, nth)))
                    .collect::<Result<_, _>>()?,
            ),
            Self::Object(fields) => {
                if let Some(name) = duplicate(&fields) {
                    return Err(JsonPath::Field(path, name).stands_twice());
                }
                let values = fields.into_iter().map(|(name, field)| {
                    let value = field.into_value(&JsonPath::Field(path, &name))?;
                    Ok((name.into_owned(), value))
                });
                Value::Object(values.collect::<Result<_, _>>()?)
            }
        })
    }
}

impl<'t> From<&'t Value> for Json<'t> {
    fn from(value: &'t Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(yes) => Self::Bool(*yes),
            Value::Number(number) => Self::Number(number.clone()),
            Value::String(text) => Self::Text(text.into()),
            Value::Array(items) => Self::List(items.iter().map(Self::from).collect()),
            Value::Object(fields) => {
                Self::Object(fields.iter().map(|(name, field)| (name.into(), Self::from(field))).collect())
            }
        }
    }
}

impl<'de> Deserialize<'de> for Json<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyJson)
    }
}

struct AnyJson;

impl<'de> Visitor<'de> for AnyJson {
    type Value = Json<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json<'de>, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, yes: bool) -> Result<Json<'de>, E> {
        Ok(Json::Bool(yes))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Json<'de>, E> {
        Ok(Json::Number(number.into()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Json<'de>, E> {
        Ok(Json::Number(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Json<'de>, E> {
        Ok(Number::from_f64(number).map_or(Json::Null, Json::Number))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Json<'de>, E> {
        Ok(Json::Text(text.into()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json<'de>, E> {
        Ok(Json::Text(text.to_owned().into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Json<'de>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(Json::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Json<'de>, A::Error> {
        let mut fields = Vec::new();
        while let Some((Name(name), field)) = object.next_entry()? {
            fields.push((name, field));
        }
        Ok(Json::Object(fields))
    }
}

/// The name of a field. A `Cow` of its own would never borrow.
#[derive(Deserialize)]
struct Name<'t>(#[serde(borrow)] Cow<'t, str>);

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(yes) => serializer.serialize_bool(*yes),
            Self::Number(number) => number.serialize(serializer),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
            Self::Object(fields) => serializer.collect_map(fields.iter().map(|(name, json)| (name, json))),
        }
    }
}

/// As people write it, with a space after each comma.
impl fmt::Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |text: &str| Value::String(text.to_owned()).to_string();
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(yes) => write!(f, "{yes}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(&quoted(text)),
            Self::List(items) => {
                f.write_char('[')?;
                for (nth, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if nth == 0 { "" } else { ", " })?;
                }
                f.write_char(']')
            }
            Self::Object(fields) => {
                f.write_char('{')?;
                for (nth, (name, field)) in fields.iter().enumerate() {
                    write!(f, "{}{}: {field}", if nth == 0 { "" } else { ", " }, quoted(name))?;
                }
                f.write_char('}')
            }
        }
    }
}

/// Takes so many characters and then refuses: nobody reads a megabyte in an error message.
struct Brief {
    text: String,
    left: usize,
}

impl fmt::Write for Brief {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = text.char_indices().nth(self.left).map_or(text.len(), |(end, _)| end);
        self.text.push_str(&text[..end]);
        self.left -= text[..end].chars().count();
        if end < text.len() { Err(fmt::Error) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_survives() {
        let text = r#"{"b":[1,-2,0.5,"\n"],"a":{"z":null,"y":true}}"#;
        assert_eq!(serde_json::to_string(&Json::parse(text).unwrap()).unwrap(), text);
    }

    #[test]
    fn a_long_value_is_shown_in_brief() {
        let json = Json::List(vec![Json::Text("ä".repeat(100).into()); 9]);
        assert_eq!(json.brief().chars().count(), 61);
        assert!(json.brief().ends_with("ä…"));
        assert_eq!(Json::parse(r#"[1,"a",{"b":2}]"#).unwrap().brief(), r#"[1, "a", {"b": 2}]"#);
    }

    #[test]
    fn a_field_that_stands_twice_in_an_unknown_object_is_refused() {
        let json = Json::parse(r#"{"a":[{"b":1,"b":2}]}"#).unwrap();
        let wrong = json.into_value(&JsonPath::Line).unwrap_err();
        assert_eq!(wrong.field(), "a[0].b");
    }
}
