//! Benchmarks: each is a command that prints a table and a JSON line.
//!
//! Figures are measured and never asserted: machines differ, and this one is shared. Compare figures of one run.

mod adb;
mod apks;
mod calibration;
mod echo;
mod engine;
mod explore;
mod jobs;
mod jvm;
mod kept_lines;
mod nd3min;
mod papers;
mod peers;
mod sim;
mod simplydroid;
mod suite;
mod table;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Measures retap.
#[derive(Debug, Parser)]
#[command(name = "retap-bench")]
struct Bench {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Events and looks through real adb on the virtual device, against adbutils
    Adb(adb::AdbArgs),
    /// Whether what `retap reduce` claims is true, on generated apps whose rates are known
    Calibration(calibration::CalibrationArgs),
    /// ECHO on traces that were explored with adaptive looks: events left, looks and trials
    Echo(echo::EchoArgs),
    /// The simulated device: events a second at three depths of looking, and clones per GB
    Sim(sim::SimArgs),
    /// The engine's own cost: decisions among many candidates, and a long list
    Engine(engine::EngineArgs),
    /// Strategies of exploring on generated apps: coverage and crashes in six hours of virtual time
    Explore(explore::BenchExploreArgs),
    /// Apps in a JVM: speed against the virtual phone behind real adb, or how far the device gets with each app
    Jvm(jvm::JvmArgs),
    /// ND3MIN's experiment on generated apps: 49 traces of 500 taps, 15 devices, four schedules
    Nd3min(nd3min::Nd3minArgs),
    /// One run of the oracle of `peers`: how it ends says whether a candidate reaches the target
    #[command(hide = true)]
    Oracle(peers::OracleArgs),
    /// The papers' experiments on their own apps, in a JVM
    Papers(papers::PapersArgs),
    /// Other people's reducers, the papers' algorithms and ours, through one oracle that counts
    Peers(peers::PeersArgs),
    /// Every search on the models of the 92 published crash traces of SimplyDroid
    Simplydroid(simplydroid::SimplyDroidArgs),
    /// DetReduce's experiment on generated apps: the published algorithm and ours side by side
    Suite(suite::BenchSuiteArgs),
}

fn main() -> anyhow::Result<ExitCode> {
    match Bench::parse().what {
        What::Oracle(args) => return Ok(peers::judge(&args)),
        What::Adb(args) => adb::run(&args),
        What::Calibration(args) => calibration::run(&args),
        What::Echo(args) => echo::run(&args),
        What::Sim(args) => sim::run(&args),
        What::Engine(args) => engine::run(&args),
        What::Explore(args) => explore::run(&args),
        What::Jvm(args) => jvm::run(&args),
        What::Nd3min(args) => nd3min::run(&args),
        What::Papers(args) => papers::run(&args),
        What::Peers(args) => peers::run(&args),
        What::Simplydroid(args) => simplydroid::run(&args),
        What::Suite(args) => suite::run(&args),
    }?;
    Ok(ExitCode::SUCCESS)
}
