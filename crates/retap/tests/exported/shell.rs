//! Scripts for adb, checked by a POSIX shell and run by it. In the place of adb stands one whose device is this computer:
//! what the device would be told is run by a shell as well, and every command writes down its arguments.

use std::fmt::Write as _;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use retap_formats::Expect;
use retap_trace::{Point, Trace};

use crate::corpus;
use crate::deed::{Deed, Find, Place, deeds, line, log, put_back, started, turns};
use crate::script::finds;
use crate::{exported, hostile, test_of};

const TOOLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/exported/tools");
/// What a device has.
const COMMANDS: &[&str] =
    &["input", "pm", "monkey", "settings", "am", "dumpsys", "svc", "cmd", "wm", "emu", "reboot", "quit"];
/// What would be run here, and must not be, but for the pause.
const HERE: &[&str] = &["sleep", "reboot", "quit", "input", "pm"];

/// A computer with a device.
struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        let bench = Self { folder: tempfile::tempdir().expect("a scratch folder") };
        for part in ["here", "device"] {
            std::fs::create_dir(bench.path(part)).expect("a folder");
        }
        bench.put("here/adb", &tool("adb.sh"));
        bench.put("note", &tool("note.sh"));
        bench.put("device/logcat", &tool("logcat.sh"));
        bench.put("broken", "");
        for (part, commands) in [("here", HERE), ("device", COMMANDS)] {
            for command in commands {
                symlink(bench.path("note"), bench.path(part).join(command)).expect("a link");
            }
        }
        bench
    }

    fn path(&self, part: &str) -> PathBuf {
        self.folder.path().join(part)
    }

    fn put(&self, part: &str, text: &str) {
        std::fs::write(self.path(part), text).expect("a file");
        std::fs::set_permissions(self.path(part), PermissionsExt::from_mode(0o755)).expect("its owner may");
    }

    /// How a script ends on a phone with the widgets of its trace, what it says, and the commands that were run.
    fn run(&self, script: &str, trace: &Trace, log: &str) -> (Option<i32>, String, Vec<Vec<String>>) {
        self.run_on(script, &screen(trace), trace, log)
    }

    fn run_on(
        &self,
        script: &str,
        widgets: &[Widget],
        trace: &Trace,
        log: &str,
    ) -> (Option<i32>, String, Vec<Vec<String>>) {
        self.put("test.sh", script);
        self.put("tree", &dumped(widgets));
        self.put("front", &fronts(trace));
        self.put("log", log);
        let said = self.shell("here").arg(self.path("test.sh")).output().expect("a shell runs");
        let words = [said.stdout, said.stderr].concat();
        (said.status.code(), String::from_utf8_lossy(&words).into_owned(), self.notes())
    }

    /// The commands that this is made of, on the device.
    fn on_device(&self, command: &str) -> Vec<Vec<String>> {
        let said = self.shell("device").args(["-c", command]).output().expect("a shell runs");
        assert!(said.status.success(), "{command}: {said:?}");
        self.notes()
    }

    fn shell(&self, path: &str) -> Command {
        let _ = std::fs::remove_file(self.path("deeds"));
        let mut shell = Command::new(shell());
        let usual = std::env::var("PATH").expect("a path");
        shell.env("PATH", format!("{}:{usual}", self.path(path).display()));
        let parts = ["device", "tree", "front", "log", "deeds", "broken"];
        // No pause of a script is this long.
        shell.env("ADB_SECONDS", "61.7");
        for (name, part) in parts.map(|part| (part.to_uppercase(), part)) {
            shell.env(name, self.path(part));
        }
        shell
    }

    fn notes(&self) -> Vec<Vec<String>> {
        let text = std::fs::read_to_string(self.path("deeds")).unwrap_or_default();
        let note = |record: &str| record.split('\u{1f}').map(str::to_owned).collect();
        text.split_terminator('\u{1e}').map(note).collect()
    }
}

fn tool(name: &str) -> String {
    std::fs::read_to_string(Path::new(TOOLS).join(name)).expect("a part of the tests")
}

