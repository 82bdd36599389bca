//! A scan as a picture: SVG 1.1, nothing from elsewhere, readable without colours.

use std::fmt::Write as _;

use super::Mark;
use super::scale::Step;
use crate::layout::Grid;

/// Pixels from one pin to the next.
const PITCH: f64 = 46.0;
/// The radius of a pin.
const RADIUS: f64 = 19.0;
/// Pixels around the pins.
const MARGIN: f64 = 40.0;
/// Pixels for the title.
const HEAD: f64 = 64.0;
/// Pixels of one line of the legend.
const LINE: f64 = 24.0;
/// The narrowest picture: legend and title need it.
const NARROW: f64 = 420.0;
/// Letters of a title in the narrowest picture.
const LETTERS: f64 = 46.0;

/// A picture.
pub(super) struct Picture {
    pub(super) text: String,
    pub(super) width: u32,
    pub(super) height: u32,
}

/// Draws the marks as they lie on the ground, north above.
pub(super) fn picture(grid: &Grid, marks: &[Mark], steps: &[Step], title: &str, date: &str, differs: bool) -> Picture {
    let scale = PITCH / f64::from(grid.spacing_m);
    let most = |of: fn(&Mark) -> f64| marks.iter().map(|it| of(it).abs()).fold(0.0, f64::max) * scale;
    let (half_width, half_height) = (most(|it| it.east) + RADIUS, most(|it| it.north) + RADIUS);
    let width = (2.0 * (half_width + MARGIN)).max(NARROW);
    let ground = 2.0 * (half_height + MARGIN);
    let rows = steps.len().div_ceil(2);
    let height = HEAD + ground + 20.0 + LINE * f64::from(u32::try_from(rows).unwrap_or(0)) + 16.0;
    let (middle, level) = (width / 2.0, HEAD + ground / 2.0);
    let what = if differs { "Change of map ranks" } else { "Map ranks" };
    let mut out = String::new();
    let mut add = |text: std::fmt::Arguments<'_>| out.write_fmt(text).expect("a string grows");
    add(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" \
         font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif\">"
    ));
    let shown = shortened(title, LETTERS * width / NARROW);
    add(format_args!("<title>{} {}, {}</title>", what, escaped(title), escaped(date)));
    add(format_args!("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>"));
    add(format_args!(
        "<text x=\"20\" y=\"30\" font-size=\"16\" font-weight=\"600\" fill=\"#1a1a1a\">{}</text>",
        escaped(&shown)
    ));
    add(format_args!("<text x=\"20\" y=\"50\" font-size=\"12\" fill=\"#555555\">{what}, {}</text>", escaped(date)));
    for mark in marks {
        let (x, y) = (middle + mark.east * scale, level - mark.north * scale);
        add(format_args!(
            "<g><title>{}</title><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\" fill=\"{}\" stroke=\"#6b6b6b\" stroke-width=\"1\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"13\" font-weight=\"600\" text-anchor=\"middle\" fill=\"{}\">{}</text></g>",
            escaped(&mark.words),
            mark.step.colour,
            y + 4.5,
            mark.step.ink,
            escaped(&mark.label),
        ));
    }
    // The business: a ring that leaves its own rank readable.
    add(format_args!(
        "<circle cx=\"{middle:.1}\" cy=\"{level:.1}\" r=\"{:.1}\" fill=\"none\" stroke=\"#1a1a1a\" stroke-width=\"2.5\"/>",
        RADIUS + 2.5
    ));
    north(&mut add, width);
    rule(&mut add, grid, HEAD + ground);
    let top = HEAD + ground + 20.0;
    for (at, step) in steps.iter().enumerate() {
        let (column, row) = (at / rows, at % rows);
        let x = 20.0 + column_offset(column, width);
        let y = top + LINE * f64::from(u32::try_from(row).unwrap_or(0));
        add(format_args!(
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"8\" fill=\"{}\" stroke=\"#6b6b6b\"/><text x=\"{:.1}\" y=\"{:.1}\" font-size=\"12\" fill=\"#1a1a1a\">{}</text>",
            x + 8.0,
            y + 8.0,
            step.colour,
            x + 24.0,
            y + 12.5,
            escaped(step.means),
        ));
    }
    add(format_args!("</svg>"));
    Picture { text: out, width: pixels(width), height: pixels(height) }
}

fn column_offset(column: usize, width: f64) -> f64 {
    if column == 0 { 0.0 } else { (width - 40.0) / 2.0 }
}

/// An arrow to the north.
fn north(add: &mut impl FnMut(std::fmt::Arguments<'_>), width: f64) {
    let x = width - 28.0;
    add(format_args!(
        "<path d=\"M{x:.1} 18 l7 18 l-7 -5 l-7 5 z\" fill=\"#1a1a1a\"/><text x=\"{x:.1}\" y=\"51\" font-size=\"12\" text-anchor=\"middle\" fill=\"#1a1a1a\">N</text>"
    ));
}

/// How long the way to the next pin is.
fn rule(add: &mut impl FnMut(std::fmt::Arguments<'_>), grid: &Grid, y: f64) {
    let (from, to) = (20.0, 20.0 + PITCH);
    let words = if grid.spacing_m >= 1_000 {
        format!("{} km", f64::from(grid.spacing_m) / 1_000.0)
    } else {
        format!("{} m", grid.spacing_m)
    };
    add(format_args!(
        "<path d=\"M{from} {:.1} v8 M{from} {:.1} H{to} M{to} {:.1} v8\" stroke=\"#1a1a1a\" fill=\"none\"/><text x=\"{:.1}\" y=\"{:.1}\" font-size=\"12\" fill=\"#1a1a1a\">{words}</text>",
        y - 14.0,
        y - 10.0,
        y - 14.0,
        to + 8.0,
        y - 6.0,
    ));
}

fn pixels(length: f64) -> u32 {
    length.round().clamp(0.0, 10_000.0) as u32
}

/// At most so many letters, the rest as three dots.
fn shortened(text: &str, most: f64) -> String {
    let most = most as usize;
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// As XML takes it in text and attributes; what XML 1.0 forbids is left out.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => {}
            letter => out.push(letter),
        }
    }
    out
}
