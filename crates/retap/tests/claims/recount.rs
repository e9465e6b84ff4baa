//! Counts every number of a result again, from the log of the session, the input and the saved file. The log is read as
//! plain JSON, and nothing that the product counts with is used.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use retap_store::{Seq, SessionView};
use serde_json::{Map, Value, json};

use crate::rules::{Rule, Shown, at_least, interval, minimality};

/// Checks every number of a result.
pub(crate) fn recount(folder: &Path, input: &Path, result: &Value) {
    let recount = Recount::new(folder, input, result);
    recount.check_batches();
    recount.check_saved(folder);
    let mut found = BTreeMap::new();
    numbers("", result, &mut found);
    // Which events were searched out, before any went with their values, is told by the events alone. Where the same
    // event stands in the input more than once, each way to read them is tried.
    let readings = recount.answers();
    let wrong: Vec<Vec<String>> = readings.iter().map(|answer| recount.differences(answer, &found)).collect();
    if wrong.iter().all(|wrong| !wrong.is_empty()) {
        let least = wrong.iter().min_by_key(|wrong| wrong.len()).expect("there is a reading");
        panic!("{}\n{result}", least.join("\n"));
    }
}

/// Every number in a JSON value, by its pointer.
fn numbers(at: &str, value: &Value, found: &mut BTreeMap<String, f64>) {
    match value {
        Value::Number(number) => {
            found.insert(at.to_owned(), number.as_f64().expect("a number"));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(nth, item)| numbers(&format!("{at}/{nth}"), item, found));
        }
        Value::Object(fields) => {
            fields.iter().for_each(|(name, field)| numbers(&format!("{at}/{name}"), field, found));
        }
        _ => {}
    }
}

struct Recount<'a> {
    result: &'a Value,
    settings: Value,
    /// The lines of the input, but the header of a trace.
    lines: Vec<String>,
    /// The same as steps, if it is a trace.
    steps: Option<Vec<Value>>,
    log: Vec<(String, u64, Value)>,
}

/// Positions in the input.
type List = Vec<u64>;

fn count(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is no count"))
}

fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], |items| items)
}

/// The steps that a run was of.
fn list(run: &Value) -> List {
    items(&run["kept"]).iter().flat_map(|range| count(&range[0])..count(&range[1])).collect()
}

fn conclusive(run: &Value) -> bool {
    run["outcome"] != "inconclusive"
}

fn shown<'a>(runs: impl IntoIterator<Item = &'a Value>) -> Shown {
    let mut shown = Shown::default();
    for run in runs {
        match run["outcome"].as_str() {
            Some("reached") => shown.reached += 1,
            Some("missed") => shown.missed += 1,
            _ => {}
        }
    }
    shown
}

fn tally(shown: Shown) -> Value {
    json!({ "reached": shown.reached, "of": shown.runs() })
}

/// What is done, without which widget stood there.
fn deed(event: &Value) -> Value {
    let mut event = event.clone();
    if event.get("at").is_some() && event["by"] != "widget" {
        event.as_object_mut().expect("an event").remove("widget");
    }
    event
}

fn deeds(events: &[Value]) -> Vec<Value> {
    events.iter().map(deed).collect()
}

impl<'a> Recount<'a> {
    fn new(folder: &Path, input: &Path, result: &'a Value) -> Self {
        let session = folder.join(result["session"].as_str().expect("a folder"));
        let view = SessionView::open(session).expect("a session");
        assert_eq!(view.integrity().expect("readable"), Vec::<String>::new());
        let entries = view.read(&[], Seq::START).map(|entry| entry.expect("readable"));
        let log = entries.map(|entry| (entry.kind, entry.at.0, entry.data)).collect();
        let text = std::fs::read_to_string(input).expect("the input is there");
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let trace = lines[0].starts_with("{\"retap\":\"trace\"");
        if trace {
            lines.remove(0);
        }
        let step = |line: &String| serde_json::from_str(line).expect("JSON");
        let steps = trace.then(|| lines.iter().map(step).collect());
        Self { result, settings: view.plan().settings.clone(), lines, steps, log }
    }

    /// The entries of a kind, in order.
    fn of(&self, kind: &str) -> impl Iterator<Item = &Value> + Clone {
        self.log.iter().filter(move |(known, ..)| known == kind).map(|(.., data)| data)
    }

    fn is_default(&self) -> bool {
        self.settings["search"] == "auto" && self.settings["rule"] == "auto"
    }

    fn refused(&self) -> bool {
        self.result["status"] == "not_reproducible"
    }

