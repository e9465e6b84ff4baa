//! Small apps made by hand, and a driver for them.

use retap_trace::{Event, Flag, GuiTree, Key, Node, Observation, Rect, Seen, Size, StateKey};

use crate::sample::{LANE, named, screen};
use crate::{Explorer, Move, Reply, Sight};

/// What an explorer did to a screen of a toy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Touch {
    Back,
    Menu,
    Click(usize),
    Long(usize),
}

/// What comes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Room(usize),
    /// Another app comes to the front.
    Leave,
    Crash,
}

/// A screen of a toy: how it looks, and how many buttons it has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    pub(super) look: u64,
    pub(super) buttons: usize,
}

/// An app: rooms, the first is the start, and what leads where.
pub(super) struct Toy<'a> {
    views: Vec<(Observation, Seen)>,
    go: &'a dyn Fn(usize, Touch) -> Outcome,
}

/// What was done, from one start to the next.
pub(super) type Way = Vec<(usize, Touch)>;

impl<'a> Toy<'a> {
    pub(super) fn new(rooms: &[Room], go: &'a dyn Fn(usize, Touch) -> Outcome) -> Self {
        Self { views: rooms.iter().map(|room| view(*room)).collect(), go }
    }

    pub(super) fn sight(&self, room: usize) -> Sight<'_> {
        sight(&self.views[room])
    }

    /// What a move does to a room.
    pub(super) fn touch(&self, room: usize, event: &Event) -> Touch {
        let button = |widget| usize::try_from(named(&self.views[room].0, widget).0.0).unwrap() - 1;
        match event {
            Event::Key { key: Key::BACK, .. } => Touch::Back,
            Event::Key { key: Key::MENU, .. } => Touch::Menu,
            Event::Tap(aim) => Touch::Click(button(aim.widget.as_ref())),
            Event::LongTap { aim, .. } => Touch::Long(button(aim.widget.as_ref())),
            other => panic!("a toy does not know {other}"),
        }
    }

    /// Lets an explorer make so many moves. Returns the ways that it went, the last one perhaps not to its end.
    pub(super) fn explore(&self, explorer: &mut dyn Explorer, moves: usize) -> Vec<Way> {
        let mut ways = vec![Way::new()];
        let mut at = Outcome::Room(0);
        let mut reply = Reply::Started;
        let mut last_room = 0;
        for _ in 0..moves {
            let seen = match at {
                Outcome::Room(room) => Sight { reply, ..self.sight(room) },
                Outcome::Leave => Sight { reply, in_front: false, ..self.sight(last_room) },
                Outcome::Crash => Sight { reply, crashed: true, ..self.sight(last_room) },
            };
            match (explorer.next(LANE, &seen), at) {
                (Move::Act(Event::Wait { .. }), Outcome::Room(_)) => reply = Reply::Done,
                (Move::Act(event), Outcome::Room(room)) => {
                    let touch = self.touch(room, &event);
                    ways.last_mut().expect("there is a way").push((room, touch));
                    last_room = room;
                    at = (self.go)(room, touch);
                    reply = Reply::Done;
                }
                (Move::Restart, _) => {
                    ways.push(Way::new());
                    at = Outcome::Room(0);
                    reply = Reply::Started;
                }
                (other, at) => panic!("{other:?} at {at:?}"),
            }
        }
        ways
    }
}

pub(super) fn sight((observation, keys): &(Observation, Seen)) -> Sight<'_> {
    Sight {
        observation,
        keys,
        fresh: true,
        at: retap_trace::Micros::ZERO,
        reply: Reply::Done,
        in_front: true,
        new_coverage: None,
        crashed: false,
    }
}

/// A screen with this look and so many buttons.
pub(super) fn view(room: Room) -> (Observation, Seen) {
    let mut tree = GuiTree::new();
    tree.push(Node { bounds: Rect::new(0, 0, 100, 1000), ..Node::default() });
    for line in 0..i32::try_from(room.buttons).expect("few buttons") {
        tree.push(Node {
            depth: 1,
            class: "android.widget.Button".into(),
            bounds: Rect::new(0, line * 10, 100, line * 10 + 10),
            flags: [Flag::Enabled, Flag::Clickable].into_iter().collect(),
            ..Node::default()
        });
    }
    let observation = screen(Size { width: 100, height: 1000 }, Some(tree));
    let keys = Seen { actionable: Some(StateKey(room.look)), ..Seen::activity("org.example.Toy") };
    (observation, keys)
}
