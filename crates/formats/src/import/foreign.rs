//! What people may take for a recording, and is none that can be read. Each is refused by name, with what to do instead.

use super::lines::{numbered, text};
use super::{ImportError, ImportInput};

/// What a text may be, by what stands in it.
struct Known {
    fits: fn(&str) -> bool,
    what: &'static str,
    instead: &'static str,
}

/// What an injected touch does passes by `getevent`, which hears hands only.
const PROGRAM: &str = "programs are not read; use the trace that it was exported from, or do by hand what it does while 'adb shell getevent -lt' \
                       records, and import that";

const KNOWN: &[Known] = &[
    Known {
        fits: |text| text.trim_start().starts_with("{\"retap\":\"trace\""),
        what: "a trace of retap already",
        instead: "'retap reduce' and 'retap replay' take it as it is",
    },
    Known {
        fits: |text| text.contains("<hierarchy") || text.contains("<node index=") && text.contains("bounds="),
        what: "a UI Automator dump: what one screen shows, without a single event",
        instead: "record what is done on it, with 'adb shell getevent -lt', and import that",
    },
    Known {
        fits: |text| text.contains("import uiautomator2") || text.contains("from uiautomator2"),
        what: "a Python program for uiautomator2",
        instead: PROGRAM,
    },
    Known {
        fits: |text| {
            has_line(text, |line| line.starts_with("from appium") || line.starts_with("from selenium"))
        },
        what: "a Python program for Appium",
        instead: PROGRAM,
    },
    Known {
        fits: |text| has_line(text, |line| line.starts_with("import ") && line.contains("@wdio/")),
        what: "a program for WebdriverIO",
        instead: PROGRAM,
    },
    Known {
        fits: |text| has_line(text, |line| line.starts_with("import androidx.test.")),
        what: "a program in Kotlin or Java, a test for UI Automator or Espresso",
        instead: PROGRAM,
    },
    Known {
        fits: |text| text.starts_with("#!"),
        what: "a script of a shell, or of what its first line names",
        instead: PROGRAM,
    },
    Known {
        fits: |text| text.contains("\n### Steps to reproduce\n"),
        what: "a bug report, with steps in words",
        instead: "use the trace that it was exported from, or do by hand what it says while 'adb shell getevent -lt' records, and import that",
    },
    Known {
        fits: |text| {
            text.trim_start().starts_with('{')
                && text.contains("\"steps\"")
                && ["\"setViewport\"", "\"navigate\"", "\"assertedEvents\"", "\"selectors\""]
                    .iter()
                    .any(|mark| text.contains(mark))
        },
        what: "a recording of Chrome's DevTools, which is of a web page",
        instead: "retap drives Android apps",
    },
    Known {
        fits: |text| text.trim_start().starts_with("var utg"),
        what: "DroidBot's graph of states, which names widgets by hashes",
        instead: "import DroidBot's whole folder, whose 'events' have the places",
    },
    Known {
        fits: |text| text.contains("\"foreground_activity\"") && text.contains("\"views\""),
        what: "a state of DroidBot: what one screen shows, without a single event",
        instead: "import DroidBot's whole folder, or files of its folder 'events'",
    },
    Known {
        fits: |text| {
            ["Activity Resolver Table:", "Receiver Resolver Table:", "DUMP OF SERVICE package"]
                .iter()
                .any(|mark| text.contains(mark))
        },
        what: "what 'dumpsys package' prints: what is installed, without a single event",
        instead: "import a recording of what was done in the app",
    },
    Known {
        fits: is_log,
        what: "a log or a stack trace: how an app died, and not what led there",
        instead: "import a recording of what was done, and name the crash with --to",
    },
];

fn has_line(text: &str, is: impl Fn(&str) -> bool) -> bool {
    numbered(text).any(|(_, line)| is(line))
}

/// Lines of logcat, or of a stack.
fn is_log(text: &str) -> bool {
    let of_stack = |line: &str| {
        let frame = line.rsplit(['\t', ' ']).nth(1) == Some("at") && line.trim_end().ends_with(')');
        frame || line.contains("FATAL EXCEPTION") || line.contains("AndroidRuntime")
    };
    let stack = numbered(text).filter(|(_, line)| of_stack(line)).count();
    text.starts_with("--------- beginning of ") || text.contains("\n--------- beginning of ") || stack > 1
}

/// What the input is, if that is known. There is no importer for it.
pub(super) fn known(input: &ImportInput<'_>) -> ImportError {
    if input.bytes.is_empty() {
        let (what, instead) = if input.name.is_empty() && !input.files.list("").is_empty() {
            (
                "a folder without a recording",
                "name a file, DroidBot's folder, or one with script.log and execute.log",
            )
        } else {
            ("empty", "name a recording")
        };
        return ImportError::Foreign { what, instead };
    }
    let text = text(input.bytes);
    let known = KNOWN.iter().find(|known| (known.fits)(&text));
    known.map_or(ImportError::Unknown, |known| ImportError::Foreign {
        what: known.what,
        instead: known.instead,
    })
}