    /// The runs of a batch.
    fn runs_of(&self, batch: &Value) -> Vec<&Value> {
        let kind = batch["of"].as_str().expect("a kind");
        let find = |ticket: &Value| {
            self.of(kind).find(|run| run["ticket"] == *ticket).unwrap_or_else(|| panic!("no {kind} {ticket}"))
        };
        items(&batch["runs"]).iter().map(find).collect()
    }

    /// The batch that is claimed.
    fn claimed(&self) -> Option<&Value> {
        self.of("batch").find(|batch| batch["claimed"] == true)
    }

    fn claim(&self) -> Shown {
        self.claimed().map(|batch| shown(self.runs_of(batch))).unwrap_or_default()
    }

    /// The events of a list of positions.
    fn events(&self, list: &[u64]) -> Vec<Value> {
        let steps = self.steps.as_ref().expect("a trace");
        list.iter().map(|position| steps[*position as usize]["event"].clone()).collect()
    }

    fn kept(&self) -> List {
        items(&self.result["kept"]).iter().map(|number| count(number) - 1).collect()
    }

    /// The runs of a batch are of the same events, each counts once, one batch is claimed, and no run of the claim is
    /// one of another batch.
    fn check_batches(&self) {
        assert_eq!(
            self.of("batch").filter(|batch| batch["claimed"] == true).count(),
            usize::from(!self.refused())
        );
        let mut known = BTreeSet::new();
        for batch in self.of("batch") {
            let runs = self.runs_of(batch);
            for run in &runs {
                assert!(known.insert((batch["of"].to_string(), count(&run["ticket"]))), "{run} counts twice");
                assert!(conclusive(run) && run.get("arrive").is_none(), "{run}");
                assert_eq!((&run["kept"], &run["events"]), (&runs[0]["kept"], &runs[0]["events"]));
            }
        }
    }

    /// The saved file has exactly the events whose runs are claimed.
    fn check_saved(&self, folder: &Path) {
        let Some(claimed) = self.claimed() else { return assert!(self.result["trace"].is_null()) };
        let file = folder.join(self.result["trace"].as_str().expect("a file"));
        let text = std::fs::read_to_string(&file).expect("it was saved");
        let Some(steps) = &self.steps else {
            let kept: Vec<&String> = self.kept().iter().map(|line| &self.lines[*line as usize]).collect();
            return assert_eq!(text.lines().collect::<Vec<_>>(), kept);
        };
        let saved: Vec<Value> =
            text.lines().skip(1).map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let saved: Vec<Value> = saved.iter().map(|step: &Value| step["event"].clone()).collect();
        let run = self.runs_of(claimed)[0];
        if claimed["of"] == "run" {
            assert_eq!(list(run), self.kept());
            assert_eq!(deeds(&saved), deeds(&self.events(&self.kept())));
        } else {
            assert_eq!(deeds(&saved), deeds(items(&run["events"])));
        }
        for (event, position) in saved.iter().zip(self.kept()) {
            let before = &steps[position as usize]["event"];
            let presses = before["key"] == "dpad_center" || before["key"] == "enter";
            // A key that presses the widget with the focus may have become a touch of it.
            let touched = presses && event["do"] == "tap";
            assert!(touched || event["do"] == before["do"], "{event} for {before}: {}", self.result);
        }
        if let Some(last) = self.last_recording().first() {
            assert_eq!(deeds(items(&last["events"])), deeds(&saved), "the last recording is of the answer");
            let least = if self.claim().missed > 0 { 10 } else { 1 };
            assert!(
                self.last_recording().len() >= least,
                "what flakes is performed ten times: {}",
                self.result
            );
        }
    }

    /// The lists that the search may have ended with: those whose events were recorded first.
    fn answers(&self) -> Vec<List> {
        let kept = self.kept();
        let Some(first) = self.of("recording").next() else { return vec![kept] };
        let lists: BTreeSet<List> = self.of("run").map(list).collect();
        let events = deeds(items(&first["events"]));
        let fits = |list: &List| {
            kept.iter().all(|position| list.contains(position)) && deeds(&self.events(list)) == events
        };
        let found: Vec<List> = lists.into_iter().filter(fits).collect();
        assert!(!found.is_empty(), "the first recording is of no list that was run: {}", self.result);
        found
    }

