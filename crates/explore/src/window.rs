//! The inspection window: how many events are made between two looks [ECHO, adaptive inspection].
//!
//! A look costs a second on an emulator, an event a fifth of that. While looks show nothing new they become
//! rarer, and as soon as one does they become more frequent again. The window starts at one event. Every few
//! looks it is checked whether any of them showed a state that was never seen before: if none did it grows, else
//! it shrinks, never below one. Unlike the published one it has a cap: a window without an end would lose sight
//! of the app, and edges of hundreds of events are of no use to anybody.

/// How an inspection window behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WindowSettings {
    /// After how many looks it is checked (`f`).
    pub check: u32,
    /// By how many events it grows and shrinks (`d`).
    pub step: u32,
    /// The most events between two looks. 1 looks after every event.
    pub most: u32,
}

/// Says after which events to look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookWindow {
    settings: WindowSettings,
    size: u32,
    /// Events since the last look.
    events: u32,
    /// Looks since the last check.
    looks: u32,
    /// Whether one of those showed a new state.
    new: bool,
}

/// The published values, and a cap of eight events.
impl Default for WindowSettings {
    fn default() -> Self {
        Self { check: 2, step: 1, most: 8 }
    }
}

impl WindowSettings {
    /// Looks after every event.
    pub const ALWAYS: Self = Self { check: 1, step: 0, most: 1 };
}

impl LookWindow {
    /// A window of one event.
    pub const fn new(settings: WindowSettings) -> Self {
        Self { settings, size: 1, events: 0, looks: 0, new: false }
    }

    /// How many events there are between two looks now.
    pub const fn size(&self) -> u32 {
        self.size
    }

    /// Takes note of an event; says whether to look after it.
    pub fn event(&mut self) -> bool {
        self.events = self.events.saturating_add(1);
        self.events >= self.size
    }

    /// Takes note of a look, wanted or not, and of whether it showed a state for the first time.
    pub fn look(&mut self, new_state: bool) {
        self.events = 0;
        self.looks += 1;
        self.new |= new_state;
        if self.looks >= self.settings.check {
            let WindowSettings { step, most, .. } = self.settings;
            let size = if self.new { self.size.saturating_sub(step) } else { self.size.saturating_add(step) };
            self.size = size.min(most).max(1);
            (self.looks, self.new) = (0, false);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The sizes after each of these looks.
    fn sizes(settings: WindowSettings, looks: &[bool]) -> Vec<u32> {
        let mut window = LookWindow::new(settings);
        let size_after = |&new| {
            window.look(new);
            window.size()
        };
        looks.iter().map(size_after).collect()
    }

    #[test]
    fn it_grows_while_nothing_is_new_and_shrinks_when_something_is() {
        let (old, new) = (false, true);
        let looks = [old, old, old, old, old, old, new, old, old, new, new, new, new, new];
        let expected = [1, 2, 2, 3, 3, 4, 4, 3, 3, 2, 2, 1, 1, 1];
        assert_eq!(sizes(WindowSettings::default(), &looks), expected);
    }

    #[test]
    fn a_look_is_due_after_as_many_events_as_the_window_has() {
        let mut window = LookWindow::new(WindowSettings { check: 1, ..WindowSettings::default() });
        assert!(window.event(), "the first event is looked at");
        window.look(false);
        window.look(false);
        assert_eq!(
            [window.event(), window.event(), window.event(), window.event()],
            [false, false, true, true]
        );
        window.look(true);
        assert_eq!([window.event(), window.event()], [false, true], "a look begins a new count");
    }

    #[test]
    fn always_is_always() {
        assert!(sizes(WindowSettings::ALWAYS, &[false; 50]).iter().all(|&size| size == 1));
    }

    proptest! {
        #[test]
        fn it_stays_between_one_and_the_cap(
            check in 0..5_u32, step in 0..u32::MAX, most in 0..20_u32,
            looks in prop::collection::vec(any::<bool>(), 0..200),
        ) {
            let sizes = sizes(WindowSettings { check, step, most }, &looks);
            prop_assert!(sizes.iter().all(|size| (1..=most.max(1)).contains(size)), "{:?}", sizes);
        }
    }
}
