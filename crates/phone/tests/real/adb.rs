//! The phone in the hands of the real adb.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Stdio;
use std::time::Duration;

use crate::bench::{self, Bench};
use retap_phone::{Android, PhoneSettings};
use retap_trace::Crash;

fn bench() -> Option<Bench> {
    let bench = Bench::new(PhoneSettings::default())?;
    bench.connect();
    Some(bench)
}

#[test]
fn the_phone_is_listed_with_its_product() {
    let Some(bench) = bench() else { return };
    let list = bench.adb(&["devices", "-l"]).text();
    let wanted = "device product:sdk_gphone64_x86_64 model:sdk_gphone64_x86_64 device:emu64x";
    assert!(list.contains(wanted), "{list}");
    let features = bench.on(&bench.serial(), &["host-features"]).text();
    assert!(features.contains("shell_v2") || features.is_empty(), "{features}");
    assert_eq!(bench.on(&bench.serial(), &["get-state"]).text(), "device\n");
}

#[test]
fn a_key_is_asked_for_where_wanted() {
    let Some(bench) = Bench::new(PhoneSettings { auth: true, ..PhoneSettings::default() }) else { return };
    // adb says that it failed, and is let in a moment later.
    bench.adb(&["connect", &bench.serial()]);
    bench::until("the phone is listed", || {
        bench.adb(&["devices"]).text().contains(&format!("{}\tdevice", bench.serial()))
    });
    assert_eq!(bench.on(&bench.serial(), &["shell", "echo", "hi"]).text(), "hi\n");
}

#[test]
fn a_shell_keeps_its_streams_and_its_status() {
    let Some(bench) = bench() else { return };
    let said = bench.on(&bench.serial(), &["shell", "echo out; echo err >&2; exit 3"]);
    assert_eq!((said.status, &*said.text(), &*said.err), (3, "out\n", "err\n"));
    let path = bench.folder.join("script");
    fs::write(&path, "x=5\necho $x\ncd /sdcard\npwd\nexit 4\n").unwrap();
    let said = bench.adb_with(&["-s", &bench.serial(), "shell"], fs::File::open(&path).unwrap().into());
    assert_eq!(
        (said.status, &*said.text()),
        (4, "5\n/sdcard\n".replace("/sdcard", "/storage/emulated/0").as_str())
    );
    let big = "a line that is not very long\n".repeat(50_000);
    fs::write(&path, &big).unwrap();
    let said = bench.adb_with(
        &["-s", &bench.serial(), "shell", "cat | md5sum -b"],
        fs::File::open(&path).unwrap().into(),
    );
    assert_eq!(said.text().trim(), format!("{:x}", md5::compute(&big)));
    bench.on(&bench.serial(), &["push", path.to_str().unwrap(), "/data/local/tmp/lines"]);
    let said = bench.on(&bench.serial(), &["exec-out", "cat", "/data/local/tmp/lines"]);
    assert!(said.out == big.as_bytes(), "{} bytes", said.out.len());
}

#[test]
fn tools_answer_or_are_not_found() {
    let Some(bench) = bench() else { return };
    for (command, answer) in [
        ("am start -W -n org.retap.notes/.MainActivity", "Status: ok\n"),
        ("pm list packages -3", "package:org.retap.notes\n"),
        ("input tap 540 960", ""),
        ("dumpsys window displays", "mCurrentFocus=Window{"),
        ("settings get system user_rotation", "0\n"),
        ("content query --uri content://settings/system/user_rotation", " name=user_rotation, value=0\n"),
        ("logcat -d", "--------- beginning of main\n"),
        ("getevent -lp", "ABS_MT_POSITION_X "),
        ("sendevent /dev/input/event1 0 0 0", ""),
        ("monkey -p org.retap.notes -s 7 --throttle 1 --pct-touch 100 20", "\nEvents injected: 20\n"),
    ] {
        let said = bench.on(&bench.serial(), &["shell", command]);
        assert!(said.status == 0 && said.text().contains(answer), "{command}: {said:?}");
    }
    for command in ["run-as org.retap.notes ls", "tar -c /sdcard", "nonsense"] {
        let said = bench.on(&bench.serial(), &["shell", command]);
        assert!(said.status == 127 && said.err.ends_with(": inaccessible or not found\n"), "{said:?}");
    }
}

