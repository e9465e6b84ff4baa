//! What stands between a person and a shell: typed letters are shown and can be taken back, lines end in two
//! characters.

use crate::shell::{Output, Sink, Source};
use crate::transport::Broken;

/// The longest line that is typed.
const LONGEST: usize = 4096;

/// The screen of a terminal.
pub(super) struct TerminalSink(pub(super) Output);

/// The keyboard of a terminal. Whole lines come out.
pub(super) struct Terminal {
    keys: Box<dyn Source>,
    screen: Output,
    line: Vec<u8>,
}

impl Terminal {
    pub(super) fn new(keys: Box<dyn Source>, screen: Output) -> Self {
        Self { keys, screen, line: Vec::new() }
    }

    /// Takes one key. Whole lines go to `out`; `false` when the person has said that there is no more.
    fn key(&mut self, key: u8, out: &mut Vec<u8>, shown: &mut Vec<u8>) -> bool {
        match key {
            b'\r' | b'\n' => {
                shown.push(b'\n');
                self.line.push(b'\n');
                out.append(&mut self.line);
            }
            0x7f | 0x08 => {
                if self.line.pop().is_some() {
                    shown.extend_from_slice(b"\x08 \x08");
                }
            }
            0x03 => {
                self.line.clear();
                shown.extend_from_slice(b"^C\n");
                out.push(b'\n');
            }
            0x04 if self.line.is_empty() && out.is_empty() => return false,
            0x04 => out.append(&mut self.line),
            _ if self.line.len() < LONGEST => {
                shown.push(key);
                self.line.push(key);
            }
            _ => shown.push(0x07),
        }
        true
    }
}

impl Source for Terminal {
    fn get(&mut self) -> Option<Vec<u8>> {
        loop {
            let keys = self.keys.get()?;
            let (mut out, mut shown) = (Vec::new(), Vec::new());
            let goes_on = keys.into_iter().all(|key| self.key(key, &mut out, &mut shown));
            self.screen.put(&shown).ok()?;
            match (out.is_empty(), goes_on) {
                (false, _) => return Some(out),
                (true, false) => return None,
                (true, true) => {}
            }
        }
    }
}

impl Sink for TerminalSink {
    fn put(&self, data: &[u8]) -> Result<(), Broken> {
        let mut shown = Vec::with_capacity(data.len() + 16);
        for byte in data {
            if *byte == b'\n' {
                shown.push(b'\r');
            }
            shown.push(*byte);
        }
        self.0.put(shown)
    }
}

impl Source for Box<dyn Source> {
    fn get(&mut self) -> Option<Vec<u8>> {
        (**self).get()
    }
}
