//! Tests of the whole language.

mod every;
pub(crate) mod handbook;
mod mistakes;
mod noise;
mod sound;

use crate::app::App;

use super::{LanguageError, parse};

/// Reads an app that includes nothing.
fn read(source: &str) -> Result<App, LanguageError> {
    parse("test.app", source, &|name| Err(format!("there is no {name}")))
}
