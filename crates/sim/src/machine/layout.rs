//! Where the widgets of a window stand. Worked out on the fly for every touch and every look, without memory of
//! its own: a walk calls back for each widget that can be seen, in the order in which they are drawn.
//!
//! Content flows downwards. Rows split their width evenly. A list without a height takes what is left of the
//! screen and scrolls; a window may scroll as a whole. What is out of sight is not called back for, and what is
//! partly in sight is cut.

use std::ops::Range;
use std::sync::Arc;

use retap_trace::{Point, Rect, Size};

use super::shape::{Shape, fills};
use super::state::{Scroll, Spot};
use crate::app::{Expr, Scope, WidgetId, WidgetKind, Window, WindowKind};

/// Height of the bar at the top of the display.
const STATUS_BAR: i32 = 63;
/// Height of a title.
const TITLE_BAR: i32 = 147;
/// Room on the left and right of the content.
const SIDE: i32 = 24;
/// Room between two widgets.
pub(super) const GAP: i32 = 8;
/// Lists that share what is left of a screen are never lower than this.
const LOWEST_LIST: i32 = 200;
/// Room that dialogs and menus leave at the edges of the display.
const EDGE: i32 = 24;
const DIALOG_WIDTH: i32 = 960;
const MENU_WIDTH: i32 = 540;
/// Places further away than this are as good as there, and sums of them stay in bounds.
const FAR: Rect = Rect::new(-10_000, -10_000, 10_000, 10_000);

/// A window as it is open now.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) window: &'a Window,
    pub(super) shape: &'a Shape,
    pub(super) scope: Scope<'a>,
    pub(super) scrolls: &'a [Scroll],
    pub(super) focus: Option<Spot>,
    pub(super) display: Size,
}

/// A list row: its text and number.
pub(super) type Row<'a> = Option<(&'a Arc<str>, u32)>;

/// Something that can be seen.
#[derive(Clone, Copy)]
pub(super) struct Placed<'a> {
    pub(super) part: Part,
    /// The widget; of a list row, the list.
    pub(super) widget: WidgetId,
    pub(super) row: Row<'a>,
    /// Levels below the root, counting only what can be seen.
    pub(super) depth: u32,
    pub(super) bounds: Rect,
    /// How far it can be scrolled at all.
    pub(super) reach: i32,
}

/// What a visible thing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// The window itself.
    Root,
    Title,
    /// What scrolls the whole content of a window.
    Scroller,
    Widget,
    /// A list row that holds several widgets, or takes taps.
    Row,
}

/// How high lists without a height are.
#[derive(Clone, Copy)]
pub(super) enum Lists {
    /// As high as this.
    Fill(i32),
    /// As high as their rows, up to a limit.
    Limited,
    /// As high as their rows: something around them scrolls.
    Whole,
}

impl<'a> Scene<'a> {
    /// The place of the window on the display.
    pub(super) fn frame(&self) -> Rect {
        let display = self.display.rect();
        match self.window.kind {
            WindowKind::Screen => display,
            WindowKind::Dialog { .. } => {
                let room = display.bottom - STATUS_BAR - 2 * EDGE;
                let (width, height) =
                    (DIALOG_WIDTH.min(display.right - 2 * EDGE), self.full_height().min(room));
                let (left, top) = ((display.right - width) / 2, (display.bottom + STATUS_BAR - height) / 2);
                Rect::new(left, top, left + width, top + height)
            }
            WindowKind::Menu => {
                let top = STATUS_BAR + EDGE;
                let height = self.full_height().min(display.bottom - top - EDGE);
                Rect::new(display.right - EDGE - MENU_WIDTH, top, display.right - EDGE, top + height)
            }
        }
    }

    /// Height of a dialog or menu with all it holds.
    fn full_height(&self) -> i32 {
        self.title_height() + self.column_height(self.all(), None, Lists::Limited) + 2 * GAP
    }

    fn title_height(&self) -> i32 {
        if self.window.title.is_some() { TITLE_BAR } else { 0 }
    }

