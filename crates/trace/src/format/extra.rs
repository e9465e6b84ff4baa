//! Fields that this version does not know: put aside when a line is read, put back when it is written.

use serde_json::{Map, Value};

use crate::json::{Json, JsonPath};
use crate::step::Extra;

use super::Shape;

impl Extra {
    /// Puts a field of the object at `path` aside.
    pub(crate) fn keep(&mut self, path: &JsonPath<'_>, name: String, value: Value) {
        let root = self.0.get_or_insert_default();
        object_at(root, path).insert(name, value);
    }

    /// Puts the fields back into a line.
    ///
    /// Only fields that the object, as it is now, does not know are added: when a step lost its `after` or became
    /// another event since it was read, what belonged to the old value goes with it.
    pub(crate) fn put_back<'t>(&'t self, line: &mut Json<'t>, shape: Shape) {
        if let Some(extra) = &self.0 {
            merge(line, extra, shape);
        }
    }
}

fn object_at<'m>(root: &'m mut Map<String, Value>, path: &JsonPath<'_>) -> &'m mut Map<String, Value> {
    let (outer, name) = match *path {
        JsonPath::Line => return root,
        JsonPath::Field(outer, name) => (outer, name.to_owned()),
        JsonPath::Item(outer, nth) => (outer, nth.to_string()),
    };
    let slot = object_at(root, outer).entry(name).or_insert_with(|| Value::Object(Map::new()));
    if !slot.is_object() {
        *slot = Value::Object(Map::new());
    }
    slot.as_object_mut().expect("it was just made an object")
}

fn merge<'t>(json: &mut Json<'t>, extra: &'t Map<String, Value>, shape: Shape) {
    let Json::Object(fields) = json else { return };
    for (name, value) in extra {
        let present = fields.iter_mut().find(|(known, _)| known == name);
        match (present, value) {
            (Some((_, field)), Value::Object(inner)) => {
                if let Some(shape) = shape.inner(name, field) {
                    merge(field, inner, shape);
                }
            }
            (None, value) if !shape.fields().contains(&name.as_str()) => {
                fields.push((name.into(), Json::from(value)));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::event::Event;
    use crate::json::{Decode, Unknown};
    use crate::key::Key;
    use crate::step::Step;

    use super::*;

    fn read(line: &str) -> Step {
        let mut unknown = Unknown::Keep(Extra::default());
        let mut step = Step::decode(Json::parse(line).unwrap(), &JsonPath::Line, &mut unknown).unwrap();
        step.extra = unknown.into_extra();
        step
    }

    fn written(step: &Step) -> String {
        let known = serde_json::to_string(step).unwrap();
        let mut line = Json::parse(&known).unwrap();
        step.extra.put_back(&mut line, Shape::Step);
        serde_json::to_string(&line).unwrap()
    }

    const LINE: &str = r#"{"event":{"do":"tap","at":[1,2],"widget":{"text":"A","hue":3},"force":0.5},"after":{"activity":"a","mood":{"x":[1]}},"zoo":{"y":null}}"#;

    #[test]
    fn unknown_fields_come_back_where_they_stood() {
        assert_eq!(written(&read(LINE)), LINE);
    }

    #[test]
    fn nothing_unknown_costs_nothing() {
        assert_eq!(read(r#"{"event":{"do":"launch"}}"#).extra, Extra(None));
    }

    #[test]
    fn what_belonged_to_a_dropped_value_goes_with_it() {
        let mut step = read(LINE);
        step.after = None;
        step.event.aim_mut().unwrap().widget = None;
        assert_eq!(written(&step), r#"{"event":{"do":"tap","at":[1,2],"force":0.5},"zoo":{"y":null}}"#);
    }

    #[test]
    fn a_leftover_never_changes_what_is_known() {
        let mut step = read(r#"{"event":{"do":"key","key":"back","widget":{"text":"A"},"text":"b"}}"#);
        assert_eq!(read(&written(&step)), step);
        step.event = Event::text("c");
        assert_eq!(written(&step), r#"{"event":{"do":"text","text":"c"}}"#);
        step.event = Event::key(Key::HOME);
        assert!(written(&step).contains(r#""widget":{"text":"A"}"#));
    }
}
