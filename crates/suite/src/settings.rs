//! How a suite is made.

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Mode {
    /// Plans on a model of the app, verifies only what it wants, and chooses by device time.
    #[default]
    Planned,
    /// The algorithm as it was published: everything is replayed, in input order, one candidate at a time.
    Classic,
}

/// How a suite is made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SuiteSettings {
    pub mode: Mode,
    /// Replays that must all be followed before a trace counts as replayable.
    pub runs: u32,
    /// The same, for the traces that are kept of an app that has been seen to flake; the published algorithm does
    /// not know it.
    pub sure: u32,
    /// The most fragments of known traces that a new trace is put together from. When plans are made, a trace that
    /// has been replayed is a known one too, so traces may grow again and again.
    pub fragments: u32,
    /// How many mismatches after scrolls and edits are forgiven at one place; by default a third of the runs,
    /// and 2 at least.
    pub forgive: Option<u32>,
    /// Devices that take runs.
    pub devices: u32,
    /// The most steps of a trace that is planned; recorded traces may be longer.
    pub longest: u32,
    /// The most device time spent on improving a plan, as a multiple of that of the input. A small input may take
    /// as long as 200 restarts all the same.
    pub search: f64,
    /// The most partial candidates that the published algorithm looks at to find the next one.
    pub breadth: u32,
}

impl Default for SuiteSettings {
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            runs: 8,
            sure: 24,
            fragments: 3,
            forgive: None,
            devices: 1,
            longest: 60,
            search: 0.5,
            breadth: 30_000,
        }
    }
}

impl SuiteSettings {
    /// How many mismatches after scrolls and edits are forgiven at one place.
    pub(crate) fn forgiven(&self) -> u32 {
        self.forgive.unwrap_or_else(|| (self.runs / 3).max(2))
    }
}
