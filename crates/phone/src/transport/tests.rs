//! A host at the other end of a real line, played by hand; and hosts that are out of their minds.

use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use proptest::prelude::*;

use super::message::{MOST_DATA, Message, VERSION, Verb};
use crate::android::Android;
use crate::phone::Phone;
use crate::server::Server;
use crate::settings::{PhoneSettings, Speed};
use crate::testing::{phone, phone_of};

/// A host with a line to a phone.
pub(crate) struct Host {
    stream: TcpStream,
    next: u32,
    _server: Server,
}

impl Host {
    /// Connects, and is welcomed.
    pub(crate) fn new(phone: &Phone) -> Self {
        let mut host = Self::stranger(phone);
        host.send(Verb::Connect, VERSION, MOST_DATA, b"host::features=shell_v2");
        let welcome = host.read();
        assert_eq!((welcome.verb, welcome.arg0), (Verb::Connect, VERSION));
        host
    }

    fn stranger(phone: &Phone) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let server = Server::start(phone, listener, None).unwrap();
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        Self { stream, next: 0, _server: server }
    }

    fn send(&mut self, verb: Verb, arg0: u32, arg1: u32, payload: &[u8]) {
        Message::new(verb, arg0, arg1, payload).write(&mut self.stream, true).unwrap();
    }

    fn read(&mut self) -> Message {
        Message::read(&mut self.stream, false).unwrap()
    }

    fn is_dropped(&mut self) -> bool {
        Message::read(&mut self.stream, false).is_err()
    }

    /// Opens a service; its number at the phone, or none when it was refused.
    fn open(&mut self, service: &str) -> Option<(u32, u32)> {
        self.next += 1;
        let own = self.next;
        self.send(Verb::Open, own, 0, format!("{service}\0").as_bytes());
        let answer = self.read();
        assert_eq!(answer.arg1, own);
        (answer.verb == Verb::Okay).then_some((own, answer.arg0))
    }

    /// Opens a service, sends something, and returns all that it says.
    pub(crate) fn ask(&mut self, service: &str, input: &[u8]) -> Vec<u8> {
        let (own, other) = self.open(service).unwrap_or_else(|| panic!("{service} is refused"));
        if !input.is_empty() {
            self.send(Verb::Write, own, other, input);
        }
        let mut said = Vec::new();
        loop {
            let message = self.read();
            match message.verb {
                Verb::Write => {
                    said.extend_from_slice(&message.payload);
                    self.send(Verb::Okay, own, other, b"");
                }
                Verb::Close => return said,
                _ => {}
            }
        }
    }
}

#[test]
fn a_host_is_welcomed_with_a_banner() {
    let mut host = Host::stranger(&phone());
    host.send(Verb::Connect, VERSION, MOST_DATA, b"host::");
    let welcome = host.read();
    let banner = String::from_utf8(welcome.payload).unwrap();
    assert!(banner.starts_with("device::ro.product.name=sdk_gphone64_x86_64;"), "{banner}");
    assert!(banner.contains(";features=") && banner.contains("shell_v2"), "{banner}");
    assert_eq!(host.ask("shell:echo hi", b""), b"hi\n");
}

#[test]
fn services_are_refused_that_there_are_not() {
    let mut host = Host::new(&phone());
    for service in
        ["framebuffer:", "tcp:81", "tcp:example.com:80", "localabstract:x", "jdwp", "root:", "nonsense", ""]
    {
        assert_eq!(host.open(service), None, "{service}");
    }
    assert_eq!(host.ask("reverse:list-forward", b""), b"OKAY0000");
    assert_eq!(
        host.ask("reverse:forward:tcp:1;tcp:2", b""),
        b"FAIL002dcannot bind listener: Operation not permitted"
    );
}

#[test]
fn one_message_is_under_way_at_a_time() {
    let mut host = Host::new(&phone());
    let (own, other) = host.open("shell:echo -n 1; echo -n 2").unwrap();
    assert_eq!(host.read().payload, b"1");
    host.stream.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
    assert!(host.is_dropped(), "the second message comes only after the first was taken");
    host.stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    host.send(Verb::Okay, own, other, b"");
    assert_eq!(host.read().payload, b"2");
    host.send(Verb::Okay, own, other, b"");
    assert_eq!(host.read().verb, Verb::Close);
}

#[test]
fn streams_do_not_disturb_each_other() {
    let mut host = Host::new(&phone());
    let (one, other_one) = host.open("tcp:7").unwrap();
    let (two, other_two) = host.open("tcp:7").unwrap();
    assert_ne!(other_one, other_two);
    host.send(Verb::Write, two, other_two, b"second");
    assert_eq!((host.read().verb, host.read().payload), (Verb::Okay, b"second".to_vec()));
    host.send(Verb::Write, one, other_one, b"first");
    assert_eq!((host.read().verb, host.read().payload), (Verb::Okay, b"first".to_vec()));
    // What belongs to nobody is closed.
    host.send(Verb::Write, 99, 98, b"lost");
    assert_eq!(host.read().verb, Verb::Close);
}

