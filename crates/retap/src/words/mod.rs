//! Events and results of jobs, for people.

mod explore;
mod record;
mod reduce;
mod replay;
mod suite;

use retap_job::{JobEvent, JobResult, Unit};
use retap_trace::Size;

pub(crate) use explore::{explored, finding_in_words};
pub(crate) use record::{record_end, record_news, recorded};
pub(crate) use reduce::reduced;
pub(crate) use replay::replayed_in_words;
pub(crate) use retap_show::quoted_path;

use crate::output::{Output, count, faint, strong, warn};

/// Says what happened.
pub(crate) fn event(output: Output, event: &JobEvent<'_>) {
    match event {
        JobEvent::Resumed { done, unit } => {
            let unit = match unit {
                Unit::Runs => "recorded run",
                Unit::Events => "recorded event",
                Unit::Replays => "recorded replay",
            };
            output.say(format!("going on after {}", count(*done, unit)));
        }
        JobEvent::OtherBuild { what, then, device, now } => {
            output.say(format!("{what} is of build {then}; {device} runs build {now}"));
        }
        JobEvent::OtherScreen { what, then, device, now } => output.say(format!(
            "{what} was recorded on a screen of {}, and {device} has one of {}: touches that go by coordinates may miss",
            size(*then),
            size(*now)
        )),
        JobEvent::OtherCode => {
            output.say("code is compared by its numbers, which may mean other code in another build");
        }
        JobEvent::CodeNotCompared => output.say(
            "states and crashes are compared; code is not, because its numbers are those of another build",
        ),
        JobEvent::NoSnapshots { device } => {
            output.say(format!("{device} has no snapshots; every replay begins clean"));
        }
        JobEvent::PriorLearnt { folder, sessions, candidates } => output.say(format!(
            "prior learnt from {} in {}, with {}",
            count(*sessions, "session"),
            folder.display(),
            count(*candidates, "candidate")
        )),
        JobEvent::NothingLearnt { folder, why } => {
            output.say(format!("nothing is learnt from {}: {why}", folder.display()));
        }
        JobEvent::ReductionBegun { signature } => {
            output.say(format!("\nreducing {} ...", strong(signature)));
        }
        JobEvent::Reduced(result) => {
            reduced(output, result);
            platform(output, result.platform.as_deref());
        }
        JobEvent::TraceChanged { .. }
        | JobEvent::SeveralDevices { .. }
        | JobEvent::NotReduced { .. }
        | JobEvent::Unsupported { .. }
        | JobEvent::SegmentsCut { .. }
        | JobEvent::DeviceFailed { .. }
        | JobEvent::DeviceGivenUp { .. } => warning(event),
        JobEvent::Finished(result) => finished(output, result),
        _ => detail(output, event),
    }
}

/// A screen's size.
fn size(size: Size) -> String {
    format!("{}x{}", size.width, size.height)
}

/// Says what is amiss, also to those who asked for quiet.
fn warning(event: &JobEvent<'_>) {
    match event {
        JobEvent::NotReduced { crash, why } => warn(format!("{crash} could not be reduced: {why}")),
        JobEvent::TraceChanged { file } => warn(format!(
            "{} was changed since it was confirmed: what was known of it holds no longer",
            file.display()
        )),
        JobEvent::SeveralDevices { others, device } => warn(format!(
            "the traces were recorded on other devices as well ({}); all of them are run on {device}",
            others.join(", ")
        )),
        JobEvent::Unsupported { what } => {
            warn(format!("left out, because the device does not support {what}"));
        }
        JobEvent::SegmentsCut { segments } => warn(format!(
            "{} ended where an earlier process was stopped: this kind of device cannot be put back there, and states \
             that it had saved are reached by replaying",
            count(*segments, "segment"),
        )),
        JobEvent::DeviceFailed { words } => warn(words),
        JobEvent::DeviceGivenUp { device, why } => warn(format!("device {device} was given up: {why}")),
        _ => {}
    }
}

/// Says what only those want to know who asked for more.
fn detail(output: Output, event: &JobEvent<'_>) {
    match event {
        JobEvent::PolicyNotKept { why } => output.detail(format!("the policy is not kept: {why}")),
        JobEvent::Run(done) => output.detail(reduce::run(done)),
        JobEvent::TraceReplay(done) => {
            if let Some(words) = replay::run(done) {
                output.detail(words);
            }
        }
        JobEvent::ValueRun(done) => {
            output.detail(format!("run {}: {}", done.order.ticket.0, done.order.label));
        }
        JobEvent::Recording(done) => {
            output.detail(format!("recording {}: {}", done.order.ticket.0, done.order.label));
        }
        JobEvent::SuiteReplay(done) => {
            output.detail(format!("replay {}: {}", done.order.ticket.0, done.order.label));
        }
        _ => {}
    }
}

fn finished(output: Output, result: &JobResult) {
    let on = match result {
        JobResult::Reduce(result) => {
            reduced(output, result);
            &result.platform
        }
        JobResult::Explore(result) => {
            explored(output, result);
            &result.platform
        }
        JobResult::Suite(result) => {
            suite::made(output, result);
            &result.platform
        }
        JobResult::Replay(result) => {
            replay::replayed(output, result);
            &result.platform
        }
        JobResult::ReplaySuite(result) => {
            replay::suite(output, result);
            &result.platform
        }
    };
    platform(output, on.as_deref());
}

/// Says what the devices are, where that matters for what was found.
fn platform(output: Output, platform: Option<&str>) {
    if let Some(platform) = platform {
        output.say(faint(format!("on {platform}")));
    }
}
