//! Text of an app as a literal of the target's language, and as a comment that stays one. Whatever stands in the text, the
//! test means the same.

use std::fmt::Write as _;

use minijinja::value::Value;
use minijinja::{Environment, Error};

/// Adds every quote as a filter.
pub(super) fn add(environment: &mut Environment<'_>) {
    environment.add_filter("python", |text: String| python(&text));
    environment.add_filter("javascript", |text: String| javascript(&text));
    environment.add_filter("json", |text: String| json(&text));
    environment.add_filter("kotlin", |text: String| kotlin(&text));
    environment.add_filter("shell", |text: String| shell(&text));
    environment.add_filter("xml", |text: String| xml(&text));
    environment.add_filter("regex", |text: String| regex(&text));
    environment.add_filter("maestro", |text: String| json(&interpolated(&text)));
    environment.add_filter("comment", |text: String| comment(&text));
    environment.add_filter("code_span", |text: String| code_span(&text));
    environment.add_filter("input_text", |text: String| input_text(&text));
    environment.add_filter("untypable", |text: String| untypable(&text));
    environment.add_filter("is_package", |text: String| retap_trace::is_package(&text));
    environment.add_filter("monkey_comment", |text: String| monkey_comment(&text));
    environment.add_filter("is_monkey_name", |text: String| is_monkey_name(&text));
    environment.add_filter("is_monkey_text", |text: String| is_monkey_text(&text));
    environment.add_filter("xpath", |find: Value| xpath(&find));
    environment.add_filter("appium", |find: Value| appium(&find));
}

/// A string as in JSON, JavaScript, TypeScript and YAML: what is not plainly visible is written as an escape.
fn json(text: &str) -> String {
    quoted(text, '"', escape_utf16)
}

/// A string of JavaScript and TypeScript, between single quotes where that takes fewer escapes.
fn javascript(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    quoted(text, quote, escape_utf16)
}

/// A string of Python, between double quotes unless single ones take fewer escapes.
fn python(text: &str) -> String {
    let quote = if text.contains('"') && !text.contains('\'') { '\'' } else { '"' };
    quoted(text, quote, |to, letter| {
        let _ = write!(to, "\\U{:08x}", u32::from(letter));
    })
}

fn kotlin(text: &str) -> String {
    quoted(text, '"', escape_utf16).replace('$', "\\$")
}

/// Between these quotes; what is hidden is written as `escape` does.
fn quoted(text: &str, quote: char, escape: impl Fn(&mut String, char)) -> String {
    let mut quoted = String::from(quote);
    for letter in text.chars() {
        match letter {
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            letter if letter == quote => quoted.extend(['\\', letter]),
            letter if hidden(letter) => escape(&mut quoted, letter),
            letter => quoted.push(letter),
        }
    }
    quoted.push(quote);
    quoted
}

fn escape_utf16(to: &mut String, letter: char) {
    for unit in letter.encode_utf16(&mut [0; 2]) {
        let _ = write!(to, "\\u{unit:04x}");
    }
}

/// Letters that an editor does not show, that end a line somewhere, or that change the direction of a text.
fn hidden(letter: char) -> bool {
    retap_trace::steers(letter)
        || matches!(letter, '\u{feff}' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}'
            | '\u{fff0}'..='\u{ffff}')
}

/// A word of a POSIX shell, between quotes where it needs them. It has no way to say the letter 0, which no text on a screen
/// has.
fn shell(text: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_@%+:,./-".contains(letter);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\0', "").replace('\'', "'\\''"))
}

/// The value of an attribute in its quotes, as `uiautomator dump` writes it: in single ones where it has double ones in it,
/// with a dot for what XML cannot say, and letters beyond the basic plane by their numbers.
fn xml(text: &str) -> String {
    let quote = if text.contains('"') { '\'' } else { '"' };
    let mut escaped = String::from(quote);
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\'' if quote == '\'' => escaped.push_str("&apos;"),
            '\n' | '\r' | '\t' | '\u{10000}'.. => {
                let _ = write!(escaped, "&#{};", u32::from(letter));
            }
            letter if letter.is_control() => escaped.push('.'),
            letter => escaped.push(letter),
        }
    }
    escaped.push(quote);
    escaped
}

