//! The corpus: what devices print, by version, vendor and misfortune, each with what must come out of it.
//!
//! A file is a header of `key: value` lines, a line `---`, and the text. `parser` names the parser; every other key is
//! something that must come out.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use retap_adb::parse::{self, KillCause, LogNews, LogScanner};
use retap_trace::{GuiTree, Node};

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus");

/// Runs every parser on the bytes: none may panic.
pub(crate) fn every_parser(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let _ = parse::hierarchy(bytes);
    let _ = parse::coverage(bytes).map(|found| found.ids());
    let _ = (parse::console_reply(bytes), parse::picture(bytes));
    let _ = parse::foreground(&text).map(|front| (front.dialog(), front.cover().map(str::len)));
    let _ = (parse::display(&text).orientation(), parse::screen_size(&text), parse::density(&text));
    let _ = (parse::keyboard_shown(&text), parse::frames_drawn(&text), parse::getprop(&text));
    let _ = (parse::packages(&text), parse::package_info(&text, "com.example"), parse::setting(&text));
    let _ = (parse::device_list(&text), parse::snapshot_tags(&text), parse::touchscreen(&text));
    let _ = (parse::am_reply(&text, 0), parse::free_space(&text), parse::dangerous_permissions(&text));
    let mut scanner = LogScanner::new("com.example");
    scanner.push(bytes);
    scanner.pause();
    let _ = scanner.take();
}

