//! Benchmarks: each is a command that prints a table and a JSON line.
//!
//! Figures are measured and never asserted: machines differ, and this one is shared. Compare figures of one run.

mod engine;
mod sim;
mod simplydroid;
mod table;

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
    /// The simulated device: events a second at three depths of looking, and clones per GB
    Sim(sim::SimArgs),
    /// The engine's own cost: decisions among many candidates, and a long list
    Engine(engine::EngineArgs),
    /// Every search on the models of the 92 published crash traces of SimplyDroid
    Simplydroid(simplydroid::SimplyDroidArgs),
}

fn main() -> anyhow::Result<()> {
    match Bench::parse().what {
        What::Sim(args) => sim::run(&args),
        What::Engine(args) => engine::run(&args),
        What::Simplydroid(args) => simplydroid::run(&args),
    }
}
