//! Texts with expressions in them.

use std::sync::Arc;

use crate::app::{Expr, Operator, Template, Value, ValueKind};

use super::cursor::Cursor;
use super::error::{Checked, Place};
use super::expression::{self, Typed, View, typed};
use super::token::Piece;

/// Reads a text that is shown: a title, the words on a button, a message.
pub(super) fn template(cursor: &mut Cursor<'_>, what: &str, view: View<'_>) -> Checked<Template> {
    let mut parts: Vec<(Arc<str>, Option<Expr>)> = Vec::new();
    for piece in cursor.text(what)? {
        match (piece, parts.last_mut()) {
            (Piece::Literal(text), _) => parts.push((text.into(), None)),
            // The tokens put a literal, if an empty one, before each expression.
            (Piece::Expr(tokens, brace), Some((_, expr))) => {
                *expr = Some(embedded(tokens, brace, view, 0)?.expr);
            }
            (Piece::Expr(tokens, brace), None) => {
                parts.push(("".into(), Some(embedded(tokens, brace, view, 0)?.expr)));
            }
        }
    }
    Ok(match parts.as_slice() {
        [(only, None)] => Template::Plain(only.clone()),
        _ => Template::Parts(parts),
    })
}

/// The expression that a text in an expression stands for: its pieces, joined.
pub(super) fn text_expr(
    pieces: Vec<Piece<'_>>,
    view: View<'_>,
    nesting: usize,
    place: Place,
) -> Checked<Typed> {
    let mut whole: Option<Typed> = None;
    for piece in pieces {
        let next = match piece {
            Piece::Literal(text) => typed(Expr::Value(Value::Text(text.into())), ValueKind::Text, place, 1)?,
            Piece::Expr(tokens, brace) => embedded(tokens, brace, view, nesting)?,
        };
        whole = Some(match whole {
            None => next,
            Some(before) => {
                let depth = before.depth.max(next.depth) + 1;
                let joined = Expr::Binary(Operator::Add, Box::new(before.expr), Box::new(next.expr));
                typed(joined, ValueKind::Text, place, depth)?
            }
        });
    }
    whole.map_or_else(|| typed(Expr::Value(Value::Text("".into())), ValueKind::Text, place, 1), Ok)
}

fn embedded(
    tokens: Vec<super::token::Token<'_>>,
    brace: Place,
    view: View<'_>,
    nesting: usize,
) -> Checked<Typed> {
    if tokens.is_empty() {
        return Err(
            brace.fault("there is nothing in these braces; write `\\{\\}` for braces that are just text")
        );
    }
    let mut cursor = Cursor::inside_text(tokens, brace);
    let inner = expression::nested(&mut cursor, view, nesting)?;
    cursor.finish()?;
    Ok(inner)
}
