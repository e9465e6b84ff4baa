//! What the tools of Android print, read.
//!
//! Each parser is a pure function of text or bytes. They are tolerant: vendors add words, languages differ, output is cut.
//! They are bounded: no input makes them recurse, or keep more than a small multiple of what they were given.
//! They never panic. Absent: devices, clocks, files.

mod activity_manager;
mod console;
mod device_list;
mod display;
mod foreground;
mod free_space;
mod getevent;
mod getprop;
mod hierarchy;
mod jacoco;
mod logcat;
mod package;
mod picture;
mod setting;
mod touchscreen;

pub use activity_manager::{AmReply, am_failures, am_reply};
pub use console::{ConsoleReply, console_reply, snapshot_tags};
pub use device_list::{DeviceState, Listed, device_list};
pub use display::{Display, density, display, frames_drawn, keyboard_shown, screen_size};
pub use foreground::{Foreground, SystemDialog, foreground};
pub use free_space::free_space;
pub use getevent::{EV_ABS, EV_KEY, EV_SYN, RawInput, raw_input};
pub use getprop::getprop;
pub use hierarchy::{DumpError, LONGEST_DUMP, MOST_NODES, UiDump, hierarchy};
pub use jacoco::{Coverage, CoverageError, coverage};
pub(crate) use logcat::MARK_TAG;
pub use logcat::{KillCause, LogNews, LogScanner, LogcatLine};
pub use package::{
    PackageComponents, PackageInfo, dangerous_permissions, has_package, package_info, packages,
};
pub use picture::picture;
pub use setting::setting;
pub use touchscreen::{Axis, Touchscreen, touchscreen};
