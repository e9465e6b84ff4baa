//! A script is carried out.

use std::collections::BTreeMap;
use std::io;
use std::thread::{self, ScopedJoinHandle};

use super::builtin;
use super::io::{CancelFlag, Input, Streams};
use super::parse::{ParseError, parse};
use super::pipe::pipe;
use super::tree::{Body, Item, Link, Script, Stage, Word};
use crate::command;
use crate::files::FileNode;
use crate::phone::Phone;
use crate::transport::Broken;

/// Shells may stand so deep in each other.
const DEEPEST: u32 = 24;
/// Commands in one pipe.
const MOST_STAGES: usize = 32;
/// What the shell's complaints begin with.
pub(super) const NAME: &str = "/system/bin/sh";
/// Variables of a shell.
const MOST_VARS: usize = 1_000;

/// Why a script ends before its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// Nobody reads what it writes.
    Broken,
    /// It was told to.
    Exit(u8),
}

/// The status that a command ends with, or why everything ends.
pub(crate) type CommandOutcome = Result<u8, End>;

/// A shell: what its scripts share.
#[derive(Clone)]
pub(crate) struct Shell {
    pub(crate) phone: Phone,
    pub(crate) cancel: CancelFlag,
    pub(super) vars: BTreeMap<String, String>,
    pub(crate) folder: String,
    pub(super) status: u8,
    depth: u32,
}

/// A command at work.
pub(crate) struct Process<'a> {
    pub(crate) shell: &'a mut Shell,
    pub(crate) streams: &'a Streams,
    /// Its name, and its arguments.
    pub(crate) words: &'a [String],
}

impl From<Broken> for End {
    fn from(_: Broken) -> Self {
        Self::Broken
    }
}

impl Shell {
    pub(crate) fn new(phone: Phone, cancel: CancelFlag) -> Self {
        let vars = [
            ("ANDROID_DATA", "/data"),
            ("ANDROID_ROOT", "/system"),
            ("EXTERNAL_STORAGE", "/sdcard"),
            ("HOME", "/"),
            ("HOSTNAME", phone.settings().android.product_and_device().1),
            ("LOGNAME", "shell"),
            ("PATH", "/product/bin:/apex/com.android.runtime/bin:/system/bin:/system/xbin:/vendor/bin"),
            ("SHELL", "/bin/sh"),
            ("TERM", "dumb"),
            ("TMPDIR", "/data/local/tmp"),
            ("USER", "shell"),
        ];
        let vars = vars.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Self { phone, cancel, vars, folder: "/".into(), status: 0, depth: 0 }
    }

    /// Runs a script. What it is not is said, as the shell says it.
    pub(crate) fn run(&mut self, text: &str, streams: &Streams) -> CommandOutcome {
        match parse(text) {
            Ok(script) => self.carry_out(&script, streams),
            Err(error) => {
                streams.err.line(format!("{NAME}: syntax error: {error}"))?;
                Ok(1)
            }
        }
    }

    /// Whether more text is needed before this can run.
    pub(super) fn is_incomplete(text: &str) -> bool {
        parse(text) == Err(ParseError::Incomplete)
    }

    /// The value of a variable.
    pub(crate) fn var(&self, name: &str) -> Option<String> {
        match name {
            "?" => Some(self.status.to_string()),
            "PWD" => Some(self.folder.clone()),
            _ => self.vars.get(name).cloned(),
        }
    }

    pub(crate) fn set_var(&mut self, name: &str, value: &str) {
        if self.vars.len() < MOST_VARS || self.vars.contains_key(name) {
            self.vars.insert(name.to_owned(), value.to_owned());
        }
    }

    /// A shell inside this one.
    pub(super) fn deeper(&self) -> Result<Self, End> {
        if self.depth >= DEEPEST {
            return Err(End::Exit(1));
        }
        Ok(Self { depth: self.depth + 1, ..self.clone() })
    }

    pub(super) fn carry_out(&mut self, script: &Script, streams: &Streams) -> CommandOutcome {
        for item in &script.0 {
            if self.cancel.is_set() {
                return Err(End::Broken);
            }
            self.status = self.item(item, streams)?;
        }
        Ok(self.status)
    }

    fn item(&mut self, item: &Item, streams: &Streams) -> CommandOutcome {
        let mut status = self.pipeline(&item.first, streams)?;
        for (link, pipeline) in &item.rest {
            if (status == 0) == (*link == Link::And) {
                self.status = status;
                status = self.pipeline(pipeline, streams)?;
            }
        }
        Ok(status)
    }

    fn pipeline(&mut self, stages: &[Stage], streams: &Streams) -> CommandOutcome {
        match stages {
            [only] => self.stage(only, streams),
            stages if stages.len() > MOST_STAGES => {
                streams.err.line(format!("{NAME}: too many commands in a pipe"))?;
                Ok(1)
            }
            stages => self.piped(stages, streams),
        }
    }

