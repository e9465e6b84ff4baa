//! A phone with one app: a counter on the first screen, a second screen, a button that crashes.

use std::collections::BTreeMap;
use std::fmt::Write as _;

pub(crate) const APP: &str = "com.example.counter";
const KEYBOARD: &str = "com.android.adbkeyboard/.AdbIME";

/// What a command printed.
#[derive(Debug, Default)]
pub(crate) struct Reply {
    pub(crate) out: Vec<u8>,
    pub(crate) err: Vec<u8>,
    pub(crate) status: u8,
}

impl Reply {
    pub(crate) fn said(text: &str) -> Self {
        Self { out: text.as_bytes().to_vec(), ..Self::default() }
    }

    fn failed(status: u8, text: &str) -> Self {
        Self { err: text.as_bytes().to_vec(), status, ..Self::default() }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Front {
    Home,
    Main,
    Second,
}

#[expect(clippy::struct_excessive_bools, reason = "a phone has many switches")]
#[derive(Debug, Clone)]
pub(crate) struct Phone {
    pub(crate) installed: bool,
    pub(crate) front: Front,
    pub(crate) count: u32,
    pub(crate) field: String,
    pub(crate) focused: bool,
    pub(crate) anr_dialog: bool,
    pub(crate) settings: BTreeMap<(String, String), String>,
    pub(crate) props: BTreeMap<String, String>,
    pub(crate) files: BTreeMap<String, Vec<u8>>,
    pub(crate) log: Vec<String>,
    /// The line at which reading the log from its last line on begins; none for the one that is last then.
    pub(crate) last_line: Option<usize>,
    pub(crate) granted: Vec<String>,
    /// Everything that was run, for tests to look at.
    pub(crate) history: Vec<String>,
    /// `uiautomator` says these things, one each time, before it works.
    pub(crate) dump_errors: Vec<String>,
    /// Whether /dev/tty works for a dump.
    pub(crate) tty: bool,
    pub(crate) keyboard_app: bool,
    /// A window of the system over everything.
    pub(crate) cover: Option<&'static str>,
    /// What `getevent -p` says.
    pub(crate) touch: String,
    /// `screencap` says this before its picture.
    pub(crate) warning: &'static str,
    pub(crate) size: (u32, u32),
    pub(crate) sdk: u32,
    pub(crate) ticks: u32,
}

impl Default for Phone {
    fn default() -> Self {
        let setting =
            |space: &str, name: &str, value: &str| ((space.to_owned(), name.to_owned()), value.to_owned());
        Self {
            installed: true,
            front: Front::Home,
            count: 0,
            field: String::new(),
            focused: false,
            anr_dialog: false,
            settings: [
                setting("global", "window_animation_scale", "1.0"),
                setting("global", "animator_duration_scale", "0.5"),
                setting("system", "accelerometer_rotation", "1"),
                setting("system", "user_rotation", "0"),
                setting("secure", "default_input_method", "com.android.inputmethod.latin/.LatinIME"),
            ]
            .into(),
            props: BTreeMap::new(),
            files: BTreeMap::new(),
            log: Vec::new(),
            last_line: None,
            granted: Vec::new(),
            history: Vec::new(),
            dump_errors: Vec::new(),
            tty: true,
            keyboard_app: false,
            cover: None,
            touch: "add device 1: /dev/input/event0\n  name: \"keys\"\n".to_owned(),
            warning: "",
            size: (1080, 1920),
            sdk: 30,
            ticks: 0,
        }
    }
}

impl Phone {
    pub(crate) fn command(&mut self, words: &[String]) -> Reply {
        self.history.push(words.join(" "));
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["getprop"] => Reply::said(&format!(
                "[ro.build.version.sdk]: [{0}]\n[ro.build.version.release]: [11]\n",
                self.sdk
            )),
            ["getprop", name] => {
                Reply::said(&format!("{}\n", self.props.get(*name).cloned().unwrap_or_default()))
            }
            ["setprop", name, value] => {
                self.props.insert((*name).to_owned(), (*value).to_owned());
                Reply::default()
            }
            ["wm", "size"] => Reply::said(&format!("Physical size: {}x{}\n", self.size.0, self.size.1)),
            ["cmd", "statusbar", "collapse"] => {
                self.cover = None;
                Reply::default()
            }
            ["df", ..] => Reply::said(
                "Filesystem 1K-blocks Used Available Use% Mounted on\n/dev/x 10000000 1 9000000 1% /data\n",
            ),
            ["settings", rest @ ..] => self.setting(rest),
            ["pm", rest @ ..] => self.package_manager(rest),
            ["am", rest @ ..] => self.activity_manager(rest),
            ["dumpsys", rest @ ..] => self.dumpsys(rest),
            ["input", rest @ ..] | ["cmd", "input", rest @ ..] => self.input(rest),
            ["uiautomator", "dump", target] => self.dump(target),
            ["cat", file] => match self.files.get(*file) {
                Some(bytes) => Reply { out: bytes.clone(), ..Reply::default() },
                None => Reply::failed(1, &format!("cat: {file}: No such file or directory\n")),
            },
            ["run-as", APP, "cat", file] => match self.files.get(&format!("/data/data/{APP}/{file}")) {
                Some(bytes) => Reply { out: bytes.clone(), ..Reply::default() },
                None => Reply::failed(1, "run-as: no such file\n"),
            },
            ["rm", "-f", file] => {
                self.files.remove(*file);
                Reply::default()
            }
            ["log", "-t", tag, text] => {
                self.write_log(7000, 'I', tag, text);
                Reply::default()
            }
            ["screencap", "-p"] => {
                Reply { out: [self.warning.as_bytes(), &picture()].concat(), ..Reply::default() }
            }
            ["ime", "list", ..] => {
                Reply::said(if self.keyboard_app { "com.android.adbkeyboard/.AdbIME\n" } else { "x/.Y\n" })
            }
            ["ime", "set", name] => self.setting(&["put", "secure", "default_input_method", name]),
            ["getevent", "-p"] => Reply::said(&self.touch),
            ["ime", "enable", _] | ["svc" | "wm" | "logcat" | "sleep" | "sendevent", ..] | [] => {
                Reply::default()
            }
            ["cmd", "connectivity", ..] => Reply::default(),
            [name, ..] => Reply::failed(127, &format!("/system/bin/sh: {name}: not found\n")),
        }
    }

    pub(crate) fn write_log(&mut self, process: u32, level: char, tag: &str, text: &str) {
        self.ticks += 1;
        let (second, milli) = (self.ticks / 1000 % 60, self.ticks % 1000);
        self.log.push(format!(
            "07-04 10:16:{second:02}.{milli:03} {process:5} {process:5} {level} {tag:<8}: {text}"
        ));
    }

    fn setting(&mut self, words: &[&str]) -> Reply {
        let key = |space: &str, name: &str| (space.to_owned(), name.to_owned());
        match words {
            ["get", space, name] => {
                let value =
                    self.settings.get(&key(space, name)).cloned().unwrap_or_else(|| "null".to_owned());
                Reply::said(&format!("{value}\n"))
            }
            ["put", space, name, value] => {
                self.settings.insert(key(space, name), (*value).to_owned());
                Reply::default()
            }
            ["delete", space, name] => {
                self.settings.remove(&key(space, name));
                Reply::said("Deleted 1 rows\n")
            }
            _ => Reply::failed(255, "usage: settings\n"),
        }
    }

    fn package_manager(&mut self, words: &[&str]) -> Reply {
        match words {
            ["list", "packages", ..] => {
                let app = if self.installed { format!("package:{APP}\n") } else { String::new() };
                Reply::said(&format!("package:android\n{app}package:{APP}.other\n"))
            }
            ["list", "permissions", ..] => Reply::said(
                "Dangerous Permissions:\n  permission:android.permission.CAMERA\n  permission:a.b.OTHER\n",
            ),
            ["clear", APP] if self.installed => {
                (self.count, self.field, self.front) = (0, String::new(), Front::Home);
                self.granted.clear();
                Reply::said("Success\n")
            }
            ["clear", _] => Reply { status: 1, ..Reply::said("Failed\n") },
            ["grant", APP, name] => {
                self.granted.push((*name).to_owned());
                Reply::default()
            }
            ["install", .., "-g", _] if self.sdk < 23 => Reply::failed(1, "Error: Unknown option: -g\n"),
            ["install", ..] => {
                self.installed = true;
                Reply::said("\tpkg: x\nSuccess\n")
            }
            _ => Reply::failed(255, "Unknown command\n"),
        }
    }

    fn activity_manager(&mut self, words: &[&str]) -> Reply {
        match words {
            ["start", ..] if words.contains(&"com.example.counter/com.example.counter.Main") => {
                if !self.installed {
                    return Reply::said(
                        "Starting: Intent { }\nError type 3\nError: Activity class does not exist.\n",
                    );
                }
                if self.front == Front::Home {
                    self.front = Front::Main;
                    self.write_log(
                        500,
                        'I',
                        "ActivityManager",
                        &format!("Start proc 4242:{APP}/u0a101 for activity"),
                    );
                }
                Reply::said("Starting: Intent { }\n")
            }
            ["force-stop", APP] => {
                self.front = Front::Home;
                self.anr_dialog = false;
                Reply::default()
            }
            ["broadcast", "-a", "ADB_INPUT_B64", "--es", "msg", text] => {
                self.field = format!("{}<{text}>", self.field);
                Reply::said("Broadcasting: Intent { }\nBroadcast completed: result=0\n")
            }
            ["broadcast", "-a", "android.intent.action.BOOT_COMPLETED", ..] => Reply::failed(
                255,
                "java.lang.SecurityException: Permission Denial: not allowed to send broadcast\n",
            ),
            ["broadcast", ..] => Reply::said("Broadcasting: Intent { }\nBroadcast completed: result=0\n"),
            _ => Reply::default(),
        }
    }

    fn dumpsys(&mut self, words: &[&str]) -> Reply {
        let turned =
            self.settings.get(&("system".into(), "user_rotation".into())).is_some_and(|turn| turn == "1");
        match words {
            ["window", "displays"] => {
                let (width, height) = self.size;
                let (size, rotation) =
                    if turned { (format!("{height}x{width}"), 1) } else { (format!("{width}x{height}"), 0) };
                let component = match self.front {
                    Front::Home => "com.android.launcher3/.Launcher".to_owned(),
                    Front::Main => format!("{APP}/.Main"),
                    Front::Second => format!("{APP}/.Second"),
                };
                let focus = if let Some(cover) = self.cover {
                    cover.to_owned()
                } else if self.anr_dialog {
                    format!("Application Not Responding: {APP}")
                } else {
                    component.replace("/.", &format!("/{}.", component.split('/').next().unwrap()))
                };
                Reply::said(&format!(
                    "  init={width}x{height} 420dpi cur={size} app={size}\n  mCurrentFocus=Window{{a1 u0 {focus}}}\n  \
                     mFocusedApp=ActivityRecord{{b2 u0 {component} t7}}\n  mRotation={rotation}\n"
                ))
            }
            ["input_method"] => Reply::said(&format!("  mInputShown={}\n", self.focused)),
            ["gfxinfo", _] => Reply::said("Total frames rendered: 12\n"),
            ["package", APP] if self.installed => Reply::said(PACKAGE),
            ["package", name] => Reply::said(&format!("Unable to find package: {name}\n")),
            _ => Reply::default(),
        }
    }

    fn input(&mut self, words: &[&str]) -> Reply {
        match words {
            [] => return Reply::said("Usage: input [<source>] <command> [<arg>...]\n"),
            ["tap", x, y] => self.tap(x.parse().unwrap(), y.parse().unwrap()),
            ["swipe", ..] => {}
            ["text", text] => {
                if text.is_ascii() {
                    self.field.push_str(&text.replace("%s", " "));
                } else {
                    return Reply::failed(255, "java.lang.NullPointerException\n");
                }
            }
            ["keyevent", keys @ ..] => {
                for key in keys {
                    match *key {
                        "4" if self.front == Front::Second => self.front = Front::Main,
                        "3" | "4" => self.front = Front::Home,
                        "67" => drop(self.field.pop()),
                        _ => {}
                    }
                }
            }
            _ => return Reply::failed(255, "Error: Unknown command\n"),
        }
        Reply::default()
    }

    fn tap(&mut self, x: i32, y: i32) {
        if self.front != Front::Main || !(0..1080).contains(&x) {
            return;
        }
        self.focused = (600..700).contains(&y);
        match y {
            100..200 => self.front = Front::Second,
            300..400 => self.count += 1,
            500..600 => self.crash(),
            _ => {}
        }
    }

    fn crash(&mut self) {
        for text in [
            "FATAL EXCEPTION: main",
            &format!("Process: {APP}, PID: 4242"),
            "java.lang.IllegalStateException: too many",
            &format!("\tat {APP}.Main.onClick(Main.java:41)"),
        ] {
            self.write_log(4242, 'E', "AndroidRuntime", text);
        }
        self.write_log(500, 'I', "ActivityManager", &format!("Process {APP} (pid 4242) has died: fg  TOP"));
        self.front = Front::Home;
    }

    fn dump(&mut self, target: &str) -> Reply {
        if !self.dump_errors.is_empty() {
            return Reply::said(&self.dump_errors.remove(0));
        }
        let xml = self.xml();
        if target == "/dev/tty" {
            if !self.tty {
                return Reply::said("java.io.FileNotFoundException: /dev/tty: open failed: ENXIO\n");
            }
            return Reply::said(&format!("{xml}UI hierchary dumped to: /dev/tty\n"));
        }
        self.files.insert(target.to_owned(), xml.into_bytes());
        Reply::said(&format!("UI hierchary dumped to: {target}\n"))
    }

    fn xml(&self) -> String {
        let mut nodes = String::new();
        let mut add = |text: &str, class: &str, id: &str, top: i32, focused: bool| {
            let text = text.replace('&', "&amp;").replace('<', "&lt;");
            write!(
                nodes,
                "<node index=\"0\" text=\"{text}\" resource-id=\"{id}\" class=\"android.widget.{class}\" package=\"{APP}\" \
                 content-desc=\"\" clickable=\"true\" enabled=\"true\" focused=\"{focused}\" bounds=\"[0,{top}][1080,{}]\" />",
                top + 100
            )
            .unwrap();
        };
        match (self.front, self.anr_dialog) {
            (_, true) => add("Close app", "Button", "android:id/aerr_close", 900, false),
            (Front::Home, _) => add("Apps", "TextView", "", 0, false),
            (Front::Main, _) => {
                add(&format!("Count: {}", self.count), "TextView", "count", 0, false);
                add("Open", "Button", "open", 100, false);
                add("Add", "Button", "add", 300, false);
                add("Crash", "Button", "crash", 500, false);
                add(&self.field, "EditText", "field", 600, self.focused);
            }
            (Front::Second, _) => add("Second", "TextView", "title", 0, false),
        }
        format!(
            "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\"><node class=\"android.widget.FrameLayout\" \
             package=\"{APP}\" enabled=\"true\" bounds=\"[0,0][1080,1920]\">{nodes}</node></hierarchy>"
        )
    }

    pub(crate) fn keyboard(&self) -> bool {
        self.settings.values().any(|value| value == KEYBOARD)
    }
}

/// The smallest PNG: one pixel.
fn picture() -> Vec<u8> {
    let mut picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0:~\x9bU".to_vec();
    picture.extend(b"\0\0\0\nIDATx\x9cc`\0\0\0\x02\0\x01H\xaf\xa4q\0\0\0\0IEND\xaeB`\x82");
    picture
}

const PACKAGE: &str = "Activity Resolver Table:
  Non-Data Actions:
      android.intent.action.MAIN:
        1a2b com.example.counter/.Main filter 9c
          Action: \"android.intent.action.MAIN\"
          Category: \"android.intent.category.LAUNCHER\"

Packages:
  Package [com.example.counter] (1a):
    versionCode=42 minSdk=21 targetSdk=33
    versionName=1.2
    flags=[ DEBUGGABLE HAS_CODE ]
    requested permissions:
      android.permission.CAMERA
      android.permission.INTERNET
    User 0: installed=true
";
