//! Expressions, by operator precedence. Names are resolved and kinds checked on the way, so what comes out
//! always has a value.

use crate::app::{ActivityId, Expr, Operator, Value, ValueKind};

use super::cursor::{Cursor, Name};
use super::error::{Checked, Fault, Place, quote};
use super::limit;
use super::names::{Names, Symbol, with_article};
use super::template;
use super::token::Lexeme;

/// What an expression can name from where it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct View<'n> {
    pub(super) names: &'n Names,
    pub(super) activity: Option<ActivityId>,
    /// Whether it stands in the row of a list, which gives it an item and an index.
    pub(super) row: bool,
}

/// An expression and its kind.
#[derive(Debug)]
pub(super) struct Typed {
    pub(super) expr: Expr,
    pub(super) kind: ValueKind,
    pub(super) place: Place,
    /// Levels of the tree, which is walked by recursion.
    pub(super) depth: usize,
}

/// What `not` leaves to its right side: it binds looser than a comparison.
const COMPARISON: u8 = 3;

/// Reads an expression of any kind.
pub(super) fn any(cursor: &mut Cursor<'_>, view: View<'_>) -> Checked<Typed> {
    nested(cursor, view, 0)
}

/// Reads an expression of this kind; `who` needs it: "`if`".
pub(super) fn of_kind(cursor: &mut Cursor<'_>, view: View<'_>, kind: ValueKind, who: &str) -> Checked<Expr> {
    let typed = any(cursor, view)?;
    if cursor.peek_mark() == Some("=") {
        return Err(cursor.unexpected());
    }
    typed.must_be(kind, who, view)?;
    Ok(typed.expr)
}

/// Reads an expression that stands inside `nesting` others.
pub(super) fn nested(cursor: &mut Cursor<'_>, view: View<'_>, nesting: usize) -> Checked<Typed> {
    Parser { cursor, view, nesting }.binary(0)
}

struct Parser<'c, 'a, 'n> {
    cursor: &'c mut Cursor<'a>,
    view: View<'n>,
    nesting: usize,
}

