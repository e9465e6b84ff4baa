//! The sketch of an app: its screens and the ways between them, before there is any text.
//!
//! Screens form a tree: each but the first is reached through a door on its parent, and a parent has a lower
//! number than its children. Links come on top and make it a graph.

use super::words::snake;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ScreenId(pub(super) usize);

/// Number of a switch that opens ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ToggleId(pub(super) usize);

/// The screen that the app starts with.
pub(super) const ROOT: ScreenId = ScreenId(0);

/// An app in outline.
#[derive(Debug, Default)]
pub(super) struct Sketch {
    pub(super) screens: Vec<Screen>,
    /// Switches that open ways, by their names: `Advanced`.
    pub(super) toggles: Vec<String>,
}

/// A screen in outline.
#[derive(Debug)]
pub(super) struct Screen {
    /// `TripList`; of the root, `Home`.
    pub(super) name: String,
    /// What it is about, which its children often are too.
    pub(super) noun: &'static str,
    pub(super) role: Role,
    pub(super) parent: Option<ScreenId>,
    /// How its parent leads here.
    pub(super) door: Door,
    /// The screens whose parent it is.
    pub(super) children: Vec<ScreenId>,
    /// The screen that its activity begins with: itself, or the one that it is a further tab of.
    pub(super) head: ScreenId,
    /// The switch that opens its door.
    pub(super) gate: Option<ToggleId>,
    /// The switch that opens its door or the door of a screen before it.
    pub(super) behind: Option<ToggleId>,
    pub(super) menu: bool,
    pub(super) dialog: bool,
    pub(super) form: Option<Form>,
    pub(super) links: Vec<Link>,
    /// The switches that stand on it.
    pub(super) switches: Vec<ToggleId>,
    /// What else it has buttons for.
    pub(super) extras: Vec<Extra>,
}

/// What a screen is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    Hub,
    List,
    Detail,
    Form,
    Settings,
}

/// How a parent leads to a child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Door {
    Button,
    /// A small button among others of its size.
    Tile,
    /// A row of the list.
    Row,
    Menu,
    /// The button of a dialog.
    Dialog,
    /// The button that ends a form.
    Submit,
    /// A swipe over a picture.
    Swipe,
    LongTap,
    Tab,
}

/// A form that lets nobody through easily.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Form {
    /// What must be filled before its button works.
    pub(super) needs: Vec<Need>,
    /// Whether its button is below the lower edge of the display.
    pub(super) out_of_sight: bool,
    /// Fields that nobody needs.
    pub(super) fillers: usize,
}

/// What a form needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    Field(&'static str),
    Box(&'static str),
}

/// A way to a screen that is not its child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) kind: LinkKind,
    pub(super) to: ScreenId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LinkKind {
    /// To the neighbour, and from the last one to the first.
    Next,
    /// To itself once more, as into a folder of a folder.
    Again,
    /// To anywhere.
    Also,
}

/// What a screen may have a button for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extra {
    /// Puts an item into the list.
    Add,
    /// Asks the network.
    Refresh,
    /// Leaves for the list of apps to share with.
    Share,
    /// Leaves for the browser.
    Browse,
    /// Takes a picture, if it may.
    Camera,
    /// Does nothing.
    Idle(&'static str),
}

impl Sketch {
    pub(super) fn screen(&self, id: ScreenId) -> &Screen {
        &self.screens[id.0]
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = ScreenId> + use<> {
        (0..self.screens.len()).map(ScreenId)
    }

    /// Whether an activity begins with this screen.
    pub(super) fn is_head(&self, id: ScreenId) -> bool {
        self.screen(id).head == id
    }

    /// The screens of an activity, the one that it begins with first.
    pub(super) fn tabs(&self, head: ScreenId) -> Vec<ScreenId> {
        let further =
            self.screen(head).children.iter().filter(|&&child| self.screen(child).door == Door::Tab);
        std::iter::once(head).chain(further.copied()).collect()
    }

    /// The children behind doors of this kind.
    pub(super) fn behind_doors(&self, id: ScreenId, door: Door) -> impl Iterator<Item = ScreenId> + '_ {
        self.screen(id).children.iter().copied().filter(move |&child| self.screen(child).door == door)
    }

    /// A name in the style of resource ids that no other screen has: `trip_list_` and what it is for.
    pub(super) fn id(&self, screen: ScreenId, what: &str) -> String {
        format!("{}_{what}", snake(&self.screen(screen).name))
    }

    /// The id of the widget that leads to a child.
    pub(super) fn door_id(&self, child: ScreenId) -> String {
        let Some(parent) = self.screen(child).parent else { return String::new() };
        match self.screen(child).door {
            Door::Row => self.id(parent, "row"),
            Door::Submit => self.id(parent, "done"),
            Door::Dialog => self.id(parent, "ok"),
            Door::Tab => self.tab_id(parent, child),
            Door::Button | Door::Tile | Door::Menu | Door::Swipe | Door::LongTap => {
                self.id(parent, &format!("to_{}", snake(&self.screen(child).name)))
            }
        }
    }

    /// The id of the widget on one tab that shows another.
    pub(super) fn tab_id(&self, from: ScreenId, to: ScreenId) -> String {
        self.id(from, &format!("tab_{}", snake(&self.screen(to).name)))
    }

    /// The id of the button of a link.
    pub(super) fn link_id(&self, from: ScreenId, link: Link) -> String {
        match link.kind {
            LinkKind::Next => self.id(from, "next"),
            LinkKind::Again => self.id(from, "again"),
            LinkKind::Also => self.id(from, "link"),
        }
    }

    /// The variable of a switch.
    pub(super) fn toggle_var(&self, toggle: ToggleId) -> String {
        format!("{}_mode", snake(&self.toggles[toggle.0]))
    }
}

impl Need {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Field(word) | Self::Box(word) => word,
        }
    }
}

impl Role {
    /// The end of the names of such screens.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Hub => "Overview",
            Self::List => "List",
            Self::Detail => "Detail",
            Self::Form => "Form",
            Self::Settings => "Settings",
        }
    }

    /// Children that such a screen has room for, further tabs not counted.
    pub(super) const fn capacity(self) -> usize {
        match self {
            Self::Hub => 12,
            Self::List | Self::Detail => 3,
            Self::Settings => 2,
            Self::Form => 1,
        }
    }
}
