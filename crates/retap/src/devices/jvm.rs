//! Apps in a JVM: `jvm:APP.apk`, with options as in `jvm:APP.apk?mode=wild`.

#[cfg(feature = "mcp")]
use std::path::Path;

use anyhow::ensure;
use retap_device::Device;
use retap_explore::Components;
use retap_job::{Devices, Surroundings, Time};
use retap_jvm::{
    JvmApp, JvmComponents, JvmDevice, JvmEnvironment, JvmHost, JvmNotices, JvmProgress, JvmSpec,
    SAMPLE_PACKAGE, SetupProgress,
};
#[cfg(feature = "mcp")]
use retap_mcp::DeviceNeeds;
use retap_trace::{AppId, Header};

use super::{Backend, Opening};
use crate::output::Output;

pub(super) const BACKEND: Backend = Backend {
    scheme: "jvm",
    form: "jvm:APP.apk, such as jvm:sample",
    open: |spec, count, opening| open(&spec.parse()?, count, opening),
    // A JVM ends with this process.
    leaves_nothing: true,
    package: |spec| {
        Ok(match spec.parse::<JvmSpec>()?.app {
            JvmApp::Sample => Some(SAMPLE_PACKAGE.to_owned()),
            // It stands in the file, in a form that takes a JVM to read.
            JvmApp::File(_) => None,
        })
    },
    #[cfg(feature = "mcp")]
    needs,
};

/// The file of the app, what it is said to find on its phone, and the program that runs it. Each job has a JVM of its own.
#[cfg(feature = "mcp")]
fn needs(spec: &str, folder: &Path) -> DeviceNeeds {
    let Ok(JvmSpec { app, intents, jvm, .. }) = spec.parse() else { return DeviceNeeds::default() };
    let file = match app {
        JvmApp::File(file) => Some(folder.join(file)),
        JvmApp::Sample => None,
    };
    let folder = file.as_deref().and_then(Path::parent).unwrap_or(folder);
    let intents = intents.map(|table| folder.join(table));
    DeviceNeeds { files: file.iter().cloned().chain(intents).collect(), program: jvm, alone: None }
}

fn open(spec: &JvmSpec, count: u32, opening: &Opening<'_>) -> anyhow::Result<Devices> {
    let (output, notice) = (opening.output, opening.notices.clone());
    ensure!(count > 0, "--devices takes 1 or more");
    let host = JvmHost::prepare(spec, &JvmEnvironment::read(), &mut |progress| show(&progress, output))?;
    for warning in host.warnings() {
        notice(&warning);
    }
    if output.draws() {
        output.say("starting the app in a JVM ...");
    }
    let (later, device) = (notice.clone(), spec.text.clone());
    let notices = JvmNotices::new(move |told| later(&format!("{device}: {told}")));
    let mut devices: Vec<JvmDevice> = Vec::new();
    for _ in 0..count {
        devices.push(host.device(notices.clone())?);
    }
    let first = &devices[0];
    for limit in first.limits() {
        notice(&format!("{}: {limit}", spec.text));
    }
    let package = first.package().to_owned();
    let header = Header {
        app: AppId { package: package.as_str().into(), build: Some(first.build()) },
        device: Some(spec.text.clone()),
        platform: Some(spec.platform()),
        screen: Some(first.screen()),
        ..Header::new(package)
    };
    let (surroundings, coverage_total) = (surroundings(first.components()), first.coverage_total());
    let boxed = devices.into_iter().map(|device| Box::new(device) as Box<dyn Device>).collect();
    let mut devices = Devices::new(boxed, header, Time::Real);
    (devices.surroundings, devices.coverage_total) = (surroundings, coverage_total);
    Ok(devices)
}

/// What can happen to the app from outside. It has no modem.
fn surroundings(components: &JvmComponents) -> Surroundings {
    let JvmComponents { activities, services, receivers } = components.clone();
    Surroundings { components: Components { activities, services, receivers }, modem: false }
}

/// Tells how far things are.
fn show(progress: &JvmProgress, output: Output) {
    match progress {
        JvmProgress::Setup(SetupProgress::Begins { megabytes, folder }) => {
            output.say(format!(
                "setting up Android for the JVM: downloading up to {megabytes} MB from Maven Central, once"
            ));
            output.say(format!("  it is kept in {}", folder.display()));
        }
        JvmProgress::Setup(SetupProgress::Waiting) => {
            output.say("another retap is setting up Android for the JVM; waiting for it");
        }
        JvmProgress::Setup(SetupProgress::Downloaded { files, megabytes }) => {
            output.say(format!("  {files} files, {megabytes} MB"));
        }
        JvmProgress::Setup(SetupProgress::Removed { folder }) => {
            output.detail(format!("  removed {}, which was not used for a long time", folder.display()));
        }
        JvmProgress::Setup(SetupProgress::Done { took }) => {
            output.say(format!("  done in {} s", took.as_secs()));
        }
        JvmProgress::Sample => output.say("building the sample app, once"),
        JvmProgress::Converting => output.say("converting the app's code, once for each app"),
    }
}
