//! Reductions in sum. Searches stand beside each other, and beside the paper, on the same traces.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::{Value, json};

use super::{Reduced, SEARCHES};
use crate::explore::mean;
use crate::table;

/// A trace: its app, and its number among those of the app.
type Name<'a> = (&'a str, u32);

/// The reductions of traces that every search has finished.
struct Compared<'a> {
    all: Vec<&'a Reduced>,
    apps: Vec<&'a str>,
    /// Traces whose answers are confirmed, whatever the search.
    confirmed: BTreeSet<Name<'a>>,
    left_out: Vec<LeftOut<'a>>,
}

/// A trace that some searches have not finished.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct LeftOut<'a> {
    app: &'a str,
    number: u32,
    not_finished: Vec<&'static str>,
}

impl Reduced {
    fn name(&self) -> Name<'_> {
        (&self.app, self.number)
    }
}

impl<'a> Compared<'a> {
    fn of(all: &'a [Reduced]) -> Self {
        let mut finished: BTreeMap<Name<'_>, Vec<&Reduced>> = BTreeMap::new();
        for one in all {
            finished.entry(one.name()).or_default().push(one);
        }
        let mut left_out = Vec::new();
        for (&(app, number), some) in &finished {
            let lacks = |search: &&str| some.iter().all(|one| one.search != **search);
            let not_finished: Vec<_> = SEARCHES.into_iter().map(|(name, _)| name).filter(lacks).collect();
            if !not_finished.is_empty() {
                left_out.push(LeftOut { app, number, not_finished });
            }
        }
        for out in &left_out {
            finished.remove(&(out.app, out.number));
        }
        let certain = |some: &&Vec<&Reduced>| some.iter().all(|one| one.confirmed);
        let confirmed = finished.iter().filter(|(_, some)| certain(some)).map(|(name, _)| *name).collect();
        let all: Vec<&Reduced> = all.iter().filter(|one| finished.contains_key(&one.name())).collect();
        let mut apps: Vec<&str> = all.iter().map(|one| &*one.app).collect();
        apps.dedup();
        Self { all, apps, confirmed, left_out }
    }

    /// A row for each search on each app, and on all.
    fn sums(&self) -> Vec<Sum> {
        let groups = self.apps.iter().copied().map(Some).chain([None]);
        let each = groups.flat_map(|app| SEARCHES.map(|(search, _)| self.sum(app, search)));
        each.filter(|sum| sum.traces > 0).collect()
    }

    fn sum(&self, app: Option<&str>, search: &'static str) -> Sum {
        let wanted = |one: &&&Reduced| one.search == search && app.is_none_or(|app| one.app == app);
        let some: Vec<&Reduced> = self.all.iter().filter(wanted).copied().collect();
        let over =
            |figure: &dyn Fn(&Reduced) -> f64| mean(&some.iter().map(|one| figure(one)).collect::<Vec<_>>());
        let certain: Vec<&Reduced> =
            some.iter().filter(|one| self.confirmed.contains(&one.name())).copied().collect();
        let of = |some: &[&Reduced], figure: &dyn Fn(&Reduced) -> u32| {
            let figures: Vec<f64> = some.iter().map(|one| f64::from(figure(one))).collect();
            (!figures.is_empty()).then(|| mean(&figures))
        };
        let in_paper: Vec<&Reduced> = certain.iter().filter(|one| one.paper.is_some()).copied().collect();
        #[expect(clippy::cast_precision_loss, reason = "some hundred thousands")]
        let events = over(&|one| one.events as f64);
        Sum {
            of: app.unwrap_or("all").to_owned(),
            search,
            traces: some.len(),
            recorded: over(&|one| f64::from(one.recorded)),
            until_crash: over(&|one| f64::from(one.until_crash)),
            not_confirmed: some.iter().filter(|one| !one.confirmed).count(),
            confirmed_by_all: certain.len(),
            left: of(&certain, &|one| one.left),
            added_left: of(&certain, &|one| one.added_left),
            in_paper: in_paper.len(),
            left_of_those: of(&in_paper, &|one| one.left),
            paper: of(&in_paper, &|one| one.paper.unwrap_or(0)),
            trials: over(&|one| f64::from(one.trials)),
            runs: over(&|one| f64::from(one.runs)),
            events,
            device_seconds: over(&|one| one.device_seconds),
            seconds: over(&|one| one.seconds),
        }
    }
}

