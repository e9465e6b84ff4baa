//! Events, done.

use std::time::Duration;

use retap_device::DeviceError;
use retap_trace::{Aim, Aiming, Event, Flag, Key, Micros, NodeId, Point, Selector, SystemEvent};

use crate::client::{AdbError, Deadline, quote};
use crate::parse::{self, AmReply, Touchscreen, UiDump};

use super::console::Console;
use super::fingers::{self, BETWEEN_TAPS, Panel};
use super::system::SystemDeed;
use super::typing::{self, Piece};
use super::{AdbDevice, Shade, Trouble, gesture, system};

/// The key that goes to the end of a line, and the one that deletes what comes after.
const MOVE_END: Key = Key(123);
const FORWARD_DELETE: Key = Key(112);
/// A field holds no more than this that is deleted key by key.
const LONGEST_FIELD: usize = 1_000;
/// Android 11: from then on `input` needs no runtime of its own and is quick.
const QUICK_INPUT: u32 = 30;
/// How long a new keyboard takes to be there.
const KEYBOARD_WAIT: Duration = Duration::from_millis(500);

impl AdbDevice {
    pub(super) fn act(&mut self, event: &Event, deadline: &Deadline) -> Result<(), Trouble> {
        match event {
            Event::Launch => self.launch(deadline),
            Event::Tap(aim) => self.touch(aim, deadline, gesture::tap),
            Event::LongTap { aim, hold } => self.touch(aim, deadline, |at| gesture::hold(at, *hold)),
            Event::DoubleTap(aim) => match self.resolve(aim, deadline)? {
                Some(at) => self.double_tap(at, deadline),
                None => Ok(()),
            },
            Event::Swipe { aim, to, over } => self.touch(aim, deadline, |from| {
                // A finger that follows a widget goes as far as it went when it was recorded.
                let end = Point::new(
                    to.x.saturating_add(from.x.saturating_sub(aim.at.x)),
                    to.y.saturating_add(from.y.saturating_sub(aim.at.y)),
                );
                gesture::swipe(from, end, *over)
            }),
            Event::Pinch { aim, percent, .. } => self.pinch(aim, *percent, deadline),
            Event::Key { key } => self.input(&gesture::keys(&[*key]), deadline),
            Event::Text { text, widget } => self.type_text(text, widget.as_ref(), deadline),
            Event::Rotate { to } => {
                let quarter = self.quarters(*to);
                let turn = format!(
                    "settings put system accelerometer_rotation 0; settings put system user_rotation {quarter}"
                );
                self.done(&turn, deadline)
            }
            Event::System(event) => {
                self.note_before(event, deadline)?;
                self.bring_about(event, deadline)
            }
            Event::Wait { time } => Ok(deadline.sleep(duration(*time))?),
        }
    }

    fn launch(&mut self, deadline: &Deadline) -> Result<(), Trouble> {
        if self.shade == Shade::Down {
            // The app would start below the shade; before Android 7 there is no command to pull it up.
            self.shell.run("cmd statusbar collapse", deadline)?;
        }
        // As a launcher does it: a running app comes to the front as it is.
        let command = format!(
            "am start -a android.intent.action.MAIN -c android.intent.category.LAUNCHER -f 0x10200000 -n {}",
            quote(&self.app.component)
        );
        let output = self.shell.run(&command, deadline)?;
        match parse::am_reply(&output.said(), output.status) {
            AmReply::Done => Ok(()),
            AmReply::NotFound => Err(DeviceError::AppGone { package: self.app.package.clone() }.into()),
            AmReply::Denied(why) | AmReply::Failed(why) => {
                Err(DeviceError::Failed { call: "perform", why: format!("the app did not start: {why}") }
                    .into())
            }
        }
    }

    fn touch(
        &mut self,
        aim: &Aim,
        deadline: &Deadline,
        gesture: impl FnOnce(Point) -> String,
    ) -> Result<(), Trouble> {
        match self.resolve(aim, deadline)? {
            Some(at) => self.input(&gesture(at), deadline),
            None => Ok(()),
        }
    }

