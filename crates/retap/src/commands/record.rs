//! `retap record`: what a person does, as a trace.

use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use retap_job::record::{RecordNews, RecordPlace, RecordResult, RecordSource, RecordStatus, record};
use retap_job::{Devices, folder};
use retap_view::RecordPage;
use serde::Serialize;

use super::Context;
use crate::args::RecordArgs;
use crate::exit::Exit;
use crate::output::strong;
use crate::words;

/// How long a page may take to hear that the recording is over.
const PARTING: Duration = Duration::from_secs(3);

/// What programs are told as soon as inputs are taken.
#[derive(Serialize)]
struct Recording<'a> {
    command: &'static str,
    status: &'static str,
    /// Where the page is; none when the device itself is listened to.
    address: Option<&'a str>,
}

pub(super) fn run(args: &RecordArgs, context: &Context) -> anyhow::Result<Exit> {
    let spec = context.choice(args.device.as_deref(), &args.mode).device()?;
    let devices = context.devices(&spec, 1)?;
    let place = match context.out() {
        Some(folder) => RecordPlace::take(folder)?,
        None => RecordPlace::take_next(Path::new(folder::USUAL))?,
    };
    let listens = devices.handles().iter_mut().any(|device| device.inputs().is_some());
    let result = if listens && !args.page {
        on_device(&devices, &spec, place, context)?
    } else {
        on_page(&devices, &spec, place, context)?
    };
    words::recorded(context.output, &result);
    context.output.result(&result)?;
    Ok(match result.status {
        RecordStatus::Recorded => Exit::Done,
        RecordStatus::Nothing => Exit::Found,
        RecordStatus::CutShort => Exit::Usage,
    })
}

/// A person acts on a page.
fn on_page(
    devices: &Devices,
    spec: &str,
    place: RecordPlace,
    context: &Context,
) -> anyhow::Result<RecordResult> {
    let output = context.output;
    let mut page = RecordPage::start(spec).context("the page cannot be served")?;
    output.say(format!("open {} and act there; Done or Ctrl-C ends it", strong(page.address())));
    output.result(&Recording { command: "record", status: "recording", address: Some(page.address()) })?;
    let mut news = |news: &RecordNews<'_>| words::record_news(output, news);
    let result = record(
        devices,
        context.seed(),
        place,
        RecordSource::Person(&mut page),
        &mut news,
        &context.interrupt.stop,
    )?;
    page.finish(words::record_end(&result), PARTING);
    Ok(result)
}

/// A person acts on the device.
fn on_device(
    devices: &Devices,
    spec: &str,
    place: RecordPlace,
    context: &Context,
) -> anyhow::Result<RecordResult> {
    let output = context.output;
    output.say(format!("starting the app on {} ...", strong(spec)));
    let mut told = Ok(());
    let mut news = |news: &RecordNews<'_>| {
        if let RecordNews::Begun = news {
            output.say("act on the device; a moment of rest between two inputs lets the screen be looked at; Ctrl-C ends it");
            told = output.result(&Recording { command: "record", status: "recording", address: None });
        }
        words::record_news(output, news);
    };
    let result =
        record(devices, context.seed(), place, RecordSource::Device, &mut news, &context.interrupt.stop)?;
    told?;
    Ok(result)
}
