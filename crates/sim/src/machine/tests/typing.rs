//! Fields and the keyboard.

use retap_trace::Selector;

use super::*;

const FORM: &str = r#"
app form
var name text
var city text
var changes int
var secret bool = true
activity Main
  screen first "Form"
    field name id=name hint="Name"
      on change
        set changes = changes + 1
    button "Low" id=low at=0,1600,400,1800
      on tap
        set changes = 100
    button "Hide" id=hide
      on tap
        set secret = false
    field city id=city if=secret
    button "Dialog" id=dialog
      on tap
        dialog ask
    button "Search" id=search
      on tap
        show search
        focus query
  screen search
    label "Query"
    field city id=query
  dialog ask "Where?"
    field city id=where focus
    button "Done" id=done
      on tap
        close
"#;

#[test]
fn the_keyboard_covers_what_lies_below_it() {
    let mut phone = Phone::launched(FORM);
    assert!(!phone.machine.keyboard());
    phone.tap("name");
    assert!(phone.machine.keyboard());
    phone.tap("low");
    assert_eq!((phone.int("changes"), phone.text("name")), (1, "z".into()), "the tap typed a letter");
    phone.back();
    assert!(!phone.machine.keyboard());
    phone.tap("low");
    assert_eq!(phone.int("changes"), 100);
}

#[test]
fn keys_of_the_keyboard_type_delete_and_leave() {
    let mut phone = Phone::launched(FORM);
    phone.tap("name");
    phone.tap_at(10, 1200);
    phone.tap_at(120, 1200);
    assert_eq!(phone.text("name"), "qw");
    phone.tap_at(1000, 1600);
    assert_eq!(phone.text("name"), "q");
    phone.tap_at(1070, 1910);
    assert!(!phone.machine.keyboard());
    assert_eq!((phone.text("name"), phone.int("changes")), ("q".into(), 3));
}

#[test]
fn text_goes_to_the_focus_or_to_the_widget_meant() {
    let mut phone = Phone::launched(FORM);
    phone.type_in("nobody");
    assert_eq!(phone.text("name"), "");
    phone.tap("name");
    phone.type_in("Ada");
    phone.type_in("Ada Lovelace");
    assert_eq!((phone.text("name"), phone.int("changes")), ("Ada Lovelace".into(), 2));
    let into = |id: &str| Event::Text {
        text: "Rome".into(),
        widget: Some(Selector {
            id: Some(format!("org.example.form:id/{id}").into()),
            ..Selector::default()
        }),
    };
    phone.act(&into("city"));
    assert_eq!(phone.text("city"), "Rome");
    phone.act(&into("hide"));
    phone.act(&into("nowhere"));
    assert_eq!(phone.text("name"), "Ada Lovelace");
}

#[test]
fn a_disabled_field_takes_no_text() {
    let mut phone = Phone::launched(
        "app lock \"Lock\"\npackage org.example.lock\nvar name text = \"\"\nactivity Main\n  screen home \"Home\"\n    \
         field name id=name enabled=false\n",
    );
    let widget = Some(Selector { id: Some("org.example.lock:id/name".into()), ..Selector::default() });
    phone.act(&Event::Text { text: "Rome".into(), widget });
    phone.tap("name");
    phone.type_in("Rome");
    assert_eq!(phone.text("name"), "");
}

#[test]
fn keys_type_as_well() {
    let mut phone = Phone::launched(FORM);
    phone.tap("name");
    for key in ["a", "b", "7", "space", "comma", "delete"] {
        phone.press(key.parse().unwrap());
    }
    assert_eq!(phone.text("name"), "ab7 ");
    phone.press(Key::ENTER);
    assert!(!phone.machine.keyboard());
}

#[test]
fn the_keyboard_goes_with_its_window_and_its_field() {
    let mut phone = Phone::launched(FORM);
    phone.tap("dialog");
    assert!(phone.machine.keyboard(), "a field that has the focus calls the keyboard");
    phone.type_in("Oslo");
    phone.back();
    assert!(phone.sees("where"), "the first back only takes the keyboard away");
    phone.tap("done");
    assert!(!phone.machine.keyboard() && phone.text("city") == "Oslo");
    phone.tap("city");
    assert!(phone.machine.keyboard());
    phone.tap("hide");
    assert!(!phone.machine.keyboard(), "its field is gone");
}

#[test]
fn code_can_give_the_focus() {
    let mut phone = Phone::launched(FORM);
    phone.tap("search");
    assert!(phone.machine.keyboard() && phone.node("query").flags.has(Flag::Focused));
}

#[test]
fn typing_has_an_end() {
    let mut phone = Phone::launched(FORM);
    phone.tap("name");
    for _ in 0..1_500 {
        phone.tap_at(10, 1200);
    }
    assert_eq!(phone.text("name").len(), 1_000);
}
