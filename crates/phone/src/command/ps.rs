//! `ps` and `pidof`: which processes there are.

use super::options::flags;
use crate::phone::State;
use crate::shell::{CommandOutcome, Process};

/// A process: user, number, parent, name.
struct Row {
    user: String,
    number: u32,
    parent: u32,
    name: String,
}

/// What always runs.
const SYSTEM: [(&str, u32, u32, &str); 8] = [
    ("root", 1, 0, "init"),
    ("root", 310, 1, "zygote64"),
    ("shell", 402, 1, "adbd"),
    ("system", 497, 310, "system_server"),
    ("u0_a44", 720, 310, "com.android.inputmethod.latin"),
    ("u0_a51", 781, 310, "com.android.systemui"),
    ("system", 1187, 310, "com.android.settings"),
    ("u0_a60", 1200, 310, "com.android.launcher3"),
];

fn rows(state: &State) -> Vec<Row> {
    let row = |&(user, number, parent, name): &(&str, u32, u32, &str)| Row {
        user: user.to_owned(),
        number,
        parent,
        name: name.to_owned(),
    };
    let mut rows: Vec<Row> = SYSTEM.iter().map(row).collect();
    if let Some(number) = state.machine().process() {
        rows.push(Row { user: "u0_a101".into(), number, parent: 310, name: state.package() });
    }
    for (place, port) in (0_u32..).zip(&state.world.automators) {
        let name = format!("app_process / com.wetest.uia2.Main -p {port}");
        rows.push(Row { user: "shell".into(), number: 7100 + place, parent: 402, name });
    }
    rows.push(Row { user: "shell".into(), number: 7000, parent: 402, name: "sh".into() });
    rows
}

pub(super) fn run(process: &mut Process<'_>) -> CommandOutcome {
    let (letters, others) = flags(process.args());
    if !others.is_empty() || letters.contains(|letter| !"Ae".contains(letter)) {
        return process.fail(1, "ps: only -A is known");
    }
    let all = letters.contains(['A', 'e']);
    let mut rows = process.phone().with(|state| rows(state));
    rows.push(Row { user: "shell".into(), number: 7001, parent: 7000, name: "ps".into() });
    // Without more words, only what the shell itself runs.
    rows.retain(|row| all || (row.user == "shell" && (7000..7100).contains(&row.number)));
    process.done(usual(&rows))
}

fn usual(rows: &[Row]) -> String {
    let mut text =
        "USER           PID  PPID     VSZ    RSS WCHAN            ADDR S NAME                       \n"
            .to_owned();
    for Row { user, number, parent, name } in rows {
        let memory = if *parent == 310 { 13_900_000 } else { 10_892_412 };
        let line = format!(
            "{user:<12} {number:5} {parent:5} {memory:7} {:6} {:<13} {:>7} S {name}",
            8172, "do_epoll_wait", 0
        );
        text.push_str(&format!("{line}\n"));
    }
    text
}

pub(super) fn pidof(process: &mut Process<'_>) -> CommandOutcome {
    let (_, names) = flags(process.args());
    let rows = process.phone().with(|state| rows(state));
    let found: Vec<String> =
        rows.iter().filter(|row| names.contains(&row.name)).map(|row| row.number.to_string()).collect();
    if found.is_empty() {
        return Ok(1);
    }
    process.done(found.join(" ") + "\n")
}
