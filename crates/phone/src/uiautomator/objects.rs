//! Calls about one widget: where it is, what it says, and what is done to it.

use retap_trace::{Event, Flag, GuiTree, Micros, Node, NodeId, Observation, Point, Rect, Selector};
use serde_json::{Value, json};

use super::rpc::{Call, Refusal, Reply};
use super::selector;
use crate::phone::State;

/// How often somebody who waits for a widget looks.
const GLANCE: Micros = Micros::from_millis(100);
/// The longest wait.
const LONGEST: u64 = 300_000;
/// Swipes that look for the end of a list.
const MOST_SWIPES: u64 = 50;

pub(super) fn run(call: &Call<'_>, method: &str) -> Reply {
    match method {
        "exist" => Ok(json!(!call.look()?.found.is_empty())),
        "count" => Ok(json!(call.look()?.found.len())),
        "objInfo" => {
            let seen = call.look()?;
            let id = seen.one(call)?;
            Ok(seen.info(id))
        }
        "objInfoOfAllInstances" => {
            let seen = call.look()?;
            Ok(seen.found.iter().map(|id| seen.info(*id)).collect())
        }
        "waitForExists" => call.wait(true),
        "waitUntilGone" => call.wait(false),
        "getText" => {
            let seen = call.look()?;
            let id = seen.one(call)?;
            Ok(json!(&*seen.tree.node(id).text))
        }
        "setText" => call.set_text(&call.text(1)),
        "clearTextField" => call.set_text(""),
        "click" | "clickAndWaitForNewWindow" => call.at_center(State::tap),
        "longClick" => call.at_center(|state, at| state.swipe(at, at, Micros::from_millis(1000))),
        "pinchIn" => call.at_center(|state, at| state.pinch(at, 50)),
        "pinchOut" => call.at_center(|state, at| state.pinch(at, 200)),
        "dragTo" if call.params.get(1).is_some_and(Value::is_number) => {
            let to = call.point(1);
            call.at_center(|state, from| state.swipe(from, to, Micros::from_millis(500)))
        }
        "swipe" => call.swipe_in(&call.text(1)),
        "scrollForward" | "flingForward" => call.scroll(true, 1),
        "scrollBackward" | "flingBackward" => call.scroll(false, 1),
        "scrollToEnd" | "flingToEnd" => call.scroll(true, MOST_SWIPES),
        "scrollToBeginning" | "flingToBeginning" => call.scroll(false, MOST_SWIPES),
        "scrollTo" => call.scroll_to(),
        _ => Err(Refusal::Unknown(method.to_owned())),
    }
}

/// A screen, and what was looked for on it.
struct Seen {
    tree: GuiTree,
    look: Observation,
    found: Vec<NodeId>,
}

impl Seen {
    fn one(&self, call: &Call<'_>) -> Result<NodeId, Refusal> {
        let missing =
            || Refusal::NotFound(format!("UiSelector{}", call.params.first().unwrap_or(&Value::Null)));
        self.found.first().copied().ok_or_else(missing)
    }

    fn info(&self, id: NodeId) -> Value {
        let node: &Node = self.tree.node(id);
        let has = |flag: Flag| node.flags.has(flag);
        let visible = node.bounds.intersect(&self.look.screen.rect());
        json!({
            "bounds": sides(node.bounds),
            "visibleBounds": sides(visible),
            "childCount": self.tree.children(id).count(),
            "className": &*node.class,
            "contentDescription": &*node.desc,
            "packageName": &*self.look.package,
            "resourceName": &*node.id,
            "text": &*node.text,
            "checkable": has(Flag::Checkable),
            "checked": has(Flag::Checked),
            "clickable": has(Flag::Clickable),
            "enabled": has(Flag::Enabled),
            "focusable": has(Flag::Focusable),
            "focused": has(Flag::Focused),
            "longClickable": has(Flag::LongClickable),
            "scrollable": has(Flag::Scrollable),
            "selected": has(Flag::Selected),
        })
    }
}

fn sides(rect: Rect) -> Value {
    json!({"left": rect.left, "top": rect.top, "right": rect.right, "bottom": rect.bottom})
}

