//! What some bugs need and others do not: a rotation, a system event, chance. And what makes no difference.

use retap_trace::{Event, Key, Orientation};

use crate::bugs::{
    BATTERY_LOW, BUGS, Bug, LEAKED_DIALOG, SYNC_CONFLICT, THUMBNAIL, UNDO_RESTORE, UNNAMED_TAG,
};
use crate::deed::Deed::{self, Launch, Press, System, Tap, Turn, Type};
use crate::play::{Phone, SPEC};

/// The deeds of a bug with one of them replaced.
fn replaced(bug: &Bug, nth: usize, by: Deed) -> Vec<Deed> {
    let mut deeds = bug.deeds.to_vec();
    deeds[nth] = by;
    deeds
}

fn reaches(bug: &Bug, deeds: &[Deed]) -> bool {
    let mut phone = Phone::new(bug.sure_spec());
    let events = phone.events_of(deeds);
    phone.reaches(&events, bug.signature, 1)
}

#[test]
fn one_bug_needs_a_rotation() {
    let turned = |deeds: &[Deed]| deeds.iter().filter(|deed| matches!(deed, Turn(_))).count();
    assert_eq!(BUGS.map(|bug| turned(bug.deeds)), [0, 1, 0, 0, 0, 0]);
    let others =
        [Turn(Orientation::Portrait), Press(Key::HOME), Press(Key::APP_SWITCH), Press(Key::BACK), Launch];
    for other in others {
        assert!(!reaches(&LEAKED_DIALOG, &replaced(&LEAKED_DIALOG, 2, other)), "{other:?} does it too");
    }
    let closed = [Tap("Settings"), Tap("Text size: Normal"), Tap("OK"), Turn(Orientation::Landscape)];
    assert!(!reaches(&LEAKED_DIALOG, &closed), "the dialog was closed");
}

#[test]
fn one_bug_needs_a_system_event() {
    let told = |deeds: &[Deed]| deeds.iter().filter(|deed| matches!(deed, System(_))).count();
    assert_eq!(BUGS.map(|bug| told(bug.deeds)), [0, 0, 0, 1, 0, 0]);
    let others = [
        System("android.intent.action.BATTERY_OKAY"),
        System("android.net.conn.CONNECTIVITY_CHANGE"),
        System("android.intent.action.AIRPLANE_MODE"),
        Turn(Orientation::Landscape),
        Press(Key::HOME),
    ];
    for other in others {
        assert!(!reaches(&THUMBNAIL, &replaced(&THUMBNAIL, 4, other)), "{other:?} does it too");
    }
    assert!(!reaches(&THUMBNAIL, &replaced(&THUMBNAIL, 2, Tap("Deny"))[..3]), "no photo was taken");
    assert!(!reaches(&UNNAMED_TAG, &[System(BATTERY_LOW)]));
}

#[test]
fn one_bug_comes_seven_times_in_ten() {
    const RUNS: u64 = 200;
    assert_eq!(BUGS.map(|bug| bug.always), [true, true, true, true, false, true]);
    let (events, mut phone) = (SYNC_CONFLICT.events(), Phone::new(SPEC));
    let reached = (1..=RUNS).filter(|&seed| phone.reaches(&events, SYNC_CONFLICT.signature, seed)).count();
    // Four standard deviations around 140.
    assert!((114..=166).contains(&reached), "{reached} of {RUNS}");
    let never = Phone::new("sim:notes?flaky=0").run(&events, 1);
    assert_eq!(never, None);
}

#[test]
fn some_deeds_have_equals() {
    let equals: [(&Bug, usize, &[Deed]); 4] = [
        (&THUMBNAIL, 0, &[Tap("Shopping list"), Tap("Recipe for pancakes")]),
        (&THUMBNAIL, 3, &[Press(Key::BACK), Launch]),
        (&SYNC_CONFLICT, 0, &[Press(Key::MENU)]),
        (&UNDO_RESTORE, 8, &[Press(Key::BACK), Press(Key::VOLUME_UP), Tap("Undo")]),
    ];
    for (bug, nth, others) in equals {
        for &other in others {
            assert!(reaches(bug, &replaced(bug, nth, other)), "{}: {other:?}", bug.name);
        }
    }
}

#[test]
fn messages_vary_with_the_data_and_signatures_do_not() {
    let mut phone = Phone::new(SPEC);
    let titled = [Tap("New note"), Type("Trip", "title"), Tap("Tags"), Tap("Add tag"), Tap("Done")];
    let said = [UNNAMED_TAG.deeds, &titled].map(|deeds| {
        let events: Vec<Event> = phone.events_of(deeds);
        phone.run(&events, 1).unwrap().0
    });
    assert_eq!(said[0].signature, said[1].signature);
    assert_eq!(said[0].message, "tag 0 of the new note '' has no name");
    assert_eq!(said[1].message, "tag 0 of the new note 'Trip' has no name");
}