#[test]
fn five_megabytes_go_both_ways() {
    let Some(bench) = bench() else { return };
    let bytes: Vec<u8> =
        (0..5_500_000_u32).map(|at| at.wrapping_mul(2_654_435_761).to_le_bytes()[2]).collect();
    let (there, back) = (bench.folder.join("there.bin"), bench.folder.join("back.bin"));
    fs::write(&there, &bytes).unwrap();
    let path = |path: &std::path::Path| path.to_str().unwrap().to_owned();
    let said = bench.on(&bench.serial(), &["push", &path(&there), "/data/local/tmp/big.bin"]);
    assert_eq!(said.status, 0, "{said:?}");
    let sum = bench.on(&bench.serial(), &["shell", "md5sum", "-b", "/data/local/tmp/big.bin"]).text();
    assert_eq!(sum.trim(), format!("{:x}", md5::compute(&bytes)));
    let said = bench.on(&bench.serial(), &["pull", "/data/local/tmp/big.bin", &path(&back)]);
    assert_eq!(said.status, 0, "{said:?}");
    assert!(fs::read(&back).unwrap() == bytes, "what comes back is what was sent");
    let said = bench.on(&bench.serial(), &["push", &path(&there), "/system/big.bin"]);
    let words = said.text() + &said.err;
    assert!(said.status != 0 && words.contains("Read-only file system"), "{words}");
    fs::create_dir_all(bench.folder.join("tree/deep")).unwrap();
    fs::write(bench.folder.join("tree/deep/leaf"), "leaf").unwrap();
    bench.on(&bench.serial(), &["push", "tree", "/sdcard/"]);
    bench.on(&bench.serial(), &["pull", "/sdcard/tree", "again"]);
    assert_eq!(fs::read_to_string(bench.folder.join("again/deep/leaf")).unwrap(), "leaf");
}

