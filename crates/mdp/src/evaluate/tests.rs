use super::*;

fn paper(n: u32) -> Setting {
    Setting::new(n, 15, 20, 18).unwrap()
}

#[test]
fn a_single_certain_run() {
    let setting = Setting::new(1, 1, 1, 1).unwrap();
    let sure = Prior::new(vec![1.0], vec![1.0]).unwrap();
    let cost = evaluate(&setting, &sure, |_| vec![1]).unwrap();
    assert_eq!(cost, Cost { steps: 1.0, runs: 1.0, states: 1 });
}

#[test]
fn a_schedule_that_breaks_the_rules_is_named() {
    let wrong = |runs: Vec<u32>| {
        let schedule = move |_: &[(u32, u32)]| runs.clone();
        evaluate(&paper(2), &Prior::recovered(), schedule).unwrap_err().to_string()
    };
    assert_eq!(wrong(vec![1]), "the schedule gave 1 numbers of runs for 2 candidates");
    assert_eq!(wrong(vec![0, 0]), "the schedule gave no runs in the state [(0, 0), (0, 0)]");
    assert_eq!(wrong(vec![8, 8]), "the schedule gave 16 runs to 15 devices");
    assert_eq!(
        wrong(vec![21, 0]),
        "the schedule gave 21 runs to a candidate with the tally (0, 0), but it has 20 left"
    );
}
