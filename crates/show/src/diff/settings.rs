//! Whatever a session was asked to do, or has told of itself, as facts with names: none is left out, also one that is added
//! to a plan some day.

use serde::Serialize;
use serde_json::Value;

use super::Fact;

/// All that a plan or a result says, with the names of its fields: those of an object within it have its name in front.
pub(super) fn settings(of: &impl Serialize) -> Vec<Fact> {
    let mut facts = Vec::new();
    let value = serde_json::to_value(of).expect("plans and results are kept as JSON");
    add(&mut facts, "", &value);
    facts
}

fn add(facts: &mut Vec<Fact>, name: &str, value: &Value) {
    match value {
        Value::Null => {}
        Value::Object(fields) => {
            for (field, value) in fields {
                let field = field.replace('_', " ");
                // What a reduction is asked for is an object of its own only in the plan.
                let whole = matches!(name, "" | "options");
                add(facts, &if whole { field } else { format!("{name} {field}") }, value);
            }
        }
        Value::String(text) => facts.push((name.to_owned(), text.clone())),
        other => facts.push((name.to_owned(), other.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_field_is_a_fact() {
        let plan = json!({
            "options": { "min_rate": 0.5, "prior": null },
            "reduce": { "confirm": 20 },
            "avoid": ["a"],
            "device": "sim:notes",
        });
        let facts = settings(&plan);
        let said: Vec<String> = facts.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(said, ["avoid=[\"a\"]", "device=sim:notes", "min rate=0.5", "reduce confirm=20"]);
    }
}
