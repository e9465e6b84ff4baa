//! The fields that a tool takes: what clients are told of them, and whether what was given fits. A refusal is one sentence
//! that names the field and says what it takes.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Map, Value, json};

/// A field of a tool's input.
#[derive(Debug, Clone, Copy)]
pub(crate) struct InputField {
    pub(crate) name: &'static str,
    /// What it is, for a model or a person.
    pub(crate) about: &'static str,
    pub(crate) takes: Takes,
    pub(crate) required: bool,
    /// What could be given.
    pub(crate) example: &'static str,
}

/// What a field takes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Takes {
    /// Any text.
    Text,
    /// A file or a folder.
    Path,
    /// A name of a table.
    Name(NameTable),
    /// A whole number between these.
    Whole(u64, u64),
    /// A number from 0 to 1.
    Rate,
    /// Yes or no.
    Flag,
}

/// Names, with a line about each; and what they are names of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NameTable {
    pub(crate) of: &'static str,
    pub(crate) names: fn() -> Vec<(&'static str, &'static str)>,
}

/// What was given, once it fits.
#[derive(Debug, Clone)]
pub(crate) struct Arguments(BTreeMap<&'static str, Value>);

/// A field that need not be given.
pub(crate) const fn optional(
    name: &'static str,
    takes: Takes,
    example: &'static str,
    about: &'static str,
) -> InputField {
    InputField { name, about, takes, required: false, example }
}

/// A field that must be given.
pub(crate) const fn required(
    name: &'static str,
    takes: Takes,
    example: &'static str,
    about: &'static str,
) -> InputField {
    InputField { name, about, takes, required: true, example }
}

impl InputField {
    fn schema(&self) -> Value {
        let mut schema = match self.takes {
            Takes::Text | Takes::Path => json!({"type": "string", "minLength": 1}),
            Takes::Name(table) => {
                let names: Vec<&str> = (table.names)().into_iter().map(|(name, _)| name).collect();
                json!({"type": "string", "enum": names})
            }
            Takes::Whole(least, most) => json!({"type": "integer", "minimum": least, "maximum": most}),
            Takes::Rate => json!({"type": "number", "minimum": 0, "maximum": 1}),
            Takes::Flag => json!({"type": "boolean"}),
        };
        let mut about = self.about.to_owned();
        if let Takes::Name(table) = self.takes {
            let lines = (table.names)().into_iter().map(|(name, about)| format!("{name}: {about}"));
            about = format!("{about}. {}", lines.collect::<Vec<_>>().join("; "));
        }
        schema["description"] = about.into();
        schema["examples"] = json!([self.example()]);
        schema
    }

    fn example(&self) -> Value {
        serde_json::from_str(self.example).unwrap_or_else(|_| self.example.into())
    }

    /// What is given, as this field takes it.
    fn taken(&self, given: Value) -> Result<Value, String> {
        let fits = match (&self.takes, &given) {
            (Takes::Text | Takes::Path, Value::String(text)) => !text.is_empty() && !text.contains('\0'),
            (Takes::Name(table), Value::String(name)) => {
                let names: Vec<&str> = (table.names)().into_iter().map(|(name, _)| name).collect();
                if !names.contains(&&**name) {
                    return Err(format!("{}: {}", self.name, retap_trace::unknown(table.of, name, &names)));
                }
                true
            }
            (Takes::Whole(least, most), _) => {
                whole(&given).is_some_and(|number| (*least..=*most).contains(&number))
            }
            (Takes::Rate, _) => given.as_f64().is_some_and(|rate| (0.0..=1.0).contains(&rate)),
            (Takes::Flag, Value::Bool(_)) => true,
            _ => false,
        };
        if fits { Ok(given) } else { Err(self.refusal(&given)) }
    }

    fn refusal(&self, given: &Value) -> String {
        let takes = match self.takes {
            Takes::Text => "a text".to_owned(),
            Takes::Path => "a path".to_owned(),
            Takes::Name(table) => format!("the name of a {}", table.of),
            Takes::Whole(least, most) => format!("a whole number from {least} to {most}"),
            Takes::Rate => "a number from 0 to 1".to_owned(),
            Takes::Flag => "true or false".to_owned(),
        };
        let mut given = given.to_string();
        if given.chars().count() > 60 {
            given = given.chars().take(60).chain("...".chars()).collect();
        }
        format!("{} takes {takes}, such as {}, not {given}", self.name, self.example())
    }
}

/// A whole number, also where it is written with a point: schemas take `5.0` for one.
fn whole(value: &Value) -> Option<u64> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is whole and small")]
    let rounded =
        |number: f64| (number.fract() == 0.0 && (0.0..9e15).contains(&number)).then_some(number as u64);
    value.as_u64().or_else(|| value.as_f64().and_then(rounded))
}

/// The schema of all fields together: anything else is refused.
pub(crate) fn schema(fields: &[InputField]) -> Map<String, Value> {
    let properties: Map<String, Value> =
        fields.iter().map(|field| (field.name.to_owned(), field.schema())).collect();
    let needed: Vec<&str> = fields.iter().filter(|field| field.required).map(|field| field.name).collect();
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": properties,
        "required": needed,
        "additionalProperties": false,
    });
    schema.as_object().cloned().unwrap_or_default()
}

