//! `docs/formats.md` says what the reader does.

use crate::step::Trace;

use super::super::Shape;
use super::super::shape::Do;
use super::HEADER;

const DOC: &str = include_str!("../../../../../docs/formats.md");

/// The lines of each block of the document that is marked `jsonl`.
fn blocks() -> Vec<String> {
    let parts = DOC.split("```jsonl\n").skip(1);
    parts.map(|part| part.split("```").next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn every_example_is_read() {
    assert!(blocks().len() > 5);
    for block in blocks() {
        // A block is a whole trace, or steps of one.
        let text = if block.starts_with("{\"retap\"") { block } else { format!("{HEADER}\n{block}") };
        if let Err(error) = Trace::read("docs/formats.md", text.as_bytes()) {
            panic!("{error}\n{text}");
        }
    }
}

#[test]
fn every_field_and_event_is_told() {
    let shapes =
        [Shape::Header, Shape::App, Shape::Step, Shape::Found, Shape::Widget, Shape::Seen, Shape::Crash];
    let events = Do::WORDS.map(|(_, kind)| Shape::Event(kind));
    for field in shapes.iter().chain(&events).flat_map(|shape| shape.fields()) {
        assert!(DOC.contains(&format!("`{field}`")), "the field {field} is missing");
    }
    for (word, _) in Do::WORDS {
        assert!(
            blocks().iter().any(|block| block.contains(&format!("\"do\":\"{word}\""))),
            "no example of {word}"
        );
    }
}
