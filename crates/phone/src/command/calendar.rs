//! Times of day. The phone is in Greenwich, where no hour is ever set back.

/// A moment in the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Date {
    pub(crate) year: u64,
    pub(crate) month: u64,
    pub(crate) day: u64,
    pub(crate) hour: u64,
    pub(crate) minute: u64,
    pub(crate) second: u64,
    pub(crate) millis: u64,
}

const DAY: u64 = 86_400;

impl Date {
    /// The moment so many microseconds after the beginning of 1970.
    pub(crate) const fn of(micros: u64) -> Self {
        let secs = micros / 1_000_000;
        let days = secs / DAY;
        // Years are counted from March, so that the odd day is the last.
        let from_march = days + 719_468;
        let era = from_march / 146_097;
        let of_era = from_march % 146_097;
        let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted = (5 * of_year + 2) / 153;
        let day = of_year - (153 * shifted + 2) / 5 + 1;
        let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
        let year = year_of_era + era * 400 + if month <= 2 { 1 } else { 0 };
        Self {
            year,
            month,
            day,
            hour: secs % DAY / 3600,
            minute: secs % 3600 / 60,
            second: secs % 60,
            millis: micros / 1000 % 1000,
        }
    }

    /// Microseconds since the beginning of 1970.
    pub(crate) const fn micros(&self) -> u64 {
        let year = if self.month <= 2 { self.year - 1 } else { self.year };
        let era = year / 400;
        let of_era = year % 400;
        let shifted = if self.month > 2 { self.month - 3 } else { self.month + 9 };
        let of_year = (153 * shifted + 2) / 5 + self.day - 1;
        let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year;
        let days = days.saturating_sub(719_468);
        ((days * DAY + self.hour * 3600 + self.minute * 60 + self.second) * 1000 + self.millis) * 1000
    }

    /// `2024-01-31 12:00:05`.
    pub(crate) fn long(&self) -> String {
        let Self { year, month, day, hour, minute, second, .. } = self;
        format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_their_dates() {
        for (secs, date) in [
            (0, "1970-01-01 00:00:00"),
            (951_782_399, "2000-02-28 23:59:59"),
            (951_782_400, "2000-02-29 00:00:00"),
            (1_704_067_200, "2024-01-01 00:00:00"),
            (4_107_542_400, "2100-03-01 00:00:00"),
        ] {
            let found = Date::of(secs * 1_000_000);
            assert_eq!(found.long(), date);
            assert_eq!(found.micros(), secs * 1_000_000);
        }
    }
}
