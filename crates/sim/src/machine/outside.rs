//! The world outside the app: home screen, list of tasks, settings, the other apps, permission dialogs, and
//! system events. Its pages are windows of the same kind as the app's; they have acts instead of code.

use std::sync::Arc;

use retap_trace::{Point, SystemEvent};

use super::Turn;
use super::layout::{Part, Scene};
use super::pages;
use super::program::Program;
use super::shape::Shape;
use super::state::{Front, Recent, State, View};
use super::work::Work;
use crate::app::{App, Gesture, OutsideApp, PermissionId, Scope, Value, Window};

/// A page outside the app.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Page {
    Launcher,
    Recents,
    Settings,
    SettingsNetwork,
    Browser,
    Camera,
    Share,
    Permission(PermissionId),
}

/// What a widget of a page does when it is tapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    LaunchApp,
    OpenSettings,
    /// Goes to another page of the same app.
    Go(Page),
    ToggleNetwork,
    /// Goes back, as the back key does.
    Back,
    /// Answers the question for a permission.
    Answer(bool),
}

/// A page as a window, with what its widgets do.
#[derive(Debug)]
pub(super) struct PageWindow {
    pub(super) package: Arc<str>,
    pub(super) activity: Arc<str>,
    pub(super) window: Window,
    pub(super) shape: Shape,
    pub(super) acts: Vec<Option<Act>>,
}

/// The pages, and the words that every tree needs. Built once for an app, so that looks only share them.
#[derive(Debug)]
pub(super) struct System {
    /// The pages that every phone has, in the order of [`Page`].
    fixed: Vec<PageWindow>,
    permissions: Vec<PageWindow>,
    pub(super) empty: Arc<str>,
    pub(super) screen_title: Arc<str>,
    pub(super) dialog_title: Arc<str>,
    frame: Arc<str>,
    words: Arc<str>,
    scroller: Arc<str>,
    group: Arc<str>,
}

/// What the guards of pages see, for each combination: there is a network, the app has a task, settings are open.
static PAGE_VARS: [[Value; 3]; 8] = [
    page_vars(0),
    page_vars(1),
    page_vars(2),
    page_vars(3),
    page_vars(4),
    page_vars(5),
    page_vars(6),
    page_vars(7),
];

const fn page_vars(bits: u8) -> [Value; 3] {
    [Value::Bool(bits & 1 != 0), Value::Bool(bits & 2 != 0), Value::Bool(bits & 4 != 0)]
}

impl Page {
    pub(super) const fn of(app: OutsideApp) -> Self {
        match app {
            OutsideApp::Settings => Self::Settings,
            OutsideApp::Browser => Self::Browser,
            OutsideApp::Camera => Self::Camera,
            OutsideApp::Share => Self::Share,
        }
    }
}

impl System {
    pub(super) fn new(app: &App) -> Self {
        Self {
            fixed: pages::fixed(app),
            permissions: (0..)
                .map(PermissionId)
                .zip(&app.permissions)
                .map(|(_, name)| pages::permission(app, name))
                .collect(),
            empty: "".into(),
            screen_title: "android:id/action_bar_title".into(),
            dialog_title: "android:id/alertTitle".into(),
            frame: "android.widget.FrameLayout".into(),
            words: "android.widget.TextView".into(),
            scroller: "android.widget.ScrollView".into(),
            group: "android.view.ViewGroup".into(),
        }
    }

    pub(super) fn page(&self, page: Page) -> &PageWindow {
        let number = match page {
            Page::Launcher => 0,
            Page::Recents => 1,
            Page::Settings => 2,
            Page::SettingsNetwork => 3,
            Page::Browser => 4,
            Page::Camera => 5,
            Page::Share => 6,
            Page::Permission(permission) => return &self.permissions[permission.index()],
        };
        &self.fixed[number]
    }

    /// The class of what is not a widget of the app.
    pub(super) const fn class(&self, part: Part) -> &Arc<str> {
        match part {
            Part::Root => &self.frame,
            Part::Title => &self.words,
            Part::Scroller => &self.scroller,
            Part::Row | Part::Widget => &self.group,
        }
    }
}

impl State {
    pub(super) fn page_scene<'a>(&'a self, program: &'a Program, page: Page) -> Scene<'a> {
        let PageWindow { window, shape, .. } = program.system.page(page);
        let bits = usize::from(self.online)
            | usize::from(!self.task.stack.is_empty()) << 1
            | usize::from(self.settings.is_some()) << 2;
        let scope = Scope { vars: &PAGE_VARS[bits], ..self.scope(program, None) };
        Scene { window, shape, scope, scrolls: &[], focus: None, display: self.screen() }
    }
}

