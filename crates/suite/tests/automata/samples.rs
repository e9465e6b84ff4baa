//! The traces of the file browser that ship with the project, on the app that they induce: what a step did in a
//! screen (level `full`) it does whenever it is done there.

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufReader;

use retap_suite::{Mode, SuiteSettings};
use retap_trace::{Dice, Event, StateKey, Trace, TraceReader};

use crate::app::{App, Deed};
use crate::drive::{Devices, Done, event, shrink};

struct Induced {
    start: StateKey,
    /// What each screen looks like at the level of the suite.
    looks: BTreeMap<StateKey, StateKey>,
    ways: Vec<(StateKey, Event, StateKey, BTreeSet<u32>)>,
}

impl Induced {
    fn of(traces: &[Trace]) -> Self {
        let mut app = Self { start: StateKey(0), looks: BTreeMap::new(), ways: Vec::new() };
        for step in traces.iter().flat_map(|trace| &trace.steps) {
            let [from, to] = [&step.before, &step.after].map(|seen| {
                let seen = seen.as_ref().expect("looked");
                let screen = seen.full.expect("looked closely");
                app.looks.insert(screen, seen.actionable.expect("looked closely"));
                screen
            });
            let code = step.coverage.iter().map(|id| id.0);
            match app.ways.iter_mut().find(|way| way.0 == from && way.1 == step.event) {
                Some(way) => way.3.extend(code),
                None => app.ways.push((from, step.event.clone(), to, code.collect())),
            }
        }
        app.start = app.ways[0].0;
        app
    }

    fn screen(&self, state: &[u32]) -> StateKey {
        *self.looks.keys().nth(state[0] as usize).expect("a screen")
    }

    fn number(&self, screen: StateKey) -> u32 {
        let number = self.looks.keys().position(|key| *key == screen).expect("a screen");
        u32::try_from(number).expect("few screens")
    }
}

impl App for Induced {
    fn start(&self) -> Vec<u32> {
        vec![self.number(self.start)]
    }

    fn look(&self, state: &[u32]) -> StateKey {
        self.looks[&self.screen(state)]
    }

    fn act(&self, state: &mut Vec<u32>, event: &Event, _: &mut Dice) -> Deed {
        let here = self.screen(state);
        let Some((_, _, to, code)) = self.ways.iter().find(|way| way.0 == here && way.1 == *event) else {
            return Deed::default();
        };
        state[0] = self.number(*to);
        Deed { code: code.iter().copied().collect(), ..Deed::default() }
    }
}

fn sample(name: &str) -> Trace {
    let path = format!("{}/../../samples/filebrowser-{name}.trace.jsonl", env!("CARGO_MANIFEST_DIR"));
    let file = BufReader::new(std::fs::File::open(&path).expect("a sample"));
    let mut reader = TraceReader::new(path, file).expect("a trace");
    let header = reader.header().clone();
    let steps = reader.by_ref().collect::<Result<_, _>>().expect("steps");
    Trace { header, steps }
}

fn suite(names: &[&str], mode: Mode) -> (Vec<Trace>, Done) {
    let traces: Vec<Trace> = names.iter().map(|name| sample(name)).collect();
    let app = Induced::of(&traces);
    let done = shrink(&app, &traces, SuiteSettings { mode, ..SuiteSettings::default() }, Devices::one(1));
    assert!(done.report.lost.is_empty());
    (traces, done)
}

fn kept<'t>(traces: &'t [Trace], done: &Done) -> Vec<Vec<&'t Event>> {
    let events = |steps: &[retap_suite::StepRef]| steps.iter().map(|step| event(traces, *step)).collect();
    done.report.kept.iter().map(|kept| events(&kept.steps)).collect()
}

#[test]
fn the_samples_come_out_as_in_the_paper() {
    for mode in [Mode::Planned, Mode::Classic] {
        for (name, left) in [("menu", 2), ("menu-covered", 4), ("nested", 3)] {
            let (traces, done) = suite(&[name], mode);
            assert_eq!(done.report.after.transitions, left, "{name} {mode:?}");
            let last: Vec<&Event> = traces[0].events().skip(traces[0].steps.len() - left).collect();
            assert_eq!(kept(&traces, &done), [last], "{name} {mode:?}");
        }
        let (traces, done) = suite(&["splice-1", "splice-2", "splice-3"], mode);
        let letters = [(0, 0), (0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
        let spliced: Vec<&Event> =
            letters.map(|(trace, step): (usize, usize)| &traces[trace].steps[step].event).into();
        assert_eq!(kept(&traces, &done), [spliced], "{mode:?}");
    }
}
