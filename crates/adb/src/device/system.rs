//! System events: what happens outside the app, by the command that makes it happen.
//!
//! An action is broadcast to the app, as an intent. Many are reserved for the system, and the shell may not broadcast
//! them; for those the thing itself is done: the battery is made low, the network is cut. Actions with a colon are no
//! intents: `am:start`, `am:startservice`, `am:stopservice` and `am:broadcast` are for one component of the app,
//! `am:force-stop` is for its process, `sms:send`, `gsm:call` and `gsm:cancel` for the modem of an emulator,
//! `emulator:WORDS` for its console.
//!
//! Extras with reserved names say more of an intent: `action`, `component`, `data`, `type`, `category`.

use retap_trace::SystemEvent;

use crate::client::quote;

/// How a system event is brought about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SystemDeed {
    /// By commands on the device.
    Shell(Vec<String>),
    /// By an intent that is sent with this command.
    Intent(String),
    /// By the emulator's console.
    Console(String),
}

const RESERVED: [&str; 5] = ["action", "component", "data", "type", "category"];
/// Who writes and calls when nobody is named.
const CALLER: &str = "5550100";

/// What to do for an event.
pub fn deed(event: &SystemEvent, package: &str, api: u32) -> SystemDeed {
    let extra = |name: &str| event.extras.get(name).map(String::as_str);
    let switch = |name: &str| extra(name).map(|value| matches!(value, "true" | "1" | "on"));
    let shell =
        |commands: &[&str]| SystemDeed::Shell(commands.iter().map(|command| (*command).to_owned()).collect());
    if let Some(command) = event.action.strip_prefix("emulator:") {
        return SystemDeed::Console(one_line(command));
    }
    match event.action.as_str() {
        "android.net.conn.CONNECTIVITY_CHANGE" => match switch("connected") {
            Some(true) => shell(&["svc wifi enable", "svc data enable"]),
            Some(false) => shell(&["svc wifi disable", "svc data disable"]),
            None => intent(event, package),
        },
        "android.intent.action.AIRPLANE_MODE" if switch("state").is_some() => {
            SystemDeed::Shell(airplane(switch("state") == Some(true), api))
        }
        "android.intent.action.BATTERY_LOW" => {
            shell(&["dumpsys battery unplug", "dumpsys battery set level 5"])
        }
        "android.intent.action.BATTERY_OKAY" => shell(&["dumpsys battery set level 90"]),
        "android.intent.action.BATTERY_CHANGED" => {
            match extra("level").and_then(|level| level.parse::<u8>().ok()) {
                Some(level) => SystemDeed::Shell(vec![format!("dumpsys battery set level {level}")]),
                None => intent(event, package),
            }
        }
        "android.intent.action.ACTION_POWER_CONNECTED" => shell(&["dumpsys battery set ac 1"]),
        "android.intent.action.ACTION_POWER_DISCONNECTED" => shell(&["dumpsys battery unplug"]),
        "android.intent.action.SCREEN_OFF" => shell(&["input keyevent 223"]),
        "android.intent.action.SCREEN_ON" => shell(&["input keyevent 224"]),
        "android.intent.action.USER_PRESENT" => shell(&["input keyevent 224", "wm dismiss-keyguard"]),
        "am:force-stop" => SystemDeed::Shell(vec![format!("am force-stop {}", quote(package))]),
        "sms:send" => {
            let (from, text) = (extra("from").unwrap_or(CALLER), extra("text").unwrap_or_default());
            SystemDeed::Console(one_line(&format!("sms send {from} {text}")))
        }
        "gsm:call" => SystemDeed::Console(one_line(&format!("gsm call {}", extra("from").unwrap_or(CALLER)))),
        "gsm:cancel" => {
            SystemDeed::Console(one_line(&format!("gsm cancel {}", extra("from").unwrap_or(CALLER))))
        }
        _ => intent(event, package),
    }
}

/// How airplane mode is switched: from Android 11 by a command; before, by a setting and the broadcast that tells of it.
pub(super) fn airplane(on: bool, api: u32) -> Vec<String> {
    if api >= 30 {
        return vec![format!("cmd connectivity airplane-mode {}", if on { "enable" } else { "disable" })];
    }
    vec![
        format!("settings put global airplane_mode_on {}", u8::from(on)),
        format!("am broadcast -a android.intent.action.AIRPLANE_MODE --ez state {on}"),
    ]
}

