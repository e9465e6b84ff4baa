//! A line from the adb server to the phone, with one service at its end.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::unix::net::UnixStream;
use std::sync::{Mutex, mpsc};
use std::thread;

use retap_phone::Phone;

pub(super) struct Line {
    stream: UnixStream,
    /// Messages are never mixed.
    sending: Mutex<()>,
    /// The phone's number for the service.
    remote: u32,
}

/// The version of the protocol, and the longest payload of a message.
const VERSION: u32 = 0x0100_0001;
const LONGEST: u16 = 32 << 10;

impl Line {
    /// Opens a service; none when the phone refuses it.
    pub(super) fn open(phone: Phone, service: &str) -> io::Result<Option<Self>> {
        let (stream, theirs) = UnixStream::pair()?;
        let (writer, end) = (theirs.try_clone()?, theirs.try_clone()?);
        thread::spawn(move || phone.serve_line(theirs, writer, move || drop(end.shutdown(Shutdown::Both))));
        let mut line = Self { stream, sending: Mutex::default(), remote: 0 };
        line.send(*b"CNXN", [VERSION, LONGEST.into()], b"host::")?;
        line.receive()?;
        line.send(*b"OPEN", [1, 0], format!("{service}\0").as_bytes())?;
        let (verb, remote, _) = line.receive()?;
        line.remote = remote;
        Ok((verb == *b"OKAY").then_some(line))
    }

    /// Carries bytes until the phone closes the service and the client has gone. What the client sends goes on only
    /// where `passes` says so.
    pub(super) fn carry(&self, mut client: &TcpStream, passes: impl Fn(&[u8]) -> bool + Send) {
        let (taken, wait) = mpsc::channel();
        let numbers = [1, self.remote];
        thread::scope(|scope| {
            scope.spawn(move || {
                let mut bytes = vec![0; LONGEST.into()];
                let mut open = true;
                while let Ok(count @ 1..) = client.read(&mut bytes) {
                    // One piece is under way at a time. What nobody takes any more is lost.
                    if open && passes(&bytes[..count]) {
                        open = self.send(*b"WRTE", numbers, &bytes[..count]).is_ok() && wait.recv().is_ok();
                    }
                }
                let _ = self.stream.shutdown(Shutdown::Both);
            });
            while let Ok((verb, _, payload)) = self.receive() {
                let carried = match &verb {
                    b"WRTE" => client.write_all(&payload).and_then(|()| self.send(*b"OKAY", numbers, b"")),
                    b"OKAY" => taken.send(()).map_err(io::Error::other),
                    _ => break,
                };
                if carried.is_err() {
                    break;
                }
            }
            drop(taken);
            let _ = client.shutdown(Shutdown::Write);
        });
    }

    fn send(&self, verb: [u8; 4], numbers: [u32; 2], payload: &[u8]) -> io::Result<()> {
        let sum = payload.iter().map(|byte| u32::from(*byte)).sum::<u32>();
        let (verb, length) = (u32::from_le_bytes(verb), u32::try_from(payload.len()).unwrap());
        let head = [verb, numbers[0], numbers[1], length, sum, !verb].map(u32::to_le_bytes);
        let _one = self.sending.lock().unwrap();
        (&self.stream).write_all(&[head.as_flattened(), payload].concat())
    }

    /// The verb of the next message, the phone's number, and the payload.
    fn receive(&self) -> io::Result<([u8; 4], u32, Vec<u8>)> {
        let mut head = [[0; 4]; 6];
        (&self.stream).read_exact(head.as_flattened_mut())?;
        let mut payload = vec![0; u32::from_le_bytes(head[3]) as usize];
        (&self.stream).read_exact(&mut payload)?;
        Ok((head[0], u32::from_le_bytes(head[1]), payload))
    }
}