/// One search on some traces.
#[derive(Debug, Serialize)]
struct Sum {
    of: String,
    search: &'static str,
    /// Traces that every search has finished. Means are over these where nothing else is said.
    traces: usize,
    recorded: f64,
    until_crash: f64,
    /// Answers of this search that no fresh run confirmed.
    not_confirmed: usize,
    /// Traces on which the answers of all searches are confirmed.
    confirmed_by_all: usize,
    /// Events of the recording that are left, over those.
    left: Option<f64>,
    /// Events left of those added before the recording, over those.
    added_left: Option<f64>,
    /// Those among them of which the paper has a length for this search.
    in_paper: usize,
    left_of_those: Option<f64>,
    paper: Option<f64>,
    trials: f64,
    runs: f64,
    events: f64,
    device_seconds: f64,
    seconds: f64,
}

const HEAD: [&str; 17] = [
    "traces of",
    "search",
    "traces",
    "recorded",
    "until the crash",
    "not confirmed",
    "confirmed by all",
    "left",
    "start left",
    "in table 5",
    "left there",
    "paper",
    "trials",
    "runs",
    "events",
    "device s",
    "s",
];

impl Sum {
    fn row(&self) -> Vec<String> {
        let number = |number: f64| format!("{number:.1}");
        let maybe = |known: Option<f64>| known.map_or_else(|| "-".to_owned(), number);
        vec![
            self.of.clone(),
            self.search.to_owned(),
            self.traces.to_string(),
            number(self.recorded),
            number(self.until_crash),
            self.not_confirmed.to_string(),
            self.confirmed_by_all.to_string(),
            maybe(self.left),
            maybe(self.added_left),
            self.in_paper.to_string(),
            maybe(self.left_of_those),
            maybe(self.paper),
            number(self.trials),
            number(self.runs),
            number(self.events),
            number(self.device_seconds),
            number(self.seconds),
        ]
    }
}

pub(in crate::papers) fn report(all: &[Reduced]) -> Value {
    let compared = Compared::of(all);
    let sums = compared.sums();
    table::print(&HEAD, &sums.iter().map(Sum::row).collect::<Vec<_>>());
    for note in notes(&compared.left_out) {
        table::say(&note);
    }
    table::say("");
    json!({ "sums": sums, "left_out": compared.left_out, "reductions": all })
}

