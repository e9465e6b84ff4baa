//! Questions for a permission, and how they are answered.

use retap_trace::{Event, GuiTree, NodeId, Observation};

use crate::aim;

/// Packages whose dialogs ask for permissions. The app under test raised them, so they count as the app.
pub const PERMISSION_DIALOGS: [&str; 3] = [
    "com.android.permissioncontroller",
    "com.google.android.permissioncontroller",
    "com.android.packageinstaller",
];

/// What is said to questions for a permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Answer {
    /// Yes, at once.
    Allow,
    /// No, at once.
    Deny,
    /// The explorer does what it likes.
    #[default]
    Leave,
}

/// Android's own ids of the buttons, the most generous first. They differ by version and by permission.
const ALLOW: [&str; 5] = [
    "permission_allow_always_button",
    "permission_allow_button",
    "permission_allow_foreground_only_button",
    "permission_allow_all_button",
    "permission_allow_one_time_button",
];
const DENY: [&str; 4] = [
    "permission_deny_button",
    "permission_deny_and_dont_ask_again_button",
    "permission_no_upgrade_button",
    "permission_no_upgrade_and_dont_ask_again_button",
];
/// What stands on them, for devices with other ids.
const YES: [&str; 4] = ["Allow", "While using the app", "Allow only while using the app", "Only this time"];
const NO: [&str; 3] = ["Deny", "Don’t allow", "Don't allow"];

/// The tap that answers the question on the screen, if there is one.
pub(crate) fn answer(seen: &Observation, answer: Answer) -> Option<Event> {
    let (ids, words): (&[&str], &[&str]) = match answer {
        Answer::Allow => (&ALLOW, &YES),
        Answer::Deny => (&DENY, &NO),
        Answer::Leave => return None,
    };
    if !PERMISSION_DIALOGS.contains(&&*seen.package) {
        return None;
    }
    let tree = seen.tree.as_ref()?;
    let button = by_id(tree, ids).or_else(|| by_words(tree, words))?;
    Some(Event::Tap(aim::on_widget(tree, button, aim::spot(tree, button, seen.screen))))
}

fn by_id(tree: &GuiTree, ids: &[&str]) -> Option<NodeId> {
    let named = |id: &str| {
        tree.ids().find(|&node| button(tree, node) && tree.node(node).id.rsplit('/').next() == Some(id))
    };
    ids.iter().find_map(|id| named(id))
}

fn by_words(tree: &GuiTree, words: &[&str]) -> Option<NodeId> {
    let says = |word: &str| {
        tree.ids().find(|&node| button(tree, node) && tree.node(node).text.eq_ignore_ascii_case(word))
    };
    words.iter().find_map(|word| says(word))
}

fn button(tree: &GuiTree, id: NodeId) -> bool {
    tree.node(id).flags.actionable()
}

#[cfg(test)]
mod tests {
    use retap_trace::{Flag, Node, Rect, Size};

    use super::*;
    use crate::sample::screen;

    /// A dialog with these buttons, by id and text.
    fn dialog(package: &str, buttons: &[(&str, &str)]) -> Observation {
        let mut tree = GuiTree::new();
        tree.push(Node { bounds: Rect::new(0, 0, 1080, 1920), ..Node::default() });
        for (nth, (id, text)) in (0..).zip(buttons) {
            tree.push(Node {
                depth: 1,
                class: "android.widget.Button".into(),
                id: if id.is_empty() { "".into() } else { format!("{package}:id/{id}").into() },
                text: (*text).into(),
                bounds: Rect::new(100, 400 + nth * 100, 900, 480 + nth * 100),
                flags: [Flag::Enabled, Flag::Clickable].into_iter().collect(),
                ..Node::default()
            });
        }
        Observation { package: package.into(), ..screen(Size { width: 1080, height: 1920 }, Some(tree)) }
    }

    /// The text of the button that is tapped.
    fn tapped(seen: &Observation, how: Answer) -> Option<String> {
        let event = answer(seen, how)?;
        Some(event.aim()?.widget.as_ref()?.text.as_ref()?.to_string())
    }

    #[test]
    fn the_buttons_are_found_by_their_ids() {
        let old = dialog(
            PERMISSION_DIALOGS[2],
            &[("permission_deny_button", "NEIN"), ("permission_allow_button", "ZULASSEN")],
        );
        assert_eq!(tapped(&old, Answer::Allow).as_deref(), Some("ZULASSEN"));
        assert_eq!(tapped(&old, Answer::Deny).as_deref(), Some("NEIN"));
        assert_eq!(tapped(&old, Answer::Leave), None);
        let new = dialog(
            PERMISSION_DIALOGS[1],
            &[
                ("permission_allow_one_time_button", "Only this time"),
                ("permission_allow_foreground_only_button", "While using the app"),
                ("permission_deny_and_dont_ask_again_button", "Don’t allow"),
            ],
        );
        assert_eq!(tapped(&new, Answer::Allow).as_deref(), Some("While using the app"));
        assert_eq!(tapped(&new, Answer::Deny).as_deref(), Some("Don’t allow"));
    }

    #[test]
    fn else_by_what_stands_on_them() {
        let plain = dialog(PERMISSION_DIALOGS[0], &[("", "DENY"), ("", "ALLOW")]);
        assert_eq!(tapped(&plain, Answer::Allow).as_deref(), Some("ALLOW"));
        assert_eq!(tapped(&plain, Answer::Deny).as_deref(), Some("DENY"));
        let other = dialog(PERMISSION_DIALOGS[0], &[("", "Open settings")]);
        assert_eq!(tapped(&other, Answer::Allow), None);
    }

    #[test]
    fn an_app_may_ask_what_it_likes() {
        let app = dialog("org.example", &[("permission_allow_button", "Allow")]);
        assert_eq!(tapped(&app, Answer::Allow), None);
    }
}
