//! Events in words, and where fingers go.

use proptest::prelude::*;

use crate::any;

use super::*;

fn words(event: &Event) -> String {
    event.to_string()
}

#[test]
fn events_read_as_people_say_them() {
    let at = Aim::place(Point::new(540, 1200));
    let widget = Selector { text: Some("Add tag".into()), ..Selector::default() };
    let on = Aim::widget(Point::new(1, 2), widget.clone());
    let time = Micros::from_millis(250);
    assert_eq!(words(&Event::Launch), "launch the app");
    assert_eq!(words(&Event::tap(540, 1200)), "tap 540,1200");
    assert_eq!(words(&Event::Tap(on.clone())), "tap 'Add tag'");
    assert_eq!(words(&Event::LongTap { aim: on, hold: time }), "long tap 'Add tag'");
    assert_eq!(words(&Event::DoubleTap(at.clone())), "double tap 540,1200");
    assert_eq!(
        words(&Event::Pinch { aim: at.clone(), percent: 50, over: time }),
        "pinch together on 540,1200 to 50 %"
    );
    assert_eq!(
        words(&Event::Pinch { aim: at, percent: 200, over: time }),
        "pinch apart on 540,1200 to 200 %"
    );
    assert_eq!(words(&Event::key(Key::BACK)), "press back");
    assert_eq!(words(&Event::text("mi\"lk")), r#"type "mi\"lk""#);
    assert_eq!(words(&Event::Text { text: "a".into(), widget: Some(widget) }), "type \"a\" into 'Add tag'");
    assert_eq!(words(&Event::Rotate { to: Orientation::Landscape }), "rotate to landscape");
    assert_eq!(words(&Event::system("android.intent.action.BATTERY_LOW")), "system event BATTERY_LOW");
    let extras = BTreeMap::from([("b".to_owned(), "2".to_owned()), ("a".to_owned(), "1".to_owned())]);
    let push = Event::System(SystemEvent { action: "com.example.PUSH".into(), extras });
    assert_eq!(words(&push), "system event com.example.PUSH a=1 b=2");
    assert_eq!(words(&Event::Wait { time }), "wait 250 ms");
}

#[test]
fn a_swipe_has_a_direction_even_from_edge_to_edge() {
    let swipe = |from: (i32, i32), to: (i32, i32)| {
        let aim = Aim::place(Point::new(from.0, from.1));
        words(&Event::Swipe { aim, to: Point::new(to.0, to.1), over: Micros::ZERO })
    };
    assert_eq!(swipe((540, 1200), (540, 300)), "swipe up from 540,1200 to 540,300");
    assert_eq!(swipe((540, 300), (500, 1200)), "swipe down from 540,300 to 500,1200");
    assert_eq!(swipe((900, 300), (100, 400)), "swipe left from 900,300 to 100,400");
    assert!(swipe((i32::MIN, 0), (i32::MAX, 0)).starts_with("swipe right"));
    assert!(swipe((0, i32::MAX), (0, i32::MIN)).starts_with("swipe up"));
}

proptest! {
    #[test]
    fn an_aim_is_the_same_to_see_and_to_change(event in any::event()) {
        let mut changed = event.clone();
        prop_assert_eq!(event.aim(), changed.aim_mut().map(|aim| &*aim));
        prop_assert!(!words(&event).is_empty());
    }
}
