//! A manifest that was left as text, as small test files have it.

use super::Element;

/// The elements of an XML text, as far as it is one.
pub(super) fn elements(bytes: &[u8]) -> Vec<Element> {
    let text = String::from_utf8_lossy(bytes);
    let mut elements = Vec::new();
    let mut depth = 0_usize;
    let mut rest = &*text;
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        let Some(end) = rest.find('>') else { break };
        let tag = &rest[..end];
        rest = &rest[end + 1..];
        if tag.starts_with(['?', '!']) {
            continue;
        }
        if tag.starts_with('/') {
            depth = depth.saturating_sub(1);
            continue;
        }
        let (name, attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
        let name = name.trim_end_matches('/').to_owned();
        elements.push(Element { name, depth, attributes: read_attributes(attributes) });
        if !tag.ends_with('/') {
            depth += 1;
        }
    }
    elements
}

fn read_attributes(mut text: &str) -> Vec<(String, String)> {
    let mut attributes = Vec::new();
    while let Some((name, rest)) = text.split_once('=') {
        let name = name.trim().rsplit(':').next().unwrap_or_default().to_owned();
        let rest = rest.trim_start();
        let Some(quote) = rest.chars().next().filter(|quote| ['"', '\''].contains(quote)) else { break };
        let Some((value, after)) = rest[1..].split_once(quote) else { break };
        attributes.push((name, value.to_owned()));
        text = after;
    }
    attributes
}
