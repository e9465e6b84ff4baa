use retap_trace::Start;

use super::*;
use crate::scripted::{code, input, seen, trace};

fn read(traces: &[Trace]) -> Result<SuiteInput, InputError> {
    SuiteInput::read(traces, Reading::default())
}

#[test]
fn equal_steps_are_one_transition() {
    let input = input(&["0 a>1:7 b>0 a>1", "0 a>1:7 a>2"]);
    // The launch, a in 0, b in 1, a in 1.
    assert_eq!(input.size(), (3, 4));
    assert_eq!((input.traces(), input.steps()), (2, 5));
    // Code 7 and the states 0, 1 and 2.
    assert_eq!(input.items(), 4);
    let trace = &input.traces[0];
    assert_eq!(input.tape[1], input.tape[3]);
    assert!(trace.credits.contains(&(code(&input, 7), 1)));
    assert!(trace.credits.is_sorted());
}

#[test]
fn an_event_that_leads_elsewhere_is_another_transition_of_the_same_pair() {
    let input = input(&["0 a>1", "0 a>2"]);
    let [one, other] = [1, 3].map(|place| input.transition(input.tape[place]));
    assert_eq!((one.pair, one.from), (other.pair, other.from));
    assert_ne!(one.to, other.to);
}

#[test]
fn times_are_those_of_the_recording() {
    let mut slow = trace("0 a>1 b>2 b>2 b>2 b>2");
    slow.steps[1].at = Some(Micros::from_secs(20));
    let input = read(&[slow, trace("0 a>1 b>2 b>2 b>2 b>2 b>2 b>2")]).unwrap();
    let time = |place: usize| input.transition(input.tape[place]).time;
    assert_eq!(time(0), Micros::from_secs(10), "a restart is what comes before the first step");
    assert_eq!(time(1), Micros(5_500_000), "10 s in the one trace and 1 s in the other");
    let untimed = |mut trace: Trace| {
        trace.steps.iter_mut().for_each(|step| step.at = None);
        trace
    };
    let input = read(&[untimed(trace("0 a>1 b>2"))]).unwrap();
    assert_eq!(input.time(), Clock::RESTART + Clock::STEP + Clock::STEP);
    let restart = Some(Micros::from_secs(30));
    let told = SuiteInput::read(&[trace("0 a>1")], Reading { restart, ..Reading::default() }).unwrap();
    assert_eq!(told.time(), Micros::from_secs(30) + Clock::STEP);
}

#[test]
fn a_crash_is_an_item_and_ends_in_a_state_of_its_own() {
    let input = input(&["0 a>1 x>!Boom", "0 a>!Boom"]);
    let last = |trace: usize| input.transition(*input.path(&input.traces[trace]).last().unwrap());
    assert_eq!(last(0).to, last(1).to);
    assert_eq!(last(0).mark, last(1).mark);
    let words = input.items.get(last(0).mark.unwrap()).to_string();
    assert_eq!(words, "crash Boom");
}

#[test]
fn an_app_that_moves_on_by_itself_is_seen_twice() {
    let mut moving = trace("0 a>1 b>2");
    moving.steps[1].before = Some(seen(5));
    let input = read(&[moving, trace("0 a>1")]).unwrap();
    let first = input.transition(input.tape[1]);
    assert_eq!(first.expect, Some(StateKey(1)), "a replay looks right after the event");
    assert_eq!(first.to, input.transition(input.tape[2]).from, "the next event is done in the later state");
    let plain = input.transition(input.tape[4]);
    assert_eq!(plain.expect, first.expect);
    assert_ne!(plain.to, first.to);
}

#[test]
fn concrete_joins_tell_screens_apart_that_look_alike() {
    let mut traces = [trace("0 a>1 b>1 c>2")];
    traces[0].steps[1].after.as_mut().unwrap().full = Some(StateKey(77));
    traces[0].steps[2].before.as_mut().unwrap().full = Some(StateKey(77));
    let states = |joins| SuiteInput::read(&traces, Reading { joins, ..Reading::default() }).unwrap().size().0;
    assert_eq!((states(Joins::Abstract), states(Joins::Concrete)), (3, 4));
}

#[test]
fn what_does_not_go_together_is_refused() {
    let good = || trace("0 a>1 b>2");
    let changed = |change: &dyn Fn(&mut Trace)| {
        let mut other = good();
        change(&mut other);
        read(&[good(), other]).unwrap_err()
    };
    assert_eq!(read(&[]).unwrap_err(), InputError::Empty);
    assert_eq!(read(&[trace("0")]).unwrap_err(), InputError::Empty);
    let error = changed(&|trace| trace.header.app.package = "other".into());
    assert_eq!(
        error.to_string(),
        "trace 1 is of the app other, the traces before it are of app; one suite is of one app"
    );
    let error = changed(&|trace| trace.header.app.build = Some("7".to_owned()));
    assert!(error.to_string().contains("build 7") && error.trace() == Some(1), "{error}");
    let error = changed(&|trace| trace.header.start = Start::Stopped);
    assert_eq!(error, InputError::MixedStarts { trace: 1 });
    let error = changed(&|trace| trace.steps[1].after = None);
    assert_eq!(error, InputError::NoState { trace: 1, step: 2, level: Level::Actionable });
    let activity = Reading { level: Level::Activity, ..Reading::default() };
    let mut coarse = good();
    coarse.steps[1].after.as_mut().unwrap().actionable = None;
    assert!(read(std::slice::from_ref(&coarse)).is_err());
    assert!(SuiteInput::read(&[coarse], activity).is_ok());
}

#[test]
fn a_look_may_be_missing_where_another_tells() {
    let mut sparse = trace("0 a>1 b>2");
    sparse.steps[0].after = None;
    sparse.steps[0].before = None;
    let input = read(&[sparse]).unwrap();
    assert_eq!(input.transition(input.tape[0]).expect, None, "nobody looked at the start");
    assert_eq!(input.transition(input.tape[1]).expect, Some(StateKey(1)));
}
