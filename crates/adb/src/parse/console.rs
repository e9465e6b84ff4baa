//! The emulator's console: lines, then `OK` or `KO: reason`.

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsoleReply {
    /// What came before the last line.
    pub lines: Vec<String>,
    /// `Err` with the reason after `KO`.
    pub outcome: Result<(), String>,
    /// How many bytes the answer has; what follows belongs to the next.
    pub length: usize,
}

/// Reads an answer. None while it is not whole.
pub fn console_reply(bytes: &[u8]) -> Option<ConsoleReply> {
    let mut lines = Vec::new();
    let mut at = 0;
    while let Some(end) = bytes[at..].iter().position(|byte| *byte == b'\n') {
        let line = String::from_utf8_lossy(&bytes[at..at + end]);
        let line = line.trim_end_matches('\r');
        at += end + 1;
        if line == "OK" {
            return Some(ConsoleReply { lines, outcome: Ok(()), length: at });
        }
        if let Some(reason) = line.strip_prefix("KO") {
            let reason = reason.trim_start_matches(':').trim();
            let reason = if reason.is_empty() { lines.join("; ") } else { reason.to_owned() };
            return Some(ConsoleReply { lines, outcome: Err(reason), length: at });
        }
        lines.push(line.to_owned());
    }
    None
}

/// The names in a table of snapshots, as `avd snapshot list` and QEMU's `info snapshots` print it.
pub fn snapshot_tags(text: &str) -> Vec<String> {
    const MOST: usize = 10_000;
    let rows = text.lines().map(str::trim).skip_while(|line| !line.starts_with("ID")).skip(1);
    let rows = rows.take_while(|line| !line.is_empty() && !line.starts_with("List of"));
    rows.filter_map(|line| line.split_whitespace().nth(1)).map(str::to_owned).take(MOST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_end_in_ok_or_ko() {
        let ok = console_reply(b"Android Console: type 'help'\r\nOK\r\nmore").unwrap();
        assert_eq!((ok.lines.len(), ok.outcome, ok.length), (1, Ok(()), 34));
        let ko = console_reply(b"KO: unknown command, try 'help'\r\n").unwrap();
        assert_eq!(ko.outcome, Err("unknown command, try 'help'".to_owned()));
        let bare = console_reply(b"bad sub-command\nKO\n").unwrap();
        assert_eq!(bare.outcome, Err("bad sub-command".to_owned()));
        assert_eq!(console_reply(b"OK"), None);
        assert_eq!(console_reply(b"half a line"), None);
        assert_eq!(console_reply(b""), None);
    }

    #[test]
    fn snapshots_are_listed_by_tag() {
        let text = "List of snapshots present on all disks:\nID        TAG                 VM SIZE                DATE       VM CLOCK\n\
                    --        retap-1                53M 2020-09-01 10:11:12   00:01:02.345\n\
                    1         default_boot          110M 2020-09-01 10:11:13   00:01:03.345\n";
        assert_eq!(snapshot_tags(text), ["retap-1", "default_boot"]);
        assert_eq!(snapshot_tags("There is no snapshot available.\n"), Vec::<String>::new());
        assert_eq!(snapshot_tags(""), Vec::<String>::new());
    }
}
