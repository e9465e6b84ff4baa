//! What stands behind a widget: `id=add enabled=count < 3 at=0,0,200,100`.

use std::sync::Arc;

use retap_trace::Rect;

use crate::app::{Expr, Template, ValueKind};

use super::cursor::{Cursor, alternatives};
use super::error::{Checked, Place, quote};
use super::expression::{self, View};
use super::template::template;
use retap_trace::did_you_mean;

/// The attributes of a widget, as far as they are given.
#[derive(Debug, Default)]
pub(super) struct Attributes<'a> {
    /// The id as written, and where.
    pub(super) id: Option<(String, Place)>,
    pub(super) class: Option<&'a str>,
    pub(super) desc: Option<Template>,
    pub(super) enabled: Option<Expr>,
    pub(super) visible: Option<Expr>,
    pub(super) height: Option<i32>,
    pub(super) bounds: Option<Rect>,
    pub(super) hint: Arc<str>,
    pub(super) password: bool,
    /// Where it asks for the focus.
    pub(super) focus: Option<Place>,
}

const ANY: [&str; 7] = ["id", "if", "enabled", "height", "at", "class", "desc"];
const FIELD: [&str; 3] = ["hint", "password", "focus"];

/// Reads attributes up to the end of the line.
pub(super) fn attributes<'a>(
    cursor: &mut Cursor<'a>,
    view: View<'_>,
    field: bool,
) -> Checked<Attributes<'a>> {
    let mut found = Attributes::default();
    let mut seen: Vec<&str> = Vec::new();
    while cursor.peek().is_some() {
        let Some(word) = cursor.peek_word() else { return Err(cursor.unexpected()) };
        let place = cursor.place();
        known(word, place, field)?;
        if seen.contains(&word) {
            return Err(place.fault(format!("`{word}` is given twice; remove one")));
        }
        seen.push(word);
        cursor.next();
        match word {
            "password" => found.password = true,
            "focus" => found.focus = Some(place),
            _ => {
                cursor.mark("=")?;
                found.read(word, cursor, view)?;
            }
        }
    }
    Ok(found)
}

fn known(word: &str, place: Place, field: bool) -> Checked<()> {
    if ANY.contains(&word) || (field && FIELD.contains(&word)) {
        return Ok(());
    }
    if FIELD.contains(&word) {
        return Err(place.fault(format!("only a `field` has `{word}`; remove it")));
    }
    let fields = if field { &FIELD[..] } else { &[] };
    let all: Vec<&str> = ANY.iter().chain(fields).copied().collect();
    let fix = did_you_mean(word, all.iter().copied())
        .unwrap_or_else(|| format!("; there are {}", alternatives(&all)));
    Err(place.fault(format!("{} is no attribute of this widget{fix}", quote(word))))
}

impl<'a> Attributes<'a> {
    fn read(&mut self, word: &str, cursor: &mut Cursor<'a>, view: View<'_>) -> Checked<()> {
        match word {
            "id" => {
                let place = cursor.place();
                let id = if cursor.peek_text() {
                    cursor.plain_text("an id")?
                } else {
                    cursor.simple_name("an id")?.text.to_owned()
                };
                self.id = Some((id, place));
            }
            "class" => self.class = Some(cursor.name("a class such as `android.widget.Button`")?.text),
            "desc" => self.desc = Some(template(cursor, "a text in quotes", view)?),
            "hint" => self.hint = cursor.plain_text("a text in quotes")?.into(),
            "if" => self.visible = Some(expression::of_kind(cursor, view, ValueKind::Bool, "`if=`")?),
            "enabled" => {
                self.enabled = Some(expression::of_kind(cursor, view, ValueKind::Bool, "`enabled=`")?);
            }
            "height" => {
                let place = cursor.place();
                let height = pixels(cursor)?;
                if height <= 0 {
                    return Err(place.fault("a height is at least 1 pixel"));
                }
                self.height = Some(height);
            }
            _ => self.bounds = Some(bounds(cursor)?),
        }
        Ok(())
    }
}

fn bounds(cursor: &mut Cursor<'_>) -> Checked<Rect> {
    let place = cursor.place();
    let mut sides = [0; 4];
    for (number, side) in sides.iter_mut().enumerate() {
        if number > 0 {
            cursor.mark(",")?;
        }
        *side = pixels(cursor)?;
    }
    let [left, top, right, bottom] = sides;
    let rect = Rect::new(left, top, right, bottom);
    if rect.is_empty() {
        return Err(place.fault("this rectangle is empty; `at=` takes the left, top, right and bottom sides"));
    }
    Ok(rect)
}

fn pixels(cursor: &mut Cursor<'_>) -> Checked<i32> {
    const FARTHEST: i64 = 100_000;
    let place = cursor.place();
    let pixels = cursor.int("a number of pixels")?;
    let near = (-FARTHEST..=FARTHEST).contains(&pixels);
    near.then_some(pixels)
        .and_then(|pixels| i32::try_from(pixels).ok())
        .ok_or_else(|| place.fault(format!("{pixels} pixels are too far off any screen")))
}
