//! `screencap -p`: a PNG, with a warning before it where a device has several screens.

const BEGIN: &[u8] = b"\x89PNG\r\n\x1a\n";
const END: &[u8] = b"IEND\xaeB`\x82";
/// No warning is longer.
const LONGEST_WARNING: usize = 16 << 10;

/// The picture in what was printed; none when there is no whole one.
pub fn picture(printed: &[u8]) -> Option<&[u8]> {
    let head = &printed[..printed.len().min(LONGEST_WARNING)];
    let begin = head.windows(BEGIN.len()).position(|window| window == BEGIN)?;
    let end = printed.windows(END.len()).rposition(|window| window == END)?;
    (begin < end).then(|| &printed[begin..end + END.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_is_no_part_of_the_picture() {
        let picture_only = [BEGIN, b"\0\0\0\rIHDR", END].concat();
        assert_eq!(picture(&picture_only), Some(&picture_only[..]));
        let warned = [
            b"[Warning] Multiple displays were found, but no display id was specified!\n".as_slice(),
            &picture_only,
            b"late words\n",
        ]
        .concat();
        assert_eq!(picture(&warned), Some(&picture_only[..]));
    }

    #[test]
    fn half_a_picture_is_none() {
        for printed in [&b""[..], BEGIN, END, b"screencap: not found", &[END, BEGIN].concat()] {
            assert_eq!(picture(printed), None, "{printed:?}");
        }
    }
}
