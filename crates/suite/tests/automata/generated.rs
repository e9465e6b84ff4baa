//! Random apps with what makes real ones hard: a back stack, switches that open gates, code that runs only when a
//! switch is on, dead ends, crashes, transitions that vary.

use std::collections::BTreeMap;

use retap_trace::{Dice, Event, Seed, StateKey, Step, Trace};

use crate::app::{App, Deed, record};

/// What an app is made of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Recipe {
    pub(crate) seed: u64,
    pub(crate) screens: u32,
    pub(crate) code: u32,
    /// The share of actions that vary, and how often these go astray.
    pub(crate) vary: (f64, f64),
}

#[derive(Debug, Clone)]
pub(crate) struct Generated {
    screens: Vec<Screen>,
    actions: u32,
}

#[derive(Debug, Clone)]
struct Screen {
    actions: Vec<Action>,
    /// The switches that can be seen here.
    shows: Vec<u32>,
}

#[derive(Debug, Clone)]
struct Action {
    does: Does,
    code: Vec<u32>,
    /// Code that runs only when a switch is on.
    if_on: Option<(u32, Vec<u32>)>,
    vary: f64,
}

#[derive(Debug, Clone, Copy)]
enum Does {
    Open(u32),
    Toggle(u32),
    /// Opens the screen only when the switch is on.
    Gate(u32, u32),
    Home,
    Leave,
    Crash(u32),
    Nothing,
}

const SWITCHES: u32 = 6;
const CRASHES: [&str; 3] = ["Npe@Main#1", "Ise@List#2", "Oom@Form#3"];
/// The screen outside the app.
const OUTSIDE: u32 = u32::MAX;

impl Generated {
    pub(crate) fn new(recipe: Recipe) -> Self {
        let mut dice = Seed(recipe.seed).branch("app", 0).dice();
        let mut next_code = 0;
        let mut screens: Vec<Screen> = Vec::new();
        for number in 0..recipe.screens {
            let count = if number.is_multiple_of(7) { 7 } else { 2 + dice.below(4) };
            let mut actions = Vec::new();
            for _ in 0..count {
                actions.push(Action::draw(&mut dice, &recipe, &mut next_code));
            }
            let shows = (0..SWITCHES).filter(|_| dice.chance(0.15)).collect();
            screens.push(Screen { actions, shows });
        }
        // A tree of ways makes every screen reachable.
        for number in 1..recipe.screens {
            let parent =
                if number < 8 { 0 } else { u32::try_from(dice.below(u64::from(number))).expect("small") };
            let mut action = Action::draw(&mut dice, &recipe, &mut next_code);
            action.does = Does::Open(number);
            screens[parent as usize].actions.push(action);
        }
        let actions = screens.iter().map(|screen| screen.actions.len()).max().unwrap_or(0);
        Self { screens, actions: u32::try_from(actions).expect("few") }
    }

    /// Traces of random walks of so many steps in all, and how many steps of each chance played no part in.
    pub(crate) fn explore(&self, steps: usize, seed: u64) -> (Vec<Trace>, Vec<usize>) {
        let mut dice = Seed(seed).branch("explore", 0).dice();
        let (mut traces, mut sure) = (Vec::new(), Vec::new());
        let mut left = steps;
        while left > 0 {
            let mut length = 1;
            while length < 25.min(left) && !dice.chance(0.06) {
                length += 1;
            }
            let events: Vec<Event> = (0..length).map(|_| self.draw_event(&mut dice)).collect();
            let number = traces.len() as u64;
            let (mut trace, mut certain) = record(self, events, Seed(seed).branch("walk", number));
            // An exploration ends where the app is left.
            let outside = Some(StateKey(u64::from(OUTSIDE)));
            let left_app = |step: &Step| step.after.as_ref().and_then(|seen| seen.full) == outside;
            if let Some(end) = trace.steps.iter().position(left_app) {
                trace.steps.truncate(end + 1);
                certain = certain.min(end + 1);
            }
            left = left.saturating_sub(trace.steps.len());
            traces.push(trace);
            sure.push(certain);
        }
        (traces, sure)
    }

    fn draw_event(&self, dice: &mut Dice) -> Event {
        Event::tap(i32::try_from(dice.below(u64::from(self.actions) + 2)).expect("small"), 0)
    }
}

