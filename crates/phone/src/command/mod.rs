//! The programs of the phone, each in a file of its own, with the outputs that Android's have.

mod am;
mod app_process;
mod calendar;
mod cat;
mod cmd;
mod content;
mod copy;
mod cut;
mod date;
mod df;
mod dumpsys;
mod echo;
mod environment;
mod getevent;
mod getprop;
mod grep;
mod head;
mod identity;
mod ime;
mod input;
mod keycode;
mod kill;
mod logcat;
mod ls;
mod md5sum;
mod mkdir;
mod monkey;
mod network;
mod options;
mod pm;
mod printf;
mod proc;
mod ps;
mod rm;
mod screencap;
mod sendevent;
mod settings;
mod sleep;
mod sort;
mod stat;
mod svc;
mod test;
#[cfg(test)]
mod tests;
mod touch;
mod trouble;
mod uiautomator;
mod uptime;
mod wc;
mod wm;

use crate::shell::{Outcome, Process};

pub(crate) use calendar::Date;
pub(crate) use keycode::key_of;
pub(crate) use proc::read_file;

/// A program.
pub(crate) type Command = fn(&mut Process<'_>) -> Outcome;

/// All programs, in the order of their names.
const COMMANDS: &[(&str, Command)] = &[
    ("[", test::bracket),
    ("am", am::run),
    ("app_process", app_process::run),
    ("app_process64", app_process::run),
    ("basename", environment::basename),
    ("cat", cat::run),
    ("chmod", touch::chmod),
    ("cmd", cmd::run),
    ("content", content::run),
    ("cp", copy::cp),
    ("cut", cut::run),
    ("date", date::run),
    ("df", df::run),
    ("dirname", environment::dirname),
    ("dumpsys", dumpsys::run),
    ("echo", echo::run),
    ("env", environment::env),
    ("false", |_| Ok(1)),
    ("getevent", getevent::run),
    ("getprop", getprop::getprop),
    ("grep", grep::run),
    ("head", head::head),
    ("id", identity::id),
    ("ifconfig", network::ifconfig),
    ("ime", ime::run),
    ("input", input::run),
    ("ip", network::ip),
    ("kill", kill::run),
    ("ln", copy::ln),
    ("log", logcat::log),
    ("logcat", logcat::run),
    ("ls", ls::run),
    ("md5", md5sum::run),
    ("md5sum", md5sum::run),
    ("mkdir", mkdir::run),
    ("monkey", monkey::run),
    ("mv", copy::mv),
    ("pgrep", ps::pgrep),
    ("pidof", ps::pidof),
    ("ping", network::ping),
    ("pm", pm::run),
    ("printenv", environment::env),
    ("printf", printf::run),
    ("ps", ps::run),
    ("pwd", environment::pwd),
    ("readlink", stat::readlink),
    ("realpath", stat::realpath),
    ("reboot", kill::reboot),
    ("rm", rm::run),
    ("rmdir", rm::rmdir),
    ("screencap", screencap::run),
    ("sendevent", sendevent::run),
    ("seq", environment::seq),
    ("setprop", getprop::setprop),
    ("settings", settings::run),
    ("sleep", sleep::run),
    ("sort", sort::run),
    ("stat", stat::run),
    ("svc", svc::run),
    ("sync", |_| Ok(0)),
    ("tail", head::tail),
    ("tee", cat::tee),
    ("test", test::run),
    ("touch", touch::run),
    ("toybox", cmd::toybox),
    ("tr", sort::tr),
    ("true", |_| Ok(0)),
    ("uiautomator", uiautomator::run),
    ("uname", identity::uname),
    ("uniq", sort::uniq),
    ("uptime", uptime::run),
    ("wc", wc::run),
    ("whoami", identity::whoami),
    ("wm", wm::run),
    ("xargs", environment::xargs),
];

/// The folders that programs are in.
const FOLDERS: [&str; 3] = ["/system/bin/", "/system/xbin/", "/bin/"];

/// The program of that name.
pub(crate) fn find(name: &str) -> Option<Command> {
    let bare = FOLDERS.iter().find_map(|folder| name.strip_prefix(folder)).unwrap_or(name);
    let place = COMMANDS.binary_search_by_key(&bare, |(name, _)| name).ok()?;
    Some(COMMANDS[place].1)
}

/// The names of all programs.
pub(crate) fn names() -> Vec<&'static str> {
    COMMANDS.iter().map(|(name, _)| *name).chain(["sh", "which"]).collect()
}
