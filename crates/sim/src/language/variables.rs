//! Declarations of variables and knobs.

use crate::app::{Knob, Life, Value, ValueKind, Var};
use crate::spec::knob;

use super::cursor::{Cursor, Name};
use super::error::{Checked, Place, quote};
use super::expression;
use super::lines::Line;
use super::names::{Names, RESERVED};

const KINDS: [(&str, ValueKind); 4] = [
    ("bool", ValueKind::Bool),
    ("int", ValueKind::Int),
    ("text", ValueKind::Text),
    ("list", ValueKind::List),
];

/// Reads `var NAME KIND = VALUE` or the same with `kept`.
pub(super) fn variable(names: &mut Names, statement: &Line, life: Life) -> Checked<()> {
    let mut cursor = Cursor::of(statement, "var NAME KIND = VALUE")?;
    if cursor.eat_word("kept") {
        cursor.usage("kept NAME KIND = VALUE");
    } else {
        cursor.next();
    }
    let name = variable_name(&mut cursor, "the name of a variable")?;
    names.refuse(name, !matches!(life, Life::Activity(_)))?;
    let kind = cursor.one_of("a kind of value", &KINDS)?;
    let (initial, variants) =
        if cursor.eat_mark("=") { values(&mut cursor, kind, life)? } else { (empty(kind), Vec::new()) };
    cursor.finish_leaf(statement)?;
    let number = names.vars.len();
    match life {
        Life::Activity(activity) => names.add_local(activity, name, number)?,
        Life::Kept | Life::Process => drop(names.globals.add(name, number)?),
    }
    names.vars.push(Var { name: name.text.into(), initial, life, variants });
    Ok(())
}

/// Reads `knob NAME = NUMBER`, perhaps with `probability` behind it.
pub(super) fn knob(names: &mut Names, line: &Line) -> Checked<()> {
    let mut cursor = Cursor::of(line, "knob NAME = NUMBER")?;
    cursor.next();
    let name = variable_name(&mut cursor, "the name of a knob")?;
    if knob::NAMES.contains(&name.text) {
        let shown = quote(name.text);
        return Err(name
            .place
            .fault(format!("every simulated device has a setting {shown}; rename this knob")));
    }
    names.refuse(name, true)?;
    cursor.mark("=")?;
    let place = cursor.place();
    let initial = cursor.number("a number")?;
    let probability = cursor.eat_word("probability");
    cursor.usage("knob NAME = NUMBER probability");
    cursor.finish_leaf(line)?;
    if probability {
        check_probability(initial, place)?;
    }
    names.known_knobs.append(name)?;
    names.knobs.push(Knob { name: name.text.into(), initial, probability });
    Ok(())
}

/// Refuses a number that is no probability.
pub(super) fn check_probability(number: f64, place: Place) -> Checked<()> {
    if (0.0..=1.0).contains(&number) {
        return Ok(());
    }
    Err(place.fault(format!("a probability lies between 0 and 1, and {number} does not; 30 % is `0.3`")))
}

/// Reads a fixed value of this kind.
pub(super) fn value(cursor: &mut Cursor<'_>, kind: ValueKind) -> Checked<Value> {
    match kind {
        ValueKind::Bool => cursor.one_of("a bool", &[("true", true), ("false", false)]).map(Value::Bool),
        ValueKind::Int => cursor.int("an int").map(Value::Int),
        ValueKind::Text => cursor.plain_text("a text in quotes").map(|text| Value::Text(text.into())),
        ValueKind::List => expression::list(cursor),
    }
}

fn variable_name<'a>(cursor: &mut Cursor<'a>, what: &str) -> Checked<Name<'a>> {
    let name = cursor.simple_name(what)?;
    if RESERVED.contains(&name.text) {
        let shown = quote(name.text);
        return Err(name
            .place
            .fault(format!("{shown} has a meaning of its own in expressions; take another name")));
    }
    Ok(name)
}

/// Reads the value at the start, or several to draw from: `"red" or "blue" 2:1`.
fn values(cursor: &mut Cursor<'_>, kind: ValueKind, life: Life) -> Checked<(Value, Vec<(Value, u32)>)> {
    let initial = value(cursor, kind)?;
    if cursor.peek_word() != Some("or") {
        return Ok((initial, Vec::new()));
    }
    if matches!(life, Life::Activity(_)) {
        let message =
            "variants are drawn when the app is installed; declare this variable outside the activity";
        return Err(cursor.place().fault(message));
    }
    cursor.usage("var NAME KIND = VALUE or VALUE 1:1");
    let mut all = vec![initial.clone()];
    while cursor.eat_word("or") {
        all.push(value(cursor, kind)?);
    }
    let place = cursor.place();
    let mut weights = vec![weight(cursor)?];
    while cursor.eat_mark(":") {
        weights.push(weight(cursor)?);
    }
    if weights.len() != all.len() {
        let (values, weights) = (all.len(), weights.len());
        let message =
            format!("{values} values need {values} weights, and here are {weights}; give each its own");
        return Err(place.fault(message));
    }
    if weights.iter().all(|&weight| weight == 0) {
        return Err(place.fault("one of the weights must be more than 0"));
    }
    Ok((initial, all.into_iter().zip(weights).collect()))
}

fn weight(cursor: &mut Cursor<'_>) -> Checked<u32> {
    let place = cursor.place();
    let weight = cursor.int("weights such as `1:1`")?;
    u32::try_from(weight).map_err(|_| place.fault("a weight is a number from 0 to 4294967295"))
}

fn empty(kind: ValueKind) -> Value {
    match kind {
        ValueKind::Bool => Value::Bool(false),
        ValueKind::Int => Value::Int(0),
        ValueKind::Text => Value::Text("".into()),
        ValueKind::List => Value::List(Vec::new().into()),
    }
}
