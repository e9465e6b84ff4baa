//! Phones and emulators: `adb`, `adb:SERIAL`, `adb:SERIAL,SERIAL`, each with options as in `adb?app=com.example`.

use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{bail, ensure};
use retap_adb::client::{Client, Deadline, Environment};
use retap_adb::{AdbDevice, AdbOptions, AdbSpec, OpenError};
use retap_device::Device;
use retap_explore::Components;
use retap_trace::{AppId, Header};

use super::{Fleet, Surroundings, Time};
use crate::interrupt::Interrupt;

/// How long a device may take to get ready, with an app to install.
const READY: Duration = Duration::from_mins(5);
/// How long a device that was there is waited for, and how often it is looked for.
const BACK: Duration = Duration::from_mins(2);
const PAUSE: Duration = Duration::from_secs(1);
/// How long the list of devices may take.
const LIST: Duration = Duration::from_secs(20);

impl Fleet {
    pub(super) fn android(spec: &str, count: u32) -> anyhow::Result<Self> {
        Ok(Self::of_adb(&spec.parse()?, count)?)
    }

    /// Waits for devices that cannot be reached at the moment.
    pub(super) fn android_again(spec: &str, count: u32, interrupt: &Interrupt) -> anyhow::Result<Self> {
        let parsed: AdbSpec = spec.parse()?;
        let until = Instant::now() + BACK;
        loop {
            match Self::of_adb(&parsed, count) {
                Err(trouble) if trouble.passes() && Instant::now() < until && !interrupt.asked() => {
                    call_back(&parsed);
                    thread::sleep(PAUSE);
                }
                opened => return Ok(opened?),
            }
        }
    }

    fn of_adb(spec: &AdbSpec, count: u32) -> Result<Self, Trouble> {
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
        let devices = devices.into_iter().map(|device| Box::new(device) as Box<dyn Device>).collect();
        Ok(Self { devices, header, coverage_total: None, surroundings, time: Time::Real })
    }
}

/// What every one of these devices lets happen.
fn surroundings(devices: &[AdbDevice]) -> Surroundings {
    let parts = devices.first().map(|device| device.components().clone()).unwrap_or_default();
    let retap_adb::parse::Components { activities, services, receivers } = parts;
    Surroundings {
        components: Components { activities, services, receivers },
        modem: devices.iter().all(AdbDevice::has_modem),
    }
}

/// Asks the server for named devices that it has lost, or, after a restart, has never heard of.
fn call_back(spec: &AdbSpec) {
    let Ok(client) = Client::from_environment(&Environment::read(), spec.start) else { return };
    for serial in spec.serial.iter().flat_map(|named| named.split(',')) {
        // Should it fail, the next try to open it says so.
        let _ = client.transport(serial).revive(&Deadline::within("reconnecting", PAUSE));
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

impl Trouble {
    /// Whether waiting may help.
    fn passes(&self) -> bool {
        match self {
            Self::Open(OpenError::Adb(error)) => error.passes(),
            Self::Open(_) | Self::Choice(_) => false,
            Self::TooFew(_) => true,
        }
    }
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
