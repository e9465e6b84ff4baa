//! `retap device`: what there is, and what it shows.

mod doctor;
mod serve;

use std::path::Path;
use std::time::Duration;

use retap_adb::client::{AdbError, Client, Deadline, Environment};
use retap_device::Look;
use retap_job::{same_app, tracefile};
use retap_lab::{Deadlines, Replay};
use retap_trace::{Seed, Start};
use serde::Serialize;

use super::Context;
use crate::args::DeviceCommand;
use crate::exit::Exit;
use crate::output::{print_line, warn};

#[derive(Serialize)]
struct Listed {
    device: String,
    what: String,
}

pub(super) fn run(command: &DeviceCommand, context: &Context) -> anyhow::Result<Exit> {
    match command {
        DeviceCommand::List => list(context),
        DeviceCommand::Doctor { device } => doctor::run(device.as_deref(), context),
        DeviceCommand::Serve(args) => serve::run(args, context),
        DeviceCommand::Screenshot { device, file, after } => {
            screenshot(device, file, after.as_deref(), context)
        }
    }
}

/// The devices that can be used here, one a line on stdout.
fn list(context: &Context) -> anyhow::Result<Exit> {
    let phones = match phones() {
        Ok(phones) => phones,
        // Nobody is told of a server that does not run: many people have no use for one.
        Err(AdbError::NoServer { .. }) => Vec::new(),
        Err(error) => {
            warn(format!("the devices of adb are not listed: {error}"));
            Vec::new()
        }
    };
    let listed: Vec<Listed> = retap_sim::library::APPS
        .iter()
        .map(|app| Listed { device: format!("sim:{}", app.name), what: about(app.text) })
        .chain(std::iter::once(Listed {
            device: "sim:gen?seed=1&screens=40".to_owned(),
            what: "a generated app; see docs/simulator.md for its knobs".to_owned(),
        }))
        .chain(std::iter::once(Listed {
            device: "jvm:APP.apk".to_owned(),
            what: "an Android app in a JVM, without a phone; see docs/jvm.md".to_owned(),
        }))
        .chain(std::iter::once(Listed {
            device: "jvm:sample".to_owned(),
            what: "an Android app that is part of retap, in a JVM".to_owned(),
        }))
        .chain(phones)
        .collect();
    if context.global.json {
        context.output.result(&serde_json::json!({ "devices": listed }))?;
    } else {
        let width = listed.iter().map(|listed| listed.device.len()).max().unwrap_or(0);
        for Listed { device, what } in &listed {
            print_line(&format!("{device:width$}  {what}"))?;
        }
    }
    Ok(Exit::Done)
}

/// The devices that an adb server knows, if one runs. None is started for this.
fn phones() -> Result<Vec<Listed>, AdbError> {
    let client = Client::from_environment(&Environment::read(), false)?;
    let devices = client.devices(&Deadline::within("the list of devices", Duration::from_secs(5)))?;
    let listed = |device: retap_adb::parse::Listed| {
        let model = device.model.as_deref().unwrap_or("a device").replace('_', " ");
        let what = match device.state.usable(&device.serial) {
            Ok(()) => format!("{model}; add ?app=PACKAGE"),
            Err(error) => format!("{model}; {error}"),
        };
        Listed { device: format!("adb:{}", device.serial), what }
    };
    Ok(devices.into_iter().map(listed).collect())
}

/// What an app is about: the first line of its file, which is a comment.
fn about(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim_start_matches('#').trim().to_owned()
}

/// Launches the app, performs a trace if there is one, and saves a picture of the screen.
fn screenshot(spec: &str, file: &Path, after: Option<&Path>, context: &Context) -> anyhow::Result<Exit> {
    let trace = after.map(tracefile::read).transpose()?;
    let devices = context.devices(spec, 1)?;
    if let (Some(trace), Some(after)) = (&trace, after) {
        same_app(&trace.header, &after.display(), spec, &devices.header.app.package)?;
        if let Some((then, now)) = devices.other_build(&trace.header) {
            context.output.say(format!("{} is of build {then}; {spec} runs build {now}", after.display()));
        }
    }
    let mut device = devices.handles().remove(0);
    let deadlines = Deadlines::default();
    let picture = context.opened(spec, || -> anyhow::Result<Vec<u8>> {
        let start = trace.as_ref().map_or(Start::Launched, |trace| trace.header.start);
        let mut replay = Replay::new(&mut *device, deadlines, Look::Activity);
        replay.begin(start, Seed(context.seed()))?;
        for event in trace.iter().flat_map(retap_trace::Trace::events) {
            if context.interrupt.stop.asked() {
                return Ok(Vec::new());
            }
            replay.perform(event)?;
        }
        Ok(device.screenshot(deadlines.look)?)
    })?;
    if context.interrupt.stop.asked() {
        context.output.say("interrupted; no picture was saved");
        return Ok(Exit::Interrupted);
    }
    retap_store::write_beside(file, |to| to.write_all(&picture))?;
    context.output.say(format!("saved: {}", file.display()));
    context.output.result(&serde_json::json!({ "command": "screenshot", "status": "done", "file": file }))?;
    Ok(Exit::Done)
}
