//! Explores an app and reduces each crash, in a program of its own with its own output:
//!
//! `cargo run --release -p retap-job --example embed -- FOLDER`

use std::error::Error;
use std::path::Path;

use retap_device::Device;
use retap_job::reduce::{ReduceOptions, Subject};
use retap_job::{Devices, ExplorePlan, JobEvent, JobPlan, JobResult, ReducePlan, Time};
use retap_sim::SimDevice;
use retap_trace::Header;

const DEVICE: &str = "sim:notes";

#[expect(clippy::print_stdout, reason = "this is its output")]
fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("name a folder for what is found")?;
    let folder = Path::new(&folder);

    // A simulated phone. Any other device is a type that implements the trait.
    let phone = SimDevice::open(DEVICE, &|file| Err(format!("{file} is not used here")))?;
    let header = Header { screen: Some(phone.screen()), ..Header::new(phone.package()) };
    let devices = Devices::new(vec![Box::new(phone)], header, Time::Virtual);

    // Everything that happens passes by here; what is of interest is shown.
    let mut runs = 0;
    let mut watch = |event: &JobEvent<'_>| match event {
        JobEvent::Crash(crash) => println!("found: {crash}"),
        JobEvent::Run(_) => runs += 1,
        _ => {}
    };
    let plan = JobPlan::Explore(ExplorePlan::monkey(DEVICE, 2000, 7));
    let found = retap_job::run(&plan, Some(&devices), Some(&folder.join("explore")), &mut watch)?;
    let JobResult::Explore(found) = found else { unreachable!("an exploration has the result of one") };
    println!("{} events, {} states, {} crashes", found.events, found.states, found.crashes.len());

    for crash in &found.crashes {
        let subject = Subject::read(&crash.trace, None, None)?;
        let plan = ReducePlan::new(subject, Some(DEVICE.to_owned()), ReduceOptions::default(), 7)?;
        let place = folder.join("reduce").join(&crash.signature);
        let reduced = retap_job::run(&JobPlan::Reduce(plan), Some(&devices), Some(&place), &mut watch)?;
        let JobResult::Reduce(reduced) = reduced else { unreachable!("a reduction has the result of one") };
        let (before, after, confirmed) = (reduced.events_before, reduced.events_after, reduced.confirmed);
        println!(
            "{}: {before} events to {after}, {} of {}",
            crash.signature, confirmed.reached, confirmed.of
        );
    }
    println!("{runs} runs of candidates");
    Ok(())
}
