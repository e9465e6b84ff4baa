//! What to type next: commands that go on, or do the next thing with a trace.

use std::path::Path;

use retap_job::overview::{BegunIn, JobOverview, SessionOverview};
use retap_job::reduce::ReduceOptions;
use retap_job::suite::UseSnapshots;
use retap_job::{ReducePlan, ReplayPlan, SuitePlan};
use retap_trace::Target;

use crate::page::{TextLine, TextPage, Tone};
use crate::shell::{quoted, quoted_path};

/// The command that reduces a trace.
pub(crate) fn reduce(trace: &Path) -> String {
    format!("retap reduce {}", quoted_path(trace))
}

/// The command that measures how often a trace reaches its target.
pub(crate) fn replay(trace: &Path) -> String {
    format!("retap replay {} --times 20", quoted_path(trace))
}

/// What a command is told of a target and a device, which a trace of another tool does not name itself.
pub(crate) fn towards(target: &Target, device: &str) -> String {
    format!(" --to {} --device {}", quoted(&target.to_string()), quoted(device))
}

/// The command that writes a trace down for a bug report.
pub fn export(trace: &Path) -> String {
    format!("retap export {} --as markdown", quoted_path(trace))
}

/// Adds commands, with what each is for.
pub(crate) fn next(page: &mut TextPage, commands: &[(String, &str)]) {
    if commands.is_empty() {
        return;
    }
    page.gap();
    page.add(TextLine::new().toned(Tone::Strong, "next:"));
    let width = commands.iter().map(|(command, _)| command.chars().count()).max().unwrap_or(0).min(100);
    for (command, what) in commands {
        let line = TextLine::new().text(format!("  {command:<width$}"));
        page.add(line.toned(Tone::Faint, format!("  # {what}")).whole().hanging(6));
    }
}

/// A command that names files as they were named where a session was begun.
pub(crate) fn typed_in(begun: &BegunIn, command: String) -> String {
    match begun {
        BegunIn::Folder(folder) => format!("cd {} && {command}", quoted_path(folder)),
        BegunIn::Here | BegunIn::Unknown => command,
    }
}

/// The command that goes on with a session that was stopped.
pub fn go_on(session: &SessionOverview) -> String {
    let folder = quoted_path(&session.from_where_it_was_begun());
    let go_on = |command: String| typed_in(&session.begun, command);
    let mut command = match &session.job {
        JobOverview::Explore(_) => return go_on(format!("retap explore --resume {folder}")),
        JobOverview::Reduce(reduce) => reduction(&reduce.plan),
        JobOverview::Suite(suite) => suite_of(&suite.plan),
        JobOverview::Replay(replay) => replays(&replay.plan),
    };
    command.push(format!("--out {folder}"));
    go_on(format!("retap {}", command.join(" ")))
}

fn reduction(plan: &ReducePlan) -> Vec<String> {
    let mut words = vec![format!("reduce {}", quoted_path(&plan.input))];
    words.push(format!("--to {}", quoted(&plan.target.to_string())));
    let judged = matches!(plan.target, Target::Command(_));
    option(&mut words, "--device", plan.device.as_deref());
    let many = if judged { "-j" } else { "--devices" };
    option(&mut words, many, (plan.devices != 1).then_some(plan.devices));
    let (options, usual) = (&plan.options, ReduceOptions::default());
    let name = options.search.to_string();
    let search = (name != usual.search.to_string()).then_some(name);
    option(&mut words, "--search", search.as_deref());
    let rule = options.rule.to_string();
    // What a search has no use for is refused when it is typed; what is set for others stands in the plan all the same.
    let scheduled = search.is_some() || rule != usual.rule.to_string();
    let schedule = options.schedule.to_string();
    let schedule = (scheduled && schedule != usual.schedule.to_string()).then_some(schedule);
    option(&mut words, "--rule", (rule != usual.rule.to_string()).then_some(rule));
    option(&mut words, "--schedule", schedule);
    option(&mut words, "--parts", options.parts);
    option(&mut words, "--prior", options.prior.as_ref().map(retap_job::reduce::Belief::typed));
    option(&mut words, "--level", options.level.filter(|_| options.search.states));
    let is_auto = search.is_none();
    for (word, typed) in [
        ("--one-by-one", options.one_by_one && !is_auto),
        ("--values", options.values && !is_auto && !judged),
        ("--no-values", !options.values && is_auto && !judged),
    ] {
        words.extend(typed.then(|| word.to_owned()));
    }
    option(&mut words, "--confirm", (options.confirm != usual.confirm).then_some(options.confirm));
    option(&mut words, "--min-rate", options.min_rate);
    option(&mut words, "--timeout", plan.timeout.filter(|seconds| *seconds != 300));
    words.extend(plan.write.as_deref().map(|file| format!("--write {}", quoted_path(file))));
    option(&mut words, "--seed", (plan.seed != 1).then_some(plan.seed));
    words
}

fn replays(plan: &ReplayPlan) -> Vec<String> {
    let mut words = vec![format!("replay {}", quoted_path(&plan.input))];
    if plan.expect_no_crash {
        words.push("--expect-no-crash".to_owned());
    } else {
        option(&mut words, "--to", Some(&plan.target));
    }
    option(&mut words, "--device", Some(&plan.device));
    option(&mut words, "--devices", (plan.devices != 1).then_some(plan.devices));
    option(&mut words, "--times", Some(plan.times));
    option(&mut words, "--seed", (plan.seed != 1).then_some(plan.seed));
    words
}

fn suite_of(plan: &SuitePlan) -> Vec<String> {
    let inputs: Vec<String> = plan.input.iter().map(|input| quoted_path(input)).collect();
    let mut words = vec![format!("suite {}", inputs.join(" "))];
    option(&mut words, "--device", Some(&plan.device));
    option(&mut words, "--devices", (plan.devices != 1).then_some(plan.devices));
    option(&mut words, "--runs", (plan.runs != 8).then_some(plan.runs));
    option(&mut words, "--fragments", (plan.fragments != 3).then_some(plan.fragments));
    words.extend(plan.classic.then(|| "--classic".to_owned()));
    let joins = plan.joins.to_string();
    option(&mut words, "--joins", (joins != "abstract").then_some(joins));
    let level = plan.level.to_string();
    option(&mut words, "--level", (level != "actionable").then_some(level));
    let snapshots = match plan.use_snapshots {
        UseSnapshots::Auto => None,
        UseSnapshots::On => Some("on"),
        UseSnapshots::Off => Some("off"),
    };
    option(&mut words, "--snapshots", snapshots);
    option(&mut words, "--seed", (plan.seed != 1).then_some(plan.seed));
    words
}

fn option(words: &mut Vec<String>, name: &str, value: Option<impl ToString>) {
    words.extend(value.map(|value| format!("{name} {}", quoted(&value.to_string()))));
}
