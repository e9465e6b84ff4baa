use proptest::prelude::*;
use retap_trace::CrashKind;

use super::*;

const JAVA: &str = "\
07-04 10:16:34.100   500   520 I ActivityManager: Start proc 5368:com.example/u0a101 for activity {com.example/.Main}
07-04 10:16:34.898  5368  5368 E AndroidRuntime: FATAL EXCEPTION: main
07-04 10:16:34.898  5368  5368 E AndroidRuntime: Process: com.example, PID: 5368
07-04 10:16:34.898  5368  5368 E AndroidRuntime: java.lang.IllegalStateException: tag
07-04 10:16:34.899  1111  1111 E AndroidRuntime: FATAL EXCEPTION: main
07-04 10:16:34.899  1111  1111 E AndroidRuntime: Process: com.other, PID: 1111
07-04 10:16:34.898  5368  5368 E AndroidRuntime: \tat com.example.Main.go(Main.java:5)
07-04 10:16:34.899  1111  1111 E AndroidRuntime: java.lang.Error
07-04 10:16:34.905   500   520 W ActivityTaskManager:   Force finishing activity com.example/.Main
07-04 10:16:35.100  5368  5368 I Process : Sending signal. PID: 5368 SIG: 9
07-04 10:16:35.200   500   520 I ActivityManager: Process com.example (pid 5368) has died: fg  TOP
";

const NATIVE: &str = "\
07-04 10:16:34.898  5368  5368 F libc    : Fatal signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0 in tid 5368 (com.example), pid 5368 (com.example)
07-04 10:16:34.950  6000  6000 F DEBUG   : *** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
07-04 10:16:34.950  6000  6000 F DEBUG   : pid: 5368, tid: 5368, name: com.example  >>> com.example <<<
07-04 10:16:34.950  6000  6000 F DEBUG   : signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0
07-04 10:16:34.950  6000  6000 F DEBUG   : backtrace:
07-04 10:16:34.950  6000  6000 F DEBUG   :       #00 pc 00001234  /data/app/com.example/lib/libx.so (go+12)
07-04 10:16:34.990   400   400 E tombstoned: Tombstone written to: /data/tombstones/tombstone_00
";

const ANR: &str = "\
07-04 10:16:34.898   500   520 E ActivityManager: ANR in com.example (com.example/.Main)
07-04 10:16:34.898   500   520 E ActivityManager: PID: 5368
07-04 10:16:34.898   500   520 E ActivityManager: Reason: Input dispatching timed out
07-04 10:16:34.898   500   520 E ActivityManager: Load: 1.0 / 2.0 / 3.0
07-04 10:16:36.000   500   520 I ActivityManager: Killing 5368:com.example/u0a101 (adj 0): bg anr
";

fn news(text: &str) -> Vec<LogNews> {
    let mut scanner = LogScanner::new("com.example");
    scanner.push(text.as_bytes());
    scanner.pause();
    scanner.take()
}

fn crashes(text: &str) -> Vec<String> {
    let crash = |news| if let LogNews::Crash(crash) = news { Some(crash.to_string()) } else { None };
    news(text).into_iter().filter_map(crash).collect()
}

#[test]
fn a_crash_among_other_lines_is_told_once() {
    assert_eq!(crashes(JAVA), ["java.lang.IllegalStateException at Main.go (Main.java:5)"]);
    assert_eq!(news(JAVA).len(), 1, "the end of a crashed process is no news");
    let without_signal =
        JAVA.replace("I Process : Sending", "I Other: Sending").replace("5368  5368 I", " 500   500 I");
    assert_eq!(
        news(&without_signal).len(),
        1,
        "even when nothing but that end shows that the crash is whole"
    );
    assert_eq!(news(&format!("{NATIVE}{}", JAVA.lines().last().unwrap())).len(), 1);
}

#[test]
fn only_this_app_counts() {
    let other = JAVA.replace("com.example", "com.third");
    assert_eq!(news(&other), []);
    assert_eq!(news(&NATIVE.replace("com.example", "com.third")), []);
    assert_eq!(news(&ANR.replace("com.example", "com.third")), []);
}

#[test]
fn native_crashes_and_anrs_are_told_apart() {
    let kinds = |text: &str| {
        let kind = |news| if let LogNews::Crash(crash) = news { Some(crash.kind) } else { None };
        news(text).into_iter().filter_map(kind).collect::<Vec<_>>()
    };
    assert_eq!(kinds(NATIVE), [CrashKind::Native]);
    assert_eq!(kinds(ANR), [CrashKind::Anr]);
    assert_eq!(kinds(&format!("{JAVA}{NATIVE}{ANR}")), [CrashKind::Java, CrashKind::Native, CrashKind::Anr]);
}

