//! On a terminal: colours, the pager, and lines that fit.

use std::fs::File;
use std::io::Read as _;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::command::scratch;
use crate::{tap, trace};

/// What a command prints on a terminal of this size.
fn on_terminal(folder: &Path, size: (u16, u16), args: &[&str], set: &[(&str, &str)]) -> String {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&ours).and_then(|()| unlockpt(&ours)).expect("a terminal");
    let name = ptsname(&ours, Vec::new()).expect("its name");
    let theirs: OwnedFd = File::options()
        .read(true)
        .write(true)
        .open(name.to_str().expect("plain"))
        .expect("its other end")
        .into();
    let (ws_col, ws_row) = size;
    tcsetwinsize(&theirs, Winsize { ws_row, ws_col, ws_xpixel: 0, ws_ypixel: 0 }).expect("a size");
    let mut command = Command::new(env!("CARGO_BIN_EXE_retap"));
    for name in ["NO_COLOR", "PAGER", "RETAP_PAGER", "LESS"] {
        command.env_remove(name);
    }
    command.args(args).current_dir(folder).env("TERM", "xterm").envs(set.iter().copied());
    let stream = || Stdio::from(theirs.try_clone().expect("one more handle"));
    let mut child = command.stdin(stream()).stdout(stream()).stderr(stream()).spawn().expect("retap runs");
    drop((command, theirs));
    // The terminal ends with an error once nobody has its other end.
    let mut said = Vec::new();
    let _ = File::from(ours).read_to_end(&mut said);
    assert!(child.wait().expect("it ends").code().is_some());
    String::from_utf8(said).expect("text").replace("\r\n", "\n")
}

fn long_trace(folder: &Path) {
    let steps = (0..60)
        .map(|step| tap(&format!("Button {step} with a name that takes some room on a line"), step, step));
    trace(folder, "long.trace.jsonl", ",\"target\":\"crash\",\"device\":\"sim:notes\"", steps);
}

#[test]
fn long_output_goes_through_the_pager_of_the_user() {
    let folder = scratch();
    long_trace(folder.path());
    let pager = |args: &[&str], set: &[(&str, &str)]| {
        on_terminal(folder.path(), (200, 40), &[&["show", "long.trace.jsonl"], args].concat(), set)
    };
    let mark = ("PAGER", "sed s/^/P:/");
    assert!(pager(&[], &[mark]).lines().all(|line| line.starts_with("P:")));
    let own = pager(&[], &[mark, ("RETAP_PAGER", "sed s/^/R:/")]);
    assert!(own.lines().all(|line| line.starts_with("R:")), "{own}");
    for (args, set) in [
        (&["--no-pager"][..], &[mark][..]),
        (&["--steps", "1-3"], &[mark]),
        (&[], &[mark, ("RETAP_PAGER", "")]),
        (&[], &[("PAGER", "cat")]),
    ] {
        let said = pager(args, set);
        assert!(!said.contains("P:") && said.contains("Button 0 with"), "{args:?}: {said}");
    }
    // One that is not there is named, and does without.
    let missing = pager(&[], &[("PAGER", "no-such-pager")]);
    assert!(missing.contains("no-such-pager") && missing.contains("Button 59 with"), "{missing}");
    // One that ends at once takes nothing along.
    let gone = pager(&[], &[("PAGER", "true")]);
    assert!(!gone.contains("panic") && !gone.contains("error"), "{gone}");
}

#[test]
fn colours_are_for_terminals_that_want_them() {
    let folder = scratch();
    long_trace(folder.path());
    let show = ["show", "long.trace.jsonl", "--steps", "1"];
    let coloured = on_terminal(folder.path(), (80, 50), &show, &[]);
    assert!(coloured.contains("\u{1b}[1mtap 'Button 0"), "{coloured:?}");
    let plain = on_terminal(folder.path(), (80, 50), &show, &[("NO_COLOR", "1")]);
    assert!(!plain.contains('\u{1b}'), "{plain:?}");
}

#[test]
fn lines_fit_the_terminal_and_commands_stay_whole() {
    let folder = scratch();
    long_trace(folder.path());
    let show = ["show", "long.trace.jsonl", "--steps", "1-2", "--no-pager"];
    let said = on_terminal(folder.path(), (60, 50), &show, &[("NO_COLOR", "1")]);
    let (page, next) = said.split_once("next:").expect("commands");
    assert!(page.lines().all(|line| line.chars().count() <= 60), "{page}");
    assert!(
        page.contains("tap 'Button 0 with a name that\n                           takes some room"),
        "{page}"
    );
    assert!(next.contains("  retap replay long.trace.jsonl --times 20"), "{next}");
}
