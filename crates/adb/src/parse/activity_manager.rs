//! What `am` says. It exits with 0 when an activity does not exist, and with 255 when it has stopped a service, so the
//! words count.

/// How a command of the activity manager ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AmReply {
    Done,
    /// There is no such activity, service or package.
    NotFound,
    /// The shell may not do that.
    Denied(String),
    /// Something else is wrong.
    Failed(String),
}

/// What a line says of what is not there.
const NOT_FOUND: [&str; 6] = [
    "does not exist",
    "Error type 3",
    "unable to resolve Intent",
    "Error: Not found; no service started",
    "No activities found to run",
    "Unknown package",
];
/// What it says of what the shell may not do.
const DENIED: [&str; 4] = ["SecurityException", "Permission Denial", "not exported", "app is in background"];
/// What it says of anything else that went wrong.
const FAILED: [&str; 1] = ["Is the system running?"];
/// What it says when it has stopped a service, or found none to stop.
const STOPPED: [&str; 2] = ["Service stopped", "Service not stopped"];
/// How a line begins that tells of a failure.
const FAILURES_BEGIN: [&str; 2] = ["Error", "Exception occurred"];

/// Reads what `am start`, `am startservice`, `am stopservice` or `am broadcast` printed, and the status with which it ended.
pub fn am_reply(text: &str, status: i32) -> AmReply {
    let lines = || text.lines().map(str::trim);
    let brief = |line: &str| line.chars().take(300).collect::<String>();
    let has = |words: &[&str]| lines().find(|line| words.iter().any(|word| line.contains(word)));
    if has(&NOT_FOUND).is_some() {
        return AmReply::NotFound;
    }
    if let Some(line) = has(&DENIED) {
        return AmReply::Denied(brief(line));
    }
    let begins = |line: &&str| FAILURES_BEGIN.iter().any(|words| line.starts_with(words));
    let failed = lines().find(begins).or_else(|| has(&FAILED));
    match failed {
        Some(line) => AmReply::Failed(brief(line)),
        None if status == 0 || status == 255 && has(&STOPPED).is_some() => AmReply::Done,
        None => AmReply::Failed(format!(
            "am ended with status {status}: {}",
            brief(lines().next_back().unwrap_or_default())
        )),
    }
}

/// The words that tell of a failure: those with which a line begins, and those that stand anywhere in it.
pub fn am_failures() -> (impl Iterator<Item = &'static str>, impl Iterator<Item = &'static str>) {
    (FAILURES_BEGIN.into_iter(), NOT_FOUND.into_iter().chain(DENIED).chain(FAILED))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_count_not_the_status() {
        let start = "Starting: Intent { act=android.intent.action.MAIN cmp=com.example/.Main }\n";
        assert_eq!(am_reply(start, 0), AmReply::Done);
        let again =
            format!("{start}Warning: Activity not started, its current task has been brought to the front\n");
        assert_eq!(am_reply(&again, 0), AmReply::Done);
        let gone =
            format!("{start}Error type 3\nError: Activity class {{com.example/.Main}} does not exist.\n");
        assert_eq!(am_reply(&gone, 0), AmReply::NotFound);
        let denied = "java.lang.SecurityException: Permission Denial: not allowed to send broadcast android.intent.action.BATTERY_LOW";
        assert!(matches!(am_reply(denied, 0), AmReply::Denied(_)));
        // Since Android 8, of an app that nobody looks at.
        let behind =
            "Starting service: Intent { cmp=com.example/.Sync }\nError: app is in background uid null";
        assert!(matches!(am_reply(behind, 0), AmReply::Denied(_)));
        let down = "Error: Unable to connect to activity manager; is the system running?";
        assert!(matches!(am_reply(down, 0), AmReply::Failed(_)));
        assert_eq!(
            am_reply("Broadcasting: Intent { act=X }\nBroadcast completed: result=0\n", 0),
            AmReply::Done
        );
    }

    /// Whatever kills `am` leaves words that nobody knows.
    #[test]
    fn a_status_counts_where_the_words_say_nothing() {
        let failed = |text, status| matches!(am_reply(text, status), AmReply::Failed(_));
        assert!(failed("", 1) && failed("Killed", 137) && failed("/system/bin/sh: am: not found", 127));
        let stopped = "Stopping service: Intent { cmp=com.example/.Sync }\nService stopped\n";
        assert_eq!(am_reply(stopped, 255), AmReply::Done);
        assert!(failed(stopped, 137) && failed("Starting: Intent { cmp=com.example/.Main }", 255));
    }
}
