//! A thread that reads logcat as long as the device is in use.
//!
//! Invariants: memory is bounded by the scanner; the thread ends soon after the watch is dropped; a log that breaks
//! off is taken up again where it broke.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use retap_trace::Crash;

use crate::client::{AdbError, Cancel, Deadline, Stream, Transport, quote};
use crate::parse::{KillCause, LogNews, LogScanner, LogcatLine};

#[derive(Debug)]
pub(super) struct Watch {
    shared: Arc<Shared>,
    cancel: Cancel,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    seen: Mutex<Seen>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Seen {
    crashes: VecDeque<Crash>,
    kills: VecDeque<KillCause>,
    mark: u64,
    /// A crash is being written.
    amid: bool,
    /// How many bytes were read.
    bytes: u64,
}

/// A crash of which nothing more has come for so long is whole.
const QUIET: Duration = Duration::from_millis(100);
/// How long to wait before logcat is started again.
const PAUSE: Duration = Duration::from_millis(500);
const MOST: usize = 1_024;

impl Watch {
    /// Begins to read the log, from now on.
    pub(super) fn start(transport: Transport, package: String) -> Self {
        let shared = Arc::new(Shared::default());
        let cancel = Cancel::default();
        let (theirs, stop) = (shared.clone(), cancel.clone());
        let name = format!("logcat {}", transport.serial());
        let body = move || Reader { transport, shared: theirs, cancel: stop, package }.run();
        // Without the thread no crash would ever be seen; a machine that has none left is beyond help.
        let thread = std::thread::Builder::new().name(name).spawn(body).expect("a thread can be started");
        Self { shared, cancel, thread: Some(thread) }
    }

