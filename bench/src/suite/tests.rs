//! A small slice of the experiment, and what must be true of it.

use serde_json::{Value, json};

use super::*;

#[test]
fn both_algorithms_keep_what_the_input_covers() {
    let args = BenchSuiteArgs { only: 1, events: 400, flaky: 0.0, large: false, seed: 1 };
    let summary = serde_json::to_value(Summary::of(&rows(&args).unwrap())).unwrap();
    let number = |value: &Value| value.as_f64().unwrap_or_else(|| panic!("no number in {summary}"));
    assert_eq!((&summary["bench"], &summary["inputs"]), (&json!("suite"), &json!(2)));
    assert_eq!(summary["lost_that_classic_kept"], 0, "{summary}");
    let rows = summary["rows"].as_array().unwrap();
    let inputs: Vec<&Value> = rows.iter().map(|row| &row["input"]).collect();
    assert_eq!(inputs, ["swifthand", "random"]);
    for row in rows {
        assert_eq!(row["transitions"], 400, "{row}");
        for made in [&row["classic"], &row["ours"]] {
            assert_eq!(made["lost"], 0, "a sound app: {row}");
            assert!(number(&made["transitions"]) < number(&row["transitions"]), "{row}");
            assert!(number(&made["suite_seconds"]) < number(&row["input_seconds"]), "{row}");
            // Each trace of a suite takes eight replays to confirm.
            assert!(number(&made["replays"]) >= 8.0 * number(&made["traces"]), "{row}");
            assert!(number(&made["spent_hours"]) * 3600.0 > number(&made["suite_seconds"]), "{row}");
            assert!(number(&made["spent_hours"]) > number(&made["prepare_hours"]), "{row}");
        }
        // Classic replays the whole input eight times before anything else; ours has no such stage.
        let prepared = number(&row["classic"]["prepare_hours"]) * 3600.0;
        assert!((6.0..10.0).contains(&(prepared / number(&row["input_seconds"]))), "{row}");
        assert!(number(&row["ours"]["prepare_hours"]).abs() < 1e-9, "{row}");
        assert!(number(&row["ours"]["suite_seconds"]) <= number(&row["classic"]["suite_seconds"]), "{row}");
    }
    let costs = rows
        .iter()
        .map(|row| number(&row["ours"]["suite_seconds"]) / number(&row["classic"]["suite_seconds"]));
    let worst = costs.fold(0.0, f64::max);
    assert!((number(&summary["worst_suite_time_to_classic"]) - worst).abs() < 1e-9, "{summary}");
}
