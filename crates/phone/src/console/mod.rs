//! The emulator console: lines of text, each answered with `OK` or `KO: reason`.

mod commands;
mod snapshot;
#[cfg(test)]
mod tests;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use crate::phone::Phone;

/// The longest command.
const LONGEST: u64 = 64 << 10;

/// What becomes of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Answer {
    /// Done, and this was said.
    Ok(String),
    /// Refused, for this reason.
    Ko(String),
    /// The person leaves.
    Quit,
    /// The phone ends.
    Kill,
}

/// Talks to somebody until he leaves.
pub(crate) fn attend(phone: &Phone, stream: TcpStream) {
    if let Ok(writer) = stream.try_clone() {
        // A client that is gone needs no reply.
        let _ = converse(phone, stream, writer);
    }
}

fn converse(phone: &Phone, reader: impl Read, mut writer: impl Write) -> std::io::Result<()> {
    let token = token(phone);
    let mut known = token.is_none();
    let mut reader = BufReader::new(reader);
    if let (Some(_), Some(path)) = (&token, &phone.settings().console_token) {
        write!(
            writer,
            "Android Console: Authentication required\r\nAndroid Console: type 'auth <auth_token>' to authenticate\r\n\
             Android Console: you can find your <auth_token> in \r\n'{}'\r\nOK\r\n",
            path.display()
        )?;
    } else {
        write!(writer, "Android Console: type 'help' for a list of commands\r\nOK\r\n")?;
    }
    loop {
        let mut line = Vec::new();
        if reader.by_ref().take(LONGEST).read_until(b'\n', &mut line)? == 0 || phone.is_stopped() {
            return Ok(());
        }
        let line = String::from_utf8_lossy(&line).trim().to_owned();
        if line.is_empty() {
            continue;
        }
        let answer = match (line.strip_prefix("auth"), &token) {
            (Some(said), Some(token)) if said.trim() == token => {
                known = true;
                Answer::Ok("Android Console: type 'help' for a list of commands\n".into())
            }
            (Some(_), Some(_)) => {
                // A guess ends the talk.
                write!(writer, "KO: authentication token does not match ~/.emulator_console_auth_token\r\n")?;
                return Ok(());
            }
            (Some(_), None) => Answer::Ok("Android Console: type 'help' for a list of commands\n".into()),
            (None, _) => commands::run(phone, &line, known),
        };
        match answer {
            Answer::Ok(text) => write!(writer, "{}OK\r\n", text.replace('\n', "\r\n"))?,
            Answer::Ko(why) => write!(writer, "KO: {why}\r\n")?,
            Answer::Quit => return Ok(()),
            Answer::Kill => {
                write!(writer, "OK: killing emulator, bye bye\r\n")?;
                writer.flush()?;
                phone.stop();
                return Ok(());
            }
        }
        writer.flush()?;
    }
}

/// The token that must be told. An empty file means none, as with the real one.
fn token(phone: &Phone) -> Option<String> {
    let path = phone.settings().console_token.as_ref()?;
    let text = std::fs::read_to_string(path).unwrap_or_default();
    Some(text.trim().to_owned()).filter(|token| !token.is_empty())
}
