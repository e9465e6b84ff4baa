//! Ctrl-C: stop after the run that is under way, keep everything.

use retap_job::Stop;

/// Listens from now on. The first Ctrl-C (or a polite kill) asks to stop; the second ends the process at once, which
/// loses nothing that has been recorded.
#[expect(clippy::exit, reason = "a second Ctrl-C ends it at once")]
pub(crate) fn listen() -> anyhow::Result<Stop> {
    let stop = Stop::default();
    let asked = stop.clone();
    ctrlc::set_handler(move || {
        if asked.asked() {
            std::process::exit(130);
        }
        asked.ask();
    })?;
    Ok(stop)
}
