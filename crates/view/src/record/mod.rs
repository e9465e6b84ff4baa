//! The page on which a person records: it shows the screen of a device, and takes clicks, swipes, texts and keys.

mod input;
mod scene;

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use retap_job::record::{Person, RecordScene, Wish};
use serde::Serialize;

use crate::{Loopback, Method, PageAnswer, PageRequest, Site};
use input::Input;
use scene::{SceneView, Shown};

/// How long a browser waits for something new before it asks again.
const LONG_POLL: Duration = Duration::from_secs(10);
/// Wishes that may wait for the device.
const MOST_WISHES: usize = 4;

/// What is said of an input for a picture that is not shown any more.
const CHANGED: &str = "the screen has changed meanwhile; look again";

const FILES: [(&str, &str, &str); 3] = [
    ("", "text/html; charset=utf-8", include_str!("../../assets/record.html")),
    ("record.css", "text/css; charset=utf-8", include_str!("../../assets/record.css")),
    ("record.js", "text/javascript; charset=utf-8", include_str!("../../assets/record.js")),
];

/// How a recording ended, for the person at the page.
#[derive(Debug, Clone, Serialize)]
pub struct PageEnd {
    /// Whether the app crashed.
    pub crashed: bool,
    /// What happened, in a sentence.
    pub words: String,
    /// Commands to type next, each with what it is for.
    pub next: Vec<(String, String)>,
}

/// A page that is being served.
#[derive(Debug)]
pub struct RecordPage {
    server: Loopback,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    shown: Shown,
    /// What is wanted, each with the picture that it was meant for.
    wishes: VecDeque<(u64, Wish)>,
    /// Whether somebody has asked for the state, and for the last one.
    visited: bool,
    told_the_end: bool,
    /// The last picture that somebody has asked for.
    fetched: u64,
}

impl RecordPage {
    /// Serves a page for the recording on this device.
    pub fn start(device: &str) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        device.clone_into(&mut shared.state().shown.device);
        let server = Loopback::start(shared.clone())?;
        Ok(Self { server, shared })
    }

    /// Where a browser finds it.
    pub fn address(&self) -> &str {
        self.server.address()
    }

    /// The recording is over. Waits until a browser that shows the page has heard of it, but not for long.
    pub fn finish(self, ended: PageEnd, wait: Duration) {
        self.shared.change(|state| state.shown.ended = Some(ended));
        let until = Instant::now() + wait;
        let mut state = self.shared.state();
        while state.visited && !(state.told_the_end && state.fetched == state.shown.picture_number) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            state = self.shared.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        drop(state);
        self.server.close(until.saturating_duration_since(Instant::now()));
    }
}

impl Person for RecordPage {
    fn show(&mut self, scene: &RecordScene<'_>) {
        self.shared.change(|state| state.shown.show(scene));
    }

    fn refuse(&mut self, why: &str) {
        self.shared.change(|state| {
            state.shown.busy = false;
            state.shown.refusal = Some(why.to_owned());
        });
    }

    fn wish(&mut self, wait: Duration) -> Option<Wish> {
        let mut state = self.shared.state();
        if state.wishes.is_empty() {
            state = self.shared.changed.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
        let (picture, wish) = state.wishes.pop_front()?;
        if wish == Wish::Done || picture == state.shown.picture_number {
            return Some(wish);
        }
        // An earlier wish for that picture was performed, and this one would hit what nobody has seen.
        drop(state);
        self.refuse(CHANGED);
        None
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes what is shown, and tells everybody who waits.
    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state();
        change(&mut state);
        state.shown.version += 1;
        self.changed.notify_all();
    }

    /// How things are, once that is newer than what the browser has.
    fn news(&self, query: &str) -> PageAnswer {
        let known = query.strip_prefix("after=").and_then(|number| number.parse().ok()).unwrap_or(0);
        let until = Instant::now() + LONG_POLL;
        let mut state = self.state();
        state.visited = true;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if state.shown.version > known || left.is_zero() {
                break;
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        state.told_the_end |= state.shown.ended.is_some();
        self.changed.notify_all();
        PageAnswer::json(200, &SceneView::of(&state.shown))
    }

    fn picture(&self, number: &str) -> PageAnswer {
        let mut state = self.state();
        if number.parse() == Ok(state.shown.picture_number) && !state.shown.picture.is_empty() {
            state.fetched = state.shown.picture_number;
            self.changed.notify_all();
            return PageAnswer { status: 200, content_type: "image/png", body: state.shown.picture.clone() };
        }
        PageAnswer::text(404, "there is a newer picture")
    }

    fn input(&self, body: &[u8]) -> PageAnswer {
        let (picture, wish) = match Input::read(body) {
            Ok(read) => read,
            Err(why) => return refusal(400, &why),
        };
        let state = self.state();
        if state.shown.ended.is_some() {
            return refusal(409, "the recording is over");
        }
        if wish != Wish::Done && picture != state.shown.picture_number {
            return refusal(409, CHANGED);
        }
        if state.wishes.len() >= MOST_WISHES {
            return refusal(409, "the device is not that quick; wait a moment");
        }
        drop(state);
        self.change(|state| {
            state.wishes.push_back((picture, wish));
            state.shown.busy = true;
            state.shown.refusal = None;
        });
        PageAnswer::json(202, &serde_json::json!({}))
    }
}

fn refusal(status: u16, why: &str) -> PageAnswer {
    PageAnswer::json(status, &serde_json::json!({ "why": why }))
}

impl Site for Shared {
    fn answer(&self, request: &PageRequest) -> PageAnswer {
        let path = request.path.as_str();
        if request.method == Method::Post {
            return if path == "input" {
                self.input(&request.body)
            } else {
                PageAnswer::text(404, "no such thing")
            };
        }
        if let Some((_, content_type, text)) = FILES.iter().find(|(name, ..)| *name == path) {
            return PageAnswer { status: 200, content_type, body: text.as_bytes().to_vec() };
        }
        match path.split_once('/') {
            None if path == "state" => self.news(&request.query),
            Some(("screen", number)) => self.picture(number),
            _ => PageAnswer::text(404, "no such thing"),
        }
    }
}
