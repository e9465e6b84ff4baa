//! The transcript of docs/agents.md: every call of it is made, and answers what stands below it.

use std::path::Path;

use crate::command::scratch;
use crate::server::{Server, texts};

/// The calls of the page (`> TOOL {...}`), each with the lines below it.
fn transcript() -> Vec<(String, String, String)> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/agents.md");
    let page = std::fs::read_to_string(page).expect("the page is part of the project");
    let mut calls: Vec<(String, String, String)> = Vec::new();
    for block in page.split("\n```text\n> ").skip(1) {
        let block = block.split("\n```").next().expect("a block");
        let (call, answer) = block.split_once('\n').expect("an answer below the call");
        let (tool, arguments) = call.split_once(' ').expect("a tool and its arguments");
        calls.push((tool.to_owned(), arguments.to_owned(), answer.to_owned()));
    }
    calls
}

#[test]
fn the_transcript_is_true() {
    let calls = transcript();
    assert!(calls.len() >= 4, "only {} calls were found", calls.len());
    let folder = scratch();
    let mut server = Server::start(folder.path(), &[]);
    let mut unlike = Vec::new();
    for (tool, arguments, answer) in calls {
        let given = serde_json::from_str(&arguments).unwrap_or_else(|why| panic!("{arguments}: {why}"));
        let said = texts(&server.call(&tool, &given));
        if said.trim_end() != answer.trim_end() {
            unlike.push(format!("> {tool} {arguments}\nshows\n{answer}\nanswers\n{said}"));
        }
    }
    assert!(unlike.is_empty(), "{}", unlike.join("\n\n"));
}
