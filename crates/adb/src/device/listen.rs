//! Hearing what a person does on the device: `getevent`, read by a thread, so that it is known when each touch began even
//! while the screen is being looked at.
//!
//! Numbers are asked for, not names: every key has a number, and only some have names that all versions agree on.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use retap_device::{DeviceError, Inputs, PersonInput};
use retap_trace::{Micros, Point};

use super::fingers::Panel;
use super::{AdbDevice, Trouble};
use crate::client::{AdbError, Cancel, Deadline, Stream, Transport};
use crate::parse::{self, EV_KEY, RawInput, Touchscreen};
use crate::person::{Gestures, Limits, Strokes, Told};

const COMMAND: &str = "getevent -t";
/// A finger that moves less than this, in pixels of a screen with 160 to the inch, has not moved.
const SLOP: u32 = 8;
const USUAL_DENSITY: u32 = 420;
const USUAL_LONG: u64 = 500;
const DOUBLE: Micros = Micros::from_millis(300);
/// How often the reader looks whether it is still wanted.
const QUIET: Duration = Duration::from_millis(100);
const LONGEST_LINE: usize = 4 << 10;

/// What the thread tells.
enum Heard {
    Line(Instant, String),
    Ended(String),
}

/// Somebody who listens.
#[derive(Debug)]
pub(super) struct Listener {
    touchscreen: Touchscreen,
    strokes: Strokes,
    gestures: Gestures,
    /// When the first of the fingers that are down was heard.
    pressed: Micros,
    told: VecDeque<Told>,
    heard: Receiver<Heard>,
    cancel: Cancel,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.cancel.cancel();
        if let Some(thread) = self.thread.take() {
            // It may have panicked; there is nobody left to tell.
            let _ = thread.join();
        }
    }
}

impl Listener {
    fn start(
        touchscreen: Touchscreen,
        limits: Limits,
        transport: &Transport,
        deadline: &Deadline,
    ) -> Result<Self, AdbError> {
        let (sender, heard) = channel();
        let cancel = Cancel::default();
        let stream = transport.stream(COMMAND, deadline)?;
        let stop = cancel.clone();
        let name = format!("getevent {}", transport.serial());
        let body = move || read(stream, &sender, &stop);
        let thread = std::thread::Builder::new().name(name).spawn(body).expect("a thread can be started");
        Ok(Self {
            touchscreen,
            strokes: Strokes::default(),
            gestures: Gestures::new(limits),
            pressed: Micros::ZERO,
            told: VecDeque::new(),
            heard,
            cancel,
            thread: Some(thread),
        })
    }

    /// Waits until the touch screen is being listened to.
    fn ready(&self, deadline: &Deadline) -> Result<(), Trouble> {
        let wanted = format!(": {}", self.touchscreen.path);
        loop {
            match self.heard.recv_timeout(deadline.left()?) {
                Ok(Heard::Line(_, line)) if line.trim_end().ends_with(&wanted) => return Ok(()),
                Ok(Heard::Line(..)) | Err(RecvTimeoutError::Timeout) => {}
                Ok(Heard::Ended(why)) => return Err(ended(why).into()),
                Err(RecvTimeoutError::Disconnected) => return Err(ended("it is not read any more").into()),
            }
        }
    }

    fn take(&mut self, input: &RawInput, heard: Micros, pixel: impl Fn(i32, i32) -> Point) {
        if input.kind == EV_KEY {
            self.told.extend(self.gestures.key(input.code, input.value, heard));
        }
        if input.device != self.touchscreen.path {
            return;
        }
        let idle = self.strokes.idle();
        if let Some(strokes) = self.strokes.take(input, pixel) {
            self.told.extend(self.gestures.fingers(&strokes, self.pressed));
        } else if idle && !self.strokes.idle() {
            self.pressed = heard;
        }
    }

    /// How long to wait for the next line.
    fn patience(&self) -> Option<Duration> {
        let patience = self.gestures.patience().filter(|_| self.strokes.idle())?;
        Some(Duration::from_micros(patience.0))
    }
}

fn ended(why: impl Into<String>) -> DeviceError {
    DeviceError::Failed { call: "listen", why: format!("'{COMMAND}' ended: {}", why.into()) }
}

