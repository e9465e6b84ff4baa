//! State keys: looks at a device, told apart at four levels.
//!
//! - `activity`: the activity in front [SimplyDroid].
//! - `actionable`: also the widgets that a finger can act on, each with its way from the root (child numbers
//!   and classes) and its visible flags. No text [DetReduce].
//! - `layout`: also every widget's place in the tree, class, resource id and flags, and whether the keyboard
//!   is up. No text, no places on the screen [TimeMachine].
//! - `full`: also text, description, bounds and focus of every widget, and how the device is held [ECHO].
//!
//! Invariant: each level refines the one before, because its hash begins with the coarser key. Focus comes and
//! goes by itself, so it counts only at `full`. Keys are stored in traces: the bytes that are hashed must not
//! change, and a golden test holds them.

use retap_trace::{Flag, GuiTree, Level, Observation, Orientation, Seen, Signature, StateKey};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

#[cfg(test)]
mod tests;

/// Keeps crashes apart from activities of the same name.
const CRASH_SEED: u64 = 0x0063_7261_7368;

/// The part of a look that keys are made of.
#[derive(Debug, Clone, Copy)]
pub struct ScreenView<'a> {
    /// The activity in front, with its full name.
    pub activity: &'a str,
    /// Whether the soft keyboard is up.
    pub keyboard: bool,
    /// How the device is held.
    pub orientation: Orientation,
    pub tree: &'a GuiTree,
}

/// Makes keys. It owns the memory that this takes, so a keyer that is used again allocates nothing.
#[derive(Debug, Clone, Default)]
pub struct Keyer {
    /// For each node, the hash of its way from the root.
    ways: Vec<u64>,
    /// The node before the next one, with all nodes above it.
    above: Vec<Above>,
    /// What the next key hashes.
    bytes: Vec<u8>,
}

#[derive(Debug, Clone, Copy)]
struct Above {
    way: u64,
    children: u64,
}

/// The keys of one look, at all levels that it was fine enough for.
pub fn seen(observation: &Observation) -> Seen {
    Keyer::default().seen(observation)
}

/// The state that a crash leads to, at every level. Crashes of one signature share it.
pub fn crash_key(signature: &Signature) -> StateKey {
    StateKey(xxh3_64_with_seed(signature.0.as_bytes(), CRASH_SEED))
}

impl<'a> ScreenView<'a> {
    /// What keys need of this look; none when the tree was not looked at.
    pub fn of(observation: &'a Observation) -> Option<Self> {
        let Observation { activity, keyboard, orientation, tree, .. } = observation;
        Some(Self { activity, keyboard: *keyboard, orientation: *orientation, tree: tree.as_ref()? })
    }
}

impl Keyer {
    /// The keys of one look, at all levels that it was fine enough for.
    pub fn seen(&mut self, observation: &Observation) -> Seen {
        let activity = observation.activity.clone();
        let Some(view) = ScreenView::of(observation) else { return Seen::activity(activity) };
        let [_, actionable, layout, full] = self.keys_of(view).map(Some);
        Seen { activity, actionable, layout, full }
    }

    /// The key at one level, if this look was fine enough. Finer levels are not paid for.
    pub fn key(&mut self, observation: &Observation, level: Level) -> Option<StateKey> {
        match ScreenView::of(observation) {
            Some(view) => Some(self.key_of(view, level)),
            None => (level == Level::Activity).then(|| StateKey::of_activity(&observation.activity)),
        }
    }

    /// The key of a view at one level. Finer levels are not paid for.
    pub fn key_of(&mut self, view: ScreenView<'_>, level: Level) -> StateKey {
        let levels = Level::ALL.into_iter().take_while(|&coarser| coarser <= level);
        levels.fold(StateKey::default(), |coarser, next| self.refine(coarser, next, view))
    }

    /// The keys of a view at all levels, from coarse to fine.
    pub fn keys_of(&mut self, view: ScreenView<'_>) -> [StateKey; 4] {
        let mut key = StateKey::default();
        Level::ALL.map(|level| {
            key = self.refine(key, level, view);
            key
        })
    }

    /// The key at a level, made from the key at the level before. Levels must be taken in order.
    fn refine(&mut self, coarser: StateKey, level: Level, view: ScreenView<'_>) -> StateKey {
        self.bytes.clear();
        self.bytes.push(level as u8);
        self.put(coarser.0);
        match level {
            Level::Activity => return StateKey::of_activity(view.activity),
            Level::Actionable => self.put_actionable(view),
            Level::Layout => self.put_layout(view),
            Level::Full => self.put_full(view),
        }
        StateKey(xxh3_64(&self.bytes))
    }

    /// Depth-first order is one order for one set of widgets, so the list stands for the set.
    fn put_actionable(&mut self, view: ScreenView<'_>) {
        self.find_ways(view.tree);
        for (index, node) in view.tree.nodes().iter().enumerate() {
            if node.flags.actionable() {
                self.put(self.ways[index]);
                self.bytes.extend_from_slice(&steady(node.flags).to_le_bytes());
            }
        }
    }

    /// The ways of all nodes fix the structure and the classes.
    fn put_layout(&mut self, view: ScreenView<'_>) {
        self.bytes.push(u8::from(view.keyboard));
        for (index, node) in view.tree.nodes().iter().enumerate() {
            self.put(join(self.ways[index], &node.id));
            self.bytes.extend_from_slice(&steady(node.flags).to_le_bytes());
        }
    }

    fn put_full(&mut self, view: ScreenView<'_>) {
        self.bytes.push(match view.orientation {
            Orientation::Portrait => 0,
            Orientation::Landscape => 1,
        });
        for node in view.tree.nodes() {
            self.put(join(join(0, &node.text), &node.desc));
            for side in [node.bounds.left, node.bounds.top, node.bounds.right, node.bounds.bottom] {
                self.bytes.extend_from_slice(&side.to_le_bytes());
            }
            self.bytes.push(u8::from(node.flags.has(Flag::Focused)));
        }
    }

    /// A node's way is hashed from its parent's, so that deep trees cost no more than flat ones.
    fn find_ways(&mut self, tree: &GuiTree) {
        self.ways.clear();
        self.above.clear();
        for node in tree.nodes() {
            self.above.truncate(node.depth as usize);
            let before = self.above.last_mut().map_or(0, |parent| {
                parent.children += 1;
                parent.way.wrapping_add(parent.children)
            });
            let way = join(before, &node.class);
            self.ways.push(way);
            self.above.push(Above { way, children: 0 });
        }
    }

    fn put(&mut self, word: u64) {
        self.bytes.extend_from_slice(&word.to_le_bytes());
    }
}

/// The hash of a word that follows what was hashed before. Where each word ends counts.
fn join(before: u64, word: &str) -> u64 {
    xxh3_64_with_seed(word.as_bytes(), before)
}

/// The flags that stay as they are while nothing happens.
const fn steady(flags: retap_trace::Flags) -> u16 {
    flags.with(Flag::Focused, false).bits()
}
