//! Crashes and the log.

use retap_trace::CrashKind;

use super::*;

const CRASH: &str = r#"
app crashing
var count int = 7
activity Main
  screen first "Main"
    button "Java" id=java
      on tap
        log warn Main "about to crash with {count}"
        crash java.lang.IllegalStateException "count is {count}" cause java.io.IOException
          at org.example.crashing.Main.save(Main.java:41)
          at android.view.View.performClick(View.java:7125)
    button "Native" id=native
      on tap
        native SIGSEGV
          at libcrashing.so render+24
    button "Hang" id=hang
      on tap
        hang "Input dispatching timed out"
          at org.example.crashing.Main.spin(Main.java:7)
    button "Talk" id=talk
      on tap
        log info Main "two\nlines"
"#;

#[test]
fn a_java_crash_is_seen_and_logged() {
    let mut phone = Phone::launched(CRASH);
    phone.wait(12_345);
    phone.tap("java");
    let crashes = phone.machine.take_crashes();
    let [crash] = &crashes[..] else { panic!("{crashes:?}") };
    assert_eq!(crash.kind, CrashKind::Java);
    assert_eq!(crash.exception, "java.lang.IllegalStateException");
    assert_eq!(crash.message, "count is 7");
    assert_eq!(crash.root_cause.as_deref(), Some("java.io.IOException"));
    assert_eq!(crash.frames.len(), 2);
    assert!(phone.machine.take_crashes().is_empty(), "told once");
    insta::assert_snapshot!(phone.log(), @r"
    01-01 00:00:00.000   497   497 I ActivityManager: Start proc 4037:org.example.crashing/u0a101 for top-activity {org.example.crashing/.Main}
    01-01 00:00:00.000   497   497 I ActivityTaskManager: START u0 {cmp=org.example.crashing/.Main} from uid 10101
    01-01 00:00:12.345  4037  4037 W Main    : about to crash with 7
    01-01 00:00:12.345  4037  4037 E AndroidRuntime: FATAL EXCEPTION: main
    01-01 00:00:12.345  4037  4037 E AndroidRuntime: Process: org.example.crashing, PID: 4037
    01-01 00:00:12.345  4037  4037 E AndroidRuntime: java.lang.IllegalStateException: count is 7
    01-01 00:00:12.345  4037  4037 E AndroidRuntime: 	at org.example.crashing.Main.save(Main.java:41)
    01-01 00:00:12.345  4037  4037 E AndroidRuntime: 	at android.view.View.performClick(View.java:7125)
    01-01 00:00:12.345  4037  4037 E AndroidRuntime: Caused by: java.io.IOException
    01-01 00:00:12.345  4037  4037 E AndroidRuntime: 	... 2 more
    01-01 00:00:12.345   497   497 W ActivityTaskManager:   Force finishing activity org.example.crashing/.Main
    01-01 00:00:12.345   497   497 I ActivityManager: Process org.example.crashing (pid 4037) has died: fg  TOP
    ");
}

#[test]
fn a_native_crash_leaves_a_tombstone() {
    let mut phone = Phone::launched(CRASH);
    phone.tap("native");
    assert_eq!(phone.machine.take_crashes()[0].kind, CrashKind::Native);
    insta::assert_snapshot!(phone.log(), @r"
    01-01 00:00:00.000   497   497 I ActivityManager: Start proc 4037:org.example.crashing/u0a101 for top-activity {org.example.crashing/.Main}
    01-01 00:00:00.000   497   497 I ActivityTaskManager: START u0 {cmp=org.example.crashing/.Main} from uid 10101
    01-01 00:00:00.000  4037  4037 F libc    : Fatal signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0 in tid 4037 (org.example.crashing), pid 4037 (org.example.crashing)
    01-01 00:00:00.000  4037  4037 F DEBUG   : *** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
    01-01 00:00:00.000  4037  4037 F DEBUG   : pid: 4037, tid: 4037, name: org.example.crashing  >>> org.example.crashing <<<
    01-01 00:00:00.000  4037  4037 F DEBUG   : signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0
    01-01 00:00:00.000  4037  4037 F DEBUG   : backtrace:
    01-01 00:00:00.000  4037  4037 F DEBUG   :       #00 pc 00000000  libcrashing.so (render+24)
    01-01 00:00:00.000   497   497 W ActivityTaskManager:   Force finishing activity org.example.crashing/.Main
    01-01 00:00:00.000   497   497 I ActivityManager: Process org.example.crashing (pid 4037) has died: fg  TOP
    ");
}

#[test]
fn native_messages_stand_where_a_phone_prints_them() {
    let log = |native: &str| {
        let text = format!(
            "app n\nactivity M\n  screen s\n    button \"Go\" id=go\n      on tap\n        native {native}\n"
        );
        let mut phone = Phone::launched(&text);
        phone.tap("go");
        phone.log()
    };
    let abort = log("SIGABRT \"it is over\"");
    assert!(abort.contains("signal 6 (SIGABRT), code -1 (SI_QUEUE), fault addr --------\n"), "{abort}");
    assert!(abort.contains("Abort message: 'it is over'"), "{abort}");
    let bus = log("SIGBUS \"fault addr 0x7\"");
    assert!(bus.contains("signal 7 (SIGBUS), code 1 (BUS_ADRALN), fault addr 0x7\n"), "{bus}");
    assert!(!bus.contains("Abort message"), "{bus}");
}

#[test]
fn an_app_that_does_not_respond_is_logged() {
    let mut phone = Phone::launched(CRASH);
    phone.tap("hang");
    phone.tap("java");
    phone.wait(5_000);
    assert_eq!(phone.machine.take_crashes()[0].kind, CrashKind::Anr);
    insta::assert_snapshot!(phone.log(), @r"
    01-01 00:00:00.000   497   497 I ActivityManager: Start proc 4037:org.example.crashing/u0a101 for top-activity {org.example.crashing/.Main}
    01-01 00:00:00.000   497   497 I ActivityTaskManager: START u0 {cmp=org.example.crashing/.Main} from uid 10101
    01-01 00:00:05.000   497   497 E ActivityManager: ANR in org.example.crashing (org.example.crashing/.Main)
    01-01 00:00:05.000   497   497 E ActivityManager: PID: 4037
    01-01 00:00:05.000   497   497 E ActivityManager: Reason: Input dispatching timed out
    01-01 00:00:05.000   497   497 E ActivityManager: Load: 0.0 / 0.0 / 0.0
    01-01 00:00:05.000   497   497 E ActivityManager:   at org.example.crashing.Main.spin(Main.java:7)
    01-01 00:00:05.000   497   497 I ActivityManager: Process org.example.crashing (pid 4037) has died: fg  TOP
    ");
}

#[test]
fn the_log_keeps_two_hundred_lines() {
    let mut phone = Phone::launched(CRASH);
    for _ in 0..500 {
        phone.tap("talk");
    }
    let log = phone.log();
    assert_eq!(log.lines().count(), 200);
    assert!(log.lines().all(|line| line.ends_with("I Main    : two") || line.ends_with("I Main    : lines")));
}

#[test]
fn each_process_has_its_number() {
    let mut phone = Phone::launched(CRASH);
    phone.tap("java");
    phone.launch();
    let log = phone.log();
    let started: Vec<&str> = log.lines().filter(|line| line.contains("Start proc")).collect();
    assert_eq!(started.len(), 2);
    assert!(started[0].contains(" 4037:org.example.crashing/") && started[1].contains(" 4074:"));
}
