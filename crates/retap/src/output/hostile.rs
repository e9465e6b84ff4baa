//! Text of an app in reports is data, whatever stands in it.

use retap_trace::{Crash, CrashKind, Frame};

use super::annotations::annotations;
use super::cases::{CaseFault, CaseGroup, CaseVerdict, CrashTold, OtherRun, ReportCase};
use super::junit::junit;
use super::sarif::sarif;
use super::sources::SourceFiles;
use super::summary::summary;

/// Text that would be something else in one of the formats.
const HOSTILE: [&str; 13] = [
    "</failure></testcase><testcase name=\"x\"/>",
    "]]> <![CDATA[ & &amp; &#0; \u{1}\u{b}\u{1b}[31m",
    "\" message=\"",
    "%0A::error::x\n::set-output name=exit-code::0\r\n##[add-mask]x",
    "file=a,line=1::x",
    "` `` ``` | \\| </details><script>alert(1)</script>",
    "```\n\n# heading\n\n| a | b |\n|---|---|",
    "[link](javascript:alert(1)) ![image](x) <img src=x>",
    "${{ secrets.TOKEN }} $(id) `id`",
    "😀 \u{202e}right to left\u{2028}",
    "no characters: \u{fffe}\u{ffff}",
    "",
    "@everyone #1 https://example.com",
];

/// A failed case in which every text is this one.
fn group(text: &str) -> CaseGroup {
    let frames = vec![Frame(text.to_owned()), Frame(format!("a.B.c({text}.java:1)"))];
    let crash = Crash::new(CrashKind::Java, text, text, Some(text.to_owned()), frames, "org.example");
    let wrong = CaseFault {
        kind: text.to_owned(),
        message: text.to_owned(),
        stack: super::cases::stack(&crash),
        crash: Some(crash.signature.clone()),
    };
    let told = CrashTold {
        crash,
        about: text.to_owned(),
        steps: vec![text.to_owned(), text.to_owned()],
        again: Some(format!("retap replay {}", crate::commands::quoted(text))),
    };
    let other_runs = vec![OtherRun { broken: false, wrong: wrong.clone() }];
    let case = ReportCase {
        name: text.to_owned(),
        seconds: Some(1.0),
        verdict: CaseVerdict::Failed(wrong),
        other_runs,
        uncounted: 1,
        more: text.to_owned(),
        warnings: vec![text.to_owned()],
        crashes: vec![told],
    };
    CaseGroup {
        name: text.to_owned(),
        class: text.to_owned(),
        properties: vec![("session", text.to_owned())],
        seconds: 1.0,
        cases: vec![case],
    }
}

#[test]
fn xml_has_the_text_and_no_more_elements() {
    for text in HOSTILE {
        let xml = junit(&[group(text)], "2026-11-18T09:30:00Z").unwrap();
        let read =
            quick_junit::Report::deserialize_from_str(&xml).unwrap_or_else(|error| panic!("{error}\n{xml}"));
        let case = &read.test_suites[0].test_cases[0];
        assert_eq!((read.test_suites.len(), read.test_suites[0].test_cases.len()), (1, 1), "{xml}");
        // Control characters cannot be said in XML, nor can the last two code points of the plane.
        assert!(!xml.contains(['\u{fffe}', '\u{ffff}']), "{xml}");
        let text = &text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}");
        let kept = quick_junit::XmlString::new(text);
        assert_eq!(case.name.as_str(), kept.as_str(), "{xml}");
        let visible = |text: &str| text.chars().filter(|char| !char.is_control()).collect::<String>();
        assert_eq!(
            visible(kept.as_str()),
            visible(text).replace("[31m", ""),
            "an escape sequence goes as a whole"
        );
    }
}

#[test]
fn sarif_has_the_text() {
    for text in HOSTILE {
        let log = sarif(&[group(text)], &SourceFiles::of(&["a/B.java"]), 1).unwrap();
        let log: serde_json::Value = serde_json::from_str(&log).unwrap();
        let results = log["runs"][0]["results"].as_array().unwrap();
        assert_eq!(results.len(), 1);
        assert_eq!(results[0]["stacks"][0]["message"]["text"], text);
        let path = &results[0]["locations"][0]["physicalLocation"];
        assert!(path.is_null(), "no path is made of the text: {path}");
    }
}

#[test]
fn an_annotation_is_one_command() {
    for text in HOSTILE {
        let lines = annotations(&[group(text)], &SourceFiles::unknown());
        assert_eq!(lines.len(), 1);
        assert!(
            lines[0].starts_with("::error title=") && !lines[0].contains(['\n', '\r', '\u{1b}']),
            "{lines:?}"
        );
        let title = lines[0].strip_prefix("::error title=").and_then(|rest| rest.split_once("::")).unwrap().0;
        assert!(!title.contains([',', ':']), "{title}");
    }
}

#[test]
fn more_annotations_than_are_shown_are_counted() {
    let groups: Vec<CaseGroup> = (0..13).map(|number| group(&number.to_string())).collect();
    let lines = annotations(&groups, &SourceFiles::unknown());
    assert_eq!((lines.len(), lines[9].as_str()), (10, "::error title=retap::4 more: see the job summary"));
}

#[test]
fn a_summary_is_code_and_nothing_else() {
    let groups: Vec<CaseGroup> = HOSTILE.iter().map(|text| group(text)).collect();
    let text = summary(&groups, &SourceFiles::unknown());
    assert_eq!(outside_code(&text).matches("</details>").count(), HOSTILE.len(), "{text}");
    assert!(!text.contains(['\u{202e}', '\u{2028}', '\u{fffe}', '\u{ffff}']), "{text}");
    for mark in ["<script", "<img", "javascript:", "secrets", "everyone", "https:", "heading"] {
        assert!(!outside_code(&text).contains(mark), "{mark} is outside of code in\n{text}");
    }
    insta::assert_snapshot!(text);
}

/// What of Markdown is not in a span or a block of code: read as `CommonMark` says, apart from how it was written.
fn outside_code(text: &str) -> String {
    let (mut outside, mut fence) = (String::new(), None::<usize>);
    for line in text.lines() {
        let ticks = line.chars().take_while(|char| *char == '`').count();
        match fence {
            Some(open) if ticks >= open && line.trim_matches('`').trim().is_empty() => fence = None,
            Some(_) => {}
            None if ticks >= 3 && !line[ticks..].contains('`') => fence = Some(ticks),
            None => {
                outside.push_str(&outside_spans(line));
                outside.push('\n');
            }
        }
    }
    assert_eq!(fence, None, "a block has no end");
    outside
}

fn outside_spans(line: &str) -> String {
    let (mut outside, mut rest) = (String::new(), line);
    while let Some(at) = rest.find('`') {
        outside.push_str(&rest[..at]);
        let ticks = rest[at..].chars().take_while(|char| *char == '`').count();
        let inside = &rest[at + ticks..];
        let mut end = None;
        let mut from = 0;
        while let Some(next) = inside[from..].find('`') {
            let here = from + next;
            let run = inside[here..].chars().take_while(|char| *char == '`').count();
            if run == ticks {
                end = Some(here + run);
                break;
            }
            from = here + run;
        }
        if end.is_none() {
            outside.push_str(&rest[at..at + ticks]);
        }
        rest = &inside[end.unwrap_or(0)..];
    }
    outside + rest
}