    /// Where the finger goes. None when it follows a widget that is not there: then nothing is done.
    fn resolve(&mut self, aim: &Aim, deadline: &Deadline) -> Result<Option<Point>, AdbError> {
        match (&aim.widget, aim.by) {
            (Some(widget), Aiming::Widget) => {
                let (screen, found) = self.find(widget, deadline)?;
                Ok(found.map(|id| screen.tree.node(id).bounds.center()))
            }
            _ => Ok(Some(aim.at)),
        }
    }

    fn find(&mut self, widget: &Selector, deadline: &Deadline) -> Result<(UiDump, Option<NodeId>), AdbError> {
        let screen = self.dumper.dump(&mut self.shell, &self.transport, deadline)?;
        let found = widget.touchable(&screen.tree);
        Ok((screen, found))
    }

    fn double_tap(&mut self, at: Point, deadline: &Deadline) -> Result<(), Trouble> {
        // Each `input` of an old version takes longer than two taps may be apart.
        if self.api < QUICK_INPUT
            && let Some(touchscreen) = self.find_touchscreen(deadline)?
        {
            let rotation = self.rotation_now(deadline)?;
            let panel = Panel { touchscreen: &touchscreen, size: self.natural, rotation };
            if self.shell.run(&fingers::double_tap(panel, at), deadline)?.status == 0 {
                return Ok(());
            }
            // The shell may not write to it, and nothing was touched.
            self.touchscreen = None;
        }
        let tap = format!("{} {}", self.input, gesture::tap(at));
        self.done(&format!("{tap}; sleep {BETWEEN_TAPS}; {tap}"), deadline)
    }

    fn pinch(&mut self, aim: &Aim, percent: u32, deadline: &Deadline) -> Result<(), Trouble> {
        let Some(touchscreen) = self.find_touchscreen(deadline)? else {
            return Err(self.unsupported("pinching: its touch screen cannot be found").into());
        };
        let Some(at) = self.resolve(aim, deadline)? else { return Ok(()) };
        let rotation = self.rotation_now(deadline)?;
        let panel = Panel { touchscreen: &touchscreen, size: self.natural, rotation };
        let output = self.shell.run(&fingers::pinch(panel, at, percent), deadline)?;
        if output.status != 0 || output.said().contains("Permission denied") {
            return Err(self.unsupported("pinching: the shell may not write to its touch screen").into());
        }
        Ok(())
    }

    pub(super) fn find_touchscreen(&mut self, deadline: &Deadline) -> Result<Option<Touchscreen>, AdbError> {
        if self.touchscreen.is_none() {
            self.touchscreen = parse::touchscreen(&self.shell.run("getevent -p", deadline)?.text());
        }
        Ok(self.touchscreen.clone())
    }

    /// How the screen is turned now, in quarters.
    fn rotation_now(&mut self, deadline: &Deadline) -> Result<u8, AdbError> {
        Ok(self.glancer.look(&mut self.shell, None, deadline)?.display.rotation.unwrap_or(0))
    }

    fn type_text(
        &mut self,
        text: &str,
        widget: Option<&Selector>,
        deadline: &Deadline,
    ) -> Result<(), Trouble> {
        let pieces = typing::pieces(text);
        if pieces.iter().any(|piece| matches!(piece, Piece::Unicode(_))) {
            self.expect_keyboard(text, deadline)?;
        }
        let (screen, field) = if let Some(widget) = widget {
            let (screen, found) = self.find(widget, deadline)?;
            let Some(id) = found else { return Ok(()) };
            self.input(&gesture::tap(screen.tree.node(id).bounds.center()), deadline)?;
            (screen, Some(id))
        } else {
            let screen = self.dumper.dump(&mut self.shell, &self.transport, deadline)?;
            let focused = screen.tree.ids().find(|id| screen.tree.node(*id).flags.has(Flag::Focused));
            (screen, focused)
        };
        if let Some(id) = field {
            self.clear_field(&screen.tree.node(id).text, deadline)?;
        }
        for piece in pieces {
            match piece {
                Piece::Plain(text) => self.input(&typing::plain(&text), deadline)?,
                Piece::Key(key) => self.input(&gesture::keys(&[key]), deadline)?,
                Piece::Unicode(text) => self.type_unicode(&text, deadline)?,
            }
        }
        Ok(())
    }

