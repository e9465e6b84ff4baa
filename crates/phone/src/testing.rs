//! What tests share: phones that do not wait, and commands run on them.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use retap_sim::SimDevice;

use crate::android::Android;
use crate::phone::Phone;
use crate::settings::{PhoneSettings, Speed};
use crate::shell::{CancelFlag, Capture, CommandOutput, End, Input, Shell, Source, Streams};

/// What a script has led to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) status: u8,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// A phone in virtual time with the notes app on it.
pub(crate) fn phone() -> Phone {
    phone_of("sim:notes", Android::default())
}

pub(crate) fn phone_of(spec: &str, android: Android) -> Phone {
    let settings = PhoneSettings { android, speed: Speed::Fast, ..PhoneSettings::default() };
    let device = SimDevice::open(spec, &|path| Err(format!("no file {path}"))).expect("it is in the library");
    Phone::new(settings, device)
}

pub(crate) fn phone_with(app: &str) -> Phone {
    let device = SimDevice::open("sim:t.app", &|_| Ok(app.to_owned()));
    let settings = PhoneSettings { speed: Speed::Fast, ..PhoneSettings::default() };
    Phone::new(settings, device.unwrap_or_else(|error| panic!("{error}")))
}

/// Runs a script that has nothing to read.
pub(crate) fn run(phone: &Phone, script: &str) -> Ran {
    run_with(phone, script, b"")
}

/// Runs a script that reads this. It ends at the latest after many rounds.
pub(crate) fn run_with(phone: &Phone, script: &str, input: &[u8]) -> Ran {
    let (out, err) = (Capture::default(), Capture::default());
    let streams = Streams {
        input: Input::of(input.to_vec()),
        out: CommandOutput::new(out.clone()),
        err: CommandOutput::new(err.clone()),
    };
    let asked = AtomicU32::new(0);
    let cancel = CancelFlag::new(move || asked.fetch_add(1, Ordering::Relaxed) > 20_000);
    let status = match Shell::new(phone.clone(), cancel).run(script, &streams) {
        Ok(status) | Err(End::Exit(status)) => status,
        Err(_) => 255,
    };
    let text = |capture: &Capture| String::from_utf8_lossy(&capture.take()).into_owned();
    Ran { status, out: text(&out), err: text(&err) }
}

/// The output of a script that goes on, up to these words.
pub(crate) fn run_until(phone: &Phone, script: &str, last: &str) -> String {
    let (out, seen) = (Capture::default(), Arc::new(Mutex::new(String::new())));
    let (capture, kept, last) = (out.clone(), seen.clone(), last.to_owned());
    let cancel = CancelFlag::new(move || {
        let mut kept = kept.lock().unwrap();
        kept.push_str(&String::from_utf8_lossy(&capture.take()));
        kept.ends_with(&last)
    });
    let streams =
        Streams { input: Input::nothing(), out: CommandOutput::new(out), err: CommandOutput::nowhere() };
    assert_eq!(Shell::new(phone.clone(), cancel).run(script, &streams), Err(End::Broken));
    seen.lock().unwrap().clone()
}

/// The output of a script that must succeed.
pub(crate) fn out(phone: &Phone, script: &str) -> String {
    let ran = run(phone, script);
    assert_eq!(ran.status, 0, "{script}: {ran:?}");
    ran.out
}

/// Bytes that come in pieces.
pub(crate) struct Pieces(VecDeque<Vec<u8>>);

impl Pieces {
    pub(crate) fn of(bytes: &[u8], cut: usize) -> Self {
        Self(bytes.chunks(cut).map(<[u8]>::to_vec).collect())
    }
}

impl Source for Pieces {
    fn get(&mut self) -> Option<Vec<u8>> {
        self.0.pop_front()
    }
}
