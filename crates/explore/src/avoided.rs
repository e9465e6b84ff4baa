//! What must not be touched on a screen.

use retap_trace::{Event, Flag, GuiTree, Key, NodeId, Observation, Point};

use crate::actions::deeds;
use crate::pattern::Pattern;

/// Keys that press whatever has the focus: centre, space, enter, and those of a game controller that stand for them.
const PRESSING: [Key; 9] =
    [Key::DPAD_CENTER, Key::SPACE, Key::ENTER, Key(160), Key(96), Key(99), Key(106), Key(107), Key(108)];

/// The widgets of one screen that must not be touched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Avoided {
    /// Those that a pattern names, with all that stands in them: no finger goes where they are.
    named: Vec<NodeId>,
    /// Those whose label a pattern names: no finger goes where it would press them.
    labelled: Vec<NodeId>,
}

impl Avoided {
    /// Those that the patterns mean; none is the usual case.
    pub(crate) fn on(tree: &GuiTree, patterns: &[Pattern]) -> Option<Self> {
        if patterns.is_empty() {
            return None;
        }
        let mut avoided = Self { named: Vec::new(), labelled: Vec::new() };
        let mut inside = None;
        for id in tree.ids() {
            let node = tree.node(id);
            inside = inside.filter(|&above| node.depth > above);
            if inside.is_some() {
                avoided.named.push(id);
            } else if patterns.iter().any(|pattern| pattern.fits(node)) {
                inside = Some(node.depth);
                avoided.named.push(id);
                if deeds(node).is_empty() {
                    avoided.labelled.extend(presses(tree, id));
                }
            }
        }
        (!avoided.named.is_empty()).then_some(avoided)
    }

    /// Whether an event would touch one of them. While one is on the screen, no key presses what has the focus: a
    /// look does not always tell what that is.
    pub(crate) fn forbids(&self, tree: &GuiTree, event: &Event) -> bool {
        match event {
            Event::Key { key } => PRESSING.contains(key),
            Event::Text { widget: Some(widget), .. } => widget.find(tree).is_some_and(|id| self.has(id)),
            Event::Text { widget: None, .. } => {
                tree.ids().any(|id| tree.node(id).flags.has(Flag::Focused) && self.has(id))
            }
            _ => event.aim().is_some_and(|aim| self.at(tree, aim.at)),
        }
    }

    /// The same screen, on which none of them can be acted on.
    pub(crate) fn hidden(&self, seen: &Observation, tree: &GuiTree) -> Observation {
        let mut hidden = GuiTree::new();
        for id in tree.ids() {
            let mut node = tree.node(id).clone();
            node.flags = node.flags.with(Flag::Enabled, node.flags.has(Flag::Enabled) && !self.has(id));
            hidden.push(node);
        }
        Observation {
            at: seen.at,
            package: seen.package.clone(),
            activity: seen.activity.clone(),
            tree: Some(hidden),
            keyboard: seen.keyboard,
            orientation: seen.orientation,
            screen: seen.screen,
            coverage: seen.coverage.clone(),
            crashes: seen.crashes.clone(),
        }
    }

    fn has(&self, id: NodeId) -> bool {
        self.named.contains(&id) || self.labelled.contains(&id)
    }

    fn at(&self, tree: &GuiTree, at: Point) -> bool {
        let pressed = tree.hit(at, |node| !deeds(node).is_empty());
        self.named.iter().any(|&id| tree.node(id).bounds.contains(at))
            || pressed.is_some_and(|id| self.labelled.contains(&id))
    }
}

/// The widget that a touch on its label presses.
fn presses(tree: &GuiTree, label: NodeId) -> Option<NodeId> {
    let above = std::iter::successors(tree.parent(label), |&id| tree.parent(id));
    above.into_iter().find(|&id| !deeds(tree.node(id)).is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::{Action, actions};
    use crate::sample::notes;

    fn avoided(seen: &Observation, patterns: &[&str]) -> Option<Avoided> {
        let patterns: Vec<_> = patterns.iter().map(|&text| Pattern::from(text)).collect();
        Avoided::on(seen.tree.as_ref().unwrap(), &patterns)
    }

    fn forbids(seen: &Observation, patterns: &[&str], event: &Event) -> bool {
        avoided(seen, patterns).unwrap().forbids(seen.tree.as_ref().unwrap(), event)
    }

    /// The nodes that can still be acted on.
    fn offered(seen: &Observation, patterns: &[&str]) -> Vec<u32> {
        let tree = seen.tree.as_ref().unwrap();
        let hidden = avoided(seen, patterns).unwrap().hidden(seen, tree);
        let on_widget = |action| if let Action::On(id, _) = action { Some(id.0) } else { None };
        let mut ids: Vec<_> = actions(&hidden).into_iter().filter_map(on_widget).collect();
        ids.dedup();
        ids
    }

    #[test]
    fn no_finger_goes_where_a_named_widget_is() {
        let seen = notes();
        assert!(forbids(&seen, &["Add tag"], &Event::tap(100, 200)));
        assert!(!forbids(&seen, &["Add tag"], &Event::tap(800, 200)), "that is another button");
        assert_eq!(offered(&seen, &["Add tag"]), [4, 5, 6, 7, 8, 9, 10, 11, 12]);
        assert_eq!(avoided(&seen, &["Remove tag"]), None);
    }

    #[test]
    fn what_stands_inside_is_meant_too() {
        let mut seen = notes();
        let mut tree = GuiTree::new();
        for (nth, node) in seen.tree.take().unwrap().nodes().iter().cloned().enumerate() {
            // The first row of the list gets a name.
            tree.push(retap_trace::Node {
                id: if nth == 10 { "row".into() } else { node.id.clone() },
                ..node
            });
        }
        seen.tree = Some(tree);
        assert_eq!(offered(&seen, &["id:row"]), [2, 4, 5, 6, 7, 8, 9, 12]);
        assert!(forbids(&seen, &["row"], &Event::tap(540, 970)), "the button in the row");
    }

    #[test]
    fn a_label_stands_for_what_it_is_on() {
        let mut seen = notes();
        let mut tree = GuiTree::new();
        for (nth, node) in seen.tree.take().unwrap().nodes().iter().cloned().enumerate() {
            // The button in the first row becomes a mere label of it.
            let flags = if nth == 11 { [Flag::Enabled].into_iter().collect() } else { node.flags };
            tree.push(retap_trace::Node { flags, ..node });
        }
        seen.tree = Some(tree);
        assert_eq!(offered(&seen, &["Delete"]), [2, 4, 5, 6, 7, 8, 9, 12], "neither label nor row");
        assert!(forbids(&seen, &["Delete"], &Event::tap(540, 970)), "the label");
        assert!(forbids(&seen, &["Delete"], &Event::tap(50, 850)), "the row");
        assert!(!forbids(&seen, &["Delete"], &Event::tap(50, 1800)), "another row");
    }

    #[test]
    fn keys_that_press_are_not_pressed() {
        let seen = notes();
        for key in [Key::ENTER, Key::DPAD_CENTER, Key::SPACE] {
            assert!(forbids(&seen, &["Add tag"], &Event::key(key)));
        }
        assert!(!forbids(&seen, &["Add tag"], &Event::key(Key::BACK)));
    }
}
