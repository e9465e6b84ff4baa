//! What a simulated app is, once its file has been read: tables that refer to each other by number.
//!
//! The language module writes these tables and has checked every reference and every type; the machine runs
//! them and therefore never fails. An app is immutable and shared by all devices that run it.

mod effect;
mod expr;
mod value;
mod widget;
mod window;

use std::sync::Arc;

use retap_trace::{CrashKind, Frame};

pub use effect::{Block, BlockId, Effect, Latency, OutsideApp, Probability};
pub use expr::{Expr, Operator, Scope, Template};
pub use value::{Value, ValueKind};
pub use widget::{Gesture, Widget, WidgetId, WidgetKind};
pub use window::{Window, WindowId, WindowKind};

macro_rules! id {
    ($($(#[$doc:meta])* $name:ident,)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u16);

        impl $name {
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

id! {
    VarId,
    KnobId,
    ActivityId,
    PermissionId,
    TimerId,
    /// Number of a place where the app can crash.
    SiteId,
}

#[derive(Debug, Clone, PartialEq)]
pub struct App {
    /// Short name, as in `sim:notes`.
    pub name: Arc<str>,
    pub package: Arc<str>,
    /// The name under its icon.
    pub label: Arc<str>,
    /// Hash of the source: coverage ids of different builds do not mix.
    pub build: Arc<str>,
    pub vars: Vec<Var>,
    /// Knobs that a device specification can turn.
    pub knobs: Vec<Knob>,
    /// Permissions the app can ask for, with Android's names.
    pub permissions: Vec<Arc<str>>,
    /// Activities; the first is launched from the icon.
    pub activities: Vec<Activity>,
    /// Screens, dialogs and menus of all activities.
    pub windows: Vec<Window>,
    pub timers: Vec<Timer>,
    /// What the app does when something happens outside: intent action and block.
    pub receivers: Vec<(Arc<str>, BlockId)>,
    /// What the app does when its process starts.
    pub on_start: Option<BlockId>,
    /// All blocks of effects.
    pub blocks: Vec<Block>,
    /// Places where the app can crash.
    pub sites: Vec<CrashSite>,
    /// Names of the pieces of code that can be covered, by their number.
    pub coverage: Vec<Arc<str>>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Var {
    pub name: Arc<str>,
    pub initial: Value,
    /// How long its value lives.
    pub life: Life,
    /// First values to draw from at install, with these weights, when variants are on (A/B tests). The usual
    /// one is among them; none when there is nothing to draw.
    pub variants: Vec<(Value, u32)>,
}

/// How long a variable's value lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Life {
    /// Until the app's data is cleared.
    Kept,
    /// Until the process ends.
    Process,
    /// Until the activity is created again, as it is by a rotation.
    Activity(ActivityId),
}

/// A number that a device specification can set: `sim:diner?dialog=0.5`.
#[derive(Debug, Clone, PartialEq)]
pub struct Knob {
    pub name: Arc<str>,
    /// Its value when nobody turns it.
    pub initial: f64,
    /// Whether it is a probability, from 0 to 1.
    pub probability: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Activity {
    /// Full name, with the package.
    pub name: Arc<str>,
    /// Whether others may start it. The first activity is for the icon, and others may start it too.
    pub exported: bool,
    /// The screen it shows first.
    pub first: WindowId,
    /// When it is created: opened, or turned.
    pub on_create: Option<BlockId>,
    /// When it comes to the front.
    pub on_resume: Option<BlockId>,
    /// When it leaves the front.
    pub on_pause: Option<BlockId>,
    /// When the back key is pressed; without it, the activity ends.
    pub on_back: Option<BlockId>,
    /// When the menu key is pressed.
    pub on_menu: Option<BlockId>,
    /// When another key is pressed.
    pub on_key: Vec<(retap_trace::Key, BlockId)>,
}

/// Something that happens again and again while the app runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timer {
    pub name: Arc<str>,
    /// The time between two ticks.
    pub every: retap_trace::Micros,
    pub tick: BlockId,
}

impl App {
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }

    pub fn window(&self, id: WindowId) -> &Window {
        &self.windows[id.index()]
    }

    pub fn activity(&self, id: ActivityId) -> &Activity {
        &self.activities[id.index()]
    }

    /// The activity with this name that others may start: `org.example.notes/.EditActivity`, or the name in full.
    pub fn exported(&self, component: &str) -> Option<ActivityId> {
        let (package, name) = component.split_once('/')?;
        let same = |activity: &Activity| match name.strip_prefix('.') {
            Some(short) => {
                activity.name.strip_prefix(package).and_then(|rest| rest.strip_prefix('.')) == Some(short)
            }
            None => *activity.name == *name,
        };
        let found = self.activities.iter().position(|activity| activity.exported && same(activity))?;
        (*self.package == *package).then_some(ActivityId(u16::try_from(found).ok()?))
    }

    /// The name of an activity as others start it.
    pub fn component(&self, activity: &Activity) -> String {
        let short = activity.name.strip_prefix(&*self.package).filter(|rest| rest.starts_with('.'));
        format!("{}/{}", self.package, short.unwrap_or(&activity.name))
    }
}

/// A place where the app can crash, with the stack that it prints.
#[derive(Debug, Clone, PartialEq)]
pub struct CrashSite {
    pub kind: CrashKind,
    /// Exception class or signal.
    pub exception: String,
    /// The message, which may vary from crash to crash.
    pub message: Template,
    /// The class of the root cause.
    pub cause: Option<String>,
    pub frames: Vec<Frame>,
}
