//! `uptime`.

use super::Date;
use crate::shell::{Outcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> Outcome {
    let (now, minutes) = process.phone().with(|state| (state.now(), state.uptime().as_millis() / 60_000));
    let date = Date::of(now);
    let up = match (minutes / 1440, minutes / 60 % 24) {
        (0, 0) => format!("{minutes} min"),
        (0, hours) => format!("{hours}:{:02}", minutes % 60),
        (days, hours) => format!("{days} days, {hours}:{:02}", minutes % 60),
    };
    process.say(format!(
        " {:02}:{:02}:{:02} up {up},  0 users,  load average: 0.00, 0.01, 0.05",
        date.hour, date.minute, date.second
    ))?;
    Ok(0)
}
