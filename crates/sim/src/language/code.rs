//! Handlers and the blocks of effects in them.

use crate::app::{ActivityId, Block, BlockId, CrashSite, Effect, Window, WindowId};

use super::coverage::Coverage;
use super::cursor::Cursor;
use super::error::{Checked, quote};
use super::expression::View;
use super::lines::Line;
use super::names::Names;

/// The blocks, crash sites and coverage of an app while its handlers are read.
pub(super) struct Code<'n> {
    pub(super) names: &'n Names,
    pub(super) windows: &'n [Window],
    pub(super) blocks: Vec<Block>,
    pub(super) sites: Vec<CrashSite>,
    pub(super) coverage: Coverage,
}

/// The handler that is being read.
#[derive(Debug)]
pub(super) struct Handler {
    pub(super) activity: Option<ActivityId>,
    /// Whether it stands in the row of a list.
    pub(super) row: bool,
    /// The window in front at this point, where that is known.
    pub(super) front: Option<WindowId>,
    /// Its name in coverage: `MainActivity.list.add.tap`.
    pub(super) name: String,
    /// Branches so far; each has a number in coverage.
    pub(super) branches: u32,
    /// Whether coverage is automatic.
    pub(super) covered: bool,
}

impl Handler {
    /// A handler of an activity, or of the app when there is none.
    pub(super) fn new(activity: Option<ActivityId>, name: String) -> Self {
        Self { activity, row: false, front: None, name, branches: 0, covered: true }
    }
}

impl<'n> Code<'n> {
    pub(super) fn new(names: &'n Names, windows: &'n [Window]) -> Self {
        Self { names, windows, blocks: Vec::new(), sites: Vec::new(), coverage: Coverage::default() }
    }

    /// Reads the effects under an `on` line; `first` happens before them.
    pub(super) fn handler(
        &mut self,
        line: &Line,
        mut handler: Handler,
        first: Option<Effect>,
    ) -> Checked<BlockId> {
        let mut lines = below(line)?;
        if let [head, rest @ ..] = lines
            && first_word(head) == "uncovered"
        {
            let mut cursor = Cursor::of(head, "uncovered")?;
            cursor.next();
            cursor.finish_leaf(head)?;
            handler.covered = false;
            lines = rest;
        }
        let mut effects = Vec::new();
        if handler.covered {
            effects.push(self.coverage.automatic(handler.name.clone(), line.place)?);
        }
        effects.extend(first);
        self.fill(lines, &mut handler, &mut effects)?;
        Ok(self.add(effects))
    }

    /// Reads the effects of an arm, which is called `name` in coverage when it counts there.
    pub(super) fn arm(
        &mut self,
        line: &Line,
        handler: &mut Handler,
        name: Option<String>,
    ) -> Checked<BlockId> {
        let lines = below(line)?;
        let mut effects = Vec::new();
        if let Some(name) = name
            && handler.covered
        {
            effects.push(self.coverage.automatic(format!("{}/{name}", handler.name), line.place)?);
        }
        self.fill(lines, handler, &mut effects)?;
        Ok(self.add(effects))
    }

    pub(super) fn add(&mut self, effects: Vec<Effect>) -> BlockId {
        // Each block takes a line of a source that has fewer bytes than a u32 counts.
        let id = BlockId(u32::try_from(self.blocks.len()).unwrap_or(u32::MAX));
        self.blocks.push(effects.into());
        id
    }

    /// What expressions of this handler can name.
    pub(super) fn view(&self, handler: &Handler) -> View<'n> {
        View { names: self.names, activity: handler.activity, row: handler.row }
    }

    fn fill(&mut self, lines: &[Line], handler: &mut Handler, effects: &mut Vec<Effect>) -> Checked<()> {
        let mut rest = lines;
        while let [line, ..] = rest {
            if let Some(Effect::Crash(_) | Effect::Hang(_)) = effects.last() {
                let message = format!(
                    "{} never happens, since the app is gone after the line above",
                    quote(&line.text)
                );
                return Err(line.place.fault(format!("{message}; move it up or remove it")));
            }
            rest = self.effect(rest, handler, effects)?;
        }
        Ok(())
    }
}

/// The lines under one that needs some.
pub(super) fn below(line: &Line) -> Checked<&[Line]> {
    if line.children.is_empty() {
        let shown = quote(&line.text);
        let fix = "indent its effects under it by two spaces, or write `nothing` there";
        return Err(line.place.fault(format!("{shown} has no effects; {fix}")));
    }
    Ok(&line.children)
}

pub(super) fn first_word(line: &Line) -> &str {
    line.text.split(|char: char| !char.is_alphanumeric() && char != '_').next().unwrap_or_default()
}
