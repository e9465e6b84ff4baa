//! What each command does.

mod demo;
mod device;
mod explore;
mod idle;
mod policy;
mod reduce;
mod replay;
mod suite;
mod target;

use std::cell::RefCell;

use clap::CommandFactory as _;

use crate::args::{Command, Retap};
use crate::config::Config;
use crate::devices::Fleet;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::output::{Output, print_line};

/// What commands are given besides their own arguments.
pub(crate) struct Context {
    pub(crate) config: Config,
    pub(crate) global: crate::args::Global,
    pub(crate) output: Output,
    pub(crate) interrupt: Interrupt,
    /// The devices that the command uses, once they are open.
    fleet: RefCell<Option<Fleet>>,
}

/// Does what was typed.
pub(crate) fn run(typed: Retap, output: Output) -> anyhow::Result<Exit> {
    let config = Config::load(&typed.global)?;
    idle::check(&typed, &config)?;
    let context = Context {
        config,
        global: typed.global,
        output,
        interrupt: Interrupt::listen()?,
        fleet: RefCell::new(None),
    };
    match typed.command {
        Command::Demo => demo::run(&context),
        Command::Explore(args) => explore::run(&args, &context),
        Command::Reduce(args) => reduce::run(&args, &context),
        Command::Suite(args) => suite::run(&args, &context),
        Command::Replay(args) => match &args.suite {
            Some(folder) => suite::replay(folder, &args, &context),
            None => replay::run(&args, &context),
        },
        Command::Policy { command } => policy::run(&command, &context),
        Command::Device { command } => device::run(&command, &context),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Retap::command(), "retap", &mut script);
            print_line(&String::from_utf8(script)?)?;
            Ok(Exit::Done)
        }
        Command::Man => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Retap::command()).render(&mut page)?;
            print_line(&String::from_utf8(page)?)?;
            Ok(Exit::Done)
        }
    }
}

impl Context {
    /// The seed that was typed or is set.
    pub(crate) fn seed(&self) -> u64 {
        self.global.seed.or(self.config.seed).unwrap_or(1)
    }

    /// The devices of this command, which are opened once. Labs that are made of them are used one after the other.
    pub(crate) fn fleet(&self, spec: &str, count: u32) -> anyhow::Result<Fleet> {
        let mut kept = self.fleet.borrow_mut();
        if let Some(fleet) = kept.as_ref().filter(|fleet| fleet.is(spec, count)) {
            return Ok(fleet.clone());
        }
        Ok(kept.insert(self.open_fleet(spec, count)?).clone())
    }

    /// Devices of their own, for what goes on while others are in use.
    pub(crate) fn open_fleet(&self, spec: &str, count: u32) -> anyhow::Result<Fleet> {
        let fleet = Fleet::open(spec, count)?;
        for device in fleet.devices() {
            self.output.detail(format!("opened {}", device.name()));
        }
        Ok(fleet)
    }

    /// The folder that was typed or is set.
    pub(crate) fn out(&self) -> Option<&std::path::Path> {
        self.global.out.as_deref().or(self.config.out.as_deref())
    }
}
