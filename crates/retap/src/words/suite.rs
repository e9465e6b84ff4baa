//! What people are told of a suite.

use retap_job::SuiteResult;
use retap_suite::{Bound, ItemCounts, Totals};

use crate::commands::this_command;
use crate::output::{Output, bad, count, faint, good, strong};

/// What came of making a suite.
pub(super) fn made(output: Output, result: &SuiteResult) {
    let Some(folder) = &result.suite else {
        let why = result.details.why.as_deref().unwrap_or("interrupted");
        output.say(format!("{}: {why}", bad("cut short")));
        output.say(format!(
            "everything is saved in {}; go on with\n  {}",
            result.session.display(),
            this_command()
        ));
        return;
    };
    let report = &result.details.report;
    output.say(format!("\n          {:>6} {:>12} {:>14}   covers", "traces", "transitions", "device time"));
    output.say(line("before", &report.before, &report.covered_before));
    output.say(strong(line("after", &report.after, &report.covered_after)));
    if report.lost.is_empty() {
        output.say(good("\nnothing is lost"));
    }
    for (why, items) in &result.details.lost {
        output.say(format!("{} {}: {why}", bad("lost"), items.join("; ")));
    }
    for (step, followed, diverged) in result.details.flaky.iter().take(10) {
        output.say(format!("flaky: {step} was followed {followed} times and {diverged} times not"));
    }
    if let Some(optimum) = report.optimum {
        output.say(faint(format!(
            "by the times of its steps in the input, the suite takes {}, and no choice among the confirmed traces takes less than \
             {}",
            optimum.cost, optimum.bound
        )));
    }
    for bound in &report.bounds {
        output.say(faint(format!("the search was cut short: {}", in_words(*bound))));
    }
    if result.traces_not_recorded > 0 {
        let traces = count(result.traces_not_recorded as u64, "trace");
        output.say(format!(
            "{traces} did not follow once more to be recorded; what the input saw stands there"
        ));
    }
    let spent = report.spent;
    output.say(faint(format!(
        "{} to search and {} to confirm, {} of device time",
        count(spent.search, "replay"),
        count(spent.confirm, "replay"),
        spent.time
    )));
    let (folder, typed) = (folder.display(), super::quoted_path(folder));
    output.say(format!("saved: {folder}; run it with\n  retap replay --suite {typed}"));
}

fn line(name: &str, totals: &Totals, covered: &ItemCounts) -> String {
    let crashes =
        if covered.crashes == 1 { "1 crash".to_owned() } else { format!("{} crashes", covered.crashes) };
    format!(
        "  {name:<7} {:>6} {:>12} {:>14}   {} of code, {}, {crashes}",
        totals.traces,
        totals.transitions,
        totals.time.to_string(),
        count(covered.code as u64, "piece"),
        count(covered.states as u64, "state"),
    )
}

fn in_words(bound: Bound) -> &'static str {
    match bound {
        Bound::Loops => "a trace has too many loops to try all ways to leave some out",
        Bound::Splices => "there are too many ways to put fragments together to try all",
        Bound::Search => "the device time for improvements was used up",
        Bound::Longest => "a trace could not be made longer",
        Bound::Cover => "the choice of traces was not proven to be the cheapest",
    }
}
