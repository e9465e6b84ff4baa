//! Checks of one device that is ready.

use crate::client::{AdbError, Client, Deadline, Environment, Transport, quote};
use crate::device::{Keeper, dump_once};
use crate::parse;

use super::{Check, Questions};

/// Android 5. Older ones lack `exec` and much else.
const OLDEST: u32 = 21;
/// Installing and snapshots of files want some room.
const ROOM: u64 = 500 << 20;

type Limit<'a> = &'a dyn Fn(&'static str) -> Deadline;

pub(super) fn checks(
    client: &Client,
    serial: &str,
    environment: &Environment,
    questions: &Questions,
    limit: Limit<'_>,
) -> Vec<Check> {
    let transport = client.transport(serial);
    let mut checks = vec![
        version(&transport, limit),
        lock(&transport, limit),
        dump(&transport, limit),
        screenshot(&transport, limit),
        animations(&transport, limit),
        space(&transport, limit),
        keyboard(&transport, limit),
        snapshots(&transport, environment, questions, limit),
    ];
    if let Some(package) = &questions.app {
        checks.push(app(&transport, package, limit));
    }
    checks.into_iter().map(|check| check.of(serial)).collect()
}

fn say(transport: &Transport, command: &str, deadline: &Deadline) -> Result<String, AdbError> {
    Ok(transport.shell(command, deadline)?.text())
}

fn version(transport: &Transport, limit: Limit<'_>) -> Check {
    const NAME: &str = "Android version";
    let props = match say(transport, "getprop", &limit("getprop")) {
        Ok(said) => parse::getprop(&said),
        Err(error) => return Check::bad(NAME, error.to_string(), "see whether 'adb shell getprop' works"),
    };
    let word = |name: &str| props.get(name).map_or("?", String::as_str).to_owned();
    let found =
        format!("Android {} (API {})", word("ro.build.version.release"), word("ro.build.version.sdk"));
    match word("ro.build.version.sdk").parse::<u32>() {
        Ok(api) if api >= OLDEST => Check::good(NAME, found),
        Ok(_) => Check::bad(NAME, found, "use a device with Android 5 or later"),
        Err(_) => Check::fair(NAME, found, "the device does not tell its version; it may work all the same"),
    }
}

fn lock(transport: &Transport, limit: Limit<'_>) -> Check {
    const NAME: &str = "screen lock";
    let said =
        match say(transport, "dumpsys window displays; dumpsys window windows", &limit("dumpsys window")) {
            Ok(said) => said,
            Err(error) => {
                return Check::bad(NAME, error.to_string(), "see whether 'adb shell dumpsys window' works");
            }
        };
    match parse::foreground(&said) {
        Some(front) => match front.cover() {
            Some(cover) => Check::fair(
                NAME,
                format!("{cover} covers the screen"),
                "unlock the device, and set its screen lock to 'None': a PIN cannot be typed for you",
            ),
            None => Check::good(NAME, "open"),
        },
        None => Check::fair(NAME, "the device does not tell", "switch its screen on and unlock it"),
    }
}

fn dump(transport: &Transport, limit: Limit<'_>) -> Check {
    const NAME: &str = "screen dump";
    let fix = "unlock the device and leave an app in front that does not move; close other automation tools";
    match dump_once(transport, &limit("uiautomator dump")) {
        Ok(found) if found.tree.nodes().is_empty() => Check::fair(NAME, "the screen shows no widgets", fix),
        Ok(found) => Check::good(NAME, format!("{} widgets of {}", found.tree.nodes().len(), found.package)),
        Err(error) => Check::bad(NAME, error.to_string(), fix),
    }
}

fn screenshot(transport: &Transport, limit: Limit<'_>) -> Check {
    const NAME: &str = "screenshot";
    match transport.exec("screencap -p", &limit("screencap")) {
        Ok(printed) => match parse::picture(&printed) {
            Some(picture) => Check::good(NAME, format!("a picture of {} KiB", picture.len() >> 10)),
            None => Check::fair(
                NAME,
                "screencap gives no picture",
                "screens of some apps are protected; try another app",
            ),
        },
        Err(error) => Check::bad(NAME, error.to_string(), "see whether 'adb exec-out screencap -p' works"),
    }
}

fn animations(transport: &Transport, limit: Limit<'_>) -> Check {
    const NAME: &str = "animations";
    let mut moving = Vec::new();
    for name in ["window_animation_scale", "transition_animation_scale", "animator_duration_scale"] {
        match say(transport, &format!("settings get global {name}"), &limit("settings get")) {
            Ok(said) => {
                let value = parse::setting(&said).unwrap_or_else(|| "1".to_owned());
                if value.parse::<f64>().is_ok_and(|scale| scale != 0.0) {
                    moving.push(format!("{name} {value}"));
                }
            }
            Err(error) => {
                return Check::bad(NAME, error.to_string(), "see whether 'adb shell settings' works");
            }
        }
    }
    if moving.is_empty() {
        return Check::good(NAME, "switched off");
    }
    Check::fair(
        NAME,
        moving.join(", "),
        "nothing to do: they are switched off during a run and back on after it",
    )
}

fn space(transport: &Transport, limit: Limit<'_>) -> Check {
    const NAME: &str = "free space";
    let free = match say(transport, "df /data", &limit("df")) {
        Ok(said) => parse::free_space(&said),
        Err(error) => return Check::bad(NAME, error.to_string(), "see whether 'adb shell df /data' works"),
    };
    match free {
        Some(free) if free >= ROOM => Check::good(NAME, format!("{} MiB", free >> 20)),
        Some(free) => {
            Check::fair(NAME, format!("{} MiB", free >> 20), "remove apps or files from the device")
        }
        None => Check::fair(NAME, "the device does not tell", "see 'adb shell df'"),
    }
}

fn keyboard(transport: &Transport, limit: Limit<'_>) -> Check {
    const NAME: &str = "Unicode text";
    match say(transport, "ime list -s -a", &limit("ime list")) {
        Ok(said) if said.contains("com.android.adbkeyboard/.AdbIME") => {
            Check::good(NAME, "the keyboard app is there")
        }
        Ok(_) => Check::fair(
            NAME,
            "ASCII only",
            "to type other letters, install the keyboard app com.android.adbkeyboard",
        ),
        Err(error) => Check::bad(NAME, error.to_string(), "see whether 'adb shell ime list' works"),
    }
}

fn snapshots(
    transport: &Transport,
    environment: &Environment,
    questions: &Questions,
    limit: Limit<'_>,
) -> Check {
    const NAME: &str = "snapshots";
    let deadline = limit("snapshots");
    let found = Keeper::find(transport, environment.console_token(), questions.qmp.as_deref(), &deadline)
        .and_then(|keeper| keeper.list(&deadline));
    match found {
        Ok(list) => Check::good(NAME, format!("supported, {} on the device", list.len())),
        Err(error) => {
            let fix =
                "use an emulator, or a virtual machine with qmp=SOCKET; without them every run starts afresh";
            Check::fair(NAME, error.to_string(), fix)
        }
    }
}

fn app(transport: &Transport, package: &str, limit: Limit<'_>) -> Check {
    const NAME: &str = "app";
    let said = match say(transport, &format!("dumpsys package {}", quote(package)), &limit("dumpsys package"))
    {
        Ok(said) => said,
        Err(error) => {
            return Check::bad(NAME, error.to_string(), "see whether 'adb shell dumpsys package' works");
        }
    };
    let Some(info) = parse::package_info(&said, package) else {
        return Check::bad(
            NAME,
            format!("{package} is not installed"),
            "install it, or give its file as apk=app.apk",
        );
    };
    let version = info.version_name.unwrap_or_else(|| "of unknown version".to_owned());
    match info.main_activity {
        Some(activity) => Check::good(NAME, format!("{package} {version}, starts with {activity}")),
        None => Check::fair(
            NAME,
            format!("{package} {version} has no activity for a launcher"),
            "say activity=.Main",
        ),
    }
}
