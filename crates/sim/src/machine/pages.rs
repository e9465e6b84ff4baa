//! The pages outside the app, as tables.

use std::sync::Arc;

use super::outside::{Act, Page, PageWindow};
use super::shape::Shape;
use crate::app::{ActivityId, App, Expr, Template, VarId, Widget, WidgetKind, Window, WindowKind};

/// The variables that pages see.
const ONLINE: VarId = VarId(0);
const APP_HAS_TASK: VarId = VarId(1);
const SETTINGS_OPEN: VarId = VarId(2);

const LAUNCHER: &str = "com.android.launcher3";
const SETTINGS: &str = "com.android.settings";

/// The pages that every phone has, in the order of [`Page`].
pub(super) fn fixed(app: &App) -> Vec<PageWindow> {
    let wifi = WidgetKind::Switch(ONLINE);
    vec![
        Draft::new(LAUNCHER, "com.android.launcher3.Launcher", None)
            .space(600)
            .add(WidgetKind::Row, "", "", None)
            .nested(WidgetKind::Button, &app.label, "icon", Some(Act::LaunchApp))
            .nested(WidgetKind::Button, "Settings", "icon", Some(Act::OpenSettings))
            .done(),
        Draft::new(LAUNCHER, "com.android.quickstep.RecentsActivity", Some("Recent apps"))
            .add(WidgetKind::Button, &app.label, "task", Some(Act::LaunchApp))
            .when(Expr::Var(APP_HAS_TASK))
            .add(WidgetKind::Button, "Settings", "task", Some(Act::OpenSettings))
            .when(Expr::Var(SETTINGS_OPEN))
            .done(),
        Draft::new(SETTINGS, "com.android.settings.Settings", Some("Settings"))
            .add(WidgetKind::Button, "Network & internet", "network", Some(Act::Go(Page::SettingsNetwork)))
            .add(WidgetKind::Label, "Display", "display", None)
            .add(WidgetKind::Label, "Sound", "sound", None)
            .add(WidgetKind::Label, "About phone", "about", None)
            .done(),
        Draft::new(SETTINGS, "com.android.settings.SubSettings", Some("Network & internet"))
            .add(wifi, "Wi-Fi", "switch_widget", Some(Act::ToggleNetwork))
            .add(WidgetKind::Button, "Back", "back", Some(Act::Back))
            .done(),
        Draft::new("com.android.browser", "com.android.browser.BrowserActivity", None)
            .add(WidgetKind::Label, "https://www.example.com", "url", None)
            .add(WidgetKind::Image, "", "page", None)
            .add(WidgetKind::Label, "Example Domain", "title", None)
            .done(),
        Draft::new("com.android.camera2", "com.android.camera.CameraActivity", None)
            .add(WidgetKind::Image, "", "preview", None)
            .add(WidgetKind::Button, "Done", "done_button", Some(Act::Back))
            .done(),
        Draft::new("android", "com.android.internal.app.ChooserActivity", Some("Share"))
            .add(WidgetKind::Button, "Messages", "text1", Some(Act::Back))
            .add(WidgetKind::Button, "Mail", "text1", Some(Act::Back))
            .add(WidgetKind::Button, "Copy", "text1", Some(Act::Back))
            .done(),
    ]
}

/// The dialog that asks for a permission.
pub(super) fn permission(app: &App, name: &str) -> PageWindow {
    const PACKAGE: &str = "com.android.permissioncontroller";
    const ACTIVITY: &str = "com.android.permissioncontroller.permission.ui.GrantPermissionsActivity";
    let short = name.rsplit('.').next().unwrap_or(name).to_lowercase().replace('_', " ");
    let question = format!("Allow {} to use {short}?", app.label);
    let mut page = Draft::new(PACKAGE, ACTIVITY, None)
        .add(WidgetKind::Label, &question, "permission_message", None)
        .add(WidgetKind::Button, "Allow", "permission_allow_button", Some(Act::Answer(true)))
        .add(WidgetKind::Button, "Deny", "permission_deny_button", Some(Act::Answer(false)))
        .done();
    page.window.kind = WindowKind::Dialog { cancelable: false };
    page
}

/// A page being written.
struct Draft {
    package: &'static str,
    activity: &'static str,
    title: Option<&'static str>,
    widgets: Vec<Widget>,
    acts: Vec<Option<Act>>,
}

impl Draft {
    fn new(package: &'static str, activity: &'static str, title: Option<&'static str>) -> Self {
        Self { package, activity, title, widgets: Vec::new(), acts: Vec::new() }
    }

    fn add(self, kind: WidgetKind, text: &str, id: &str, act: Option<Act>) -> Self {
        self.at_depth(0, kind, text, id, act)
    }

    fn nested(self, kind: WidgetKind, text: &str, id: &str, act: Option<Act>) -> Self {
        self.at_depth(1, kind, text, id, act)
    }

    fn space(mut self, height: i32) -> Self {
        self = self.add(WidgetKind::Column, "", "", None);
        self.last().height = Some(height);
        self
    }

    /// The last widget is there only when this holds.
    fn when(mut self, visible: Expr) -> Self {
        self.last().visible = Some(visible);
        self
    }

    fn last(&mut self) -> &mut Widget {
        self.widgets.last_mut().expect("a widget was added")
    }

    fn at_depth(mut self, depth: u16, kind: WidgetKind, text: &str, id: &str, act: Option<Act>) -> Self {
        let class = match kind {
            WidgetKind::Button => "android.widget.Button",
            WidgetKind::Image => "android.widget.ImageView",
            WidgetKind::Switch(_) => "android.widget.Switch",
            WidgetKind::Row | WidgetKind::Column => "android.widget.LinearLayout",
            _ => "android.widget.TextView",
        };
        let id: Arc<str> = if id.is_empty() { "".into() } else { format!("{}:id/{id}", self.package).into() };
        self.widgets.push(Widget {
            kind,
            depth,
            class: class.into(),
            id,
            text: Template::Plain(text.into()),
            desc: Template::default(),
            bounds: None,
            height: None,
            visible: None,
            enabled: None,
            handlers: Vec::new(),
        });
        self.acts.push(act);
        self
    }

    fn done(self) -> PageWindow {
        let window = Window {
            name: self.activity.into(),
            activity: ActivityId(0),
            kind: WindowKind::Screen,
            title: self.title.map(|title| Template::Plain(title.into())),
            scrolls: false,
            widgets: self.widgets,
            focus: None,
        };
        PageWindow {
            package: self.package.into(),
            activity: self.activity.into(),
            shape: Shape::of(&window),
            window,
            acts: self.acts,
        }
    }
}
