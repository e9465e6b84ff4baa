//! Writing a short trace down anew: what was seen around its events in the long one is not what is seen now.

use retap_device::{Device, DeviceError};
use retap_trace::{Aiming, Event, Level, Micros, Observation, Step, Target, Trace};

use crate::{Oracle, Walk, Way};

/// The most times that a trace is performed until it shows its target.
const TRIES: u64 = 10;

/// What came of performing events and writing down what is seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Recording {
    /// All of the events, with what was seen around them in the performance that showed the target latest: the widgets
    /// that are touched, the states, the code executed, the crash. Events that were not performed any more, because the
    /// app had crashed, stand there as they were given. Nothing when no performance showed the target.
    pub trace: Option<Trace>,
    /// Where every performance went.
    pub ways: Vec<Way>,
    /// Device time that all of it took.
    pub took: Micros,
    /// Events that were performed.
    pub events: u64,
}

/// Performs events and writes down what is seen, so many times at least. It is tried a few times more, because a
/// flaky trace or device may miss.
pub fn record(oracle: &Oracle, device: &mut dyn Device, events: &[Event], times: u64) -> Recording {
    let began = device.now();
    let mut recording = Recording { trace: None, ways: Vec::new(), took: Micros::ZERO, events: 0 };
    let mut best: Vec<Step> = Vec::new();
    for number in 0..TRIES.max(times) {
        if recording.trace.is_some() && best.len() == events.len() && number >= times {
            break;
        }
        let Ok((steps, states)) = attempt(oracle, device, events, number) else { continue };
        let reached = reached(oracle, &steps);
        recording.events += steps.len() as u64;
        recording.ways.push(Way { states, reached });
        if reached && (recording.trace.is_none() || steps.len() > best.len()) {
            best.clone_from(&steps);
            recording.trace = Some(completed(oracle, steps, events));
        }
    }
    recording.took = device.now().since(began);
    recording
}

/// A trace of all the events, of which the first were performed.
fn completed(oracle: &Oracle, mut steps: Vec<Step>, events: &[Event]) -> Trace {
    let performed = steps.len();
    steps.extend(events[performed..].iter().cloned().map(Step::new));
    Trace { header: oracle.trace.header.clone(), steps }
}

type Performance = (Vec<Step>, Vec<(u64, String)>);

fn attempt(
    oracle: &Oracle,
    device: &mut dyn Device,
    events: &[Event],
    number: u64,
) -> Result<Performance, DeviceError> {
    let seed = oracle.seed.branch("recording", number);
    let mut walk = Walk::begin(device, oracle.deadlines, oracle.trace.header.start, seed)?;
    let (mut steps, mut states): Performance = (Vec::new(), vec![state(&walk)]);
    for event in events {
        let mut event = event.clone();
        if let Some(aim) = event.aim_mut().filter(|aim| aim.by == Aiming::Place) {
            aim.widget = walk.seen().aim_at(aim.at).widget;
        }
        let step = walk.act(event)?;
        states.push(match &step.crash {
            Some(crash) => (0, format!("crash {}", crash.signature)),
            None => state(&walk),
        });
        let crashed = step.crash.is_some();
        steps.push(step);
        if crashed {
            break;
        }
    }
    Ok((steps, states))
}

/// The state that a walk has come to, and how people would call it: the activity and the first words on the screen.
fn state(walk: &Walk<'_>) -> (u64, String) {
    let keys = walk.keys();
    let key = [Level::Layout, Level::Activity].into_iter().find_map(|level| keys.key(level));
    (key.map_or(0, |key| key.0), in_words(walk.seen()))
}

fn in_words(seen: &Observation) -> String {
    let activity = seen.activity.rsplit(['.', '/']).next().unwrap_or(&seen.activity);
    let nodes = seen.tree.iter().flat_map(retap_trace::GuiTree::nodes);
    let texts: Vec<String> = nodes
        .map(|node| &node.text)
        .filter(|text| !text.is_empty())
        .take(4)
        .map(|text| format!("'{text}'"))
        .collect();
    if texts.is_empty() { activity.to_owned() } else { format!("{activity} with {}", texts.join(", ")) }
}

/// Whether the recording shows the target. Of states and code the runs that confirmed it are the judges.
fn reached(oracle: &Oracle, steps: &[Step]) -> bool {
    let mut crashes = steps.iter().filter_map(|step| step.crash.as_ref());
    match &oracle.target {
        Target::AnyCrash => crashes.next().is_some(),
        Target::Crash(signature) => crashes.any(|crash| crash.signature == *signature),
        Target::Activity(name) => {
            let after = steps.iter().filter_map(|step| step.after.as_ref());
            steps.is_empty() || after.into_iter().any(|seen| Target::names_activity(name, &seen.activity))
        }
        Target::State(_) | Target::Coverage(_) | Target::Command(_) => true,
    }
}