    /// Runs commands side by side, each reading what the one before writes.
    fn piped<'s>(&mut self, stages: &'s [Stage], streams: &Streams) -> CommandOutcome {
        let mut input = streams.input.clone();
        let mut parts = Vec::new();
        for (number, stage) in stages.iter().enumerate() {
            let (out, next) =
                if number + 1 < stages.len() { pipe() } else { (streams.out.clone(), Input::nothing()) };
            let own = Streams { input: std::mem::replace(&mut input, next), out, err: streams.err.clone() };
            parts.push((self.deeper()?, stage, own));
        }
        let results = thread::scope(|scope| {
            let start = |(mut shell, stage, own): (Self, &'s Stage, Streams)| {
                thread::Builder::new().spawn_scoped(scope, move || shell.stage(stage, &own))
            };
            let started: Vec<_> = parts.into_iter().map(start).collect();
            let status = |started: io::Result<ScopedJoinHandle<'_, CommandOutcome>>| match started {
                Ok(stage) => stage.join().unwrap_or(Ok(1)),
                Err(_) => Ok(1),
            };
            started.into_iter().map(status).collect::<Vec<CommandOutcome>>()
        });
        match results.last() {
            Some(Ok(status) | Err(End::Exit(status))) => Ok(*status),
            _ => Err(End::Broken),
        }
    }

    fn stage(&mut self, stage: &Stage, streams: &Streams) -> CommandOutcome {
        if stage.redirects.is_empty() {
            return self.body(&stage.body, streams);
        }
        let Some(redirected) = self.redirected(&stage.redirects, streams)? else { return Ok(1) };
        match self.body(&stage.body, &redirected) {
            // A file that takes no more is the command's misfortune, not the shell's.
            Err(End::Broken) if stage.writes_file() && !self.cancel.is_set() => Ok(1),
            other => other,
        }
    }

    fn body(&mut self, body: &Body, streams: &Streams) -> CommandOutcome {
        match body {
            Body::Simple { assigns, words } => self.simple(assigns, words, streams),
            Body::Subshell(script) => match self.deeper()?.carry_out(script, streams) {
                Err(End::Exit(status)) => Ok(status),
                other => other,
            },
        }
    }

    fn simple(&mut self, assigns: &[(String, Word)], words: &[Word], streams: &Streams) -> CommandOutcome {
        let values: Vec<_> = assigns.iter().map(|(name, word)| (name, self.expand_text(word))).collect();
        let words = self.expand(words);
        // What stands before a command is set for that command only.
        let kept = (!words.is_empty() && !values.is_empty()).then(|| self.vars.clone());
        for (name, value) in values {
            self.set_var(name, &value);
        }
        let outcome = self.execute(&words, streams);
        if let Some(kept) = kept {
            self.vars = kept;
        }
        outcome
    }

    pub(crate) fn execute(&mut self, words: &[String], streams: &Streams) -> CommandOutcome {
        let Some(name) = words.first() else { return Ok(0) };
        let failure = self.phone.failure(&words.join(" "));
        let mut process = Process { shell: self, streams, words };
        if let Some(says) = failure {
            return process.done(says);
        }
        if let Some(outcome) = builtin::run(&mut process, name) {
            return outcome;
        }
        match command::find(name) {
            Some(run) => run(&mut process),
            None => process.not_a_program(name),
        }
    }
}

impl Process<'_> {
    pub(crate) fn args(&self) -> &[String] {
        self.words.get(1..).unwrap_or_default()
    }

    pub(crate) fn name(&self) -> &str {
        self.words.first().map_or("", |name| crate::files::name(name))
    }

    pub(crate) fn phone(&self) -> &Phone {
        &self.shell.phone
    }

    /// Writes to the output.
    pub(crate) fn put(&self, data: impl AsRef<[u8]>) -> Result<(), End> {
        Ok(self.streams.out.put(data)?)
    }

    /// Writes a line to the output.
    pub(crate) fn say(&self, text: impl AsRef<str>) -> Result<(), End> {
        Ok(self.streams.out.line(text)?)
    }

    /// Writes to the output, and ends well.
    pub(crate) fn done(&self, data: impl AsRef<[u8]>) -> CommandOutcome {
        self.put(data)?;
        Ok(0)
    }

    /// Writes a line to the errors, and ends with this status.
    pub(crate) fn fail(&self, status: u8, text: impl AsRef<str>) -> CommandOutcome {
        self.streams.err.line(text)?;
        Ok(status)
    }

    /// The path that an argument means.
    pub(crate) fn path(&self, argument: &str) -> String {
        crate::files::join(&self.shell.folder, argument)
    }

    /// Runs another command in place of this one.
    pub(crate) fn instead(&mut self, words: &[String]) -> CommandOutcome {
        let mut shell = self.shell.deeper()?;
        shell.execute(words, self.streams)
    }

    fn not_a_program(&self, name: &str) -> CommandOutcome {
        let old = self.phone().settings().android.api() < 29;
        if name.contains('/') {
            let path = self.path(name);
            let found = self.phone().with(|state| state.world.files.stat(&path).map(FileNode::is_folder));
            match found {
                Ok(true) => return self.fail(126, format!("{NAME}: {name}: can't execute: Is a directory")),
                Ok(false) => {
                    return self.fail(126, format!("{NAME}: {name}: can't execute: Permission denied"));
                }
                Err(_) => {}
            }
        }
        let why = if old { "not found" } else { "inaccessible or not found" };
        self.fail(127, format!("{NAME}: {name}: {why}"))
    }
}