/// Debian's shell, which knows POSIX and little else, where there is one.
fn shell() -> &'static str {
    if Command::new("dash").args(["-c", "true"]).output().is_ok() { "dash" } else { "sh" }
}

/// A widget on the screen: its names, and its middle.
struct Widget {
    find: Find,
    middle: Point,
}

/// Four widgets of each name that the trace has.
fn screen(trace: &Trace) -> Vec<Widget> {
    let all = finds(trace).into_iter().flat_map(|find| [find.clone(), find.clone(), find.clone(), find]);
    let at = |number: usize| Point::new(10 + 20 * i32::try_from(number).expect("few"), 50);
    all.enumerate().map(|(number, find)| Widget { find, middle: at(number) }).collect()
}

/// What the phone says of the activity in front, for each activity of the trace.
fn fronts(trace: &Trace) -> String {
    let package = &trace.header.app.package;
    let seen = trace.steps.iter().filter_map(|step| step.before.as_ref());
    let front = |activity: &str| {
        let short = activity.strip_prefix(&**package).unwrap_or(activity);
        format!("  topResumedActivity=ActivityRecord{{1a u0 {package}/{short} t12}}\n")
    };
    seen.map(|seen| front(&seen.activity)).collect()
}

/// The screen as `uiautomator dump` writes it, by the rules of Android's `KXmlSerializer`.
fn dumped(widgets: &[Widget]) -> String {
    let mut xml =
        String::from("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">");
    xml.push_str("<node index=\"0\" bounds=\"[0,0][1080,1920]\" />");
    for Widget { find, middle } in widgets {
        xml.push_str("<node index=\"0\"");
        // While a field is empty, its hint stands in it.
        let text = find.names.get("text").or_else(|| find.names.get("hint"));
        for (name, value) in
            [("text", text), ("resource-id", find.names.get("id")), ("content-desc", find.names.get("desc"))]
        {
            let value = value.map_or("", String::as_str);
            let quote = if value.contains('"') { "'" } else { "\"" };
            let letters: String = value.chars().map(|letter| written(letter, quote)).collect();
            write!(xml, " {name}={quote}{letters}{quote}").expect("a string takes all text");
        }
        let Point { x, y } = middle;
        write!(xml, " bounds=\"[{},{}][{},{}]\" />", x - 9, y - 9, x + 9, y + 9)
            .expect("a string takes all text");
    }
    xml + "</hierarchy>UI hierchary dumped to: /dev/tty\n"
}

fn written(letter: char, quote: &str) -> String {
    match (letter, u32::from(letter)) {
        ('&', _) => "&amp;".to_owned(),
        ('<', _) => "&lt;".to_owned(),
        ('>', _) => "&gt;".to_owned(),
        ('\'', _) if quote == "'" => "&apos;".to_owned(),
        (_, number @ (9 | 10 | 13 | 0x1_0000..)) => format!("&#{number};"),
        (_, 0..0x20 | 0x7f..0xa0) => ".".to_owned(),
        _ => letter.to_string(),
    }
}

/// The middle of the widget that is meant.
fn meant(find: &Find, widgets: &[Widget]) -> Point {
    let shown = |widget: &Widget, part: &str| {
        let names = &widget.find.names;
        let value = names.get(part).or_else(|| if part == "text" { names.get("hint") } else { None });
        value.cloned()
    };
    let fits = |widget: &&Widget| {
        find.names.iter().all(|(part, value)| {
            shown(widget, if *part == "hint" { "text" } else { part }).as_ref() == Some(value)
        })
    };
    let index = find.index.unwrap_or(0) as usize;
    widgets.iter().filter(fits).nth(index).expect("it is on the screen").middle
}

fn words(parts: &[&str]) -> Vec<String> {
    parts.iter().map(|part| (*part).to_owned()).collect()
}

/// The commands that the device should be given.
fn wanted(bench: &Bench, trace: &Trace, widgets: &[Widget]) -> Vec<Vec<String>> {
    let package = &*trace.header.app.package;
    let put = |name: &str, value: &str| words(&["settings", "put", "system", name, value]);
    let rotation =
        ["accelerometer_rotation", "user_rotation"].map(|name| words(&["settings", "get", "system", name]));
    let mut all: Vec<Vec<String>> = rotation.into_iter().filter(|_| turns(trace)).collect();
    all.push(words(&["pm", "clear", package]));
    let point = |place: &Place| match place {
        Place::Widget(find) => meant(find, widgets),
        Place::At(at) => *at,
    };
    let tap = |at: Point| words(&["input", "tap", &at.x.to_string(), &at.y.to_string()]);
    let swipe = |at: Point, to: Point, ms: u64| {
        let numbers = [at.x, at.y, to.x, to.y].map(|number| number.to_string());
        let mut all = words(&["input", "swipe"]);
        all.extend(numbers.into_iter().chain([ms.to_string()]));
        all
    };
    let mut typed = 0;
    for deed in deeds(trace) {
        let erased: usize = 256 + typed;
        typed += deed.typed();
        match deed {
            Deed::Launch => {
                all.push(words(&["monkey", "-p", package, "-c", "android.intent.category.LAUNCHER", "1"]));
            }
            Deed::Tap(place) => all.push(tap(point(&place))),
            Deed::DoubleTap(place) => all.extend([tap(point(&place)), tap(point(&place))]),
            Deed::LongTap(place, ms) => all.push(swipe(point(&place), point(&place), ms)),
            Deed::Swipe(at, to, ms) => all.push(swipe(at, to, ms)),
            Deed::Key(code) => all.push(words(&["input", "keyevent", &code.to_string()])),
            Deed::Text(find, text) => {
                all.extend(find.map(|find| tap(meant(&find, widgets))));
                let deletes = std::iter::repeat_n("67", 256);
                let deletes =
                    words(&["input", "keyevent", "123"].into_iter().chain(deletes).collect::<Vec<_>>());
                all.extend(std::iter::repeat_n(deletes, erased.div_ceil(256)));
                all.extend((!text.is_empty()).then(|| words(&["input", "text", &text])));
            }
            Deed::Rotate(to) => {
                all.push(put("accelerometer_rotation", "0"));
                all.push(put("user_rotation", if to == "landscape" { "1" } else { "0" }));
            }
            Deed::Shell(commands) => all.extend(commands.iter().flat_map(|command| bench.on_device(command))),
            Deed::Wait(ms) => all.push(words(&["sleep", &(Seconds(ms)).to_string()])),
            Deed::Console(said) => all.push(words(&["emu", &said])),
            deed @ Deed::Pinch(..) => panic!("{deed:?} should have been refused"),
        }
    }
    all.extend(after(bench, trace));
    all
}

/// The commands that leave the device as it was.
fn after(bench: &Bench, trace: &Trace) -> Vec<Vec<String>> {
    let rotation = ["user_rotation", "accelerometer_rotation"]
        .map(|name| words(&["settings", "put", "system", name, "1"]));
    let commands = put_back(trace).into_iter().flat_map(|command| bench.on_device(command));
    commands.chain(rotation.into_iter().filter(|_| turns(trace))).collect()
}

struct Seconds(u64);

impl std::fmt::Display for Seconds {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = format!("{}.{:03}", self.0 / 1000, self.0 % 1000);
        let short = text.trim_end_matches('0');
        to.write_str(if short.ends_with('.') { &text[..=short.len()] } else { short })
    }
}

