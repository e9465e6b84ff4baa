//! What real tools printed on real devices. Skipped where the captures are not there.

use std::fs;
use std::path::{Path, PathBuf};

use retap_adb::parse::{self, LogNews, LogScanner};

fn folder() -> Option<PathBuf> {
    retap_testing::recordings("android")
}

fn read(folder: &Path, name: &str) -> String {
    String::from_utf8_lossy(&fs::read(folder.join(name)).unwrap()).into_owned()
}

#[test]
fn packages_of_real_devices_are_read() {
    let Some(folder) = folder() else { return };
    let album = read(&folder, "dumpsys/dumpsys_package-album-2017.txt");
    let info = parse::package_info(&album, "com.yanzhenjie.album.sample").unwrap();
    assert_eq!((info.version_code, info.version_name.as_deref()), (Some(11), Some("1.1")));
    assert_eq!((info.target_sdk, info.debuggable), (Some(23), true));
    assert_eq!(info.main_activity.as_deref(), Some("com.yanzhenjie.album.sample.MainActivity"));
    assert_eq!(info.requested.len(), 4);
    assert!(info.components.activities.is_empty() && info.components.receivers.is_empty());
    let accessibility =
        "com.yanzhenjie.album.sample/com.github.privacystreams.accessibility.PSAccessibilityService";
    assert_eq!(info.components.services.len(), 2);
    assert_eq!(info.components.services[0], accessibility);
    assert_eq!(info.runtime.iter().filter(|(_, granted)| *granted).count(), 3);

    let music = read(&folder, "dumpsys/dumpsys_package-qqmusic-api30-103kB.txt");
    let info = parse::package_info(&music, "com.tencent.qqmusic").unwrap();
    assert!(info.version_code.is_some() && info.main_activity.is_some(), "{info:?}");
    assert!(info.requested.len() > 20 && !info.runtime.is_empty(), "{} requested", info.requested.len());
    let parts = &info.components;
    assert_eq!((parts.activities.len(), parts.receivers.len(), parts.services.len()), (35, 21, 10));
    assert_eq!(parse::package_info(&music, "com.tencent"), None);
}

#[test]
fn a_real_log_without_a_crash_has_no_news_of_one() {
    let Some(folder) = folder() else { return };
    let log = read(&folder, "logcat_crash/threadtime-no-crash-emulator-api30.txt");
    let mut scanner = LogScanner::new("com.tencent.qqmusic");
    scanner.push(log.as_bytes());
    scanner.pause();
    assert!(!scanner.take().iter().any(|news| matches!(news, LogNews::Crash(_))));
    let lines = log.lines().filter(|line| parse::LogcatLine::parse(line).is_some()).count();
    assert!(lines >= 250, "{lines} of {} lines are read", log.lines().count());
}

/// The stacks were saved without the prefix of the log; with it, they must come out of the scanner as they are.
#[test]
fn real_stacks_come_through_the_scanner() {
    let Some(folder) = folder() else { return };
    let mut told = 0;
    for file in fs::read_dir(folder.join("logcat_crash")).unwrap() {
        let path = file.unwrap().path();
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        let Ok(crash) = retap_trace::Crash::from_java(&text, "") else { continue };
        let mut scanner = LogScanner::new("com.example");
        let mut log = vec!["FATAL EXCEPTION: main".to_owned(), "Process: com.example, PID: 7".to_owned()];
        log.push(format!("{}: {}", crash.exception, crash.message.replace('\n', " ")));
        log.extend(crash.frames.iter().map(|frame| format!("\tat {frame}")));
        for line in log {
            scanner.push(format!("07-04 10:16:34.898     7     7 E AndroidRuntime: {line}\n").as_bytes());
            scanner.push(b"07-04 10:16:34.898     9     9 I Noise   : \tat com.noise.Noise(Noise.java:1)\n");
        }
        scanner.pause();
        let news = scanner.take();
        let [LogNews::Crash(found)] = news.as_slice() else { panic!("{}: {news:?}", path.display()) };
        assert_eq!(
            (&found.exception, &found.frames),
            (&crash.exception, &crash.frames),
            "{}",
            path.display()
        );
        told += 1;
    }
    assert_eq!(told, 6);
}

#[test]
fn no_parser_minds_any_capture() {
    let Some(folder) = folder() else { return };
    let mut folders = vec![folder];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                crate::corpus::every_parser(&fs::read(path).unwrap());
                files += 1;
            }
        }
    }
    assert!(files >= 25, "{files}");
}
