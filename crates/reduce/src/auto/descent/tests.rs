use super::*;

/// A list of which some events are needed, and the lengths of the lists that are asked about, one after the other, by the
/// prototype in Python from which the arithmetic was taken.
struct Case {
    events: u32,
    needed: &'static [u32],
    lengths: &'static [u32],
}

#[rustfmt::skip]
const CASES: [Case; 4] = [
    Case { events: 30, needed: &[8, 19, 23], lengths: &[2, 16, 19, 26, 22, 18, 14, 11, 9, 12, 11, 9, 8, 7, 6, 5, 5] },
    Case { events: 120, needed: &[45, 83, 88, 94, 101, 107, 118], lengths: &[2, 27, 65, 65, 106, 81, 62, 48, 38, 51, 51, 40, 43, 45, 45, 45, 40, 35, 35, 31, 29, 31, 32, 30, 31, 28, 25, 26, 22, 20, 18, 17, 17, 16, 15, 14, 13, 12, 13, 9] },
    Case { events: 500, needed: &[14, 26, 127, 238, 271, 332, 397, 430, 461, 482], lengths: &[2, 51, 154, 296, 234, 407, 379, 468, 481, 426, 333, 371, 384, 371, 317, 339, 310, 268, 259, 285, 281, 285, 280, 291, 272, 253, 239, 235, 239, 225, 221, 207, 193, 192, 181, 170, 167, 156, 145, 137, 129, 127, 119, 113, 107, 105, 99, 97, 91, 85, 85, 79, 74, 73, 68, 69, 65, 61, 56, 52, 49, 46, 43, 40, 37, 34, 35, 33, 31, 31, 30, 26, 25, 24, 24, 24, 23, 24, 23, 21, 22, 20, 18, 12] },
    Case { events: 2000, needed: &[231, 321, 761, 960], lengths: &[2, 330, 716, 1240, 1012, 1551, 1416, 967, 900, 634, 717, 451, 534, 560, 608, 596, 503, 506, 435, 420, 349, 294, 295, 240, 257, 215, 225, 183, 196, 164, 132, 107, 82, 90, 76, 79, 67, 56, 48, 40, 42, 36, 31, 27, 21, 18, 15, 13, 13, 14, 13, 13, 12, 6] },
];

/// Two probabilities of the prototype: that a chunk is clean, and that one inside a group is.
const CLEAN: f64 = 0.381_066_053_698_143_7;
const WITHIN: f64 = 0.227_681_993_729_983_3;

fn start(events: u32) -> DescentStart {
    DescentStart { list: (0..events).collect(), launch: true, last: true, weights: None, monitored: true }
}

/// Descends; gives the lengths of the lists that were asked about, and what was left.
fn descend(events: u32, reaches: impl Fn(&Subset) -> bool) -> (Vec<u32>, Subset) {
    let mut descent = Descent::new(start(events));
    let mut lengths = Vec::new();
    while let Some(list) = descent.wanted().cloned() {
        if descent.purpose().starts_with("descent without") {
            lengths.push(list.len());
        }
        descent.settle(reaches(&list).then(|| list.positions().last()).flatten());
        assert!(lengths.len() < 100_000, "a descent ends");
    }
    (lengths, descent.present())
}

#[test]
fn asks_what_the_prototype_asks() {
    for Case { events, needed, lengths } in CASES {
        let (asked, _) = descend(events, |list| needed.iter().all(|event| list.has(*event)));
        assert_eq!(asked, lengths, "{events} events");
    }
}

#[test]
fn beliefs_move_as_in_the_prototype() {
    let mut belief = DensityBelief::new(118);
    let chunk = Mass { count: 60.0, nearness: 0.7 };
    let clean: Vec<f64> = belief.clean(chunk, None).collect();
    assert!(
        (belief.mean(clean.iter().copied()) - CLEAN).abs() < 1e-12,
        "{}",
        belief.mean(clean.iter().copied())
    );
    belief.learn(&clean, false);
    let within: Vec<f64> = belief.clean(Mass { count: 30.0, nearness: 0.2 }, Some((0.5, chunk))).collect();
    assert!(
        (belief.mean(within.iter().copied()) - WITHIN).abs() < 1e-12,
        "{}",
        belief.mean(within.iter().copied())
    );
}

#[test]
fn what_is_left_holds_all_that_is_needed() {
    for events in [1, 2, 3, 4, 10, 77] {
        for needed in [vec![], vec![0], vec![events - 1], vec![0, events - 1], vec![events / 2]] {
            let (_, left) = descend(events, |list| needed.iter().all(|event| list.has(*event)));
            assert!(needed.iter().all(|event| left.has(*event)), "{needed:?} of {events}: {left:?}");
            assert!(
                left.len() as usize <= needed.len() + 2,
                "the ends are pinned: {needed:?} of {events}: {left:?}"
            );
        }
    }
}

/// What stood behind the event with which the target was reached is gone at once.
#[test]
fn a_list_is_cut_where_the_target_was_reached() {
    let mut descent = Descent::new(start(1000));
    let mut questions = 0;
    while let Some(list) = descent.wanted().cloned() {
        questions += 1;
        descent.settle(if list.has(0) && list.has(17) { Some(17) } else { None });
    }
    assert_eq!(descent.present(), Subset::from_positions([0, 17]));
    assert!(questions < 30, "{questions}");
}

/// A hundred thousand lines take no more than a few thousand questions, and no time.
#[test]
fn long_lists_are_no_burden() {
    let needed: Vec<u32> = (0..20).map(|nth| nth * 4_999 + 7).collect();
    let (asked, left) = descend(100_000, |list| needed.iter().all(|event| list.has(*event)));
    assert!(asked.len() < 600, "{} questions", asked.len());
    assert!(left.len() <= 22);
}
