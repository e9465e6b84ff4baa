//! Commands for a Monkey that listens to a port (`monkey --port`): `touch down 160 200`, `key down dpad_down`, `sleep 1000`.

use retap_trace::{Aim, Event, Key, Micros};

use super::finger::{Finger, TouchAction};
use super::keys::HeldKeys;
use super::lines::{numbered, text};
use super::monkey;
use super::numbers::{millis, point};
use super::tally::Made;
use super::{ImportInput, Importer};

pub(super) const IMPORTER: Importer = Importer {
    name: "monkey-network",
    about: "commands for a Monkey that listens to a port (monkey --port)",
    sniff,
    read: |input, _| Ok(read(input)),
};

/// How long a finger is down when nothing says that it waited.
const MOMENT: Micros = Micros::from_millis(50);

fn sniff(input: &ImportInput<'_>) -> Option<&'static str> {
    let text = text(&input.bytes[..input.bytes.len().min(1 << 16)]);
    let told = |(_, line): (usize, &str)| {
        let words: Vec<&str> = line.split_whitespace().collect();
        matches!(
            words[..],
            ["touch", "down" | "up" | "move", _, _] | ["tap", _, _] | ["key", "down" | "up", _]
        )
    };
    numbered(&text).any(told).then_some("it has lines such as 'touch down 160 200'")
}

fn read(input: &ImportInput<'_>) -> Made {
    let text = text(input.bytes);
    let mut told = Told {
        made: Made::default(),
        finger: Finger::default(),
        time: Micros::ZERO,
        held: HeldKeys::default(),
    };
    let mut lines = numbered(&text);
    while let Some((number, line)) = lines.next() {
        let line = line.trim();
        let words: Vec<&str> = line.split_whitespace().collect();
        if !is_command(line) {
            continue;
        }
        told.made.line = Some(number);
        if words == ["quit"] || words == ["done"] {
            let rest: Vec<usize> =
                lines.filter(|(_, line)| is_command(line)).map(|(number, _)| number).collect();
            let what = format!("commands after '{}', which ends the Monkey", words[0]);
            told.made.skip_many(what, rest.len() as u64, rest.first().copied());
            break;
        }
        if told.command(line, &words).is_none() {
            told.made.skip(format!("commands '{}' that cannot be read", words[0]), None);
        }
    }
    told.made.line = None;
    told.finger.end(&mut told.made);
    told.held.end(&mut told.made);
    told.made
}

fn is_command(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with('#')
}

struct Told {
    made: Made,
    finger: Finger,
    time: Micros,
    held: HeldKeys,
}

impl Told {
    /// Nothing when it cannot be read.
    fn command(&mut self, line: &str, words: &[&str]) -> Option<()> {
        match *words {
            ["touch", what, x, y] => {
                let touch = match what {
                    "down" => TouchAction::Down,
                    "move" => TouchAction::Move,
                    "up" => TouchAction::Up,
                    _ => return None,
                };
                self.time += MOMENT;
                self.finger.touch(touch, point(x, y)?, self.time, &mut self.made);
            }
            ["tap", x, y] => self.made.add(Event::Tap(Aim::place(point(x, y)?))),
            ["key", "down", name] => self.held.down(monkey::key(name)?, &mut self.made),
            ["key", "up", name] => self.held.up(monkey::key(name)?, &mut self.made),
            ["press", name] => self.made.key(monkey::key(name)?),
            ["type", ..] => self.made.add(Event::text(unquoted(line.strip_prefix("type")?.trim())?)),
            ["sleep", time] => {
                let time = millis(time)?;
                if self.finger.is_down() {
                    self.time += time;
                }
                self.finger.wait(time, &mut self.made);
            }
            ["wake"] => self.made.key(Key::WAKEUP),
            ["trackball", ..] => self.made.skip("events of a trackball", None),
            ["flip", ..] => self.made.skip("flips of a hardware keyboard", None),
            ["listvar" | "getvar" | "deferreturn" | "getviewswithtext" | "queryview", ..] => {
                self.made.skip("questions to the Monkey", None);
            }
            _ => return None,
        }
        Some(())
    }
}

/// A word, or words between quotes; nothing where the second quote is missing.
fn unquoted(text: &str) -> Option<String> {
    match text.strip_prefix('"') {
        Some(rest) => rest.strip_suffix('"').map(|inside| inside.replace("\\\"", "\"")),
        None => Some(text.to_owned()),
    }
}
