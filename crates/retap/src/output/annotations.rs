//! Annotations of GitHub's workflows: lines such as `::error file=F,line=1,title=T::MESSAGE`.

use super::cases::{CaseGroup, CaseVerdict, CrashTold, ReportCase};
use super::sources::SourceFiles;

/// GitHub shows this many of each kind for a step.
const MOST: usize = 10;

/// A line for each case that did not pass, unless it is a crash and nothing more, and for each crash that is known now.
pub(crate) fn annotations(groups: &[CaseGroup], sources: &SourceFiles) -> Vec<String> {
    let mut lines: Vec<String> =
        groups.iter().flat_map(|group| &group.cases).flat_map(|case| of(case, sources)).collect();
    let more = lines.len().saturating_sub(MOST);
    if more > 0 {
        lines.truncate(MOST - 1);
        lines.push(command(
            "error",
            &[("title", "retap")],
            &format!("{} more: see the job summary", more + 1),
        ));
    }
    lines
}

fn of(case: &ReportCase, sources: &SourceFiles) -> Vec<String> {
    let kind = match &case.verdict {
        CaseVerdict::Failed(_) | CaseVerdict::Broken(_) => "error",
        CaseVerdict::Passed(_) => "notice",
        CaseVerdict::Skipped(_) => return Vec::new(),
    };
    let crash = |told: &CrashTold| {
        let title = told.crash.to_string();
        let mut fields = vec![("title", title)];
        if let Ok(place) = sources.line_of_crash(&told.crash) {
            fields = vec![("file", place.path), ("line", place.line.to_string()), fields.remove(0)];
        }
        let again = told.again.as_ref().map_or_else(String::new, |again| format!("\n{again}"));
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, &**value)).collect();
        command(kind, &fields, &format!("{}{again}", told.about))
    };
    let itself = case.fault().map(|wrong| command(kind, &[("title", &case.name)], &wrong.message));
    itself.into_iter().chain(case.crashes.iter().map(crash)).collect()
}

/// A workflow command. Text of others is escaped, so that it begins no command and ends no field.
fn command(name: &str, fields: &[(&str, &str)], message: &str) -> String {
    let field = |(name, value): &(&str, &str)| {
        format!("{name}={}", data(value).replace(':', "%3A").replace(',', "%2C"))
    };
    let fields: Vec<String> = fields.iter().map(field).collect();
    format!("::{name} {}::{}", fields.join(","), data(message))
}

fn data(text: &str) -> String {
    let plain: String = text.chars().map(|char| if is_hidden(char) { ' ' } else { char }).collect();
    plain.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn is_hidden(char: char) -> bool {
    retap_trace::steers(char) && !matches!(char, '\n' | '\r')
}

/// A line of a log, so that no text in it is taken for a command: those begin with `::`, or have `##[` anywhere.
pub(crate) fn harmless(line: &str) -> String {
    let split = line.replace("##[", "## [");
    let lines = split.split('\n').map(|line| {
        let begins = line.trim_start().starts_with("::");
        if begins { line.replacen("::", ": :", 1) } else { line.to_owned() }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Whether something in a text is taken for a command.
pub(crate) fn has_command(text: &str) -> bool {
    text.contains("##[") || text.split(['\n', '\r']).any(|line| line.trim_start().starts_with("::"))
}

/// A line of JSON that is harmless in a log and stays the same JSON.
pub(crate) fn harmless_json(line: &str) -> String {
    line.replace("##[", "#\\u0023[")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_begins_no_command_and_ends_no_field() {
        assert_eq!(
            command("error", &[("file", "a,b:c%"), ("title", "x\ny")], "100 %\r\n::error::\u{1b}[31m"),
            "::error file=a%2Cb%3Ac%25,title=x%0Ay::100 %25%0D%0A::error:: [31m"
        );
    }

    #[test]
    fn a_log_has_no_commands_in_it() {
        assert_eq!(harmless("tap '##[add-mask]x'\n  ::set-env::"), "tap '## [add-mask]x'\n  : :set-env::");
        assert_eq!(harmless("a::b"), "a::b");
        for (text, has) in [("a::b\n#[x", false), ("a\r ::error::", true), ("a ##[group]", true)] {
            assert_eq!(has_command(text), has, "{text}");
        }
        let json = r###"{"text":"##[error] ###[x"}"###;
        let same = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(same(&harmless_json(json)), same(json));
        assert!(!harmless_json(json).contains("##["));
    }
}