impl Parser<'_, '_, '_> {
    /// An expression whose operators bind at least as tight as `least`.
    fn binary(&mut self, least: u8) -> Checked<Typed> {
        self.nesting += 1;
        if self.nesting > limit::NESTING {
            return Err(too_deep(self.cursor.place()));
        }
        let mut left = self.prefix()?;
        while let Some((join, strength)) = self.join()
            && strength >= least
        {
            let place = self.cursor.place();
            self.cursor.next();
            let right = self.binary(strength + 1)?;
            left = combine(join, left, right, place)?;
            if strength == COMPARISON && self.join().is_some_and(|(_, next)| next == COMPARISON) {
                let message = "comparisons do not follow each other; join two of them with `and`";
                return Err(self.cursor.place().fault(message));
            }
        }
        self.nesting -= 1;
        Ok(left)
    }

    /// The operator that comes next, and how tight it binds.
    fn join(&self) -> Option<(Operator, u8)> {
        Some(match self.cursor.peek()? {
            Lexeme::Word("or") => (Operator::Or, 1),
            Lexeme::Word("and") => (Operator::And, 2),
            Lexeme::Word("has") => (Operator::Has, COMPARISON),
            Lexeme::Mark("==") => (Operator::Equal, COMPARISON),
            Lexeme::Mark("!=") => (Operator::NotEqual, COMPARISON),
            Lexeme::Mark("<") => (Operator::Less, COMPARISON),
            Lexeme::Mark("<=") => (Operator::LessEqual, COMPARISON),
            Lexeme::Mark(">") => (Operator::Greater, COMPARISON),
            Lexeme::Mark(">=") => (Operator::GreaterEqual, COMPARISON),
            Lexeme::Mark("+") => (Operator::Add, 4),
            Lexeme::Mark("-") => (Operator::Subtract, 4),
            Lexeme::Mark("*") => (Operator::Multiply, 5),
            Lexeme::Mark("/") => (Operator::Divide, 5),
            Lexeme::Mark("%") => (Operator::Remainder, 5),
            _ => return None,
        })
    }

    fn prefix(&mut self) -> Checked<Typed> {
        let place = self.cursor.place();
        if self.cursor.eat_word("not") {
            let of = self.binary(COMPARISON)?;
            of.must_be(ValueKind::Bool, "`not`", self.view)?;
            return typed(Expr::Not(Box::new(of.expr)), ValueKind::Bool, place, of.depth + 1);
        }
        if self.cursor.eat_mark("-") {
            if let Some(&Lexeme::Int(number)) = self.cursor.peek() {
                self.cursor.next();
                return typed(Expr::Value(Value::Int(-number)), ValueKind::Int, place, 1);
            }
            let of = self.binary(6)?;
            of.must_be(ValueKind::Int, "`-`", self.view)?;
            let zero = Box::new(Expr::Value(Value::Int(0)));
            let expr = Expr::Binary(Operator::Subtract, zero, Box::new(of.expr));
            return typed(expr, ValueKind::Int, place, of.depth + 1);
        }
        let mut value = self.primary(place)?;
        while self.cursor.eat_mark("[") {
            let index = self.binary(0)?;
            index.must_be(ValueKind::Int, "an index", self.view)?;
            self.cursor.mark("]")?;
            value.must_be(ValueKind::List, "an index", self.view)?;
            let depth = value.depth.max(index.depth) + 1;
            value =
                typed(Expr::At(Box::new(value.expr), Box::new(index.expr)), ValueKind::Text, place, depth)?;
        }
        Ok(value)
    }

    fn primary(&mut self, place: Place) -> Checked<Typed> {
        match self.cursor.peek() {
            Some(&Lexeme::Int(number)) => {
                self.cursor.next();
                typed(Expr::Value(Value::Int(number)), ValueKind::Int, place, 1)
            }
            Some(Lexeme::Text(_)) => {
                let pieces = self.cursor.text("a text")?;
                template::text_expr(pieces, self.view, self.nesting, place)
            }
            Some(Lexeme::Mark("(")) => {
                self.cursor.next();
                let inner = self.binary(0)?;
                self.cursor.mark(")")?;
                Ok(inner)
            }
            Some(Lexeme::Mark("[")) => {
                let list = list(self.cursor)?;
                typed(Expr::Value(list), ValueKind::List, place, 1)
            }
            Some(&Lexeme::Word(text)) => {
                if matches!(text, "and" | "or" | "has") {
                    return Err(self.cursor.expected("a value"));
                }
                self.cursor.next();
                self.named(Name { text, place })
            }
            Some(Lexeme::Decimal(_) | Lexeme::Time(_)) => {
                Err(self.cursor.expected("a value (a bool, an int, a text or a list)"))
            }
            _ => Err(self.cursor.expected("a value")),
        }
    }

    fn named(&mut self, name: Name<'_>) -> Checked<Typed> {
        let leaf = |expr, kind| typed(expr, kind, name.place, 1);
        match name.text {
            "true" => leaf(Expr::Value(Value::Bool(true)), ValueKind::Bool),
            "false" => leaf(Expr::Value(Value::Bool(false)), ValueKind::Bool),
            "landscape" => leaf(Expr::Landscape, ValueKind::Bool),
            "online" => leaf(Expr::Online, ValueKind::Bool),
            "item" | "index" if !self.view.row => Err(name
                .place
                .fault(format!("{} is known only under a `list`; move this there", quote(name.text)))),
            "item" => leaf(Expr::Item, ValueKind::Text),
            "index" => leaf(Expr::Index, ValueKind::Int),
            "len" => self.len(name.place),
            "granted" => {
                self.cursor.mark("(")?;
                let permission = self.cursor.name("the name of a permission")?;
                let permission = self.view.names.permission(permission)?;
                self.cursor.mark(")")?;
                leaf(Expr::Granted(permission), ValueKind::Bool)
            }
            _ => match self.view.names.symbol(name, self.view.activity)? {
                Symbol::Var(var) => leaf(Expr::Var(var), self.view.names.kind(var)),
                Symbol::Knob(knob) if self.view.names.knobs[knob.index()].probability => {
                    let shown = quote(name.text);
                    Err(name
                        .place
                        .fault(format!("{shown} is a probability; use it as `chance {}`", name.text)))
                }
                Symbol::Knob(knob) => leaf(Expr::Knob(knob), ValueKind::Int),
            },
        }
    }

    fn len(&mut self, place: Place) -> Checked<Typed> {
        self.cursor.mark("(")?;
        let of = self.binary(0)?;
        self.cursor.mark(")")?;
        if !matches!(of.kind, ValueKind::Text | ValueKind::List) {
            let found = with_article(of.kind);
            return Err(of.place.fault(format!("`len` measures a text or a list, and this is {found}")));
        }
        typed(Expr::Len(Box::new(of.expr)), ValueKind::Int, place, of.depth + 1)
    }
}

/// Reads a list of fixed texts: `["milk", "tea"]`.
pub(super) fn list(cursor: &mut Cursor<'_>) -> Checked<Value> {
    cursor.mark("[")?;
    let mut items = Vec::new();
    while cursor.peek_mark() != Some("]") {
        items.push(cursor.plain_text("a text or `]`")?.into());
        if !cursor.eat_mark(",") {
            break;
        }
    }
    cursor.mark("]")?;
    Ok(Value::List(items.into()))
}