impl Turn<'_> {
    pub(super) fn touch_page(&mut self, at: Point, gestures: &[Gesture]) {
        let View::Page(page) = self.state.view else { return };
        if !gestures.contains(&Gesture::Tap) {
            return;
        }
        let hit = self.state.scene(self.program).hit(at, &[Gesture::Tap]);
        let act = hit.and_then(|hit| self.program.system.page(page).acts[hit.widget.index()]);
        match act {
            Some(Act::LaunchApp) => self.launch(),
            Some(Act::OpenSettings) => self.open_settings(),
            Some(Act::Go(to)) => self.turn_page(to),
            Some(Act::ToggleNetwork) => self.set_online(!self.state.online),
            Some(Act::Answer(allow)) => self.answer(allow),
            Some(Act::Back) => self.back_on_page(),
            None => {}
        }
    }

    /// The settings come to the front, on the page where they were left.
    pub(super) fn open_settings(&mut self) {
        self.state.settings = self.state.settings.or(Some(Page::Settings));
        self.bring(Front::Settings);
    }

    /// Back, on a page outside the app.
    pub(super) fn back_on_page(&mut self) {
        let View::Page(page) = self.state.view else { return };
        match (page, self.state.front) {
            (Page::SettingsNetwork, _) => self.turn_page(Page::Settings),
            (Page::Permission(_), _) => self.answer(false),
            (Page::Recents, Front::Recents(from)) => self.bring(match from {
                Recent::Launcher => Front::Launcher,
                Recent::Settings => Front::Settings,
                Recent::App => Front::App,
            }),
            (_, Front::Settings) => {
                self.state.settings = None;
                self.bring(Front::Launcher);
            }
            (_, Front::App) => {
                self.state.task.guest = None;
                self.follow();
            }
            _ => {}
        }
    }

    /// The home key.
    pub(super) fn go_home(&mut self) {
        self.bring(Front::Launcher);
    }

    /// The key for the list of tasks; pressed again, it goes to the latest task.
    pub(super) fn switch_tasks(&mut self) {
        let from = match self.state.front {
            Front::Launcher => Recent::Launcher,
            Front::Settings => Recent::Settings,
            Front::App => Recent::App,
            Front::Recents(_) if !self.state.task.stack.is_empty() => return self.bring(Front::App),
            Front::Recents(_) => return self.back_on_page(),
        };
        self.bring(Front::Recents(from));
    }

    fn bring(&mut self, front: Front) {
        self.state.go_to(front);
        self.follow();
    }

    fn turn_page(&mut self, page: Page) {
        match self.state.front {
            Front::Settings => self.state.settings = Some(page),
            _ => self.state.task.guest = Some(page),
        }
        self.follow();
    }

    fn follow(&mut self) {
        // A crash leaves nothing to do here.
        let _ = self.update();
    }

    /// Something happens outside the app. Those who listen are told, if the process is alive.
    pub(super) fn broadcast(&mut self, event: &SystemEvent) {
        let extra = |name: &str| event.extras.get(name).map(String::as_str);
        match event.action.as_str() {
            CONNECTIVITY => match extra("connected") {
                Some("true") => self.state.online = true,
                Some("false") => self.state.online = false,
                _ => {}
            },
            "android.intent.action.AIRPLANE_MODE" => match extra("state") {
                Some("true") => self.state.online = false,
                Some("false") => self.state.online = true,
                _ => {}
            },
            "am:force-stop" => {
                self.state.end_process(self.program);
                return self.state.go_to(Front::Launcher);
            }
            "am:start" => {
                let named = extra("component").and_then(|component| self.program.app.exported(component));
                return named.map_or((), |activity| self.start_activity(activity));
            }
            _ => {}
        }
        self.tell_receivers(&event.action);
    }

    fn set_online(&mut self, online: bool) {
        self.state.online = online;
        self.tell_receivers(CONNECTIVITY);
    }

    fn tell_receivers(&mut self, action: &str) {
        if self.state.process.is_some() {
            for (_, block) in self.program.app.receivers.iter().filter(|(on, _)| **on == *action) {
                self.state.thread.works.add(self.state.now, Work::Receive(*block));
            }
        }
    }
}

/// What the system says when the network comes or goes.
const CONNECTIVITY: &str = "android.net.conn.CONNECTIVITY_CHANGE";
