//! What a user wants of every explorer, as data. [`Ruled`](crate::Ruled) sees to it.

use crate::pattern::Pattern;
use crate::permission::Answer;

/// A user's rules. The default has none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rules {
    /// What to type into which fields. Of several that fit a field, the first holds.
    pub texts: Vec<FieldTexts>,
    /// Widgets that are never touched. What stands inside them is not touched either, and a widget that carries
    /// such a one as its label is that widget.
    pub avoid: Vec<Pattern>,
    /// Activities that are left at once: full names or their last part, with `*` for any characters.
    pub avoid_activities: Vec<String>,
    /// Other packages that count as the app, with `*` for any characters. All others are outside.
    pub packages: Vec<String>,
    /// What is said to questions for a permission.
    pub permissions: Answer,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldTexts {
    pub field: Pattern,
    /// What is typed there, each equally likely. Without any, the explorer types what it likes.
    pub texts: Vec<String>,
}