    /// What is wrong with the numbers of the result, when the search ended with this list.
    fn differences(&self, answer: &[u64], found: &BTreeMap<String, f64>) -> Vec<String> {
        let mut expected = BTreeMap::new();
        numbers("", &self.counted(answer), &mut expected);
        let mut wrong = Vec::new();
        for (name, number) in found {
            match expected.get(name) {
                None => wrong.push(format!("{name} is {number}, and nothing counts it again")),
                Some(count) if (count - number).abs() > 1e-9 * count.abs().max(1.0) => {
                    wrong.push(format!("{name} is {number}, but {count} are counted"));
                }
                Some(_) => {}
            }
        }
        for name in expected.keys().filter(|name| !found.contains_key(*name)) {
            wrong.push(format!("{name} is missing, but {} are counted", expected[name]));
        }
        wrong
    }

    /// All numbers of the result.
    fn counted(&self, answer: &[u64]) -> Value {
        let (runs, plays, recordings) = (self.of("run"), self.of("play"), self.of("recording"));
        let all = runs.clone().chain(plays.clone());
        let sum =
            |field: &str| all.clone().chain(recordings.clone()).map(|run| count(&run[field])).sum::<u64>();
        let confirmed = if self.refused() { self.whole() } else { self.claim() };
        let (low, high) = if confirmed.runs() > 0 { interval(confirmed) } else { (0.0, 1.0) };
        let estimate = confirmed.reached as f64 / confirmed.runs().max(1) as f64;
        let batch = |batch: &Value| {
            let (runs, shown) = (self.runs_of(batch), shown(self.runs_of(batch)));
            let events =
                if batch["of"] == "run" { list(runs[0]).len() } else { items(&runs[0]["events"]).len() };
            json!({ "events": events, "reached": shown.reached, "of": shown.runs() })
        };
        let kept = self.kept_again(answer);
        let withdrawn = self.of("withdrawn").filter(|entry| entry["of"] != "follow").count();
        let trials = if self.is_default() { self.lists() } else { self.settled() };
        json!({
            "events_before": self.lines.len(),
            "events_after": kept.len(),
            "looks": self.steps.as_ref().map(|steps| looks(steps)),
            "kept": kept.iter().map(|position| position + 1).collect::<Vec<_>>(),
            "runs": all.clone().filter(|run| conclusive(run)).count(),
            "runs_inconclusive": all.clone().filter(|run| !conclusive(run)).count(),
            "runs_withdrawn": withdrawn,
            "trials": trials + u64::from(confirmed.runs() > 0),
            "recordings": recordings.clone().filter(|run| conclusive(run)).count(),
            "executed_events": sum("performed"),
            "steps": self.rounds(),
            "device_seconds": sum("took") as f64 / 1e6,
            "confirmed": tally(confirmed),
            "rate": { "estimate": estimate, "low": low, "high": high },
            "before": tally(if self.refused() { Shown::default() } else { self.before(answer) }),
            "retreats": if self.refused() { 0 } else { self.retreats() },
            "batches": self.of("batch").map(batch).collect::<Vec<_>>(),
            "p1": (confirmed.runs() > 0).then(|| at_least(0.85, confirmed)),
            "p2": self.minimal(answer, &kept),
            "devices": self.settings["devices"],
            "seed": self.settings["seed"],
            "values": self.values(answer, &kept),
            "flaked": self.flaked(confirmed),
        })
    }

    /// What the whole list showed.
    fn whole(&self) -> Shown {
        shown(self.of("run").filter(|run| list(run).len() == self.lines.len() && run.get("arrive").is_none()))
    }

    /// The positions that are left: those of the answer, unless values were made simpler. Which events went with the
    /// values is told by the runs that passed: each is of the events that were left then, without one step.
    fn kept_again(&self, answer: &[u64]) -> List {
        if self.refused() {
            return (0..self.lines.len() as u64).collect();
        }
        let Some(claimed) = self.claimed() else { return answer.to_vec() };
        let run = self.runs_of(claimed)[0];
        if claimed["of"] == "run" {
            return list(run);
        }
        let left = items(&run["events"]).len();
        if left == answer.len() {
            return answer.to_vec();
        }
        // Some went: they stand in the result, and the rest must be of the same kind, in order.
        let kept = self.kept();
        assert!(kept.is_sorted() && kept.iter().all(|position| answer.contains(position)), "{}", self.result);
        assert_eq!(kept.len(), left, "{}", self.result);
        kept
    }

    /// Different lists that were run.
    fn lists(&self) -> u64 {
        self.of("run").filter(|run| conclusive(run)).map(list).collect::<BTreeSet<List>>().len() as u64
    }

