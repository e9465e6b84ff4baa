//! Effects with more effects under them: `if`, `chance`, `after`, `fetch` and `ask`.

use crate::app::{BlockId, Effect, KnobId, Latency, Probability, ValueKind, WindowId};

use super::code::{Code, Handler, first_word};
use super::cursor::Cursor;
use super::effects::inside_activity;
use super::error::{Checked, quote};
use super::expression;
use super::limit;
use super::lines::Line;
use super::names::Names;
use super::variables::check_probability;

impl Code<'_> {
    /// Reads `if`, the `else if` after it and the `else`, and returns the lines after them.
    pub(super) fn if_chain<'l>(
        &mut self,
        lines: &'l [Line],
        handler: &mut Handler,
        effects: &mut Vec<Effect>,
    ) -> Checked<&'l [Line]> {
        let mut fronts = Fronts::at(handler);
        let mut arms = Vec::new();
        let mut otherwise = None;
        let mut rest = lines;
        while let [line, after @ ..] = rest {
            let mut cursor =
                Cursor::of(line, if arms.is_empty() { "if CONDITION" } else { "else if CONDITION" })?;
            if !arms.is_empty() && !cursor.eat_word("else") {
                break;
            }
            rest = after;
            if !arms.is_empty() && cursor.peek().is_none() {
                otherwise = Some(self.arm(line, handler, Some(format!("else{}", handler.branches)))?);
                fronts.join(handler);
                break;
            }
            if !cursor.eat_word("if") {
                return Err(cursor.expected("`if`"));
            }
            if arms.len() >= limit::NESTING {
                let limit = limit::NESTING;
                return Err(line
                    .place
                    .fault(format!("an `if` has at most {limit} `else if`; start another `if`")));
            }
            let condition = expression::of_kind(&mut cursor, self.view(handler), ValueKind::Bool, "`if`")?;
            cursor.finish()?;
            handler.branches += 1;
            arms.push((condition, self.arm(line, handler, Some(format!("if{}", handler.branches)))?));
            fronts.join(handler);
        }
        fronts.settle(handler);
        // From the last arm to the first: each is what happens when the one before it does not.
        let mut chain = None;
        for (condition, then) in arms.into_iter().rev() {
            let otherwise = chain.map(|effect| self.add(vec![effect])).or(otherwise.take());
            chain = Some(Effect::If(condition, then, otherwise));
        }
        effects.extend(chain);
        Ok(rest)
    }

    /// Reads `chance` and the `else` after it, and returns the lines after them.
    pub(super) fn chance<'l>(
        &mut self,
        lines: &'l [Line],
        handler: &mut Handler,
        effects: &mut Vec<Effect>,
    ) -> Checked<&'l [Line]> {
        let Some((line, mut rest)) = lines.split_first() else { return Ok(&[]) };
        let mut fronts = Fronts::at(handler);
        let mut cursor = Cursor::of(line, "chance PROBABILITY")?;
        cursor.next();
        let probability = probability(&mut cursor, self.names)?;
        cursor.finish()?;
        handler.branches += 1;
        let number = handler.branches;
        let then = self.arm(line, handler, Some(format!("chance{number}")))?;
        fronts.join(handler);
        let mut otherwise = None;
        if let [next, after @ ..] = rest
            && first_word(next) == "else"
        {
            let mut cursor = Cursor::of(next, "else")?;
            cursor.next();
            cursor.finish()?;
            otherwise = Some(self.arm(next, handler, Some(format!("else{number}")))?);
            fronts.join(handler);
            rest = after;
        }
        fronts.settle(handler);
        effects.push(Effect::Chance(probability, then, otherwise));
        Ok(rest)
    }

    /// Reads `after TIME`.
    pub(super) fn after(&mut self, line: &Line, handler: &mut Handler) -> Checked<Effect> {
        let mut cursor = Cursor::of(line, "after 500ms")?;
        cursor.next();
        let time = cursor.time("a time such as `500ms`")?;
        cursor.finish()?;
        let fronts = Fronts::at(handler);
        let block = self.arm(line, handler, None)?;
        fronts.later(handler);
        Ok(Effect::After(time, block))
    }

    /// Reads `fetch LATENCY fail PROBABILITY` with `reply` and `error` under it.
    pub(super) fn fetch(&mut self, line: &Line, handler: &mut Handler) -> Checked<Effect> {
        let mut cursor = Cursor::of(line, "fetch 400ms fail 0.1")?;
        cursor.next();
        let latency = latency(&mut cursor)?;
        let fail = if cursor.eat_word("fail") {
            probability(&mut cursor, self.names)?
        } else {
            Probability::Fixed(0.0)
        };
        cursor.finish()?;
        let [reply, error] = self.outcomes(line, handler, ["reply", "error"])?;
        let reply = reply.unwrap_or_else(|| self.add(Vec::new()));
        Ok(Effect::Fetch { latency, fail, reply, error })
    }

    /// Reads `ask PERMISSION` with `granted` and `denied` under it.
    pub(super) fn ask(&mut self, line: &Line, handler: &mut Handler) -> Checked<Effect> {
        inside_activity(line, "ask", handler.activity)?;
        let mut cursor = Cursor::of(line, "ask PERMISSION")?;
        cursor.next();
        let permission = self.names.permission(cursor.name("the name of a permission")?)?;
        cursor.finish()?;
        if line.children.is_empty() {
            return Ok(Effect::Ask(permission, None, None));
        }
        let [granted, denied] = self.outcomes(line, handler, ["granted", "denied"])?;
        Ok(Effect::Ask(permission, granted, denied))
    }

    /// Reads the two blocks of something that turns out one way or the other, later.
    fn outcomes(
        &mut self,
        line: &Line,
        handler: &mut Handler,
        words: [&'static str; 2],
    ) -> Checked<[Option<BlockId>; 2]> {
        let [good, bad] = words;
        handler.branches += 1;
        let number = handler.branches;
        let mut blocks = [None, None];
        if line.children.is_empty() {
            let shown = quote(&line.text);
            return Err(line
                .place
                .fault(format!("{shown} leads to nothing; indent `{good}` or `{bad}` under it")));
        }
        for child in &line.children {
            let which = words.iter().position(|word| *word == first_word(child));
            let Some(which) = which else {
                let shown = quote(&child.text);
                let message = format!("{shown} cannot stand here; put it under `{good}` or `{bad}`");
                return Err(child.place.fault(message));
            };
            let mut cursor = Cursor::of(child, words[which])?;
            cursor.next();
            cursor.finish()?;
            if blocks[which].is_some() {
                return Err(child.place.fault(format!("`{}` stands here twice; join the two", words[which])));
            }
            let fronts = Fronts::at(handler);
            blocks[which] = Some(self.arm(child, handler, Some(format!("{}{number}", words[which])))?);
            fronts.later(handler);
        }
        Ok(blocks)
    }
}

