//! What things cost on a kind of device, in virtual time.

use std::fmt;
use std::str::FromStr;

use retap_trace::Micros;

/// The costs of one kind of device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Profile {
    /// Its name in a device specification.
    pub name: &'static str,
    /// Making everything fresh.
    pub reset: Micros,
    pub launch: Micros,
    /// Any other event.
    pub event: Micros,
    /// Looking which activity is in front.
    pub glance: Micros,
    pub tree: Micros,
    pub screenshot: Micros,
    /// Snapshots, where there are any.
    pub snapshots: Option<SnapshotCosts>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SnapshotCosts {
    /// Saving one.
    pub save: Micros,
    /// Restoring one.
    pub load: Micros,
}

impl Profile {
    /// Today's Android emulator.
    pub const EMULATOR: Self = Self::of("emulator", [3_700, 800, 200, 50, 300, 100], Some([2_500, 700]));

    /// A virtual machine as in TimeMachine's experiments: 10 s to save, 9 s to go back and 200 ms between events are the
    /// paper's. All other figures are ours.
    pub const EMULATOR_2020: Self =
        Self::of("emulator2020", [25_000, 3_000, 200, 200, 1_200, 500], Some([10_000, 9_000]));

    /// A phone on a cable, with the pauses of ND3MIN's experiments.
    pub const PHONE: Self = Self::of("phone", [12_000, 4_000, 4_000, 100, 1_000, 300], None);

    /// A page in a browser.
    pub const BROWSER: Self = Self::of("browser", [540, 60, 5, 1, 2, 44], None);

    pub const ALL: [Self; 4] = [Self::EMULATOR, Self::EMULATOR_2020, Self::PHONE, Self::BROWSER];

    /// A profile with its costs in milliseconds, in the order of the fields.
    const fn of(name: &'static str, costs: [u64; 6], snapshots: Option<[u64; 2]>) -> Self {
        let [reset, launch, event, glance, tree, screenshot] = costs;
        Self {
            name,
            reset: Micros::from_millis(reset),
            launch: Micros::from_millis(launch),
            event: Micros::from_millis(event),
            glance: Micros::from_millis(glance),
            tree: Micros::from_millis(tree),
            screenshot: Micros::from_millis(screenshot),
            snapshots: match snapshots {
                Some([save, load]) => {
                    Some(SnapshotCosts { save: Micros::from_millis(save), load: Micros::from_millis(load) })
                }
                None => None,
            },
        }
    }
}

impl Default for Profile {
    fn default() -> Self {
        Self::EMULATOR
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl FromStr for Profile {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|profile| profile.name == name).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|profile| profile.name).collect();
            format!("there is no profile '{name}'; the profiles are {}", names.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_profile_goes_by_its_name() {
        for profile in Profile::ALL {
            assert_eq!(profile.to_string().parse(), Ok(profile));
        }
        assert!("fax".parse::<Profile>().unwrap_err().contains("emulator2020"));
    }

    #[test]
    fn the_published_costs_hold() {
        let snapshots = |profile: Profile| profile.snapshots.map(|costs| (costs.save, costs.load));
        assert_eq!(Profile::default().reset, Micros::from_millis(3_700));
        assert_eq!(snapshots(Profile::EMULATOR_2020), Some((Micros::from_secs(10), Micros::from_secs(9))));
        assert_eq!(snapshots(Profile::PHONE), None);
        assert_eq!(Profile::PHONE.event, Micros::from_secs(4));
    }
}