/// A regular expression that matches exactly this.
pub(super) fn regex(text: &str) -> String {
    let mut pattern = String::new();
    for letter in text.chars() {
        if matches!(
            letter,
            '\\' | '^' | '$' | '.' | '|' | '?' | '*' | '+' | '(' | ')' | '[' | ']' | '{' | '}'
        ) {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern
}

/// Maestro evaluates `${..}` as JavaScript, but for those behind a backslash, which it then takes away.
fn interpolated(text: &str) -> String {
    let mut done = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("${") {
        let (before, here) = rest.split_at(at);
        done.push_str(before);
        let inside = &here[2..];
        let closed = inside.find('}').is_some_and(|end| !inside[..end].contains('$'));
        done.push_str(if closed { "\\${" } else { "${" });
        rest = inside;
    }
    done.push_str(rest);
    done
}

/// One line that no comment ends in, and that says nothing of how the file is encoded, as Python takes it.
fn comment(text: &str) -> String {
    let line = text.chars().map(|letter| if hidden(letter) { ' ' } else { letter }).collect::<String>();
    let line = line.replace("*/", "* /").replace("coding:", "coding :").replace("coding=", "coding =");
    line.trim_end().to_owned()
}

/// Code in a line of Markdown, with as many backticks around it as it needs.
pub fn code_span(text: &str) -> String {
    let text = comment(text);
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if text.starts_with('`') || text.ends_with('`') || text.is_empty() { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// What `input text` on the device makes this text of: it takes `%s` for a space, and its shell the rest as it stands
/// between quotes.
fn input_text(text: &str) -> String {
    text.replace(' ', "%s")
}

/// What `input text` cannot type of a text, if anything: it has keys for ASCII alone, and takes a `%s` for a space.
fn untypable(text: &str) -> Option<String> {
    if text.contains("%s") {
        return Some("'%s', which it takes for a space".to_owned());
    }
    let letter = text.chars().find(|letter| !matches!(letter, ' '..='~'))?;
    Some(match letter {
        '\n' | '\r' => "a line end".to_owned(),
        hidden if self::hidden(hidden) => format!("the character U+{:04X}", u32::from(hidden)),
        letter => format!("'{letter}'"),
    })
}

/// What the Monkey looks for anywhere in a line of a script, and takes for an event whatever else the line has.
const MONKEY_WORDS: &[&str] = &[
    "DispatchFlip",
    "DispatchPress",
    "DeviceWakeUp",
    "UserWait",
    "ProfileWait",
    "LongPress",
    "PowerLog",
    "WriteLog",
    "RunCmd",
    "CaptureFramerate",
    "CaptureAppFramerate",
];

/// A line of a Monkey script that is no event, and no part of its header.
fn monkey_comment(text: &str) -> String {
    let line = comment(text).replace('(', "[").replace(')', "]");
    line.replace("count=", "count =").replace("speed=", "speed =").replace("start data >>", "start data > >")
}

/// Whether a Monkey script can launch it: arguments end at a comma or a bracket, and a line with `Tap` in it is a touch.
fn is_monkey_name(name: &str) -> bool {
    let plain =
        |letter: char| !letter.is_whitespace() && !hidden(letter) && !matches!(letter, '(' | ')' | ',');
    name.chars().all(plain) && !name.contains("Tap") && !name.contains("RotateScreen")
}

/// Whether a Monkey script can type it, which it does by `input text`.
fn is_monkey_text(text: &str) -> bool {
    let whole = !text.is_empty() && untypable(text).is_none() && !text.contains([',', ')']);
    whole && !MONKEY_WORDS.iter().any(|word| text.contains(word))
}

/// A widget as an expression of `XPath` over the tree that Appium shows.
fn xpath(find: &Value) -> Result<String, Error> {
    let part = |name: &str| Ok::<_, Error>(find.get_attr(name)?.as_str().map(str::to_owned));
    let mut tests = Vec::new();
    for (attribute, value) in
        [("resource-id", part("id")?), ("content-desc", part("desc")?), ("text", part("text")?)]
    {
        if let Some(value) = value {
            tests.push(format!("@{attribute}={}", xpath_literal(&value)));
        }
    }
    if let Some(hint) = part("hint")? {
        let hint = xpath_literal(&hint);
        tests.push(format!("(@hint={hint} or @text={hint})"));
    }
    let path = format!("//*[{}]", tests.join(" and "));
    Ok(match find.get_attr("index")?.as_usize() {
        Some(index) => format!("({path})[{}]", index + 1),
        None => path,
    })
}

/// How Appium finds a widget, `by` and `value`: the quickest of its ways that can say it.
fn appium(find: &Value) -> Result<Value, Error> {
    let part = |name: &str| Ok::<_, Error>(find.get_attr(name)?.as_str().map(str::to_owned));
    let index = find.get_attr("index")?.as_usize();
    let parts = (part("id")?, part("desc")?, part("text")?, part("hint")?);
    let (by, value) = match (parts, index) {
        ((Some(id), None, None, None), None) => ("id", id),
        ((None, Some(desc), None, None), None) => ("accessibility id", desc),
        (parts, index) => match ui_selector(parts, index) {
            Some(selector) => ("-android uiautomator", selector),
            None => ("xpath", xpath(find)?),
        },
    };
    Ok(minijinja::context! { by, value })
}

/// Names as Appium reads a `UiSelector`. Nothing where that cannot say it: it knows no hints, and of all escapes in
/// strings but that of the quote.
fn ui_selector(
    (id, desc, text, hint): (Option<String>, Option<String>, Option<String>, Option<String>),
    index: Option<usize>,
) -> Option<String> {
    let mut selector = "new UiSelector()".to_owned();
    for (method, value) in [("resourceId", id), ("description", desc), ("text", text)] {
        let Some(value) = value else { continue };
        if value.contains('\\') {
            return None;
        }
        let _ = write!(selector, ".{method}(\"{}\")", value.replace('"', "\\\""));
    }
    if let Some(index) = index {
        let _ = write!(selector, ".instance({index})");
    }
    hint.is_none().then_some(selector)
}

/// `XPath` has no escapes in literals: a text with both quotes is put together of pieces.
fn xpath_literal(text: &str) -> String {
    if !text.contains('\'') {
        return format!("'{text}'");
    }
    if !text.contains('"') {
        return format!("\"{text}\"");
    }
    let pieces: Vec<String> = text.split('\'').map(|piece| format!("'{piece}'")).collect();
    format!("concat({})", pieces.join(",\"'\","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_becomes_a_literal_of_each_language() {
        let text = "a\"b\\c$d\n'\u{202e}😀";
        assert_eq!(json(text), r#""a\"b\\c$d\n'\u202e😀""#);
        assert_eq!(python(text), r#""a\"b\\c$d\n'\U0000202e😀""#);
        assert_eq!(python("a \"b\""), r#"'a "b"'"#);
        assert_eq!(javascript(text), r#"'a"b\\c$d\n\'\u202e😀'"#);
        assert_eq!((javascript("it's"), javascript("its")), ("\"it's\"".into(), "'its'".into()));
        assert_eq!(kotlin(text), r#""a\"b\\c\$d\n'\u202e😀""#);
        assert_eq!(shell("it's $(x)"), r"'it'\''s $(x)'");
        assert_eq!((shell("e@x.org"), shell("")), ("e@x.org".to_owned(), "''".to_owned()));
        assert_eq!(xml("<a & b's>\n😀\u{1}"), "\"&lt;a &amp; b's&gt;&#10;&#128512;.\"");
        assert_eq!(xml("it's \"b\""), "'it&apos;s \"b\"'");
        assert_eq!(regex("a.b*[c]"), r"a\.b\*\[c\]");
    }

    #[test]
    fn maestro_evaluates_nothing() {
        assert_eq!(interpolated("${x}"), r"\${x}");
        assert_eq!(interpolated("a ${x} ${y"), r"a \${x} ${y");
        assert_eq!(interpolated("${a${b}"), r"${a\${b}");
        assert_eq!(interpolated("$x {y}"), "$x {y}");
    }

    #[test]
    fn comments_stay_comments() {
        assert_eq!(comment("a\nb\r\u{2028}c */ d"), "a b  c * / d");
        assert_eq!((comment("a\u{61c}b"), json("a\u{61c}b")), ("a b".to_owned(), r#""a\u061cb""#.to_owned()));
        assert_eq!(comment("-*- coding: ascii -*-"), "-*- coding : ascii -*-");
        assert_eq!(monkey_comment("Tap(1, 2) count=3"), "Tap[1, 2] count =3");
        assert_eq!(code_span("a`b"), "``a`b``");
        assert_eq!(code_span("`"), "`` ` ``");
    }

    #[test]
    fn what_input_text_cannot_type_is_named() {
        assert_eq!(untypable("it's 100% s"), None);
        for (text, what) in [
            ("a%sb", "'%s', which it takes for a space"),
            ("one\ntwo", "a line end"),
            ("na\u{ef}ve", "'\u{ef}'"),
            ("a\u{200b}b", "the character U+200B"),
        ] {
            assert_eq!(untypable(text).as_deref(), Some(what));
        }
    }

    #[test]
    fn what_a_monkey_script_cannot_say_is_known() {
        assert!(is_monkey_name("org.retap.MainActivity") && is_monkey_text("two words"));
        for name in ["a.TapActivity", "a,b", "a b", "a(b", "a\u{2028}b"] {
            assert!(!is_monkey_name(name), "{name}");
        }
        for text in ["", "a,b", "a)", "é", "%s", "DeviceWakeUp", "a\nb"] {
            assert!(!is_monkey_text(text), "{text}");
        }
    }

    #[test]
    fn appium_finds_widgets_by_the_quickest_of_its_ways() {
        let find = |id: Option<&str>,
                    desc: Option<&str>,
                    text: Option<&str>,
                    hint: Option<&str>,
                    index: Option<u32>| {
            let how = appium(&minijinja::context! { id, desc, text, hint, index }).unwrap();
            let part = |name: &str| how.get_attr(name).unwrap().to_string();
            format!("{}: {}", part("by"), part("value"))
        };
        assert_eq!(find(Some("a:id/x"), None, None, None, None), "id: a:id/x");
        assert_eq!(find(None, Some("More"), None, None, None), "accessibility id: More");
        assert_eq!(
            find(Some("a:id/x"), None, Some("a \"b\" (c)"), None, Some(1)),
            r#"-android uiautomator: new UiSelector().resourceId("a:id/x").text("a \"b\" (c)").instance(1)"#
        );
        assert_eq!(find(None, None, Some("a\\"), None, None), "xpath: //*[@text='a\\']");
        assert_eq!(find(None, None, None, Some("Name"), None), "xpath: //*[(@hint='Name' or @text='Name')]");
    }

    #[test]
    fn xpath_takes_every_quote() {
        assert_eq!(xpath_literal("it's"), "\"it's\"");
        assert_eq!(xpath_literal("it's \"x\""), "concat('it',\"'\",'s \"x\"')");
    }
}