/// What was done, without the pauses between looks, and texts as `input` types them.
fn done(notes: Vec<Vec<String>>) -> Vec<Vec<String>> {
    let typed = |mut note: Vec<String>| {
        if note[..2] == ["input", "text"] {
            note[2] = note[2].replace("%s", " ");
        }
        note
    };
    notes.into_iter().filter(|note| *note != ["sleep", "0.5"]).map(typed).collect()
}

/// Runs the script of a trace, and the one that expects the crash: both pass.
fn check(bench: &Bench, about: &str, trace: &Trace) {
    let widgets = screen(trace);
    let (quiet, crashed) = (started(trace), log(trace).join("\n"));
    let script = test_of(trace, "adb").expect("it can");
    let checked = Command::new(shell()).args(["-n", "/dev/stdin"]).stdin(file(bench, &script)).output();
    assert!(checked.expect("a shell runs").status.success(), "{about}:\n{script}");
    let (code, said, notes) = bench.run(&script, trace, &quiet);
    assert_eq!((code, said.as_str()), (Some(0), "passed: the app did not crash\n"), "{about}:\n{script}");
    assert_eq!(done(notes), wanted(bench, trace, &widgets), "{about}:\n{script}");
    let Ok(known) = exported(trace, "adb", Expect::Crash) else { return };
    let (code, said, _) = bench.run(&known.text, trace, &crashed);
    assert!(code == Some(0) && said.starts_with("passed: the app crashed with "), "{about}: {said}");
}

