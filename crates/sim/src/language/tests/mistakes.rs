//! What people get wrong, and what they are told. The snapshots are to be read: each message must say in one
//! sentence what is wrong and what to do.

use std::fmt::Write as _;

use super::{parse, read};

/// The message for a source that must be refused.
fn told(source: &str) -> String {
    match read(source) {
        Ok(_) => panic!("this should be refused:\n{source}"),
        Err(error) => error.to_string(),
    }
}

/// Each mistake with its message, for a snapshot.
fn listing(mistakes: &[&str], whole: impl Fn(&str) -> String) -> String {
    let mut listing = String::new();
    for mistake in mistakes {
        let shown = mistake.replace('\n', "⏎").replace('\t', "⇥");
        writeln!(listing, "{shown}\n    {}\n", told(&whole(mistake))).unwrap();
    }
    listing
}

/// An app around the effects of a handler.
fn in_handler(effects: &str) -> String {
    let effects = effects.replace('\n', "\n          ");
    format!(
        "app todo \"Todo\"
knob dialog = 0.5 probability
knob pages = 3
permission android.permission.CAMERA
kept items list
var count int
var done bool
timer sync every 30s
  nothing
activity MainActivity
  var draft text
  screen list \"Todo\"
    field draft id=title
    button \"Add\" id=add
      on tap
          {effects}
  screen search \"Search\"
  dialog confirm \"Sure?\"
  menu main
    item \"Settings\"
activity EditActivity
  var name text
  screen edit \"Edit\"
  dialog discard \"Discard?\"
"
    )
    .replace("          ", "        ")
}

/// An app around the widgets of a screen.
fn in_screen(widgets: &str) -> String {
    let widgets = widgets.replace('\n', "\n    ");
    format!(
        "app todo \"Todo\"
kept items list
var count int
var done bool
var draft text
activity MainActivity
  screen list \"Todo\"
    {widgets}
"
    )
}

/// An app around statements of the file, with an activity after them.
fn in_file(statements: &str) -> String {
    format!("app todo \"Todo\"\n{statements}\nactivity MainActivity\n  screen list\n")
}

#[test]
fn mistakes_in_the_file() {
    let whole = [
        "",
        "# only a comment",
        "activity MainActivity",
        "app",
        "app my.app \"Todo\"",
        "app todo Todo",
        "app todo",
        "app todo\nactivity MainActivity",
        "app todo\nactivity MainActivity\n  dialog confirm",
        "app todo\nactivity MainActivity\n  screan list",
        "app todo\nactivity MainActivity\n  screen list\n  screen list",
        "app todo\nactivity MainActivity\n  screen list scroll",
        "app todo\nactivity MainActivity\n  kept items list",
        "app todo\nactivity MainActivity\n  on creat",
        "app todo\nactivity MainActivity\n  on key serch",
        "app todo\nactivity MainActivity\n  on key back",
        "app todo\nactivity MainActivity\n  on key home",
        "app todo\nactivity MainActivity\n  on back\n    finish\n  on back\n    exit",
        "app todo\nactivity MainActivity\n  menu main\n  screen list",
        "app todo\nactivity MainActivity\n  screen list\nactivity MainActivity\n  screen list",
    ];
    insta::assert_snapshot!(listing(&whole, str::to_owned));
}

