//! The sentences that people read when a trace is wrong.

use std::io::{self, BufReader, Read};

use crate::step::Trace;

use super::HEADER;

fn said(bytes: &[u8]) -> String {
    Trace::read("bad.trace.jsonl", bytes).unwrap_err().to_string()
}

/// What is said about one step after a good header.
fn step(line: &str) -> String {
    said(format!("{HEADER}\n{line}\n").as_bytes()).strip_prefix("bad.trace.jsonl:2:").unwrap().to_owned()
}

/// What is said about a header.
fn header(line: &str) -> String {
    said(format!("{line}\n").as_bytes()).strip_prefix("bad.trace.jsonl:1:").unwrap().to_owned()
}

#[test]
fn files_that_are_no_traces() {
    assert_eq!(
        said(b""),
        "bad.trace.jsonl:1:1: the file is empty: a trace begins with a header line such as \
         {\"retap\":\"trace\",\"version\":1,\"app\":{\"package\":\"com.example\"}}"
    );
    let no_trace = "bad.trace.jsonl:1:1: this is not a retap trace: its first line does not begin a trace with \
                    \"retap\":\"trace\"; a recording of another tool becomes one with 'retap import', and any text can be reduced with --to cmd:COMMAND";
    for text in [
        "type= raw events\n",
        "{\n  \"a\": 1\n}",
        "[]",
        "{}",
        "7",
        r#"{"retap":"graph","version":1}"#,
        "{\"a\":1",
    ] {
        assert_eq!(said(text.as_bytes()), no_trace, "{text}");
    }
    assert_eq!(
        said(format!("{}\n", HEADER.replace("\"version\":1", "\"version\":3,\"app\":7")).as_bytes()),
        "bad.trace.jsonl:1:28: version: the trace has version 3, and this retap reads version 1; update retap"
    );
}

#[test]
fn files_that_end_too_early() {
    let cut =
        format!("{HEADER}\n{{\"event\":{{\"do\":\"launch\"}}}}\n\n{{\"event\":{{\"do\":\"tap\",\"at\":[1");
    assert_eq!(
        said(cut.as_bytes()),
        "bad.trace.jsonl:4:28: the file was cut off in the middle of line 4, after 1 whole step; delete that line \
         to use what came before it"
    );
    assert!(said(b"{\"retap\":\"tr").contains("cut off in the middle of line 1, after no whole step"));
}

#[test]
fn lines_that_are_not_text() {
    let text = [HEADER.as_bytes(), b"\n{\"event\":\xff}\n"].concat();
    assert_eq!(
        said(&text),
        "bad.trace.jsonl:2:10: byte 10 of this line is not UTF-8 text: this is no trace, or it was saved in another encoding"
    );
}

#[test]
fn files_that_stop_being_readable() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the cable is out"))
        }
    }
    let text = format!("{HEADER}\n");
    let error = Trace::read("bad.trace.jsonl", BufReader::new(text.as_bytes().chain(Broken))).unwrap_err();
    assert_eq!(error.to_string(), "bad.trace.jsonl:2:1: reading stopped here: the cable is out");
}

#[test]
fn headers_that_mean_nothing() {
    let with = |fields: &str| header(&format!("{{\"retap\":\"trace\",{fields}}}"));
    assert_eq!(with("\"x\":1"), "1: version: is missing; write \"version\":1");
    assert_eq!(with("\"version\":0"), "28: version: there is no version 0; versions count from 1");
    assert_eq!(
        with("\"version\":\"1\""),
        "28: version: expected a whole number from 0 to 18446744073709551615, found \"1\""
    );
    assert_eq!(
        with("\"version\":1"),
        "1: app: is missing; expected an app such as {\"package\":\"com.example\"}"
    );
    assert_eq!(with("\"version\":1,\"app\":{}"), "36: app.package: is missing; expected a string");
    let with = |fields: &str| {
        header(&format!("{{\"retap\":\"trace\",\"version\":1,\"app\":{{\"package\":\"a\"}},{fields}}}"))
    };
    assert_eq!(with("\"start\":\"warm\""), "60: start: expected one of launched, stopped, found \"warm\"");
    assert_eq!(
        with("\"screen\":[480]"),
        "61: screen: expected [width, height], two whole numbers, found [480]"
    );
    assert_eq!(
        with("\"target\":\"tap\""),
        "61: target: 'tap' is not a target; write crash, crash:SIGNATURE, activity:NAME, state:KEY, coverage:ID or \
         cmd:COMMAND"
    );
    assert_eq!(
        with("\"screen\":[480,-1]"),
        "66: screen[1]: expected a whole number from 0 to 4294967295, found -1"
    );
    let claim = |claim: &str| with(&format!("\"claim\":{{{claim},\"before\":9}}"));
    assert_eq!(
        claim("\"reached\":50,\"runs\":20"),
        "60: claim: 50 of 20 runs cannot have reached the target; take 'claim' out of the header"
    );
    assert_eq!(
        claim("\"reached\":0,\"runs\":0"),
        "60: claim: 0 of 0 runs cannot have reached the target; take 'claim' out of the header"
    );
    assert_eq!(with("\"seed\":1,\"seed\":2"), "68: seed: this field stands twice; keep one of them");
}

