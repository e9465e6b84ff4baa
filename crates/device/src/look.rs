//! How closely to look.

/// How closely to look at a device. Finer looks cost more: a tree dump takes a second on an emulator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Look {
    /// The activity in front, crashes and coverage.
    Activity,
    /// The GUI tree as well.
    Tree,
}
