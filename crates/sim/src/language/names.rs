//! The names of an app, gathered before anything is read that uses them: names may be used above the line that
//! declares them.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::{ActivityId, Knob, KnobId, PermissionId, ValueKind, Var, VarId, WindowKind};

use super::cursor::Name;
use super::error::{Checked, Fault, Place, quote};
use super::limit;
use retap_trace::did_you_mean;

/// Words with a meaning of their own in expressions.
pub(super) const RESERVED: [&str; 12] =
    ["true", "false", "not", "and", "or", "has", "len", "item", "index", "landscape", "online", "granted"];

/// Things of one kind by their names.
#[derive(Debug)]
pub(super) struct Table {
    /// What kind, with its article: "a", "variable".
    noun: (&'static str, &'static str),
    /// How to declare one.
    declare: &'static str,
    entries: BTreeMap<Arc<str>, (u16, Place)>,
}

#[derive(Debug)]
pub(super) struct Names {
    pub(super) package: Arc<str>,
    pub(super) vars: Vec<Var>,
    /// Variables of the whole app.
    pub(super) globals: Table,
    /// Variables of each activity.
    pub(super) locals: Vec<Table>,
    /// The activity that declares a variable of this name first, and where.
    owners: BTreeMap<Arc<str>, (ActivityId, Place)>,
    pub(super) knobs: Vec<Knob>,
    pub(super) known_knobs: Table,
    pub(super) permissions: Table,
    pub(super) timers: Table,
    pub(super) receivers: Table,
    pub(super) activities: Table,
    /// Screens, dialogs and menus of each activity.
    pub(super) windows: Vec<Table>,
    pub(super) window_kinds: Vec<WindowKind>,
}

/// What a name in an expression stands for.
pub(super) enum Symbol {
    Var(VarId),
    Knob(KnobId),
}

impl Table {
    pub(super) fn new(article: &'static str, noun: &'static str, declare: &'static str) -> Self {
        Self { noun: (article, noun), declare, entries: BTreeMap::new() }
    }

    /// A table of the variables of the app or of one activity.
    pub(super) fn of_variables() -> Self {
        Self::new("a", "variable", "var NAME KIND = VALUE")
    }

    /// A table of the windows of one activity.
    pub(super) fn of_windows() -> Self {
        Self::new("a", "screen, dialog or menu", "screen NAME \"TITLE\"")
    }

    /// Adds a name that is not taken yet. Numbers are given by the caller: two tables may share them.
    pub(super) fn add(&mut self, name: Name<'_>, number: usize) -> Checked<u16> {
        let Some(id) = limit::number(number) else {
            let (limit, (_, noun)) = (limit::THINGS, self.noun);
            return Err(name.place.fault(format!("this {noun} is one too many; an app has at most {limit}")));
        };
        self.refuse(name)?;
        self.entries.insert(name.text.into(), (id, name.place));
        Ok(id)
    }

    /// Adds a name and numbers it in turn.
    pub(super) fn append(&mut self, name: Name<'_>) -> Checked<u16> {
        self.add(name, self.entries.len())
    }

    pub(super) fn get(&self, name: &str) -> Option<u16> {
        self.entries.get(name).map(|(id, _)| *id)
    }

    /// The number of a name that must be known.
    pub(super) fn find(&self, name: Name<'_>) -> Checked<u16> {
        self.get(name.text).ok_or_else(|| self.unknown(name, self.names()))
    }

    /// Refuses a name that this table has already.
    fn refuse(&self, name: Name<'_>) -> Checked<()> {
        self.entries.get(name.text).map_or(Ok(()), |(_, first)| Err(self.taken(name, *first)))
    }

    /// All names, in alphabetical order.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(|name| &**name)
    }

    /// All names by their number, for a table that numbers them in turn.
    pub(super) fn in_order(&self) -> Vec<Arc<str>> {
        let mut names: Vec<(u16, &Arc<str>)> =
            self.entries.iter().map(|(name, (id, _))| (*id, name)).collect();
        names.sort_unstable();
        names.into_iter().map(|(_, name)| name.clone()).collect()
    }

    fn unknown<'n>(&self, name: Name<'_>, known: impl Iterator<Item = &'n str>) -> Fault {
        let fix = did_you_mean(name.text, known)
            .unwrap_or_else(|| format!("; declare one with `{}`", self.declare));
        name.place.fault(format!("no {} is called {}{fix}", self.noun.1, quote(name.text)))
    }

    fn taken(&self, name: Name<'_>, first: Place) -> Fault {
        let (article, noun) = self.noun;
        let message =
            format!("{} is the name of {article} {noun} already; rename or remove one", quote(name.text));
        name.place.fault(message).after_first(first)
    }
}

impl Names {
    pub(super) fn new() -> Self {
        Self {
            package: "".into(),
            vars: Vec::new(),
            globals: Table::of_variables(),
            locals: Vec::new(),
            owners: BTreeMap::new(),
            knobs: Vec::new(),
            known_knobs: Table::new("a", "knob", "knob NAME = NUMBER"),
            permissions: Table::new("a", "permission", "permission android.permission.NAME"),
            timers: Table::new("a", "timer", "timer NAME every TIME"),
            receivers: Table::new("a", "receiver", "on system \"ACTION\""),
            activities: Table::new("an", "activity", "activity NAME"),
            windows: Vec::new(),
            window_kinds: Vec::new(),
        }
    }

