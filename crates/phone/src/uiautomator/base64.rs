//! Bytes as text.

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The bytes in base 64, with `=` at the end.
pub(super) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |at: usize| u32::from(group.get(at).copied().unwrap_or(0));
        let number = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let letter = char::from(LETTERS[(number >> (18 - 6 * at) & 63) as usize]);
            text.push(if at <= group.len() { letter } else { '=' });
        }
    }
    text
}

/// The bytes of a text; none when it is not in base 64.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let value = |letter| (0_u32..).zip(LETTERS).find(|(_, known)| **known == letter).map(|(value, _)| value);
    let values: Option<Vec<u32>> = text.trim_end_matches('=').bytes().map(value).collect();
    let mut bytes = Vec::new();
    for four in values?.chunks(4) {
        let bits = four.iter().enumerate().fold(0, |bits, (nth, value)| bits | value << (18 - 6 * nth));
        bytes.extend_from_slice(&bits.to_be_bytes()[1..four.len()]);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_usual_examples_hold() {
        for (bytes, text) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(super::encode(bytes.as_bytes()), text);
            assert_eq!(super::decode(text).as_deref(), Some(bytes.as_bytes()));
        }
        assert_eq!(super::decode("a*b="), None);
    }
}
