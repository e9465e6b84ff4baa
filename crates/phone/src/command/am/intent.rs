//! Intents, as `am` reads and prints them.

use std::collections::BTreeMap;
use std::fmt;

use super::super::options::Options;
use crate::phone::{component, short_component};

/// What is to be started or told.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::command) struct Intent {
    pub(in crate::command) action: Option<String>,
    pub(in crate::command) categories: Vec<String>,
    pub(in crate::command) data: Option<String>,
    pub(in crate::command) mime: Option<String>,
    pub(in crate::command) package: Option<String>,
    /// Package and full name of the activity.
    pub(in crate::command) component: Option<(String, String)>,
    pub(in crate::command) extras: BTreeMap<String, String>,
    pub(in crate::command) flags: u32,
    /// Whether to wait until it has started, and whether to stop the app first.
    pub(in crate::command) wait: bool,
    pub(in crate::command) stop_first: bool,
}

impl Intent {
    /// Reads the arguments of a command. What is not known is skipped.
    pub(in crate::command) fn read(mut args: Options) -> Self {
        let mut intent = Self::default();
        while let Some(arg) = args.next() {
            intent.take(&arg, &mut args);
        }
        intent
    }

    fn take(&mut self, arg: &str, args: &mut Options) {
        match arg {
            "-a" => self.action = args.next(),
            "-c" => self.categories.extend(args.next()),
            "-d" => self.data = args.next(),
            "-t" => self.mime = args.next(),
            "-p" => self.package = args.next(),
            "-n" => self.component = args.next().as_deref().and_then(component),
            "-f" => self.flags |= args.next().as_deref().and_then(number).unwrap_or(0),
            "-W" => self.wait = true,
            "-S" => self.stop_first = true,
            "-e" | "--es" | "--ez" | "--ei" | "--el" | "--ef" => {
                if let (Some(name), Some(value)) = (args.next(), args.next()) {
                    self.extras.insert(name, value);
                }
            }
            "--user" | "--esn" => drop(args.next()),
            _ if arg.starts_with('-') => {}
            // A bare word is a component, an address, or a package.
            _ if arg.contains(':') => self.data = Some(arg.to_owned()),
            _ if arg.contains('/') => self.component = component(arg),
            _ => self.package = Some(arg.to_owned()),
        }
    }
}

fn number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

impl fmt::Display for Intent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Intent {")?;
        if let Some(action) = &self.action {
            write!(f, " act={action}")?;
        }
        if !self.categories.is_empty() {
            write!(f, " cat=[{}]", self.categories.join(","))?;
        }
        if let Some(data) = &self.data {
            write!(f, " dat={data}")?;
        }
        if let Some(mime) = &self.mime {
            write!(f, " typ={mime}")?;
        }
        if self.flags != 0 {
            write!(f, " flg={:#x}", self.flags)?;
        }
        if let Some(package) = &self.package {
            write!(f, " pkg={package}")?;
        }
        if let Some((package, activity)) = &self.component {
            write!(f, " cmp={}", short_component(package, activity))?;
        }
        if !self.extras.is_empty() {
            f.write_str(" (has extras)")?;
        }
        f.write_str(" }")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Intent {
        let args: Vec<String> = line.split(' ').map(str::to_owned).collect();
        Intent::read(Options::new(&args))
    }

    #[test]
    fn intents_are_printed_as_they_were_meant() {
        let intent =
            read("-W -a android.intent.action.MAIN -c android.intent.category.LAUNCHER -n com.example/.Main");
        assert!(intent.wait);
        assert_eq!(
            intent.to_string(),
            "Intent { act=android.intent.action.MAIN cat=[android.intent.category.LAUNCHER] cmp=com.example/.Main }"
        );
        assert_eq!(intent.component, Some(("com.example".into(), "com.example.Main".into())));
        let web = read("-a android.intent.action.VIEW -d https://example.com/a/b --es k v");
        assert_eq!(
            web.to_string(),
            "Intent { act=android.intent.action.VIEW dat=https://example.com/a/b (has extras) }"
        );
    }
}