/// Which window is in front after arms that may each have shown another one.
struct Fronts {
    before: Option<WindowId>,
    moved: bool,
}

impl Fronts {
    fn at(handler: &Handler) -> Self {
        Self { before: handler.front, moved: false }
    }

    /// An arm is over; the next one starts where it did.
    fn join(&mut self, handler: &mut Handler) {
        self.moved |= handler.front != self.before;
        handler.front = self.before;
    }

    /// All arms are over.
    fn settle(&self, handler: &mut Handler) {
        if self.moved {
            handler.front = None;
        }
    }

    /// What an arm does later has no bearing on the lines that follow it.
    fn later(&self, handler: &mut Handler) {
        handler.front = self.before;
    }
}

/// Reads a probability: a number from 0 to 1, or the name of a knob.
fn probability(cursor: &mut Cursor<'_>, names: &Names) -> Checked<Probability> {
    let place = cursor.place();
    if cursor.peek_word().is_none() {
        let number = cursor.number("a probability from 0 to 1, or a knob")?;
        check_probability(number, place)?;
        return Ok(Probability::Fixed(number));
    }
    let name = cursor.name("a probability")?;
    let knob = KnobId(names.known_knobs.find(name)?);
    if names.knobs[knob.index()].probability {
        return Ok(Probability::Knob(knob));
    }
    let text = name.text;
    Err(place
        .fault(format!("the knob `{text}` is no probability; declare it as `knob {text} = 0.0 probability`")))
}

/// Reads how long something takes.
fn latency(cursor: &mut Cursor<'_>) -> Checked<Latency> {
    match cursor.peek_word() {
        Some("uniform") => {
            cursor.usage("fetch uniform 100ms 2s");
            cursor.next();
            let shortest = cursor.time("the shortest time")?;
            let place = cursor.place();
            let longest = cursor.time("the longest time")?;
            if longest < shortest {
                return Err(place.fault("the longest time is shorter than the shortest; swap the two"));
            }
            Ok(Latency::Uniform(shortest, longest))
        }
        Some("lognormal") => {
            cursor.usage("fetch lognormal 400ms 0.5");
            cursor.next();
            let median = cursor.time("the median time")?;
            let place = cursor.place();
            let spread = cursor.number("the spread")?;
            if !(0.0..=5.0).contains(&spread) {
                return Err(
                    place.fault(format!("a spread lies between 0 and 5, and {spread} does not; try `0.5`"))
                );
            }
            Ok(Latency::Lognormal(median, spread))
        }
        _ => cursor.time("a time, `uniform` or `lognormal`").map(Latency::Fixed),
    }
}
