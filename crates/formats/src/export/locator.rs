//! By which of its names a test finds a widget.

use retap_trace::{Aim, Aiming, Selector, WidgetLabel};
use serde::Serialize;

/// What a test looks for: the fewest names that mean one widget of the screen, in the order that testers prefer, which is
/// id, description, text, hint. An absent part is not looked at.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub(super) struct Locator {
    pub(super) id: Option<String>,
    pub(super) desc: Option<String>,
    pub(super) text: Option<String>,
    pub(super) hint: Option<String>,
    /// Which one of those that fit, from 0, where there are several.
    pub(super) index: Option<u32>,
    /// Whether the text may be a description or a hint instead: nobody knows.
    #[serde(skip)]
    pub(super) words: bool,
}

impl Locator {
    /// The widget that a touch is meant for; nothing when it is meant for a place.
    ///
    /// A reduced trace says which of its touches were confirmed by widget. In any other, the widget that was touched is
    /// taken where it has a name.
    pub(super) fn of_touch(aim: &Aim, reduced: bool) -> Option<Self> {
        let widget = aim.widget.as_ref().filter(|_| aim.by == Aiming::Widget || !reduced)?;
        Self::of(widget)
    }

    /// The names of this widget; nothing when it has none.
    pub(super) fn of(widget: &Selector) -> Option<Self> {
        let id = widget.id.as_deref().map(str::to_owned);
        let label = widget.label();
        match (id, label) {
            (None, None) => None,
            (Some(id), _) if widget.id_index.is_none() => Some(Self { id: Some(id), ..Self::default() }),
            (id, Some(label)) if widget.label_index.is_none() => Some(Self { id, ..Self::labelled(label) }),
            (Some(id), _) => Some(Self { id: Some(id), index: widget.id_index, ..Self::default() }),
            (None, Some(label)) => Some(Self { index: widget.label_index, ..Self::labelled(label) }),
        }
    }

    fn labelled(label: WidgetLabel<'_>) -> Self {
        match label {
            WidgetLabel::Desc(desc) => Self { desc: Some(desc.to_owned()), ..Self::default() },
            WidgetLabel::Text(text) => Self { text: Some(text.to_owned()), ..Self::default() },
            // Most are texts.
            WidgetLabel::Words(text) => Self { text: Some(text.to_owned()), words: true, ..Self::default() },
            WidgetLabel::Hint(hint) => Self { hint: Some(hint.to_owned()), ..Self::default() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selector(id: Option<u32>, label: Option<u32>) -> Selector {
        Selector {
            id: Some("a:id/row".into()),
            text: Some("Milk".into()),
            desc: Some("first".into()),
            id_index: id,
            label_index: label,
            ..Selector::default()
        }
    }

    #[test]
    fn the_fewest_names_that_mean_one_widget() {
        let id = || Some("a:id/row".to_owned());
        let desc = || Some("first".to_owned());
        let of = |id, label| Locator::of(&selector(id, label)).unwrap();
        assert_eq!(of(None, Some(1)), Locator { id: id(), ..Locator::default() });
        assert_eq!(of(Some(1), None), Locator { id: id(), desc: desc(), ..Locator::default() });
        assert_eq!(of(Some(1), Some(0)), Locator { id: id(), index: Some(1), ..Locator::default() });
        let nameless = Selector { id: None, ..selector(None, Some(2)) };
        let expected = Locator { desc: desc(), index: Some(2), ..Locator::default() };
        assert_eq!(Locator::of(&nameless), Some(expected));
        assert_eq!(Locator::of(&Selector { class: Some("Button".into()), ..Selector::default() }), None);
    }

    #[test]
    fn a_reduced_trace_says_which_touches_are_meant_for_widgets() {
        let by_place =
            Aim { widget: Some(selector(None, None)), ..Aim::place(retap_trace::Point::new(1, 2)) };
        assert_eq!(Locator::of_touch(&by_place, true), None);
        assert!(Locator::of_touch(&by_place, false).is_some());
        assert!(Locator::of_touch(&Aim { by: Aiming::Widget, ..by_place }, true).is_some());
    }
}
