//! Expressions and texts with expressions in them. The language has checked their kinds, so they always have a
//! value: an index outside a list gives an empty text, a division by zero gives 0.

use std::fmt::Write as _;
use std::sync::Arc;

use super::{KnobId, PermissionId, Value, VarId};

#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    /// A value as written.
    Value(Value),
    /// The value of a variable.
    Var(VarId),
    /// The value of a knob, rounded down.
    Knob(KnobId),
    /// The text of the list row at hand.
    Item,
    /// The number of the list row at hand, from 0.
    Index,
    /// Whether the device is held in landscape.
    Landscape,
    /// Whether there is a network.
    Online,
    Granted(PermissionId),
    /// The length of a text or list.
    Len(Box<Expr>),
    /// An item of a list, by number from 0.
    At(Box<Expr>, Box<Expr>),
    /// The opposite.
    Not(Box<Expr>),
    /// Two expressions joined.
    Binary(Operator, Box<Expr>, Box<Expr>),
}

/// What joins two expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    Or,
    And,
    Has,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// What expressions can see.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'a> {
    pub vars: &'a [Value],
    pub knobs: &'a [f64],
    pub granted: &'a [bool],
    /// The list row at hand.
    pub row: Option<(&'a Arc<str>, u32)>,
    pub landscape: bool,
    pub online: bool,
}

/// A text in which parts may be expressions: `"{len(items)} notes"`.
#[derive(Debug, Clone, PartialEq)]
pub enum Template {
    /// The same text always.
    Plain(Arc<str>),
    /// Literal parts and expressions, in order: each expression follows its literal part.
    Parts(Vec<(Arc<str>, Option<Expr>)>),
}

impl Expr {
    pub fn eval(&self, scope: &Scope<'_>) -> Value {
        match self {
            Self::Value(value) => value.clone(),
            Self::Var(var) => scope.vars[var.index()].clone(),
            #[expect(clippy::cast_possible_truncation, reason = "rounding down is what a knob does here")]
            Self::Knob(knob) => Value::Int(scope.knobs[knob.index()] as i64),
            Self::Item => Value::Text(scope.row.map_or_else(|| "".into(), |(item, _)| item.clone())),
            Self::Index => Value::Int(scope.row.map_or(0, |(_, index)| i64::from(index))),
            Self::Landscape => Value::Bool(scope.landscape),
            Self::Online => Value::Bool(scope.online),
            Self::Granted(permission) => Value::Bool(scope.granted[permission.index()]),
            Self::Len(of) => Value::Int(of.eval(scope).number()),
            Self::At(list, index) => {
                let (list, index) = (list.eval(scope), index.eval(scope).number());
                let item = usize::try_from(index).ok().and_then(|index| list.items().get(index).cloned());
                Value::Text(item.unwrap_or_else(|| "".into()))
            }
            Self::Not(of) => Value::Bool(!of.truth(scope)),
            Self::Binary(operator, left, right) => operator.apply(left, right, scope),
        }
    }

    /// Whether the value counts as yes. Takes the short way where there is one: guards are evaluated millions
    /// of times a second.
    pub fn truth(&self, scope: &Scope<'_>) -> bool {
        match self {
            Self::Var(var) => scope.vars[var.index()].truth(),
            Self::Not(of) => !of.truth(scope),
            Self::Binary(Operator::And, left, right) => left.truth(scope) && right.truth(scope),
            Self::Binary(Operator::Or, left, right) => left.truth(scope) || right.truth(scope),
            other => other.eval(scope).truth(),
        }
    }
}

impl Operator {
    fn apply(self, left: &Expr, right: &Expr, scope: &Scope<'_>) -> Value {
        match self {
            Self::And => return Value::Bool(left.truth(scope) && right.truth(scope)),
            Self::Or => return Value::Bool(left.truth(scope) || right.truth(scope)),
            _ => {}
        }
        let (left, right) = (left.eval(scope), right.eval(scope));
        match self {
            Self::Has => Value::Bool(match &left {
                Value::List(items) => items.contains(&right.text()),
                other => other.text().contains(&*right.text()),
            }),
            Self::Equal => Value::Bool(left == right),
            Self::NotEqual => Value::Bool(left != right),
            Self::Less => Value::Bool(left < right),
            Self::LessEqual => Value::Bool(left <= right),
            Self::Greater => Value::Bool(left > right),
            Self::GreaterEqual => Value::Bool(left >= right),
            Self::Add if left.kind() == super::ValueKind::Text => {
                Value::Text(format!("{left}{right}").into())
            }
            _ => Value::Int(self.calculate(left.number(), right.number())),
        }
    }

    fn calculate(self, left: i64, right: i64) -> i64 {
        match self {
            Self::Add => left.saturating_add(right),
            Self::Subtract => left.saturating_sub(right),
            Self::Multiply => left.saturating_mul(right),
            Self::Divide => left.checked_div(right).unwrap_or(0),
            _ => left.checked_rem(right).unwrap_or(0),
        }
    }
}

impl Template {
    pub fn render(&self, scope: &Scope<'_>) -> Arc<str> {
        match self {
            Self::Plain(text) => text.clone(),
            Self::Parts(parts)
                if let [(literal, Some(expr))] = &parts[..]
                    && literal.is_empty() =>
            {
                expr.eval(scope).text()
            }
            Self::Parts(parts) => {
                let mut text = String::with_capacity(32);
                for (literal, expr) in parts {
                    text.push_str(literal);
                    match expr.as_ref().map(|expr| expr.eval(scope)) {
                        None => {}
                        Some(Value::Text(part)) => text.push_str(&part),
                        Some(other) => write!(text, "{other}").expect("a string takes all text"),
                    }
                }
                text.into()
            }
        }
    }
}

impl Default for Template {
    fn default() -> Self {
        Self::Plain("".into())
    }
}
