//! From `--device` to devices.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::bail;
use retap_device::Device;
use retap_lab::{FollowReport, Follower, Guide, Lab, Oracle, Player, Runner, VirtualLab};
use retap_reduce::Play;
use retap_sim::{AppSource, SimDevice, SimSpec};
use retap_suite::Order;
use retap_trace::{AppId, Header};

/// Devices of one kind, ready to use.
pub(crate) struct Fleet {
    pub(crate) devices: Vec<Box<dyn Device>>,
    /// The header of traces recorded on them.
    pub(crate) header: Header,
    /// How many pieces of code the app has, where that is known.
    pub(crate) coverage_total: Option<u32>,
}

impl Fleet {
    /// So many devices as the specification says.
    pub(crate) fn open(spec: &str, count: u32) -> anyhow::Result<Self> {
        match spec.split_once(':') {
            Some(("sim", _)) => Self::simulated(spec, count),
            _ => bail!(
                "there is no device '{spec}'; write sim:APP, such as sim:notes \
                 ('retap device list' shows them all)"
            ),
        }
    }

    fn simulated(spec: &str, count: u32) -> anyhow::Result<Self> {
        let parsed: SimSpec = spec.parse()?;
        let app = Arc::new(parsed.load(&|name| read_text(&beside(&parsed.app, name)))?);
        let program = Arc::new(parsed.program(app.clone())?);
        let device = || SimDevice::running(&parsed, program.clone());
        let header = Header {
            app: AppId { package: app.package.clone(), build: Some(app.build.to_string()) },
            device: Some(spec.to_owned()),
            screen: Some(device().screen()),
            ..Header::new(app.package.clone())
        };
        let devices = (0..count).map(|_| Box::new(device()) as Box<dyn Device>).collect();
        Ok(Self { devices, header, coverage_total: u32::try_from(app.coverage.len()).ok() })
    }
}

/// A lab with these devices. The simulator's are driven in virtual time.
pub(crate) fn lab(oracle: &Oracle, devices: Vec<Box<dyn Device>>) -> impl Lab + use<> {
    VirtualLab::new(Runner::fleet(oracle, devices))
}

/// A lab in which these devices play events that need not stand in a trace.
pub(crate) fn stage(oracle: &Oracle, devices: Vec<Box<dyn Device>>) -> impl Lab<Play> + use<> {
    VirtualLab::new(Player::fleet(oracle, devices))
}

/// A lab in which these devices follow the traces of a suite.
pub(crate) fn trail(guide: &Guide, devices: Vec<Box<dyn Device>>) -> impl Lab<Order, FollowReport> + use<> {
    VirtualLab::new(Follower::fleet(guide, devices))
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
    let size = std::fs::metadata(path).map_err(|error| error.to_string())?.len();
    if size > MOST {
        return Err(format!("it is larger than {} MiB; that is no app file", MOST >> 20));
    }
    std::fs::read_to_string(path).map_err(|error| error.to_string())
}

/// The device that was typed, or is set, or that the trace names.
pub(crate) fn choose<'a>(candidates: impl IntoIterator<Item = Option<&'a str>>) -> anyhow::Result<String> {
    match candidates.into_iter().flatten().next() {
        Some(spec) => Ok(spec.to_owned()),
        None => bail!("no device is given; write --device sim:notes, or set device in retap.toml"),
    }
}
