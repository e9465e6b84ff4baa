//! Runs against the share of good answers as a picture: a panel for each table, a mark for each tool.

use std::fmt::Write as _;

use super::summary::Group;
use super::tool::{Family, Tool};
use clap::ValueEnum as _;

const PANEL: (f64, f64) = (236.0, 168.0);
const LEFT: f64 = 60.0;
const TOP: f64 = 66.0;
const GAP: (f64, f64) = (34.0, 62.0);
/// Room above 100 % and below 0 %, for marks that stand there.
const MARGIN: f64 = 10.0;
/// Marks that are closer than this in both directions would cover each other.
const APART: f64 = 9.0;
const COLUMNS: usize = 4;
/// Colours that people with any kind of sight can tell apart; shapes tell families apart.
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/// The decades of runs that all panels show.
#[derive(Debug, Clone, Copy)]
struct Decades {
    from: i32,
    to: i32,
}

/// The picture.
pub(super) fn plot(groups: &[Group]) -> String {
    let decades = Decades::of(groups);
    let places = places(groups);
    let rows = places.iter().map(|(row, _)| row + 1).max().unwrap_or(0);
    let width = left_of(COLUMNS);
    let under = top_of(rows) + 6.0;
    let height = under + 84.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    text(&mut svg, (LEFT, 24.0), "start", 15, "Reducers through one oracle (models, not real apps)");
    let words = "share of answers that hold at least 9 times in 10, against mean runs; a stem begins where its mark belongs";
    text(&mut svg, (LEFT, 42.0), "start", 12, words);
    for (group, (row, column)) in groups.iter().zip(&places) {
        panel(&mut svg, (left_of(*column), top_of(*row)), group, decades, *column == 0);
    }
    legend(&mut svg, under, groups);
    svg.push_str("</svg>\n");
    svg
}

/// A row for all traces, and one for each variant of lists.
fn places(groups: &[Group]) -> Vec<(usize, usize)> {
    let mut places: Vec<(usize, usize)> = Vec::new();
    for (nth, group) in groups.iter().enumerate() {
        let next = match (places.last(), nth.checked_sub(1).map(|before| &groups[before])) {
            (Some(&(row, column)), Some(before)) => {
                let same = group.list_length.is_none() || before.variant == group.variant;
                if same && column + 1 < COLUMNS { (row, column + 1) } else { (row + 1, 0) }
            }
            _ => (0, 0),
        };
        places.push(next);
    }
    places
}

impl Decades {
    fn of(groups: &[Group]) -> Self {
        let runs = groups.iter().flat_map(|group| &group.rows).map(|row| row.mean.runs);
        let runs = runs.filter(|&runs| runs > 0.0).chain(groups.iter().filter_map(limit));
        let runs: Vec<f64> = runs.map(|runs| runs.max(1.0).log10()).collect();
        let least = runs.iter().copied().fold(f64::INFINITY, f64::min);
        let most = runs.iter().copied().fold(0.0, f64::max);
        #[expect(clippy::cast_possible_truncation, reason = "a handful of decades")]
        let (from, to) = (least.min(most).floor() as i32, most.ceil() as i32);
        Self { from, to: to.max(from + 1) }
    }

    /// How far to the right so many runs are, from 0 to 1.
    fn share(self, runs: f64) -> f64 {
        (runs.max(1.0).log10() - f64::from(self.from)) / f64::from(self.to - self.from)
    }
}

/// The fewest runs that can do, on average over how many events are needed.
#[expect(clippy::cast_precision_loss, reason = "four of them")]
fn limit(group: &Group) -> Option<f64> {
    (!group.limits.is_empty()).then(|| group.limits.iter().sum::<f64>() / group.limits.len() as f64)
}

fn panel(svg: &mut String, (left, top): (f64, f64), group: &Group, decades: Decades, first: bool) {
    let (width, height) = PANEL;
    let (right, bottom) = (left + width, top + height);
    text(svg, (left + width / 2.0, top - 7.0), "middle", 13, &group.title());
    for percent in [0, 25, 50, 75, 100] {
        let y = height_of(top, f64::from(percent) / 100.0);
        let _ = writeln!(svg, "<path d=\"M{left:.1} {y:.1}H{right:.1}\" stroke=\"#e4e4e4\"/>");
        if first {
            text(svg, (left - 7.0, y + 4.0), "end", 11, &format!("{percent} %"));
        }
    }
    for decade in decades.from..=decades.to {
        let x = left + width * decades.share(10_f64.powi(decade));
        let _ = writeln!(svg, "<path d=\"M{x:.1} {top:.1}V{:.1}\" stroke=\"#e4e4e4\"/>", bottom + 4.0);
        let runs = 10_u64.pow(decade.unsigned_abs());
        let label = if runs < 1000 { runs.to_string() } else { format!("{}k", runs / 1000) };
        text(svg, (x, bottom + 17.0), "middle", 11, &label);
    }
    text(svg, (left + width / 2.0, bottom + 33.0), "middle", 11, "runs");
    if let Some(limit) = limit(group) {
        let x = left + width * decades.share(limit);
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.1} {top:.1}V{bottom:.1}\" stroke=\"#777777\" stroke-dasharray=\"4 3\"/>"
        );
        text(svg, (x - 4.0, bottom - 6.0), "end", 10, "limit");
    }
    let _ = writeln!(
        svg,
        "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width}\" height=\"{height}\" fill=\"none\" stroke=\"#555555\"/>"
    );
    marks(svg, (left, top), group, decades);
}

