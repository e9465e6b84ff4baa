//! `avd snapshot`: the whole phone, saved and restored.

use retap_device::DeviceError;

use super::Answer;
use crate::command::Date;
use crate::phone::{Phone, Saved};

pub(super) fn run(phone: &Phone, words: &[&str]) -> Answer {
    match words {
        ["list"] => Answer::Ok(list(phone)),
        ["save", name] => answer(name, phone.call(|state| state.save(name).map(|()| true))),
        ["load", name] => {
            let loaded = phone.call(|state| state.load(name));
            if loaded == Ok(true) {
                // What ran before the load does not run any more.
                phone.lines().cut_streams();
            }
            answer(name, loaded)
        }
        ["delete" | "del", name] => answer(name, phone.call(|state| state.forget(name))),
        _ => Answer::Ko(
            "allows you to save and restore the virtual device state in snapshots: list, save, load, delete"
                .into(),
        ),
    }
}

fn answer(name: &str, found: Result<bool, DeviceError>) -> Answer {
    match found {
        Ok(true) => Answer::Ok(String::new()),
        Ok(false) => Answer::Ko(format!("Device 'cache' does not have the requested snapshot '{name}'")),
        Err(error) => Answer::Ko(format!("Error: {error}")),
    }
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
