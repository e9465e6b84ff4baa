//! Entities in attributes: `&lt;`, `&#10;`, `&#x1F600;`.

use std::borrow::Cow;

/// The text that was meant. What is not an entity stays as it stands: vendors forget to escape an ampersand.
///
/// Android escapes characters beyond the basic plane as two halves, `&#55357;&#56832;`; they are joined again.
pub(super) fn decoded(raw: &str) -> Cow<'_, str> {
    if !raw.contains('&') {
        return Cow::Borrowed(raw);
    }
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    let mut half = None;
    while let Some(at) = rest.find('&') {
        if at > 0 && half.take().is_some() {
            text.push(char::REPLACEMENT_CHARACTER);
        }
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some((code, length)) = entity(rest) {
            push(&mut text, code, &mut half);
            rest = &rest[length..];
        } else {
            push(&mut text, u32::from('&'), &mut half);
            rest = &rest[1..];
        }
    }
    if half.is_some() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    text.push_str(rest);
    Cow::Owned(text)
}

/// Adds a character, or half of one.
fn push(text: &mut String, code: u32, half: &mut Option<u32>) {
    match (half.take(), code) {
        (Some(high), 0xDC00..=0xDFFF) => {
            let joined = 0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00);
            text.push(char::from_u32(joined).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        (before, 0xD800..=0xDBFF) => {
            text.extend(before.map(|_| char::REPLACEMENT_CHARACTER));
            *half = Some(code);
        }
        (before, _) => {
            text.extend(before.map(|_| char::REPLACEMENT_CHARACTER));
            text.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
    }
}

/// The character that an entity at the beginning stands for, and how long the entity is.
fn entity(text: &str) -> Option<(u32, usize)> {
    const LONGEST: usize = 12;
    let end = text.bytes().take(LONGEST).position(|byte| byte == b';')?;
    let name = &text[1..end];
    let code = match name {
        "lt" => u32::from('<'),
        "gt" => u32::from('>'),
        "amp" => u32::from('&'),
        "quot" => u32::from('"'),
        "apos" => u32::from('\''),
        "nbsp" => 0xA0,
        _ => {
            let number = name.strip_prefix('#')?;
            match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            }
        }
    };
    Some((code, end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_become_characters() {
        assert_eq!(decoded("plain"), "plain");
        assert_eq!(decoded("a &lt;b&gt; &amp; &quot;c&quot; &apos;d&apos;"), "a <b> & \"c\" 'd'");
        assert_eq!(decoded("one&#10;two&#x41;"), "one\ntwoA");
        assert_eq!(decoded("&#55357;&#56832;!"), "😀!");
    }

    #[test]
    fn what_is_no_entity_stays() {
        assert_eq!(decoded("Q&A"), "Q&A");
        assert_eq!(decoded("a & b &unknown; &#xZZ; &"), "a & b &unknown; &#xZZ; &");
        assert_eq!(decoded("&#55357; alone &#56832;"), "\u{fffd} alone \u{fffd}");
        assert_eq!(decoded("&#55357;"), "\u{fffd}");
        assert_eq!(decoded("&é;&#0;"), "&é;\0");
    }
}
