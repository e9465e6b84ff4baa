//! The ends an app can come to: `crash`, `native` and `hang`, with the stacks they print.

use retap_trace::{CrashKind, Frame};

use crate::app::{CrashSite, Effect, SiteId, Template};
use crate::machine::SIGNALS;

use super::code::{Code, Handler, first_word};
use super::cursor::Cursor;
use super::error::{Checked, quote};
use super::limit;
use super::lines::Line;
use super::template::template;

impl Code<'_> {
    /// Reads `crash CLASS "MESSAGE" cause CLASS` and its frames.
    pub(super) fn crash(&mut self, line: &Line, handler: &Handler) -> Checked<Effect> {
        let mut cursor = Cursor::of(line, "crash EXCEPTION \"MESSAGE\" cause EXCEPTION")?;
        cursor.next();
        let exception = cursor.name("the class of the exception")?.text.to_owned();
        let message = self.message(&mut cursor, handler)?;
        let mut cause = None;
        if cursor.eat_word("cause") {
            cause = Some(cursor.name("the class of the cause")?.text.to_owned());
        }
        cursor.finish()?;
        let frames = self.frames(line, handler, java_frame)?;
        self.site(line, CrashSite { kind: CrashKind::Java, exception, message, cause, frames })
            .map(Effect::Crash)
    }

    /// Reads `native SIGNAL "MESSAGE"` and its frames.
    pub(super) fn native(&mut self, line: &Line, handler: &Handler) -> Checked<Effect> {
        let mut cursor = Cursor::of(line, "native SIGSEGV \"MESSAGE\"")?;
        cursor.next();
        let exception =
            cursor.one_of("a signal that ends an app", &SIGNALS.map(|(name, ..)| (name, name)))?.to_owned();
        let message = self.message(&mut cursor, handler)?;
        cursor.finish()?;
        let frames = self.frames(line, handler, native_frame)?;
        self.site(line, CrashSite { kind: CrashKind::Native, exception, message, cause: None, frames })
            .map(Effect::Crash)
    }

    /// Reads `hang "MESSAGE"` and its frames.
    pub(super) fn hang(&mut self, line: &Line, handler: &Handler) -> Checked<Effect> {
        let mut cursor = Cursor::of(line, "hang \"MESSAGE\"")?;
        cursor.next();
        let message = self.message(&mut cursor, handler)?;
        cursor.finish()?;
        let frames = self.frames(line, handler, java_frame)?;
        let exception = "ANR".to_owned();
        self.site(line, CrashSite { kind: CrashKind::Anr, exception, message, cause: None, frames })
            .map(Effect::Hang)
    }

    fn message(&self, cursor: &mut Cursor<'_>, handler: &Handler) -> Checked<Template> {
        if cursor.peek_text() {
            return template(cursor, "a message", self.view(handler));
        }
        Ok(Template::default())
    }

    /// Reads the `at` lines; without any, the stack is one frame that names the handler and the line.
    fn frames(
        &self,
        line: &Line,
        handler: &Handler,
        made: fn(&str, &str, u32) -> String,
    ) -> Checked<Vec<Frame>> {
        if line.children.is_empty() {
            let frame = made(&self.names.package, &handler.name, line.place.line);
            return Ok(vec![Frame(frame)]);
        }
        line.children.iter().map(frame).collect()
    }

    fn site(&mut self, line: &Line, site: CrashSite) -> Checked<SiteId> {
        let message = || format!("an app crashes in at most {} places; remove some", limit::THINGS);
        let id = limit::number(self.sites.len()).ok_or_else(|| line.place.fault(message()))?;
        self.sites.push(site);
        Ok(SiteId(id))
    }
}

/// Reads `at FRAME`. A frame is taken as it stands, up to a comment: stacks have a grammar of their own.
fn frame(line: &Line) -> Checked<Frame> {
    let text = line.text.split(" #").next().unwrap_or_default();
    let frame = text.strip_prefix("at ").unwrap_or_default().trim();
    if first_word(line) != "at" || frame.is_empty() {
        let shown = quote(&line.text);
        let message =
            format!("{shown} is no frame of a stack; write `at org.example.Main.save(Main.java:41)`");
        return Err(line.place.fault(message));
    }
    if let Some(child) = line.children.first() {
        return Err(child.place.fault("nothing can be indented under a frame; move this line to the left"));
    }
    Ok(Frame(frame.to_owned()))
}

/// `org.example.todo.MainActivity.onListAddTap(MainActivity.java:41)`.
fn java_frame(package: &str, handler: &str, line: u32) -> String {
    let (class, rest) = handler.split_once('.').unwrap_or(("App", handler));
    let (class, rest) = if class.starts_with(char::is_lowercase) { ("App", handler) } else { (class, rest) };
    format!("{package}.{class}.{}({class}.java:{line})", method(rest))
}

/// `libtodo.so onListAddTap+41`.
fn native_frame(package: &str, handler: &str, line: u32) -> String {
    let library = package.rsplit('.').next().unwrap_or(package);
    let rest = handler.split_once('.').map_or(handler, |(_, rest)| rest);
    format!("lib{library}.so {}+{line}", method(rest))
}

/// The name of a handler as Java would write it: `list.add.long_tap` is `onListAddLongTap`.
fn method(handler: &str) -> String {
    let mut name = "on".to_owned();
    for word in handler.split(|char: char| !char.is_alphanumeric()) {
        let mut letters = word.chars();
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    name
}