impl Action {
    fn draw(dice: &mut Dice, recipe: &Recipe, next_code: &mut u32) -> Self {
        let any = |dice: &mut Dice, bound: u32| u32::try_from(dice.below(u64::from(bound))).expect("small");
        let does = match dice.below(20) {
            0..6 => Does::Open(any(dice, recipe.screens)),
            6..10 => Does::Toggle(any(dice, SWITCHES)),
            10..12 => Does::Gate(any(dice, SWITCHES), any(dice, recipe.screens)),
            12 => Does::Home,
            13 => Does::Leave,
            14 if dice.chance(0.4) => Does::Crash(any(dice, 3)),
            _ => Does::Nothing,
        };
        let each = recipe.code / (recipe.screens * 6).max(1) + 1;
        let mut fresh = |dice: &mut Dice| {
            let first = *next_code;
            *next_code += any(dice, each * 2) + 1;
            (first..*next_code).collect::<Vec<u32>>()
        };
        let code = fresh(dice);
        let if_on = dice.chance(0.1).then(|| (any(dice, SWITCHES), fresh(dice)));
        let vary = if dice.chance(recipe.vary.0) { recipe.vary.1 } else { 0.0 };
        Self { does, code, if_on, vary }
    }
}

/// The state is the switches, as bits, then the back stack.
impl App for Generated {
    fn start(&self) -> Vec<u32> {
        vec![0, 0]
    }

    fn look(&self, state: &[u32]) -> StateKey {
        let screen = state[state.len() - 1];
        if screen == OUTSIDE {
            return StateKey(u64::from(OUTSIDE));
        }
        let shown =
            self.screens[screen as usize].shows.iter().filter(|&&switch| state[0] & (1 << switch) != 0);
        let bits: u64 = shown.map(|switch| 1 << switch).sum();
        StateKey(u64::from(screen) << 8 | bits)
    }

    fn act(&self, state: &mut Vec<u32>, event: &Event, dice: &mut Dice) -> Deed {
        let action = usize::try_from(event.aim().expect("a tap").at.x).expect("not negative");
        let screen = state[state.len() - 1];
        if screen == OUTSIDE {
            return Deed::default();
        }
        let Some(number) = action.checked_sub(2) else {
            // Back, once or twice as likely as anything else.
            state.pop();
            if state.len() == 1 {
                state.push(OUTSIDE);
            }
            return Deed { code: vec![1_000_000 + screen], ..Deed::default() };
        };
        let Some(Action { does, code, if_on, vary }) = self.screens[screen as usize].actions.get(number)
        else {
            return Deed::default();
        };
        let varies = *vary > 0.0;
        if dice.chance(*vary) {
            state.push(0);
            return Deed { varies, ..Deed::default() };
        }
        let mut code = code.clone();
        if let Some((switch, more)) = if_on
            && state[0] & (1 << switch) != 0
        {
            code.extend(more);
        }
        let mut crash = None;
        match *does {
            Does::Open(to) => state.push(to),
            Does::Gate(switch, to) if state[0] & (1 << switch) != 0 => state.push(to),
            Does::Toggle(switch) => state[0] ^= 1 << switch,
            Does::Home => state.truncate(2),
            Does::Leave => state.push(OUTSIDE),
            Does::Crash(number) => crash = Some(CRASHES[number as usize]),
            Does::Gate(..) | Does::Nothing => {}
        }
        Deed { code, crash, varies }
    }
}

/// What the traces cover in the prefixes that chance plays no part in, by the words of the items.
pub(crate) fn truly_covered(traces: &[Trace], sure: &[usize]) -> BTreeMap<String, usize> {
    let mut items = BTreeMap::new();
    for (number, (trace, &sure)) in traces.iter().zip(sure).enumerate() {
        let start = trace.steps.first().and_then(|step| step.before.as_ref()?.actionable);
        if sure > 0 {
            items.entry(format!("state {}", start.expect("looked"))).or_insert(number);
        }
        for step in &trace.steps[..sure] {
            let state = step.after.as_ref().and_then(|seen| seen.actionable);
            let mark = match &step.crash {
                Some(crash) => format!("crash {}", crash.signature),
                None => format!("state {}", state.expect("looked")),
            };
            let code = step.coverage.iter().map(|id| format!("code {}", id.0));
            for item in code.chain([mark]) {
                items.entry(item).or_insert(number);
            }
        }
    }
    items
}
