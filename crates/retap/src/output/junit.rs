//! The verdicts of a suite as `JUnit` XML, which build servers read.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use retap_job::suite::TraceVerdict;
use retap_job::{JobEvent, JobResult, Watch};
use retap_store::StoreError;

/// Writes the verdicts to a file once they are there.
pub(crate) struct Junit {
    file: PathBuf,
    /// Whether that worked.
    pub(crate) written: Result<(), StoreError>,
}

impl Junit {
    pub(crate) fn new(file: &Path) -> Self {
        Self { file: file.to_owned(), written: Ok(()) }
    }
}

impl Watch for Junit {
    fn event(&mut self, event: &JobEvent<'_>) {
        if let JobEvent::Finished(JobResult::ReplaySuite(result)) = event {
            let text = xml_of(&result.suite, &result.traces);
            self.written = retap_store::write_beside(&self.file, |to| to.write_all(text.as_bytes()));
        }
    }
}

/// The verdicts as the XML that build servers read.
fn xml_of(folder: &Path, verdicts: &[TraceVerdict]) -> String {
    let failed = verdicts.iter().filter(|verdict| !verdict.passed).count();
    let total: f64 = verdicts.iter().map(|verdict| verdict.seconds).sum();
    let name = attribute(&folder.display().to_string());
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"{name}\" tests=\"{}\" \
         failures=\"{failed}\" time=\"{total:.3}\">\n",
        verdicts.len()
    );
    for verdict in verdicts {
        let TraceVerdict { trace, seconds, why, .. } = verdict;
        let case = attribute(trace);
        let open = format!("    <testcase classname=\"{name}\" name=\"{case}\" time=\"{seconds:.3}\"");
        let written = if verdict.passed {
            writeln!(text, "{open}/>")
        } else {
            writeln!(text, "{open}>\n      <failure message=\"{}\"/>\n    </testcase>", attribute(why))
        };
        written.expect("memory takes all");
    }
    text + "  </testsuite>\n</testsuites>\n"
}

/// Text as it may stand in an attribute.
fn attribute(text: &str) -> String {
    let mut safe = String::new();
    for char in text.chars() {
        match char {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            control if control.is_control() => safe.push(' '),
            char => safe.push(char),
        }
    }
    safe
}