#[test]
fn the_crash_of_the_system_is_not_ours() {
    let text = JAVA
        .replace("FATAL EXCEPTION: main", "FATAL EXCEPTION IN SYSTEM PROCESS: main")
        .replace("Process: com", "x: com");
    assert_eq!(crashes(&text), Vec::<String>::new());
}

#[test]
fn without_a_name_the_process_must_be_known() {
    let nameless = JAVA.replace("Process: com.example, PID: 5368", "x");
    assert_eq!(crashes(&nameless).len(), 1);
    assert_eq!(crashes(nameless.split_once('\n').unwrap().1).len(), 0);
}

#[test]
fn kills_are_no_crashes() {
    let line = |tag: &str, text: &str| format!("07-04 10:16:34.100   500   520 I {tag}: {text}\n");
    let killed = |cause| vec![LogNews::Killed { process: 77, cause }];
    let short = line("lowmemorykiller", "Kill 'com.example' (77), uid 10101, oom_adj 0 to free 9kB");
    assert_eq!(news(&short), killed(KillCause::LowMemory));
    assert_eq!(
        news(&line("lmkd", "Killing 'com.example:remote' (77), adj 900")),
        killed(KillCause::LowMemory)
    );
    let empty = line("ActivityManager", "Killing 77:com.example/u0a101 (adj 900): empty #17");
    assert_eq!(news(&empty), killed(KillCause::LowMemory));
    let stopped =
        line("ActivityManager", "Killing 77:com.example/u0a101 (adj 0): stop com.example due to from pid 1");
    assert_eq!(news(&stopped), killed(KillCause::System("stop com.example due to from pid 1".to_owned())));
    let died = line("ActivityManager", "Process com.example (pid 77) has died: fg  TOP");
    assert_eq!(news(&died), killed(KillCause::Unknown));
    assert_eq!(news(&format!("{short}{died}")), killed(KillCause::LowMemory), "one end is told once");
    assert_eq!(news(&short.replace("com.example", "com.example.other")), []);
}

#[test]
fn marks_come_in_order() {
    let mark = "07-04 10:16:36.100  7000  7000 I retap   : mark 42\n";
    let told = news(&format!("{JAVA}{mark}"));
    assert!(matches!(told.as_slice(), [LogNews::Crash(_), LogNews::Mark(42)]), "{told:?}");
}

#[test]
fn bytes_may_be_cut_anywhere() {
    let whole = news(JAVA);
    for size in [1, 7, 100, 1000] {
        let mut scanner = LogScanner::new("com.example");
        for part in JAVA.as_bytes().chunks(size) {
            scanner.push(part);
        }
        scanner.pause();
        assert_eq!(scanner.take(), whole, "{size}");
    }
}

#[test]
fn an_endless_log_takes_no_endless_memory() {
    let mut scanner = LogScanner::new("com.example");
    scanner.push(&vec![b'x'; 10 << 20]);
    scanner.push(b"\n");
    let frame = "07-04 10:16:34.898  5368  5368 E AndroidRuntime: \tat com.example.Main.go(Main.java:5)\n";
    scanner.push(JAVA.split_inclusive('\n').take(4).collect::<String>().as_bytes());
    for _ in 0..20_000 {
        scanner.push(frame.as_bytes());
    }
    scanner.pause();
    let told = scanner.take();
    let [LogNews::Crash(crash)] = told.as_slice() else { panic!("{} news", told.len()) };
    assert!((1_000..3_000).contains(&crash.frames.len()), "{}", crash.frames.len());
    for process in 0..5_000 {
        scanner.push(format!("07-04 10:16:34.1 1 1 I lmkd: Kill 'com.example' ({process}), x\n").as_bytes());
    }
    assert!(scanner.take().len() <= 1_024);
}

proptest! {
    #[test]
    fn no_log_is_too_broken(bytes in prop::collection::vec(any::<u8>(), 0..400), cut in 0_usize..3000) {
        let all = format!("{JAVA}{NATIVE}{ANR}");
        let mut scanner = LogScanner::new("com.example");
        scanner.push(&all.as_bytes()[..cut.min(all.len())]);
        scanner.push(&bytes);
        scanner.push(all.as_bytes());
        scanner.pause();
        prop_assert!(!scanner.take().is_empty());
    }
}
