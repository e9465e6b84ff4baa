//! The server against those who should not get in, over real connections.

use std::net::{TcpStream, UdpSocket};
use std::sync::Arc;
use std::time::Duration;

use retap_job::record::{Person as _, RecordScene, Wish};
use retap_testing::{HttpAnswer, http, until, until_some};
use retap_trace::{Event, Micros, Observation, Orientation, Size};
use retap_view::{Loopback, Method, PageAnswer, PageEnd, PageRequest, RecordPage, Site};

/// Says what it was asked.
struct Echo;

impl Site for Echo {
    fn answer(&self, request: &PageRequest) -> PageAnswer {
        let method = if request.method == Method::Get { "get" } else { "post" };
        PageAnswer::text(200, &format!("{method} {} {} {}", request.path, request.query, request.body.len()))
    }
}

/// The port and the path of an address.
fn parts(address: &str) -> (u16, String) {
    let rest = address.strip_prefix("http://127.0.0.1:").expect("this computer");
    let (port, path) = rest.split_once('/').expect("a path");
    (port.parse().expect("a port"), format!("/{path}"))
}

fn header<'a>(answer: &'a HttpAnswer, name: &str) -> &'a str {
    let found = answer.headers.iter().find(|(known, _)| known == name);
    found.map_or_else(|| panic!("no {name}: {answer:?}"), |(_, value)| value.as_str())
}

const JSON: (&str, &str) = ("content-type", "application/json");

#[test]
fn who_has_the_address_gets_in_and_every_answer_is_safe() {
    let server = Loopback::start(Arc::new(Echo)).unwrap();
    let (port, path) = parts(server.address());
    let origin = format!("http://127.0.0.1:{port}");
    let got = http(port, "GET", &format!("{path}state?after=3"), &[], "");
    assert_eq!((got.status, got.body.as_str()), (200, "get state after=3 0"));
    let posted = http(port, "POST", &format!("{path}input"), &[JSON, ("origin", &origin)], "{}");
    assert_eq!((posted.status, posted.body.as_str()), (200, "post input  2"));
    let refused = http(port, "GET", "/", &[], "");
    for answer in [got, posted, refused] {
        let policy = header(&answer, "content-security-policy");
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
        assert_eq!(header(&answer, "x-content-type-options"), "nosniff");
        assert_eq!(header(&answer, "referrer-policy"), "no-referrer");
        assert_eq!(header(&answer, "cache-control"), "no-store");
        assert!(answer.headers.iter().all(|(name, _)| !name.starts_with("access-control-")), "{answer:?}");
    }
}

#[test]
fn nobody_else_gets_in() {
    let server = Loopback::start(Arc::new(Echo)).unwrap();
    let (port, path) = parts(server.address());
    let input = format!("{path}input");
    let origin = format!("http://127.0.0.1:{port}");
    let ours = ("origin", origin.as_str());
    let wrong_token = format!("/{}/input", "f".repeat(32));
    let huge = "x".repeat((64 << 10) + 1);
    let local = format!("localhost:{port}");
    let whole = format!("http://evil.example{input}");
    for (what, method, path, headers, body, status) in [
        ("no token", "GET", "/state", vec![], "", 404),
        ("a wrong token", "POST", wrong_token.as_str(), vec![JSON, ours], "{}", 404),
        ("a name that leads here", "GET", &input, vec![("host", "evil.example")], "", 403),
        ("another name of this host", "GET", &input, vec![("host", local.as_str())], "", 403),
        ("two hosts", "GET", &input, vec![("host", "evil.example"), ("host", "127.0.0.1")], "", 403),
        ("a whole address", "GET", &whole, vec![], "", 403),
        ("another page", "POST", &input, vec![JSON, ("origin", "http://evil.example")], "{}", 403),
        ("another page that only reads", "GET", &input, vec![("origin", "http://evil.example")], "", 403),
        ("a file", "POST", &input, vec![JSON, ("origin", "null")], "{}", 403),
        ("nobody", "POST", &input, vec![JSON], "{}", 403),
        ("a form", "POST", &input, vec![ours, ("content-type", "text/plain")], "{}", 415),
        ("a method", "PUT", &input, vec![JSON, ours], "{}", 405),
        ("a method", "DELETE", &input, vec![ours], "", 405),
        ("a method", "OPTIONS", &input, vec![ours], "", 405),
        ("a huge body", "POST", &input, vec![JSON, ours], &huge, 413),
    ] {
        let answer = http(port, method, path, &headers, body);
        assert_eq!(answer.status, status, "{what}: {answer:?}");
        assert!(!answer.body.contains("input"), "the site was not asked: {answer:?}");
    }
}

