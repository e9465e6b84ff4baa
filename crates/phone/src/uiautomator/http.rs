//! HTTP on a port of the phone: one request after the other, as long as the host keeps the stream.

use serde_json::Value;

use super::rpc;
use crate::phone::Phone;
use crate::shell::Input;
use crate::transport::{Broken, HostStream};

/// The longest body of a request.
const LONGEST_BODY: usize = 8 << 20;

/// What a host asks for.
#[derive(Debug, PartialEq, Eq)]
struct Request {
    method: String,
    path: String,
    body: Vec<u8>,
}

/// Answers requests until the host has no more.
pub(crate) fn serve(phone: &Phone, stream: &HostStream) {
    let input = Input::new(stream.clone());
    while let Some(request) = next(&input) {
        let said = match request {
            Ok(request) => answer(phone, stream, &request),
            // There is no telling where the next request would begin.
            Err(Broken) => stream
                .write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                .and(Err(Broken)),
        };
        if said.is_err() {
            return;
        }
    }
}

/// The next request; none when the host has no more, or leaves in the middle of one.
fn next(input: &Input) -> Option<Result<Request, Broken>> {
    let line = || Some(String::from_utf8_lossy(&input.read_line()?).trim_end_matches('\r').to_owned());
    let first = line()?;
    let words: Vec<&str> = first.split(' ').collect();
    let [method, path, "HTTP/1.0" | "HTTP/1.1"] = words[..] else { return Some(Err(Broken)) };
    let mut length = Some(0);
    loop {
        let header = line()?;
        match header.split_once(':') {
            _ if header.is_empty() => break,
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().ok();
            }
            _ => {}
        }
    }
    let Some(length) = length.filter(|length| *length <= LONGEST_BODY) else { return Some(Err(Broken)) };
    let body = input.read_exactly(length);
    (body.len() == length).then(|| Ok(Request { method: method.to_owned(), path: path.to_owned(), body }))
}

fn answer(phone: &Phone, stream: &HostStream, request: &Request) -> Result<(), Broken> {
    let path = request.path.split('?').next().unwrap_or_default();
    let (status, kind, body) = match (&*request.method, path) {
        (_, "/ping") => ("200 OK", "text/plain", b"pong".to_vec()),
        ("POST", "/jsonrpc/0") => {
            let call: Value = serde_json::from_slice(&request.body).unwrap_or(Value::Null);
            let reply = rpc::answer(phone, &call, &|| stream.is_closed());
            ("200 OK", "application/json", reply.to_string().into_bytes())
        }
        _ => ("404 Not Found", "text/plain", b"not found".to_vec()),
    };
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: keep-alive\r\n\r\n"
    );
    stream.write(&[head.into_bytes(), body].concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Pieces;
    use proptest::prelude::*;

    #[test]
    fn requests_come_in_pieces() {
        let text = b"POST /jsonrpc/0 HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhelloGET /ping HTTP/1.1\r\n\r\n";
        let input = Input::new(Pieces::of(text, 1));
        let found: Vec<Request> = std::iter::from_fn(|| next(&input)).collect::<Result<_, _>>().unwrap();
        let paths: Vec<(&str, &[u8])> =
            found.iter().map(|request| (&*request.path, &*request.body)).collect();
        assert_eq!(paths, [("/jsonrpc/0", b"hello".as_slice()), ("/ping", b"")]);
        for wrong in ["nonsense\r\n\r\n", "GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n"] {
            assert_eq!(next(&Input::of(wrong.into())), Some(Err(Broken)));
        }
        for half in ["", "GET / HTTP/1.1\r\nHost: x\r\n", "GET / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhell"] {
            assert_eq!(next(&Input::of(half.into())), None);
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_taken_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let input = Input::of(bytes);
            while next(&input).is_some() {}
        }
    }
}
