//! A prior as JSON.

use serde_json::Value;

use super::{Prior, PriorError};

/// Reads a prior, bare or as the field `prior` of something larger.
pub(super) fn read(text: &str) -> Result<Prior, PriorError> {
    let json: Value = serde_json::from_str(text).map_err(|error| PriorError::Syntax(error.to_string()))?;
    let prior = json.get("prior").unwrap_or(&json);
    if !prior.is_object() {
        return Err(PriorError::Shape("it is not an object".to_owned()));
    }
    let weights = match (prior.get("weight"), prior.get("w")) {
        (Some(_), Some(_)) => return Err(PriorError::Shape("both 'weight' and 'w' are given".to_owned())),
        (Some(_), None) => numbers(prior, "weight"),
        (None, Some(_)) => numbers(prior, "w"),
        (None, None) => return Err(PriorError::Shape("'weight' is missing".to_owned())),
    };
    Prior::new(numbers(prior, "p")?, weights?)
}

/// Writes a prior so that reading gives the same numbers.
pub(super) fn write(prior: &Prior) -> String {
    serde_json::json!({ "p": prior.points, "weight": prior.weights }).to_string()
}

fn numbers(prior: &Value, name: &str) -> Result<Vec<f64>, PriorError> {
    let list = prior.get(name).ok_or_else(|| PriorError::Shape(format!("'{name}' is missing")))?;
    let list = list.as_array().ok_or_else(|| PriorError::Shape(format!("'{name}' is not a list")))?;
    let number = |(nth, value): (usize, &Value)| {
        value
            .as_f64()
            .ok_or_else(|| PriorError::Shape(format!("item {} of '{name}' is not a number", nth + 1)))
    };
    list.iter().enumerate().map(number).collect()
}