    /// Refuses a name that hides a variable or knob; with `everywhere`, also one of any activity.
    pub(super) fn refuse(&self, name: Name<'_>, everywhere: bool) -> Checked<()> {
        self.known_knobs.refuse(name)?;
        self.globals.refuse(name)?;
        match self.owners.get(name.text) {
            Some((_, first)) if everywhere => Err(self.globals.taken(name, *first)),
            _ => Ok(()),
        }
    }

    /// Adds a variable of an activity.
    pub(super) fn add_local(&mut self, activity: ActivityId, name: Name<'_>, number: usize) -> Checked<()> {
        self.locals[activity.index()].add(name, number)?;
        self.owners.entry(name.text.into()).or_insert((activity, name.place));
        Ok(())
    }

    /// What a name in an expression stands for, as seen from an activity or from outside all of them.
    pub(super) fn symbol(&self, name: Name<'_>, from: Option<ActivityId>) -> Checked<Symbol> {
        if let Some(var) = self.visible_var(name.text, from) {
            return Ok(Symbol::Var(var));
        }
        if let Some(knob) = self.known_knobs.get(name.text) {
            return Ok(Symbol::Knob(KnobId(knob)));
        }
        Err(self.unknown_var(name, from, self.known_knobs.names().chain(RESERVED)))
    }

    /// A variable, as seen from an activity or from outside all of them.
    pub(super) fn var(&self, name: Name<'_>, from: Option<ActivityId>) -> Checked<VarId> {
        match self.visible_var(name.text, from) {
            Some(var) => Ok(var),
            None if self.known_knobs.get(name.text).is_some() => Err(name.place.fault(format!(
                "{} is a knob, which only the device turns; declare a variable for this",
                quote(name.text)
            ))),
            None => Err(self.unknown_var(name, from, std::iter::empty())),
        }
    }

    /// A variable of a certain kind; `who` needs it: "a `field`".
    pub(super) fn var_of(
        &self,
        name: Name<'_>,
        from: Option<ActivityId>,
        kind: ValueKind,
        who: &str,
    ) -> Checked<VarId> {
        let var = self.var(name, from)?;
        let found = self.kind(var);
        if found == kind {
            return Ok(var);
        }
        let shown = quote(name.text);
        let message = format!("{who} needs a {kind} variable, and {shown} is {}", with_article(found));
        Err(name.place.fault(format!("{message}; name another or change its kind")))
    }

    pub(super) fn kind(&self, var: VarId) -> ValueKind {
        self.vars[var.index()].initial.kind()
    }

    /// A permission by its full name or the last part of it.
    pub(super) fn permission(&self, name: Name<'_>) -> Checked<PermissionId> {
        let last = |full: &str| full.rsplit('.').next() == Some(name.text);
        let short =
            || self.permissions.names().find(|full| last(full)).and_then(|full| self.permissions.get(full));
        let found = self.permissions.get(name.text).or_else(short);
        let known =
            || self.permissions.names().flat_map(|full| [Some(full), full.rsplit('.').next()]).flatten();
        found.map(PermissionId).ok_or_else(|| self.permissions.unknown(name, known()))
    }

    /// The activity that has a window of this name, if it is another one than `own`.
    pub(super) fn elsewhere(&self, window: &str, own: ActivityId) -> Option<ActivityId> {
        let mut others = self.windows.iter().enumerate().filter(|(activity, _)| *activity != own.index());
        let (activity, _) = others.find(|(_, windows)| windows.get(window).is_some())?;
        u16::try_from(activity).ok().map(ActivityId)
    }

    /// The name of an activity as the file writes it.
    pub(super) fn activity_name(&self, id: ActivityId) -> &str {
        self.activities.entries.iter().find(|(_, (number, _))| *number == id.0).map_or("", |(name, _)| name)
    }

    fn visible_var(&self, name: &str, from: Option<ActivityId>) -> Option<VarId> {
        let local = from.and_then(|activity| self.locals.get(activity.index())?.get(name));
        local.or_else(|| self.globals.get(name)).map(VarId)
    }

    fn unknown_var<'n>(
        &'n self,
        name: Name<'_>,
        from: Option<ActivityId>,
        more: impl Iterator<Item = &'n str>,
    ) -> Fault {
        if let Some((owner, _)) = self.owners.get(name.text) {
            let owner = self.activity_name(*owner);
            return name.place.fault(format!(
                "the variable {} belongs to {owner} and is not seen here; declare it outside the activities",
                quote(name.text)
            ));
        }
        let local = from.and_then(|activity| self.locals.get(activity.index()));
        let known = local.into_iter().flat_map(Table::names).chain(self.globals.names());
        self.globals.unknown(name, known.chain(more))
    }
}

/// `a text`, `an int`.
pub(super) fn with_article(kind: ValueKind) -> String {
    match kind {
        ValueKind::Int => "an int".to_owned(),
        other => format!("a {other}"),
    }
}
