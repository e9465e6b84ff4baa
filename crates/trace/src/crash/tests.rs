//! Crashes of each kind as they are printed, and the laws of their signatures. `recorded` has real ones.

mod recorded;

use proptest::prelude::*;

use super::*;

const FATAL: &str = "\
07-04 10:16:34.898  5368  5368 D Other   : java.lang.Error: not this one
07-04 10:16:34.898  5368  5368 E AndroidRuntime: FATAL EXCEPTION: main
07-04 10:16:34.898  5368  5368 E AndroidRuntime: Process: com.example, PID: 5368
07-04 10:16:34.898  5368  5368 E AndroidRuntime: java.lang.RuntimeException: Unable to start activity
07-04 10:16:34.898  5368  5368 E AndroidRuntime: which is a pity
07-04 10:16:34.898  5368  5368 E AndroidRuntime: \tat android.app.ActivityThread.performLaunchActivity(ActivityThread.java:2416)
07-04 10:16:34.899  1111  1111 E AndroidRuntime: \tat com.other.App.run(App.java:1)
07-04 10:16:34.899  5368  5368 D Other   : \tat com.example.Log.print(Log.java:1)
07-04 10:16:34.898  5368  5368 E AndroidRuntime: \tat android.os.Looper.loop(Looper.java:136)
07-04 10:16:34.898  5368  5368 E AndroidRuntime: \tSuppressed: java.io.IOException: close
07-04 10:16:34.898  5368  5368 E AndroidRuntime: \t\tat com.example.Db.close(Db.java:9)
07-04 10:16:34.898  5368  5368 E AndroidRuntime: \tCaused by: java.lang.Error: within
07-04 10:16:34.898  5368  5368 E AndroidRuntime: \t\tat com.example.Db.flush(Db.java:7)
07-04 10:16:34.898  5368  5368 E AndroidRuntime: Caused by: java.lang.IllegalArgumentException: tag
07-04 10:16:34.898  5368  5368 E AndroidRuntime: \tat com.example.Tags.add(Tags.kt:12)
07-04 10:16:34.898  5368  5368 E AndroidRuntime: \t... 12 more
07-04 10:16:34.898  5368  5368 E AndroidRuntime: Caused by: java.lang.NullPointerException
07-04 10:16:34.898  5368  5368 E AndroidRuntime: \tat com.example.Tag$Inner.<init>(Tag.kt:3)
07-04 10:16:34.898  5368  5368 E AndroidRuntime: \t... 13 more
07-04 10:16:35.100   500   520 I Process : Sending signal. PID: 5368 SIG: 9
";

fn java(text: &str) -> Crash {
    Crash::from_java(text, "com.example").unwrap()
}

fn frames(crash: &Crash) -> Vec<&str> {
    crash.frames.iter().map(|frame| frame.0.as_str()).collect()
}

fn stack(frames: impl IntoIterator<Item = impl Into<String>>) -> Vec<Frame> {
    frames.into_iter().map(|frame| Frame(frame.into())).collect()
}

#[test]
fn a_fatal_exception_is_found_in_a_log() {
    let crash = java(FATAL);
    assert_eq!(crash.exception, "java.lang.RuntimeException");
    assert_eq!(crash.message, "Unable to start activity\nwhich is a pity");
    assert_eq!(crash.root_cause.as_deref(), Some("java.lang.NullPointerException"));
    assert_eq!(
        frames(&crash),
        [
            "com.example.Tag$Inner.<init>(Tag.kt:3)",
            "com.example.Tags.add(Tags.kt:12)",
            "android.app.ActivityThread.performLaunchActivity(ActivityThread.java:2416)",
            "android.os.Looper.loop(Looper.java:136)",
        ]
    );
    assert_eq!(crash.signature.to_string(), "RuntimeException@Tag.Inner.init#7d0865b6");
    assert_eq!(
        crash.to_string(),
        "java.lang.RuntimeException caused by java.lang.NullPointerException at Tag$Inner.<init> (Tag.kt:3)"
    );
}

#[test]
fn each_way_to_print_a_log_gives_the_same_crash() {
    let brief =
        FATAL.replace("07-04 10:16:34.898  5368  5368 E AndroidRuntime: ", "E/AndroidRuntime( 5368): ");
    let bare = FATAL
        .lines()
        .filter(|line| line.contains("34.898  5368  5368 E AndroidRuntime"))
        .map(|line| line.split_once("AndroidRuntime: ").unwrap().1.to_owned() + "\r\n")
        .collect::<String>();
    let thrown = bare.split_once("5368\r\n").unwrap().1;
    for text in [&brief, &bare, thrown, &format!("Exception in thread \"main\" {thrown}")] {
        assert_eq!(java(text), java(FATAL));
    }
}