#[test]
fn every_case_comes_out_as_it_must() {
    let mut cases: Vec<_> = fs::read_dir(CORPUS).unwrap().map(|file| file.unwrap().path()).collect();
    cases.sort();
    assert!(cases.len() >= 40, "the corpus has {} cases", cases.len());
    let mut wrong = Vec::new();
    for path in &cases {
        let (header, body) = read(path);
        let found = outcome(&header["parser"], &body);
        for (key, wanted) in header.iter().filter(|(key, _)| !matches!(key.as_str(), "parser" | "of")) {
            let value = found.get(key.as_str()).filter(|value| !value.is_empty()).cloned();
            let value = value.unwrap_or_else(|| "(nothing)".to_owned());
            if value != *wanted {
                wrong.push(format!(
                    "{}: {key} is '{value}', not '{wanted}'",
                    path.file_name().unwrap().display()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_case_cut_anywhere_harms_nobody() {
    for file in fs::read_dir(CORPUS).unwrap() {
        let (_, body) = read(&file.unwrap().path());
        for cut in (0..body.len()).step_by(body.len() / 40 + 1) {
            every_parser(&body[..cut]);
            every_parser(&body[cut..]);
        }
    }
}

fn read(path: &Path) -> (BTreeMap<String, String>, Vec<u8>) {
    let bytes = fs::read(path).unwrap();
    let mark = b"\n---\n";
    let at = bytes
        .windows(mark.len())
        .position(|window| window == mark)
        .unwrap_or_else(|| panic!("{} has no header", path.display()));
    let header = String::from_utf8(bytes[..at].to_vec()).unwrap();
    let pairs = header
        .lines()
        .map(|line| line.split_once(": ").unwrap_or_else(|| panic!("{}: {line}", path.display())));
    (
        pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect(),
        bytes[at + mark.len()..].to_vec(),
    )
}

type Found = BTreeMap<&'static str, String>;

fn outcome(parser: &str, body: &[u8]) -> Found {
    let text = String::from_utf8_lossy(body);
    match parser {
        "hierarchy" => hierarchy(body),
        "foreground" => foreground(&text),
        "display" => {
            let display = parse::display(&text);
            let size = |size: retap_trace::Size| format!("{}x{}", size.width, size.height);
            Found::from([
                ("orientation", display.orientation().to_string()),
                ("screen", display.size.or_else(|| parse::screen_size(&text)).map(size).unwrap_or_default()),
                ("density", parse::density(&text).map(|density| density.to_string()).unwrap_or_default()),
                ("keyboard", parse::keyboard_shown(&text).to_string()),
                ("frames", parse::frames_drawn(&text).map(|frames| frames.to_string()).unwrap_or_default()),
            ])
        }
        "logcat" => logcat(body),
        "package" => package(&text),
        "getprop" => {
            let props = parse::getprop(&text);
            let get = |name: &str| props.get(name).cloned().unwrap_or_default();
            Found::from([
                ("count", props.len().to_string()),
                ("sdk", get("ro.build.version.sdk")),
                ("model", get("ro.product.model")),
            ])
        }
        "devices" => {
            let list = parse::device_list(&text);
            let words = list.iter().map(|device| format!("{} {:?}", device.serial, device.state));
            Found::from([("devices", words.collect::<Vec<_>>().join(", "))])
        }
        "console" => console(body),
        "am" => Found::from([(
            "reply",
            format!("{:?}", parse::am_reply(&text, 0)).split('(').next().unwrap().to_owned(),
        )]),
        "setting" => Found::from([("value", parse::setting(&text).unwrap_or_else(|| "none".to_owned()))]),
        "touchscreen" => {
            let touch = parse::touchscreen(&text);
            let range = |axis: parse::Axis| format!("{} to {}", axis.min, axis.max);
            Found::from([
                ("pressure", touch.as_ref().and_then(|touch| touch.pressure).map(range).unwrap_or_default()),
                ("path", touch.map(|touch| touch.path).unwrap_or_default()),
            ])
        }
        "df" => {
            Found::from([("free", parse::free_space(&text).map(|free| free.to_string()).unwrap_or_default())])
        }
        other => panic!("no parser is called {other}"),
    }
}

fn hierarchy(body: &[u8]) -> Found {
    match parse::hierarchy(body) {
        Ok(found) => {
            let tree: &GuiTree = &found.tree;
            let texts: Vec<&str> =
                tree.nodes().iter().map(|node| &*node.text).filter(|text| !text.is_empty()).collect();
            let deepest = tree.nodes().iter().map(|node| node.depth).max().unwrap_or(0);
            let actionable = |node: &&Node| node.flags.actionable();
            Found::from([
                ("nodes", tree.nodes().len().to_string()),
                ("depth", deepest.to_string()),
                ("actionable", tree.nodes().iter().filter(actionable).count().to_string()),
                ("texts", texts.join("|").replace('\n', "\\n")),
                ("package", found.package.to_string()),
                ("rotation", found.rotation.to_string()),
            ])
        }
        Err(error) => {
            let error = error.to_string();
            Found::from([("error", error.split(" at byte").next().unwrap().to_owned())])
        }
    }
}

fn foreground(text: &str) -> Found {
    match parse::foreground(text) {
        Some(front) => Found::from([
            ("front", format!("{} {}", front.package, front.activity).trim().to_owned()),
            ("dialog", front.dialog().map(|dialog| format!("{dialog:?}")).unwrap_or_default()),
            ("window", front.window.clone().unwrap_or_default()),
            ("cover", front.cover().unwrap_or_default().to_owned()),
        ]),
        None => Found::from([("front", "none".to_owned())]),
    }
}

fn logcat(body: &[u8]) -> Found {
    let mut scanner = LogScanner::new("com.example");
    scanner.push(body);
    scanner.pause();
    let told = scanner.take().into_iter().map(|news| match news {
        LogNews::Crash(crash) => format!("{}: {crash}", crash.kind.word()),
        LogNews::Killed { cause: KillCause::LowMemory, .. } => "killed: low memory".to_owned(),
        LogNews::Killed { cause: KillCause::System(why), .. } => format!("killed: {why}"),
        LogNews::Killed { cause: KillCause::Unknown, .. } => "killed".to_owned(),
        LogNews::Mark(mark) => format!("mark {mark}"),
    });
    let told: Vec<String> = told.collect();
    Found::from([("news", if told.is_empty() { "none".to_owned() } else { told.join(" | ") })])
}

fn package(text: &str) -> Found {
    match parse::package_info(text, "com.example") {
        Some(info) => Found::from([
            (
                "version",
                format!("{} {}", info.version_code.unwrap_or(0), info.version_name.unwrap_or_default()),
            ),
            ("main", info.main_activity.unwrap_or_default()),
            ("others", info.components.activities.join(" ")),
            ("receivers", info.components.receivers.join(" ")),
            ("requested", info.requested.len().to_string()),
            ("granted", info.runtime.iter().filter(|(_, granted)| *granted).count().to_string()),
            ("debuggable", info.debuggable.to_string()),
        ]),
        None => Found::from([
            ("version", "none".to_owned()),
            ("listed", parse::has_package(text, "com.example").to_string()),
        ]),
    }
}

fn console(body: &[u8]) -> Found {
    match parse::console_reply(body) {
        Some(reply) => Found::from([
            ("outcome", reply.outcome.map_or_else(|why| why, |()| "ok".to_owned())),
            ("snapshots", parse::snapshot_tags(&reply.lines.join("\n")).join(", ")),
        ]),
        None => Found::from([("outcome", "not whole".to_owned())]),
    }
}