    /// Candidates that the rule settled by runs: those whose runs were not enough for a verdict before the last one.
    fn settled(&self) -> u64 {
        let (given, last) = (self.settings["rule"].as_str(), self.result["rule"].as_str());
        let mut rule = Rule::of(if given == Some("auto") { "1/1" } else { given.expect("a rule") });
        let mut known: BTreeMap<(List, Option<u64>), Shown> = BTreeMap::new();
        let mut settled = 0;
        for run in self.of("run").filter(|run| conclusive(run)) {
            let of = known.entry((list(run), run.get("arrive").map(count))).or_default();
            let open = rule.verdict(*of).is_none();
            let more = shown([run]);
            *of = Shown { reached: of.reached + more.reached, missed: of.missed + more.missed };
            if run["measures"] == true {
                // The first measured miss brings the other rule.
                if given == Some("auto") && more.missed > 0 {
                    rule = Rule::of(last.expect("a rule"));
                }
            } else if open && rule.verdict(*of).is_some() {
                settled += 1;
            }
        }
        settled
    }

    /// Times that nothing was under way when a run was ordered.
    fn rounds(&self) -> u64 {
        // By the number of each run: how many had ended when it was ordered, and when it was no longer under way.
        let mut runs: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
        let mut ended = 0;
        for (kind, _, data) in &self.log {
            let known = kind == "run" || kind == "withdrawn" && data["of"] == "run";
            if known {
                ended += u64::from(kind == "run");
                runs.insert(count(&data["ticket"]), (count(&data["ordered_after"]), ended));
            }
        }
        let alone = |(ticket, (ordered, _)): &(&u64, &(u64, u64))| {
            runs.range(..*ticket).all(|(_, (_, over))| over <= ordered)
        };
        runs.iter().filter(alone).count() as u64
    }

    /// What runs of the claimed events showed that are not claimed.
    fn before(&self, answer: &[u64]) -> Shown {
        let claimed = self.claimed().expect("there is a claim");
        let first = self.runs_of(claimed)[0];
        let mut others = Shown::default();
        let mut add = |runs: Shown| {
            (others.reached, others.missed) = (others.reached + runs.reached, others.missed + runs.missed);
        };
        let same_list = |run: &&Value| list(run) == answer && run.get("arrive").is_none();
        if claimed["of"] == "run" {
            add(shown(self.of("run").filter(same_list)));
            if let Some(given) = self.given() {
                add(shown(self.of("play").filter(|play| items(&play["events"]) == given)));
            }
        } else {
            add(shown(self.of("play").filter(|play| play["events"] == first["events"])));
            if self.given().is_some_and(|given| given == items(&first["events"])) {
                add(shown(self.of("run").filter(same_list)));
            }
        }
        let claim = self.claim();
        Shown { reached: others.reached - claim.reached, missed: others.missed - claim.missed }
    }

    /// Performances of the same events in a row.
    fn recordings(&self) -> Vec<Vec<&Value>> {
        let mut groups: Vec<Vec<&Value>> = Vec::new();
        for take in self.of("recording") {
            match groups.last_mut().filter(|_| take["number"] != 0) {
                Some(group) => group.push(take),
                None => groups.push(vec![take]),
            }
        }
        groups
    }

    /// The last recording of the answer, rather than of what might have become it.
    fn last_recording(&self) -> Vec<&Value> {
        let label =
            |group: &&Vec<&Value>| group[0]["label"].as_str().expect("words").starts_with("the answer");
        self.recordings().iter().rev().find(label).cloned().unwrap_or_default()
    }

    /// The events whose values were to be made simpler: the answer as it was first recorded.
    fn given(&self) -> Option<Vec<Value>> {
        let group = self.recordings().into_iter().next()?;
        let first = group[0];
        let shows = group.into_iter().filter(|take| take["outcome"] == "reached");
        let mut best: Option<&Value> = None;
        for take in shows {
            if best.is_none_or(|best| items(&take["steps"]).len() > items(&best["steps"]).len()) {
                best = Some(take);
            }
        }
        let events = items(&first["events"]);
        let Some(best) = best else { return Some(events.to_vec()) };
        let steps = items(&best["steps"]);
        let performed = steps.iter().map(|step| step["event"].clone());
        Some(performed.chain(events[steps.len()..].iter().cloned()).collect())
    }

    /// Answers that were measured and then left for one with other events.
    fn retreats(&self) -> u64 {
        let batches = self.of("batch").filter(|batch| batch["of"] == "run");
        let lists: Vec<Vec<u64>> = batches.map(|batch| list(self.runs_of(batch)[0])).collect();
        let left = |pair: &&[Vec<u64>]| pair[1].iter().any(|event| !pair[0].contains(event));
        lists.windows(2).filter(left).count() as u64
    }

