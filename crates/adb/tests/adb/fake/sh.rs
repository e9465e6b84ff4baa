//! Just enough of a shell: commands behind `;`, quotes, `echo`, `$?`, `>&2`.

use super::phone::{Phone, Reply};

/// Runs a line. `last` is the status of the command before.
pub(super) fn run(phone: &mut Phone, line: &str) -> Reply {
    let mut all = Reply::default();
    for command in split(line, ';') {
        let mut words: Vec<String> = words(&command, all.status);
        let to_errors = words.last().is_some_and(|word| word == ">&2");
        if to_errors {
            words.pop();
        }
        let reply = match words.first().map(String::as_str) {
            None => continue,
            Some("echo") => Reply::said(&format!("{}\n", words[1..].join(" "))),
            Some("true") => Reply::default(),
            Some(_) => phone.command(&words),
        };
        let (out, err) = if to_errors { (Vec::new(), reply.out) } else { (reply.out, reply.err) };
        all.out.extend(out);
        all.err.extend(err);
        all.status = reply.status;
    }
    all
}

/// Splits outside quotes.
fn split(line: &str, mark: char) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut quote = None;
    let mut escaped = false;
    for char in line.chars() {
        match (quote, char) {
            _ if escaped => escaped = false,
            (None, '\\') => escaped = true,
            (None, '\'' | '"') => quote = Some(char),
            (Some(open), _) if open == char => quote = None,
            (None, _) if char == mark => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        parts.last_mut().unwrap().push(char);
    }
    parts
}

/// Words with their quotes taken off.
fn words(command: &str, status: u8) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = command.trim().chars().peekable();
    while let Some(char) = chars.next() {
        match (quote, char) {
            (None, ' ') => words.extend(word.take()),
            (None, '\'' | '"') => {
                quote = Some(char);
                word.get_or_insert_default();
            }
            (None, '\\') => word.get_or_insert_default().extend(chars.next()),
            (Some(open), _) if open == char => quote = None,
            (None | Some('"'), '$') if chars.peek() == Some(&'?') => {
                chars.next();
                word.get_or_insert_default().push_str(&status.to_string());
            }
            _ => word.get_or_insert_default().push(char),
        }
    }
    words.extend(word);
    words
}
