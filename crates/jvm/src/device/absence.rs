//! How much of an exploration an app was away for, because of the device.

/// Counts events, and those that found the app gone because of what the device cannot do.
#[derive(Debug, Default)]
pub(super) struct Absence {
    events: u32,
    without: u32,
    /// The device has ended the app, and it was not in front since.
    gone: bool,
    told: bool,
}

/// Fewer events say nothing.
const ENOUGH: u32 = 20;

impl Absence {
    /// The device has ended the app.
    pub(super) const fn begin(&mut self) {
        self.gone = true;
    }

    /// The app is in front, or begins from nothing.
    pub(super) const fn end(&mut self) {
        self.gone = false;
    }

    /// An event is done. Says once when most of them were for nothing.
    pub(super) fn event(&mut self) -> Option<String> {
        self.events = self.events.saturating_add(1);
        self.without = self.without.saturating_add(u32::from(self.gone));
        let most = self.without >= ENOUGH && self.without > self.events / 2;
        if self.told || !most {
            return None;
        }
        self.told = true;
        Some(format!(
            "{} of {} events so far came when the app was gone for what this device cannot do: most of it was not tried",
            self.without, self.events
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_told_once_that_most_events_were_for_nothing() {
        let mut absence = Absence::default();
        for _ in 0..30 {
            assert_eq!(absence.event(), None, "the app is there");
        }
        absence.begin();
        let told: Vec<String> = (0..100).filter_map(|_| absence.event()).collect();
        let said = "31 of 61 events so far came when the app was gone";
        assert!(matches!(&*told, [one] if one.starts_with(said)), "{told:?}");
        let mut back = Absence::default();
        for _ in 0..50 {
            assert_eq!(back.event(), None);
            back.begin();
            assert_eq!(back.event(), None, "it comes back at once");
            back.end();
        }
    }
}
