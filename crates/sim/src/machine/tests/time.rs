//! The passing of time.

use super::*;

const TIME: &str = r#"
app time
knob broken = 0.0 probability
var log list
var ticks int
timer clock every 1s
  set ticks = ticks + 1
activity Main
  screen first "Main"
    button "After" id=after
      on tap
        after 500ms
          push log "after"
        push log "now"
    button "Late" id=late
      on tap
        after 5s
          push log "late"
    button "Fetch" id=fetch
      on tap
        fetch 400ms fail broken
          reply
            push log "reply"
          error
            push log "error"
    button "Busy" id=busy
      on tap
        busy 2s
        push log "busy"
    button "Long" id=long
      on tap
        busy 20s
    button "Hang" id=hang
      on tap
        hang "stuck in a loop"
    button "Start" id=start
      on tap
        start clock
    button "Stop" id=stop
      on tap
        stop clock
    button "Count" id=count
      on tap
        push log "tap"
"#;

fn log(phone: &Phone) -> Vec<String> {
    phone.text("log").split(", ").filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[test]
fn after_means_after() {
    let mut phone = Phone::launched(TIME);
    phone.tap("after");
    phone.wait(499);
    assert_eq!(log(&phone), ["now"]);
    phone.wait(1);
    assert_eq!(log(&phone), ["now", "after"]);
    assert_eq!(phone.machine.now(), Micros::from_millis(500));
}

#[test]
fn timers_tick_until_they_are_stopped() {
    let mut phone = Phone::launched(TIME);
    phone.tap("start");
    phone.wait(2_500);
    phone.tap("start");
    phone.wait(1_000);
    assert_eq!(phone.int("ticks"), 3, "starting it twice does not make it tick twice");
    phone.press(Key::HOME);
    phone.wait(2_000);
    assert_eq!(phone.int("ticks"), 5, "also in the background");
    phone.launch();
    phone.tap("stop");
    phone.wait(5_000);
    assert_eq!(phone.int("ticks"), 5);
}

#[test]
fn the_network_answers_or_not() {
    let mut phone = Phone::launched(TIME);
    phone.tap("fetch");
    phone.wait(399);
    assert!(log(&phone).is_empty());
    phone.wait(1);
    assert_eq!(log(&phone), ["reply"]);
    phone.tap("fetch");
    phone.broadcast("android.net.conn.CONNECTIVITY_CHANGE", &[("connected", "false")]);
    phone.wait(400);
    assert_eq!(log(&phone), ["reply", "error"], "the network went while it was waited for");
    phone.tap("fetch");
    phone.wait(1);
    assert_eq!(log(&phone).len(), 3, "without a network it fails at once");
}

#[test]
fn a_knob_turns_a_probability() {
    let failures = |broken| {
        let settings = Settings { knobs: vec![(KnobId(0), broken)], ..Settings::default() };
        let mut phone = Phone::with(TIME, &settings, Seed(9));
        phone.launch();
        for _ in 0..200 {
            phone.tap("fetch");
            phone.wait(400);
        }
        log(&phone).iter().filter(|line| *line == "error").count()
    };
    assert_eq!((failures(0.0), failures(1.0)), (0, 200));
    assert!((70..130).contains(&failures(0.5)));
}

#[test]
fn input_waits_while_the_app_is_busy() {
    let mut phone = Phone::launched(TIME);
    phone.tap("busy");
    phone.tap("count");
    phone.tap("after");
    assert_eq!(log(&phone), ["busy"]);
    phone.wait(1_999);
    assert_eq!(log(&phone), ["busy"]);
    phone.wait(1);
    assert_eq!(log(&phone), ["busy", "tap", "now"]);
    phone.wait(500);
    assert_eq!(log(&phone).last().unwrap(), "after", "its time runs from when it was handled");
}

#[test]
fn input_that_waits_is_for_the_app_alone() {
    let mut phone = Phone::launched(TIME);
    phone.tap("busy");
    phone.tap_at(800, 740);
    phone.press(Key::HOME);
    assert_eq!(phone.place("Settings").y, 743, "the tap would hit the icon");
    phone.wait(3_000);
    assert!(phone.at_home());
}

#[test]
fn too_much_input_is_lost() {
    let mut phone = Phone::launched(TIME);
    phone.tap("busy");
    for _ in 0..20 {
        phone.tap("count");
    }
    phone.wait(2_000);
    assert_eq!(log(&phone).len(), 1 + 8);
}

#[test]
fn work_waits_while_the_app_is_busy() {
    let mut phone = Phone::launched(TIME);
    phone.tap("after");
    phone.tap("busy");
    phone.wait(1_000);
    assert_eq!(log(&phone), ["now", "busy"]);
    phone.wait(1_000);
    assert_eq!(log(&phone), ["now", "busy", "after"]);
}

#[test]
fn an_app_that_lets_input_wait_is_ended() {
    let mut phone = Phone::launched(TIME);
    phone.tap("long");
    phone.wait(60_000);
    assert!(phone.machine.running(), "nobody touched it");
    phone.tap("long");
    phone.wait(1_000);
    phone.tap("count");
    phone.wait(4_999);
    assert!(phone.machine.running());
    phone.wait(1);
    assert!(!phone.machine.running() && phone.at_home());
    let crashes = phone.machine.take_crashes();
    assert_eq!(crashes.len(), 1);
    assert_eq!((&*crashes[0].exception, &*crashes[0].message), ("ANR", "Input dispatching timed out"));
}

#[test]
fn an_app_that_hangs_does_so_for_ever() {
    let mut phone = Phone::launched(TIME);
    phone.tap("start");
    phone.tap("hang");
    phone.wait(600_000);
    assert!(phone.machine.running() && phone.int("ticks") == 0);
    assert!(!phone.settle(10_000));
    phone.tap("count");
    assert!(!phone.settle(4_000));
    assert!(phone.settle(2_000), "once it is ended, all is quiet");
    let crashes = phone.machine.take_crashes();
    assert_eq!(&*crashes[0].message, "stuck in a loop");
    phone.launch();
    assert_eq!(phone.activity(), "Main");
}

#[test]
fn home_works_while_the_app_hangs() {
    let mut phone = Phone::launched(TIME);
    phone.tap("hang");
    phone.press(Key::HOME);
    assert!(phone.at_home());
    phone.turn(Orientation::Landscape);
    assert_eq!(phone.machine.orientation(), Orientation::Landscape);
    phone.launch();
    phone.tap_at(500, 500);
    phone.press(Key::HOME);
    phone.wait(5_000);
    assert!(phone.at_home() && !phone.machine.running());
}

#[test]
fn settling_waits_for_what_is_under_way() {
    let mut phone = Phone::launched(TIME);
    phone.tap("start");
    assert!(phone.settle(10_000));
    assert_eq!(phone.machine.now(), Micros::ZERO, "a timer is no reason to wait");
    phone.tap("fetch");
    phone.tap("after");
    assert!(phone.settle(10_000));
    assert_eq!(phone.machine.now(), Micros::from_millis(500));
    phone.tap("late");
    assert!(phone.settle(10_000));
    assert_eq!(phone.machine.now(), Micros::from_millis(500), "five seconds are too far off");
    phone.tap("busy");
    assert!(!phone.settle(1_000));
    assert!(phone.settle(1_000));
    assert_eq!(phone.machine.now(), Micros::from_millis(2_500));
}

#[test]
fn settling_waits_for_windows() {
    let mut phone = Phone::slow(
        "app a\nactivity A\n  screen s\n    button \"B\" id=b\n      on tap\n        open B\nactivity B\n  screen t\n    label \"B\"\n",
        700,
    );
    phone.tap("b");
    assert!(phone.settle(5_000));
    assert_eq!((phone.activity(), phone.machine.now()), ("B", Micros::from_millis(1_400)));
}

#[test]
fn endless_code_is_an_app_that_does_not_respond() {
    let around = "
app loop
activity A
  on create
    open B
  screen a
    label \"a\"
activity B
  on create
    open A
  screen b
    label \"b\"
";
    let mut phone = Phone::launched(around);
    phone.wait(1_000);
    assert!(!phone.settle(1_000));
    phone.tap_at(500, 500);
    phone.wait(5_000);
    assert_eq!(phone.machine.take_crashes().len(), 1);
}

#[test]
fn putting_off_again_and_again_lets_time_pass() {
    let text = "app poll\nvar n int\nactivity A\n  screen a\n    button \"Go\" id=go\n      on tap\n        start fast\ntimer fast every 1ms\n  set n = n + 1\n";
    let mut phone = Phone::launched(text);
    phone.tap("go");
    phone.wait(10_000);
    assert_eq!(phone.int("n"), 10_000);
}

#[test]
fn growth_has_an_end() {
    let text = "app grow\nvar s text = \"xx\"\nvar l list\nactivity A\n  screen a\n    button \"Go\" id=go\n      on tap\n        set s = s + s\n        push l s\n";
    let mut phone = Phone::launched(text);
    for _ in 0..100 {
        phone.tap("go");
    }
    assert_eq!(phone.text("s").len(), 10_000);
    assert_eq!(phone.int("l"), 100);
}
