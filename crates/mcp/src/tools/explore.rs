//! Going through an app.

use retap_job::explore::{ExploreStatus, Finding, Proof};
use retap_job::reduce::Belief;
use retap_job::{ExploreResult, JobPlan, JobResult};
use retap_show::{reduction, stuck};

use super::{DEVICES, JobAnswer, SEED, STRATEGY, ToolAnswer, ToolEffect, ToolKind, answer, count, noted};
use crate::arguments::{Takes, optional};
use crate::call::{Call, JobOutcome};
use crate::host::ExploreRequest;

/// Crashes that are told in words; all stand in the data.
const TOLD: usize = 10;

pub(super) const TOOL: ToolKind = ToolKind {
    name: "explore",
    title: "Explore an app for crashes",
    about: "Taps through an Android app (or a simulated one) by itself, and collects the crashes that it meets, each with a \
            trace of what led there. Give the trace of a crash to the tool reduce. Long runs tell their progress and can be \
            cancelled: what was found is saved, and explore with resume goes on.",
    fields: &[
        optional(
            "device",
            Takes::Text,
            "sim:notes",
            "The device: sim:APP (simulated: sim:notes, sim:flashcards, sim:./my.app), adb?app=PACKAGE or \
             adb:SERIAL?app=PACKAGE (a phone or an emulator), jvm:APP.apk (an APK in a JVM) [default: the one of retap.toml]",
        ),
        optional("strategy", Takes::Name(STRATEGY), "aware", "How events are chosen [default: monkey]"),
        optional(
            "events",
            Takes::Whole(1, 1_000_000_000),
            "5000",
            "Stop after so many events [default: 5000, when nothing else stops it]",
        ),
        optional("minutes", Takes::Whole(1, 1_000_000), "30", "Stop after so many minutes of device time"),
        optional(
            "idle_minutes",
            Takes::Whole(1, 1_000_000),
            "10",
            "Stop when nothing new was seen for so many minutes of device time",
        ),
        DEVICES,
        SEED,
        optional("reduce", Takes::Flag, "true", "Also reduce each crash that is found [default: false]"),
        optional(
            "start",
            Takes::Path,
            "login.trace.jsonl",
            "A trace that each start begins with, such as a login",
        ),
        optional(
            "out",
            Takes::Path,
            "night",
            "The folder for everything that is saved; the same call on the same folder goes on [default: one in retap-out]",
        ),
        optional(
            "resume",
            Takes::Path,
            "night",
            "Go on with the exploration in this folder; no other field is given then",
        ),
    ],
    effect: ToolEffect::Resets,
    answers: answer::<JobAnswer<'static, ExploreResult>>,
    run,
};

fn run(call: &Call<'_>) -> Result<ToolAnswer, String> {
    let given = &call.arguments;
    let (plan, device, folder) = if let Some(folder) = call.path("resume")? {
        if let Some(other) = given.given().find(|field| *field != "resume") {
            return Err(format!("resume goes on with what its folder says; leave {other} out"));
        }
        let (plan, device) = call.host.resumed(&folder)?;
        (plan, device, Some(folder))
    } else {
        call.check_prior()?;
        let plan = call.host.explore(&ExploreRequest {
            device: call.device()?,
            strategy: given.owned("strategy"),
            events: given.whole("events"),
            minutes: given.whole("minutes"),
            idle_minutes: given.whole("idle_minutes"),
            devices: given.small("devices"),
            seed: given.whole("seed"),
            reduce: given.flag("reduce").unwrap_or(false),
            start: call.path("start")?,
        })?;
        let device = plan.device.clone();
        (plan, device, call.path("out")?)
    };
    // The folder or the settings may name another than the call did.
    if let Some(start) = &plan.start {
        call.inside("start", start)?;
    }
    if let Some(Belief::Learnt { learnt, .. }) = plan.reduce.as_ref().and_then(|set| set.prior.as_ref()) {
        call.inside("prior", learnt)?;
    }
    let JobOutcome { result, notices } =
        call.job(&JobPlan::Explore(plan), Some(&device), folder.as_deref())?;
    let JobResult::Explore(result) = result else { unreachable!("an exploration has the result of one") };
    let text = in_words(&result) + &noted(&notices);
    ToolAnswer::new(vec![text], &JobAnswer { result: &*result, notices: &notices })
}

fn in_words(result: &ExploreResult) -> String {
    let session = result.session.display();
    let covered = match result.coverage_total {
        Some(total) => format!(", {} of {total} branches covered", result.coverage),
        None => String::new(),
    };
    let mut lines = vec![format!(
        "{} in {} of device time: {}{covered}, {}",
        count(result.events, "event"),
        result.details.device_time,
        count(result.states, "state"),
        match result.crashes.len() {
            0 => "no crash".to_owned(),
            crashes => count(crashes as u64, "crash"),
        }
    )];
    if let Some(stuck) = stuck(result.events, result.states) {
        lines.push(format!("stuck: {}", TOOL.in_fields(stuck)));
    }
    for (finding, crash) in result.details.findings.iter().zip(&result.crashes).take(TOLD) {
        lines.push(format!("crash: {} ({})", finding.crash, seen(finding)));
        lines.push(format!("  reduce it: reduce {{\"input\": {:?}}}", crash.trace.display().to_string()));
    }
    if let Some(more) = result.crashes.len().checked_sub(TOLD).filter(|more| *more > 0) {
        lines.push(format!("... and {more} more, in the data of this answer"));
    }
    for reduced in &result.reduced {
        let came = match &reduced.why {
            Some(why) => format!("no: {why}"),
            None => reduction(reduced.status, reduced.events, reduced.confirmed),
        };
        let trace = reduced.trace.as_ref().map_or_else(String::new, |at| format!(": {}", at.display()));
        lines.push(format!("{} reduced: {came}{trace}", reduced.signature));
    }
    if result.status == ExploreStatus::CutShort {
        let why = result.why.as_deref().unwrap_or("it was stopped");
        lines.push(format!("cut short: {why}; go on with explore {{\"resume\": {:?}}}", session.to_string()));
    } else if let Some(why) = &result.why {
        lines.push(format!("ended early: {why}"));
    }
    lines.push(format!("saved: {session}"));
    lines.extend(result.platform.as_ref().map(|platform| format!("on {platform}")));
    lines.join("\n")
}

fn seen(finding: &Finding) -> String {
    let (seen, events) = (count(finding.seen, "time"), count(finding.shortest.1, "event"));
    match finding.proof {
        Proof::CleanStart => format!("seen {seen}, after {events} from a clean start"),
        Proof::Tried(tally) => format!(
            "seen {seen}; its {events} reached it {} of {} times from a clean start",
            tally.reached,
            tally.runs()
        ),
        Proof::Untried => {
            format!("seen {seen}, after {events} and going back in time; not tried from a clean start")
        }
    }
}