impl Call<'_> {
    fn look(&self) -> Result<Seen, Refusal> {
        self.look_for(self.params.first().unwrap_or(&Value::Null))
    }

    fn look_for(&self, wanted: &Value) -> Result<Seen, Refusal> {
        let (tree, seen) = self.phone.call(|state: &mut State| {
            // An app that never rests is looked at all the same.
            match state.read_screen()? {
                Some(seen) => Ok(seen),
                None => Ok((state.machine().tree(), state.glance()?)),
            }
        })?;
        let found = selector::find(&tree, &seen.package, wanted);
        Ok(Seen { tree, look: seen, found })
    }

    fn wait(&self, there: bool) -> Reply {
        let millis = self.params.get(1).and_then(Value::as_u64).unwrap_or(0).min(LONGEST);
        let until = self.phone.with(|state| state.uptime()) + Micros::from_millis(millis);
        loop {
            if self.look()?.found.is_empty() != there {
                return Ok(json!(true));
            }
            if (self.gone)() || self.phone.with(|state| state.uptime()) >= until {
                return Ok(json!(false));
            }
            self.phone.wait(GLANCE, self.gone);
        }
    }

    fn set_text(&self, text: &str) -> Reply {
        let seen = self.look()?;
        let widget = Selector::of(&seen.tree, seen.one(self)?);
        self.phone
            .call(|state| state.perform(&Event::Text { text: text.to_owned(), widget: Some(widget) }))?;
        Ok(json!(true))
    }

    fn at_center(
        &self,
        act: impl FnOnce(&mut State, Point) -> Result<(), retap_device::DeviceError>,
    ) -> Reply {
        let seen = self.look()?;
        let at = seen.tree.node(seen.one(self)?).bounds.center();
        self.phone.call(|state| act(state, at))?;
        Ok(json!(true))
    }

    fn swipe_in(&self, direction: &str) -> Reply {
        let seen = self.look()?;
        let bounds = seen.tree.node(seen.one(self)?).bounds;
        let Point { x, y } = bounds.center();
        let (from, to) = match direction {
            "left" | "l" => (Point::new(bounds.right - 5, y), Point::new(bounds.left + 5, y)),
            "right" | "r" => (Point::new(bounds.left + 5, y), Point::new(bounds.right - 5, y)),
            "up" | "u" => (Point::new(x, bounds.bottom - 5), Point::new(x, bounds.top + 5)),
            _ => (Point::new(x, bounds.top + 5), Point::new(x, bounds.bottom - 5)),
        };
        self.phone.call(|state| state.swipe(from, to, Micros::from_millis(200)))?;
        Ok(json!(true))
    }

    /// Scrolls so many times, or until nothing moves. Says whether anything moved at the end.
    fn scroll(&self, forward: bool, times: u64) -> Reply {
        let mut moved = false;
        for _ in 0..times {
            let before = self.look()?;
            let bounds = before.tree.node(before.one(self)?).bounds;
            self.swipe_through(bounds, forward)?;
            moved = self.look()?.tree != before.tree;
            if !moved {
                break;
            }
        }
        Ok(json!(moved))
    }

    fn scroll_to(&self) -> Reply {
        let wanted = self.params.get(1).cloned().unwrap_or(Value::Null);
        for _ in 0..MOST_SWIPES {
            if !self.look_for(&wanted)?.found.is_empty() {
                return Ok(json!(true));
            }
            if self.scroll(true, 1)? == json!(false) {
                break;
            }
        }
        Ok(json!(!self.look_for(&wanted)?.found.is_empty()))
    }

    fn swipe_through(&self, bounds: Rect, forward: bool) -> Result<(), Refusal> {
        let x = bounds.center().x;
        let (low, high) = (Point::new(x, bounds.bottom - 10), Point::new(x, bounds.top + 10));
        let (from, to) = if forward { (low, high) } else { (high, low) };
        self.phone.call(|state| state.swipe(from, to, Micros::from_millis(300)))?;
        Ok(())
    }
}
