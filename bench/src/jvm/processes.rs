//! The processes that this one has started, as the system tells of them.

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Process {
    pub(super) number: u32,
    /// What is in memory of it.
    pub(super) resident_kb: u64,
    /// The most that ever was.
    pub(super) peak_kb: u64,
}

/// All descendants of this process.
pub(super) fn descendants() -> Vec<Process> {
    let pids = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let all: Vec<(u32, Process)> = pids.filter_map(status).collect();
    let (mut left, mut found) = (vec![std::process::id()], Vec::new());
    while let Some(parent) = left.pop() {
        for (_, process) in all.iter().filter(|(of, _)| *of == parent) {
            left.push(process.number);
            found.push(process.clone());
        }
    }
    found
}

/// A process, and its parent.
fn status(number: u32) -> Option<(u32, Process)> {
    let text = std::fs::read_to_string(format!("/proc/{number}/status")).ok()?;
    let field = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    let (resident_kb, peak_kb) = (field("VmRSS:").unwrap_or(0), field("VmHWM:").unwrap_or(0));
    Some((u32::try_from(field("PPid:")?).ok()?, Process { number, resident_kb, peak_kb }))
}
