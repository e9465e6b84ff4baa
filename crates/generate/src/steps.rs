//! The code of bugs: a variable counts the steps that were done in order, and the last one crashes.

use super::bug::{Bug, Step, Turn};
use super::code::Code;
use super::sketch::Sketch;

/// Adds what a step of a bug does to the code of its widget, activity or receiver. `also` must hold besides.
pub(super) fn add_step(
    code: Code,
    sketch: &Sketch,
    package: &str,
    bug: &Bug,
    number: usize,
    also: Option<String>,
) -> Code {
    let last = number + 1 == bug.steps.len();
    let guard: Vec<String> = turn(bug, number).into_iter().chain(also).collect();
    let body = if last { crash(sketch, package, bug) } else { advance(bug, number) };
    if guard.is_empty() {
        let mut code = code;
        code.lines.extend(body.lines);
        return code;
    }
    // An activity is created in the course of things, which is no step out of turn.
    let created = matches!(bug.steps[number], Step::Rotate(..));
    let undo = bug.strict && bug.steps.len() > 1 && !created;
    let other = undo.then(|| Code::effect(format!("set {} = 0", bug.var())));
    code.then_if(format!("if {}", guard.join(" and ")), body, other)
}

/// Whether it is the turn of a step.
fn turn(bug: &Bug, number: usize) -> Vec<String> {
    if bug.steps.len() == 1 {
        return Vec::new();
    }
    let mut guard = vec![format!("{} == {}", bug.var(), counted(bug, number))];
    if number > 0 && forgets(bug, number - 1) {
        guard.push(format!("not {}", bug.forgotten()));
    }
    guard
}

/// The next step's turn comes.
fn advance(bug: &Bug, number: usize) -> Code {
    let code = Code::effect(format!("set {} = {}", bug.var(), counted(bug, number) + 1));
    if forgets(bug, number + 1) { code.then(format!("set {} = true", bug.forgotten())) } else { code }
}

/// Steps before this one that the variable counts. A rotation that forgets something leaves no other trace.
fn counted(bug: &Bug, number: usize) -> usize {
    (0..number).filter(|&before| !forgets(bug, before)).count()
}

fn forgets(bug: &Bug, number: usize) -> bool {
    matches!(bug.steps.get(number), Some(Step::Rotate(_, Turn::Forget)))
}

fn crash(sketch: &Sketch, package: &str, bug: &Bug) -> Code {
    let (word, message) = match (bug.native, bug.message()) {
        (true, _) => ("native", String::new()),
        (false, "") => ("crash", String::new()),
        (false, message) => ("crash", format!(" {message:?}")),
    };
    let head = format!("{word} {}{message}", bug.exception());
    // The frames stand one level deeper.
    let frames = bug.frames(sketch, package).into_iter().map(|frame| format!("  at {frame}"));
    let crash = frames.fold(Code::effect(head), Code::then);
    match bug.rate {
        None => crash,
        Some(rate) => {
            // The moment has passed: it takes all steps again.
            let other = (bug.steps.len() > 1).then(|| Code::effect(format!("set {} = 0", bug.var())));
            Code::default().then_if(format!("chance {rate}"), crash, other)
        }
    }
}
