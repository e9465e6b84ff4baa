//! Device specifications: `sim:notes?profile=phone&drop=0.02&dialog=0.5`.
//!
//! A few knobs belong to every simulated device; all others must be knobs of the app, which are checked once the
//! app is there. Every refusal is one sentence that names the knob and says what it takes.

pub(crate) mod knob;
#[cfg(test)]
mod tests;

use std::str::FromStr;
use std::sync::Arc;

use crate::app::{App, KnobId, Latency};
use crate::fault::Faults;
use crate::language;
use crate::library;
use crate::machine::{Program, Settings};
use crate::profile::Profile;

/// A simulated device as a user asks for it.
#[derive(Debug, Clone, PartialEq)]
pub struct SimSpec {
    /// The specification as it was written.
    pub text: String,
    /// Where the app comes from.
    pub app: AppSource,
    /// What things cost.
    pub profile: Profile,
    /// How often a touch is lost.
    pub drop: f64,
    /// How long a new window takes to appear.
    pub latency: Latency,
    /// Whether lists begin in random order.
    pub order: bool,
    /// Whether variants are drawn.
    pub variants: bool,
    /// How the device fails.
    pub faults: Faults,
    /// Knobs of the app that are turned.
    pub knobs: Vec<(String, String)>,
}

/// Where an app comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AppSource {
    /// From the library, by name.
    Library(String),
    File(String),
    /// From the generator, with these parameters.
    Generated(Vec<(String, String)>),
}

/// Why a specification cannot be followed: one sentence that says what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SimSpecError(pub String);

impl SimSpec {
    /// Reads the app. `read` returns the text of a file, or says why it cannot. Apps of the generator come from
    /// the crate that has one.
    pub fn load(&self, read: &dyn Fn(&str) -> Result<String, String>) -> Result<App, SimSpecError> {
        let (name, text) = match &self.app {
            AppSource::Library(name) => {
                let text = library::text(name).ok_or_else(|| unknown_app(name))?;
                (format!("{name}.app"), text.to_owned())
            }
            AppSource::File(path) => {
                let text = read(path).map_err(|why| SimSpecError(format!("cannot read {path}: {why}")))?;
                (path.clone(), text)
            }
            AppSource::Generated(_) => return Err(SimSpecError("there is no generator here".to_owned())),
        };
        language::parse(&name, &text, read).map_err(|error| SimSpecError(error.to_string()))
    }

    /// Makes an app ready to run as this specification says.
    pub fn program(&self, app: Arc<App>) -> Result<Program, SimSpecError> {
        let knobs = self.knobs.iter().map(|(name, value)| app_knob(&app, name, value));
        let settings = Settings {
            knobs: knobs.collect::<Result<_, _>>()?,
            latency: self.latency,
            order: self.order,
            variants: self.variants,
        };
        Ok(Program::new(app, &settings))
    }
}

impl FromStr for SimSpec {
    type Err = SimSpecError;

    fn from_str(text: &str) -> Result<Self, SimSpecError> {
        let wrong = || {
            let how = "write sim:NAME or sim:FILE.app, with knobs as in sim:notes?drop=0.1";
            SimSpecError(format!("'{text}' is not a simulated device; {how}"))
        };
        let rest = text.strip_prefix("sim:").ok_or_else(wrong)?;
        let (app, query) = rest.split_once('?').unwrap_or((rest, ""));
        if app.is_empty() {
            return Err(wrong());
        }
        let mut spec = Self {
            text: text.to_owned(),
            app: AppSource::Library(app.to_owned()),
            profile: Profile::default(),
            drop: 0.0,
            latency: Settings::default().latency,
            order: false,
            variants: false,
            faults: Faults::default(),
            knobs: Vec::new(),
        };
        for (name, value) in knob::pairs(query)? {
            if !knob::turn(&mut spec, name, value)? {
                spec.knobs.push((name.to_owned(), value.to_owned()));
            }
        }
        if app == "gen" {
            spec.app = AppSource::Generated(std::mem::take(&mut spec.knobs));
        } else if app.contains(['/', '\\', '.']) {
            spec.app = AppSource::File(app.to_owned());
        } else if library::text(app).is_none() {
            return Err(unknown_app(app));
        }
        Ok(spec)
    }
}

fn app_knob(app: &App, name: &str, value: &str) -> Result<(KnobId, f64), SimSpecError> {
    let found = (0..).map(KnobId).zip(&app.knobs).find(|(_, knob)| *knob.name == *name);
    let Some((id, knob)) = found else {
        let own = app.knobs.iter().map(|knob| &*knob.name);
        let known: Vec<&str> = own.chain(knob::NAMES.iter().copied()).collect();
        let hint = retap_trace::did_you_mean(name, known.iter().copied()).unwrap_or_default();
        let known = known.join(", ");
        return Err(SimSpecError(format!("there is no knob '{name}'; the knobs are {known}{hint}")));
    };
    let number = if knob.probability { knob::probability(name, value)? } else { knob::number(name, value)? };
    Ok((id, number))
}

fn unknown_app(name: &str) -> SimSpecError {
    let known: Vec<&str> = library::names().chain(["gen"]).collect();
    let hint = retap_trace::did_you_mean(name, known.iter().copied()).unwrap_or_default();
    let known = known.join(", ");
    SimSpecError(format!(
        "there is no app '{name}'; the apps are {known}, and any file such as ./my.app{hint}"
    ))
}
