//! What a crash is recognised by.
//!
//! Two crashes are the same when kind, exception, root cause and the frames that count are the same. Messages never
//! count: they hold data. Frames count when they are of the app; in a stack without any, those of libraries; in a
//! stack without these too, those of the framework.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::xxh3_64;

use super::site::{Owner, Site, plain};
use super::{CrashKind, Frame, Signature};

pub(super) fn sign(
    kind: CrashKind,
    exception: &str,
    root_cause: Option<&str>,
    frames: &[Frame],
    package: &str,
) -> Signature {
    let sites: Vec<Site> = frames.iter().map(|frame| Site::of(kind, frame, package)).collect();
    let counting = match kind {
        CrashKind::Anr => callback(&sites),
        _ if overflowed(kind, exception, root_cause, &sites) => recursion(&sites),
        _ => counting(sites.iter().collect()),
    };
    let mut parts = vec![kind.word(), exception, root_cause.unwrap_or_default()];
    // The main thread of an ANR is caught at some line of what it does: the method counts, the line does not.
    parts
        .extend(counting.iter().map(|site| if kind == CrashKind::Anr { &*site.name } else { &*site.stable }));
    let hash = xxh3_64(parts.join("\n").as_bytes()) & 0xffff_ffff;

    let activity = root_cause.filter(|_| kind == CrashKind::Anr).map(|activity| plain(simple(activity)));
    let site = activity.or_else(|| counting.first().map(|site| site.name.clone()));
    let site = site.filter(|site| !site.is_empty()).unwrap_or_else(|| "unknown".to_owned());
    Signature(format!("{}@{site}#{hash:08x}", plain(simple(exception))).into())
}

/// The last part of a class name: `IllegalStateException`, `Outer$Inner`.
fn simple(class: &str) -> &str {
    class.rsplit('.').next().unwrap_or_default()
}

/// The frames of the best owner that has any, in order.
fn counting(sites: Vec<&Site>) -> Vec<&Site> {
    let best = sites.iter().map(|site| site.owner).min();
    sites.into_iter().filter(|site| Some(site.owner) == best).collect()
}

/// The method of the app that the system called and that did not return. What it was doing when it was caught
/// is chance.
fn callback(sites: &[Site]) -> Vec<&Site> {
    sites.iter().rev().find(|site| site.owner == Owner::App).into_iter().collect()
}

fn overflowed(kind: CrashKind, exception: &str, root_cause: Option<&str>, sites: &[Site]) -> bool {
    // Native code has no word for it: a signal, and a stack that goes round and round.
    const MANY: usize = 16;
    let names: &[&str] = match kind {
        CrashKind::JavaScript => &["RangeError", "InternalError"],
        CrashKind::Native => return rounds(sites).into_values().max().unwrap_or(0) >= MANY,
        CrashKind::Java | CrashKind::Anr => &["StackOverflowError"],
    };
    [Some(exception), root_cause].into_iter().flatten().any(|class| names.contains(&simple(class)))
}

/// The frames that repeat, each once and sorted: where in the round the stack was full is chance.
fn recursion(sites: &[Site]) -> Vec<&Site> {
    let rounds = rounds(sites);
    let most = rounds.values().copied().max().unwrap_or(0);
    if most < 2 {
        return counting(sites.iter().collect());
    }
    // A frame may stand in a round more than once, and the last round is seldom whole.
    let repeating = rounds.into_iter().filter(|&(_, count)| count > 1 && count * 4 >= most);
    counting(repeating.map(|(site, _)| site).collect())
}

fn rounds(sites: &[Site]) -> BTreeMap<&Site, usize> {
    let mut rounds = BTreeMap::new();
    for site in sites {
        *rounds.entry(site).or_insert(0) += 1;
    }
    rounds
}
