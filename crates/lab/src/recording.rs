//! Writing a short trace down anew: what was seen around its events in the long one is not what is seen now.

use retap_device::{Device, DeviceError};
use retap_reduce::Subset;
use retap_trace::{Step, Target, Trace};

use crate::{Oracle, Walk};

/// Performs the kept events once and writes down what is seen: the widgets that are touched, the states, the code
/// executed, the crash. Tried a few times, because a flaky trace or device may miss; `None` when every try did.
pub fn record(oracle: &Oracle, device: &mut dyn Device, kept: &Subset) -> Option<Trace> {
    const TRIES: u64 = 10;
    (0..TRIES).find_map(|number| {
        let steps = attempt(oracle, device, kept, number).ok()?;
        let header = oracle.trace.header.clone();
        reached(oracle, &steps).then_some(Trace { header, steps })
    })
}

fn attempt(
    oracle: &Oracle,
    device: &mut dyn Device,
    kept: &Subset,
    number: u64,
) -> Result<Vec<Step>, DeviceError> {
    let seed = oracle.seed.branch("recording", number);
    let mut walk = Walk::begin(device, oracle.deadlines, oracle.trace.header.start, seed)?;
    let mut steps: Vec<Step> = Vec::new();
    for position in kept.positions() {
        let mut event = oracle.trace.steps[position as usize].event.clone();
        if let Some(aim) = event.aim_mut() {
            aim.widget = walk.seen().aim_at(aim.at).widget;
        }
        steps.push(walk.act(event)?);
    }
    Ok(steps)
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
