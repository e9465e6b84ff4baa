//! A server, and a client that says what it likes.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, ExitStatus, Stdio};

use serde_json::{Value, json};

use crate::command::retap;

pub(crate) struct Server {
    pub(crate) child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    next: u64,
}

/// How a server ended.
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    /// What was on its standard output and had not been read.
    pub(crate) rest: String,
    pub(crate) words: String,
}

impl Server {
    /// A server in a folder, to which nothing was said yet.
    pub(crate) fn silent(folder: &Path, args: &[&str]) -> Self {
        let mut child = retap(folder, &[&["mcp"], args].concat())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("retap runs");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, input, output, next: 0 }
    }

    /// A server that knows its client.
    pub(crate) fn start(folder: &Path, args: &[&str]) -> Self {
        let mut server = Self::silent(folder, args);
        let told = server.ask(
            "initialize",
            &json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}),
        );
        assert_eq!(told["result"]["serverInfo"]["name"], "retap", "{told}");
        server.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        server
    }

    pub(crate) fn say(&mut self, line: &str) {
        let input = self.input.as_mut().expect("it is open");
        writeln!(input, "{line}").and_then(|()| input.flush()).expect("the server listens");
    }

    /// Sends a request and does not wait for its answer; returns its number.
    pub(crate) fn send(&mut self, method: &str, params: &Value) -> u64 {
        self.next += 1;
        self.say(&json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}).to_string());
        self.next
    }

    /// The next message.
    pub(crate) fn hear(&mut self) -> Value {
        let mut line = String::new();
        let read = self.output.read_line(&mut line).expect("text");
        assert!(read > 0, "the server is gone");
        serde_json::from_str(&line)
            .unwrap_or_else(|why| panic!("stdout is for the protocol alone: {why}: {line}"))
    }

    /// The answer to a request.
    pub(crate) fn answer(&mut self, id: u64) -> Value {
        loop {
            let message = self.hear();
            if message["id"] == id {
                return message;
            }
        }
    }

    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.send(method, params);
        self.answer(id)
    }

    /// Calls a tool; returns its result.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let told = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}));
        assert!(told["error"].is_null(), "{told}");
        told["result"].clone()
    }

    /// What a tool says of a call that it refuses.
    pub(crate) fn refusal(&mut self, tool: &str, arguments: &Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{arguments}: {result}");
        let said = texts(&result);
        assert_eq!(said.lines().count(), 1, "one sentence: {said}");
        said
    }

    /// Closes the input, and waits until the server has ended.
    pub(crate) fn close(mut self) -> Ended {
        drop(self.input.take());
        self.end()
    }

    /// Waits until the server has ended.
    pub(crate) fn end(mut self) -> Ended {
        let (mut rest, mut words) = (String::new(), String::new());
        self.output.read_to_string(&mut rest).expect("text");
        self.child.stderr.take().expect("a pipe").read_to_string(&mut words).expect("text");
        let status = self.child.wait().expect("it ends");
        Ended { status, rest, words }
    }
}

/// The texts of a result.
pub(crate) fn texts(result: &Value) -> String {
    let blocks = result["content"].as_array().expect("blocks").iter();
    blocks.map(|block| block["text"].as_str().expect("a text")).collect::<Vec<_>>().join("\n\n")
}
