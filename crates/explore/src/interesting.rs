//! Which states are worth a snapshot [TimeMachine §3.1].

/// A state is interesting when it is seen for the first time and reaching it executed new code: then there is
/// something behind it that nobody has tried. Where coverage is not measured, every new state is.
pub(crate) fn interesting(first_visit: bool, new_coverage: Option<usize>) -> bool {
    first_visit && new_coverage.is_none_or(|new| new > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_takes_a_new_state_and_new_code() {
        assert!(interesting(true, Some(1)));
        assert!(!interesting(true, Some(0)), "a new state that runs known code");
        assert!(!interesting(false, Some(9)), "new code in a known state");
    }

    #[test]
    fn without_coverage_a_new_state_is_enough() {
        assert!(interesting(true, None) && !interesting(false, None));
    }
}
