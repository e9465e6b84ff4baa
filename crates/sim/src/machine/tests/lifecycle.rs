//! Processes and activities live and die.

use super::*;

const LIFE: &str = r#"
app life
kept saved int
var visits int
var log list
on start
  push log "start"
activity Main
  var draft text
  on create
    push log "create"
  on resume
    push log "resume"
    set visits = visits + 1
  on pause
    push log "pause"
    set saved = saved + 1
  screen first "Main" scrolls
    field draft id=draft
    button "Dialog" id=dialog
      on tap
        dialog sure
    button "Second" id=second
      on tap
        show second
    button "Other" id=other
      on tap
        open Other
    button "Crash" id=crash
      on tap
        crash java.lang.IllegalStateException
    label "tall" height=3000
  screen second
    label "Second"
  dialog sure
    label "Sure?" id=sure
activity Other
  screen other
    label "Other"
"#;

fn log(phone: &Phone) -> Vec<String> {
    phone.text("log").split(", ").map(str::to_owned).collect()
}

#[test]
fn a_process_starts_once() {
    let mut phone = Phone::launched(LIFE);
    assert_eq!(log(&phone), ["start", "create", "resume"]);
    phone.press(Key::HOME);
    assert!(phone.at_home());
    phone.launch();
    assert_eq!(log(&phone), ["start", "create", "resume", "pause", "resume"]);
    phone.launch();
    assert_eq!(log(&phone).len(), 5, "launching the app in front changes nothing");
    phone.back();
    phone.launch();
    assert_eq!(log(&phone)[5..], ["pause", "create", "resume"], "without activities it starts over");
}

#[test]
fn turning_creates_the_activity_again() {
    let mut phone = Phone::launched(LIFE);
    phone.tap("draft");
    phone.type_in("lost");
    phone.back();
    phone.swipe(Point::new(500, 1800), Point::new(500, 1500));
    phone.turn(Orientation::Landscape);
    assert_eq!(log(&phone), ["start", "create", "resume", "pause", "create", "resume"]);
    assert_eq!(phone.text("draft"), "");
    assert_eq!(phone.int("visits"), 2, "the process lives on");
    assert!(!phone.node("draft").flags.has(Flag::Focused));
    assert_eq!(phone.bounds("draft").top, 210, "and it is not scrolled any more");
    phone.tap("dialog");
    phone.turn(Orientation::Portrait);
    assert!(!phone.sees("sure"));
    phone.tap("second");
    phone.turn(Orientation::Landscape);
    assert!(phone.sees("draft"), "it begins with its first screen");
    phone.turn(Orientation::Landscape);
    assert_eq!(log(&phone).len(), 12, "turning to the side where it is does nothing");
}

#[test]
fn activities_behind_are_created_again_when_they_come_back() {
    let mut phone = Phone::launched(LIFE);
    phone.tap("draft");
    phone.type_in("lost");
    phone.back();
    phone.tap("other");
    phone.turn(Orientation::Landscape);
    assert_eq!(phone.text("draft"), "lost");
    phone.back();
    assert_eq!((phone.activity(), phone.text("draft")), ("Main", String::new()));
    assert_eq!(log(&phone), ["start", "create", "resume", "pause", "create", "resume"]);
}

#[test]
fn the_home_screen_keeps_the_side_for_the_app() {
    let mut phone = Phone::launched(LIFE);
    phone.press(Key::HOME);
    phone.turn(Orientation::Landscape);
    assert_eq!(log(&phone).len(), 4);
    phone.launch();
    assert_eq!(log(&phone)[4..], ["create", "resume"]);
    assert_eq!(phone.machine.orientation(), Orientation::Landscape);
}

#[test]
fn a_crash_keeps_only_what_is_kept() {
    let mut phone = Phone::launched(LIFE);
    phone.press(Key::HOME);
    phone.launch();
    assert_eq!((phone.int("saved"), phone.int("visits")), (1, 2));
    phone.tap("crash");
    assert!(phone.at_home() && !phone.machine.running());
    assert_eq!((phone.int("saved"), phone.int("visits"), phone.text("log")), (1, 0, String::new()));
    phone.launch();
    assert_eq!(log(&phone), ["start", "create", "resume"]);
}

#[test]
fn stopping_an_app_is_no_crash() {
    let mut phone = Phone::launched(LIFE);
    phone.tap("other");
    phone.machine.stop_app();
    assert!(phone.at_home() && !phone.machine.running() && phone.machine.take_crashes().is_empty());
    phone.launch();
    assert_eq!(phone.activity(), "Main");
}

const DRAWN: &str = r#"
app drawn
var colour text = "red" or "blue" 1:1
kept items list = ["1", "2", "3", "4", "5", "6", "7", "8"]
activity Main
  screen first
    button "Crash" id=crash
      on tap
        crash java.lang.Error
"#;

#[test]
fn variants_and_order_are_drawn_at_install() {
    let drawn = |order, variants, seed| {
        let phone = Phone::with(DRAWN, &Settings { order, variants, ..Settings::default() }, Seed(seed));
        (phone.text("colour"), phone.text("items"))
    };
    let plain = ("red".to_owned(), "1, 2, 3, 4, 5, 6, 7, 8".to_owned());
    assert!((0..20).all(|seed| drawn(false, false, seed) == plain));
    let blues = (0..200).filter(|&seed| drawn(false, true, seed).0 == "blue").count();
    assert!((70..130).contains(&blues), "{blues}");
    assert!((0..20).all(|seed| drawn(true, false, seed).0 == "red"));
    let orders: std::collections::BTreeSet<_> = (0..20).map(|seed| drawn(true, false, seed).1).collect();
    assert!(orders.len() > 15, "{orders:?}");
    assert_eq!(drawn(true, true, 5), drawn(true, true, 5));
}

#[test]
fn a_variant_outlives_a_crash() {
    let settings = Settings { variants: true, ..Settings::default() };
    let blue = (0..100)
        .map(|seed| Phone::with(DRAWN, &settings, Seed(seed)))
        .find(|phone| phone.text("colour") == "blue");
    let mut phone = blue.unwrap();
    phone.launch();
    phone.tap("crash");
    assert_eq!(phone.text("colour"), "blue");
}
