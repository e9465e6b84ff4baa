//! Steps in words: plain lines, and Markdown as a parser of `CommonMark` sees it.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::hostile::{self, PLAIN};
use crate::{corpus, test_of};

/// What a page is made of, and the code in it.
fn parsed(page: &str) -> (Vec<String>, Vec<String>) {
    let (mut shape, mut code) = (Vec::new(), Vec::new());
    let mut in_code = false;
    for event in Parser::new_ext(page, Options::ENABLE_TABLES) {
        match &event {
            Event::Code(text) => code.push(text.to_string()),
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(TagEnd::CodeBlock) => in_code = false,
            _ => {}
        }
        shape.push(match event {
            Event::Code(_) => "code".to_owned(),
            Event::Text(_) if in_code => "frame".to_owned(),
            event => format!("{event:?}"),
        });
    }
    // Each line of a code block is a text of its own.
    shape.dedup_by(|one, other| one == "frame" && other == "frame");
    (shape, code)
}

/// A name as it stands in one line.
fn in_a_line(name: &str) -> String {
    let hidden = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{200d}' | '\u{202a}'..='\u{202e}')
    };
    let line: String = name.chars().map(|letter| if hidden(letter) { ' ' } else { letter }).collect();
    line.replace("*/", "* /").replace("coding:", "coding :").replace("coding=", "coding =")
}

#[test]
fn names_are_code_in_markdown() {
    let page = |name: &str| test_of(&hostile::touched(name), "markdown").expect("words say everything");
    let (shape, _) = parsed(&page(PLAIN));
    for name in hostile::names() {
        let page = page(&name);
        let (other, code) = parsed(&page);
        assert_eq!(other, shape, "{name:?}:\n{page}");
        let steps = hostile::touched(&name).events().map(ToString::to_string).collect::<Vec<_>>();
        for wanted in steps.iter().chain([&name]) {
            let wanted = in_a_line(wanted);
            // Code in a line has no blanks around it, and one blank between words.
            let found = code.iter().any(|code| words(code) == words(&wanted));
            assert!(found, "{name:?}: {wanted:?} is not there:\n{page}");
        }
    }
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

#[test]
fn names_add_no_lines_to_a_text() {
    let text = |name: &str| test_of(&hostile::touched(name), "text").expect("words say everything");
    let lines = text(PLAIN).lines().count();
    for name in hostile::names() {
        let text = text(&name);
        assert_eq!(text.lines().count(), lines, "{name:?}:\n{text}");
        let tame = text.chars().all(|letter| letter == '\n' || !letter.is_control() && letter != '\u{202e}');
        assert!(tame, "{name:?}:\n{text:?}");
    }
}

#[test]
fn samples_and_generated_crashes_are_told_step_by_step() {
    for case in corpus::all() {
        let (shape, code) = parsed(&test_of(&case.trace, "markdown").expect("words say everything"));
        let items = shape.iter().filter(|part| *part == "Start(Item)").count();
        assert_eq!(items, case.trace.steps.len() + 1, "{}", case.name);
        let text = test_of(&case.trace, "text").expect("words say everything");
        for event in case.trace.events() {
            let event = event.to_string();
            assert!(code.contains(&event) && text.contains(&event), "{}: {event}", case.name);
        }
    }
}
