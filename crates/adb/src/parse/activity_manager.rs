//! What `am` says. It exits with 0 when an activity does not exist, so the words count.

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
/// How a line begins that tells of a failure.
const FAILURES_BEGIN: [&str; 2] = ["Error", "Exception occurred"];

/// Reads what `am start`, `am startservice` or `am broadcast` printed.
pub fn am_reply(text: &str) -> AmReply {
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
    failed.map_or(AmReply::Done, |line| AmReply::Failed(brief(line)))
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
        assert_eq!(am_reply(start), AmReply::Done);
        let again =
            format!("{start}Warning: Activity not started, its current task has been brought to the front\n");
        assert_eq!(am_reply(&again), AmReply::Done);
        let gone =
            format!("{start}Error type 3\nError: Activity class {{com.example/.Main}} does not exist.\n");
        assert_eq!(am_reply(&gone), AmReply::NotFound);
        let denied = "java.lang.SecurityException: Permission Denial: not allowed to send broadcast android.intent.action.BATTERY_LOW";
        assert!(matches!(am_reply(denied), AmReply::Denied(_)));
        // Since Android 8, of an app that nobody looks at.
        let behind =
            "Starting service: Intent { cmp=com.example/.Sync }\nError: app is in background uid null";
        assert!(matches!(am_reply(behind), AmReply::Denied(_)));
        let down = "Error: Unable to connect to activity manager; is the system running?";
        assert!(matches!(am_reply(down), AmReply::Failed(_)));
        assert_eq!(
            am_reply("Broadcasting: Intent { act=X }\nBroadcast completed: result=0\n"),
            AmReply::Done
        );
    }
}
