//! The minimal lists: each ends in its crash, and no part of it does.

use std::collections::BTreeSet;

use retap_trace::{Crash, Event};

use crate::bugs::{BUGS, Bug, LEAKED_DIALOG};
use crate::play::{Phone, SPEC};

fn crash_of(bug: &Bug) -> Crash {
    let events = bug.events();
    let (crash, played) = Phone::new(bug.sure_spec()).run(&events, 1).expect(bug.name);
    assert_eq!(played, events.len(), "{}: the crash comes with the last event", bug.name);
    crash
}

#[test]
fn six_bugs_of_growing_depth() {
    assert_eq!(BUGS.map(|bug| bug.deeds.len()), [2, 3, 4, 5, 7, 9]);
}

#[test]
fn every_list_ends_in_its_crash() {
    for bug in BUGS.iter().filter(|bug| bug.always) {
        let (events, mut phone) = (bug.events(), Phone::new(SPEC));
        let reached = (1..=20).filter(|&seed| phone.reaches(&events, bug.signature, seed)).count();
        assert_eq!(reached, 20, "{}", bug.name);
    }
}

#[test]
fn no_part_of_a_list_ends_in_the_same_crash() {
    for bug in BUGS {
        let (events, mut phone) = (bug.events(), Phone::new(bug.sure_spec()));
        let whole = (1_u32 << events.len()) - 1;
        assert!(phone.reaches(&events, bug.signature, 1), "{}", bug.name);
        for chosen in 0..whole {
            let part: Vec<&Event> =
                (0..).zip(&events).filter(|(bit, _)| chosen >> bit & 1 == 1).map(|(_, e)| e).collect();
            assert!(
                !phone.reaches(part.iter().copied(), bug.signature, 1),
                "{}: {part:?} is enough",
                bug.name
            );
        }
    }
}

#[test]
fn crashes_are_of_the_kinds_that_they_should_be() {
    let crashes = BUGS.map(crash_of);
    for (bug, crash) in BUGS.iter().zip(&crashes) {
        assert_eq!((&*crash.signature.0, crash.kind), (bug.signature, bug.kind), "{}", bug.name);
        assert!(crash.frames.len() >= 4 && !crash.message.is_empty(), "{}: {crash:?}", bug.name);
    }
    let signatures: BTreeSet<_> = crashes.iter().map(|crash| &crash.signature).collect();
    assert_eq!(signatures.len(), BUGS.len());
}

#[test]
fn only_the_leaked_dialog_has_no_frame_of_the_app() {
    for bug in BUGS {
        let crash = crash_of(bug);
        let of_app = crash.frames.iter().filter(|frame| frame.0.contains("org.retap.notes")).count();
        assert_eq!(of_app == 0, bug.name == LEAKED_DIALOG.name, "{}: {:?}", bug.name, crash.frames);
    }
}
