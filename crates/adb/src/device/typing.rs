//! Text, cut into what each way of typing can take.
//!
//! `input text` takes what a keyboard of the United States has, with `%s` for a space, and has no way to write `%s`
//! itself. All else needs a keyboard app that takes text by broadcast.

use retap_trace::Key;

use crate::client::quote;

/// A piece of text and how to type it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// By `input text`.
    Plain(String),
    /// By a key.
    Key(Key),
    /// By a keyboard app.
    Unicode(String),
}

/// The keyboard app, as `ime` names it.
pub(super) const KEYBOARD: &str = "com.android.adbkeyboard/.AdbIME";
/// One command takes no more of a text than this.
const LONGEST: usize = 200;

pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for char in text.chars() {
        match char {
            '\n' => pieces.push(Piece::Key(Key::ENTER)),
            '\t' => pieces.push(Piece::Key(Key::TAB)),
            '\r' => {}
            ' '..='~' => match pieces.last_mut() {
                Some(Piece::Plain(plain))
                    if plain.len() < LONGEST && !(plain.ends_with('%') && char == 's') =>
                {
                    plain.push(char);
                }
                _ => pieces.push(Piece::Plain(char.to_string())),
            },
            _ => match pieces.last_mut() {
                Some(Piece::Unicode(other)) if other.len() < LONGEST => other.push(char),
                _ => pieces.push(Piece::Unicode(char.to_string())),
            },
        }
    }
    pieces
}

/// The arguments of `input` that type a piece of plain text.
pub(super) fn plain(text: &str) -> String {
    format!("text {}", quote(&text.replace(' ', "%s")))
}

/// The command that lets the keyboard app type a text.
pub(super) fn unicode(text: &str) -> String {
    format!("am broadcast -a ADB_INPUT_B64 --es msg {}", base64(text.as_bytes()))
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits = three
            .iter()
            .enumerate()
            .fold(0_u32, |bits, (nth, byte)| bits | u32::from(*byte) << (16 - 8 * nth));
        for nth in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * nth) & 63) as usize];
            text.push(if nth <= three.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn each_piece_goes_its_way() {
        assert_eq!(
            pieces("a b\nçé%s"),
            [
                Piece::Plain("a b".into()),
                Piece::Key(Key::ENTER),
                Piece::Unicode("çé".into()),
                Piece::Plain("%".into()),
                Piece::Plain("s".into()),
            ]
        );
        assert_eq!(pieces(""), []);
        assert_eq!(plain("it's 5 $"), "text 'it'\\''s%s5%s$'");
    }

    #[test]
    fn base64_is_as_everywhere() {
        assert_eq!(
            ["", "f", "fo", "foo", "foob"].map(|text| base64(text.as_bytes())),
            ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]
        );
    }

    proptest! {
        #[test]
        fn nothing_is_lost(text in "[ -~é\\n%s]{0,300}") {
            let typed: String = pieces(&text).into_iter().map(|piece| match piece {
                Piece::Plain(text) => { assert!(!text.contains("%s")); text }
                Piece::Unicode(text) => text,
                Piece::Key(_) => "\n".to_owned(),
            }).collect();
            prop_assert_eq!(typed, text);
        }
    }
}
