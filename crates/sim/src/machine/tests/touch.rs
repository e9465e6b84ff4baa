//! What fingers do.

use retap_trace::Selector;

use super::*;

const TOUCH: &str = r#"
app touch
var last text
var on bool
var size int = 1
var changes int
var items list = ["a", "b", "c"]
activity Main
  screen list
    button "Plain" id=plain
    button "Many" id=many
      on tap
        set last = "tap"
      on long tap
        set last = "long"
      on double tap
        set last = "double"
      on pinch
        set last = "pinch"
      on swipe left
        set last = "left"
      on swipe down
        set last = "down"
    button "Counter" id=counter
      on tap
        set changes = changes + 10
    button "Off" id=off enabled=false
      on tap
        set last = "impossible"
    check on "On" id=on
      on change
        set changes = changes + 1
    radio size "Small" = 1 id=small
      on change
        set changes = changes + 1
    radio size "Large" = 2 id=large
      on change
        set changes = changes + 1
    column id=box
      on tap
        set last = "box"
      label "Inside" id=inside
    list items id=rows
      on tap
        set last = item
      on long tap
        remove items index
"#;

fn long_tap(phone: &mut Phone, what: &str) {
    let aim = Aim::place(phone.place(what));
    phone.act(&Event::LongTap { aim, hold: Micros::from_millis(600) });
}

#[test]
fn each_gesture_has_its_code() {
    let mut phone = Phone::launched(TOUCH);
    let at = phone.place("many");
    phone.tap("many");
    assert_eq!(phone.text("last"), "tap");
    long_tap(&mut phone, "many");
    assert_eq!(phone.text("last"), "long");
    phone.act(&Event::DoubleTap(Aim::place(at)));
    assert_eq!(phone.text("last"), "double");
    phone.act(&Event::Pinch { aim: Aim::place(at), percent: 50, over: Micros::ZERO });
    assert_eq!(phone.text("last"), "pinch");
    phone.swipe(at, Point::new(at.x - 300, at.y + 100));
    assert_eq!(phone.text("last"), "left");
    phone.swipe(at, Point::new(at.x - 100, at.y + 300));
    assert_eq!(phone.text("last"), "down");
}

#[test]
fn gestures_without_code_are_taps_where_a_phone_makes_them_so() {
    let mut phone = Phone::launched(TOUCH);
    long_tap(&mut phone, "counter");
    assert_eq!(phone.int("changes"), 10, "a long tap on a button clicks it");
    let at = phone.place("counter");
    phone.act(&Event::DoubleTap(Aim::place(at)));
    assert_eq!(phone.int("changes"), 30, "a double tap is two taps");
    phone.swipe(at, Point::new(at.x + 10, at.y));
    assert_eq!(phone.int("changes"), 40, "a finger that hardly moves taps");
    phone.swipe(at, Point::new(at.x + 400, at.y));
    assert_eq!(phone.int("changes"), 40);
}

#[test]
fn disabled_widgets_do_nothing() {
    let mut phone = Phone::launched(TOUCH);
    phone.tap("off");
    assert_eq!(phone.text("last"), "");
    assert!(!phone.node("off").flags.has(Flag::Enabled));
}

#[test]
fn boxes_turn_and_tell_the_app() {
    let mut phone = Phone::launched(TOUCH);
    assert!(!phone.node("on").flags.has(Flag::Checked));
    phone.tap("on");
    assert!(phone.node("on").flags.has(Flag::Checked));
    assert_eq!(phone.int("changes"), 1);
    phone.tap("small");
    assert_eq!(phone.int("changes"), 1, "small was chosen already");
    phone.tap("large");
    assert_eq!((phone.int("changes"), phone.int("size")), (2, 2));
    assert!(phone.node("large").flags.has(Flag::Checked) && !phone.node("small").flags.has(Flag::Checked));
}

#[test]
fn touches_fall_through_to_what_takes_them() {
    let mut phone = Phone::launched(TOUCH);
    phone.tap("inside");
    assert_eq!(phone.text("last"), "box");
    assert!(phone.node("box").flags.has(Flag::Clickable));
    assert!(!phone.node("inside").flags.has(Flag::Clickable));
}

#[test]
fn rows_know_their_item_and_number() {
    let mut phone = Phone::launched(TOUCH);
    phone.tap("b");
    assert_eq!(phone.text("last"), "b");
    long_tap(&mut phone, "b");
    assert_eq!(phone.text("items"), "a, c");
    phone.tap("c");
    assert_eq!(phone.text("last"), "c");
}

#[test]
fn an_event_can_follow_its_widget() {
    let mut phone = Phone::launched(TOUCH);
    let selector =
        |id: &str| Selector { id: Some(format!("org.example.touch:id/{id}").into()), ..Selector::default() };
    phone.act(&Event::Tap(Aim::widget(Point::new(0, 0), selector("many"))));
    assert_eq!(phone.text("last"), "tap");
    phone.act(&Event::Tap(Aim::widget(phone.place("on"), selector("nowhere"))));
    assert!(!phone.node("on").flags.has(Flag::Checked), "an absent widget means no event");
    let from = phone.place("plain");
    let swipe = Event::Swipe {
        aim: Aim::widget(from, selector("many")),
        to: Point::new(from.x - 200, from.y),
        over: Micros::ZERO,
    };
    phone.act(&swipe);
    assert_eq!(phone.text("last"), "left", "the finger moves as it did, from where the widget is");
}
