//! The world outside the app.

use super::*;

const OUT: &str = r#"
app out "Out App"
permission android.permission.CAMERA
permission android.permission.READ_CONTACTS
var log list
on system "android.intent.action.BATTERY_LOW"
  push log "battery"
on system "android.net.conn.CONNECTIVITY_CHANGE"
  push log "network"
activity Main
  on resume
    push log "resume"
  on pause
    push log "pause"
  screen first "Main"
    label "online" if=online
    label "may" if=granted(CAMERA)
    button "Browser" id=browser
      on tap
        leave browser
    button "Settings" id=settings
      on tap
        leave settings
    button "Camera" id=camera
      on tap
        leave camera
    button "Share" id=share
      on tap
        leave share
    button "Ask" id=ask
      on tap
        ask CAMERA
          granted
            push log "granted"
          denied
            push log "denied"
    button "Both" id=both
      on tap
        ask CAMERA
        ask READ_CONTACTS
"#;

fn log(phone: &Phone) -> Vec<String> {
    phone.text("log").split(", ").map(str::to_owned).collect()
}

#[test]
fn the_home_screen_has_icons() {
    let mut phone = Phone::with(OUT, &Settings::default(), Seed(1));
    insta::assert_snapshot!(shown(&phone.machine.tree()), @r#"
    FrameLayout [0,0][1080,1920]
      LinearLayout [24,63][1056,663]
      LinearLayout [24,671][1056,815]
        Button #icon "Out App" [24,671][540,815] clickable focusable
        Button #icon "Settings" [540,671][1056,815] clickable focusable
    "#);
    phone.back();
    assert!(phone.at_home());
    phone.tap("Out App");
    assert_eq!(phone.activity(), "Main");
    phone.press(Key::HOME);
    phone.tap("Settings");
    assert_eq!(&**phone.machine.package(), "com.android.settings");
    assert_eq!(phone.activity(), "Settings");
    phone.back();
    assert!(phone.at_home());
}

#[test]
fn recents_bring_tasks_back() {
    let mut phone = Phone::with(OUT, &Settings::default(), Seed(1));
    phone.press(Key::APP_SWITCH);
    assert_eq!(phone.texts(), ["Recent apps"]);
    phone.back();
    assert!(phone.at_home());
    phone.tap("Settings");
    phone.tap("Network & internet");
    phone.launch();
    phone.press(Key::APP_SWITCH);
    assert_eq!(phone.activity(), "RecentsActivity");
    assert_eq!(phone.texts(), ["Recent apps", "Out App", "Settings"]);
    phone.tap("Settings");
    assert_eq!(phone.activity(), "SubSettings", "as it was left");
    phone.press(Key::APP_SWITCH);
    phone.tap("Out App");
    assert_eq!(phone.activity(), "Main");
    assert_eq!(log(&phone), ["resume", "pause", "resume"]);
    phone.press(Key::APP_SWITCH);
    phone.back();
    assert_eq!(phone.activity(), "Main");
    phone.press(Key::APP_SWITCH);
    phone.press(Key::APP_SWITCH);
    assert_eq!(phone.activity(), "Main");
}

#[test]
fn other_apps_come_on_top_and_back_returns() {
    let mut phone = Phone::launched(OUT);
    let pages = [
        ("browser", "com.android.browser"),
        ("camera", "com.android.camera2"),
        ("share", "android"),
        ("settings", "com.android.settings"),
    ];
    for (button, package) in pages {
        phone.tap(button);
        assert_eq!(&**phone.machine.package(), package);
        phone.back();
        assert_eq!(phone.activity(), "Main");
    }
    assert_eq!(log(&phone).len(), 1 + 2 * 4, "the app was paused and resumed each time");
    phone.tap("share");
    phone.tap("Mail");
    assert_eq!(phone.activity(), "Main");
    phone.tap("camera");
    phone.tap("Done");
    assert_eq!(phone.activity(), "Main");
}

#[test]
fn another_app_stays_on_top_when_the_user_comes_back() {
    let mut phone = Phone::launched(OUT);
    phone.tap("browser");
    phone.press(Key::HOME);
    phone.press(Key::APP_SWITCH);
    phone.back();
    phone.launch();
    assert_eq!(phone.activity(), "Main", "but launching the app leads to the app");
}

#[test]
fn a_permission_is_asked_for_until_it_is_granted() {
    let mut phone = Phone::launched(OUT);
    phone.tap("ask");
    assert_eq!(&**phone.machine.package(), "com.android.permissioncontroller");
    insta::assert_snapshot!(shown(&phone.machine.tree()), @r#"
    FrameLayout [60,783][1020,1199]
      TextView #permission_message "Allow Out App to use camera?" [84,791][996,887]
      Button #permission_allow_button "Allow" [84,895][996,1039] clickable focusable
      Button #permission_deny_button "Deny" [84,1047][996,1191] clickable focusable
    "#);
    phone.tap_at(10, 1900);
    phone.tap("Deny");
    assert_eq!(log(&phone), ["resume", "pause", "denied", "resume"]);
    phone.tap("ask");
    phone.back();
    assert_eq!(log(&phone)[4..], ["pause", "denied", "resume"], "back means no");
    phone.tap("ask");
    phone.tap("Allow");
    assert_eq!(log(&phone)[7..], ["pause", "granted", "resume"]);
    assert!(phone.sees("may"));
    phone.tap("ask");
    assert_eq!(log(&phone)[10..], ["granted"], "once granted, nobody is asked");
}

#[test]
fn questions_come_one_after_the_other() {
    let mut phone = Phone::launched(OUT);
    phone.tap("both");
    assert!(phone.sees("Allow Out App to use camera?"));
    phone.press(Key::HOME);
    phone.launch();
    phone.tap("Allow");
    assert!(phone.sees("Allow Out App to use read contacts?"));
    phone.tap("Deny");
    assert_eq!(phone.activity(), "Main");
    assert!(phone.sees("may"));
}

#[test]
fn the_network_can_be_turned_off_in_the_settings() {
    let mut phone = Phone::launched(OUT);
    assert!(phone.sees("online"));
    phone.tap("settings");
    phone.tap("Network & internet");
    assert!(phone.node("Wi-Fi").flags.has(Flag::Checked));
    phone.tap("Wi-Fi");
    assert!(!phone.node("Wi-Fi").flags.has(Flag::Checked));
    phone.back();
    phone.back();
    assert!(!phone.sees("online"));
    assert_eq!(log(&phone), ["resume", "pause", "network", "resume"]);
}

#[test]
fn others_may_start_what_is_exported() {
    const APP: &str = "app parts \"Parts\"\npackage org.parts\nvar opened int\nactivity Main\n  screen main \"Main\"\n\
        activity Share exported\n  on create\n    set opened = opened + 1\n  screen share \"Share\"\n\
        activity Secret\n  screen secret \"Secret\"\n";
    let start = |phone: &mut Phone, name: &str| {
        phone.broadcast("am:start", &[("component", name)]);
        phone.settle(10_000);
    };
    let mut phone = Phone::with(APP, &Settings::default(), Seed(1));
    start(&mut phone, "org.parts/.Share");
    assert_eq!(phone.activity(), "Share");
    phone.back();
    assert!(phone.at_home(), "there was nothing below it");
    phone.launch();
    for hidden in ["org.parts/.Secret", "org.parts/.Nothing", "org.other/.Share", "Share", ""] {
        start(&mut phone, hidden);
        assert_eq!(phone.activity(), "Main", "{hidden}");
    }
    start(&mut phone, "org.parts/org.parts.Share");
    start(&mut phone, "org.parts/.Share");
    assert_eq!((phone.activity(), phone.text("opened").as_str()), ("Share", "3"));
    phone.back();
    phone.back();
    assert_eq!(phone.activity(), "Main");
    phone.press(Key::HOME);
    start(&mut phone, "org.parts/.Main");
    assert_eq!(phone.activity(), "Main", "as from its icon");
}

#[test]
fn an_app_that_is_stopped_is_told_nothing_and_begins_again() {
    let mut phone = Phone::launched(OUT);
    phone.broadcast("am:force-stop", &[]);
    assert!(phone.at_home());
    phone.launch();
    assert_eq!(phone.activity(), "Main");
    assert_eq!(log(&phone), ["resume"], "no pause before, and nothing is left in its memory");
}

#[test]
fn system_events_reach_those_who_listen() {
    let mut phone = Phone::with(OUT, &Settings::default(), Seed(1));
    phone.broadcast("android.intent.action.BATTERY_LOW", &[]);
    assert_eq!(phone.text("log"), "", "an app that does not run hears nothing");
    phone.launch();
    phone.broadcast("android.intent.action.BATTERY_LOW", &[]);
    phone.broadcast("android.intent.action.NOBODY_LISTENS", &[]);
    assert_eq!(log(&phone), ["resume", "battery"]);
    phone.broadcast("android.net.conn.CONNECTIVITY_CHANGE", &[("connected", "false")]);
    assert!(!phone.sees("online") && log(&phone).len() == 3);
    phone.broadcast("android.net.conn.CONNECTIVITY_CHANGE", &[("connected", "true")]);
    assert!(phone.sees("online"));
    phone.broadcast("android.intent.action.AIRPLANE_MODE", &[("state", "true")]);
    assert!(!phone.sees("online"));
    phone.broadcast("android.intent.action.AIRPLANE_MODE", &[("state", "false")]);
    assert!(phone.sees("online"));
    phone.press(Key::HOME);
    phone.broadcast("android.intent.action.BATTERY_LOW", &[]);
    assert_eq!(log(&phone).last().unwrap(), "battery", "also in the background");
}
