//! The fewest runs that anybody can do with: what one run tells, against what there is to know.

/// Runs to find which `needed` of `length` events are needed, when a run with all of them reaches the target with
/// this rate and one without never does: the bits there are to know, by the bits a run can tell.
pub(super) fn runs(length: usize, needed: usize, rate: f64) -> f64 {
    bits(length, needed) / capacity(1.0 - rate)
}

/// log2 of the number of ways to choose.
#[expect(clippy::cast_precision_loss, reason = "lengths of lists")]
fn bits(length: usize, needed: usize) -> f64 {
    (0..needed.min(length)).map(|nth| ((length - nth) as f64 / (needed - nth) as f64).log2()).sum()
}

/// The capacity of the Z channel, in bits, whose one kind of signal is missed with this probability.
fn capacity(missed: f64) -> f64 {
    if missed <= 0.0 { 1.0 } else { (1.0 + (1.0 - missed) * missed.powf(missed / (1.0 - missed))).log2() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_of_one_is_a_logarithm_and_noise_costs_a_quarter() {
        assert!((runs(1024, 1, 1.0) - 10.0).abs() < 1e-9);
        assert!((runs(6, 3, 1.0) - 20_f64.log2()).abs() < 1e-9);
        assert!((runs(500, 10, 1.0) - 67.7).abs() < 0.2, "{}", runs(500, 10, 1.0));
        assert!((capacity(0.1) - 0.763).abs() < 5e-4, "{}", capacity(0.1));
        assert!((runs(500, 10, 0.9) / runs(500, 10, 1.0) - 1.0 / capacity(0.1)).abs() < 1e-9);
    }
}
