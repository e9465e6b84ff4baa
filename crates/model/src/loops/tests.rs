use proptest::prelude::*;

use super::*;

fn keys(states: &str) -> Vec<StateKey> {
    states.bytes().map(|state| StateKey(state.into())).collect()
}

#[test]
fn loops_of_a_small_trace() {
    let loops = Loops::new(&keys("ABABB"));
    assert_eq!(loops.all().collect::<Vec<_>>(), [0..2, 1..3, 1..4, 3..4]);
    assert_eq!(loops.minimal().collect::<Vec<_>>(), [0..2, 1..3, 3..4]);
    assert_eq!(loops.nearest(1), Some(1..3));
    assert_eq!(loops.beginning_at(1).collect::<Vec<_>>(), [1..3, 1..4]);
    assert_eq!(loops.nearest(4), None);
    assert_eq!(loops.nearest(5), None);
    assert_eq!(loops.beginning_at(5).count(), 0);
}

/// Menu, Menu, Menu, Option: the two presses in the middle close and open the menu again.
#[test]
fn the_menu_of_the_paper() {
    let loops = Loops::new(&keys("FMFMO"));
    assert_eq!(loops.minimal().collect::<Vec<_>>(), [0..2, 1..3]);
}

#[test]
fn a_loop_around_another_is_not_minimal() {
    let loops = Loops::new(&keys("ABCBA"));
    assert!(loops.minimal().eq(std::iter::once(1..3)));
    assert_eq!(loops.nearest(0), Some(0..4));
}

#[test]
fn nothing_has_no_loops() {
    assert_eq!(Loops::new(&[]).all().count(), 0);
    assert_eq!(Loops::new(&keys("ABC")).all().count(), 0);
}

#[test]
fn many_loops_are_found_only_on_demand() {
    let same = vec![StateKey(1); 1_000_000];
    let loops = Loops::new(&same);
    assert_eq!(loops.all().nth(3), Some(0..4));
    assert_eq!(loops.minimal().count(), 999_999);
}

proptest! {
    #[test]
    fn all_and_minimal_are_what_their_words_say(
        states in prop::collection::vec((0_u64..5).prop_map(StateKey), 0..25),
    ) {
        let mut all = Vec::new();
        for start in 0..states.len() {
            all.extend((start + 1..states.len()).filter(|&end| states[start] == states[end]).map(|end| start..end));
        }
        let inside = |inner: &Range<usize>, outer: &Range<usize>| {
            inner != outer && outer.start <= inner.start && inner.end <= outer.end
        };
        let minimal: Vec<_> =
            all.iter().filter(|outer| !all.iter().any(|inner| inside(inner, outer))).cloned().collect();
        let loops = Loops::new(&states);
        prop_assert_eq!(loops.all().collect::<Vec<_>>(), all);
        prop_assert_eq!(loops.minimal().collect::<Vec<_>>(), minimal);
    }
}
