//! HTTP on a port of the phone: one request after the other, as long as the host keeps the stream.

use serde_json::Value;

use super::rpc;
use crate::phone::Phone;
use crate::transport::{Broken, HostStream};

/// The longest head of a request, and the longest body.
const LONGEST_HEAD: usize = 64 << 10;
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
    let mut bytes = Vec::new();
    while let Some(request) = next(stream, &mut bytes) {
        if answer(phone, stream, &request).is_err() {
            return;
        }
    }
}

fn next(stream: &HostStream, bytes: &mut Vec<u8>) -> Option<Request> {
    loop {
        match take(bytes) {
            Ok(Some(request)) => return Some(request),
            Ok(None) => bytes.extend_from_slice(&stream.read()?),
            Err(Broken) => {
                // There is no telling where the next request would begin.
                let _ = stream
                    .write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
                return None;
            }
        }
    }
}

/// Takes a whole request out of what has come, if it is there.
fn take(bytes: &mut Vec<u8>) -> Result<Option<Request>, Broken> {
    let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else {
        return if bytes.len() > LONGEST_HEAD { Err(Broken) } else { Ok(None) };
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.lines();
    let mut words = lines.next().unwrap_or_default().split(' ');
    let (Some(method), Some(path), Some(version)) = (words.next(), words.next(), words.next()) else {
        return Err(Broken);
    };
    if !version.starts_with("HTTP/") {
        return Err(Broken);
    }
    let lengths = lines.filter_map(|line| line.split_once(':'));
    let mut lengths = lengths.filter(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    let length = match lengths.next() {
        Some((_, value)) => value.trim().parse::<usize>().map_err(|_| Broken)?,
        None => 0,
    };
    if length > LONGEST_BODY {
        return Err(Broken);
    }
    let whole = end + 4 + length;
    if bytes.len() < whole {
        return Ok(None);
    }
    let body = bytes[end + 4..whole].to_vec();
    let (method, path) = (method.to_owned(), path.to_owned());
    bytes.drain(..whole);
    Ok(Some(Request { method, path, body }))
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
    use proptest::prelude::*;

    #[test]
    fn requests_come_in_pieces() {
        let text = b"POST /jsonrpc/0 HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhelloGET /ping HTTP/1.1\r\n\r\n";
        let mut bytes = Vec::new();
        let mut found = Vec::new();
        for byte in text {
            bytes.push(*byte);
            found.extend(take(&mut bytes).unwrap());
        }
        let paths: Vec<(&str, &[u8])> =
            found.iter().map(|request| (&*request.path, &*request.body)).collect();
        assert_eq!(paths, [("/jsonrpc/0", b"hello".as_slice()), ("/ping", b"")]);
        assert!(bytes.is_empty());
        assert_eq!(take(&mut b"nonsense\r\n\r\n".to_vec()), Err(Broken));
    }

    proptest! {
        #[test]
        fn any_bytes_are_taken_or_refused(mut bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let before = bytes.len();
            let _ = take(&mut bytes);
            prop_assert!(bytes.len() <= before);
        }
    }
}