/// Scripts fail as well.
fn check_failing(bench: &Bench, about: &str, trace: &Trace) {
    let (quiet, crashed) = (started(trace), log(trace).join("\n"));
    let (code, said, notes) = bench.run(&test_of(trace, "adb").expect("it can"), trace, &crashed);
    assert!(code == Some(1) && said.starts_with("FAILED: the app crashed: "), "{about}: {said}");
    assert!(done(notes).ends_with(&after(bench, trace)), "{about}");
    let Ok(known) = exported(trace, "adb", Expect::Crash) else { return };
    let (code, said, _) = bench.run(&known.text, trace, &quiet);
    assert_eq!((code, said.as_str()), (Some(1), "FAILED: the app did not crash\n"), "{about}");
    // That an exception was caught and logged is not that the app crashed with it.
    let exception = &trace.crash().expect("it is expected").exception;
    let package = &trace.header.app.package;
    let java = |told: &str| line(&format!("E AndroidRuntime: {told}"));
    let begin =
        [quiet, java("FATAL EXCEPTION: main"), java(&format!("Process: {package}, PID: 77"))].join("\n");
    for other in [
        [java("java.lang.Error"), line(&format!("W System.err: {exception}"))],
        [java(&format!("java.lang.Error: wanted {exception}")), java("\tat a.B.c(B.java:1)")],
        [java("java.lang.Error"), java(&format!("Caused by: {exception}"))],
        [java(&format!("{}ish: x", exception.trim_end())), String::new()],
    ] {
        let (code, said, _) = bench.run(&known.text, trace, &[&begin, &other[0], &*other[1]].join("\n"));
        let right = code == Some(1) && said.starts_with("FAILED: the app crashed, but not with ");
        assert!(right, "{about}: {other:?}: {said}");
    }
}

fn file(bench: &Bench, text: &str) -> std::fs::File {
    bench.put("checked.sh", text);
    std::fs::File::open(bench.path("checked.sh")).expect("it was written")
}

#[test]
fn a_shell_runs_the_scripts_of_samples_and_generated_crashes() {
    let bench = Bench::new();
    let mut run = 0;
    for case in corpus::all() {
        if test_of(&case.trace, "adb").is_some() {
            check(&bench, &case.name, &case.trace);
            check_failing(&bench, &case.name, &case.trace);
            run += 1;
        }
    }
    assert!(run >= 30, "{run} scripts");
}

