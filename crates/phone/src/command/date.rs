//! `date`: the time of day.

use super::Date;
use crate::shell::{Outcome, Process};

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

pub(super) fn run(process: &mut Process<'_>) -> Outcome {
    let now = process.phone().with(|state| state.now());
    let mut form = "%a %b %e %H:%M:%S %Z %Y".to_owned();
    let mut args = process.args().iter();
    while let Some(arg) = args.next() {
        match &**arg {
            "-u" => {}
            "-D" | "-d" | "-r" => {
                args.next();
            }
            _ => match arg.strip_prefix('+') {
                Some(own) => own.clone_into(&mut form),
                None => return process.fail(1, "date: cannot set date: Operation not permitted"),
            },
        }
    }
    process.say(print(&form, now))?;
    Ok(0)
}

fn print(form: &str, now: u64) -> String {
    let date = Date::of(now);
    let Date { year, month, day, hour, minute, second, .. } = date;
    let mut text = String::new();
    let mut letters = form.chars();
    while let Some(letter) = letters.next() {
        if letter != '%' {
            text.push(letter);
            continue;
        }
        let name = |names: &[&str], place: u64| names[usize::try_from(place).unwrap_or(0)].to_owned();
        text.push_str(&match letters.next() {
            Some('Y') => year.to_string(),
            Some('y') => format!("{:02}", year % 100),
            Some('m') => format!("{month:02}"),
            Some('d') => format!("{day:02}"),
            Some('e') => format!("{day:2}"),
            Some('H') => format!("{hour:02}"),
            Some('M') => format!("{minute:02}"),
            Some('S') => format!("{second:02}"),
            Some('s') => (now / 1_000_000).to_string(),
            Some('N') => format!("{:09}", now % 1_000_000 * 1000),
            Some('F') => format!("{year:04}-{month:02}-{day:02}"),
            Some('T') => format!("{hour:02}:{minute:02}:{second:02}"),
            Some('a') => name(&DAYS, date.weekday),
            Some('b') => name(&MONTHS, month - 1),
            Some('Z') => "GMT".to_owned(),
            Some('z') => "+0000".to_owned(),
            Some('n') => "\n".to_owned(),
            Some('t') => "\t".to_owned(),
            Some(other) => other.to_string(),
            None => "%".to_owned(),
        });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_have_many_forms() {
        let now = 1_704_067_205_123_000;
        assert_eq!(print("%a %b %e %H:%M:%S %Z %Y", now), "Mon Jan  1 00:00:05 GMT 2024");
        assert_eq!(print("%m-%d %T.%N %s", now), "01-01 00:00:05.123000000 1704067205");
    }
}