/// An archive with a manifest in it, as text.
fn small_apk(package: &str) -> Vec<u8> {
    let manifest = format!("<manifest package=\"{package}\" versionCode=\"3\" versionName=\"1.2\"/>");
    let name = b"AndroidManifest.xml";
    let size = u32::try_from(manifest.len()).expect("it is short").to_le_bytes();
    let sizes = [[0; 4], size, size].concat();
    let local =
        [b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0".as_slice(), &sizes, &[19, 0, 0, 0], name, manifest.as_bytes()]
            .concat();
    let central =
        [b"PK\x01\x02\x14\0\x14\0\0\0\0\0\0\0\0\0".as_slice(), &sizes, &[19, 0], &[0; 16], name].concat();
    let count = |length: usize| u32::try_from(length).expect("it is short").to_le_bytes();
    let end =
        [b"PK\x05\x06\0\0\0\0\x01\0\x01\0".as_slice(), &count(central.len()), &count(local.len()), &[0; 2]]
            .concat();
    [local, central, end].concat()
}

#[test]
fn apps_are_installed_under_the_name_in_their_manifest() {
    for android in [Android::FOURTEEN, Android::NINE] {
        let Some(bench) = Bench::new(PhoneSettings { android, ..PhoneSettings::default() }) else { return };
        bench.connect();
        fs::write(bench.folder.join("any.apk"), small_apk("com.example.small")).unwrap();
        fs::write(bench.folder.join("bad.apk"), "no archive").unwrap();
        let said = bench.on(&bench.serial(), &["install", "-r", "any.apk"]);
        assert!(said.status == 0 && said.text().contains("Success"), "{said:?}");
        let list = bench.on(&bench.serial(), &["shell", "pm", "list", "packages", "-3"]).text();
        assert_eq!(list, "package:com.example.small\npackage:org.retap.notes\n");
        let said = bench.on(&bench.serial(), &["install", "bad.apk"]);
        assert!(said.status != 0 && said.err.contains("INSTALL_PARSE_FAILED_NOT_APK"), "{said:?}");
        assert_eq!(bench.on(&bench.serial(), &["uninstall", "com.example.small"]).text(), "Success\n");
        let said = bench.on(&bench.serial(), &["install-multiple", "any.apk"]);
        assert!(said.text().contains("Success"), "{said:?}");
    }
}

/// Taps the widget with these words, found as a client of adb finds it.
fn tap(bench: &Bench, serial: &str, words: &str) {
    let xml = bench.on(serial, &["exec-out", "uiautomator", "dump", "/dev/tty"]).text();
    let node = xml.split("<node ").find(|node| node.contains(&format!("text=\"{words}\"")));
    let node = node.unwrap_or_else(|| panic!("'{words}' is not on the screen: {xml}"));
    let (_, bounds) = node.split_once("bounds=\"").expect("every node has bounds");
    let (bounds, _) = bounds.split_once('"').expect("they end");
    let sides: Vec<i32> = bounds.split(['[', ',', ']']).filter_map(|side| side.parse().ok()).collect();
    let (x, y) = (i32::midpoint(sides[0], sides[2]), i32::midpoint(sides[1], sides[3]));
    bench.on(serial, &["shell", "input", "tap", &x.to_string(), &y.to_string()]);
}

#[test]
fn a_crash_is_read_from_the_log() {
    let Some(bench) = bench() else { return };
    let serial = bench.serial();
    bench.on(&serial, &["logcat", "-c"]);
    bench.on(&serial, &["shell", "am", "start", "-W", "-n", "org.retap.notes/.MainActivity"]);
    for words in ["New note", "Tags", "Add tag", "Done"] {
        tap(&bench, &serial, words);
    }
    let log = bench.on(&serial, &["logcat", "-d", "-v", "threadtime"]).text();
    let crash = Crash::from_java(&log, "org.retap.notes").unwrap_or_else(|error| panic!("{error}: {log}"));
    assert_eq!(crash.exception, "java.lang.IllegalStateException", "{log}");
    assert!(log.contains(" E AndroidRuntime: FATAL EXCEPTION: main\n"), "{log}");
    let front = bench.on(&serial, &["shell", "dumpsys activity activities | grep topResumed"]).text();
    assert!(front.contains("com.android.launcher3/.Launcher"), "{front}");
}

#[test]
fn the_screen_is_seen() {
    let Some(bench) = bench() else { return };
    let picture = bench.on(&bench.serial(), &["exec-out", "screencap", "-p"]).out;
    assert!(picture.starts_with(b"\x89PNG\r\n\x1a\n"));
    assert_eq!(picture[16..24], [0, 0, 4, 56, 0, 0, 7, 128], "1080 by 1920");
}

#[test]
fn ports_are_forwarded() {
    let Some(bench) = bench() else { return };
    let said = bench.on(&bench.serial(), &["forward", "tcp:0", "tcp:7"]);
    let port: u16 = said.text().trim().parse().unwrap_or_else(|_| panic!("{said:?}"));
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    for size in [1_usize, 5000, 300_000] {
        let sent: Vec<u8> = (0..=250).cycle().take(size).collect();
        let mut writer = stream.try_clone().unwrap();
        let copy = sent.clone();
        let writing = std::thread::spawn(move || writer.write_all(&copy));
        let mut back = vec![0; size];
        stream.read_exact(&mut back).unwrap();
        writing.join().unwrap().unwrap();
        assert!(back == sent, "{size} bytes come back");
    }
    let said = bench.on(&bench.serial(), &["reverse", "tcp:1", "tcp:2"]);
    assert!(said.status != 0 && said.err.contains("Operation not permitted"), "{said:?}");
}

#[test]
fn an_emulator_is_saved_and_restored() {
    let adb_server = Some(([127, 0, 0, 1], 0).into());
    let Some(bench) = Bench::new(PhoneSettings { adb_server, ..PhoneSettings::default() }) else { return };
    let serial = bench.emulator();
    let console = |words: &[&str]| bench.on(&serial, &[&["emu"], words].concat()).text();
    let shell = |script: &str| bench.on(&serial, &["shell", script]).text();
    assert_eq!(console(&["avd", "name"]), "retap\nOK\n");
    assert_eq!(console(&["avd", "snapshot", "list"]), "There is no snapshot available.\nOK\n");
    shell("am start -W -n org.retap.notes/.MainActivity; echo kept > /sdcard/kept");
    assert_eq!(console(&["avd", "snapshot", "save", "first"]), "OK\n");
    shell("input keyevent HOME; rm /sdcard/kept");
    let list = console(&["avd", "snapshot", "list"]);
    assert!(list.contains("--        first                   75M 2024-01-01 00:00:"), "{list}");
    assert_eq!(console(&["avd", "snapshot", "load", "first"]), "OK\n");
    assert_eq!(shell("cat /sdcard/kept"), "kept\n");
    assert!(shell("dumpsys window displays").contains("org.retap.notes/org.retap.notes.MainActivity}"));
    assert!(console(&["avd", "snapshot", "load", "second"]).starts_with("KO: Device"));
    assert_eq!(console(&["avd", "snapshot", "delete", "first"]), "OK\n");
    bench.on(&serial, &["reboot"]);
    bench.wait_for(&serial);
    assert_eq!(shell("cat /sdcard/kept; pidof org.retap.notes"), "kept\n", "files stay, processes go");
    console(&["kill"]);
    bench::until("the phone has stopped", || bench.phone().is_stopped());
}

#[test]
fn the_log_can_be_followed() {
    let Some(bench) = bench() else { return };
    let serial = bench.serial();
    let mut follower = std::process::Command::new("adb")
        .args(["-s", &serial, "logcat", "-v", "raw", "-s", "Follow"])
        .env("HOME", &bench.folder)
        .env("ANDROID_ADB_SERVER_PORT", bench.server_port.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = follower.stdout.take().unwrap();
    let mut seen = String::new();
    for number in 0..3 {
        bench.on(&serial, &["shell", "log", "-t", "Follow", &format!("line {number}")]);
        while !seen.contains(&format!("line {number}\n")) {
            let mut bytes = [0; 256];
            let count = out.read(&mut bytes).unwrap();
            assert!(count > 0, "it ended after {seen}");
            seen.push_str(&String::from_utf8_lossy(&bytes[..count]));
        }
    }
    follower.kill().unwrap();
    follower.wait().unwrap();
}