#[test]
fn only_this_computer_reaches_it() {
    let server = Loopback::start(Arc::new(Echo)).unwrap();
    let (port, _) = parts(server.address());
    // The address by which others would reach this computer; a socket of this kind sends nothing when it is made.
    let socket = UdpSocket::bind("0.0.0.0:0").unwrap();
    let Ok(()) = socket.connect("192.0.2.1:9") else { return };
    let outside = socket.local_addr().unwrap().ip();
    if !outside.is_loopback() {
        assert!(TcpStream::connect_timeout(&(outside, port).into(), Duration::from_secs(2)).is_err());
    }
}

#[test]
fn a_server_that_is_dropped_is_gone() {
    let server = Loopback::start(Arc::new(Echo)).unwrap();
    let (port, path) = parts(server.address());
    assert_eq!(http(port, "GET", &path, &[], "").status, 200);
    drop(server);
    until("nobody answers", || TcpStream::connect(("127.0.0.1", port)).is_err());
}

#[test]
fn a_server_that_is_closed_is_gone_at_once() {
    let server = Loopback::start(Arc::new(Echo)).unwrap();
    let (port, _) = parts(server.address());
    server.close(Duration::from_mins(1));
    assert!(TcpStream::connect(("127.0.0.1", port)).is_err());
}

/// What is on the screen of a device on which nothing is.
fn seen() -> Observation {
    Observation {
        at: Micros::ZERO,
        package: "a".into(),
        activity: "a.Main".into(),
        tree: None,
        keyboard: false,
        orientation: Orientation::Portrait,
        screen: Size { width: 100, height: 200 },
        coverage: Vec::new(),
        crashes: Vec::new(),
    }
}

/// Of two wishes for one picture, the second would hit the screen that the first has led to.
#[test]
fn a_wish_is_for_the_picture_that_it_was_meant_for() {
    let mut page = RecordPage::start("sim:notes").unwrap();
    let (port, path) = parts(page.address());
    let origin = format!("http://127.0.0.1:{port}");
    let tap = |picture: u32| {
        let body = format!(r#"{{"picture":{picture},"input":{{"do":"tap","at":[1,2]}}}}"#);
        http(port, "POST", &format!("{path}input"), &[JSON, ("origin", &origin)], &body).status
    };
    let (seen, wait) = (seen(), Duration::from_millis(50));
    let scene = RecordScene { seen: &seen, picture: b"png", steps: &[] };
    let tapped = Some(Wish::Perform(Event::tap(1, 2)));
    page.show(&scene);
    assert_eq!([tap(1), tap(1)], [202, 202]);
    assert_eq!(page.wish(wait), tapped);
    page.show(&scene);
    assert_eq!(page.wish(wait), None);
    let state = http(port, "GET", &format!("{path}state?after=0"), &[], "").body;
    assert!(state.contains("the screen has changed") && state.contains(r#""busy":false"#), "{state}");
    assert_eq!([tap(1), tap(2)], [409, 202]);
    assert_eq!(page.wish(wait), tapped);
}

#[test]
fn the_page_serves_what_it_has_and_nothing_else() {
    let mut page = RecordPage::start("sim:<b>notes</b>").unwrap();
    let (port, path) = parts(page.address());
    let origin = format!("http://127.0.0.1:{port}");
    let get = |name: &str| http(port, "GET", &format!("{path}{name}"), &[], "");
    for (name, content_type) in
        [("", "text/html"), ("record.css", "text/css"), ("record.js", "text/javascript")]
    {
        let answer = get(name);
        assert_eq!(answer.status, 200, "{name}");
        assert!(header(&answer, "content-type").starts_with(content_type));
        assert!(!answer.body.contains("onclick") && !answer.body.contains("style="), "nothing is inline");
        assert!(!answer.body.contains("innerHTML"), "text is text");
    }
    for name in [
        "../Cargo.toml",
        "..%2fCargo.toml",
        "%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "record.html",
        "screen/1",
        "screen/../record.js",
        "input",
    ] {
        assert_eq!(get(name).status, 404, "{name}");
    }
    let post = |body: &str| http(port, "POST", &format!("{path}input"), &[JSON, ("origin", &origin)], body);
    assert_eq!(post("{").status, 400);
    assert_eq!(
        post(r#"{"picture":7,"input":{"do":"tap","at":[1,2]}}"#).status,
        409,
        "it is of another picture"
    );
    assert_eq!(post(r#"{"picture":7,"input":{"do":"done"}}"#).status, 202);
    assert_eq!(until_some("a wish", || page.wish(Duration::from_millis(50))), Wish::Done);
    page.refuse("not <i>now</i>");
    let state = get("state?after=0").body;
    assert!(state.contains(r#""device":"sim:<b>notes</b>""#) && state.contains("not <i>now</i>"), "{state}");
    let ended = PageEnd { crashed: false, words: "recorded".to_owned(), next: Vec::new() };
    page.finish(ended, Duration::from_millis(200));
}
