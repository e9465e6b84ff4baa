//! Pictures come as text.

/// The bytes of a text in base 64, if it is one.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=').as_bytes();
    if text.len() % 4 == 1 {
        return None;
    }
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for part in text.chunks(4) {
        let mut bits = 0_u32;
        for byte in part {
            bits = bits << 6 | u32::from(value(*byte)?);
        }
        let missing = 4 - part.len();
        bits <<= 6 * missing;
        bytes.extend_from_slice(&bits.to_be_bytes()[1..4 - missing]);
    }
    Some(bytes)
}

const fn value(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        for (text, bytes) in
            [("", &b""[..]), ("Zg==", b"f"), ("Zm8=", b"fo"), ("Zm9v", b"foo"), ("/+8A", b"\xff\xef\0")]
        {
            assert_eq!(decode(text).as_deref(), Some(bytes), "{text}");
        }
        for wrong in ["Z", "Zm9v!", "Zm\n9v", "Zm9vY"] {
            assert_eq!(decode(wrong), None, "{wrong}");
        }
    }
}
