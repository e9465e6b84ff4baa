//! Records samples from their scripts, and holds the files against them.

use std::fs;
use std::path::PathBuf;

use retap_device::Device as _;
use retap_trace::{AppId, Header, Seed, Start, Target, Trace};

use crate::play::{device, play};
use crate::script;

const UPDATE: &str = "RETAP_UPDATE";

/// A sample: where and how it is recorded.
pub(crate) struct Sample {
    /// The name of its file, without the ending.
    pub(crate) name: &'static str,
    /// The device, as `--device` takes it.
    pub(crate) device: &'static str,
    pub(crate) start: Start,
    pub(crate) seed: u64,
    /// What it is there to reach; none means the crash that it ends with, if it does.
    pub(crate) target: Option<&'static str>,
    pub(crate) note: &'static str,
    pub(crate) script: &'static str,
}

impl Sample {
    /// Records the sample, and sees to it that its file says the same.
    pub(crate) fn trace(&self) -> Trace {
        let trace = self.record();
        let mut recorded = Vec::new();
        trace.write(&mut recorded).expect("memory takes all");
        self.compare(&String::from_utf8(recorded).expect("traces are text"));
        trace
    }

    fn record(&self) -> Trace {
        let mut device = device(self.device);
        let mut lines = script::lines(self.script);
        let steps = play(&mut device, self.start, Seed(self.seed), |seen| {
            lines.next().map(|line| script::event(line, seen))
        });
        let app = device.machine().program().app();
        let crash = steps.last().and_then(|step| step.crash.as_ref());
        let target = match self.target {
            Some(target) => Some(target.parse().unwrap_or_else(|error| panic!("{error}"))),
            None => crash.map(|crash| Target::Crash(crash.signature.clone())),
        };
        let header = Header {
            app: AppId { package: app.package.clone(), build: Some(app.build.to_string()) },
            start: self.start,
            device: Some(self.device.to_owned()),
            screen: Some(device.screen()),
            target,
            seed: Some(self.seed),
            note: Some(self.note.to_owned()),
            ..Header::new(app.package.clone())
        };
        Trace { header, steps }
    }

    fn compare(&self, recorded: &str) {
        let file = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("../../samples")
            .join(format!("{}.trace.jsonl", self.name));
        let stored = fs::read_to_string(&file).unwrap_or_default();
        if stored == recorded {
            return;
        }
        if std::env::var(UPDATE).is_ok_and(|value| value == "1") {
            fs::write(&file, recorded).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            return;
        }
        let differ = |(left, right): (&str, &str)| left != right;
        let equal = stored.lines().zip(recorded.lines()).position(differ);
        let line = equal.unwrap_or_else(|| stored.lines().count().min(recorded.lines().count()));
        panic!(
            "{} is not what its script records today, from line {} on:\n  stored    {}\n  recorded  {}\n\
             write it again with\n  {UPDATE}=1 cargo test -p retap-lab --test samples",
            file.display(),
            line + 1,
            stored.lines().nth(line).unwrap_or("(nothing)"),
            recorded.lines().nth(line).unwrap_or("(nothing)"),
        );
    }
}
