//! `dumpsys battery`: how it is, and how it should seem.

use crate::command::options::Options;
use crate::phone::Battery;
use crate::shell::{CommandOutcome, Process};

pub(super) fn run(process: &Process<'_>, mut args: Options) -> CommandOutcome {
    let before = process.phone().with(|state| state.world.battery);
    let after = match &*args.word() {
        "" => return show(process, before),
        "unplug" => Battery {
            ac: false,
            usb: false,
            wireless: false,
            status: Battery::DISCHARGING,
            frozen: true,
            ..before
        },
        "reset" => Battery::fresh(),
        "set" => match set(before, args.next(), args.next()) {
            Ok(after) => after,
            Err(why) => return process.fail(255, why),
        },
        other => return process.fail(255, format!("Unknown command: {other}")),
    };
    process.does(|state| state.set_battery(after))
}

fn set(before: Battery, name: Option<String>, value: Option<String>) -> Result<Battery, String> {
    let name = name.ok_or("No property specified")?;
    let value = value.ok_or("No value specified")?;
    let number: i32 = value.parse().map_err(|_| format!("Bad value: {value}"))?;
    let mut after = Battery { frozen: true, ..before };
    match &*name {
        "ac" => after.ac = number != 0,
        "usb" => after.usb = number != 0,
        "wireless" => after.wireless = number != 0,
        "level" => after.level = number.clamp(0, 100),
        "status" => after.status = number,
        _ => return Err(format!("Unknown set option: {name}")),
    }
    Ok(after)
}

fn show(process: &Process<'_>, battery: Battery) -> CommandOutcome {
    let Battery { ac, usb, wireless, level, status, frozen } = battery;
    let frozen = if frozen { "  (UPDATES STOPPED -- use 'reset' to restart)\n" } else { "" };
    let dock = if process.phone().settings().android.api() >= 33 { "  Dock powered: false\n" } else { "" };
    process.done(format!(
        "Current Battery Service state:\n{frozen}  AC powered: {ac}\n  USB powered: {usb}\n  Wireless powered: \
         {wireless}\n{dock}  Max charging current: 0\n  Max charging voltage: 0\n  Charge counter: 10000\n  status: \
         {status}\n  health: 2\n  present: true\n  level: {level}\n  scale: 100\n  voltage: 5000\n  \
         temperature: 250\n  technology: Li-ion\n"
    ))
}
