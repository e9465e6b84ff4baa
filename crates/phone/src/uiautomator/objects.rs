//! Calls about one widget: where it is, what it says, and what is done to it.

use retap_trace::{Event, GuiTree, Micros, Node, NodeId, Observation, Rect, Selector};
use serde_json::{Value, json};

use super::rpc::{Call, Refusal, Reply};
use super::selector;
use crate::phone::State;

/// How often somebody who waits for a widget looks.
const GLANCE: Micros = Micros::from_millis(100);
/// The longest wait.
const LONGEST: u64 = 300_000;

pub(super) fn run(call: &Call<'_>, method: &str) -> Reply {
    match method {
        "exist" => Ok(json!(!call.look()?.found.is_empty())),
        "count" => Ok(json!(call.look()?.found.len())),
        "objInfo" => {
            let seen = call.look()?;
            let id = seen.one(call)?;
            Ok(seen.info(id))
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
        "click" => {
            let seen = call.look()?;
            let at = seen.tree.node(seen.one(call)?).bounds.center();
            call.act(|state| state.tap(at))
        }
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
        let visible = node.bounds.intersect(&self.look.screen.rect());
        let mut info = json!({
            "bounds": sides(node.bounds),
            "visibleBounds": sides(visible),
            "childCount": self.tree.children(id).count(),
            "className": &*node.class,
            "contentDescription": &*node.desc,
            "packageName": &*self.look.package,
            "resourceName": &*node.id,
            "text": &*node.text,
        });
        for (name, flag) in selector::FLAGS {
            info[name] = json!(node.flags.has(flag));
        }
        info
    }
}

fn sides(rect: Rect) -> Value {
    json!({"left": rect.left, "top": rect.top, "right": rect.right, "bottom": rect.bottom})
}

impl Call<'_> {
    fn look(&self) -> Result<Seen, Refusal> {
        let (tree, seen) = self.phone.call(|state: &mut State| {
            // An app that never rests is looked at all the same.
            match state.read_screen()? {
                Some(seen) => Ok(seen),
                None => Ok((state.machine().tree(), state.glance()?)),
            }
        })?;
        let found = selector::find(&tree, &seen.package, self.params.first().unwrap_or(&Value::Null));
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
        self.act(|state| state.perform(&Event::Text { text: text.to_owned(), widget: Some(widget) }))
    }
}