impl Arguments {
    /// What was given to a tool with these fields. A field that is null was not given.
    pub(crate) fn read(fields: &[InputField], given: Map<String, Value>) -> Result<Self, String> {
        let mut taken = BTreeMap::new();
        for (name, value) in given {
            let Some(field) = fields.iter().find(|field| field.name == name) else {
                let known: Vec<&str> = fields.iter().map(|field| field.name).collect();
                return Err(retap_trace::unknown("field", &name, &known));
            };
            if !value.is_null() {
                taken.insert(field.name, field.taken(value)?);
            }
        }
        match fields.iter().find(|field| field.required && !taken.contains_key(field.name)) {
            None => Ok(Self(taken)),
            Some(field) => Err(format!("{} is missing; give it, such as {}", field.name, field.example())),
        }
    }

    /// The fields that were given.
    pub(crate) fn given(&self) -> impl Iterator<Item = &'static str> {
        self.0.keys().copied()
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    pub(crate) fn owned(&self, name: &str) -> Option<String> {
        self.text(name).map(str::to_owned)
    }

    pub(crate) fn path(&self, name: &str) -> Option<PathBuf> {
        self.text(name).map(PathBuf::from)
    }

    pub(crate) fn whole(&self, name: &str) -> Option<u64> {
        self.0.get(name).and_then(whole)
    }

    /// A number whose field takes no larger ones.
    pub(crate) fn small(&self, name: &str) -> Option<u32> {
        self.whole(name).and_then(|number| u32::try_from(number).ok())
    }

    pub(crate) fn rate(&self, name: &str) -> Option<f64> {
        self.0.get(name).and_then(Value::as_f64)
    }

    pub(crate) fn flag(&self, name: &str) -> Option<bool> {
        self.0.get(name).and_then(Value::as_bool)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLOURS: NameTable =
        NameTable { of: "colour", names: || vec![("red", "as blood"), ("green", "as grass")] };
    const FIELDS: &[InputField] = &[
        required("file", Takes::Path, "a.txt", "A file"),
        optional("colour", Takes::Name(COLOURS), "red", "Its colour"),
        optional("count", Takes::Whole(1, 100), "20", "How many"),
        optional("rate", Takes::Rate, "0.9", "How often"),
        optional("loud", Takes::Flag, "true", "Whether it is heard"),
    ];

    fn read(given: Value) -> Result<Arguments, String> {
        let Value::Object(given) = given else { panic!("an object") };
        Arguments::read(FIELDS, given)
    }

    #[test]
    fn what_fits_is_taken() {
        let all =
            read(json!({"file": "x", "colour": "green", "count": 7.0, "rate": 1, "loud": false})).unwrap();
        assert_eq!(
            (all.text("colour"), all.small("count"), all.rate("rate")),
            (Some("green"), Some(7), Some(1.0))
        );
        assert_eq!((all.flag("loud"), all.path("file")), (Some(false), Some("x".into())));
        let few = read(json!({"file": "x", "count": null})).unwrap();
        assert_eq!((few.whole("count"), few.given().collect::<Vec<_>>()), (None, vec!["file"]));
    }

    #[test]
    fn a_refusal_names_the_field_and_what_it_takes() {
        for (given, said) in [
            (json!({}), "file is missing; give it, such as \"a.txt\""),
            (json!({"file": ""}), "file takes a path, such as \"a.txt\", not \"\""),
            (json!({"file": 3}), "file takes a path, such as \"a.txt\", not 3"),
            (
                json!({"file": "x", "color": 1}),
                "there is no field 'color'; did you mean `colour`? there are file, colour, count, rate and loud",
            ),
            (
                json!({"file": "x", "colour": "gren"}),
                "colour: there is no colour 'gren'; did you mean `green`? there are red and green",
            ),
            (json!({"file": "x", "colour": 1}), "colour takes the name of a colour, such as \"red\", not 1"),
            (json!({"file": "x", "count": 0}), "count takes a whole number from 1 to 100, such as 20, not 0"),
            (
                json!({"file": "x", "count": "7"}),
                "count takes a whole number from 1 to 100, such as 20, not \"7\"",
            ),
            (
                json!({"file": "x", "count": 7.5}),
                "count takes a whole number from 1 to 100, such as 20, not 7.5",
            ),
            (json!({"file": "x", "rate": -0.1}), "rate takes a number from 0 to 1, such as 0.9, not -0.1"),
            (json!({"file": "x", "loud": "yes"}), "loud takes true or false, such as true, not \"yes\""),
        ] {
            assert_eq!(read(given).unwrap_err(), said);
        }
    }

    #[test]
    fn the_schema_says_the_same() {
        let schema = Value::Object(schema(FIELDS));
        assert_eq!(schema["required"], json!(["file"]));
        assert_eq!(schema["additionalProperties"], json!(false));
        assert_eq!(schema["properties"]["colour"]["enum"], json!(["red", "green"]));
        assert_eq!(
            schema["properties"]["colour"]["description"],
            "Its colour. red: as blood; green: as grass"
        );
        assert_eq!(schema["properties"]["count"]["examples"], json!([20]));
    }
}
