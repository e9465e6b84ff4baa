//! Phones and emulators: `adb`, `adb:SERIAL`, `adb:SERIAL,SERIAL`, each with options as in `adb?app=com.example`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{bail, ensure};
use retap_adb::client::{Client, Deadline, Environment};
use retap_adb::{AdbDevice, AdbOptions, AdbSpec, OpenError};
use retap_device::Device;
use retap_explore::Components;
use retap_job::{Devices, Surroundings, Time};
#[cfg(feature = "mcp")]
use retap_mcp::DeviceNeeds;
use retap_trace::{AppId, Header};

use super::Backend;

/// How long a device may take to get ready, with an app to install.
const READY: Duration = Duration::from_mins(5);
/// How long the list of devices may take.
const LIST: Duration = Duration::from_secs(20);

pub(super) const BACKEND: Backend = Backend {
    scheme: "adb",
    form: "adb?app=PACKAGE",
    open: |spec, count, _| Ok(open(&spec.parse()?, count)?),
    // Settings of the phone are put back.
    leaves_nothing: false,
    package: |spec| Ok(spec.parse::<AdbSpec>()?.app),
    #[cfg(feature = "mcp")]
    needs,
};

/// The app to install, and the socket of a virtual machine. Which phone `adb` alone means is known once it is open, so
/// that one job at a time uses any of them.
#[cfg(feature = "mcp")]
fn needs(spec: &str, _: &std::path::Path) -> DeviceNeeds {
    let Ok(AdbSpec { apk, qmp, .. }) = spec.parse() else { return DeviceNeeds::default() };
    let alone = Some("phones and emulators".to_owned());
    DeviceNeeds { files: apk.into_iter().chain(qmp).collect(), program: None, alone }
}

fn open(spec: &AdbSpec, count: u32) -> Result<Devices, Trouble> {
    let environment = Environment::read();
    let client = Client::from_environment(&environment, spec.start).map_err(OpenError::from)?;
    let options = AdbOptions { state: state_folder(), ..AdbOptions::from_environment(&environment) };
    let mut devices: Vec<AdbDevice> = Vec::new();
    for serial in serials(&client, spec, &options, count)? {
        let spec = AdbSpec { serial: Some(serial), ..spec.clone() };
        devices.push(AdbDevice::open(&client, &spec, &options, READY)?);
    }
    let Some(first) = devices.first() else {
        return Err(Trouble::Choice(anyhow::anyhow!("--devices takes 1 or more")));
    };
    let package = first.package().to_owned();
    let header = Header {
        app: AppId { package: package.as_str().into(), build: first.version().map(Into::into) },
        device: Some(spec.text.clone()),
        screen: Some(first.screen()),
        ..Header::new(package)
    };
    let surroundings = surroundings(&devices);
    let boxed = devices.into_iter().map(|device| Box::new(device) as Box<dyn Device>).collect();
    let mut devices = Devices::new(boxed, header, Time::Real);
    devices.surroundings = surroundings;
    Ok(devices)
}

/// What every one of these devices lets happen.
fn surroundings(devices: &[AdbDevice]) -> Surroundings {
    let parts = devices.first().map(|device| device.components().clone()).unwrap_or_default();
    let retap_adb::parse::PackageComponents { activities, services, receivers } = parts;
    Surroundings {
        components: Components { activities, services, receivers },
        modem: devices.iter().all(AdbDevice::has_modem),
    }
}

/// Why there are no devices.
#[derive(Debug, thiserror::Error)]
enum Trouble {
    #[error(transparent)]
    Open(#[from] OpenError),
    /// What was asked for does not fit what is there.
    #[error(transparent)]
    Choice(anyhow::Error),
    /// Fewer devices are ready than were asked for.
    #[error("{0}")]
    TooFew(String),
}

/// Which devices to take.
fn serials(
    client: &Client,
    spec: &AdbSpec,
    options: &AdbOptions,
    count: u32,
) -> Result<Vec<String>, Trouble> {
    let wanted = count as usize;
    let named = spec.serial.as_deref().or(options.serial.as_deref().filter(|_| count == 1));
    if let Some(named) = named {
        return named_serials(named, wanted, spec).map_err(Trouble::Choice);
    }
    let listed = client.devices(&Deadline::within("the list of devices", LIST)).map_err(OpenError::from)?;
    let (ready, others): (Vec<_>, Vec<_>) = listed.iter().partition(|device| device.state.is_ready());
    if ready.len() >= wanted {
        return Ok(ready.into_iter().take(wanted).map(|device| device.serial.clone()).collect());
    }
    let state = |device: &&retap_adb::parse::Listed| match device.state.usable(&device.serial) {
        Ok(()) => device.serial.clone(),
        Err(why) => why.to_string(),
    };
    let words: Vec<String> = ready.iter().chain(&others).map(state).collect();
    Err(match (ready.len(), others.len()) {
        (0, 0) => OpenError::from(retap_adb::client::AdbError::NoDevice).into(),
        (ready, _) => Trouble::TooFew(format!(
            "--devices {wanted} asks for more devices than are ready ({ready}): {}",
            words.join("; ")
        )),
    })
}

fn named_serials(named: &str, wanted: usize, spec: &AdbSpec) -> anyhow::Result<Vec<String>> {
    let mut serials: Vec<String> = Vec::new();
    for serial in named.split(',').filter(|serial| !serial.is_empty()) {
        if serials.iter().any(|known| known == serial) {
            bail!("{} names {serial} twice", spec.text);
        }
        serials.push(serial.to_owned());
    }
    ensure!(
        serials.len() >= wanted,
        "--devices {wanted} asks for more devices than {} names; name more, as in adb:A,B, or write adb to \
         take the first {wanted}",
        spec.text
    );
    ensure!(
        wanted == 1 || spec.qmp.is_none(),
        "qmp={} is the control socket of one machine; it cannot be used for {wanted} devices",
        spec.qmp.as_deref().unwrap_or(std::path::Path::new("")).display()
    );
    serials.truncate(wanted);
    Ok(serials)
}

/// Where it is written down which settings of a phone were changed: `$XDG_STATE_HOME/retap`, else
/// `~/.local/state/retap`; nowhere when there is no home.
fn state_folder() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let state = set("XDG_STATE_HOME").or_else(|| set("HOME").map(|home| home.join(".local/state")))?;
    Some(state.join("retap"))
}
