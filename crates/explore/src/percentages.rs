//! How often each kind of Monkey event comes: Android Monkey's `--pct-...` options and its defaults.
//!
//! The percentages that are given hold. The other categories share what is left of 100 in the proportions of
//! their defaults. All arithmetic is in whole numbers, so a mix is exact.

use std::fmt;
use std::str::FromStr;

use retap_trace::Dice;

/// A kind of Monkey event. What each does is told in [`Monkey`](crate::Monkey).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    Touch,
    Motion,
    PinchZoom,
    Trackball,
    Rotation,
    Permission,
    Nav,
    MajorNav,
    SysKeys,
    AppSwitch,
    Flip,
    AnyEvent,
}

/// How often each category comes. Always valid: it sums to 100 percent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Percentages {
    weights: [u32; Category::ALL.len()],
}

/// Why percentages cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PercentagesError {
    /// A name that is no category.
    #[error("there is no event category '{name}'; the categories are {}", category_names())]
    Unknown { name: String },
    /// A value that is no percentage.
    #[error("--pct-{category} takes a whole number from 0 to 100, not '{value}'")]
    Value { category: Category, value: String },
    /// More than everything.
    #[error("the given percentages add up to {sum}, more than 100; lower some of them")]
    Over {
        /// What they add up to.
        sum: u32,
    },
    /// Less than everything, and no category to take the rest.
    #[error("every category is given but they add up to {sum}, not 100; raise some of them or leave one out")]
    Under {
        /// What they add up to.
        sum: u32,
    },
    /// Permissions cannot be granted or revoked by an event.
    #[error("--pct-permission must be 0: no device here can grant or revoke permissions while it runs")]
    Permission,
}

impl Category {
    /// Every category, in Monkey's order.
    pub const ALL: [Self; 12] = [
        Self::Touch,
        Self::Motion,
        Self::PinchZoom,
        Self::Trackball,
        Self::Rotation,
        Self::Permission,
        Self::Nav,
        Self::MajorNav,
        Self::SysKeys,
        Self::AppSwitch,
        Self::Flip,
        Self::AnyEvent,
    ];

    /// Its name, as in `--pct-touch`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Touch => "touch",
            Self::Motion => "motion",
            Self::PinchZoom => "pinchzoom",
            Self::Trackball => "trackball",
            Self::Rotation => "rotation",
            Self::Permission => "permission",
            Self::Nav => "nav",
            Self::MajorNav => "majornav",
            Self::SysKeys => "syskeys",
            Self::AppSwitch => "appswitch",
            Self::Flip => "flip",
            Self::AnyEvent => "anyevent",
        }
    }

    /// Monkey's own percentage; they add up to 100.
    pub const fn usual(self) -> u32 {
        match self {
            Self::Touch | Self::Trackball | Self::MajorNav => 15,
            Self::Motion => 10,
            Self::PinchZoom | Self::SysKeys | Self::AppSwitch => 2,
            Self::Rotation | Self::Permission => 0,
            Self::Nav => 25,
            Self::Flip => 1,
            Self::AnyEvent => 13,
        }
    }

    /// The percentage of a monkey that aims at widgets. Monkey spends seven events in ten on keys, because most
    /// of its blind touches hit nothing; one that sees has better things to do.
    pub const fn aware(self) -> u32 {
        match self {
            Self::Touch => 55,
            Self::Motion => 15,
            Self::PinchZoom | Self::Trackball | Self::AppSwitch => 2,
            Self::Rotation | Self::Permission | Self::Flip => 0,
            Self::Nav | Self::MajorNav => 6,
            Self::SysKeys => 7,
            Self::AnyEvent => 5,
        }
    }
}

impl Percentages {
    /// Monkey's mix with these percentages given. Of a category that is given twice, the later value holds.
    pub fn given(values: &[(Category, u32)]) -> Result<Self, PercentagesError> {
        Self::over(Category::usual, values)
    }

    /// The mix of a monkey that sees, with these percentages given.
    pub fn aware(values: &[(Category, u32)]) -> Result<Self, PercentagesError> {
        Self::over(Category::aware, values)
    }

    fn over(usual: fn(Category) -> u32, values: &[(Category, u32)]) -> Result<Self, PercentagesError> {
        let mut given = [None; Category::ALL.len()];
        for &(category, percent) in values {
            if percent > 100 {
                return Err(PercentagesError::Value { category, value: percent.to_string() });
            }
            given[category as usize] = Some(percent);
        }
        if given[Category::Permission as usize].is_some_and(|percent| percent > 0) {
            return Err(PercentagesError::Permission);
        }
        let sum: u32 = given.iter().flatten().sum();
        let open = |category: &Category| given[*category as usize].is_none();
        let usual_of_open: u32 = Category::ALL.into_iter().filter(open).map(usual).sum();
        if sum > 100 {
            return Err(PercentagesError::Over { sum });
        }
        if sum < 100 && usual_of_open == 0 {
            return Err(PercentagesError::Under { sum });
        }
        // Everything times `usual_of_open`, so that the shares of the open categories need no division.
        let weight = |category: Category| match given[category as usize] {
            Some(percent) => percent * usual_of_open.max(1),
            None => usual(category) * (100 - sum),
        };
        Ok(Self { weights: Category::ALL.map(weight) })
    }

    /// How often a category comes, in percent.
    pub fn percent(&self, category: Category) -> f64 {
        let total: u32 = self.weights.iter().sum();
        f64::from(self.weights[category as usize]) * 100.0 / f64::from(total)
    }

    pub(crate) fn draw(&self, dice: &mut Dice) -> Category {
        let drawn = dice.weighted(&self.weights).expect("the weights sum to 100 percent");
        Category::ALL[drawn]
    }
}

/// Monkey's own mix.
impl Default for Percentages {
    fn default() -> Self {
        Self { weights: Category::ALL.map(Category::usual) }
    }
}

/// Reads what people pass to Monkey, `--pct-touch 40 --pct-motion 10`, or in short `touch=40,motion=10`.
impl FromStr for Percentages {
    type Err = PercentagesError;

    fn from_str(text: &str) -> Result<Self, PercentagesError> {
        let mut words = text
            .split(|char: char| char.is_whitespace() || char == ',' || char == '=')
            .filter(|word| !word.is_empty());
        let mut given = Vec::new();
        while let Some(name) = words.next() {
            let category: Category = name.parse()?;
            let value = words.next().unwrap_or_default();
            let percent = value.parse().ok().filter(|percent| *percent <= 100);
            let wrong = || PercentagesError::Value { category, value: value.to_owned() };
            given.push((category, percent.ok_or_else(wrong)?));
        }
        Self::given(&given)
    }
}

impl FromStr for Category {
    type Err = PercentagesError;

    fn from_str(name: &str) -> Result<Self, PercentagesError> {
        let bare = name.trim_start_matches("--").trim_start_matches("pct-");
        Self::ALL
            .into_iter()
            .find(|category| category.name() == bare)
            .ok_or_else(|| PercentagesError::Unknown { name: name.to_owned() })
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

fn category_names() -> String {
    Category::ALL.map(Category::name).join(", ")
}

#[cfg(test)]
mod tests;
