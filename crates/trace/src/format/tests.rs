//! The laws of the format; `errors` has the sentences, `blobs` the trees and observations, `docs` the examples of
//! the documentation.

mod blobs;
mod docs;
mod errors;

use std::io::{self, BufReader, Read};

use proptest::prelude::*;
use serde_json::{Map, Value};

use crate::any;
use crate::event::Event;
use crate::step::{Extra, Header, Step, Trace};

use super::{MAX_LINE, TraceProblem, TraceReader, TraceWriter};

const HEADER: &str = r#"{"retap":"trace","version":1,"app":{"package":"com.example"},"start":"launched"}"#;

fn read(text: &str) -> Trace {
    Trace::read("a.trace.jsonl", text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn written(trace: &Trace) -> String {
    let mut bytes = Vec::new();
    trace.write(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

proptest! {
    #[test]
    fn what_is_written_is_read(header in any::header(), steps in prop::collection::vec(any::step(), 0..6)) {
        let trace = Trace { header, steps };
        prop_assert_eq!(read(&written(&trace)), trace);
    }

    /// Unknown fields, sprinkled at each level of each line, survive. The first writing may bring them into order;
    /// from then on not a byte changes.
    #[test]
    fn unknown_fields_survive(
        header in any::header(),
        steps in prop::collection::vec(any::step(), 0..4),
        sprinkles in prop::collection::vec(any::unknown_fields(), 1..6),
    ) {
        let known = Trace { header, steps };
        let sprinkled = written(&known).lines().map(|line| sprinkle(line, &sprinkles) + "\n").collect::<String>();
        let once = read(&sprinkled);
        let first = written(&once);
        let twice = read(&first);
        prop_assert_eq!(&twice, &once);
        prop_assert_eq!(written(&twice), first.clone());

        let values = |text: &str| -> Vec<Value> { text.lines().map(|line| serde_json::from_str(line).unwrap()).collect() };
        prop_assert_eq!(values(&first), values(&sprinkled));
        let mut bare = once;
        bare.header.extra = Extra::default();
        bare.steps.iter_mut().for_each(|step| step.extra = Extra::default());
        prop_assert_eq!(bare, known);
    }

    #[test]
    fn no_byte_can_make_reading_panic(
        steps in prop::collection::vec(any::step(), 0..3),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut bytes = written(&Trace { header: Header::new("com.example"), steps }).into_bytes();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Err(error) = Trace::read("a.trace.jsonl", &*bytes) {
            let place = format!("a.trace.jsonl:{}:{}: ", error.line, error.column);
            prop_assert!(error.to_string().starts_with(&place), "{}", error);
            prop_assert!(error.line >= 1 && error.column >= 1);
        }
    }
}

/// Puts unknown fields into every object of a line that is not itself made of free names.
fn sprinkle(line: &str, sprinkles: &[Map<String, Value>]) -> String {
    fn into(value: &mut Value, sprinkles: &mut impl Iterator<Item = Map<String, Value>>) {
        let Value::Object(fields) = value else { return };
        fields.iter_mut().filter(|(name, _)| *name != "extras").for_each(|(_, field)| into(field, sprinkles));
        fields.extend(sprinkles.next().expect("they go round"));
    }
    let mut line: Value = serde_json::from_str(line).unwrap();
    into(&mut line, &mut sprinkles.iter().cloned().cycle());
    line.to_string()
}

#[test]
fn the_header_begins_with_what_a_trace_is_known_by() {
    let trace = Trace { header: Header::new("com.example"), steps: vec![Step::new(Event::tap(1, 2))] };
    assert_eq!(written(&trace), format!("{HEADER}\n{{\"event\":{{\"do\":\"tap\",\"at\":[1,2]}}}}\n"));
}

#[test]
fn the_usual_trace_has_nothing_extra() {
    let trace = read(&format!("{HEADER}\n{{\"event\":{{\"do\":\"launch\"}}}}"));
    assert_eq!((trace.header.extra, trace.steps[0].extra.clone()), (Extra(None), Extra(None)));
}

#[test]
fn blank_lines_line_ends_and_marks_of_editors_do_not_matter() {
    let text = format!("\u{feff}{HEADER}\r\n\r\n  \t\n{{\"event\":{{\"do\":\"launch\"}}}}\r\n\n");
    assert_eq!(read(&text).steps, [Step::new(Event::Launch)]);
    assert_eq!(read(&format!("\n\n{HEADER}")).steps, []);
}

#[test]
fn null_is_as_good_as_absent() {
    let trace = read(&format!("{HEADER}\n{{\"event\":{{\"do\":\"launch\"}},\"at\":null,\"coverage\":null}}"));
    assert_eq!(trace.steps, [Step::new(Event::Launch)]);
}

#[test]
fn a_trace_cut_anywhere_says_so() {
    let step = r#"{"event":{"do":"text","text":"é"}}"#;
    let text = format!("{HEADER}\n{step}\n{step}\n");
    for end in 0..text.len() {
        let before = &text.as_bytes()[..end];
        let last = before.rsplit(|byte| *byte == b'\n').next().unwrap();
        let whole = last.is_empty() || last == HEADER.as_bytes() || last == step.as_bytes();
        let lines = before.split(|byte| *byte == b'\n').count() as u64 - 1;
        match Trace::read("a.trace.jsonl", before) {
            Ok(_) => assert!(whole && end > 0, "{end}"),
            Err(error) => match error.problem {
                TraceProblem::Empty => assert_eq!(end, 0),
                TraceProblem::CutOff { line, steps, .. } => {
                    assert!(!whole, "{end}");
                    assert_eq!((line, steps), (lines + 1, lines.saturating_sub(1)), "{end}");
                }
                other => panic!("{end}: {other}"),
            },
        }
    }
}

/// Gives the text, then the same byte for ever, and counts what was taken.
struct Endless<'t> {
    text: &'t [u8],
    taken: usize,
}

impl Read for Endless<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let text = self.text.read(buffer)?;
        let read = if text > 0 { text } else { buffer.len() };
        buffer[text..read].fill(b' ');
        self.taken += read;
        Ok(read)
    }
}

#[test]
fn an_endless_line_is_refused() {
    for text in ["", "{", &format!("{HEADER}\n{{")] {
        let mut endless = Endless { text: text.as_bytes(), taken: 0 };
        let error = Trace::read("pipe", BufReader::new(&mut endless)).unwrap_err();
        assert!(matches!(error.problem, TraceProblem::TooLong), "{error}");
        assert!(endless.taken < MAX_LINE + (1 << 20), "{}", endless.taken);
    }
}

#[test]
fn the_longest_line_is_written_and_read_and_one_byte_more_is_not() {
    let frame = r#"{"event":{"do":"text","text":""}}"#.len();
    let trace = |length| Trace {
        header: Header::new("com.example"),
        steps: vec![Step::new(Event::text("x".repeat(length - frame)))],
    };
    let longest = trace(MAX_LINE);
    assert_eq!(read(&written(&longest)), longest);
    let error = trace(MAX_LINE + 1).write(io::sink()).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
    assert!(error.to_string().contains("16777217 bytes"), "{error}");
}

#[test]
fn a_reader_streams_and_is_over_after_an_error() {
    let text =
        format!("{HEADER}\n{{\"event\":{{\"do\":\"launch\"}}}}\n{{}}\n{{\"event\":{{\"do\":\"launch\"}}}}\n");
    let mut reader = TraceReader::new("a.trace.jsonl", text.as_bytes()).unwrap();
    assert_eq!(&*reader.header().app.package, "com.example");
    assert_eq!(reader.next().unwrap().unwrap(), Step::new(Event::Launch));
    assert!(reader.next().unwrap().is_err());
    assert!(reader.next().is_none());
}

#[test]
fn a_writer_gives_back_what_it_wrote_to() {
    let mut writer = TraceWriter::new(Vec::new(), &Header::new("com.example")).unwrap();
    writer.step(&Step::new(Event::Launch)).unwrap();
    let bytes = writer.finish().unwrap();
    assert_eq!(str::from_utf8(&bytes).unwrap(), format!("{HEADER}\n{{\"event\":{{\"do\":\"launch\"}}}}\n"));
}
