//! What keys do.

use super::*;

const KEYS: &str = r#"
app keys
var last text
var name text
activity Main
  on key volume_up
    set last = "louder"
  on key dpad_left
    set last = "left"
  screen first "Keys"
    button "One" id=one
      on tap
        set last = "one"
    field name id=name
    button "Two" id=two
      on tap
        set last = "two"
    button "Other" id=other
      on tap
        open Other
  menu main
    item "About" id=about
      on tap
        set last = "about"
activity Other
  on back
    set last = "stay"
  on menu
    if last == "menu"
      set last = "again"
    else
      set last = "menu"
    menu more
  screen other
    button "Ask" id=ask
      on tap
        dialog must
  dialog must "Must" fixed
    button "OK" id=ok
      on tap
        close
  menu more
    item "Nothing"
"#;

#[test]
fn back_ends_the_last_activity_but_not_the_process() {
    let mut phone = Phone::launched(KEYS);
    phone.back();
    assert!(phone.at_home() && phone.machine.running());
    assert_eq!(&**phone.machine.activity(), "com.android.launcher3.Launcher");
}

#[test]
fn an_activity_can_take_the_back_key() {
    let mut phone = Phone::launched(KEYS);
    phone.tap("other");
    phone.back();
    assert_eq!((phone.activity(), phone.text("last")), ("Other", "stay".into()));
}

#[test]
fn a_fixed_dialog_stays() {
    let mut phone = Phone::launched(KEYS);
    phone.tap("other");
    phone.tap("ask");
    phone.back();
    phone.tap_at(10, 1900);
    assert!(phone.sees("ok") && phone.text("last").is_empty());
    phone.tap("ok");
    assert!(!phone.sees("ok"));
}

#[test]
fn the_menu_key_opens_and_closes_the_menu() {
    let mut phone = Phone::launched(KEYS);
    phone.press(Key::MENU);
    assert!(phone.sees("about"));
    phone.press(Key::MENU);
    assert!(!phone.sees("about"));
    phone.press(Key::MENU);
    phone.tap("about");
    assert!(phone.text("last") == "about" && !phone.sees("about"), "choosing closes the menu");
    phone.press(Key::MENU);
    phone.tap_at(100, 1500);
    assert!(!phone.sees("about"), "a touch beside closes it");
}

#[test]
fn an_activity_can_take_the_menu_key() {
    let mut phone = Phone::launched(KEYS);
    phone.tap("other");
    phone.press(Key::MENU);
    assert!(phone.text("last") == "menu" && phone.sees("Nothing"));
    phone.press(Key::MENU);
    assert!(phone.text("last") == "again" && !phone.sees("Nothing"), "a menu that is open is closed");
}

#[test]
fn the_focus_moves_by_keys() {
    let mut phone = Phone::launched(KEYS);
    phone.press(Key::DPAD_DOWN);
    assert!(phone.node("one").flags.has(Flag::Focused));
    phone.press(Key::DPAD_CENTER);
    assert_eq!(phone.text("last"), "one");
    phone.press(Key::DPAD_DOWN);
    phone.press("x".parse().unwrap());
    assert_eq!(phone.text("name"), "x", "a field with the focus takes letters");
    assert!(!phone.machine.keyboard());
    phone.press(Key::TAB);
    phone.press(Key::ENTER);
    assert_eq!(phone.text("last"), "two");
    phone.press(Key::DPAD_UP);
    assert!(phone.node("name").flags.has(Flag::Focused));
    phone.press(Key::DPAD_UP);
    phone.press(Key::DPAD_UP);
    assert!(phone.node("one").flags.has(Flag::Focused), "there is nothing above the first");
}

#[test]
fn other_keys_go_to_the_activity() {
    let mut phone = Phone::launched(KEYS);
    phone.press(Key::VOLUME_UP);
    assert_eq!(phone.text("last"), "louder");
    phone.press(Key::DPAD_LEFT);
    assert_eq!(phone.text("last"), "left");
    let before = phone.machine.clone();
    for key in [Key::VOLUME_DOWN, Key::POWER, Key::SLEEP, Key::CALL, Key(250)] {
        phone.press(key);
    }
    assert!(phone.machine == before, "keys without a meaning do nothing");
}