    /// ND3MIN's p2, where it applies.
    fn minimal(&self, answer: &[u64], kept: &[u64]) -> Option<f64> {
        let rule = self.settings["rule"].as_str().expect("a rule");
        let (least, runs) = rule.split_once('/')?;
        let (least, runs): (u64, u64) = (least.parse().expect("a number"), runs.parse().expect("a number"));
        let search = self.settings["search"].as_str().expect("a search");
        let minimal = ["auto", "ddmin"].contains(&search) || self.settings["one_by_one"] == true;
        let untouched = kept == answer && self.values(answer, kept).is_empty();
        let applies = !self.refused() && runs > 1 && minimal && untouched && self.retreats() == 0;
        applies.then(|| minimality(least, runs, kept.len() as u64))
    }

    /// The steps whose values have become simpler.
    fn values(&self, answer: &[u64], kept: &[u64]) -> Vec<Value> {
        let (Some(given), Some(claimed)) = (self.given(), self.claimed()) else { return Vec::new() };
        if self.settings["values"] != true || claimed["of"] != "play" {
            return Vec::new();
        }
        let bare = |event: &Value| {
            let mut event = event.clone();
            if event.get("at").is_some() {
                event.as_object_mut().expect("an event").remove("widget");
            }
            event
        };
        let after = items(&self.runs_of(claimed)[0]["events"]).iter();
        let rank = |position: &u64| answer.iter().position(|known| known == position).expect("it was kept");
        let before = kept.iter().map(|position| &given[rank(position)]);
        let differ = before.zip(after).enumerate().filter(|(_, (before, after))| bare(before) != bare(after));
        differ.map(|(nth, _)| json!({ "step": nth + 1 })).collect()
    }

    /// Where runs part: the performances of the answer, else the measured runs of the same list by their activities.
    fn flaked(&self, confirmed: Shown) -> Value {
        if confirmed.missed == 0 {
            return Value::Null;
        }
        let takes = self.last_recording().into_iter().filter(|run| conclusive(run));
        let key = |state: &Value| state[0].to_string();
        let ways = takes.map(|take| {
            (items(&take["states"]).iter().map(key).collect::<Vec<_>>(), take["outcome"] == "reached")
        });
        if let Some(parting) = parting(&ways.collect::<Vec<_>>()) {
            return parting;
        }
        let kept = self.kept();
        let measured =
            self.of("run").filter(|run| run["measures"] == true && list(run) == kept && conclusive(run));
        let ways = measured.map(|run| (activities(run), run["outcome"] == "reached"));
        parting(&ways.collect::<Vec<_>>()).unwrap_or_default()
    }
}

/// Looks at the whole screen that a trace records. What is seen after a step and before the next is one look.
fn looks(steps: &[Value]) -> usize {
    let whole = |seen: &Value| ["actionable", "layout", "full"].iter().any(|level| seen[level].is_string());
    let at = |nth: usize| {
        let before = steps.get(nth).is_some_and(|step| whole(&step["before"]));
        before || nth > 0 && whole(&steps[nth - 1]["after"])
    };
    (0..=steps.len()).filter(|nth| at(*nth)).count()
}

/// The activity in front at the start of a run and after each of its events.
fn activities(run: &Value) -> Vec<String> {
    let mut states: Vec<String> = Vec::new();
    let performed = count(&run["performed"]) as usize;
    for step in items(&run["path"]) {
        let (from, name) = (count(&step[0]) as usize, step[1].to_string());
        states.truncate(from);
        // The last that came to the front stays there to the end.
        states.resize((performed + 1).max(from + 1), name);
    }
    states
}

/// The first place at which these ways differ, and how many went where.
fn parting(ways: &[(Vec<String>, bool)]) -> Option<Value> {
    let longest = ways.iter().map(|(states, _)| states.len()).max()?;
    let at = |nth: usize| ways.iter().map(move |(states, _)| states.get(nth));
    let after = (0..longest).find(|nth| at(*nth).collect::<BTreeSet<_>>().len() > 1)?;
    let mut branches: Vec<(Option<&String>, u64, u64)> = Vec::new();
    for (state, (_, reached)) in at(after).zip(ways) {
        let place = branches.iter().position(|(known, ..)| *known == state).unwrap_or_else(|| {
            branches.push((state, 0, 0));
            branches.len() - 1
        });
        branches[place].1 += 1;
        branches[place].2 += u64::from(*reached);
    }
    branches.sort_by_key(|(_, runs, _)| std::cmp::Reverse(*runs));
    let states: Vec<Value> =
        branches.iter().map(|(_, runs, reached)| json!({ "runs": runs, "reached": reached })).collect();
    let parting: Map<String, Value> =
        [("after".to_owned(), json!(after)), ("states".to_owned(), json!(states))].into_iter().collect();
    Some(Value::Object(parting))
}
