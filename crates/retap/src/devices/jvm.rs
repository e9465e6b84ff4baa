//! Apps in a JVM: `jvm:APP.apk`, with options as in `jvm:APP.apk?mode=wild`.

use anyhow::ensure;
use retap_device::Device;
use retap_explore::Components;
use retap_job::{Devices, Surroundings, Time};
use retap_jvm::{
    JvmComponents, JvmDevice, JvmEnvironment, JvmHost, JvmNotices, JvmProgress, JvmSpec, SetupProgress,
};
use retap_trace::{AppId, Header};

use super::Backend;
use crate::output::{notice, tell, warn};

pub(super) const BACKEND: Backend = Backend {
    scheme: "jvm",
    form: "jvm:APP.apk",
    open: |spec, count| open(&spec.parse()?, count),
    // It stands in the file, in a form that takes a JVM to read.
    package: |spec| spec.parse::<JvmSpec>().map(|_| None).map_err(Into::into),
};

fn open(spec: &JvmSpec, count: u32) -> anyhow::Result<Devices> {
    ensure!(count > 0, "--devices takes 1 or more");
    let host = JvmHost::prepare(spec, &JvmEnvironment::read(), &mut |progress| show(&progress))?;
    if let Some(warning) = host.warning() {
        warn(warning);
    }
    let notices = JvmNotices::new(|told| notice(&format!("jvm: {told}")));
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
        app: AppId { package: package.as_str().into(), build: first.version().map(Into::into) },
        device: Some(spec.text.clone()),
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

/// Tells how far things are. The set-up happens once, and is told also to those who asked for quiet.
pub(crate) fn show(progress: &JvmProgress) {
    match progress {
        JvmProgress::Setup(SetupProgress::Begins { megabytes, folder }) => {
            tell(format_args!(
                "setting up Android for the JVM: downloading about {megabytes} MB from Maven Central, once"
            ));
            tell(format_args!("  it is kept in {}", folder.display()));
        }
        JvmProgress::Setup(SetupProgress::Waiting) => {
            tell(format_args!("another retap is setting up Android for the JVM; waiting for it"));
        }
        JvmProgress::Setup(SetupProgress::Downloaded { files, megabytes }) => {
            tell(format_args!("  {files} files, {megabytes} MB"));
        }
        JvmProgress::Setup(SetupProgress::Done { took }) => {
            tell(format_args!("  done in {} s", took.as_secs()));
        }
        JvmProgress::Converting => tell(format_args!("converting the app's code, once for each app")),
    }
}