/// A log that was lost, or a device that is gone, tells of no crash: that is no reason to pass.
#[test]
fn a_script_that_cannot_know_fails() {
    let bench = Bench::new();
    let trace = hostile::typed_blindly("name");
    let (quiet, crashed) = (started(&trace), log(&trace).join("\n"));
    let script = |expect| exported(&trace, "adb", expect).expect("it can").text;
    let lost = [
        ("shell", "FAILED: adb shell "),
        ("logcat -c", "FAILED: adb shell logcat -c "),
        ("logcat -d", "FAILED: the log of the device cannot be read"),
        ("", "FAILED: the log does not tell that the app was started"),
    ];
    for (broken, says) in lost {
        bench.put("broken", &format!("{broken}\n"));
        let seen = if broken.is_empty() { "I Nothing: here\n" } else { &*quiet };
        let (code, said, _) = bench.run(&script(Expect::NoCrash), &trace, seen);
        assert!(code == Some(1) && said.contains(says), "{broken}: {said}");
        let seen = if broken.is_empty() { "I Nothing: here\n" } else { &*crashed };
        let (code, said, _) = bench.run(&script(Expect::Crash), &trace, seen);
        assert!(code == Some(1) && said.contains("FAILED: "), "{broken}: {said}");
    }
    // Whether there is a keyboard.
    bench.put("broken", "dumpsys input_method\n");
    let typed = hostile::typed(hostile::PLAIN);
    let (code, said, _) = bench.run(&test_of(&typed, "adb").expect("it can"), &typed, &started(&typed));
    assert_eq!((code, said.as_str()), (Some(1), "FAILED: adb shell dumpsys input_method\n"));
    bench.put("broken", "");
    // Another app whose name begins as this one's does.
    let other = crashed.replace(hostile::PACKAGE, &format!("{}lication", hostile::PACKAGE));
    let (code, said, _) = bench.run(&script(Expect::Crash), &trace, &format!("{quiet}\n{other}"));
    assert_eq!((code, said.as_str()), (Some(1), "FAILED: the app did not crash\n"));
}

#[test]
fn exceptions_are_known_by_the_last_part_of_their_names() {
    let bench = Bench::new();
    for (trace, same) in hostile::signed() {
        let thrown = trace.header.note.as_ref().expect("what is thrown");
        let known = exported(&trace, "adb", Expect::Crash).expect("it can").text;
        let (code, said, _) = bench.run(&known, &trace, &log(&trace).join("\n"));
        let says =
            if same { "passed: the app crashed with " } else { "FAILED: the app crashed, but not with " };
        assert!(code == Some(i32::from(!same)) && said.starts_with(says), "{thrown}: {said}");
        let (code, said, _) = bench.run(&known, &trace, &started(&trace));
        assert_eq!((code, said.as_str()), (Some(1), "FAILED: the app did not crash\n"), "{thrown}");
    }
}

/// It ends at the first call that the phone does not answer, makes no other, and says nothing of the app.
#[test]
fn a_script_ends_when_the_phone_is_gone() {
    let bench = Bench::new();
    let (typed, blindly) = (hostile::typed(hostile::PLAIN), hostile::typed_blindly(hostile::PLAIN));
    let (changing, dictated) = (hostile::changing(), hostile::dictated(hostile::PLAIN));
    for (trace, dies_at) in [
        (&typed, "shell logcat -c"),
        (&typed, "shell pm clear"),
        (&typed, "exec-out"),
        (&typed, "shell dumpsys input_method"),
        (&typed, "shell input text"),
        (&typed, "shell logcat -d"),
        (&blindly, "shell dumpsys activity"),
        (&changing, "shell settings get"),
        (&changing, "shell settings put"),
        (&dictated, "emu"),
    ] {
        let script = test_of(trace, "adb").expect("it can").replace("set -u\n", "set -u\nADB_SECONDS=0.7\n");
        for (silent, calls) in [("", 2), ("silent", 1)] {
            bench.put("broken", &format!("dies at {dies_at}\n{silent}\n"));
            let (code, said, _) = bench.run(&script, trace, &started(trace));
            assert_eq!((code, said.matches("LOST: ").count()), (Some(2), 1), "{dies_at}: {said}");
            assert!(!said.contains("FAILED") && !said.contains("passed"), "{dies_at}: {said}");
            // The second one asks whether the phone is there.
            let made = std::fs::read_to_string(bench.path("broken.calls")).expect("the phone has died");
            assert_eq!(made.lines().count(), calls, "{dies_at}: {made}");
            std::fs::remove_file(bench.path("broken.calls")).expect("it is there");
        }
    }
}

