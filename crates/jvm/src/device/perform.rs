//! Events, done. Widgets are looked for here; the app's side is told places.

use retap_device::DeviceError;
use retap_trace::{Aim, Aiming, Event, Point, Selector};
use serde_json::{Value, json};

use super::{JvmDevice, Limit};

impl JvmDevice {
    pub(super) fn act(&mut self, event: &Event, limit: &Limit) -> Result<(), DeviceError> {
        if self.is_spent() {
            // Nothing would come of it, and the run would go on as if it had been done.
            let why = "the app does not respond or has taken all memory, and needs a fresh start".to_owned();
            return Err(DeviceError::Failed { call: "perform", why });
        }
        let Some(resolved) = self.resolve(event, limit)? else { return Ok(()) };
        let _: Value = self.ask("perform", ("perform", json!({ "event": resolved })), limit)?;
        if let Event::Rotate { to } = event {
            self.orientation = *to;
        }
        Ok(())
    }

    /// The event with its place. None when it follows a widget that is not there: then nothing is done.
    fn resolve(&mut self, event: &Event, limit: &Limit) -> Result<Option<Value>, DeviceError> {
        let mut event = event.clone();
        let mut field = None;
        if let Some(aim) = event.aim().cloned() {
            let Some(at) = self.aimed(&aim, limit)? else { return Ok(None) };
            move_to(&mut event, at);
        } else if let Event::Text { widget: Some(widget), .. } = &event {
            let Some(at) = self.find(widget, limit)? else { return Ok(None) };
            field = Some(at);
        }
        let mut told = serde_json::to_value(&event).unwrap_or_default();
        if let Value::Object(fields) = &mut told {
            fields.remove("widget");
            fields.remove("by");
            if let Some(at) = field {
                fields.insert("at".to_owned(), json!(at));
            }
        }
        Ok(Some(told))
    }

    fn aimed(&mut self, aim: &Aim, limit: &Limit) -> Result<Option<Point>, DeviceError> {
        match (&aim.widget, aim.by) {
            (Some(widget), Aiming::Widget) => self.find(widget, limit),
            _ => Ok(Some(aim.at)),
        }
    }

    /// Where a widget is now.
    fn find(&mut self, widget: &Selector, limit: &Limit) -> Result<Option<Point>, DeviceError> {
        let seen = self.see("perform", true, limit)?;
        let tree = seen.tree(self.held());
        let tree = tree.map_err(|why| DeviceError::Failed { call: "perform", why })?;
        Ok(widget.touchable(&tree).map(|id| tree.node(id).bounds.center()))
    }
}

/// Moves what a finger does. A swipe goes as far as it went when it was recorded.
fn move_to(event: &mut Event, at: Point) {
    if let Event::Swipe { aim, to, .. } = event {
        to.x = to.x.saturating_add(at.x.saturating_sub(aim.at.x));
        to.y = to.y.saturating_add(at.y.saturating_sub(aim.at.y));
    }
    if let Some(aim) = event.aim_mut() {
        aim.at = at;
    }
}
