//! What is measured is what is claimed: the default reducer finds the lines that are needed.

use super::*;

#[test]
fn every_search_leaves_what_is_needed() {
    let args = EngineArgs { lines: 2_000, needed: 7, seed: 3 };
    for search in [DEFAULT, "ddmin", "cdd", "belief"] {
        let row = long_list(search, args.lines, &args).unwrap();
        assert_eq!(row.lines_left, 7, "seed 3: {row:?}");
        assert!(row.what.starts_with(search) && row.runs > 7, "{row:?}");
    }
}

/// Ten times the lines must not take ten times the runs: questions grow with the logarithm.
#[test]
fn the_default_asks_little_more_of_longer_lists() {
    let args = EngineArgs { lines: 20_000, needed: 7, seed: 3 };
    let runs = |lines| long_list(DEFAULT, lines, &args).unwrap().runs;
    let (short, long) = (runs(2_000), runs(20_000));
    assert!(long < 2 * short, "seed 3: {short} runs, then {long}");
}
