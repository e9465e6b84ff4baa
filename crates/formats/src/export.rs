//! Traces as tests of other tools.
//!
//! An exporter is a template in `templates` and a line in [`EXPORTERS`]. The template decides everything about the target
//! tool; it is given [facts](facts::Facts) of the trace, quotes of the target's language, and two functions: `refuse` ends
//! the export where the tool cannot express a step, `warn` says what the test cannot check. Users put a template of
//! their own in the place of ours.

mod facts;
mod locator;
mod quote;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior, Value, context};
use retap_trace::{Target, Trace};

use facts::Facts;

pub use quote::code_span;

/// A tool that a trace can be written down for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exporter {
    /// What `--as` calls it.
    pub name: &'static str,
    /// What it is, for people.
    pub about: &'static str,
    /// How the names of its files end.
    pub extension: &'static str,
    file: FileName,
    reader: Reader,
    template: &'static str,
}

/// What the file of a test is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileName {
    /// As its trace, with the name of the exporter in front of the ending.
    Trace,
    /// As its trace, with `spec` in front of the ending: tests in TypeScript are found by that.
    Spec,
    /// `test_` and its trace, as a module: pytest looks for files that begin so, and imports them.
    Module,
    /// As the class in it, with this behind the class: Kotlin's files are.
    Class(&'static str),
}

/// Who carries a test out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reader {
    /// A tool that looks for a widget by its text, its description or its hint, whichever the test names.
    Program,
    /// A tool that looks for words wherever they may be.
    Words,
    /// People, who find a widget by what a step says of it.
    People,
}

macro_rules! exporters {
    ($($name:literal $extension:literal $file:expr, $reader:expr, $about:literal;)*) => {
        &[$(Exporter {
            name: $name,
            about: $about,
            extension: $extension,
            file: $file,
            reader: $reader,
            template: include_str!(concat!("export/templates/", $name, ".jinja")),
        }),*]
    };
}

/// Every tool that a trace can be written down for.
pub const EXPORTERS: &[Exporter] = exporters! {
    "maestro" "yaml" FileName::Trace, Reader::Words, "a Maestro flow";
    "appium" "py" FileName::Module, Reader::Program, "a test for pytest with Appium's Python client";
    "webdriverio" "ts" FileName::Spec, Reader::Program, "a WebdriverIO test in TypeScript, for Appium";
    "uiautomator" "kt" FileName::Class("UiAutomatorTest"), Reader::Program, "a UI Automator test in Kotlin (AndroidX)";
    "espresso" "kt" FileName::Class("EspressoTest"), Reader::Program, "an Espresso test in Kotlin (AndroidX)";
    "adb" "sh" FileName::Trace, Reader::Program, "a shell script that needs adb alone";
    "monkey" "txt" FileName::Trace, Reader::Program, "a script for Android's Monkey";
    "text" "txt" FileName::Trace, Reader::People, "the steps in words";
    "markdown" "md" FileName::Trace, Reader::People, "the steps in words, for a bug report";
};

impl Exporter {
    /// Whether the file of a test is a program, to be run by its name.
    pub fn is_program(&self) -> bool {
        self.extension == "sh"
    }

    /// What the file of a test is called: after the file of its trace, or after the crash where that is called as every
    /// reduced trace is; and as the tool wants it, where it goes by names.
    pub fn file_name(&self, file: &Path, trace: &Trace) -> String {
        let (own, name) = (stem(file), facts::test_name(trace));
        let called = if own == REDUCED { name } else { own };
        let base = match self.file {
            FileName::Trace => format!("{called}.{}", self.name),
            FileName::Spec => format!("{called}.spec"),
            FileName::Module => {
                format!("test_{}", called.replace(|letter: char| !letter.is_alphanumeric(), "_"))
            }
            FileName::Class(kind) => format!("{}{kind}", class(file, trace)),
        };
        format!("{base}.{}", self.extension)
    }
}

/// What every reduced trace is called.
const REDUCED: &str = "reduced";

/// The name of the file of a trace, without its ending. A trace from stdin has no name of its own either.
fn stem(file: &Path) -> String {
    if file.as_os_str() == "-" {
        return REDUCED.to_owned();
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    name.strip_suffix(".trace.jsonl").unwrap_or(&name).to_owned()
}

/// The class of a test, after the crash; after the file where there is none, so that the tests of several traces of an app
/// are several.
fn class(file: &Path, trace: &Trace) -> String {
    let crashes = trace.crash().is_some() || matches!(trace.header.target, Some(Target::Crash(_)));
    let own = stem(file).replace(|letter: char| !letter.is_ascii_alphanumeric(), "_");
    if crashes || own == REDUCED {
        return facts::class_name(&facts::test_name(trace));
    }
    let name = facts::class_name(&own);
    if name.starts_with(|letter: char| letter.is_ascii_alphabetic()) { name } else { format!("Trace{name}") }
}

/// What the test expects of the app.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Expect {
    /// That it does not crash: the test fails until the crash is mended.
    #[default]
    NoCrash,
    /// That it crashes: the test passes while the crash is there.
    Crash,
}

/// What is to be exported.
#[derive(Debug, Clone, Copy)]
pub struct Export<'a> {
    /// All of it, from the start of the app.
    pub trace: &'a Trace,
    /// What the test expects.
    pub expect: Expect,
    /// A template in the place of the exporter's own.
    pub template: Option<&'a str>,
}

