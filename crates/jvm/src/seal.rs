//! What proves that a line comes from the Java side: a keyed hash (HMAC-SHA256) in front of it.
//!
//! The app runs in the same process. It can print what it likes, take requests from the standard input before the Java
//! side sees them, write there itself, and read answers from the pipe. The key is handed over before any of its code is
//! there.

use sha2::{Digest as _, Sha256};

/// The key of one process.
#[derive(Clone)]
pub(crate) struct Seal([u8; 32]);

/// Who says something.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Side {
    Asks,
    Answers,
}

impl Side {
    const fn name(self) -> &'static [u8] {
        match self {
            Self::Asks => b"asks",
            Self::Answers => b"answers",
        }
    }
}

const BLOCK: usize = 64;
/// The length of a seal in hexadecimal digits.
pub(crate) const SEAL_DIGITS: usize = 64;

impl std::fmt::Debug for Seal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seal")
    }
}

impl Seal {
    /// A new key.
    pub(crate) fn new() -> Result<Self, getrandom::Error> {
        let mut key = [0; 32];
        getrandom::fill(&mut key)?;
        Ok(Self(key))
    }

    /// The key as it is handed over.
    pub(crate) fn key(&self) -> String {
        hex(&self.0)
    }

    #[cfg(test)]
    pub(crate) fn from_key(key: &str) -> Option<Self> {
        let byte = |at: usize| u8::from_str_radix(key.get(2 * at..2 * at + 2)?, 16).ok();
        let bytes: Vec<u8> = (0..32).map_while(byte).collect();
        bytes.try_into().ok().map(Self)
    }

    /// What stands in front of this text. What one side has sealed is nothing that the other one says.
    pub(crate) fn of(&self, side: Side, text: &[u8]) -> String {
        self.hash(&[side.name(), text])
    }

    fn hash(&self, parts: &[&[u8]]) -> String {
        let pad = |with: u8| {
            let mut block = [with; BLOCK];
            block.iter_mut().zip(self.0).for_each(|(byte, key)| *byte ^= key);
            Sha256::new().chain_update(block)
        };
        let inner = parts.iter().fold(pad(0x36), Sha256::chain_update).finalize();
        hex(&pad(0x5c).chain_update(inner).finalize())
    }
}

fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From RFC 4231, with keys that are filled up with zeros, as every shorter key is.
    #[test]
    fn it_is_what_others_compute() {
        let mut key = [0; 32];
        key[..20].fill(0x0b);
        let seal = Seal(key).hash(&[b"Hi", b" There"]);
        assert_eq!(seal, "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
        let mut key = [0; 32];
        key[..4].copy_from_slice(b"Jefe");
        let seal = Seal(key).hash(&[b"what do ya want for nothing?"]);
        assert_eq!(seal, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
        assert_eq!(seal.len(), SEAL_DIGITS);
    }

    #[test]
    fn keys_are_handed_over_whole() {
        let (one, other) = (Seal::new().unwrap(), Seal::new().unwrap());
        assert_ne!(one.key(), other.key());
        let of = |seal: &Seal, text: &[u8]| seal.of(Side::Asks, text);
        assert_eq!(of(&Seal::from_key(&one.key()).unwrap(), b"x"), of(&one, b"x"));
        assert_ne!(of(&one, b"x"), of(&one, b"y"));
        assert_ne!(of(&one, b"x"), one.of(Side::Answers, b"x"));
    }
}