fn intent(event: &SystemEvent, package: &str) -> SystemDeed {
    let extra = |name: &str| event.extras.get(name).map(String::as_str);
    let (verb, action) = match event.action.strip_prefix("am:") {
        Some(verb @ ("start" | "startservice" | "stopservice" | "broadcast")) => (verb, extra("action")),
        _ => ("broadcast", Some(event.action.as_str())),
    };
    let mut words = vec![format!("am {verb}")];
    words.extend(action.map(|action| format!("-a {}", quote(action))));
    for (name, flag) in [("data", "-d"), ("type", "-t"), ("category", "-c")] {
        words.extend(extra(name).map(|value| format!("{flag} {}", quote(value))));
    }
    for (name, value) in event.extras.iter().filter(|(name, _)| !RESERVED.contains(&name.as_str())) {
        let flag = match value.as_str() {
            "true" | "false" => "--ez",
            number if number.parse::<i32>().is_ok() => "--ei",
            _ => "--es",
        };
        words.push(format!("{flag} {} {}", quote(name), quote(value)));
    }
    // Since Android 8 receivers in a manifest hear only what is meant for their app.
    match extra("component") {
        Some(component) => words.push(format!("-n {}", quote(component))),
        None if verb == "broadcast" => words.push(format!("-p {}", quote(package))),
        None => {}
    }
    SystemDeed::Intent(words.join(" "))
}

/// The console takes one command a line: nothing may smuggle in another.
fn one_line(command: &str) -> String {
    command.chars().map(|char| if char.is_control() { ' ' } else { char }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(action: &str, extras: &[(&str, &str)]) -> SystemEvent {
        let extras = extras.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        SystemEvent { action: action.to_owned(), extras: extras.collect() }
    }

    fn said(action: &str, extras: &[(&str, &str)]) -> SystemDeed {
        deed(&event(action, extras), "com.example", 30)
    }

    #[test]
    fn the_system_s_own_events_are_brought_about() {
        let off = said("android.net.conn.CONNECTIVITY_CHANGE", &[("connected", "false")]);
        assert_eq!(off, SystemDeed::Shell(vec!["svc wifi disable".into(), "svc data disable".into()]));
        assert!(
            matches!(said("android.intent.action.BATTERY_LOW", &[]), SystemDeed::Shell(commands) if commands.len() == 2)
        );
        assert_eq!(said("am:force-stop", &[]), SystemDeed::Shell(vec!["am force-stop com.example".into()]));
        let air = said("android.intent.action.AIRPLANE_MODE", &[("state", "true")]);
        assert_eq!(air, SystemDeed::Shell(vec!["cmd connectivity airplane-mode enable".into()]));
        let old =
            deed(&event("android.intent.action.AIRPLANE_MODE", &[("state", "true")]), "com.example", 22);
        assert!(matches!(old, SystemDeed::Shell(commands) if commands.len() == 2));
    }

    #[test]
    fn intents_carry_their_extras() {
        assert_eq!(
            said("a.B", &[("flag", "true"), ("count", "-3"), ("word", "it's")]),
            SystemDeed::Intent(
                "am broadcast -a a.B --ei count -3 --ez flag true --es word 'it'\\''s' -p com.example"
                    .to_owned()
            )
        );
        assert_eq!(
            said("am:start", &[("action", "android.intent.action.VIEW"), ("data", "http://x/?a=b&c")]),
            SystemDeed::Intent("am start -a android.intent.action.VIEW -d 'http://x/?a=b&c'".to_owned())
        );
        assert_eq!(
            said("am:startservice", &[("component", "com.example/.Sync")]),
            SystemDeed::Intent("am startservice -n com.example/.Sync".to_owned())
        );
        assert_eq!(
            said("am:broadcast", &[("component", "com.example/.Alarm$Inner")]),
            SystemDeed::Intent("am broadcast -n 'com.example/.Alarm$Inner'".to_owned())
        );
    }

    #[test]
    fn the_console_gets_one_line() {
        let sms = said("sms:send", &[("from", "1"), ("text", "a\r\nkill")]);
        assert_eq!(sms, SystemDeed::Console("sms send 1 a  kill".to_owned()));
        assert_eq!(
            said("emulator:network delay gsm", &[]),
            SystemDeed::Console("network delay gsm".to_owned())
        );
        assert_eq!(said("gsm:cancel", &[("from", "7")]), SystemDeed::Console("gsm cancel 7".to_owned()));
    }
}
