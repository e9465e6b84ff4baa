//! `getprop`: the properties of a device.

use std::collections::BTreeMap;

/// Reads all properties: `[ro.build.version.sdk]: [30]`. A value may go over several lines.
pub fn getprop(text: &str) -> BTreeMap<String, String> {
    // Phones have about a thousand.
    const MOST: usize = 20_000;
    let mut found = BTreeMap::new();
    let mut open: Option<(String, String)> = None;
    for line in text.lines() {
        let line = line.trim_end_matches('\r');
        let (name, value) = match (open.take(), begin(line)) {
            (_, Some(begun)) => begun,
            (Some((name, value)), None) => (name, format!("{value}\n{line}")),
            (None, None) => continue,
        };
        match value.strip_suffix(']') {
            Some(whole) if found.len() < MOST => drop(found.insert(name, whole.to_owned())),
            Some(_) => break,
            None => open = Some((name, value)),
        }
    }
    found
}

/// `[name]: [value`, with whatever comes behind.
fn begin(line: &str) -> Option<(String, String)> {
    let (name, value) = line.strip_prefix('[')?.split_once("]: [")?;
    Some((name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_may_be_empty_hold_brackets_or_go_on() {
        let text = "[ro.build.version.sdk]: [30]\r\n[empty]: []\n[odd]: [a]b]\n[long]: [one\ntwo]\nnoise\n[cut]: [half";
        let found = getprop(text);
        assert_eq!(found["ro.build.version.sdk"], "30");
        assert_eq!(found["empty"], "");
        assert_eq!(found["odd"], "a]b");
        assert_eq!(found["long"], "one\ntwo");
        assert_eq!(found.len(), 4);
    }

    #[test]
    fn a_value_that_never_ends_gives_way_to_the_next() {
        assert_eq!(
            getprop("[a]: [x\n[b]: [1]\n").into_iter().collect::<Vec<_>>(),
            [("b".into(), "1".into())]
        );
    }
}
