//! `power`: the battery, as the emulator sets it.

use super::Answer;
use super::commands::done;
use crate::phone::{Battery, Phone};

pub(super) fn run(phone: &Phone, words: &[&str]) -> Answer {
    let before = phone.with(|state| state.world.battery);
    let after = match words {
        ["display"] => return Answer::Ok(show(before)),
        ["ac", state @ ("on" | "off")] => {
            let on = *state == "on";
            let status = if on { Battery::CHARGING } else { Battery::DISCHARGING };
            Battery { ac: on, status, ..before }
        }
        ["capacity", percent] => match percent.parse() {
            Ok(level @ 0..=100) => Battery { level, ..before },
            _ => return Answer::Ko("Usage: \"capacity <percentage>\"".into()),
        },
        ["status", status] => {
            let known = ["unknown", "charging", "discharging", "not-charging", "full"];
            match known.iter().position(|name| name == status).and_then(|place| i32::try_from(place + 1).ok())
            {
                Some(status) => Battery { status, ..before },
                None => {
                    return Answer::Ko(
                        "Usage: \"status unknown|charging|discharging|not-charging|full\"".into(),
                    );
                }
            }
        }
        ["present", state @ ("true" | "false")] => Battery { present: *state == "true", ..before },
        ["health", _] => before,
        _ => {
            return Answer::Ko(
                "allow to change battery and AC power status: display, ac, status, present, health, capacity"
                    .into(),
            );
        }
    };
    done(phone.call(|state| state.set_battery(after)))
}

fn show(battery: Battery) -> String {
    let ac = if battery.ac { "online" } else { "offline" };
    let status = match battery.status {
        2 => "Charging",
        3 => "Discharging",
        4 => "Not charging",
        5 => "Full",
        _ => "Unknown",
    };
    format!(
        "AC: {ac}\nstatus: {status}\nhealth: Good\npresent: {}\ncapacity: {}\n",
        battery.present, battery.level
    )
}
