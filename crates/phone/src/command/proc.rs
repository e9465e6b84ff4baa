//! Files that the system makes up when they are read.

use std::sync::Arc;

use crate::files::{FileError, Files};
use crate::phone::State;

/// Reads a file, be it kept or made up.
pub(crate) fn read_file(state: &State, path: &str) -> Result<Arc<Vec<u8>>, FileError> {
    let files: &Files = &state.world.files;
    if path.starts_with("/proc/") || path.starts_with("/sys/") {
        return made_up(state, path).map(|text| Arc::new(text.into_bytes())).ok_or(FileError::NotFound);
    }
    files.read(path)
}

fn made_up(state: &State, path: &str) -> Option<String> {
    let uptime = state.uptime().as_secs_f64();
    Some(match path {
        "/proc/uptime" => format!("{uptime:.2} {:.2}\n", uptime * 0.9),
        "/proc/version" => {
            "Linux version 5.15.41-android13-8 (build-user@build-host) #1 SMP PREEMPT\n".to_owned()
        }
        "/proc/meminfo" => {
            "MemTotal:        2030996 kB\nMemFree:          341544 kB\nMemAvailable:    1059096 kB\n"
                .to_owned()
        }
        "/proc/loadavg" => "0.00 0.01 0.05 1/512 7001\n".to_owned(),
        "/proc/cpuinfo" => {
            "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: Android virtual processor\n\n"
                .to_owned()
        }
        "/proc/stat" => {
            // Ticks of a hundredth of a second.
            let ticks = state.uptime().as_millis() / 10;
            let (user, system) = (ticks / 20, ticks / 40);
            let idle = ticks - user - system;
            format!("cpu  {user} 0 {system} {idle} 0 0 0 0 0 0\ncpu0 {user} 0 {system} {idle} 0 0 0 0 0 0\n")
        }
        "/proc/sys/kernel/random/boot_id" => "3f6e1c1a-0000-4000-8000-000000000001\n".to_owned(),
        "/sys/class/power_supply/battery/capacity" => format!("{}\n", state.world.battery.level),
        _ => {
            let number: u32 = path.strip_prefix("/proc/")?.split('/').next()?.parse().ok()?;
            let name = super::ps::app_processes(state).into_iter().find(|(_, known, _)| *known == number)?.2;
            match path.rsplit('/').next()? {
                "cmdline" => format!("{name}\0"),
                "stat" => {
                    format!("{number} ({name}) S 310 310 0 0 -1 0 0 0 0 0 12 6 0 0 20 0 18 0 900 0 0\n")
                }
                "status" => format!("Name:\t{name}\nState:\tS (sleeping)\nPid:\t{number}\nPPid:\t310\n"),
                _ => return None,
            }
        }
    })
}
