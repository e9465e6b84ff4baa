//! The result of a job for programs: one JSON object as the last line of stdout.

use retap_job::{JobEvent, Watch};

use super::print_line;

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
            let text = serde_json::to_string(result).map_err(anyhow::Error::from);
            self.written = text.and_then(|text| print_line(&text));
        }
    }
}
