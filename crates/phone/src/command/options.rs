//! Taking arguments one by one.

use std::collections::VecDeque;

/// Arguments that are still to be read.
#[derive(Debug, Clone)]
pub(super) struct Options(VecDeque<String>);

impl Options {
    pub(super) fn new(args: &[String]) -> Self {
        Self(args.iter().cloned().collect())
    }

    pub(super) fn next(&mut self) -> Option<String> {
        self.0.pop_front()
    }

    /// The next argument, if it is an option.
    pub(super) fn option(&mut self) -> Option<String> {
        let option = self.0.front().is_some_and(|next| next.len() > 1 && next.starts_with('-'));
        if option { self.next() } else { None }
    }

    /// The next argument that is no option, or nothing.
    pub(super) fn word(&mut self) -> String {
        while self.option().is_some() {}
        self.next().unwrap_or_default()
    }

    pub(super) fn rest(self) -> Vec<String> {
        self.0.into()
    }
}

/// Flags of single letters, and the other arguments: `-rf a b`. What follows `--` is no flag.
pub(super) fn flags(args: &[String]) -> (String, Vec<String>) {
    let (mut letters, mut others, mut over) = (String::new(), Vec::new(), false);
    for arg in args {
        match arg.strip_prefix('-') {
            Some("-") if !over => over = true,
            Some(flag) if !over && !flag.is_empty() => letters.push_str(flag),
            _ => others.push(arg.clone()),
        }
    }
    (letters, others)
}