#[test]
fn mistakes_in_declarations() {
    let statements = [
        "app other",
        "screen list",
        "vra count int = 0",
        "\"what is this\"",
        "package todo",
        "package org.example.todo\npackage org.example.other",
        "knob dialog = 1.5 probability",
        "knob dialog = maybe",
        "knob drop = 0.1",
        "knob count = 1\nvar count int",
        "var count",
        "var count number = 0",
        "var count int = \"three\"",
        "var count int = 3 4",
        "var count int = 0\nvar count int = 1",
        "var items list = [\"a\", b]",
        "var label text = \"hello {name}\"",
        "var done bool = yes",
        "var item text",
        "var colour text = \"red\" or \"blue\"",
        "var colour text = \"red\" or \"blue\" 1:1:1",
        "var colour text = \"red\" or \"blue\" 0:0",
        "permission",
        "permission android.permission.CAMERA\npermission android.permission.CAMERA",
        "timer sync",
        "timer sync every 30",
        "timer sync every 0ms\n  nothing",
        "timer sync every 30s",
        "on start",
        "on create\n  nothing",
        "on system BATTERY_LOW\n  nothing",
        "on start\n  nothing\non start\n  nothing",
        "on start\n  dialog confirm",
        "include \"missing.app\"",
        "include missing.app",
    ];
    insta::assert_snapshot!(listing(&statements, in_file));
}

#[test]
fn mistakes_in_layout() {
    let statements = [
        " var count int",
        "  var count int",
        "\tvar count int",
        "on start\n\tnothing",
        "on start\n   nothing",
        "on start\n      nothing",
        "var count int\n  var draft text",
        "var draft text = \"no end",
        "var draft text = 'single'",
        "var draft text = \"bad \\escape\"",
        "var count int = 99999999999999999999",
        "var count int = 3; var draft text",
    ];
    insta::assert_snapshot!(listing(&statements, in_file));
}

#[test]
fn mistakes_in_screens() {
    let widgets = [
        "buton \"Add\"",
        "button \"Add\" idd=add",
        "button \"Add\" id=add id=more",
        "button \"Add\" password",
        "button \"Add\" enabled=count",
        "button \"Add\" enabled=count = 3",
        "button \"Add\" if=not items",
        "button \"Add\" if=draft",
        "button \"Add\" at=0,0,200",
        "button \"Add\" at=200,100,0,0",
        "button \"Add\" height=0",
        "button \"Add\" height=tall",
        "button \"Add\"\n  label \"x\"",
        "button \"Add\"\n  on tapp\n    nothing",
        "button \"Add\"\n  on change\n    nothing",
        "button \"Add\"\n  on tap",
        "button \"Add\"\n  on tap\n    nothing\n  on tap\n    nothing",
        "button \"Add\" id=add\nbutton \"More\" id=add",
        "label",
        "label count",
        "label \"{count\"",
        "label \"{}\"",
        "label \"{item}\"",
        "label \"{cuont}\"",
        "label \"{count count}\"",
        "field count",
        "field",
        "field drfat",
        "field draft focus\nfield draft focus",
        "check draft \"Done\"",
        "switch items \"Wi-Fi\"",
        "radio draft \"Blue\"",
        "radio draft \"Blue\" = 3",
        "radio items \"Blue\" = \"blue\"",
        "list draft",
        "list items\n  list items",
        "item \"Settings\"",
        "set count = 3",
        "if count > 3",
        "on tap\n  nothing",
    ];
    insta::assert_snapshot!(listing(&widgets, in_screen));
}

#[test]
fn mistakes_in_effects() {
    let effects = [
        "sett count = 3",
        "set count 3",
        "set count = \"three\"",
        "set count = count +",
        "set count = 1.5",
        "set pages = 3",
        "set draft = count",
        "set name = \"x\"",
        "push items count",
        "push draft \"x\"",
        "remove items \"milk\"",
        "toggle count",
        "clear count",
        "open EditActivty",
        "open",
        "show serch",
        "show confirm",
        "dialog list",
        "dialog discard",
        "menu other",
        "close now",
        "leave home",
        "start snyc",
        "busy 300",
        "busy 300ms\n  nothing",
        "focus titel",
        "focus add",
        "finish\nfocus title",
        "log loud Tag \"text\"",
        "log info \"text\"",
        "cover",
        "cover parse * 0",
        "cover parse * 12\ncover parse * 13",
        "nothing\nuncovered",
    ];
    insta::assert_snapshot!(listing(&effects, in_handler));
}