/// The words of `am` tell whether it has worked, wherever they go, and so does its code.
#[test]
fn am_is_taken_at_its_words() {
    let bench = Bench::new();
    for (says, code, works) in hostile::AM {
        let trace = hostile::asks_am(says);
        let script = test_of(&trace, "adb").expect("it can");
        for verb in ["says", "complains"] {
            let mut broken: Vec<String> = says.lines().map(|line| format!("am {verb} {line}\n")).collect();
            broken.push(format!("am ends with {code}\n"));
            bench.put("broken", &broken.concat());
            let (ended, said, _) = bench.run(&script, &trace, &started(&trace));
            assert_eq!(ended, Some(i32::from(!works)), "{says}: {said}");
            assert!(works || said.contains("FAILED: adb shell am st"), "{says}: {said}");
        }
    }
}

/// A test that ran on what an earlier one left, or that touched nothing, says nothing of the app.
#[test]
fn commands_that_fail_with_0_are_failures() {
    let bench = Bench::new();
    let trace = hostile::typed_blindly("name");
    let script = test_of(&trace, "adb").expect("it can");
    for (broken, why) in [
        ("pm fails\n", "FAILED: the data of org.example.app cannot be cleared; is the app installed? Failed"),
        (
            "input says java.lang.SecurityException: Injecting input events requires the caller\n",
            "FAILED: adb shell input ",
        ),
        ("input says Error: Invalid arguments for command: tap\n", "FAILED: adb shell input "),
        ("input says nothing that matters\n", "passed: "),
    ] {
        bench.put("broken", broken);
        let (code, said, _) = bench.run(&script, &trace, &started(&trace));
        assert_eq!(code, Some(i32::from(!why.starts_with("passed"))), "{broken}: {said}");
        assert!(said.contains(why), "{broken}: {said}");
    }
}

/// An app may log what Android logs of a crash. Only Android's own report counts.
#[test]
fn words_in_the_log_are_no_crash() {
    let bench = Bench::new();
    let trace = hostile::typed_blindly("name");
    let package = hostile::PACKAGE;
    let regression = exported(&trace, "adb", Expect::NoCrash).expect("it can").text;
    let known = exported(&trace, "adb", Expect::Crash).expect("it can").text;
    for told in [
        format!("E AndroidRuntime: Process: {package}, PID: 77 name"),
        format!("W AndroidRuntime: Process: {package}, PID: 77"),
        format!("I App     : ANR in {package}"),
        format!("I ActivityManager: no ANR in {package}"),
        format!("I DEBUG   : pid: 77, tid: 77, name: main  >>> {package} <<<"),
        "E App     : FATAL EXCEPTION: main".to_owned(),
        "E App     : name".to_owned(),
    ] {
        let log = [started(&trace), line(&told), line("E AndroidRuntime: name")].join("\n");
        let (code, said, _) = bench.run(&regression, &trace, &log);
        assert_eq!((code, said.as_str()), (Some(0), "passed: the app did not crash\n"), "{told}");
        let (code, said, _) = bench.run(&known, &trace, &log);
        assert_eq!((code, said.as_str()), (Some(1), "FAILED: the app did not crash\n"), "{told}");
    }
}

/// A text with quotes stands between single ones in the dump, and may look like the id of another widget.
#[test]
fn a_text_that_looks_like_an_id_is_not_tapped() {
    let bench = Bench::new();
    let trace = hostile::touched_by_id("org.example.app:id/go");
    let names = |part, name: &str| Find { names: [(part, name.to_owned())].into(), index: None };
    let widget = |find, x| Widget { find, middle: Point::new(x, 50) };
    let widgets = [
        widget(names("text", "see resource-id=\"org.example.app:id/go\" in docs"), 10),
        widget(names("id", "org.example.app:id/go"), 30),
    ];
    let script = test_of(&trace, "adb").expect("it can");
    let (code, said, notes) = bench.run_on(&script, &widgets, &trace, &started(&trace));
    assert_eq!(code, Some(0), "{said}");
    assert!(notes.contains(&words(&["input", "tap", "30", "50"])), "{notes:?}");
}

#[test]
fn an_activity_that_does_not_come_to_the_front_fails_the_script() {
    let bench = Bench::new();
    let trace = hostile::typed_blindly("name");
    let mut elsewhere = trace.clone();
    elsewhere.steps[0].before = None;
    let script = test_of(&trace, "adb").expect("it can");
    let (code, said, _) = bench.run(&script, &elsewhere, &started(&trace));
    assert!(code == Some(1) && said.starts_with("FAILED: the activity \\.Main is not in front"), "{said}");
}