#[test]
fn the_crash_of_another_app_is_not_ours() {
    let why = Crash::from_java(FATAL, "com.other").unwrap_err();
    assert_eq!(why.to_string(), "the crash in this text is of the process com.example, not of com.other");
    let both = format!("{FATAL}{}", FATAL.replace("5368", "777").replace("com.example", "com.third"));
    assert_eq!(frames(&Crash::from_java(&both, "com.third").unwrap())[1], "com.third.Tags.add(Tags.kt:12)");
    assert!(Crash::from_java(FATAL, "").is_ok());
}

#[test]
fn an_exception_without_a_stack_is_one_when_the_text_begins_with_it() {
    assert_eq!(java("java.lang.OutOfMemoryError: big").signature.site(), Some("unknown"));
    assert_eq!(java("FATAL EXCEPTION: main\na.b.c\n").to_string(), "a.b.c");
    for text in
        ["", "all is well", "I/Tag: see java.lang.Error: x", "com.example.Main: started", "at a.b(C.java)"]
    {
        let why = Crash::from_java(text, "com.example").unwrap_err().to_string();
        assert_eq!(why, "there is no Java exception in this text", "{text}");
    }
}

#[test]
fn messages_and_numbers_of_the_machine_do_not_change_a_signature() {
    let crash = |message: &str, lambda: &str| {
        java(&format!(
            "java.lang.IllegalStateException: {message}\n\tat com.example.Main$$Lambda${lambda}.run(Unknown Source)\n\
             \tat com.example.Main.go(Main.java:5)\n\tat $Proxy{}.x(Unknown Source)\n",
            message.len()
        ))
    };
    let one = crash("a", "12/0x0000000840066840");
    assert_eq!(one.signature, crash("another", "3/0x00000008400ff040").signature);
    let elsewhere = java("java.lang.IllegalStateException\n\tat com.example.Main.go(Main.java:6)\n");
    assert_ne!(one.signature, elsewhere.signature);
}

#[test]
fn frames_of_the_app_count_before_libraries_and_these_before_the_framework() {
    let sign = |frames: &[&str]| {
        Crash::new(CrashKind::Java, "a.E", "", None, stack(frames.iter().copied()), "com.example").signature
    };
    let (app, library, framework) =
        ("com.example.A.b(A.java:1)", "org.lib.B.c(B.java:2)", "java.util.List.get(List.java:3)");
    assert_eq!(sign(&[framework, library, app]), sign(&[app]));
    assert_eq!(sign(&[framework, library]), sign(&[library, "android.os.X.y(X.java:9)"]));
    assert_ne!(sign(&[framework]), sign(&[]));
    assert_eq!(sign(&[framework]).site(), Some("List.get"));
    assert_ne!(sign(&[app, "com.example.A.c(A.java:2)"]), sign(&[app]));
}

#[test]
fn a_stack_overflow_goes_by_its_round() {
    let round = ["com.example.A.a(A.java:1)", "com.example.A.b(A.java:2)", "com.example.A.c(A.java:3)"];
    let overflow = |leaf: &str, skip: usize, depth: usize| {
        let rounds = round.iter().cycle().skip(skip).take(depth).copied();
        let entry = ["com.example.Main.go(Main.java:1)"];
        let frames = [leaf].into_iter().chain(rounds).chain(entry);
        Crash::new(
            CrashKind::Java,
            "java.lang.StackOverflowError",
            "stack size 8MB",
            None,
            stack(frames),
            "com.example",
        )
    };
    let one = overflow("com.example.Leaf.x(Leaf.java:1)", 0, 900);
    assert_eq!(one.signature, overflow("java.util.HashMap.hash(HashMap.java:7)", 2, 1021).signature);
    assert_eq!(one.signature.site(), Some("A.a"));
    let other = Crash::new(
        CrashKind::Java,
        "java.lang.StackOverflowError",
        "",
        None,
        stack([round[0]; 50]),
        "com.example",
    );
    assert_ne!(one.signature, other.signature);
}

