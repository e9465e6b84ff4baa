//! Devices of the simulator: `sim:APP[?KNOB=VALUE&...]`.

#[cfg(feature = "mcp")]
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use retap_device::Device;
use retap_explore::Components;
use retap_job::{Devices, Surroundings, Time};
#[cfg(feature = "mcp")]
use retap_mcp::DeviceNeeds;
use retap_sim::machine::Program;
use retap_sim::{AppSource, SimDevice, SimSpec};
use retap_trace::{AppId, Header};

use super::Backend;

pub(super) const BACKEND: Backend = Backend {
    scheme: "sim",
    form: "sim:APP, such as sim:notes",
    open: |spec, count, _| open(spec, count),
    leaves_nothing: true,
    package: |spec| Ok(Some(simulator(spec)?.1.app().package.to_string())),
    #[cfg(feature = "mcp")]
    needs,
};

/// The file of the app, and those that it includes. Each job has devices of its own.
#[cfg(feature = "mcp")]
fn needs(spec: &str, folder: &Path) -> DeviceNeeds {
    let files = RefCell::new(Vec::new());
    if let Ok(mut parsed) = spec.parse::<SimSpec>() {
        if let AppSource::File(app) = &mut parsed.app {
            *app = folder.join(&*app).display().to_string();
        }
        // What is wrong with the app is said when the device is opened.
        let _ = retap_generate::load(&parsed, &|name| {
            let file = beside(&parsed.app, name);
            let text = read_text(&file);
            files.borrow_mut().push(file);
            text
        });
    }
    DeviceNeeds { files: files.into_inner(), ..DeviceNeeds::default() }
}

fn open(spec: &str, count: u32) -> anyhow::Result<Devices> {
    let (parsed, program) = simulator(spec)?;
    let app = program.app();
    let device = || SimDevice::running(&parsed, program.clone());
    let header = Header {
        app: AppId { package: app.package.clone(), build: Some(app.build.to_string()) },
        device: Some(spec.to_owned()),
        screen: Some(device().screen()),
        ..Header::new(app.package.clone())
    };
    let boxed = (0..count).map(|_| Box::new(device()) as Box<dyn Device>).collect();
    let mut devices = Devices::new(boxed, header, Time::Virtual);
    devices.coverage_total = u32::try_from(app.coverage.len()).ok();
    // The first activity is launched; that is an event of its own.
    let others = app.activities.iter().skip(1).filter(|activity| activity.exported);
    let activities = others.map(|activity| app.component(activity)).collect();
    let components = Components { activities, ..Components::default() };
    devices.surroundings = Surroundings { components, modem: true };
    Ok(devices)
}

/// What a specification of the simulator says, and the program that its devices run.
pub(crate) fn simulator(spec: &str) -> anyhow::Result<(SimSpec, Arc<Program>)> {
    let parsed: SimSpec = spec.parse()?;
    let app = Arc::new(retap_generate::load(&parsed, &|name| read_text(&beside(&parsed.app, name)))?);
    let program = Arc::new(parsed.program(app)?);
    Ok((parsed, program))
}

/// Where a file that an app names is: the app itself where it was said to be, what it includes beside it.
fn beside(app: &AppSource, name: &str) -> PathBuf {
    match app {
        AppSource::File(main) if name != main => Path::new(main).with_file_name(name),
        _ => PathBuf::from(name),
    }
}

/// The text of an app file.
fn read_text(path: &Path) -> Result<String, String> {
    const MOST: u64 = 8 << 20;
    let found = std::fs::metadata(path).map_err(|error| error.to_string())?;
    // A pipe may never end, and has no second reading for a device that is opened later.
    if !found.is_file() {
        return Err("it is not a file".to_owned());
    }
    if found.len() > MOST {
        return Err(format!("it is larger than {} MiB; that is no app file", MOST >> 20));
    }
    std::fs::read_to_string(path).map_err(|error| error.to_string())
}