    /// Waits until our mark was read and no crash is half written. `false` when it did not come in time.
    pub(super) fn wait_for(&self, mark: u64, deadline: &Deadline) -> Result<bool, AdbError> {
        let mut seen = self.seen();
        while seen.mark < mark || seen.amid {
            let wait = match deadline.slice() {
                Ok(wait) => wait,
                Err(AdbError::Timeout { .. }) => return Ok(false),
                Err(error) => return Err(error),
            };
            seen = self.shared.changed.wait_timeout(seen, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
        Ok(true)
    }

    /// How much of the log was read so far.
    pub(super) fn bytes(&self) -> u64 {
        self.seen().bytes
    }

    /// The crashes since the last time.
    pub(super) fn take_crashes(&self) -> Vec<Crash> {
        self.seen().crashes.drain(..).collect()
    }

    /// How processes of the app ended without a crash, since the last time.
    pub(super) fn take_kills(&self) -> Vec<KillCause> {
        self.seen().kills.drain(..).collect()
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.shared.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.cancel.cancel();
        if let Some(thread) = self.thread.take() {
            // It may have panicked; there is nobody left to tell.
            let _ = thread.join();
        }
    }
}

struct Reader {
    transport: Transport,
    shared: Arc<Shared>,
    cancel: Cancel,
    package: String,
}

impl Reader {
    fn run(&self) {
        let mut scanner = LogScanner::new(&*self.package);
        let mut place = Place::default();
        while !self.cancel.is_cancelled() {
            let opening = Deadline::within("logcat", Duration::from_secs(10)).or(&self.cancel);
            if let Ok(mut stream) = self.transport.stream(&place.command(), &opening) {
                self.read(&mut stream, &mut scanner, &mut place);
                scanner.pause();
                self.tell(&mut scanner);
            }
            let rest = Deadline::within("logcat", PAUSE * 2).or(&self.cancel);
            let _ = rest.sleep(PAUSE);
        }
    }

    /// Reads until the stream ends.
    fn read(&self, stream: &mut Stream, scanner: &mut LogScanner, place: &mut Place) {
        let mut buffer = vec![0; 64 << 10];
        let mut amid = (0, Instant::now());
        place.resumed();
        loop {
            let wait = Deadline::within("logcat", QUIET).or(&self.cancel);
            match stream.read(&mut buffer, &wait) {
                Ok(0) => return,
                Ok(count) => {
                    place.pass(&buffer[..count], scanner);
                    self.seen().bytes += count as u64;
                }
                Err(AdbError::Timeout { .. }) => {}
                Err(_) => return,
            }
            let lines = scanner.amid();
            if lines != amid.0 {
                amid = (lines, Instant::now());
            } else if lines > 0 && amid.1.elapsed() >= QUIET {
                scanner.pause();
            }
            self.tell(scanner);
        }
    }

    fn tell(&self, scanner: &mut LogScanner) {
        let news = scanner.take();
        let amid = scanner.amid() > 0;
        let mut seen = self.seen();
        if news.is_empty() && seen.amid == amid {
            return;
        }
        seen.amid = amid;
        for news in news {
            match news {
                LogNews::Crash(crash) => push(&mut seen.crashes, crash),
                LogNews::Killed { cause, .. } => push(&mut seen.kills, cause),
                LogNews::Mark(mark) => seen.mark = seen.mark.max(mark),
            }
        }
        self.shared.changed.notify_all();
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.shared.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn push<T>(list: &mut VecDeque<T>, item: T) {
    if list.len() >= MOST {
        list.pop_front();
    }
    list.push_back(item);
}

/// Where in the log we are, so that a new logcat goes on there without telling anything twice.
#[derive(Debug, Default)]
struct Place {
    time: String,
    /// The lines of that moment which were read already.
    lines: Vec<Vec<u8>>,
    /// While true, lines up to that moment may come again.
    again: bool,
    partial: Vec<u8>,
}

impl Place {
    fn command(&self) -> String {
        let from = if self.time.is_empty() { "1".to_owned() } else { quote(&self.time) };
        format!("logcat -b all -v threadtime -T {from}")
    }

    fn resumed(&mut self) {
        self.again = !self.time.is_empty();
        self.partial.clear();
    }

    /// Hands on what is new, line by line.
    fn pass(&mut self, bytes: &[u8], scanner: &mut LogScanner) {
        const LONGEST: usize = 64 << 10;
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let room = LONGEST.saturating_sub(self.partial.len());
            self.partial.extend_from_slice(&part[..part.len().min(room)]);
            if !part.ends_with(b"\n") {
                continue;
            }
            let mut line = std::mem::take(&mut self.partial);
            if line.last() != Some(&b'\n') {
                line.push(b'\n');
            }
            if self.is_new(&line) {
                scanner.push(&line);
            }
        }
    }

    fn is_new(&mut self, line: &[u8]) -> bool {
        const MOST_LINES: usize = 4_096;
        let text = String::from_utf8_lossy(line);
        let Some(parsed) = LogcatLine::parse(&text) else { return true };
        if self.again && parsed.time == self.time && self.lines.iter().any(|known| known == line) {
            return false;
        }
        if parsed.time != self.time {
            self.again = false;
            parsed.time.clone_into(&mut self.time);
            self.lines.clear();
        }
        if self.lines.len() < MOST_LINES {
            self.lines.push(line.to_vec());
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_taken_up_where_it_broke() {
        let line = |millis: u32, process: u32| {
            format!("07-04 10:16:34.{millis:03}   500   520 I lmkd: Kill 'com.example' ({process}), x\n")
        };
        let mut place = Place::default();
        assert_eq!(place.command(), "logcat -b all -v threadtime -T 1");
        let mut scanner = LogScanner::new("com.example");
        place.resumed();
        place.pass(format!("{}{}{}", line(1, 1), line(2, 2), line(2, 3)).as_bytes(), &mut scanner);
        place.pass(b"07-04 10:16:34.002   500   520 I lmkd: Kill 'com.exa", &mut scanner);
        assert_eq!(scanner.take().len(), 3);
        assert_eq!(place.command(), "logcat -b all -v threadtime -T '07-04 10:16:34.002'");
        place.resumed();
        let again = format!("{}{}{}{}", line(2, 2), line(2, 3), line(2, 4), line(5, 5));
        place.pass(again.as_bytes(), &mut scanner);
        let news: Vec<LogNews> = scanner.take();
        assert!(
            matches!(
                news.as_slice(),
                [LogNews::Killed { process: 4, .. }, LogNews::Killed { process: 5, .. }]
            ),
            "{news:?}"
        );
    }
}
