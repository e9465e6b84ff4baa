//! Requests over HTTP to servers of this computer.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;

/// What a server answered.
#[derive(Debug)]
pub struct HttpAnswer {
    pub status: u16,
    /// Names, in small letters, and values.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

/// Sends a request to this port, and waits for the answer. The host is named as a browser would, unless it is among the
/// headers.
///
/// # Panics
/// When nobody answers, or not with HTTP.
pub fn http(port: u16, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> HttpAnswer {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("somebody listens");
    let mut head =
        format!("{method} {path} HTTP/1.1\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
    let own = format!("127.0.0.1:{port}");
    let host =
        if headers.iter().any(|(name, _)| *name == "host") { None } else { Some(("host", own.as_str())) };
    for (name, value) in host.iter().chain(headers) {
        write!(head, "{name}: {value}\r\n").expect("a text takes everything");
    }
    // A server that refuses it may close before all of it is written.
    let _ = stream.write_all(format!("{head}\r\n{body}").as_bytes());
    read(BufReader::new(stream))
}

fn read(mut stream: BufReader<TcpStream>) -> HttpAnswer {
    let mut line = String::new();
    stream.read_line(&mut line).expect("an answer");
    let status = line.split(' ').nth(1).and_then(|word| word.parse().ok());
    let status = status.unwrap_or_else(|| panic!("this is no HTTP: {line:?}"));
    let mut headers = Vec::new();
    loop {
        line.clear();
        stream.read_line(&mut line).expect("a header");
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let mut body = Vec::new();
    // What came until a connection broke is what there is.
    let _ = match length.and_then(|(_, length)| length.parse().ok()) {
        Some(length) => stream.take(length).read_to_end(&mut body),
        None => stream.read_to_end(&mut body),
    };
    HttpAnswer { status, headers, body: String::from_utf8_lossy(&body).into_owned() }
}
