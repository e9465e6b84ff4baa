//! Text as real tools write it: with a byte order mark, line ends of any system, bytes that are no UTF-8, and the prefixes
//! of whatever wrote the log down.

use std::borrow::Cow;

/// The bytes as text. What is no UTF-8 becomes U+FFFD; Windows' shells write UTF-16.
pub(super) fn text(bytes: &[u8]) -> Cow<'_, str> {
    let utf16 = |pair: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes[2..].chunks_exact(2).map(|unit| pair([unit[0], unit[1]])).collect();
        Cow::Owned(String::from_utf16_lossy(&units))
    };
    match bytes {
        [0xff, 0xfe, ..] => utf16(u16::from_le_bytes),
        [0xfe, 0xff, ..] => utf16(u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest),
        _ => String::from_utf8_lossy(bytes),
    }
}

/// The lines with their numbers from 1, without what ends them. adb shells of old phones end them with `\r\r\n`.
pub(super) fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split('\n').map(|line| line.trim_end_matches('\r')).zip(1..).map(|(line, number)| (number, line))
}

/// What stands in a line from a mark on, whatever stands before it.
pub(super) fn from_mark<'a>(line: &'a str, mark: &str) -> Option<&'a str> {
    line.find(mark).map(|at| &line[at + mark.len()..])
}

/// What stands between the first bracket and the last one: `DispatchString(a (b))`.
pub(super) fn in_brackets(text: &str) -> Option<&str> {
    let (open, close) = (text.find('(')?, text.rfind(')')?);
    text.get(open + 1..close)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_as_it_is_written() {
        assert_eq!(text(b"\xef\xbb\xbfab"), "ab");
        assert_eq!(text(b"\xff\xfea\0b\0"), "ab");
        assert_eq!(text(b"\xfe\xff\0a\0b"), "ab");
        assert_eq!(text(b"\xff\xfe\x00\xd8z"), "\u{fffd}");
        assert_eq!(text(b"a\xffb"), "a\u{fffd}b");
        assert_eq!(text(b""), "");
        let lines: Vec<_> = numbered("a\r\nb\r\r\n\nc").collect();
        assert_eq!(lines, [(1, "a"), (2, "b"), (3, ""), (4, "c")]);
        assert_eq!(in_brackets("f(a (b))"), Some("a (b)"));
        assert_eq!((in_brackets(")("), in_brackets("f(")), (None, None));
    }
}
