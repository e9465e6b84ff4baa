//! What the console can be told.

use std::collections::BTreeMap;

use super::{Answer, snapshot};
use crate::phone::Phone;

const HELP: &str = "Android console commands:\n    help             Prints a list of commands\n    \
    kill             Terminates the emulator instance\n    quit|exit        Quits the current control session\n    \
    avd              Manages virtual device execution state\n    gsm              Manages GSM connections\n    \
    sms              Sends SMS\n    ping             Checks if the emulator is alive\n    \
    auth             Authenticates a session\n    fault            Makes commands fail\n";

/// Carries out a command. Before somebody is known, he can ask for help and leave.
pub(super) fn run(phone: &Phone, line: &str, known: bool) -> Answer {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["help"] => return Answer::Ok(HELP.to_owned()),
        ["quit" | "exit"] => return Answer::Quit,
        _ => {}
    }
    if !known {
        return Answer::Ko("unknown command, try 'help'".into());
    }
    if let Some(says) = phone.failure(line) {
        return Answer::Ok(String::from_utf8_lossy(&says).into_owned());
    }
    match words[..] {
        ["ping"] => Answer::Ok("I am alive!\n".into()),
        ["kill"] => Answer::Kill,
        ["avd", "name"] => Answer::Ok(format!("{}\n", phone.settings().avd)),
        ["avd", "snapshot", ref rest @ ..] => snapshot::run(phone, rest),
        ["avd", ..] => Answer::Ko("missing sub-command".into()),
        ["sms", "send", number, ..] => {
            let text = words[3..].join(" ");
            if text.is_empty() {
                return Answer::Ko("missing argument, try 'sms send <phonenumber> <text message>'".into());
            }
            let extras = [("from".to_owned(), number.to_owned()), ("text".to_owned(), text)];
            tell(phone, "sms:send", extras)
        }
        ["fault", ..] => fault(phone, line),
        ["gsm", what @ ("call" | "cancel"), number] => {
            tell(phone, &format!("gsm:{what}"), [("from".to_owned(), number.to_owned())])
        }
        _ => Answer::Ko("unknown command, try 'help'".into()),
    }
}

/// `fault 3 uiautomator dump = Killed\n`: the next three dumps fail.
fn fault(phone: &Phone, line: &str) -> Answer {
    let order = || {
        let (front, says) = line.split_once(" =")?;
        let (times, words) = front.strip_prefix("fault")?.trim_start().split_once(' ')?;
        Some((times.parse().ok()?, words.trim_start(), says.trim_start().replace("\\n", "\n")))
    };
    let Some((times, words, says)) = order() else {
        return Answer::Ko("missing argument, try 'fault <times> <command> = <answer>'".into());
    };
    phone.fault(times, words, says);
    Answer::Ok(String::new())
}

/// The app hears of it as it does on the simulator: by the name that a step of a trace has.
fn tell<const N: usize>(phone: &Phone, action: &str, extras: [(String, String); N]) -> Answer {
    match phone.call(|state| state.broadcast(action, BTreeMap::from(extras))) {
        Ok(()) => Answer::Ok(String::new()),
        Err(error) => Answer::Ko(error.to_string()),
    }
}
