//! Options that take a name from a table: completions and help come from the table. Whether a name is in it is checked
//! where the name is used, because names in `retap.toml` are checked there too.

use clap::builder::{PossibleValue, TypedValueParser};
use retap_explore::STRATEGIES;
use retap_formats::{EXPORTERS, IMPORTERS};
use retap_reduce::{schedule, search};

/// A name from a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Named(fn() -> Vec<(&'static str, &'static str)>);

pub(crate) const SEARCH: Named =
    Named(|| search::SEARCHES.iter().map(|kind| (kind.name, kind.about)).collect());
pub(crate) const SCHEDULE: Named =
    Named(|| schedule::SCHEDULES.iter().map(|kind| (kind.name, kind.about)).collect());
pub(crate) const STRATEGY: Named = Named(|| STRATEGIES.iter().map(|kind| (kind.name, kind.about)).collect());
pub(crate) const EXPORTER: Named = Named(|| EXPORTERS.iter().map(|kind| (kind.name, kind.about)).collect());
pub(crate) const IMPORTER: Named = Named(|| IMPORTERS.iter().map(|kind| (kind.name, kind.about)).collect());

impl TypedValueParser for Named {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<String, clap::Error> {
        clap::builder::StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let values = (self.0)().into_iter().map(|(name, about)| PossibleValue::new(name).help(about));
        Some(Box::new(values))
    }
}

pub(crate) fn rule_help() -> String {
    format!(
        "When a candidate counts as reproducing: {}; or auto: single runs are believed until something flakes, then lists \
         are compared with the one they come from [default: auto]",
        retap_reduce::rule::in_words()
    )
}
