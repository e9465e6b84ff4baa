//! What a widget looks like, told from its class, id and flags.

use retap_trace::{Flag, Node};

/// The looks that a widget can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The bar at the top of a screen.
    TitleBar,
    /// A button with words.
    Button,
    /// A button with a picture.
    IconButton,
    /// A round button above the page.
    FloatingButton,
    /// A text field.
    Field,
    /// A check box with words.
    Check,
    /// A radio button with words.
    Radio,
    /// A switch with words.
    Switch,
    /// A picture.
    Image,
    /// A choice that drops down.
    Spinner,
    /// A bar with a thumb.
    Slider,
    /// A bar that fills.
    Progress,
    /// A list; its children are rows.
    List,
    /// Words.
    Words,
    /// The words that name a window.
    Title,
    /// Something to tap, of which no more is known than its place and name.
    Unknown,
    /// Holds others, and shows nothing by itself.
    Holder,
}

impl Kind {
    /// The look of a widget.
    pub(super) fn of(node: &Node) -> Self {
        if matches!(last_part(&node.id), "action_bar" | "action_bar_container" | "toolbar" | "title_bar") {
            return Self::TitleBar;
        }
        let class = node.class.rsplit(['.', '$']).next().unwrap_or_default();
        // The first ending that fits decides, so the longer ones stand first.
        let by_ending = [
            ("Toolbar", Self::TitleBar),
            ("ActionBar", Self::TitleBar),
            ("EditText", Self::Field),
            ("AutoCompleteTextView", Self::Field),
            ("AutoComplete", Self::Field),
            ("FloatingActionButton", Self::FloatingButton),
            ("ImageButton", Self::IconButton),
            ("RadioButton", Self::Radio),
            ("ToggleButton", Self::Switch),
            ("CheckBox", Self::Check),
            ("CheckedTextView", Self::Check),
            ("Switch", Self::Switch),
            ("SwitchCompat", Self::Switch),
            ("SwitchMaterial", Self::Switch),
            ("Button", Self::Button),
            ("Chip", Self::Button),
            ("ImageView", Self::Image),
            ("Image", Self::Image),
            ("VideoView", Self::Image),
            ("SurfaceView", Self::Image),
            ("Spinner", Self::Spinner),
            ("SeekBar", Self::Slider),
            ("RatingBar", Self::Slider),
            ("ProgressBar", Self::Progress),
            ("ListView", Self::List),
            ("RecyclerView", Self::List),
        ];
        let found = by_ending.into_iter().find(|(ending, _)| class.ends_with(ending));
        match found {
            Some((_, kind)) => kind,
            None if node.flags.has(Flag::Password) => Self::Field,
            None if node.flags.has(Flag::Checkable) => Self::Check,
            None if !node.text.is_empty() => Self::Words,
            None => Self::Holder,
        }
    }
}

/// Whether the widget says what a screen is called.
pub(super) fn is_screen_title(node: &Node) -> bool {
    last_part(&node.id).ends_with("action_bar_title")
}

/// Whether the widget says what a screen or dialog is called.
pub(super) fn is_title(node: &Node) -> bool {
    is_screen_title(node) || last_part(&node.id) == "alertTitle"
}

/// The name in a resource id, without package and type.
fn last_part(id: &str) -> &str {
    id.rsplit('/').next().unwrap_or_default()
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
        assert_eq!(kind("android.widget.ImageButton", "", ""), Kind::IconButton);
        assert_eq!(kind("androidx.appcompat.widget.SwitchCompat", "", ""), Kind::Switch);
        assert_eq!(kind("android.widget.MultiAutoCompleteTextView", "", ""), Kind::Field);
        assert_eq!(kind("androidx.recyclerview.widget.RecyclerView", "", ""), Kind::List);
        assert_eq!(kind("android.view.ViewGroup", "com.a:id/action_bar", ""), Kind::TitleBar);
        assert_eq!(kind("android.widget.TextView", "", "Hello"), Kind::Words);
        assert_eq!(kind("android.widget.FrameLayout", "", ""), Kind::Holder);
        assert_eq!(kind("", "", ""), Kind::Holder);
    }

    #[test]
    fn titles_are_known_by_their_id() {
        let title = |id: &str| is_title(&Node { id: id.into(), ..Node::default() });
        assert!(title("com.a:id/action_bar_title") && title("android:id/alertTitle"));
        assert!(!title("com.a:id/title") && !title(""));
    }
}
