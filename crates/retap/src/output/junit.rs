//! The verdicts of a suite as `JUnit` XML, which build servers read.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use retap_job::suite::TraceVerdict;
use retap_job::{JobEvent, JobResult, ReplaySuiteResult, Watch};
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
            let text = xml_of(result);
            self.written = retap_store::write_beside(&self.file, |to| to.write_all(text.as_bytes()));
        }
    }
}

/// The verdicts as XML. Traces that were not run are there as skipped.
fn xml_of(result: &ReplaySuiteResult) -> String {
    let ReplaySuiteResult { suite, traces, not_run, failed, device_seconds, .. } = result;
    let name = attribute(&suite.display().to_string());
    let (tests, skipped) = (traces.len() + not_run.len(), not_run.len());
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"{name}\" tests=\"{tests}\" \
         failures=\"{failed}\" skipped=\"{skipped}\" time=\"{device_seconds:.3}\">\n"
    );
    if let Some(platform) = &result.platform {
        let platform = attribute(platform);
        let property = format!("      <property name=\"platform\" value=\"{platform}\"/>");
        writeln!(text, "    <properties>\n{property}\n    </properties>").expect("memory takes all");
    }
    for TraceVerdict { trace, seconds, why, passed, .. } in traces {
        let case = attribute(trace);
        let open = format!("    <testcase classname=\"{name}\" name=\"{case}\" time=\"{seconds:.3}\"");
        let written = if *passed {
            writeln!(text, "{open}/>")
        } else {
            writeln!(text, "{open}>\n      <failure message=\"{}\"/>\n    </testcase>", attribute(why))
        };
        written.expect("memory takes all");
    }
    for trace in not_run {
        let case = attribute(trace);
        let open = format!("    <testcase classname=\"{name}\" name=\"{case}\"");
        writeln!(text, "{open}>\n      <skipped/>\n    </testcase>").expect("memory takes all");
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
