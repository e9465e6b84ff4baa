//! Coverage over time as a picture: one panel for each group of apps, one curve for each strategy.

use std::fmt::Write as _;

use super::comparison::{Group, Line};
use super::trial::SAMPLES;

const PANEL: (f64, f64) = (400.0, 300.0);
const LEFT: f64 = 64.0;
const TOP: f64 = 56.0;
const GAP: f64 = 48.0;
const BELOW: f64 = 96.0;
/// Colours that people with any kind of sight can tell apart.
const COLOURS: [&str; 12] = [
    "#56b4e9", "#e69f00", "#cc79a7", "#009e73", "#d55e00", "#0072b2", "#000000", "#999999", "#f0e442",
    "#8c510a", "#5ab4ac", "#762a83",
];
const PANELS: [Group; 2] = [Group::Traps, Group::Plain];

/// The picture.
pub(super) fn plot(lines: &[Line], hours: f64) -> String {
    let (width, height) = (LEFT + 2.0 * PANEL.0 + GAP + 24.0, TOP + PANEL.1 + BELOW);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    text(
        &mut svg,
        (LEFT, 22.0),
        "start",
        15,
        "Coverage over time (synthetic: generated apps on simulated phones)",
    );
    for (nth, group) in PANELS.into_iter().enumerate() {
        let left = if nth == 0 { LEFT } else { LEFT + PANEL.0 + GAP };
        let curves: Vec<&Line> = lines.iter().filter(|line| line.group == group).collect();
        panel(&mut svg, left, &format!("Apps {} dead ends and loops", with(group)), hours);
        for (line, colour) in curves.iter().zip(COLOURS) {
            curve(&mut svg, left, &line.curve, colour);
        }
    }
    let middle = TOP + PANEL.1 / 2.0;
    let _ = writeln!(
        svg,
        "<text transform=\"translate(18 {middle}) rotate(-90)\" text-anchor=\"middle\">share of the app's code, \
         %</text>"
    );
    let names = lines.iter().filter(|line| line.group == PANELS[0]).map(|line| line.strategy);
    legend(&mut svg, names);
    svg.push_str("</svg>\n");
    svg
}

const fn with(group: Group) -> &'static str {
    match group {
        Group::Plain => "without",
        Group::Traps | Group::All => "with",
    }
}

/// The frame of a panel: its title, its axes, and lines to read values by.
fn panel(svg: &mut String, left: f64, title: &str, hours: f64) {
    text(svg, (left + PANEL.0 / 2.0, TOP - 8.0), "middle", 13, title);
    for percent in [0, 20, 40, 60, 80, 100] {
        let y = height_of(f64::from(percent) / 100.0);
        let right = left + PANEL.0;
        let _ = writeln!(svg, "<path d=\"M{left} {y:.1}H{right}\" stroke=\"#dddddd\"/>");
        text(svg, (left - 6.0, y + 4.0), "end", 11, &percent.to_string());
    }
    for part in 0..=6 {
        let share = f64::from(part) / 6.0;
        let x = left + share * PANEL.0;
        let (from, to) = (TOP + PANEL.1, TOP + PANEL.1 + 5.0);
        let _ = writeln!(svg, "<path d=\"M{x:.1} {from}V{to}\" stroke=\"#333333\"/>");
        let label = format!("{:.1}", hours * share);
        text(svg, (x, to + 13.0), "middle", 11, label.trim_end_matches(".0"));
    }
    let (width, height) = PANEL;
    let _ = writeln!(
        svg,
        "<rect x=\"{left}\" y=\"{TOP}\" width=\"{width}\" height=\"{height}\" fill=\"none\" stroke=\"#333333\"/>"
    );
    text(svg, (left + width / 2.0, TOP + height + 36.0), "middle", 12, "device time, hours (virtual)");
}

#[expect(clippy::cast_precision_loss, reason = "there are few samples")]
fn curve(svg: &mut String, left: f64, curve: &[f64], colour: &str) {
    let point = |(nth, &share): (usize, &f64)| {
        let x = left + PANEL.0 * nth as f64 / SAMPLES as f64;
        format!("{x:.1},{:.1}", height_of(share))
    };
    let points: Vec<String> = curve.iter().enumerate().map(point).collect();
    let _ = writeln!(
        svg,
        "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" points=\"{}\"/>",
        points.join(" ")
    );
}

fn legend<'a>(svg: &mut String, names: impl Iterator<Item = &'a str>) {
    let y = TOP + PANEL.1 + 70.0;
    let mut x = LEFT;
    for (name, colour) in names.zip(COLOURS) {
        let to = x + 18.0;
        let _ = writeln!(svg, "<path d=\"M{x:.0} {y}H{to:.0}\" stroke=\"{colour}\" stroke-width=\"3\"/>");
        text(svg, (to + 5.0, y + 4.0), "start", 12, name);
        let letters = u32::try_from(name.len()).map_or(0.0, f64::from);
        x = to + 20.0 + 6.2 * letters;
    }
}

fn height_of(share: f64) -> f64 {
    TOP + PANEL.1 * (1.0 - share)
}

fn text(svg: &mut String, (x, y): (f64, f64), anchor: &str, size: u32, words: &str) {
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"{size}\">{words}</text>"
    );
}
