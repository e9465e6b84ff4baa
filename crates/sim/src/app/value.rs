//! Values of variables.

use std::fmt;
use std::sync::Arc;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    Bool,
    Int,
    Text,
    List,
}

/// A value. Copies are cheap: devices are cloned by the thousand.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    Bool(bool),
    Int(i64),
    Text(Arc<str>),
    List(Arc<Vec<Arc<str>>>),
}

impl Value {
    pub const fn kind(&self) -> ValueKind {
        match self {
            Self::Bool(_) => ValueKind::Bool,
            Self::Int(_) => ValueKind::Int,
            Self::Text(_) => ValueKind::Text,
            Self::List(_) => ValueKind::List,
        }
    }

    /// Whether it counts as yes: true, not 0, not empty.
    pub fn truth(&self) -> bool {
        match self {
            Self::Bool(yes) => *yes,
            Self::Int(number) => *number != 0,
            Self::Text(text) => !text.is_empty(),
            Self::List(items) => !items.is_empty(),
        }
    }

    /// As a number: of a text or list, its length.
    pub fn number(&self) -> i64 {
        let count = |length: usize| i64::try_from(length).unwrap_or(i64::MAX);
        match self {
            Self::Bool(yes) => i64::from(*yes),
            Self::Int(number) => *number,
            Self::Text(text) => count(text.chars().count()),
            Self::List(items) => count(items.len()),
        }
    }

    pub fn text(&self) -> Arc<str> {
        match self {
            Self::Text(text) => text.clone(),
            other => other.to_string().into(),
        }
    }

    /// The items of a list; of anything else, none.
    pub fn items(&self) -> &[Arc<str>] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(yes) => yes.fmt(f),
            Self::Int(number) => number.fmt(f),
            Self::Text(text) => f.write_str(text),
            Self::List(items) => f.write_str(&items.join(", ")),
        }
    }
}

impl fmt::Display for ValueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Text => "text",
            Self::List => "list",
        })
    }
}
