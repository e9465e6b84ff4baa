//! What Maven writes into its log: how much it has downloaded, and why it failed.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

/// What was downloaded so far, as far as the log tells.
#[derive(Debug, Default)]
pub(crate) struct Downloads {
    pub(crate) files: u32,
    bytes: f64,
    /// How much of the log was read.
    at: u64,
    /// The beginning of a line whose end is not written yet.
    rest: String,
}

impl Downloads {
    /// Reads on; says whether there was news.
    pub(crate) fn read(&mut self, log: &Path) -> bool {
        let before = self.files;
        let mut text = Vec::new();
        let read = File::open(log).and_then(|mut file| {
            file.seek(SeekFrom::Start(self.at))?;
            file.read_to_end(&mut text)
        });
        self.at += u64::try_from(read.unwrap_or(0)).unwrap_or(0);
        self.rest.push_str(&String::from_utf8_lossy(&text));
        let lines = std::mem::take(&mut self.rest);
        let (whole, rest) = lines.rsplit_once('\n').unwrap_or(("", &lines));
        for line in whole.lines() {
            self.line(line);
        }
        rest.clone_into(&mut self.rest);
        self.files > before
    }

    /// `Downloaded from central: https://../robolectric-4.17.jar (1.5 MB at 3.1 MB/s)`
    fn line(&mut self, line: &str) {
        let Some((_, told)) = line.split_once("Downloaded from ") else { return };
        let size = told.rsplit_once('(').and_then(|(_, size)| size.split_once(" at "));
        let Some((number, unit)) = size.and_then(|(size, _)| size.split_once(' ')) else { return };
        let scale = match unit.trim() {
            "kB" => 1e3,
            "MB" => 1e6,
            "GB" => 1e9,
            _ => 1.0,
        };
        self.files += 1;
        self.bytes += number.trim().parse::<f64>().unwrap_or(0.0) * scale;
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is rounded, and not negative"
    )]
    pub(crate) fn megabytes(&self) -> u32 {
        (self.bytes / 1e6).round() as u32
    }
}

/// The last lines of a log that say something, each on a line of its own; nothing when there are none.
pub(crate) fn last_lines(log: &Path, most: usize) -> String {
    const ENOUGH: u64 = 64 << 10;
    let mut text = Vec::new();
    let _ = File::open(log).and_then(|mut file| {
        let size = file.metadata()?.len();
        file.seek(SeekFrom::Start(size.saturating_sub(ENOUGH)))?;
        file.read_to_end(&mut text)
    });
    let text = String::from_utf8_lossy(&text);
    let says = |line: &&str| {
        let line = line.trim_start_matches("[ERROR]").trim_start_matches("[INFO]").trim();
        !line.is_empty() && !line.starts_with("---") && !line.starts_with("Download")
    };
    let lines: Vec<&str> = text.lines().filter(says).collect();
    let last = &lines[lines.len().saturating_sub(most)..];
    last.iter().flat_map(|line| ["\n  ", line.trim_end()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn downloads_are_counted_as_the_log_grows() {
        let scratch = tempfile::tempdir().unwrap();
        let log = scratch.path().join("log");
        let mut downloads = Downloads::default();
        assert!(!downloads.read(&log));
        let one = "[INFO] Downloading from central: https://x/a.jar\n[INFO] Downloaded from central: https://x/a.jar (1.5 MB at 3.1 MB/s)\n";
        std::fs::write(&log, format!("{one}[INFO] Downloaded from central: htt")).unwrap();
        assert!(downloads.read(&log));
        assert_eq!((downloads.files, downloads.megabytes()), (1, 2));
        std::fs::write(
            &log,
            format!("{one}[INFO] Downloaded from central: https://x/b (400 kB at 1 kB/s)\n"),
        )
        .unwrap();
        assert!(downloads.read(&log) && !downloads.read(&log));
        assert_eq!((downloads.files, downloads.megabytes()), (2, 2));
    }

    #[test]
    fn the_end_of_a_log_is_what_it_says() {
        let scratch = tempfile::tempdir().unwrap();
        let log = scratch.path().join("log");
        assert_eq!(last_lines(&log, 2), "");
        std::fs::write(&log, "a\n[ERROR] no network\n[INFO] ------\n[ERROR] \n[ERROR] give up\n").unwrap();
        assert_eq!(last_lines(&log, 2), "\n  [ERROR] no network\n  [ERROR] give up");
    }
}