#[test]
fn steps_that_mean_nothing() {
    assert_eq!(step("7"), "1: expected a step such as {\"event\":{\"do\":\"tap\",\"at\":[1,2]}}, found 7");
    assert_eq!(step("{}"), "1: event: is missing; expected an event such as {\"do\":\"tap\",\"at\":[1,2]}");
    assert_eq!(
        step(r#"{"event":{"do":"launch"},"at":-5}"#),
        "31: at: expected a time in whole microseconds, found -5"
    );
    assert_eq!(
        step(r#"{"event":{"do":"launch"},"after":{"activity":"a","layout":"12"}}"#),
        "59: after.layout: '12' is not a state key (16 hexadecimal digits)"
    );
    assert_eq!(
        step(r#"{"event":{"do":"launch"},"before":{}}"#),
        "35: before.activity: is missing; expected a string"
    );
    assert_eq!(
        step(r#"{"event":{"do":"launch"},"coverage":[1,"é",2]}"#),
        "40: coverage[1]: expected the number of a piece of code, from 0 to 4294967295, found \"é\""
    );
    assert_eq!(
        step(r#"{"event":{"do":"launch"},"crash":{"kind":"jvm"}}"#),
        "42: crash.kind: expected one of java, anr, native, javascript, found \"jvm\""
    );
    assert_eq!(
        step(r#"{"event":{"do":"launch"},"x":{"y":1,"y":2}}"#),
        "41: x.y: this field stands twice; keep one of them"
    );
}

#[test]
fn events_that_mean_nothing() {
    let event = |fields: &str| step(&format!("{{\"event\":{{{fields}}}}}"));
    let words = "launch, tap, long_tap, double_tap, swipe, pinch, key, text, rotate, system, wait";
    assert_eq!(event(r#""do":"tapp""#), format!("16: event.do: expected one of {words}, found \"tapp\""));
    assert_eq!(event(r#""at":[1,2]"#), format!("10: event.do: is missing; expected one of {words}"));
    assert_eq!(event(r#""do":"tap","do":"key""#), "27: event.do: this field stands twice; keep one of them");
    assert_eq!(event(r#""do":"tap""#), "10: event.at: is missing; expected [x, y], two whole numbers");
    assert_eq!(
        event(r#""do":"tap","at":[1, "a"]"#),
        "27: event.at: expected [x, y], two whole numbers, found [1, \"a\"]"
    );
    let range = "expected a whole number from -2147483648 to 2147483647";
    assert_eq!(event(r#""do":"tap","at":[1,2.5]"#), format!("30: event.at[1]: {range}, found 2.5"));
    assert_eq!(
        event(r#""do":"tap","at":[3000000000,2]"#),
        format!("28: event.at[0]: {range}, found 3000000000")
    );
    assert_eq!(
        event(r#""do":"tap","at":[NaN,2]"#),
        "28: event.at[0]: NaN is not a JSON number; coordinates are whole numbers"
    );
    assert_eq!(
        event(r#""do":"tap","at":[1,2],"by":"luck""#),
        "38: event.by: expected one of place, widget, found \"luck\""
    );
    assert_eq!(
        event(r#""do":"tap","at":[1,2],"widget":{"path":"0/x"}"#),
        "50: event.widget.path: '0/x' is not a path such as 0/2/1"
    );
    assert_eq!(
        event(r#""do":"key","key":"bakc""#),
        "28: event.key: no key is called 'bakc' (a name such as 'back', or 'code:4')"
    );
    assert_eq!(
        event(r#""do":"system","action":"a","extras":{"n":1}"#),
        "52: event.extras.n: expected a string, found 1"
    );
    assert_eq!(
        event(r#""do":"system","action":"a","extras":{"n":"1","n":"2"}"#),
        "60: event.extras.n: this field stands twice; keep one of them"
    );
    assert_eq!(
        event(r#""do":"rotate","to":[1,2]"#),
        "30: event.to: expected one of portrait, landscape, found [1, 2]"
    );
    assert_eq!(event(r#""do":"wait","time":1,}"#), "32: event: this is not JSON: trailing comma");
}