/// The log has a line for each of a report: the name of a thread may be two of them, and a message may begin with none.
#[test]
fn crashes_are_seen_whatever_line_ends_stand_in_their_reports() {
    let bench = Bench::new();
    for (trace, told) in hostile::torn() {
        check(&bench, &format!("{told:?}"), &trace);
        check_failing(&bench, &format!("{told:?}"), &trace);
        // Of another app they are nothing.
        let other = format!("{}.other", trace.header.app.package);
        let other = log(&trace).join("\n").replace(&*trace.header.app.package, &other);
        let script = test_of(&trace, "adb").expect("it can");
        let (code, said, _) = bench.run(&script, &trace, &[started(&trace), other].join("\n"));
        assert_eq!((code, said.as_str()), (Some(0), "passed: the app did not crash\n"), "{told:?}");
    }
}

#[test]
fn native_crashes_and_hanging_apps_are_seen() {
    let bench = Bench::new();
    for trace in hostile::other_kinds().iter().chain([&hostile::changing()]) {
        check(&bench, &trace.header.app.package, trace);
        check_failing(&bench, &trace.header.app.package, trace);
    }
}

/// Also when the console does not take it, and the script says what it was told.
#[test]
fn system_events_are_words_to_a_shell() {
    let bench = Bench::new();
    for name in hostile::names().iter().filter(|name| !name.contains('\0')) {
        let about = format!("{name:?}");
        check(&bench, &about, &hostile::told(name));
        let trace = hostile::dictated(name);
        check(&bench, &about, &trace);
        // adb fails, or the console refuses what adb tells it.
        for (broken, why) in [("emu", ""), ("KO", ": KO: unknown command")] {
            bench.put("broken", &format!("{broken}\n"));
            let (code, said, notes) = bench.run(&test_of(&trace, "adb").expect("it can"), &trace, "");
            bench.put("broken", "");
            assert!(
                code == Some(1) && said.starts_with("FAILED: the emulator's console: "),
                "{about}: {said}"
            );
            assert!(said.contains(why), "{about}: {said}");
            // The start and the first step, and nothing that the words mean to a shell.
            assert_eq!(done(notes), wanted(&bench, &trace, &[])[..3], "{about}: {said}");
        }
        for tool in ["appium", "webdriverio", "uiautomator", "espresso", "maestro", "monkey"] {
            let refused = exported(&trace, tool, Expect::NoCrash).expect_err("it has no console").to_string();
            assert!(refused.starts_with(&format!("{tool} cannot express step 1: ")), "{refused}");
        }
    }
}

#[test]
fn names_are_words_to_a_shell() {
    let bench = Bench::new();
    for name in hostile::names() {
        check(&bench, &format!("{name:?}"), &hostile::touched(&name));
        let typed = hostile::typed(&name);
        let can = name.bytes().all(|byte| matches!(byte, b' '..=b'~')) && !name.contains("%s");
        match exported(&typed, "adb", Expect::NoCrash) {
            Ok(_) => check(&bench, &format!("{name:?}"), &typed),
            Err(error) => {
                assert!(error.to_string().starts_with("adb cannot express step 1: type "), "{error}");
            }
        }
        assert_eq!(test_of(&typed, "adb").is_some(), can, "{name:?}");
    }
}

#[test]
fn packages_that_no_app_has_are_refused_by_name() {
    for package in hostile::PACKAGES {
        let mut trace = hostile::typed_blindly("name");
        trace.header.app.package = (*package).into();
        for tool in ["adb", "maestro", "monkey", "uiautomator"] {
            let error = exported(&trace, tool, Expect::NoCrash).expect_err("no app is called so").to_string();
            assert_eq!(
                error,
                format!("{tool} cannot express the package {package}: no app on a phone is called so")
            );
        }
        for tool in ["text", "markdown"] {
            assert!(test_of(&trace, tool).is_some());
        }
    }
}
