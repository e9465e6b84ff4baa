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
    /// When the touch screen or a key was heard last.
    stirred: Instant,
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
            stirred: Instant::now(),
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

    /// The moment at which a tap that waits for a second one is a tap, if nothing is heard of fingers and keys until then.
    fn due(&self) -> Option<Instant> {
        let patience = self.gestures.patience().filter(|_| self.strokes.idle())?;
        Some(self.stirred + Duration::from_micros(patience.0))
    }

    /// Whether something is of a person. Other input devices, such as sensors, may never be quiet.
    fn is_of_a_person(&self, input: &RawInput) -> bool {
        input.kind == EV_KEY || input.device == self.touchscreen.path
    }

    /// The next input, if it is over within this time. Moments are told from `began` on.
    fn hear(
        &mut self,
        within: Duration,
        began: Instant,
        pixel: impl Fn(i32, i32) -> Point,
    ) -> Result<Option<Told>, DeviceError> {
        let until = Instant::now() + within;
        loop {
            if let Some(told) = self.told.pop_front() {
                return Ok(Some(told));
            }
            let due = self.due();
            let next = due.map_or(until, |due| due.min(until));
            match self.heard.recv_timeout(next.saturating_duration_since(Instant::now())) {
                Ok(Heard::Line(at, line)) => {
                    match parse::raw_input(&line).filter(|input| self.is_of_a_person(input)) {
                        Some(input) => {
                            self.stirred = at;
                            let heard = u64::try_from(at.saturating_duration_since(began).as_micros());
                            self.take(&input, Micros(heard.unwrap_or(u64::MAX)), &pixel);
                        }
                        // Lines come in order: of what a person did until then, all was heard.
                        None if due.is_some_and(|due| at >= due) => return Ok(self.gestures.rest()),
                        None if at >= until => return Ok(None),
                        None => {}
                    }
                }
                Ok(Heard::Ended(why)) => return Err(ended(why)),
                Err(RecvTimeoutError::Disconnected) => return Err(ended("it is not read any more")),
                Err(RecvTimeoutError::Timeout) if due.is_some_and(|due| Instant::now() >= due) => {
                    return Ok(self.gestures.rest());
                }
                Err(RecvTimeoutError::Timeout) => return Ok(None),
            }
        }
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
        let touchscreen = listener.touchscreen.clone();
        let panel = Panel { touchscreen: &touchscreen, size: self.natural, rotation: self.rotation };
        Ok(listener.hear(within, self.began, |x, y| panel.pixel(x, y))?)
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

#[cfg(test)]
mod tests {
    use retap_trace::Event;

    use super::*;
    use crate::parse::Axis;

    const TAP: [&str; 7] = [
        "3 2f 0",
        "3 39 1",
        "3 35 50",
        "3 36 60",
        "0 0 0", // down
        "3 39 ffffffff",
        "0 0 0", // up
    ];

    /// Somebody who hears what is sent here.
    fn listening(double: Micros) -> (Listener, Sender<Heard>) {
        let (sender, heard) = channel();
        let axis = Axis { min: 0, max: 1000 };
        let touchscreen = Touchscreen {
            path: "/dev/input/event1".to_owned(),
            x: axis,
            y: axis,
            slots: true,
            pressure: None,
        };
        let limits = Limits { slop: 20, long: Micros::from_secs(60), double };
        let listener = Listener {
            touchscreen,
            strokes: Strokes::default(),
            gestures: Gestures::new(limits),
            pressed: Micros::ZERO,
            stirred: Instant::now(),
            told: VecDeque::new(),
            heard,
            cancel: Cancel::default(),
            thread: None,
        };
        (listener, sender)
    }

    fn line(device: &str, second: u32, input: &str) -> Heard {
        let parts: Vec<u32> =
            input.split(' ').map(|part| u32::from_str_radix(part, 16).expect("a number")).collect();
        let text = format!("[ {second}.000000] {device}: {:04x} {:04x} {:08x}", parts[0], parts[1], parts[2]);
        Heard::Line(Instant::now(), text)
    }

    fn tap(sender: &Sender<Heard>, second: u32) {
        for input in TAP {
            sender.send(line("/dev/input/event1", second, input)).expect("it is heard");
        }
    }

    fn hear(listener: &mut Listener, began: Instant) -> Option<Event> {
        let told = listener.hear(Duration::from_millis(50), began, Point::new).expect("it goes on");
        told.map(|told| told.deed.expect("an event"))
    }

    /// A sensor that is never quiet keeps no tap from being told.
    #[test]
    fn only_fingers_and_keys_are_waited_for() {
        let (mut listener, sender) = listening(Micros::from_millis(300));
        let began = Instant::now();
        tap(&sender, 1);
        let sensor = std::thread::spawn(move || {
            // Longer than anybody waits; it ends once nobody hears it.
            for _ in 0..3_000 {
                if sender.send(line("/dev/input/event7", 1, "3 0 5")).is_err() {
                    return;
                }
                std::thread::sleep(Duration::from_millis(10));
            }
            let _ = sender.send(Heard::Ended("the tap was never told".to_owned()));
        });
        let told = std::iter::from_fn(|| Some(hear(&mut listener, began))).flatten().next();
        assert_eq!(told, Some(Event::tap(0x50, 0x60)));
        drop(listener);
        sensor.join().expect("no panic");
    }

    /// Who asks is answered in time, also while a tap waits for a second one.
    #[test]
    fn a_tap_that_waits_makes_nobody_wait() {
        let (mut listener, sender) = listening(Micros::from_secs(60));
        let began = Instant::now();
        tap(&sender, 1);
        assert_eq!(hear(&mut listener, began), None);
        assert!(began.elapsed() < Duration::from_secs(50), "{:?}", began.elapsed());
        tap(&sender, 2);
        assert!(matches!(hear(&mut listener, began), Some(Event::DoubleTap(_))));
    }
}