    /// Deletes what stands in the field, or as many characters as its hint has, which does no harm.
    fn clear_field(&mut self, text: &str, deadline: &Deadline) -> Result<(), Trouble> {
        let length = text.chars().count().min(LONGEST_FIELD);
        if length == 0 {
            return Ok(());
        }
        let mut keys = vec![MOVE_END];
        keys.extend(vec![Key::DELETE; length]);
        if text.contains('\n') {
            keys.extend(vec![FORWARD_DELETE; length]);
        }
        self.input(&gesture::keys(&keys), deadline)
    }

    /// Refuses a text that cannot be typed before anything is touched.
    fn expect_keyboard(&mut self, text: &str, deadline: &Deadline) -> Result<(), Trouble> {
        let keyboards = self.shell.run("ime list -s -a", deadline)?.text();
        if !keyboards.lines().any(|line| line.trim() == typing::KEYBOARD) {
            let what = format!(
                "typing {text:?}: 'input text' takes ASCII only; install the keyboard app com.android.adbkeyboard on it for the rest"
            );
            return Err(self.unsupported(what).into());
        }
        Ok(())
    }

    fn type_unicode(&mut self, text: &str, deadline: &Deadline) -> Result<(), Trouble> {
        let current = self.shell.run("settings get secure default_input_method", deadline)?.text();
        if current.trim() != typing::KEYBOARD {
            self.tuning.change(("secure", "default_input_method"), &mut self.shell, deadline)?;
            self.shell.run(&format!("ime enable {0}; ime set {0}", typing::KEYBOARD), deadline)?;
            deadline.sleep(KEYBOARD_WAIT)?;
        }
        self.done(&typing::unicode(text), deadline)
    }

    fn bring_about(&mut self, event: &SystemEvent, deadline: &Deadline) -> Result<(), Trouble> {
        match system::deed(event, &self.app.package, self.api) {
            SystemDeed::Shell(commands) => {
                for command in commands {
                    self.done(&command, deadline)?;
                }
                Ok(())
            }
            SystemDeed::Intent(command) => self.intend(event, &command, deadline),
            SystemDeed::Console(command) => match Console::of(self.transport.serial(), self.token.clone()) {
                Some(console) => Ok(console.command(&command, deadline).map(|_| ())?),
                None => Err(self.unsupported(format!("the system event {event}: only emulators do")).into()),
            },
        }
    }

    fn intend(&mut self, event: &SystemEvent, command: &str, deadline: &Deadline) -> Result<(), Trouble> {
        let output = self.shell.run(command, deadline)?;
        match parse::am_reply(&output.said(), output.status) {
            AmReply::Done => Ok(()),
            AmReply::Denied(why) => Err(self.unsupported(format!("the system event {event}: {why}")).into()),
            AmReply::NotFound => {
                Err(self.unsupported(format!("the system event {event}: nothing takes it")).into())
            }
            AmReply::Failed(why) => Err(DeviceError::Failed { call: "perform", why }.into()),
        }
    }

    fn input(&mut self, arguments: &str, deadline: &Deadline) -> Result<(), Trouble> {
        self.done(&format!("{} {arguments}", self.input), deadline)
    }

    /// Runs a command that says nothing when all is well.
    fn done(&mut self, command: &str, deadline: &Deadline) -> Result<(), Trouble> {
        let output = self.shell.run(command, deadline)?;
        let said = output.said();
        // Old versions of Android's tools exit with 0 and print their own usage.
        let failed = output.status != 0 || said.starts_with("Error:") || said.starts_with("Usage:");
        if failed {
            let said = said.lines().next().unwrap_or_default();
            let why = format!(
                "'{}' ended with status {}: {said}",
                command.chars().take(80).collect::<String>(),
                output.status
            );
            return Err(DeviceError::Failed { call: "perform", why }.into());
        }
        Ok(())
    }
}

fn duration(time: Micros) -> Duration {
    Duration::from_micros(time.0)
}
