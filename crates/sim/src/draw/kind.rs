//! What a widget looks like, told from its class, id and flags.

use retap_trace::{Flag, Node};

/// The looks that a widget can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A button with words.
    Button,
    Field,
    /// A check box with words.
    Check,
    /// A radio button with words.
    Radio,
    /// A switch with words.
    Switch,
    Image,
    /// A list; its children are rows.
    List,
    Words,
    /// The words that name a window.
    Title,
    /// Something to tap, of which no more is known than its place and name.
    Unknown,
    /// Holds others, and shows nothing by itself.
    Holder,
}

impl Kind {
    /// The look of a widget. The first ending of its class that fits decides.
    pub(super) fn of(node: &Node) -> Self {
        let by_ending = [
            ("EditText", Self::Field),
            ("RadioButton", Self::Radio),
            ("CheckBox", Self::Check),
            ("Switch", Self::Switch),
            ("Button", Self::Button),
            ("ImageView", Self::Image),
            ("ListView", Self::List),
        ];
        let found = by_ending.into_iter().find(|(ending, _)| node.class.ends_with(ending));
        match found {
            Some((_, kind)) => kind,
            None if node.flags.has(Flag::Password) => Self::Field,
            None if node.flags.has(Flag::Checkable) => Self::Check,
            None if is_screen_title(node) || &*node.id == "android:id/alertTitle" => Self::Title,
            None if !node.text.is_empty() => Self::Words,
            None => Self::Holder,
        }
    }
}

/// Whether it names a screen, and so stands on a bar.
pub(super) fn is_screen_title(node: &Node) -> bool {
    &*node.id == "android:id/action_bar_title"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(class: &str, id: &str, text: &str) -> Kind {
        Kind::of(&Node { class: class.into(), id: id.into(), text: text.into(), ..Node::default() })
    }

    #[test]
    fn classes_and_ids_say_what_a_widget_is() {
        assert_eq!(kind("android.widget.Button", "", "Save"), Kind::Button);
        assert_eq!(kind("android.widget.ImageButton", "", ""), Kind::Button);
        assert_eq!(kind("android.widget.RadioButton", "", ""), Kind::Radio);
        assert_eq!(kind("android.widget.TextView", "", "Hello"), Kind::Words);
        assert_eq!(kind("android.widget.TextView", "a:id/title", "Hello"), Kind::Words);
        assert_eq!(kind("android.widget.TextView", "android:id/action_bar_title", "Notes"), Kind::Title);
        assert_eq!(kind("android.widget.TextView", "android:id/alertTitle", "Really?"), Kind::Title);
        assert_eq!(kind("android.widget.FrameLayout", "", ""), Kind::Holder);
        assert_eq!(kind("", "", ""), Kind::Holder);
    }
}
