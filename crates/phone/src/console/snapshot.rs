//! `avd snapshot`: the whole phone, saved and restored.

use retap_device::DeviceError;

use super::Answer;
use crate::command::Date;
use crate::phone::{Phone, Saved};

pub(super) fn run(phone: &Phone, words: &[&str]) -> Answer {
    match words {
        ["list"] => Answer::Ok(list(phone)),
        ["save", name] => answer(phone.call(|state| state.save(name))),
        ["load", name] => match phone.call(|state| state.load(name)) {
            Ok(true) => {
                // What ran before the load does not run any more.
                phone.lines().cut_streams();
                Answer::Ok(String::new())
            }
            Ok(false) => missing(name),
            Err(error) => failed(&error),
        },
        ["delete" | "del" | "remove", name] => match phone.call(|state| state.forget(name)) {
            Ok(true) => Answer::Ok(String::new()),
            Ok(false) => missing(name),
            Err(error) => failed(&error),
        },
        ["save" | "load" | "delete" | "del" | "remove"] => {
            Answer::Ko(format!("argument missing, try 'avd snapshot {} <name>'", words[0]))
        }
        _ => Answer::Ko(
            "allows you to save and restore the virtual device state in snapshots: list, save, load, delete"
                .into(),
        ),
    }
}

fn answer(result: Result<(), DeviceError>) -> Answer {
    match result {
        Ok(()) => Answer::Ok(String::new()),
        Err(error) => failed(&error),
    }
}

fn failed(error: &DeviceError) -> Answer {
    Answer::Ko(format!("Error: {error}"))
}

fn missing(name: &str) -> Answer {
    Answer::Ko(format!("Device 'cache' does not have the requested snapshot '{name}'"))
}

fn list(phone: &Phone) -> String {
    phone.with(|state| {
        let rows: String = state.saved().map(|(name, saved)| row(name, saved)).collect();
        if rows.is_empty() {
            return "There is no snapshot available.\n".to_owned();
        }
        format!(
            "List of snapshots present on all disks:\nID        TAG                 VM SIZE                DATE       \
             VM CLOCK\n{rows}"
        )
    })
}

fn row(name: &str, saved: &Saved) -> String {
    let size = format!("{}M", saved.size >> 20);
    let date = Date::of(saved.at * 1_000_000).long();
    let millis = saved.uptime.as_millis();
    let (hours, minutes, seconds) = (millis / 3_600_000, millis / 60_000 % 60, millis / 1000 % 60);
    let clock = format!("{hours:02}:{minutes:02}:{seconds:02}.{:03}", millis % 1000);
    format!("{:<10}{name:<20}{size:>7}{date:>20}{clock:>15}\n", "--")
}