fn notes(left_out: &[LeftOut<'_>]) -> Vec<String> {
    let name = |out: &LeftOut<'_>| format!("{} {} ({})", out.app, out.number, out.not_finished.join(", "));
    let names = left_out.iter().map(name).collect::<Vec<_>>().join("; ");
    let out = (!left_out.is_empty()).then(|| {
        format!("left out: {} traces, for searches that have not finished them: {names}", left_out.len())
    });
    let fixed = [
        "means over traces that every search has finished; recorded, until the crash: events of the recording, and of \
         it until the crash here",
        "left, start left: over traces on which the answers of all searches are confirmed; left: events of the recording; \
         start left: of those added before it, to launch the app and to set it up, which may stand for its own launch",
        "in table 5: those of them that the paper has for this search; left there, paper: over these, ours and the paper's",
        "trials: candidates that were judged",
    ];
    fixed.into_iter().map(str::to_owned).chain(out).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reduced(number: u32, search: &str, left: u32, paper: Option<u32>) -> Reduced {
        Reduced {
            app: "A".to_owned(),
            number,
            search: search.to_owned(),
            recorded: 100,
            until_crash: 50,
            added: 3,
            left,
            added_left: 1,
            paper,
            confirmed: true,
            trials: 10,
            runs: 20,
            events: 30,
            device_seconds: 1.0,
            seconds: 2.0,
        }
    }

    /// By every search.
    fn whole(number: u32, left: u32, paper: Option<u32>) -> Vec<Reduced> {
        SEARCHES.iter().map(|(search, _)| reduced(number, search, left, paper)).collect()
    }

    fn near(one: Option<f64>, other: f64) -> bool {
        one.is_some_and(|one| (one - other).abs() < 1e-9)
    }

    fn total(all: &[Reduced], search: &'static str) -> Sum {
        Compared::of(all).sum(None, search)
    }

    #[test]
    fn a_trace_that_a_search_has_not_finished_is_left_out_for_all() {
        let mut all = whole(1, 4, Some(4));
        all.extend(whole(2, 90, Some(90)).into_iter().filter(|one| one.search != "ddmin"));
        for (search, _) in SEARCHES {
            let sum = total(&all, search);
            assert_eq!(sum.traces, 1, "{search}");
            assert!(near(sum.left, 4.0) && near(sum.paper, 4.0), "{search}: {sum:?}");
        }
        let compared = Compared::of(&all);
        assert_eq!(compared.left_out, [LeftOut { app: "A", number: 2, not_finished: vec!["ddmin"] }]);
        assert_eq!(compared.sums().len(), 2 * SEARCHES.len());
        let notes = notes(&compared.left_out);
        let said = "left out: 1 traces, for searches that have not finished them: A 2 (ddmin)";
        assert!(notes.iter().any(|note| note == said), "{notes:?}");
        assert!(super::notes(&[]).iter().all(|note| !note.starts_with("left out")));
    }

    #[test]
    fn the_papers_mean_is_over_the_same_traces_as_ours() {
        let mut all = whole(1, 4, Some(6));
        all.extend(whole(2, 40, None));
        let sum = total(&all, "hdd");
        assert_eq!((sum.traces, sum.confirmed_by_all, sum.in_paper), (2, 2, 1));
        assert!(near(sum.left, 22.0));
        assert!(near(sum.left_of_those, 4.0) && near(sum.paper, 6.0), "{sum:?}");
    }

    #[test]
    fn an_answer_that_is_not_confirmed_is_counted_and_in_no_mean_of_lengths() {
        let mut all = whole(1, 4, Some(6));
        all.extend(whole(2, 40, Some(60)));
        all.iter_mut().filter(|one| one.number == 2 && one.search == "bhdd").for_each(|one| {
            one.confirmed = false;
            one.runs = 40;
        });
        for (search, _) in SEARCHES {
            let sum = total(&all, search);
            assert_eq!((sum.traces, sum.confirmed_by_all, sum.in_paper), (2, 1, 1), "{search}");
            assert_eq!(sum.not_confirmed, usize::from(search == "bhdd"));
            assert!(near(sum.left, 4.0) && near(sum.paper, 6.0), "{search}: {sum:?}");
        }
        // What it has cost is not lost.
        assert!(near(Some(total(&all, "bhdd").runs), 30.0));
        for one in &mut all {
            one.confirmed = false;
        }
        let sum = total(&all, "hdd");
        assert_eq!((sum.left, sum.added_left, sum.paper), (None, None, None));
        assert_eq!(sum.row()[7], "-");
    }

    #[test]
    fn added_events_and_both_lengths_are_shown() {
        let row = total(&whole(1, 4, Some(6)), "lhdd").row();
        let shown = |head: &str| &*row[HEAD.iter().position(|one| *one == head).unwrap()];
        assert_eq!((shown("recorded"), shown("until the crash")), ("100.0", "50.0"));
        assert_eq!((shown("left"), shown("start left"), shown("left there")), ("4.0", "1.0", "4.0"));
        assert_eq!((shown("paper"), shown("in table 5"), shown("not confirmed")), ("6.0", "1", "0"));
    }
}
