//! The result of a job for programs: one JSON object as the last line of stdout.

use retap_job::{JobEvent, JobResult, Watch};

use super::{notices, print_json};

/// Prints the result once it is there.
pub(crate) struct JsonResult {
    /// Whether that worked.
    pub(crate) written: anyhow::Result<()>,
}

impl JsonResult {
    pub(crate) const fn new() -> Self {
        Self { written: Ok(()) }
    }
}

impl Watch for JsonResult {
    fn event(&mut self, event: &JobEvent<'_>) {
        if let JobEvent::Finished(result) = event {
            self.written = text(result).and_then(|text| print_json(&text));
        }
    }
}

#[derive(serde::Serialize)]
struct Noticed<'a> {
    #[serde(flatten)]
    result: &'a JobResult,
    notices: Vec<String>,
}

/// The result, with what devices had to say of themselves.
fn text(result: &JobResult) -> anyhow::Result<String> {
    let notices = notices();
    if notices.is_empty() {
        return Ok(serde_json::to_string(result)?);
    }
    Ok(serde_json::to_string(&Noticed { result, notices })?)
}
