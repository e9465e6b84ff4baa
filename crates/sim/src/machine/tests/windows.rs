//! Windows come and go.

use super::*;

const STACK: &str = r#"
app stack
var log list
var seen int
activity Main
  on create
    push log "create Main"
  on resume
    push log "resume Main"
  on pause
    push log "pause Main"
  screen first "Main"
    button "Open" id=open
      on tap
        open Other
        set seen = seen + 1
    button "Swap" id=swap
      on tap
        open Other
        finish
    button "Dialog" id=dialog
      on tap
        dialog sure
        dialog sure
    button "Second" id=second
      on tap
        show second
    button "Share" id=share
      on tap
        leave share
  screen second "Second"
    button "Deeper" id=deeper
      on tap
        dialog leave
  dialog sure "Sure?"
    button "No" id=no
      on tap
        close
  dialog leave "Leave?"
    button "Yes" id=yes
      on tap
        show first
    button "Exit" id=exit
      on tap
        exit
activity Other
  on create
    push log "create Other with {seen}"
  on resume
    push log "resume Other"
  on pause
    push log "pause Other"
  screen other "Other"
    button "More" id=more
      on tap
        open Other
"#;

fn log(phone: &Phone) -> Vec<String> {
    phone.text("log").split(", ").map(str::to_owned).collect()
}

#[test]
fn code_runs_to_its_end_before_a_window_opens() {
    let mut phone = Phone::launched(STACK);
    phone.tap("open");
    assert_eq!(phone.activity(), "Other");
    phone.back();
    let expected = [
        "create Main",
        "resume Main",
        "pause Main",
        "create Other with 1",
        "resume Other",
        "pause Other",
        "resume Main",
    ];
    assert_eq!(log(&phone), expected);
}

#[test]
fn open_and_finish_swap_activities() {
    let mut phone = Phone::launched(STACK);
    phone.tap("swap");
    assert_eq!(phone.activity(), "Other");
    phone.back();
    assert!(phone.at_home());
}

#[test]
fn a_dialog_opens_once() {
    let mut phone = Phone::launched(STACK);
    phone.tap("dialog");
    phone.tap("no");
    assert!(phone.sees("open") && !phone.sees("no"));
    phone.tap("dialog");
    phone.tap_at(5, 1900);
    assert!(!phone.sees("no"), "a touch beside it takes it away");
    phone.tap("dialog");
    phone.back();
    assert!(!phone.sees("no") && phone.activity() == "Main");
}

#[test]
fn showing_a_screen_takes_dialogs_away() {
    let mut phone = Phone::launched(STACK);
    phone.tap("second");
    phone.tap("deeper");
    phone.tap("yes");
    assert!(phone.sees("open") && !phone.sees("yes"));
}

#[test]
fn exit_ends_all_activities() {
    let mut phone = Phone::launched(STACK);
    phone.tap("second");
    phone.tap("deeper");
    phone.tap("exit");
    assert!(phone.at_home() && phone.machine.running());
}

#[test]
fn the_stack_has_a_bottom() {
    let mut phone = Phone::launched(STACK);
    phone.tap("open");
    for _ in 0..100 {
        phone.tap("more");
    }
    for _ in 0..63 {
        phone.back();
        assert_eq!(phone.activity(), "Other");
    }
    phone.back();
    assert!(phone.at_home(), "only the topmost 64 were kept");
}

#[test]
fn a_tap_can_come_before_its_button_exists() {
    let mut phone = Phone::slow(STACK, 300);
    let more = Point::new(500, 280);
    phone.tap("open");
    assert_eq!(phone.activity(), "Main");
    phone.tap_at(more.x, more.y);
    phone.wait(299);
    assert_eq!(phone.activity(), "Main");
    phone.wait(1);
    assert_eq!(phone.activity(), "Other");
    assert_eq!(phone.int("seen"), 2, "the second tap still went to the old window");
    phone.back();
    phone.back();
    assert_eq!(phone.activity(), "Main");
}

#[test]
fn what_one_handler_does_to_windows_is_one_transition() {
    let mut phone = Phone::slow(STACK, 300);
    phone.tap("swap");
    phone.wait(200);
    assert_eq!(phone.activity(), "Main");
    phone.wait(100);
    assert_eq!(phone.activity(), "Other");
    phone.back();
    assert!(phone.at_home());
}

#[test]
fn the_app_takes_its_time_to_launch() {
    let settings = Settings { latency: Latency::Fixed(Micros::from_millis(500)), ..Settings::default() };
    let mut phone = Phone::with(STACK, &settings, Seed(1));
    phone.launch();
    assert!(phone.at_home());
    phone.wait(400);
    phone.launch();
    phone.wait(100);
    assert_eq!(phone.activity(), "Main");
    phone.press(Key::HOME);
    phone.launch();
    phone.press(Key::HOME);
    phone.wait(1_000);
    assert!(phone.at_home(), "home forgets a launch that is under way");
}
