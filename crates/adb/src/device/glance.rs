//! The cheap look: which activity is in front, how the device is held, whether the keyboard is up.
//!
//! One line of commands, one answer. Which commands tell the activity differs from version to version and is found
//! out by trying.

use std::time::Duration;

use retap_trace::Size;

use crate::client::{AdbError, Deadline};
use crate::parse::{self, Display, Foreground, MARK_TAG};

use super::shell::Shell;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Glance {
    pub(super) front: Foreground,
    pub(super) display: Display,
    pub(super) keyboard: bool,
}

#[derive(Debug)]
pub(super) struct Glancer {
    /// How many of the sources are asked at once.
    sources: usize,
}

/// Where the activity in front may be told, the cheapest first. The first also tells of the screen.
const SOURCES: [&str; 3] =
    ["dumpsys window displays", "dumpsys window windows", "dumpsys activity activities"];
const TRIES: usize = 10;
/// Whose the shade and the lock screen are.
pub(super) const SYSTEM_UI: &str = "com.android.systemui";

impl Glancer {
    pub(super) const fn new() -> Self {
        Self { sources: 1 }
    }

    /// Looks. `mark` is written into the log afterwards, where one is given.
    pub(super) fn look(
        &mut self,
        shell: &mut Shell,
        mark: Option<u64>,
        deadline: &Deadline,
    ) -> Result<Glance, AdbError> {
        let mark = mark.map(|mark| format!("; {}", marking(mark))).unwrap_or_default();
        for attempt in 0..TRIES {
            let command = format!("{}; dumpsys input_method{mark}", SOURCES[..self.sources].join("; "));
            let text = shell.run(&command, deadline)?.text();
            if let Some(front) = parse::foreground(&text) {
                let (display, keyboard) = (parse::display(&text), parse::keyboard_shown(&text));
                return Ok(Glance { front, display, keyboard });
            }
            // Between two activities nothing is in front for a moment; only then is it the source that is wrong.
            if attempt >= 1 && self.sources < SOURCES.len() {
                self.sources += 1;
            } else {
                deadline.sleep(Duration::from_millis(100))?;
            }
        }
        Err(AdbError::Refused {
            request: "dumpsys".to_owned(),
            why: "it does not tell what is in front".to_owned(),
        })
    }
}

/// The command that writes a mark into the log.
pub(super) fn marking(mark: u64) -> String {
    format!("log -t {MARK_TAG} 'mark {mark}'")
}

impl Glance {
    /// The package and the activity, or what the system has put over them.
    pub(super) fn in_front(&self) -> (&str, &str) {
        match self.front.dialog() {
            Some(parse::SystemDialog::NotResponding { .. }) => {
                ("android", "android.ApplicationNotResponding")
            }
            Some(parse::SystemDialog::Stopped { .. }) => ("android", "android.ApplicationError"),
            None => match self.front.cover() {
                Some(cover) => (SYSTEM_UI, cover),
                None => (&self.front.package, &self.front.activity),
            },
        }
    }

    /// The screen as it is held, given how it is when it is not turned.
    pub(super) fn screen(&self, natural: Size) -> Size {
        let turned = self.display.rotation.is_some_and(|rotation| rotation % 2 == 1);
        self.display.size.unwrap_or(if turned { natural.turned() } else { natural })
    }
}
