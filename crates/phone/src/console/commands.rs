//! What the console can be told.

use std::collections::BTreeMap;

use retap_device::DeviceError;
use retap_trace::Orientation;

use super::{Answer, power, snapshot};
use crate::phone::Phone;

const HELP: &str = "Android console commands:\n    help|h|?         Prints a list of commands\n    \
    crash            Crashes the emulator instance\n    kill             Terminates the emulator instance\n    \
    redir            Manages port redirections\n    power            Manages battery and AC power status\n    \
    quit|exit        Quits the current control session\n    avd              Manages virtual device execution state\n    \
    geo              Sends geo-location commands\n    gsm              Manages GSM connections\n    \
    sms              Sends SMS\n    network          Manages network settings\n    \
    rotate           Rotates the screen clockwise by 90 degrees\n    ping             Checks if the emulator is alive\n    \
    auth             Authenticates a session\n";

/// Carries out a command. Before somebody is known, he can ask for help and leave.
pub(super) fn run(phone: &Phone, line: &str, known: bool) -> Answer {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["help" | "h" | "?", ..] if known => return Answer::Ok(HELP.to_owned()),
        ["help" | "h" | "?", ..] => {
            let help = "Android console commands:\n    help|h|?         Prints a list of commands\n    quit|exit        \
                        Quits the current control session\n    auth             Authenticates a session\n";
            return Answer::Ok(help.to_owned());
        }
        ["quit" | "exit"] => return Answer::Quit,
        _ => {}
    }
    if !known {
        return Answer::Ko("unknown command, try 'help'".into());
    }
    match words[..] {
        ["ping"] => Answer::Ok("I am alive!\n".into()),
        ["kill"] => Answer::Kill,
        ["avd", "name"] => Answer::Ok(format!("{}\n", phone.settings().avd)),
        ["avd", "status"] => Answer::Ok("virtual device is running\n".into()),
        ["avd", "start" | "stop" | "pause" | "resume" | "hostmicon" | "hostmicoff"] => Answer::Ok(String::new()),
        ["avd", "snapshot", ref rest @ ..] => snapshot::run(phone, rest),
        ["avd", ..] => Answer::Ko("missing sub-command".into()),
        ["power", ref rest @ ..] => power::run(phone, rest),
        ["rotate"] => done(phone.call(|state| {
            let to = match state.machine().orientation() {
                Orientation::Portrait => Orientation::Landscape,
                Orientation::Landscape => Orientation::Portrait,
            };
            state.rotate(to)
        })),
        ["sms", "send", number, ..] => {
            let text = words[3..].join(" ");
            if text.is_empty() {
                return Answer::Ko("missing argument, try 'sms send <phonenumber> <text message>'".into());
            }
            let extras = [("from".to_owned(), number.to_owned()), ("text".to_owned(), text)];
            tell(phone, "android.provider.Telephony.SMS_RECEIVED", BTreeMap::from(extras))
        }
        ["gsm", "call", number] => call_state(phone, "RINGING", number),
        ["gsm", "accept", number] => call_state(phone, "OFFHOOK", number),
        ["gsm", "cancel", number] => call_state(phone, "IDLE", number),
        ["gsm", "data", state] => {
            let on = !matches!(state, "off" | "unregistered" | "denied");
            done(phone.call(|phone| phone.set_network(|world| world.data = on)))
        }
        ["gsm", "status"] => Answer::Ok("gsm voice state: home\ngsm data state:  home\n".into()),
        ["gsm", ..] => Answer::Ok(String::new()),
        ["network", "status"] => Answer::Ok(
            "Current network status:\n  download speed:          0 bits/s (0.0 KB/s)\n  upload speed:            0 \
             bits/s (0.0 KB/s)\n  minimum latency:  0 ms\n  maximum latency:  0 ms\n"
                .into(),
        ),
        ["network", "speed" | "delay", ..] => Answer::Ok(String::new()),
        ["geo", "fix", longitude, latitude, ..] => {
            let inside = |text: &str, limit: f64| text.parse().is_ok_and(|degrees: f64| degrees.abs() <= limit);
            if inside(longitude, 180.0) && inside(latitude, 90.0) {
                Answer::Ok(String::new())
            } else {
                Answer::Ko("argument is not a number".into())
            }
        }
        ["event" | "finger" | "sensor" | "physics" | "fold" | "unfold" | "screenrecord" | "redir", ..] => {
            Answer::Ko("this phone has no such part".into())
        }
        _ => Answer::Ko("unknown command, try 'help'".into()),
    }
}

/// An answer to what can fail.
pub(super) fn done(result: Result<(), DeviceError>) -> Answer {
    match result {
        Ok(()) => Answer::Ok(String::new()),
        Err(error) => Answer::Ko(error.to_string()),
    }
}

fn call_state(phone: &Phone, state: &str, number: &str) -> Answer {
    let extras = [("state".to_owned(), state.to_owned()), ("incoming_number".to_owned(), number.to_owned())];
    tell(phone, "android.intent.action.PHONE_STATE", BTreeMap::from(extras))
}

fn tell(phone: &Phone, action: &str, extras: BTreeMap<String, String>) -> Answer {
    done(phone.call(|state| state.broadcast(action, extras)))
}