    /// Calls back for everything that can be seen, in the order in which it is drawn.
    pub(super) fn walk(&self, see: impl FnMut(&Placed<'a>)) {
        self.walk_at(None, see);
    }

    /// The same, but only for what is at a point: that is much less.
    pub(super) fn walk_at(&self, at: Option<Point>, see: impl FnMut(&Placed<'a>)) {
        let mut walk = Walk { scene: self, at, see };
        let frame = self.frame();
        walk.show(Part::Root, WidgetId(0), None, 0, frame, 0);
        let mut body = frame;
        if self.window.kind == WindowKind::Screen {
            body.top += STATUS_BAR;
        }
        if self.window.title.is_some() {
            walk.show(Part::Title, WidgetId(0), None, 1, Rect { bottom: body.top + TITLE_BAR, ..body }, 0);
            body.top += TITLE_BAR;
        }
        if self.window.kind != WindowKind::Screen {
            body.top += GAP;
        }
        let height = body.bottom - body.top;
        let mut flow = Flow {
            left: body.left + SIDE,
            right: body.right - SIDE,
            top: body.top,
            clip: body,
            depth: 1,
            row: None,
        };
        let mut lists = Lists::Limited;
        if self.window.scrolls {
            let reach = (self.column_height(self.all(), None, Lists::Whole) - height).max(0);
            walk.show(Part::Scroller, WidgetId(0), None, 1, body, reach);
            flow.top -= self.offset(None, reach);
            flow.depth = 2;
            lists = Lists::Whole;
        } else if self.shape.fills {
            lists = Lists::Fill(self.fill(height));
        }
        walk.column(self.all(), flow, GAP, lists);
    }

    /// What each list without a height gets of a screen.
    fn fill(&self, height: i32) -> i32 {
        let others = self.column_height(self.all(), None, Lists::Fill(0));
        let lists = self.children(self.all(), None).filter(|&number| fills(&self.window.widgets[number]));
        let count = i32::try_from(lists.count()).unwrap_or(i32::MAX).max(1);
        ((height - others) / count).max(LOWEST_LIST)
    }

    /// How far a list or the window is scrolled. Content that became shorter is never scrolled past its end.
    pub(super) fn offset(&self, widget: Option<WidgetId>, reach: i32) -> i32 {
        let scroll = self.scrolls.iter().find(|scroll| scroll.widget == widget);
        scroll.map_or(0, |scroll| scroll.offset.clamp(0, reach))
    }

    pub(super) fn all(&self) -> Range<usize> {
        0..self.window.widgets.len()
    }

    /// The widgets in a widget.
    pub(super) fn inside(&self, number: usize) -> Range<usize> {
        number + 1..self.shape.end(number)
    }

    /// The numbers of the visible children in a range, without what is deeper.
    pub(super) fn children(&self, range: Range<usize>, row: Row<'a>) -> impl Iterator<Item = usize> {
        let widgets = &self.window.widgets;
        self.shape.children(range).filter(move |&number| self.holds(widgets[number].visible.as_ref(), row))
    }

    /// Whether a guard holds; one that is absent does.
    pub(super) fn holds(&self, guard: Option<&Expr>, row: Row<'a>) -> bool {
        guard.is_none_or(|guard| guard.truth(&Scope { row, ..self.scope }))
    }

    /// The items of a list, as far as its rows are not endless.
    pub(super) fn items(&self, number: usize) -> &'a [Arc<str>] {
        match &self.window.widgets[number].kind {
            WidgetKind::List(var) => self.scope.vars[var.index()].items(),
            _ => &[],
        }
    }
}

/// Where content flows.
#[derive(Clone, Copy)]
struct Flow<'a> {
    left: i32,
    right: i32,
    top: i32,
    clip: Rect,
    depth: u32,
    row: Row<'a>,
}

struct Walk<'s, 'a, See> {
    scene: &'s Scene<'a>,
    /// The point of interest; none when everything is.
    at: Option<Point>,
    see: See,
}

impl<'a, See: FnMut(&Placed<'a>)> Walk<'_, 'a, See> {
    fn show(&mut self, part: Part, widget: WidgetId, row: Row<'a>, depth: u32, bounds: Rect, reach: i32) {
        if self.at.is_none_or(|at| bounds.contains(at)) {
            (self.see)(&Placed { part, widget, row, depth, bounds, reach });
        }
    }

    /// Whether nothing in an area is of interest.
    fn skips(&self, area: &Rect) -> bool {
        area.is_empty() || self.at.is_some_and(|at| !area.contains(at))
    }

    /// Children one below the other.
    fn column(&mut self, range: Range<usize>, mut flow: Flow<'a>, gap: i32, lists: Lists) {
        let scene = self.scene;
        for number in scene.children(range, flow.row) {
            if let Some(bounds) = scene.window.widgets[number].bounds {
                self.place_fixed(number, bounds, flow);
                continue;
            }
            let height = scene.height(number, flow.row, lists);
            let bounds = Rect::new(flow.left, flow.top, flow.right, flow.top.saturating_add(height));
            self.place(number, bounds, flow, lists);
            flow.top = flow.top.saturating_add(height + gap);
        }
    }

