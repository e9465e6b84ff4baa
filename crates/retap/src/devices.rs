//! From `--device` to devices.

use std::path::Path;

use anyhow::{Context as _, bail};
use retap_device::Device;
use retap_lab::{Lab, Oracle, VirtualLab};
use retap_sim::{SimDevice, SimSpec};
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
        let Some((kind, rest)) = spec.split_once(':') else { return Err(unknown(spec)) };
        match kind {
            "sim" => Self::simulated(spec, rest, count),
            _ => Err(unknown(spec)),
        }
    }

    fn simulated(spec: &str, rest: &str, count: u32) -> anyhow::Result<Self> {
        let parsed = SimSpec::parse(rest, &read_text).with_context(|| format!("cannot use the device {spec}"))?;
        let app = parsed.app().clone();
        let first = SimDevice::new(&parsed);
        let header = Header {
            app: AppId { package: app.package.clone(), build: Some(app.build.to_string()) },
            device: Some(spec.to_owned()),
            screen: Some(first.screen()),
            ..Header::new(app.package.clone())
        };
        let others = (1..count).map(|_| SimDevice::new(&parsed));
        let devices = std::iter::once(first).chain(others).map(|device| Box::new(device) as Box<dyn Device>);
        let coverage_total = u32::try_from(app.coverage.len()).ok();
        Ok(Self { devices: devices.collect(), header, coverage_total })
    }

    /// A lab with these devices. The simulator's are driven in virtual time.
    pub(crate) fn lab(self, oracle: Oracle) -> impl Lab {
        VirtualLab::new(oracle, self.devices)
    }
}

/// The text of an app file.
fn read_text(path: &str) -> Result<String, String> {
    const MOST: u64 = 8 << 20;
    let size = std::fs::metadata(Path::new(path)).map_err(|error| format!("{path}: {error}"))?.len();
    if size > MOST {
        return Err(format!("{path} is larger than {} MiB; that is no app file", MOST >> 20));
    }
    std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))
}

fn unknown(spec: &str) -> anyhow::Error {
    anyhow::anyhow!(
        "there is no device '{spec}'; write sim:APP, such as sim:notes ('retap device list' shows them all)"
    )
}

/// The device that was typed, or is set, or that the trace names.
pub(crate) fn choose<'a>(candidates: impl IntoIterator<Item = Option<&'a str>>) -> anyhow::Result<String> {
    match candidates.into_iter().flatten().next() {
        Some(spec) => Ok(spec.to_owned()),
        None => bail!("no device is given; write --device sim:notes, or set device in retap.toml"),
    }
}
