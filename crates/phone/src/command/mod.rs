//! The programs of the phone, each in a file of its own, with the outputs that Android's have.

mod am;
mod app_process;
mod calendar;
mod cat;
mod cmd;
mod content;
mod cut;
mod df;
mod dumpsys;
mod echo;
mod getevent;
mod getprop;
mod grep;
mod ime;
mod input;
mod keycode;
mod logcat;
mod ls;
mod md5sum;
mod monkey;
mod options;
mod pm;
mod ps;
mod rm;
mod screencap;
mod settings;
mod sleep;
mod svc;
#[cfg(test)]
mod tests;
mod trouble;
mod uiautomator;
mod wm;

use crate::shell::{CommandOutcome, Process};

pub(crate) use calendar::Date;
pub(crate) use keycode::key_of;
pub(crate) use trouble::hang;

pub(crate) type ShellCommand = fn(&mut Process<'_>) -> CommandOutcome;

/// All programs, in the order of their names.
const COMMANDS: &[(&str, ShellCommand)] = &[
    ("am", am::run),
    ("app_process", app_process::run),
    ("app_process64", app_process::run),
    ("cat", cat::run),
    ("cmd", cmd::run),
    ("content", content::run),
    ("cut", cut::run),
    ("df", df::run),
    ("dumpsys", dumpsys::run),
    ("echo", echo::run),
    ("false", |_| Ok(1)),
    ("getevent", getevent::get),
    ("getprop", getprop::getprop),
    ("grep", grep::run),
    ("ime", ime::run),
    ("input", input::run),
    ("log", logcat::log),
    ("logcat", logcat::run),
    ("ls", ls::run),
    ("md5sum", md5sum::run),
    ("monkey", monkey::run),
    ("pidof", ps::pidof),
    ("pm", pm::run),
    ("ps", ps::run),
    ("rm", rm::run),
    ("screencap", screencap::run),
    ("sendevent", getevent::send),
    ("setprop", getprop::setprop),
    ("settings", settings::run),
    ("sleep", sleep::run),
    ("svc", svc::run),
    ("toybox", cmd::toybox),
    ("true", |_| Ok(0)),
    ("uiautomator", uiautomator::run),
    ("wm", wm::run),
];

/// The folders that programs are in.
const FOLDERS: [&str; 3] = ["/system/bin/", "/system/xbin/", "/bin/"];

pub(crate) fn find(name: &str) -> Option<ShellCommand> {
    let bare = FOLDERS.iter().find_map(|folder| name.strip_prefix(folder)).unwrap_or(name);
    let place = COMMANDS.binary_search_by_key(&bare, |(name, _)| name).ok()?;
    Some(COMMANDS[place].1)
}
