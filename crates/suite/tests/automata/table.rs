//! Apps as tables: so many states, some of which look alike, and what the actions do in them.

use std::collections::BTreeMap;

use retap_trace::{Dice, Event, StateKey};

use crate::app::{App, Deed};

/// An app as a table. Actions that are not in it do nothing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Table {
    /// What each state looks like; states that are not here look like themselves.
    looks: BTreeMap<u32, u32>,
    /// From a state, by an action: to a state, with this code.
    ways: BTreeMap<(u32, char), Way>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Way {
    pub(crate) to: u32,
    pub(crate) code: Vec<u32>,
    pub(crate) crash: Option<&'static str>,
    /// How often it leads to another state instead.
    pub(crate) else_to: Option<(f64, u32)>,
}

/// The event of an action.
pub(crate) fn event(action: char) -> Event {
    Event::tap(i32::try_from(u32::from(action)).expect("a letter"), 0)
}

pub(crate) fn events(actions: &str) -> Vec<Event> {
    actions.chars().map(event).collect()
}

/// The action of an event.
pub(crate) fn action(of: &Event) -> char {
    let x = of.aim().expect("a tap").at.x;
    char::from_u32(u32::try_from(x).expect("a letter")).expect("a letter")
}

impl Table {
    /// Adds ways written `from action to code code ..`, one a line.
    pub(crate) fn with(mut self, lines: &str) -> Self {
        for line in lines.lines().filter(|line| !line.trim().is_empty()) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let number = |word: &str| word.parse::<u32>().expect("a number");
            let code = words[3..].iter().map(|word| number(word)).collect();
            let way = Way { to: number(words[2]), code, ..Way::default() };
            self.ways.insert((number(words[0]), words[1].chars().next().expect("a letter")), way);
        }
        self
    }

    /// One of its ways, to change it.
    pub(crate) fn way(&mut self, from: u32, action: char) -> &mut Way {
        self.ways.get_mut(&(from, action)).expect("a way of the table")
    }

    pub(crate) fn looking_like(mut self, state: u32, other: u32) -> Self {
        self.looks.insert(state, other);
        self
    }
}

impl App for Table {
    fn start(&self) -> Vec<u32> {
        vec![0]
    }

    fn look(&self, state: &[u32]) -> StateKey {
        StateKey(u64::from(self.looks.get(&state[0]).copied().unwrap_or(state[0])))
    }

    fn act(&self, state: &mut Vec<u32>, event: &Event, dice: &mut Dice) -> Deed {
        let Some(way) = self.ways.get(&(state[0], action(event))) else { return Deed::default() };
        let astray = way.else_to.filter(|(chance, _)| dice.chance(*chance));
        let varies = way.else_to.is_some();
        if let Some((_, other)) = astray {
            state[0] = other;
            return Deed { varies, ..Deed::default() };
        }
        state[0] = way.to;
        Deed { code: way.code.clone(), crash: way.crash, varies }
    }
}