    /// Children side by side, each as wide as the others.
    fn row(&mut self, range: Range<usize>, bounds: Rect, flow: Flow<'a>, lists: Lists) {
        let scene = self.scene;
        let flows = |number: &usize| scene.window.widgets[*number].bounds.is_none();
        let count = scene.children(range.clone(), flow.row).filter(flows).count();
        let count = i32::try_from(count).unwrap_or(i32::MAX).max(1);
        let edge = |nth: i32| bounds.left + (bounds.right - bounds.left) * nth / count;
        let mut nth = 0;
        for number in scene.children(range, flow.row) {
            if let Some(bounds) = scene.window.widgets[number].bounds {
                self.place_fixed(number, bounds, flow);
                continue;
            }
            let cell = Rect::new(edge(nth), bounds.top, edge(nth + 1), bounds.bottom);
            self.place(number, cell, flow, lists);
            nth += 1;
        }
    }

    /// A widget with a place of its own is cut only by the display.
    fn place_fixed(&mut self, number: usize, bounds: Rect, flow: Flow<'a>) {
        let clip = self.scene.display.rect();
        self.place(number, bounds.intersect(&FAR), Flow { clip, ..flow }, Lists::Limited);
    }

    fn place(&mut self, number: usize, bounds: Rect, flow: Flow<'a>, lists: Lists) {
        let seen = cut(&bounds, &flow.clip);
        if self.skips(&seen) && !self.scene.shape.form_of(number).strays {
            return;
        }
        let kind = &self.scene.window.widgets[number].kind;
        if let WidgetKind::List(_) = kind {
            self.list(number, bounds, Flow { clip: seen, ..flow });
            return;
        }
        let mut inner = Flow { left: bounds.left, right: bounds.right, top: bounds.top, clip: seen, ..flow };
        if !seen.is_empty() {
            self.show(Part::Widget, id(number), flow.row, flow.depth, seen, 0);
            inner.depth += 1;
        }
        let inside = self.scene.inside(number);
        if inside.is_empty() {
            return;
        }
        let lists = lists.nested();
        match kind {
            WidgetKind::Row => self.row(inside, bounds, inner, lists),
            _ => self.column(inside, inner, GAP, lists),
        }
    }

    /// A list with those of its rows that are in sight.
    fn list(&mut self, number: usize, bounds: Rect, flow: Flow<'a>) {
        if flow.clip.is_empty() {
            return;
        }
        let scene = self.scene;
        let items = scene.items(number);
        let reach = (scene.rows_height(number) - (bounds.bottom - bounds.top)).max(0);
        let offset = scene.offset(Some(id(number)), reach);
        self.show(Part::Widget, id(number), flow.row, flow.depth, flow.clip, reach);
        let form = scene.shape.form_of(number);
        let mut top = bounds.top - offset;
        let mut first = 0;
        if let Some(height @ 1..) = form.row_height {
            let from = self.at.filter(|_| !form.strays).map_or(flow.clip.top, |at| at.y);
            let hidden = (from - top).max(0) / height;
            first = usize::try_from(hidden).unwrap_or(0);
            top += hidden * height;
        }
        for (index, item) in (0..).zip(items).skip(first) {
            if top >= flow.clip.bottom {
                break;
            }
            let row = Some((item, index));
            let height = scene.row_height(number, row);
            let clip = cut(&Rect { top, bottom: top.saturating_add(height), ..bounds }, &flow.clip);
            self.list_row(number, Flow { left: bounds.left, right: bounds.right, top, clip, row, ..flow });
            top = top.saturating_add(height);
        }
    }

    fn list_row(&mut self, list: usize, mut flow: Flow<'a>) {
        let form = self.scene.shape.form_of(list);
        if flow.clip.is_empty() || (self.skips(&flow.clip) && !form.strays) {
            return;
        }
        flow.depth += 1;
        if form.groups {
            self.show(Part::Row, id(list), flow.row, flow.depth, flow.clip, 0);
            flow.depth += 1;
        }
        self.column(self.scene.inside(list), flow, 0, Lists::Limited);
    }
}

impl Lists {
    /// The rule for lists inside other widgets.
    pub(super) const fn nested(self) -> Self {
        match self {
            Self::Fill(_) | Self::Limited => Self::Limited,
            Self::Whole => Self::Whole,
        }
    }
}

/// The part that both share. The same as [`Rect::intersect`], but it can be inlined here, which counts.
fn cut(one: &Rect, other: &Rect) -> Rect {
    Rect::new(
        one.left.max(other.left),
        one.top.max(other.top),
        one.right.min(other.right),
        one.bottom.min(other.bottom),
    )
}

fn id(number: usize) -> WidgetId {
    WidgetId(u16::try_from(number).expect("widgets are numbered with 16 bits"))
}
