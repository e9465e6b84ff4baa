//! What snapshots cost on a device, as far as it has shown.

use retap_trace::Micros;

/// The cost of something that may fail, for each time that it worked.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Price {
    total: Micros,
    worked: u32,
}

/// What snapshots cost on a device.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Prices {
    /// Saving one.
    pub(super) save: Price,
    /// Going back to one, and looking whether that went well.
    pub(super) load: Price,
}

impl Price {
    /// It took so long, and did or did not work.
    pub(super) fn paid(&mut self, time: Micros, worked: bool) {
        self.total += time;
        self.worked += u32::from(worked);
    }

    /// The mean cost; a guess as long as nothing was paid.
    pub(super) fn or(self, guess: Micros) -> Micros {
        if self.total == Micros::ZERO && self.worked == 0 {
            return guess;
        }
        Micros(self.total.0 / u64::from(self.worked.max(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fails_makes_the_rest_dearer() {
        let mut price = Price::default();
        assert_eq!(price.or(Micros(70)), Micros(70));
        price.paid(Micros(10), false);
        assert_eq!(price.or(Micros(70)), Micros(10), "so much at least");
        price.paid(Micros(10), true);
        assert_eq!(price.or(Micros(70)), Micros(20));
        price.paid(Micros(10), true);
        assert_eq!(price.or(Micros(70)), Micros(15));
    }
}
