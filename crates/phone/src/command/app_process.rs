//! `app_process`: Java programs. The one that is known is the uiautomator2 server, which runs inside the phone.

use std::time::Duration;

use super::options::Options;
use crate::shell::{CommandOutcome, End, Process};

const AUTOMATOR: &str = "com.wetest.uia2.Main";
const PORT: u16 = 9008;
/// Servers that may run at once.
const MOST: usize = 8;

pub(super) fn run(process: &mut Process<'_>) -> CommandOutcome {
    let mut args = Options::new(process.args());
    let (mut class, mut port) = (None, PORT);
    while let Some(arg) = args.next() {
        match &*arg {
            "-p" | "--port" => port = args.next().and_then(|port| port.parse().ok()).unwrap_or(PORT),
            option if option.starts_with('-') => {}
            folder if folder.starts_with('/') => {}
            _ => class = class.or(Some(arg)),
        }
    }
    let class = class.unwrap_or_default();
    if class != AUTOMATOR {
        let complaint =
            format!("Error: ClassNotFoundException: java.lang.ClassNotFoundException: {class}\nAborted");
        return process.fail(134, complaint);
    }
    let jar = process.shell.var("CLASSPATH").unwrap_or_default();
    let loaded = process.phone().with(|state| {
        let there = state.world.files.stat(&jar).is_ok();
        there.then(|| state.world.automators.len() < MOST && state.world.automators.insert(port))
    });
    match loaded {
        None => process.fail(134, format!("Error: Could not find class {class} in '{jar}'\nAborted")),
        Some(false) => process.fail(
            1,
            "[server] INFO: [UiAutomator2Server] Starting Server\njava.lang.IllegalStateException: UiAutomationService \
             android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@5deffd5already registered!",
        ),
        Some(true) => serve(process, port),
    }
}

/// Runs as long as somebody is there and nobody has ended it.
fn serve(process: &Process<'_>, port: u16) -> CommandOutcome {
    let said = process.say("[server] INFO: [UiAutomator2Server] Starting Server");
    let runs = || process.phone().with(|state| state.world.automators.contains(&port));
    while said.is_ok() && !process.shell.cancel.is_set() && runs() {
        std::thread::sleep(Duration::from_millis(20));
    }
    process.phone().with(|state| state.world.automators.remove(&port));
    Err(End::Exit(137))
}
