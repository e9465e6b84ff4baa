//! The tools. A new one is a file with a [`ToolKind`], and a line in [`TOOLS`].

mod explore;
mod export;
mod reduce;
mod replay;
mod show;

use std::sync::Arc;

use retap_explore::STRATEGIES;
use retap_formats::EXPORTERS;
use retap_reduce::{schedule, search};
use retap_show::count;
use rmcp::model::{Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::arguments::{InputField, NameTable, Takes, optional, schema};
use crate::call::Call;

/// A tool.
pub(crate) struct ToolKind {
    pub(crate) name: &'static str,
    title: &'static str,
    about: &'static str,
    pub(crate) fields: &'static [InputField],
    effect: ToolEffect,
    answers: fn() -> Map<String, Value>,
    pub(crate) run: fn(&Call<'_>) -> Result<ToolAnswer, String>,
}

/// What a tool does to what is there. Clients ask people, or do not, by what they are told of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ToolEffect {
    /// It leaves everything as it is.
    Reads,
    /// It adds files.
    Writes,
    /// It makes devices fresh: of a phone, the data of the app are cleared.
    Resets,
}

/// What a tool answers: texts for a model or a person, and the same as data.
pub(crate) struct ToolAnswer {
    pub(crate) texts: Vec<String>,
    pub(crate) data: Value,
}

/// The result of a job as `--json` prints it.
#[derive(Serialize, JsonSchema)]
struct JobAnswer<'a, T> {
    #[serde(flatten)]
    result: &'a T,
    /// What there is to know besides.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notices: &'a [String],
}

/// All tools.
pub(crate) const TOOLS: &[ToolKind] = &[explore::TOOL, reduce::TOOL, replay::TOOL, show::TOOL, export::TOOL];

const STRATEGY: NameTable =
    NameTable { of: "strategy", names: || STRATEGIES.iter().map(|kind| (kind.name, kind.about)).collect() };
const SEARCH: NameTable = NameTable {
    of: "search",
    names: || search::SEARCHES.iter().map(|kind| (kind.name, kind.about)).collect(),
};
const SCHEDULE: NameTable = NameTable {
    of: "schedule",
    names: || schedule::SCHEDULES.iter().map(|kind| (kind.name, kind.about)).collect(),
};
const EXPORTER: NameTable =
    NameTable { of: "exporter", names: || EXPORTERS.iter().map(|kind| (kind.name, kind.about)).collect() };

/// Fields that several tools have.
const DEVICES: InputField =
    optional("devices", Takes::Whole(1, 1000), "4", "How many devices are used at once [default: 1]");
const SEED: InputField = optional(
    "seed",
    Takes::Whole(0, u64::MAX),
    "7",
    "The number from which all chance comes: on a simulated device, one seed is one run [default: 1]",
);
const DEVICE_OF_TRACE: InputField = optional(
    "device",
    Takes::Text,
    "sim:notes",
    "The device, as explore takes it [default: the one on which the trace was recorded]",
);

impl ToolKind {
    /// As clients are told of it.
    pub(crate) fn described(&self) -> Tool {
        let annotations = ToolAnnotations::new()
            .read_only(self.effect == ToolEffect::Reads)
            .destructive(self.effect == ToolEffect::Resets)
            .open_world(false);
        Tool::new(self.name, self.about, Arc::new(schema(self.fields)))
            .with_title(self.title)
            .with_raw_output_schema(Arc::new((self.answers)()))
            .with_annotations(annotations)
    }

    /// A sentence that speaks of options of the command line, with the fields of this tool in their place.
    pub(crate) fn in_fields(&self, sentence: &str) -> String {
        // Commands are for people to type.
        if TOOLS.iter().any(|tool| sentence.contains(&format!("retap {}", tool.name))) {
            return sentence.to_owned();
        }
        let part = |letter: char| letter.is_alphanumeric() || letter == '-';
        let mut text = String::new();
        let mut rest = sentence;
        while let Some(at) = rest.find("--") {
            let word = &rest[at + 2..];
            let end = word.find(|letter| !part(letter)).unwrap_or(word.len());
            let name = word[..end].replace('-', "_");
            text.push_str(&rest[..at]);
            match self.fields.iter().find(|field| field.name == name) {
                Some(field) => text.push_str(field.name),
                None => text.push_str(&rest[at..at + 2 + end]),
            }
            rest = &word[end..];
        }
        text + rest
    }
}

impl ToolAnswer {
    fn new(texts: Vec<String>, data: &impl Serialize) -> Result<Self, String> {
        let data = serde_json::to_value(data).map_err(|why| format!("the result cannot be told: {why}"))?;
        Ok(Self { texts, data })
    }
}

/// The schema of what is answered.
fn answer<T: JsonSchema>() -> Map<String, Value> {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    let schema = settings.into_generator().into_root_schema_for::<T>();
    schema.to_value().as_object().cloned().unwrap_or_default()
}

/// Lines about what the result does not show.
fn noted(notices: &[String]) -> String {
    notices.iter().flat_map(|notice| ["\nnote: ", notice]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_schemas_are_sound() {
        for tool in TOOLS {
            let described = tool.described();
            assert!(described.description.is_some_and(|about| about.len() > 40), "{}", tool.name);
            let output = described.output_schema.expect("it says what it answers");
            assert_eq!(output["type"], "object", "{}", tool.name);
            let told = output["properties"].as_object().expect("fields");
            assert!(told.contains_key("command"), "{}", tool.name);
            for field in tool.fields {
                let other = tool.fields.iter().filter(|other| other.name == field.name).count();
                assert_eq!(other, 1, "{}.{}", tool.name, field.name);
                assert!(field.about.len() > 8, "{}.{}", tool.name, field.name);
            }
        }
    }

    /// What runs a trace makes its device fresh first.
    #[test]
    fn clients_are_told_what_a_tool_does() {
        for tool in TOOLS {
            let told = tool.described().annotations.expect("it says so");
            let runs = tool.fields.iter().any(|field| field.name == "device");
            assert_eq!(told.destructive_hint, Some(runs), "{}", tool.name);
            assert_eq!(told.read_only_hint, Some(tool.name == "show"), "{}", tool.name);
        }
    }

    #[test]
    fn options_become_fields() {
        let said = |sentence: &str| reduce::TOOL.in_fields(sentence);
        assert_eq!(
            said("name a --rule, such as 18/20, or a --search"),
            "name a rule, such as 18/20, or a search"
        );
        assert_eq!(
            said("--min-rate takes 0 to 1; --device; --nonsense"),
            "min_rate takes 0 to 1; device; --nonsense"
        );
        assert_eq!(said("go on with 'retap explore --resume x'"), "go on with 'retap explore --resume x'");
    }
}