/// The marks of a panel. One that would cover another hangs by a stem from where it belongs.
fn marks(svg: &mut String, (left, top): (f64, f64), group: &Group, decades: Decades) {
    let mut placed: Vec<(f64, f64, Tool)> = Vec::new();
    for row in group.rows.iter().filter(|row| row.mean.runs > 0.0) {
        let x = left + PANEL.0 * decades.share(row.mean.runs);
        let from = height_of(top, row.mean.share);
        let step = if row.mean.share < 0.5 { -1.0 } else { 1.0 };
        let mut y = from;
        while placed.iter().any(|other| (other.0 - x).abs() < APART && (other.1 - y).abs() < APART) {
            y += step;
        }
        let _ = writeln!(svg, "<path d=\"M{x:.1} {from:.1}V{y:.1}\" stroke=\"#777777\"/>");
        placed.push((x, y, row.tool));
    }
    for (x, y, tool) in placed {
        mark(svg, (x, y), tool);
    }
}

fn height_of(top: f64, share: f64) -> f64 {
    top + MARGIN + (PANEL.1 - 2.0 * MARGIN) * (1.0 - share)
}

/// A circle for other people's tools, a square for the papers' algorithms, a diamond for ours.
fn mark(svg: &mut String, (x, y): (f64, f64), tool: Tool) {
    let family = tool.family();
    let members = Tool::value_variants().iter().filter(|other| other.family() == family);
    let place = members.take_while(|other| **other != tool).count();
    let colour = COLOURS[place % COLOURS.len()];
    let style = format!("fill=\"{colour}\" fill-opacity=\"0.85\" stroke=\"#ffffff\" stroke-width=\"0.8\"");
    let _ = match family {
        Family::Peer => writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" {style}/>"),
        Family::Paper => {
            let (x, y) = (x - 4.2, y - 4.2);
            writeln!(svg, "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"8.4\" height=\"8.4\" {style}/>")
        }
        Family::Ours => {
            writeln!(svg, "<path d=\"M{x:.1} {y:.1}m0 -7l7 7l-7 7l-7 -7z\" {style}/>")
        }
    };
}

/// The tools that are in the picture, a line for each family.
fn legend(svg: &mut String, top: f64, groups: &[Group]) {
    let seen = |tool: &&Tool| groups.iter().flat_map(|group| &group.rows).any(|row| row.tool == **tool);
    let families = [
        (Family::Peer, "other tools"),
        (Family::Paper, "papers' algorithms in retap"),
        (Family::Ours, "retap by default"),
    ];
    for ((family, words), y) in families.into_iter().zip([top, top + 26.0, top + 52.0]) {
        let tools: Vec<&Tool> =
            Tool::value_variants().iter().filter(|tool| tool.family() == family).filter(seen).collect();
        if tools.is_empty() {
            continue;
        }
        text(svg, (LEFT, y + 4.0), "start", 12, &format!("{words}:"));
        let mut x = LEFT + 190.0;
        for tool in tools {
            mark(svg, (x, y), *tool);
            text(svg, (x + 10.0, y + 4.0), "start", 12, tool.name());
            let letters = u32::try_from(tool.name().len()).map_or(0.0, f64::from);
            x += 34.0 + 6.6 * letters;
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "four columns")]
fn left_of(column: usize) -> f64 {
    LEFT + column as f64 * (PANEL.0 + GAP.0)
}

#[expect(clippy::cast_precision_loss, reason = "few rows")]
fn top_of(row: usize) -> f64 {
    TOP + 14.0 + row as f64 * (PANEL.1 + GAP.1)
}

fn text(svg: &mut String, (x, y): (f64, f64), anchor: &str, size: u32, words: &str) {
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"{size}\">{words}</text>"
    );
}
