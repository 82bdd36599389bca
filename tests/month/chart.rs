//! A picture of a month: what each day had as its share, and what was asked for on it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// One campaign.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    /// Invitations that were bought for a day.
    pub(crate) per_day: u32,
    /// Days that were bought.
    pub(crate) days: u32,
    /// Invitations that the panel was asked for, by the number of the day.
    pub(crate) asked: BTreeMap<u32, u32>,
}

/// Pixels: of a day across, of a day's share upwards, and around a row.
const DAY: u32 = 22;
const SHARE: u32 = 120;
const MARGIN: u32 = 46;

/// Writes `target/campaigns/month.svg`.
///
/// # Panics
/// When the folder cannot be written.
pub(crate) fn write(rows: &[Row]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace").join("target/campaigns");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("month.svg"), svg(rows)).expect("a picture");
}

fn svg(rows: &[Row]) -> String {
    let last = |row: &Row| row.asked.keys().last().map_or(0, |day| day + 1).max(row.days);
    let days = rows.iter().map(last).max().unwrap_or(0);
    let (width, height) = (2 * MARGIN + days * DAY, (SHARE + 2 * MARGIN) * u32::try_from(rows.len()).unwrap_or(0));
    let mut svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' font-family='sans-serif' font-size='11'>\
         <rect width='{width}' height='{height}' fill='#fff'/>"
    );
    for (row, top) in rows.iter().zip((0..).step_by((SHARE + 2 * MARGIN) as usize)) {
        draw(&mut svg, row, top, days);
    }
    svg + "</svg>\n"
}

fn draw(svg: &mut String, row: &Row, top: u32, days: u32) {
    let Row { name, per_day, days: bought, asked } = row;
    let base = top + MARGIN + SHARE;
    let sum: u32 = asked.values().sum();
    let whole = per_day * bought;
    let _ = write!(
        svg,
        "<text x='{MARGIN}' y='{}' font-size='13'>{name}: {sum} of {whole} invitations; planned (outline), asked for \
         (filled)</text><text x='{}' y='{}' text-anchor='end'>{per_day}</text><text x='{}' y='{base}' \
         text-anchor='end'>0</text>",
        top + 24,
        MARGIN - 6,
        base - SHARE + 8,
        MARGIN - 6
    );
    for day in 0..days {
        let x = MARGIN + day * DAY;
        if day < *bought {
            let _ = write!(
                svg,
                "<rect x='{x}' y='{}' width='{}' height='{SHARE}' fill='none' stroke='#56b4e9'/>",
                base - SHARE,
                DAY - 4
            );
        }
        let tall = asked.get(&day).copied().unwrap_or(0) * SHARE / (*per_day).max(1);
        let _ = write!(
            svg,
            "<rect x='{}' y='{}' width='{}' height='{tall}' fill='#0072b2'/>",
            x + 3,
            base - tall,
            DAY - 10
        );
        if day % 5 == 0 {
            let _ = write!(svg, "<text x='{x}' y='{}'>day {}</text>", base + 16, day + 1);
        }
    }
}