/// An expression of this depth, unless it is too deep.
pub(super) fn typed(expr: Expr, kind: ValueKind, place: Place, depth: usize) -> Checked<Typed> {
    if depth > limit::NESTING { Err(too_deep(place)) } else { Ok(Typed { expr, kind, place, depth }) }
}

impl Typed {
    /// Refuses another kind than this one; `who` needs it: "`if`".
    pub(super) fn must_be(&self, kind: ValueKind, who: &str, view: View<'_>) -> Checked<()> {
        if self.kind == kind {
            return Ok(());
        }
        let this = match &self.expr {
            Expr::Var(var) => &*view.names.vars[var.index()].name,
            Expr::Item => "item",
            Expr::Index => "index",
            _ => "…",
        };
        let fix = match (kind, self.kind) {
            (ValueKind::Bool, ValueKind::Int) => format!("; compare it, as in `{this} > 0`"),
            (ValueKind::Bool, ValueKind::Text) => format!("; compare it, as in `{this} != \"\"`"),
            (ValueKind::Bool, ValueKind::List) => format!("; measure it, as in `len({this}) > 0`"),
            (ValueKind::Text, _) => format!("; put it in a text, as in `\"{{{this}}}\"`"),
            (ValueKind::Int, _) if this == "…" => "; write a number such as `3`".to_owned(),
            (ValueKind::Int, ValueKind::Text | ValueKind::List) => format!("; `len({this})` is its length"),
            (ValueKind::Int, _) => "; choose with `if` instead".to_owned(),
            (ValueKind::List, _) => "; lists are variables or `[\"a\", \"b\"]`".to_owned(),
            (ValueKind::Bool, ValueKind::Bool) => String::new(),
        };
        let (needed, found) = (with_article(kind), with_article(self.kind));
        Err(self.place.fault(format!("{who} needs {needed}, and this is {found}{fix}")))
    }
}

fn combine(operator: Operator, left: Typed, right: Typed, place: Place) -> Checked<Typed> {
    let start = left.place;
    let depth = left.depth.max(right.depth) + 1;
    let kinds = (left.kind, right.kind);
    let (left, right) = (Box::new(left.expr), Box::new(right.expr));
    let kind = result(operator, kinds, place)?;
    typed(Expr::Binary(operator, left, right), kind, start, depth)
}

/// The kind that an operator makes of two kinds.
fn result(operator: Operator, kinds: (ValueKind, ValueKind), place: Place) -> Checked<ValueKind> {
    use Operator as O;
    const PLUS: &str = "`+` adds two ints, or puts a text or an int behind a text";
    let ints = kinds == (ValueKind::Int, ValueKind::Int);
    let same = kinds.0 == kinds.1;
    let (fits, kind, rule) = match operator {
        O::And | O::Or => {
            (kinds == (ValueKind::Bool, ValueKind::Bool), ValueKind::Bool, "`and` and `or` join two bools")
        }
        O::Has => {
            let holds = matches!(kinds, (ValueKind::List | ValueKind::Text, ValueKind::Text));
            (holds, ValueKind::Bool, "`has` looks for a text in a list or in a text")
        }
        O::Equal | O::NotEqual => (same, ValueKind::Bool, "only values of one kind can be equal"),
        O::Less | O::LessEqual | O::Greater | O::GreaterEqual => {
            let ordered = same && matches!(kinds.0, ValueKind::Int | ValueKind::Text);
            (ordered, ValueKind::Bool, "two ints or two texts can be compared")
        }
        O::Add if kinds.0 == ValueKind::Text => {
            (matches!(kinds.1, ValueKind::Text | ValueKind::Int), ValueKind::Text, PLUS)
        }
        O::Add => (ints, ValueKind::Int, PLUS),
        O::Subtract | O::Multiply | O::Divide | O::Remainder => {
            (ints, ValueKind::Int, "`-`, `*`, `/` and `%` calculate with two ints")
        }
    };
    if fits { Ok(kind) } else { Err(mismatch(place, rule, kinds)) }
}

fn mismatch(place: Place, rule: &str, (left, right): (ValueKind, ValueKind)) -> Fault {
    let (left, right) = (with_article(left), with_article(right));
    place.fault(format!("{rule}, and here {left} stands on the left and {right} on the right"))
}

fn too_deep(place: Place) -> Fault {
    let limit = limit::NESTING;
    place.fault(format!("an expression has at most {limit} levels; compute a part of it before, with `set`"))
}
