//! Crashes as SARIF 2.1.0, which code scanning on GitHub and editors read.

use retap_trace::{Crash, CrashKind, Frame};
use serde::Serialize;
use serde_json::{Value, json};

use super::cases::{CaseGroup, CaseVerdict, CrashTold, ReportCase};
use super::sources::{SourceFiles, SourceLine};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// The top of the repository, which paths are relative to.
const TOP: &str = "%SRCROOT%";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    rule_id: &'static str,
    level: &'static str,
    message: Value,
    /// None where no line of source is known: `properties` says why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Value>,
    stacks: Vec<Value>,
    partial_fingerprints: Value,
    properties: Value,
}

/// The log. `code` is the exit code.
pub(crate) fn sarif(groups: &[CaseGroup], sources: &SourceFiles, code: u8) -> anyhow::Result<String> {
    let cases = || groups.iter().flat_map(|group| &group.cases);
    let mut told: Vec<&CrashTold> = Vec::new();
    for crash in cases().flat_map(|case| &case.crashes) {
        if !told.iter().any(|known| known.crash.signature == crash.crash.signature) {
            told.push(crash);
        }
    }
    let results: Vec<SarifResult> = told.iter().map(|told| result(told, sources)).collect();
    // What went wrong and is no result would look like nothing at all.
    let errors = cases().filter_map(ReportCase::fault);
    let errors = errors.map(|wrong| json!({ "level": "error", "message": text(&wrong.message) }));
    // Its sentence has its warnings.
    let warned = cases().filter(|case| case.fault().is_none());
    let warnings = warned
        .flat_map(|case| &case.warnings)
        .map(|warning| json!({ "level": "warning", "message": text(warning) }));
    let invocation = json!({
        "executionSuccessful": code < 2 && !cases().any(tells_nothing),
        "exitCode": code,
        "toolExecutionNotifications": errors.chain(warnings).collect::<Vec<Value>>(),
    });
    let driver = json!({
        "name": "retap",
        "version": env!("CARGO_PKG_VERSION"),
        "rules": CrashKind::ALL.map(rule),
    });
    let run = json!({
        "tool": { "driver": driver },
        "invocations": [invocation],
        "columnKind": "unicodeCodePoints",
        "results": results,
    });
    let log = json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [run] });
    Ok(format!("{}\n", serde_json::to_string_pretty(&log)?))
}

/// Whether a case went wrong, and no result tells how.
fn tells_nothing(case: &ReportCase) -> bool {
    let is_broken = matches!(case.verdict, CaseVerdict::Broken(_));
    case.fault().is_some() && (is_broken || case.crashes.is_empty())
}

const fn rule_id(kind: CrashKind) -> &'static str {
    match kind {
        CrashKind::Java => "java-crash",
        CrashKind::Anr => "anr",
        CrashKind::Native => "native-crash",
        CrashKind::JavaScript => "javascript-error",
    }
}

fn rule(kind: CrashKind) -> Value {
    let about = match kind {
        CrashKind::Java => "An uncaught Java or Kotlin exception ends the app",
        CrashKind::Anr => "The app does not respond",
        CrashKind::Native => "A signal in native code ends the app",
        CrashKind::JavaScript => "An uncaught error in a page",
    };
    json!({ "id": rule_id(kind), "shortDescription": text(about), "defaultConfiguration": { "level": "error" } })
}

fn result(told: &CrashTold, sources: &SourceFiles) -> SarifResult {
    let CrashTold { crash, about, steps, again } = told;
    let mut message = format!("{crash}\n{about}");
    for (number, step) in (1..).zip(steps) {
        message = format!("{message}\n{number}. {step}");
    }
    if let Some(again) = again {
        message = format!("{message}\nTo reproduce: {again}");
    }
    let (locations, why) = match sources.line_of_crash(crash) {
        Ok(line) => (vec![json!({ "physicalLocation": place(&line) })], None),
        Err(why) => (Vec::new(), Some(why)),
    };
    let mut properties = json!({ "signature": crash.signature });
    if let Some(why) = why {
        properties["noLocation"] = why.into();
    }
    SarifResult {
        rule_id: rule_id(crash.kind),
        level: "error",
        message: text(&message),
        locations,
        stacks: stack(crash, sources),
        partial_fingerprints: json!({ "signature/v1": crash.signature }),
        properties,
    }
}

fn stack(crash: &Crash, sources: &SourceFiles) -> Vec<Value> {
    let frame = |frame: &Frame| {
        let mut location = json!({ "logicalLocations": [{ "fullyQualifiedName": frame.0 }] });
        if let Ok(line) = sources.line_of(&frame.0) {
            location["physicalLocation"] = place(&line);
        }
        json!({ "location": location })
    };
    let frames: Vec<Value> = crash.frames.iter().map(frame).collect();
    if frames.is_empty() {
        return Vec::new();
    }
    vec![json!({ "message": text(&crash.exception), "frames": frames })]
}

fn place(line: &SourceLine) -> Value {
    json!({
        "artifactLocation": { "uri": as_uri(&line.path), "uriBaseId": TOP },
        "region": { "startLine": line.line },
    })
}

fn text(text: &str) -> Value {
    json!({ "text": text })
}

/// A path as a relative reference of RFC 3986.
fn as_uri(path: &str) -> String {
    use std::fmt::Write as _;
    let mut uri = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                uri.push(char::from(byte));
            }
            other => write!(uri, "%{other:02X}").expect("memory takes all"),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_a_reference() {
        assert_eq!(as_uri("app/src/a b#c/Ünü.java"), "app/src/a%20b%23c/%C3%9Cn%C3%BC.java");
    }
}
