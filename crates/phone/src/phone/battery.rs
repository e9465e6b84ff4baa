//! The battery.

/// What the battery service knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a line of what the service shows")]
pub(crate) struct Battery {
    pub(crate) ac: bool,
    pub(crate) usb: bool,
    pub(crate) wireless: bool,
    pub(crate) level: i32,
    pub(crate) status: i32,
    /// Whether somebody has set values by hand.
    pub(crate) frozen: bool,
}

/// Below this the battery is low, and not again before it is over [`OKAY`].
const LOW: i32 = 15;
const OKAY: i32 = 20;

impl Battery {
    pub(crate) const DISCHARGING: i32 = 3;
    pub(crate) const FULL: i32 = 5;

    pub(crate) const fn fresh() -> Self {
        Self { ac: true, usb: false, wireless: false, level: 100, status: Self::FULL, frozen: false }
    }

    pub(crate) const fn plugged(&self) -> bool {
        self.ac || self.usb || self.wireless
    }

    /// What the system tells all apps when the battery has changed from this to that.
    pub(crate) fn news(&self, after: &Self) -> Vec<&'static str> {
        let mut news = vec!["android.intent.action.BATTERY_CHANGED"];
        match (self.plugged(), after.plugged()) {
            (true, false) => news.push("android.intent.action.ACTION_POWER_DISCONNECTED"),
            (false, true) => news.push("android.intent.action.ACTION_POWER_CONNECTED"),
            _ => {}
        }
        let low = |battery: &Self| battery.level <= LOW && !battery.plugged();
        if low(after) && !low(self) {
            news.push("android.intent.action.BATTERY_LOW");
        }
        let was_low = self.level <= LOW;
        if was_low && after.level >= OKAY {
            news.push("android.intent.action.BATTERY_OKAY");
        }
        if *self == *after { Vec::new() } else { news }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn apps_hear_of_a_low_battery_once() {
        let full = Battery::fresh();
        let unplugged = Battery { ac: false, ..full };
        let low = Battery { level: 5, ..unplugged };
        let lower = Battery { level: 4, ..unplugged };
        assert_eq!(full.news(&full), Vec::<&str>::new());
        assert!(full.news(&unplugged).contains(&"android.intent.action.ACTION_POWER_DISCONNECTED"));
        assert!(unplugged.news(&low).contains(&"android.intent.action.BATTERY_LOW"));
        assert_eq!(low.news(&lower), ["android.intent.action.BATTERY_CHANGED"]);
        assert!(lower.news(&unplugged).contains(&"android.intent.action.BATTERY_OKAY"));
    }
}