const TOMBSTONE: &str = "\
08-01 12:00:00.000  1234  1234 F libc    : Fatal signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0 in tid 1234 (com.example)
08-01 12:00:00.100  2000  2000 F DEBUG   : *** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
08-01 12:00:00.100  2000  2000 F DEBUG   : Build fingerprint: 'google/sdk:11'
08-01 12:00:00.100  2000  2000 F DEBUG   : pid: 1234, tid: 1234, name: com.example  >>> com.example <<<
08-01 12:00:00.100  2000  2000 F DEBUG   : signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0
08-01 12:00:00.100  2000  2000 F DEBUG   : Abort message: 'no luck'
08-01 12:00:00.100  2000  2000 F DEBUG   : backtrace:
08-01 12:00:00.100  2000  2000 F DEBUG   :       #00 pc 0000a1b2  /system/lib64/libc.so (memcpy+12)
08-01 12:00:00.100  2000  2000 F DEBUG   :       #01 pc 0001a2b3  /data/app/com.example-1/lib/arm64/libfoo.so (parse(char const*)+88)
08-01 12:00:00.100  2000  2000 F DEBUG   : stack:
08-01 12:00:00.100  2000  2000 F DEBUG   : --- --- ---
08-01 12:00:00.100  2000  2000 F DEBUG   :       #00 pc 0000c0de  /system/lib64/libc.so (epoll_wait+8)
08-01 12:00:00.100  2000  2000 F DEBUG   :       #01 pc 0000beef  /system/lib64/libutils.so
";

#[test]
fn a_tombstone_is_a_native_crash() {
    let crash = Crash::from_native(TOMBSTONE, "com.example").unwrap();
    assert_eq!((crash.kind, crash.exception.as_str()), (CrashKind::Native, "SIGSEGV"));
    assert_eq!(crash.message, "code 1 (SEGV_MAPERR), fault addr 0x0; no luck");
    assert_eq!(
        frames(&crash),
        [
            "pc 0000a1b2  /system/lib64/libc.so (memcpy+12)",
            "pc 0001a2b3  /data/app/com.example-1/lib/arm64/libfoo.so (parse(char const*)+88)",
        ]
    );
    assert_eq!(crash.signature.to_string(), "SIGSEGV@libfoo.so.parse#2465a879");
    assert_eq!(crash.to_string(), "SIGSEGV at parse (libfoo.so parse(char const*)+88)");
    let moved = TOMBSTONE.replace("com.example-1", "~~x==/com.example-y==").replace("0001a2b3", "7001a2b3");
    assert_eq!(Crash::from_native(&moved, "com.example").unwrap().signature, crash.signature);
}

#[test]
fn the_signal_alone_is_enough_and_another_process_is_not() {
    let first = TOMBSTONE.lines().next().unwrap();
    let crash = Crash::from_native(first, "com.example").unwrap();
    assert_eq!((crash.exception.as_str(), crash.frames.len()), ("SIGSEGV", 0));
    let why = Crash::from_native(TOMBSTONE, "com.other").unwrap_err().to_string();
    assert_eq!(why, "the crash in this text is of the process com.example, not of com.other");
    let why = Crash::from_native(FATAL, "com.example").unwrap_err().to_string();
    assert_eq!(why, "there is no native crash in this text");
}

const NOT_RESPONDING: &str = "\
E/ActivityManager(  500): ANR in com.example (com.example/.ui.Main)
E/ActivityManager(  500): PID: 1234
E/ActivityManager(  500): Reason: Input dispatching timed out (waiting for 5000 ms)
E/ActivityManager(  500): Load: 1.2 / 0.8 / 0.5
\"Signal Catcher\" daemon prio=5 tid=3 Runnable
  at com.example.Wrong.thread(Wrong.java:1)

\"main\" prio=5 tid=1 Sleeping
  | sysTid=1234 nice=0
  at java.lang.Thread.sleep(Native method)
  - sleeping on <0x0a1b2c3d> (a java.lang.Object)
  at com.example.Work.inner(Work.java:30)
  at com.example.ui.Main.onClick(Main.java:41)
  at android.view.View.performClick(View.java:4438)

\"Binder_1\" prio=5 tid=9 Native
  at com.example.Wrong.thread(Wrong.java:2)
";

#[test]
fn an_anr_goes_by_its_activity_and_the_callback_that_did_not_return() {
    let crash = Crash::from_anr(NOT_RESPONDING, "com.example").unwrap();
    assert_eq!((crash.kind, crash.exception.as_str()), (CrashKind::Anr, "ANR"));
    assert_eq!(crash.message, "Input dispatching timed out (waiting for 5000 ms)");
    assert_eq!(crash.root_cause.as_deref(), Some("com.example.ui.Main"));
    assert_eq!(crash.frames.len(), 4);
    assert_eq!(crash.signature.to_string(), "ANR@Main#4675cb1b");
    assert_eq!(crash.to_string(), "ANR in com.example.ui.Main");

    let caught_later =
        NOT_RESPONDING.replace("Work.inner(Work.java:30)", "Rest.more(Rest.java:7)").replace(":41)", ":43)");
    assert_eq!(Crash::from_anr(&caught_later, "com.example").unwrap().signature, crash.signature);
    let other_callback = NOT_RESPONDING.replace("onClick", "onResume");
    assert_ne!(Crash::from_anr(&other_callback, "com.example").unwrap().signature, crash.signature);
}

