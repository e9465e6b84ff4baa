//! What fresh runs have confirmed of a trace, and whether the trace is still the one that they performed.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use xxhash_rust::xxh3::Xxh3;

use crate::step::{Step, Trace};

/// What fresh runs showed of a reduced trace. They had no say in choosing it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ConfirmedRate {
    /// How many of them reached the target.
    pub reached: u32,
    /// How many there were.
    pub runs: u32,
    /// How many events the trace had before.
    pub before: u32,
    /// What they performed. Traces of earlier versions do not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<TraceDigest>,
}

/// A hash of parts of a trace.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TraceDigest(pub u64);

impl Trace {
    /// A hash of what a run of it does and is judged by. It stays the same from one version to the next: it is made of
    /// what stands in the file.
    pub fn digest(&self) -> TraceDigest {
        let header = &self.header;
        let head = serde_json::to_vec(&(&header.app.package, header.start, &header.target));
        TraceDigest::of(std::iter::once(head).chain(self.events().map(serde_json::to_vec)))
    }

    /// A hash of what was seen at the start and after each step, which a replay as part of a suite is compared with.
    pub fn seen_digest(&self) -> TraceDigest {
        let first = serde_json::to_vec(&self.steps.first().map(|step| &step.before));
        let seen = |step: &Step| serde_json::to_vec(&(&step.after, &step.coverage, &step.crash));
        TraceDigest::of(std::iter::once(first).chain(self.steps.iter().map(seen)))
    }

    /// What was confirmed of exactly these steps and this target.
    pub fn claim(&self) -> Option<ConfirmedRate> {
        self.header.claim.filter(|_| !self.is_changed())
    }

    /// Whether it was changed since it was confirmed, so that nothing is known of it.
    pub fn is_changed(&self) -> bool {
        let confirmed = self.header.claim.and_then(|claim| claim.digest);
        confirmed.is_some_and(|digest| digest != self.digest())
    }
}

impl TraceDigest {
    /// Of parts of a trace, in this order.
    fn of(parts: impl Iterator<Item = serde_json::Result<Vec<u8>>>) -> Self {
        let mut hasher = Xxh3::new();
        for part in parts {
            hasher.update(&part.expect("parts of traces are JSON"));
            hasher.update(b"\n");
        }
        Self(hasher.digest())
    }
}

impl fmt::Display for TraceDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Debug for TraceDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TraceDigest({self})")
    }
}

impl FromStr for TraceDigest {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let digest = digits.then(|| u64::from_str_radix(text, 16).ok()).flatten();
        digest.map(Self).ok_or_else(|| format!("'{text}' is not a digest (16 hexadecimal digits)"))
    }
}

impl Serialize for TraceDigest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Event, Header, Key, Step, Target};

    #[test]
    fn a_claim_is_of_one_list_of_events_and_one_target() {
        let event = |key| Step::new(Event::Key { key });
        let header = Header { target: Some(Target::AnyCrash), ..Header::new("a.b") };
        let mut trace = Trace { header, steps: vec![event(Key::BACK), event(Key::HOME)] };
        assert_eq!((trace.claim(), trace.is_changed()), (None, false));
        let old = ConfirmedRate { reached: 20, runs: 20, before: 9, digest: None };
        trace.header.claim = Some(old);
        assert_eq!((trace.claim(), trace.is_changed()), (Some(old), false), "an earlier version wrote none");
        let claim = ConfirmedRate { digest: Some(trace.digest()), ..old };
        trace.header.claim = Some(claim);
        trace.header.note = Some("a note changes nothing".to_owned());
        assert_eq!((trace.claim(), trace.is_changed()), (Some(claim), false));
        let changes: [fn(&mut Trace); 5] = [
            |trace| drop(trace.steps.pop()),
            |trace| trace.steps.swap(0, 1),
            |trace| trace.steps[1].event = Event::Key { key: Key::MENU },
            |trace| trace.header.target = Some(Target::Activity("Main".into())),
            |trace| trace.header.app.package = "a.c".into(),
        ];
        for change in changes {
            let mut other = trace.clone();
            change(&mut other);
            assert_eq!((other.claim(), other.is_changed()), (None, true));
        }
    }

    /// Files carry it from one version to the next.
    #[test]
    fn a_digest_never_changes() {
        let header = Header { target: Some(Target::AnyCrash), ..Header::new("a.b") };
        let trace = Trace { header, steps: vec![Step::new(Event::Key { key: Key::BACK })] };
        assert_eq!(trace.digest().to_string(), "1e48fe6b7770eca1");
        assert_eq!(trace.digest().to_string().parse(), Ok(trace.digest()));
    }
}
