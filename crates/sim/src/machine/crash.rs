//! The app crashes, or does not respond any more.

use retap_trace::{Crash, CrashKind};

use super::Turn;
use super::effects::Fate;
use super::log::Lines;
use super::state::Cause;
use crate::app::{CrashSite, SiteId};

/// Crashes beyond this many between two looks are only in the log.
const MOST_CRASHES: usize = 64;
/// Signals that end an app, with their numbers and usual codes.
pub(crate) const SIGNALS: [(&str, u32, &str); 7] = [
    ("SIGILL", 4, "1 (ILL_ILLOPC)"),
    ("SIGTRAP", 5, "1 (TRAP_BRKPT)"),
    ("SIGABRT", 6, "-1 (SI_QUEUE)"),
    ("SIGBUS", 7, "1 (BUS_ADRALN)"),
    ("SIGFPE", 8, "1 (FPE_INTDIV)"),
    ("SIGSEGV", 11, "1 (SEGV_MAPERR)"),
    ("SIGSYS", 31, "1 (SYS_SECCOMP)"),
];
/// What is said of an app that lets its input wait.
const NO_RESPONSE: &str = "Input dispatching timed out";

impl Turn<'_> {
    /// The app crashes at this place: nothing after it happens.
    pub(super) fn crash(&mut self, site: SiteId, cause: &Cause) -> Fate {
        let site = &self.program.app.sites[site.index()];
        let message = site.message.render(&self.scope(cause));
        let crash = crash_of(site, &message, &self.program.app.package);
        self.die(crash);
        Fate::Break(())
    }

    /// Input has waited too long: the system ends the app.
    pub(super) fn not_responding(&mut self) {
        let package = &self.program.app.package;
        let crash = match self.state.thread.stuck {
            Some(site) => {
                let site = &self.program.app.sites[site.index()];
                let message = site.message.render(&self.scope(&Cause::default()));
                crash_of(site, &message, package)
            }
            None => Crash::new(CrashKind::Anr, "ANR", NO_RESPONSE, None, Vec::new(), package),
        };
        self.die(crash);
    }

    fn die(&mut self, crash: Crash) {
        self.state.log_crash(&crash);
        if self.state.crashes.len() < MOST_CRASHES {
            self.state.crashes.push(crash);
        }
        self.kill();
    }
}

fn crash_of(site: &CrashSite, message: &str, package: &str) -> Crash {
    Crash::new(site.kind, &site.exception, message, site.cause.clone(), site.frames.clone(), package)
}

/// Writes what logcat shows of a crash.
pub(super) fn write(
    crash: &Crash,
    package: &str,
    activity: Option<&str>,
    process: u32,
    lines: &mut Lines<'_>,
) {
    match crash.kind {
        // Apps of the simulator run no JavaScript.
        CrashKind::Java | CrashKind::JavaScript => write_java(crash, package, process, lines),
        CrashKind::Anr => write_anr(crash, package, activity, process, lines),
        CrashKind::Native => write_native(crash, package, process, lines),
    }
    if let (Some(activity), CrashKind::Java | CrashKind::Native) = (activity, crash.kind) {
        lines.write_system('W', "ActivityTaskManager", &format!("  Force finishing activity {activity}"));
    }
    let killed = format!("Process {package} (pid {process}) has died: fg  TOP");
    lines.write_system('I', "ActivityManager", &killed);
}

fn write_java(crash: &Crash, package: &str, process: u32, lines: &mut Lines<'_>) {
    const TAG: &str = "AndroidRuntime";
    lines.write('E', TAG, "FATAL EXCEPTION: main");
    lines.write('E', TAG, &format!("Process: {package}, PID: {process}"));
    let joint = if crash.message.is_empty() { "" } else { ": " };
    lines.write('E', TAG, &format!("{}{joint}{}", crash.exception, crash.message));
    for frame in &crash.frames {
        lines.write('E', TAG, &format!("\tat {}", frame.0));
    }
    if let Some(cause) = &crash.root_cause {
        lines.write('E', TAG, &format!("Caused by: {cause}"));
        lines.write('E', TAG, &format!("\t... {} more", crash.frames.len()));
    }
}

fn write_anr(crash: &Crash, package: &str, activity: Option<&str>, process: u32, lines: &mut Lines<'_>) {
    const TAG: &str = "ActivityManager";
    let activity = activity.map(|activity| format!(" ({activity})")).unwrap_or_default();
    lines.write_system('E', TAG, &format!("ANR in {package}{activity}"));
    lines.write_system('E', TAG, &format!("PID: {process}"));
    let reason = if crash.message.is_empty() { NO_RESPONSE } else { &crash.message };
    lines.write_system('E', TAG, &format!("Reason: {reason}"));
    lines.write_system('E', TAG, "Load: 0.0 / 0.0 / 0.0");
    for frame in &crash.frames {
        lines.write_system('E', TAG, &format!("  at {}", frame.0));
    }
}

fn write_native(crash: &Crash, package: &str, process: u32, lines: &mut Lines<'_>) {
    const TAG: &str = "DEBUG";
    const STARS: &str = "*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***";
    let name = crash.exception.as_str();
    let known = SIGNALS.iter().find(|(signal, ..)| *signal == name);
    let (_, number, code) = known.copied().unwrap_or((name, 0, "0 (SI_USER)"));
    let aborted = name == "SIGABRT";
    let address = match crash.message.as_str() {
        _ if aborted => "fault addr --------",
        "" => "fault addr 0x0",
        message => message,
    };
    let signal = format!("signal {number} ({name}), code {code}, {address}");
    let fatal = format!("Fatal {signal} in tid {process} ({package}), pid {process} ({package})");
    lines.write('F', "libc", &fatal);
    lines.write('F', TAG, STARS);
    lines.write('F', TAG, &format!("pid: {process}, tid: {process}, name: {package}  >>> {package} <<<"));
    lines.write('F', TAG, &signal);
    if aborted && !crash.message.is_empty() {
        lines.write('F', TAG, &format!("Abort message: '{}'", crash.message));
    }
    lines.write('F', TAG, "backtrace:");
    for (number, frame) in crash.frames.iter().enumerate() {
        // An app may give its frames as a tombstone has them.
        let frame = match frame.0.split_once(' ') {
            _ if frame.0.starts_with("pc ") => frame.0.clone(),
            Some((library, function)) => format!("pc 00000000  {library} ({function})"),
            None => format!("pc 00000000  {} (???)", frame.0),
        };
        lines.write('F', TAG, &format!("      #{number:02} {frame}"));
    }
}
