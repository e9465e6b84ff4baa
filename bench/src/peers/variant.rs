//! The variants of the models.

use super::model::Flaws;

/// How the apps flake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub(crate) enum Variant {
    #[value(name = "V0")]
    V0,
    #[value(name = "V1")]
    V1,
    #[value(name = "V2")]
    V2,
    #[value(name = "V3")]
    V3,
    #[value(name = "det")]
    Det,
    #[value(name = "p90")]
    P90,
}

impl Variant {
    pub(super) const ALL: [Self; 6] = [Self::V0, Self::V1, Self::V2, Self::V3, Self::Det, Self::P90];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::V0 => "V0",
            Self::V1 => "V1",
            Self::V2 => "V2",
            Self::V3 => "V3",
            Self::Det => "det",
            Self::P90 => "p90",
        }
    }

    /// What it does to the apps, in words.
    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::V0 => "traces, deterministic",
            Self::V1 => "traces, events that change the activity are lost with probability .02",
            Self::V2 => "traces, a dialog at every second launch",
            Self::V3 => "traces, a dialog at every second launch, and events lost with probability .05",
            Self::Det => "lists, deterministic",
            Self::P90 => "lists, a run with all needed events reaches 9 times in 10",
        }
    }

    pub(super) const fn flaws(self) -> Flaws {
        match self {
            Self::V0 | Self::Det => Flaws::NONE,
            Self::V1 => Flaws { lost: 0.02, ..Flaws::NONE },
            Self::V2 => Flaws { dialog: 0.5, ..Flaws::NONE },
            Self::V3 => Flaws { lost: 0.05, dialog: 0.5, ..Flaws::NONE },
            Self::P90 => Flaws { rate: 0.9, ..Flaws::NONE },
        }
    }

    /// Whether it is of traces; else of lists.
    pub(super) const fn is_of_traces(self) -> bool {
        !matches!(self, Self::Det | Self::P90)
    }

    /// How many of the seeds differ in anything.
    pub(super) const fn seeds(self, asked: u64) -> u64 {
        if matches!(self, Self::V0) { 1 } else { asked }
    }
}