#[test]
fn mistakes_in_branches_and_crashes() {
    let effects = [
        "if count\n  nothing",
        "if done",
        "if done\nnothing",
        "else\n  nothing",
        "if done\n  nothing\nelse done\n  nothing",
        "if count < 1 < 2\n  nothing",
        "if count = 3\n  nothing",
        "if done == count\n  nothing",
        "if done and count\n  nothing",
        "if draft < items\n  nothing",
        "if count has \"x\"\n  nothing",
        "if len(count) > 3\n  nothing",
        "if len count > 3\n  nothing",
        "if items[draft] == \"x\"\n  nothing",
        "if granted(CAMREA)\n  nothing",
        "if dialog > 0\n  nothing",
        "if count + done > 0\n  nothing",
        "if draft * 2 > 0\n  nothing",
        "if (done\n  nothing",
        "if !done\n  nothing",
        "chance 1.5\n  nothing",
        "chance 30%\n  nothing",
        "chance dialgo\n  nothing",
        "chance pages\n  nothing",
        "chance 0.5\n  nothing\nelse if done\n  nothing",
        "after a while\n  nothing",
        "fetch\n  reply\n    nothing",
        "fetch 400ms",
        "fetch 400ms\n  set count = 3",
        "fetch 400ms\n  reply\n    nothing\n  reply\n    nothing",
        "fetch uniform 2s 100ms\n  reply\n    nothing",
        "fetch lognormal 400ms 9\n  reply\n    nothing",
        "fetch 400ms fail 2\n  reply\n    nothing",
        "ask android.permission.CAMRA",
        "ask CAMERA\n  reply\n    nothing",
        "crash",
        "crash java.lang.Error\nnothing",
        "crash java.lang.Error message",
        "crash java.lang.Error \"x\"\n  frame",
        "crash java.lang.Error \"x\"\n  at a.B.c(B.java:1)\n    at a.B.d(B.java:2)",
        "native SIGSEV",
        "hang 300ms",
        "hang \"no answer\"\nset count = 1",
    ];
    insta::assert_snapshot!(listing(&effects, in_handler));
}

#[test]
fn includes_say_which_file_is_wrong() {
    let files = |name: &str| match name {
        "a.app" => Ok("include \"b.app\"\n".to_owned()),
        "b.app" => Ok("\ninclude \"a.app\"\n".to_owned()),
        "bad.app" => Ok("var count int\n\nvar count text\n".to_owned()),
        "head.app" => Ok("app other\n".to_owned()),
        other => Err(format!("no such file: {other}")),
    };
    let mut listing = String::new();
    for source in [
        "app todo\ninclude \"main.app\"",
        "app todo\ninclude \"a.app\"",
        "app todo\ninclude \"bad.app\"",
        "app todo\nvar count int\ninclude \"bad.app\"",
        "app todo\ninclude \"head.app\"",
        "include \"head.app\"",
        "app todo\ninclude \"gone.app\"",
        "app todo\ninclude \"a.app\" twice",
    ] {
        let error = parse("main.app", source, &files).unwrap_err();
        writeln!(listing, "{}\n    {error}\n", source.replace('\n', "⏎")).unwrap();
    }
    insta::assert_snapshot!(listing);
}

#[test]
fn a_file_may_be_included_from_two_sides() {
    let files = |name: &str| match name {
        "left.app" | "right.app" => Ok("include \"shared.app\"\n".to_owned()),
        _ => Ok("var count int\n".to_owned()),
    };
    let source =
        "app todo\ninclude \"left.app\"\ninclude \"right.app\"\nactivity A\n  screen s \"{count}\"\n";
    assert_eq!(parse("main.app", source, &files).unwrap().vars.len(), 1);
}

#[test]
fn the_frames_of_these_tests_are_apps_themselves() {
    read(&in_handler("nothing")).unwrap();
    read(&in_screen("label \"x\"")).unwrap();
    read(&in_file("var count int")).unwrap();
}