/// A test, and what it cannot do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// The file.
    pub text: String,
    /// What the user should know, each once.
    pub warnings: Vec<String>,
}

/// Why there is no test.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    /// The tool has no way to say it.
    #[error("{exporter} cannot express {what}")]
    Refused {
        /// The tool.
        exporter: &'static str,
        /// What it cannot express, and in which step.
        what: String,
    },
    /// The steps go on from those of another file.
    #[error("the trace goes on from {after}; export needs all steps from the start of the app")]
    NotWhole {
        /// The other file.
        after: String,
    },
    /// Nothing is done in the trace, and nothing comes of the start of the app.
    #[error("the trace has no steps, so a test of it would prove nothing")]
    NoSteps,
    /// Nothing in the trace is a crash.
    #[error("the trace has no crash that a test could expect; {}", if *.may_have { "reduce it first: then it has one" } else { "leave out --expect crash" })]
    NoCrash {
        /// Whether it is there to reach one.
        may_have: bool,
    },
    /// A template of the user is wrong, or refuses the trace.
    #[error("the template for {exporter}{}: {why}", at_line(*line))]
    Template {
        /// Whose place it takes.
        exporter: &'static str,
        /// Where it is wrong.
        line: Option<usize>,
        /// What is wrong, or why it refuses.
        why: String,
    },
}

/// The exporter of this name.
pub fn exporter(name: &str) -> Option<&'static Exporter> {
    EXPORTERS.iter().find(|exporter| exporter.name == name)
}

/// Writes the trace of a file down as a test, which is called after that file where no crash gives it a name.
pub fn export_file(
    exporter: &'static Exporter,
    file: &Path,
    export: &Export<'_>,
) -> Result<Exported, ExportError> {
    export_as(exporter, Some(class(file, export.trace)), export)
}

/// Writes a trace down as a test.
pub fn export(exporter: &'static Exporter, export: &Export<'_>) -> Result<Exported, ExportError> {
    export_as(exporter, None, export)
}

fn export_as(
    exporter: &'static Exporter,
    class: Option<String>,
    export: &Export<'_>,
) -> Result<Exported, ExportError> {
    if let Some(after) = &export.trace.header.after {
        return Err(ExportError::NotWhole { after: after.trace.clone() });
    }
    if export.trace.steps.is_empty() && export.trace.header.crash.is_none() {
        return Err(ExportError::NoSteps);
    }
    let facts = Facts::of(export.trace, export.expect, exporter.reader);
    if export.expect == Expect::Crash && !facts.has_crash() {
        return Err(ExportError::NoCrash { may_have: facts.any_crash });
    }
    if let Some(what) = facts.lost(exporter.reader) {
        return Err(ExportError::Refused { exporter: exporter.name, what: facts.with_the_fix(what) });
    }
    if let Some(what) = facts.unseen(exporter.reader).filter(|_| export.template.is_none()) {
        return Err(ExportError::Refused { exporter: exporter.name, what });
    }
    let said = Arc::new(Said::default());
    let text =
        render(exporter, export.template, (&facts, class), &said).map_err(|error| match said.refused() {
            Some(what) if export.template.is_none() => {
                ExportError::Refused { exporter: exporter.name, what: facts.with_the_fix(what) }
            }
            Some(why) => ExportError::Template { exporter: exporter.name, line: None, why },
            None => {
                ExportError::Template { exporter: exporter.name, line: error.line(), why: in_words(&error) }
            }
        })?;
    let mut warnings = facts.warnings(exporter.reader);
    warnings.extend(said.warnings());
    Ok(Exported { text, warnings })
}

fn render(
    exporter: &Exporter,
    template: Option<&str>,
    (facts, class): (&Facts, Option<String>),
    said: &Arc<Said>,
) -> Result<String, Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
    environment.set_syntax(syntax.build()?);
    environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
    quote::add(&mut environment);
    let (warned, refused) = (said.clone(), said.clone());
    environment.add_function("warn", move |what: String| warned.warn(what));
    environment.add_function("refuse", move |what: String| refused.refuse(what));
    environment.render_named_str(
        exporter.name,
        template.unwrap_or(exporter.template),
        match class {
            Some(class_name) => context! { class_name, ..Value::from(Serde(facts)) },
            None => Value::from(Serde(facts)),
        },
    )
}

/// What a template said while it was rendered.
#[derive(Debug, Default)]
struct Said {
    warnings: Mutex<Vec<String>>,
    refused: Mutex<Option<String>>,
}

impl Said {
    fn warn(&self, what: String) -> &'static str {
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        if !warnings.contains(&what) {
            warnings.push(what);
        }
        ""
    }

    fn refuse(&self, what: String) -> Result<String, Error> {
        let error = Error::new(ErrorKind::InvalidOperation, what.clone());
        *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(what);
        Err(error)
    }

    fn warnings(&self) -> Vec<String> {
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn refused(&self) -> Option<String> {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn in_words(error: &Error) -> String {
    let detail = error.detail().map_or_else(String::new, |detail| format!(": {detail}"));
    format!("{}{detail}", error.kind())
}

/// `, line 7` where the line is known: what an error says behind the name of a template.
pub fn at_line(line: Option<usize>) -> String {
    line.map_or_else(String::new, |line| format!(", line {line}"))
}