/// Reads lines until the stream ends.
fn read(mut stream: Stream, sender: &Sender<Heard>, stop: &Cancel) {
    let mut buffer = vec![0; 16 << 10];
    let mut partial: Vec<u8> = Vec::new();
    let why = loop {
        match stream.read(&mut buffer, &Deadline::within("getevent", QUIET).or(stop)) {
            Ok(0) if partial.is_empty() => break "the connection was closed".to_owned(),
            Ok(0) => break String::from_utf8_lossy(&partial).trim().to_owned(),
            Ok(count) => {
                let now = Instant::now();
                for part in buffer[..count].split_inclusive(|byte| *byte == b'\n') {
                    let room = LONGEST_LINE.saturating_sub(partial.len());
                    partial.extend_from_slice(&part[..part.len().min(room)]);
                    if !part.ends_with(b"\n") {
                        continue;
                    }
                    let line = String::from_utf8_lossy(&std::mem::take(&mut partial)).into_owned();
                    if sender.send(Heard::Line(now, line)).is_err() {
                        return;
                    }
                }
            }
            Err(AdbError::Timeout { .. }) if !stop.is_cancelled() => {}
            Err(error) => break error.to_string(),
        }
    };
    // Nobody may be left to hear it.
    let _ = sender.send(Heard::Ended(why));
}

impl AdbDevice {
    fn start_listening(&mut self, deadline: &Deadline) -> Result<(), Trouble> {
        let Some(touchscreen) = self.find_touchscreen(deadline)? else {
            return Err(self.unsupported("listening to a person: its touch screen cannot be found").into());
        };
        if !touchscreen.slots {
            let what =
                "listening to a person: its touch screen has no slots for fingers (multi-touch protocol A)";
            return Err(self.unsupported(what).into());
        }
        let density =
            parse::density(&self.shell.run("wm density", deadline)?.text()).unwrap_or(USUAL_DENSITY);
        let long = self.shell.run("settings get secure long_press_timeout", deadline)?.text();
        let long = parse::setting(&long).and_then(|text| text.parse().ok()).unwrap_or(USUAL_LONG);
        let limits = Limits {
            slop: density * SLOP / 160,
            long: Micros::from_millis(long.clamp(100, 5_000)),
            double: DOUBLE,
        };
        let listener = Listener::start(touchscreen, limits, &self.transport, deadline)?;
        listener.ready(deadline)?;
        self.listener = Some(listener);
        Ok(())
    }

    fn hear(&mut self, within: Duration) -> Result<Option<Told>, Trouble> {
        let Some(listener) = &mut self.listener else {
            return Err(ended("nobody has begun to listen").into());
        };
        let until = Instant::now() + within;
        loop {
            if let Some(told) = listener.told.pop_front() {
                return Ok(Some(told));
            }
            let left = until.saturating_duration_since(Instant::now());
            let patience = listener.patience();
            match listener.heard.recv_timeout(patience.unwrap_or(left)) {
                Ok(Heard::Line(at, line)) => {
                    let Some(input) = parse::raw_input(&line) else { continue };
                    let heard = u64::try_from(at.saturating_duration_since(self.began).as_micros());
                    let touchscreen = listener.touchscreen.clone();
                    let panel =
                        Panel { touchscreen: &touchscreen, size: self.natural, rotation: self.rotation };
                    listener.take(&input, Micros(heard.unwrap_or(u64::MAX)), |x, y| panel.pixel(x, y));
                }
                Ok(Heard::Ended(why)) => return Err(ended(why).into()),
                Err(RecvTimeoutError::Disconnected) => return Err(ended("it is not read any more").into()),
                Err(RecvTimeoutError::Timeout) => return Ok(patience.and_then(|_| listener.gestures.rest())),
            }
        }
    }
}

impl Inputs for AdbDevice {
    fn listen(&mut self, within: Micros) -> Result<(), DeviceError> {
        self.call("listen", within, Self::start_listening)
    }

    fn next_input(&mut self, within: Micros) -> Result<Option<PersonInput>, DeviceError> {
        let wait = Duration::from_micros(within.0);
        let told = self.call("listen", within, |device, _| device.hear(wait))?;
        Ok(told.map(|Told { heard, deed }| PersonInput { pressed: heard, deed }))
    }
}