#[test]
fn an_anr_may_tell_no_more_than_the_app() {
    let crash = Crash::from_anr("ANR in com.example:remote, time=5\n", "com.example").unwrap();
    assert_eq!((crash.root_cause, crash.signature.site()), (None, Some("unknown")));
    assert!(matches!(Crash::from_anr(NOT_RESPONDING, "com.other"), Err(NoCrash::OtherProcess { .. })));
    assert!(matches!(Crash::from_anr(FATAL, "com.example"), Err(NoCrash::Nothing { what: "ANR" })));
}

#[test]
fn errors_of_pages_are_read_in_both_shapes() {
    let v8 = "Uncaught TypeError: Cannot read properties of null\n    at addTag (http://localhost:8080/js/app.js?v=1:10:5)\n    at async HTMLButtonElement.<anonymous> (http://localhost:8080/js/app.js:20:7)\n    at Array.map (<anonymous>)\n";
    let firefox = "TypeError: tag is null\naddTag@https://example.org/js/app.js:10:5\nHTMLButtonElement.<anonymous>@https://example.org/js/app.js:20:7\n";
    let (v8, firefox) = (Crash::from_javascript(v8).unwrap(), Crash::from_javascript(firefox).unwrap());
    assert_eq!((v8.kind, v8.exception.as_str()), (CrashKind::JavaScript, "TypeError"));
    assert_eq!((v8.message.as_str(), v8.frames.len()), ("Cannot read properties of null", 3));
    assert_eq!(v8.signature.to_string(), "TypeError@addTag#a9560d71");
    assert_eq!(firefox.signature, v8.signature);
    assert_eq!(v8.to_string(), "TypeError at addTag (app.js:10:5)");
}

#[test]
fn anything_can_be_thrown_in_a_page() {
    let read = |text| Crash::from_javascript(text);
    assert_eq!(read("Uncaught 42").unwrap().to_string(), "Error");
    assert_eq!(read("Uncaught (in promise) not now").unwrap().message, "not now");
    assert_eq!(read("ReferenceError").unwrap().exception, "ReferenceError");
    assert_eq!(read("f@http://h/a.js:1:2\n[native code]@[native code]\n").unwrap().frames.len(), 2);
    assert_eq!(read("all is well").unwrap_err().to_string(), "there is no JavaScript error in this text");
    assert!(read("").is_err());
}

proptest! {
    /// Lines of real texts in any order, cut anywhere: parsers answer, and signatures are fit to type.
    #[test]
    fn no_text_is_too_broken(
        lines in prop::collection::vec(any::<prop::sample::Index>(), 0..40),
        noise in ".{0,60}",
        cut in any::<prop::sample::Index>(),
    ) {
        let page = "TypeError: x\n at f (a.js:1:2)\ng/<@http://h/@s/b.js:3:4";
        let known: Vec<&str> = [FATAL, TOMBSTONE, NOT_RESPONDING, page, &noise].iter().flat_map(|text| text.lines()).collect();
        let mut text = lines.iter().map(|line| *line.get(&known)).collect::<Vec<_>>().join("\n");
        let ends: Vec<usize> = (0..=text.len()).filter(|&end| text.is_char_boundary(end)).collect();
        text.truncate(*cut.get(&ends));
        for package in ["com.example", ""] {
            let found = [
                Crash::from_java(&text, package),
                Crash::from_native(&text, package),
                Crash::from_anr(&text, package),
                Crash::from_javascript(&text),
            ];
            for crash in found.into_iter().flatten() {
                prop_assert!(!crash.signature.0.contains(char::is_whitespace), "{}", crash.signature);
                prop_assert!(!crash.to_string().is_empty());
            }
        }
    }

    #[test]
    fn messages_never_count(one in ".{0,30}", other in ".{0,30}", frames in prop::collection::vec(".{0,30}", 0..5)) {
        for kind in CrashKind::ALL {
            let sign = |message: &str| Crash::new(kind, "a.E", message, None, stack(frames.clone()), "a").signature;
            prop_assert_eq!(sign(&one), sign(&other));
        }
    }
}
