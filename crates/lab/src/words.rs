//! States in words.

use retap_trace::{GuiTree, Observation};

/// How many texts of a screen are enough to know it by.
const ENOUGH: usize = 4;

/// What a look showed, as people would call it: the activity and the first words on the screen.
pub fn state_in_words(seen: &Observation) -> String {
    let activity = short_name(&seen.activity);
    let nodes = seen.tree.iter().flat_map(GuiTree::nodes);
    let texts = nodes.map(|node| &node.text).filter(|text| !text.is_empty());
    let texts: Vec<String> = texts.take(ENOUGH).map(|text| format!("'{text}'")).collect();
    if texts.is_empty() { activity.to_owned() } else { format!("{activity} with {}", texts.join(", ")) }
}

/// The last part of the name of an activity.
pub fn short_name(activity: &str) -> &str {
    activity.rsplit(['.', '/']).next().unwrap_or(activity)
}
