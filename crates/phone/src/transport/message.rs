//! One message of the adb device protocol: a header of 24 bytes, little endian, and a payload.

use std::io::{self, Read, Write};

/// The version that no longer checks sums.
pub(crate) const VERSION: u32 = 0x0100_0001;
/// The longest payload that either side may send.
pub(crate) const MOST_DATA: u32 = 1 << 20;
/// What every peer can take before it has said more.
pub(crate) const LEAST_DATA: u32 = 4 << 10;

const HEADER: usize = 24;

/// What a message is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    /// Both sides introduce themselves.
    Connect,
    /// The host must prove who it is.
    Auth,
    /// The host wants a service.
    Open,
    /// A stream is open, or data was taken.
    Okay,
    /// A stream is closed, or was refused.
    Close,
    /// Data of a stream.
    Write,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) verb: Verb,
    pub(crate) arg0: u32,
    pub(crate) arg1: u32,
    pub(crate) payload: Vec<u8>,
}

impl Verb {
    const ALL: [Self; 6] = [Self::Connect, Self::Auth, Self::Open, Self::Okay, Self::Close, Self::Write];

    const fn code(self) -> u32 {
        u32::from_le_bytes(match self {
            Self::Connect => *b"CNXN",
            Self::Auth => *b"AUTH",
            Self::Open => *b"OPEN",
            Self::Okay => *b"OKAY",
            Self::Close => *b"CLSE",
            Self::Write => *b"WRTE",
        })
    }
}

impl Message {
    pub(crate) fn new(verb: Verb, arg0: u32, arg1: u32, payload: impl Into<Vec<u8>>) -> Self {
        Self { verb, arg0, arg1, payload: payload.into() }
    }

    /// Reads the next message. Sums are checked only for a peer that still makes them. There is no way back from
    /// bytes that are no message: the connection ends.
    pub(crate) fn read(from: &mut dyn Read, sums: bool) -> io::Result<Self> {
        let mut header = [0; HEADER];
        from.read_exact(&mut header)?;
        let word = |at: usize| {
            let bytes = header[at * 4..at * 4 + 4].try_into().expect("a word has four bytes");
            u32::from_le_bytes(bytes)
        };
        let code = word(0);
        let verb = Verb::ALL.into_iter().find(|verb| verb.code() == code);
        let verb = verb.ok_or(io::ErrorKind::InvalidData)?;
        let length = word(3);
        if word(5) != !code || length > MOST_DATA {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut payload = vec![0; length as usize];
        from.read_exact(&mut payload)?;
        if sums && sum(&payload) != word(4) {
            return Err(io::ErrorKind::InvalidData.into());
        }
        Ok(Self { verb, arg0: word(1), arg1: word(2), payload })
    }

    /// Writes the message, with a sum for a peer that wants one.
    pub(crate) fn write(&self, to: &mut dyn Write, sums: bool) -> io::Result<()> {
        let length = u32::try_from(self.payload.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
        let sum = if sums { sum(&self.payload) } else { 0 };
        let code = self.verb.code();
        let mut bytes = Vec::with_capacity(HEADER + self.payload.len());
        for word in [code, self.arg0, self.arg1, length, sum, !code] {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        bytes.extend_from_slice(&self.payload);
        to.write_all(&bytes)?;
        to.flush()
    }
}

fn sum(payload: &[u8]) -> u32 {
    payload.iter().fold(0, |sum, byte| sum.wrapping_add(u32::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bytes_of(message: &Message, sums: bool) -> Vec<u8> {
        let mut bytes = Vec::new();
        message.write(&mut bytes, sums).unwrap();
        bytes
    }

    #[test]
    fn the_header_is_as_the_protocol_has_it() {
        let bytes = bytes_of(&Message::new(Verb::Okay, 7, 9, b"ab".as_slice()), true);
        let header: &[u8] = b"OKAY\x07\0\0\0\x09\0\0\0\x02\0\0\0\xc3\0\0\0\xb0\xb4\xbe\xa6";
        assert_eq!(&bytes[..24], header);
        assert_eq!(&bytes[24..], b"ab");
    }

    #[test]
    fn nonsense_is_refused() {
        let bytes = bytes_of(&Message::new(Verb::Write, 1, 2, b"data".as_slice()), false);
        let refused = |bytes: &[u8], sums: bool| {
            Message::read(&mut &*bytes, sums).is_err_and(|error| error.kind() == io::ErrorKind::InvalidData)
        };
        assert!(refused(&bytes, true), "there is no sum");
        assert!(Message::read(&mut &*bytes, false).is_ok());
        // The check of the command, the length, and the command itself.
        for place in [20, 15, 0] {
            let mut wrong = bytes.clone();
            wrong[place] ^= 0xff;
            assert!(refused(&wrong, false), "{place}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200), sums: bool) {
            let _ = Message::read(&mut &*bytes, sums);
        }

        #[test]
        fn a_message_survives_the_wire(
            verb in 0..6_usize, arg0: u32, arg1: u32, payload in prop::collection::vec(any::<u8>(), 0..2000), sums: bool
        ) {
            let message = Message::new(Verb::ALL[verb], arg0, arg1, payload);
            let bytes = bytes_of(&message, sums);
            prop_assert_eq!(Message::read(&mut &*bytes, sums).unwrap(), message);
        }
    }
}
