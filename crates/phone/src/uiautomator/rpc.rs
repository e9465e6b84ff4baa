//! What a call means.

use retap_device::DeviceError;
use retap_trace::{Event, Key, Micros, Orientation, Point};
use serde_json::{Value, json};

use super::base64;
use super::objects;
use super::xml::hierarchy;
use crate::command::{hang, key_of};
use crate::phone::{Phone, State};

/// What comes of a call.
pub(super) type Reply = Result<Value, Refusal>;

/// Why a call failed.
#[derive(Debug)]
pub(super) enum Refusal {
    /// There is no such widget.
    NotFound(String),
    /// There is no such method.
    Unknown(String),
    Device(DeviceError),
}

impl From<DeviceError> for Refusal {
    fn from(error: DeviceError) -> Self {
        Self::Device(error)
    }
}

/// A call at work.
pub(super) struct Call<'a> {
    pub(super) phone: &'a Phone,
    pub(super) params: &'a [Value],
    /// Says whether the caller is gone.
    pub(super) gone: &'a dyn Fn() -> bool,
}

/// Answers a call with a JSON-RPC reply.
pub(super) fn answer(phone: &Phone, call: &Value, gone: &dyn Fn() -> bool) -> Value {
    let id = call.get("id").cloned().unwrap_or(Value::Null);
    let Some(method) = call.get("method").and_then(Value::as_str) else {
        return json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32600, "message": "Invalid Request"}});
    };
    let params = call.get("params").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let reply = Call { phone, params, gone }.run(method);
    let (code, message) = match reply {
        Ok(result) => return json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err(Refusal::NotFound(selector)) => {
            (-32002, format!("androidx.test.uiautomator.UiObjectNotFoundException: {selector}"))
        }
        Err(Refusal::Unknown(method)) => (-32601, format!("method not found: {method}")),
        Err(Refusal::Device(error)) => {
            if let DeviceError::Timeout { .. } = error {
                hang(gone);
            }
            (-32001, format!("java.lang.IllegalStateException: UiAutomation not connected: {error}"))
        }
    };
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message, "data": message}})
}

impl Call<'_> {
    fn run(&self, method: &str) -> Reply {
        match method {
            "deviceInfo" => self.device_info(),
            "dumpWindowHierarchy" => self.dump(),
            "click" if self.params.first().is_some_and(Value::is_number) => {
                let at = self.point(0);
                self.act(|state| state.tap(at))
            }
            "swipe" if self.params.first().is_some_and(Value::is_number) => self.swipe(),
            "pressKey" => self.press(),
            "takeScreenshot" => Ok(json!(base64::encode(&self.phone.call(State::picture)?))),
            "setOrientation" => self.turn(),
            "setClipboard" => {
                let text = self.text(1);
                self.phone.with(|state| state.world.clipboard = Some(text));
                Ok(Value::Null)
            }
            "getClipboard" => Ok(json!(self.phone.with(|state| state.world.clipboard.clone()))),
            "pasteClipboard" => {
                self.act(|state| state.type_text(&state.world.clipboard.clone().unwrap_or_default()))
            }
            _ => objects::run(self, method),
        }
    }

    pub(super) fn act(&self, act: impl FnOnce(&mut State) -> Result<(), DeviceError>) -> Reply {
        self.phone.call(act)?;
        Ok(json!(true))
    }

    fn device_info(&self) -> Reply {
        let seen = self.phone.call(State::glance)?;
        let turned = seen.orientation == Orientation::Landscape;
        let android = self.phone.settings().android;
        let dp = |pixels: u32| pixels * 160 / 420;
        Ok(json!({
            "currentPackageName": &*seen.package,
            "displayHeight": seen.screen.height,
            "displayRotation": u8::from(turned),
            "displaySizeDpX": dp(seen.screen.width),
            "displaySizeDpY": dp(seen.screen.height),
            "displayWidth": seen.screen.width,
            "naturalOrientation": !turned,
            "productName": android.product_and_device().0,
            "screenOn": true,
            "sdkInt": android.api(),
        }))
    }

    fn dump(&self) -> Reply {
        let seen = self.phone.call(State::read_screen)?;
        Ok(json!(seen.map(|(tree, seen)| hierarchy(&tree, &seen)).unwrap_or_default()))
    }

    /// From here to there, in so many steps of five milliseconds.
    fn swipe(&self) -> Reply {
        let (from, to) = (self.point(0), self.point(2));
        let steps = self.params.get(4).and_then(Value::as_u64).unwrap_or(10).min(100_000);
        self.act(|state| state.swipe(from, to, Micros::from_millis(steps * 5)))
    }

    fn press(&self) -> Reply {
        let name = self.text(0).to_lowercase();
        let code = match &*name {
            "left" | "right" | "up" | "down" | "center" => key_of(&format!("dpad_{name}")),
            "delete" => Key::DELETE,
            "recent" => Key::APP_SWITCH,
            other => key_of(other),
        };
        if code == Key(0) {
            return Ok(json!(false));
        }
        self.act(|state| state.perform(&Event::key(code)))
    }

    fn turn(&self) -> Reply {
        let to = match &*self.text(0) {
            "left" | "l" | "right" | "r" => Orientation::Landscape,
            _ => Orientation::Portrait,
        };
        self.phone.call(|state| state.rotate(to))?;
        Ok(Value::Null)
    }

    fn point(&self, at: usize) -> Point {
        let number = |at: usize| self.params.get(at).map_or(0, pixels);
        Point::new(number(at), number(at + 1))
    }

    pub(super) fn text(&self, at: usize) -> String {
        self.params.get(at).and_then(Value::as_str).unwrap_or_default().to_owned()
    }
}

#[expect(clippy::cast_possible_truncation, reason = "as far as pixels go, which is all that counts")]
fn pixels(value: &Value) -> i32 {
    value.as_f64().unwrap_or(0.0) as i32
}
