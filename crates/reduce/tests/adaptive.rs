//! ECHO on traces that were not looked at after every event.

use retap_reduce::rule::Fixed;
use retap_reduce::schedule::Sequential;
use retap_reduce::search::{self, Material};
use retap_reduce::{
    Algorithm as _, Outcome, Reducing as _, Reduction, ReductionEnding, ReductionSettings, Subset,
};
use retap_trace::{Event, Header, Level, Seen, StateKey, Step, Target, Trace};

/// An app with one activity and many screens. The event at a position of the trace leads from its screen to the next
/// one, and does nothing anywhere else; the last event crashes on its screen.
struct App {
    /// The screen before each event.
    screens: Vec<u64>,
}

impl App {
    fn crashes(&self, kept: &Subset) -> bool {
        let last = self.screens.len() - 1;
        let mut here = self.screens[0];
        for event in kept.positions().map(|position| position as usize) {
            if self.screens[event] == here {
                if event == last {
                    return true;
                }
                here = self.screens[event + 1];
            }
        }
        false
    }

    /// The trace, with looks at the whole screen before these events only.
    fn trace(&self, looks: &[usize]) -> Trace {
        let seen = |position: usize| {
            let full =
                self.screens.get(position).filter(|_| looks.contains(&position)).copied().map(StateKey);
            Some(Seen { full, ..Seen::activity("Main") })
        };
        let step = |position: usize| Step {
            before: seen(position),
            after: seen(position + 1),
            ..Step::new(Event::tap(i32::try_from(position).expect("a short trace"), 0))
        };
        Trace { header: Header::new("app"), steps: (0..self.screens.len()).map(step).collect() }
    }

    /// What a search keeps, and how many trials it took.
    fn reduce(&self, name: &str, looks: &[usize], level: Option<Level>) -> (Vec<u32>, u32) {
        let material = Material::of(&self.trace(looks), &Target::AnyCrash, level);
        let search = search::maker(name, &material, false).expect("the trace has states");
        let settings =
            ReductionSettings { events: material.all().len(), devices: 1, confirm_runs: 1, min_rate: None };
        let rule = Box::new(Fixed::new(1, 1).expect("a rule that makes sense"));
        let mut reduction = Reduction::new(settings, search, rule, Box::<Sequential>::default());
        while let Some(order) = reduction.order() {
            let outcome = if self.crashes(&order.subset) { Outcome::Reached } else { Outcome::Missed };
            reduction.settle(order.ticket, &outcome.into());
        }
        let Some(ReductionEnding::Reduced(answer)) = reduction.ending() else { panic!("{reduction:?}") };
        (answer.subset.positions().collect(), reduction.counts().trials)
    }
}

/// Two events lead to the screen that the last event crashes on; in between there is a long way round, which was looked
/// at rarely.
fn roundabout() -> (App, Vec<usize>) {
    let round = (0..40).map(|event| 10 + event % 4);
    let screens: Vec<u64> = [1, 2].into_iter().chain(round).chain([1, 2, 3, 4]).collect();
    let looks = [0, 1, 2, 10, 18, 26, 34, 42, 43, 44, 45];
    (App { screens }, looks.to_vec())
}

#[test]
fn a_way_of_single_events_past_runs_takes_two_trials() {
    let (app, looks) = roundabout();
    // The first event does as well as the one at 42, and the later one wins. The guess by activities comes before.
    assert_eq!(app.reduce("echo", &looks, None), (vec![42, 43, 44, 45], 2));
    assert_eq!(app.reduce("echo", &looks, Some(Level::Full)), (vec![42, 43, 44, 45], 1));
    assert!(app.reduce("ddmin", &looks, None).1 > 20, "the app is not too easy");
}

#[test]
fn a_run_counts_as_many_events_as_it_has() {
    // From screen 1 to screen 3: by the run of six events at 0, or by two single events at 7 and 8.
    let screens = vec![1, 20, 21, 22, 23, 24, 3, 1, 2, 3];
    let app = App { screens };
    assert_eq!(app.reduce("echo", &[0, 6, 7, 8, 9], None), (vec![7, 8, 9], 2));
    // When the two events are not looked at in between, they are a run themselves, and still the shorter one.
    let (kept, trials) = app.reduce("echo", &[0, 6, 7, 9], None);
    assert_eq!(kept, [7, 8, 9]);
    assert!(trials <= 6, "two for the way, the others inside of it: {trials}");
}

#[test]
fn the_activity_is_seen_between_looks_and_makes_the_first_guess() {
    // The run between the two looks has one event that leads to another activity.
    let app = App { screens: vec![1, 1, 1, 2, 2, 2] };
    let mut trace = app.trace(&[0, 5]);
    for step in &mut trace.steps[2..] {
        step.after.as_mut().expect("a look").activity = "Other".into();
    }
    for step in &mut trace.steps[3..] {
        step.before.as_mut().expect("a look").activity = "Other".into();
    }
    let guess = |level| {
        let material = Material::of(&trace, &Target::AnyCrash, level);
        let search = search::parse("echo", &material, false).expect("the trace has states");
        search.frontier().first().map(|guess| guess.subset.clone())
    };
    assert_eq!(guess(None), Some(Subset::from_positions([2, 5])));
    assert_ne!(guess(Some(Level::Full)), guess(None), "who asks for a level gets that level alone");
}

#[test]
fn runs_on_the_way_are_thinned_out() {
    // Idle events around the two that lead on, none of them looked at.
    let screens = vec![1, 1, 1, 2, 2, 2, 2, 7, 8, 7, 8, 7, 2, 2, 3, 3, 3];
    let app = App { screens };
    let looks = [0, 4, 7, 11, 12, 15];
    let (kept, trials) = app.reduce("echo", &looks, None);
    assert_eq!(kept, [2, 13, 16]);
    let (same, more) = app.reduce("ddmin", &looks, None);
    assert_eq!(same.len(), 3);
    assert!(trials < more / 2, "{trials} trials, and ddmin takes {more}");
}

#[test]
fn a_trace_that_was_first_looked_at_late_begins_with_a_run() {
    // As after a start script, whose events nobody looks at.
    let screens = vec![1, 2, 3, 4, 5, 6, 7, 4, 9];
    let mut trace = App { screens: screens.clone() }.trace(&[3, 4, 5, 6, 7, 8]);
    for step in &mut trace.steps[..3] {
        step.before = None;
        step.after = None;
    }
    let material = Material::of(&trace, &Target::AnyCrash, Some(Level::Full));
    let search = search::parse("echo", &material, false).expect("the trace has states");
    let guess = search.frontier().first().map(|guess| guess.subset.clone());
    assert_eq!(guess, Some(Subset::from_positions([0, 1, 2, 7, 8])));
}

#[test]
fn a_trace_without_looks_is_refused_in_words() {
    let trace = Trace { header: Header::new("app"), steps: vec![Step::new(Event::tap(0, 0)); 3] };
    let material = Material::of(&trace, &Target::AnyCrash, None);
    let refused = |name: &str| match search::parse(name, &material, false) {
        Ok(search) => format!("{search} takes it"),
        Err(why) => why,
    };
    assert_eq!(
        refused("echo"),
        "the search echo needs states, and the trace hardly records any; belief, ddmin and cdd do without"
    );
    assert!(refused("hdd").contains("the state before each event"), "{}", refused("hdd"));
}
