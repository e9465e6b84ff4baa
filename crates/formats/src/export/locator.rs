//! By which of its names a test finds a widget.

use std::sync::Arc;

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
    /// Whether the id is one without its package that nobody has seen on a screen, where it may be a test tag of Compose
    /// as well.
    #[serde(skip)]
    pub(super) short: bool,
}

/// The widget that a touch is meant for; nothing when it is meant for a place.
///
/// A reduced trace says which of its touches were confirmed by widget. In any other, the widget that was touched is
/// taken where it has a name.
pub(super) fn meant(aim: &Aim, reduced: bool) -> Option<&Selector> {
    aim.widget.as_ref().filter(|_| aim.by == Aiming::Widget || !reduced)
}

impl Locator {
    /// A widget that a run has found by names of another tool's test: by those of them that the screen has as well, because
    /// somebody chose them.
    pub(super) fn of_found(found: &Selector, asked: &Selector) -> Option<Self> {
        let said = |name: &Option<Arc<str>>, asked_for: &Option<Arc<str>>| {
            name.clone().filter(|_| name == asked_for || *name == asked.words)
        };
        let chosen = Selector {
            id: found.id.clone().filter(|_| asked.id.is_some()),
            desc: said(&found.desc, &asked.desc),
            text: said(&found.text, &asked.text),
            hint: said(&found.hint, &asked.hint),
            ..found.clone()
        };
        // Its index is the one of the label that testers prefer.
        let counted = chosen.label().is_none() || chosen.label() == found.label();
        Self::of(if chosen.named() && counted { &chosen } else { found })
    }

    /// The names of this widget; nothing when it has none.
    pub(super) fn of(widget: &Selector) -> Option<Self> {
        let short = |id: &str| widget.path.is_none() && !id.contains(":id/");
        let short = widget.id.as_deref().is_some_and(short);
        Self::fewest(widget).map(|found| Self { short, ..found })
    }

    /// A widget without a path comes from a test of another tool: nobody has counted how many have its id, and the test names
    /// it by all that it has.
    fn fewest(widget: &Selector) -> Option<Self> {
        let id = widget.id.as_deref().map(str::to_owned);
        let label = widget.label();
        match (id, label) {
            (None, None) => None,
            (Some(id), Some(label)) if widget.path.is_none() => {
                let index = widget.id_index.or(widget.label_index);
                Some(Self { id: Some(id), index, ..Self::labelled(label) })
            }
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
            path: "3".parse().ok(),
            id_index: id,
            label_index: label,
            ..Selector::default()
        }
    }

    /// With two rows of one id, the id alone would be the first row, whatever the flow says of its text.
    #[test]
    fn what_nobody_has_counted_goes_by_all_its_names() {
        let imported = |id, label| Locator::of(&Selector { path: None, ..selector(id, label) }).unwrap();
        let both =
            Locator { id: Some("a:id/row".to_owned()), desc: Some("first".to_owned()), ..Locator::default() };
        assert_eq!(imported(None, None), both);
        assert_eq!(imported(Some(1), Some(1)), Locator { index: Some(1), ..both });
    }

    #[test]
    fn what_was_found_goes_by_the_names_that_somebody_chose() {
        let found = selector(None, None);
        let asked = |id: Option<&str>, words: Option<&str>| {
            let asked =
                Selector { id: id.map(Into::into), words: words.map(Into::into), ..Selector::default() };
            let Locator { id, desc, text, .. } = Locator::of_found(&found, &asked).unwrap();
            [id, desc, text].map(Option::unwrap_or_default)
        };
        assert_eq!(asked(Some("row"), None), ["a:id/row", "", ""]);
        assert_eq!(asked(None, Some("first")), ["", "first", ""]);
        assert_eq!(asked(Some("row"), Some("gone")), ["a:id/row", "", ""]);
        // How many have this text nobody has counted, and the id says it all.
        assert_eq!(asked(None, Some("Milk")), ["a:id/row", "", ""]);
        assert_eq!(asked(None, None), ["a:id/row", "", ""]);
    }

    #[test]
    fn an_id_without_its_package_is_one_of_the_app_where_no_screen_has_it() {
        let short = |path: Option<&str>| {
            let path = path.and_then(|path| path.parse().ok());
            Locator::of(&Selector { id: Some("row".into()), path, ..Selector::default() }).unwrap().short
        };
        assert_eq!((short(None), short(Some("3"))), (true, false));
        assert!(!Locator::of(&Selector { path: None, ..selector(None, None) }).unwrap().short);
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
        assert_eq!(meant(&by_place, true), None);
        assert!(meant(&by_place, false).is_some());
        assert!(meant(&Aim { by: Aiming::Widget, ..by_place }, true).is_some());
    }
}
