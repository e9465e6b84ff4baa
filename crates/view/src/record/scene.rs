//! What the page shows, as JSON.

use retap_job::record::RecordScene;
use retap_trace::{Flag, GuiTree, Observation, Orientation, Selector};
use serde::Serialize;

use super::PageEnd;

/// Widgets that are offered by name; more would not be read by anybody.
const MOST_WIDGETS: usize = 60;

/// How things are.
#[derive(Debug, Default)]
pub(super) struct Shown {
    pub(super) device: String,
    /// Goes up with every change.
    pub(super) version: u64,
    pub(super) picture: Vec<u8>,
    pub(super) picture_number: u64,
    screen: (u32, u32),
    landscape: bool,
    activity: String,
    /// The field that has the focus.
    field: Option<String>,
    widgets: Vec<Widget>,
    steps: Vec<String>,
    pub(super) busy: bool,
    pub(super) refusal: Option<String>,
    pub(super) ended: Option<PageEnd>,
}

/// Something on the screen that can be tapped by its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Widget {
    pub(super) name: String,
    at: (i32, i32),
}

/// The same for a browser.
#[derive(Serialize)]
pub(super) struct SceneView<'a> {
    device: &'a str,
    version: u64,
    /// The number of the picture; 0 when there is none yet.
    picture: u64,
    screen: (u32, u32),
    landscape: bool,
    activity: &'a str,
    field: Option<&'a str>,
    widgets: &'a [Widget],
    steps: &'a [String],
    busy: bool,
    refusal: Option<&'a str>,
    ended: Option<&'a PageEnd>,
}

impl Shown {
    pub(super) fn show(&mut self, scene: &RecordScene<'_>) {
        let seen = scene.seen;
        self.picture_number += 1;
        self.picture = scene.picture.to_vec();
        self.screen = (seen.screen.width, seen.screen.height);
        self.landscape = seen.orientation == Orientation::Landscape;
        self.activity = seen.activity.to_string();
        self.field = seen.tree.as_ref().and_then(field);
        self.widgets = widgets(seen);
        self.steps = scene.steps.iter().map(|step| step.event.to_string()).collect();
        self.busy = false;
        self.refusal = None;
    }
}

impl<'a> SceneView<'a> {
    pub(super) fn of(shown: &'a Shown) -> Self {
        Self {
            device: &shown.device,
            version: shown.version,
            picture: shown.picture_number,
            screen: shown.screen,
            landscape: shown.landscape,
            activity: &shown.activity,
            field: shown.field.as_deref(),
            widgets: &shown.widgets,
            steps: &shown.steps,
            busy: shown.busy,
            refusal: shown.refusal.as_deref(),
            ended: shown.ended.as_ref(),
        }
    }
}

/// The name of the field that has the focus.
fn field(tree: &GuiTree) -> Option<String> {
    let focused = |id: &_| tree.node(*id).flags.has(Flag::Focused) && tree.node(*id).is_field();
    tree.ids().rev().find(focused).map(|id| Selector::of(tree, id).to_string())
}

/// What can be acted on, from top to bottom, each at a place where a touch reaches it.
fn widgets(seen: &Observation) -> Vec<Widget> {
    let Some(tree) = &seen.tree else { return Vec::new() };
    let mut found: Vec<(i32, Widget)> = Vec::new();
    for id in tree.ids().filter(|id| tree.node(*id).flags.actionable()) {
        let selector = Selector::of(tree, id);
        let bounds = tree.node(id).bounds;
        let at = bounds.center();
        // What another widget covers, or what is off the screen, would be another touch than its name says.
        if bounds.is_empty() || seen.aim_at(at).widget.as_ref() != Some(&selector) {
            continue;
        }
        found.push((bounds.top, Widget { name: selector.to_string(), at: (at.x, at.y) }));
    }
    found.sort_by_key(|(top, _)| *top);
    found.into_iter().map(|(_, widget)| widget).take(MOST_WIDGETS).collect()
}
