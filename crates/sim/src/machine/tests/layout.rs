//! Where widgets stand.

use super::*;

const FLOW: &str = r#"
app flow
var items list = ["one", "two", "three"]
var name text
var on bool = true
activity Main
  screen list "Flow"
    label "Words" id=words
    button "Press" id=press
    row id=pair
      check on "On"
      switch on "Too"
    list items id=rows
      row
        label "{item}"
        button "x" id=delete
          on tap
            nothing
    field name id=name hint="Name"
"#;

#[test]
fn content_flows_down_and_lists_take_what_is_left() {
    let phone = Phone::launched(FLOW);
    insta::assert_snapshot!(shown(&phone.machine.tree()), @r#"
    FrameLayout [0,0][1080,1920]
      TextView #action_bar_title "Flow" [0,63][1080,210]
      TextView #words "Words" [24,210][1056,306]
      Button #press "Press" [24,314][1056,458] clickable focusable
      LinearLayout #pair [24,466][1056,598]
        CheckBox "On" [24,466][540,598] clickable checkable checked focusable
        Switch "Too" [540,466][1056,598] clickable checkable checked focusable
      ListView #rows [24,606][1056,1768]
        LinearLayout [24,606][1056,750]
          TextView "one" [24,606][540,750]
          Button #delete "x" [540,606][1056,750] clickable focusable
        LinearLayout [24,750][1056,894]
          TextView "two" [24,750][540,894]
          Button #delete "x" [540,750][1056,894] clickable focusable
        LinearLayout [24,894][1056,1038]
          TextView "three" [24,894][540,1038]
          Button #delete "x" [540,894][1056,1038] clickable focusable
      EditText #name "Name" [24,1776][1056,1920] clickable long-clickable focusable
    "#);
}

#[test]
fn landscape_has_a_layout_of_its_own() {
    let mut phone = Phone::launched(FLOW);
    phone.turn(Orientation::Landscape);
    assert_eq!(phone.machine.screen(), Machine::SCREEN.turned());
    assert_eq!(phone.bounds("press"), Rect::new(24, 314, 1896, 458));
}

const LONG: &str = r#"
app long
var items list = ["0","1","2","3","4","5","6","7","8","9","10","11","12","13","14","15","16","17","18","19","20","21","22","23"]
var picked text
activity Main
  screen first "Long"
    list items id=rows
      label "{item}"
        on tap
          set picked = item
  screen form "Form" scrolls
    label "a" height=900
    label "b" height=900
    button "Submit" id=submit
      on tap
        set picked = "sent"
  screen short
    label "c" height=950
    label "d" height=950
    button "Lost" id=lost
  on key search
    show form
  on key camera
    show short
"#;

#[test]
fn only_rows_in_sight_are_in_the_tree() {
    let mut phone = Phone::launched(LONG);
    // 1920 - 63 - 147 = 1710 pixels for rows of 96: 17 whole ones and a cut one.
    assert_eq!(phone.texts().len(), 1 + 18);
    assert_eq!(phone.bounds("17"), Rect::new(24, 210 + 17 * 96, 1056, 1920));
    assert!(phone.node("rows").flags.has(Flag::Scrollable));
    phone.swipe(Point::new(500, 1500), Point::new(500, 1300));
    assert_eq!(phone.bounds("2"), Rect::new(24, 210, 1056, 210 + 3 * 96 - 200));
    phone.tap("5");
    assert_eq!(phone.text("picked"), "5");
}

#[test]
fn a_list_stops_at_its_ends() {
    let mut phone = Phone::launched(LONG);
    phone.swipe(Point::new(500, 300), Point::new(500, 1800));
    assert_eq!(phone.bounds("0").top, 210);
    for _ in 0..5 {
        phone.swipe(Point::new(500, 1800), Point::new(500, 300));
    }
    assert_eq!(phone.bounds("23"), Rect::new(24, 1920 - 96, 1056, 1920));
}

#[test]
fn a_window_that_scrolls_shows_its_end_when_scrolled() {
    let mut phone = Phone::launched(LONG);
    phone.press(Key::SEARCH);
    assert!(!phone.sees("submit"));
    phone.swipe(Point::new(500, 1800), Point::new(500, 800));
    phone.tap("submit");
    assert_eq!(phone.text("picked"), "sent");
    assert_eq!(phone.bounds("submit").bottom, 1920);
}

#[test]
fn content_below_the_display_is_out_of_reach() {
    let mut phone = Phone::launched(LONG);
    phone.press(Key::CAMERA);
    assert!(phone.sees("d") && !phone.sees("lost"));
    assert_eq!(phone.bounds("d").bottom, 1920);
    phone.swipe(Point::new(500, 1800), Point::new(500, 800));
    assert!(!phone.sees("lost"));
}

#[test]
fn dialogs_are_centred_and_menus_drop_from_the_corner() {
    let mut phone = Phone::launched(
        r#"
app boxes
activity Main
  screen list "Boxes"
    button "Ask" id=ask
      on tap
        dialog sure
  dialog sure "Sure?"
    label "Really"
    button "OK"
  menu main
    item "Settings"
    item "About"
"#,
    );
    phone.tap("ask");
    insta::assert_snapshot!(shown(&phone.machine.tree()), @r#"
    FrameLayout [60,786][1020,1197]
      TextView #alertTitle "Sure?" [60,786][1020,933]
      TextView "Really" [84,941][996,1037]
      Button "OK" [84,1045][996,1189] clickable focusable
    "#);
    phone.back();
    phone.press(Key::MENU);
    insta::assert_snapshot!(shown(&phone.machine.tree()), @r#"
    FrameLayout [516,87][1056,399]
      TextView "Settings" [540,95][1032,239] clickable focusable
      TextView "About" [540,247][1032,391] clickable focusable
    "#);
}

#[test]
fn bounds_of_its_own_take_a_widget_out_of_the_flow() {
    let phone = Phone::launched(
        r#"
app fixed
var hidden bool
activity Main
  screen list
    button "Float" id=float at=900,1700,1200,1900
    button "Gone" if=hidden
    button "First" id=first
"#,
    );
    assert_eq!(phone.bounds("float"), Rect::new(900, 1700, 1080, 1900), "cut at the edge");
    assert_eq!(phone.bounds("first"), Rect::new(24, 63, 1056, 207));
    assert!(!phone.sees("Gone"));
}

#[test]
fn fields_show_what_was_typed_or_their_hint() {
    let mut phone = Phone::launched(
        "app f\nvar name text\nvar word text = \"söt\"\nactivity M\n  screen s\n    field name id=name hint=\"Name\"\n    field word id=word password\n",
    );
    assert_eq!(&*phone.node("name").text, "Name");
    assert_eq!(&*phone.node("word").text, "•••");
    assert!(phone.node("word").flags.has(Flag::Password));
    phone.tap("name");
    phone.type_in("Ada");
    assert_eq!(&*phone.node("name").text, "Ada");
    assert!(phone.node("name").flags.has(Flag::Focused));
}

#[test]
fn odd_sizes_do_no_harm() {
    let phone = Phone::launched(
        "app odd\nactivity M\n  screen s\n    column at=-100000,-100000,100000,100000\n      label \"far\" height=100000\n      label \"far\" height=100000\n    label \"tall\" height=100000\n",
    );
    assert!(phone.machine.tree().nodes().iter().all(|node| !node.bounds.is_empty()));
}