#[test]
fn a_host_that_does_not_wait_loses_the_stream() {
    let mut host = Host::new(&phone());
    let (own, other) = host.open("shell,v2,raw:logcat -b main -s Nobody").unwrap();
    for _ in 0..4 {
        host.send(Verb::Write, own, other, b"\0\x01\0\0\0x");
    }
    assert_eq!(host.read().verb, Verb::Close);
}

#[test]
fn any_key_is_welcome() {
    let settings = PhoneSettings { auth: true, speed: Speed::Fast, ..PhoneSettings::default() };
    let device = retap_sim::SimDevice::open("sim:notes", &|_| Err(String::new())).unwrap();
    let mut host = Host::stranger(&Phone::new(settings, device));
    host.send(Verb::Connect, VERSION, MOST_DATA, b"host::");
    let first = host.read();
    assert_eq!((first.verb, first.arg0, first.payload.len()), (Verb::Auth, 1, 20));
    host.send(Verb::Auth, 2, 0, &[1; 256]);
    let second = host.read();
    assert_eq!((second.verb, second.arg0), (Verb::Auth, 1));
    assert_ne!(first.payload, second.payload);
    host.send(Verb::Auth, 3, 0, b"QAAAA key\0");
    assert_eq!(host.read().verb, Verb::Connect);
    assert_eq!(host.ask("shell:echo hi", b""), b"hi\n");
}

#[test]
fn nothing_is_served_before_a_welcome_and_nonsense_ends_the_line() {
    let mut early = Host::stranger(&phone());
    early.send(Verb::Open, 1, 0, b"shell:echo hi\0");
    assert!(early.is_dropped());
    let mut odd = Host::new(&phone());
    odd.stream.write_all(&[0x55; 64]).unwrap();
    assert!(odd.is_dropped());
}

#[test]
fn old_hosts_get_sums() {
    let phone = phone();
    phone.with(|state| state.world.files.write("/sdcard/f", vec![b'x'; 9000], 0o644, 0)).unwrap();
    let mut host = Host::stranger(&phone);
    host.send(Verb::Connect, 0x0100_0000, 4096, b"host::");
    assert_eq!(host.read().verb, Verb::Connect);
    let (own, other) = host.open("shell:cat /sdcard/f").unwrap();
    let message = Message::read(&mut host.stream, true).unwrap();
    assert_eq!(message.payload.len(), 4096);
    host.send(Verb::Okay, own, other, b"");
}

#[test]
fn a_phone_that_goes_offline_drops_its_hosts() {
    let phone = phone_of("sim:notes?offline=1:30", Android::default());
    let mut host = Host::new(&phone);
    let (..) = host.open("shell:input tap 1 1").unwrap();
    assert!(host.is_dropped());
    assert!(phone.with(|state| state.is_offline()));
}

#[test]
fn a_phone_that_is_stopped_lets_go() {
    let phone = phone();
    let mut host = Host::new(&phone);
    host.open("shell:logcat").unwrap();
    phone.stop();
    assert!(host.is_dropped());
}

#[test]
fn a_load_ends_what_ran() {
    let phone = phone();
    phone.call(|state| state.save("one")).unwrap();
    let mut host = Host::new(&phone);
    host.open("shell:cat").unwrap();
    phone.call(|state| state.load("one")).unwrap();
    phone.lines().cut_streams();
    assert_eq!(host.read().verb, Verb::Close);
    assert_eq!(host.ask("shell:echo still here", b""), b"still here\n");
}

/// Services that a strange host asks for.
const SERVICES: [&[u8]; 8] = [
    b"shell:cat\0",
    b"shell,v2,raw:cat\0",
    b"sync:\0",
    b"tcp:7\0",
    b"exec:true\0",
    b"\0",
    b"reverse:x\0",
    b"shell,v2,pty:",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever messages come in whatever order, the line comes to its end and nobody is left on it.
    #[test]
    fn no_host_is_too_strange(
        known: bool,
        messages in prop::collection::vec((0..7_usize, 0..4_u32, 0..4_u32, prop::collection::vec(any::<u8>(), 0..40)), 0..30),
    ) {
        let phone = phone();
        let mut bytes = Vec::new();
        if known {
            Message::new(Verb::Connect, VERSION, MOST_DATA, b"host::".as_slice()).write(&mut bytes, true).unwrap();
        }
        for (kind, arg0, arg1, payload) in messages {
            let verb = [Verb::Open, Verb::Write, Verb::Okay, Verb::Close, Verb::Auth, Verb::Write, Verb::Open][kind];
            let payload = if verb == Verb::Open { SERVICES[payload.len() % SERVICES.len()].to_vec() } else { payload };
            Message::new(verb, arg0, arg1, payload).write(&mut bytes, true).unwrap();
        }
        phone.serve_line(&*bytes, std::io::sink(), || {});
        prop_assert!(phone.lines().is_empty());
    }
}
