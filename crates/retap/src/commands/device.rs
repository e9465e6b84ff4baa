//! `retap device list`.

use serde::Serialize;

use super::Context;
use crate::exit::Exit;
use crate::output::print_line;

#[derive(Serialize)]
struct Listed {
    device: String,
    what: String,
}

/// The devices that can be used here, one a line on stdout.
pub(super) fn list(context: &Context) -> anyhow::Result<Exit> {
    let listed: Vec<Listed> = retap_sim::library::APPS
        .iter()
        .map(|app| Listed { device: format!("sim:{}", app.name), what: about(app.text) })
        .chain(std::iter::once(Listed {
            device: "sim:gen?seed=1&screens=40".to_owned(),
            what: "a generated app; see docs/simulator.md for its knobs".to_owned(),
        }))
        .collect();
    if context.global.json {
        context.output.result(&serde_json::json!({ "devices": listed }))?;
    } else {
        let width = listed.iter().map(|listed| listed.device.len()).max().unwrap_or(0);
        for Listed { device, what } in &listed {
            print_line(&format!("{device:width$}  {what}"))?;
        }
    }
    Ok(Exit::Done)
}

/// What an app is about: the first line of its file, which is a comment.
fn about(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim_start_matches('#').trim().to_owned()
}
