//! The retap binary: arguments -> plan -> wiring. Everything that prints, asks the user or ends the process is here.

mod args;
mod commands;
mod config;
mod devices;
mod exit;
mod interrupt;
mod output;
mod words;

use clap::Parser;

use crate::exit::Exit;
use crate::output::Output;

fn main() -> std::process::ExitCode {
    exit::catch_panics();
    let typed = match args::Retap::try_parse() {
        Ok(typed) => typed,
        Err(error) => return exit::usage(error),
    };
    let output = Output::new(&typed.global);
    match commands::run(typed, output) {
        Ok(exit) => exit.into(),
        Err(error) => {
            output::error(&error);
            Exit::Usage.into()
        }
    }
}
