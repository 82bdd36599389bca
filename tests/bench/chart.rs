//! The ratios of a run as a picture: how far each is from its goal, on a scale of halves and doubles, so that one that is
//! missed by as much as another is met is as long.

use std::fmt::Write as _;

use crate::table::{Goal, Said};

/// Pixels: of the words, of a doubling, of a row.
const WORDS: f64 = 520.0;
const DOUBLE: f64 = 70.0;
const ROW: f64 = 22.0;
/// Doublings that are drawn to either side of the goal.
const MOST: f64 = 3.0;
/// Two colours that nobody confuses (Okabe and Ito, 2008).
const MET: &str = "#0072b2";
const MISSED: &str = "#d55e00";

/// The picture, as SVG.
pub(crate) fn svg(ratios: &[Said]) -> String {
    let (width, height) = (WORDS + 2.0 * MOST * DOUBLE + 90.0, ROW * (ratios.len() as f64 + 2.5));
    let goal = WORDS + MOST * DOUBLE;
    let mut svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' font-family='sans-serif' font-size='12'>\
         <rect width='{width}' height='{height}' fill='#fff'/>\
         <text x='{goal}' y='16' text-anchor='middle'>goal</text>\
         <text x='{}' y='16' text-anchor='end'>missed</text><text x='{}' y='16'>met</text>",
        goal - 40.0,
        goal + 40.0,
    );
    for (row, said) in ratios.iter().enumerate() {
        let top = ROW * (row as f64 + 1.25);
        let by = match said.goal {
            Goal::AtLeast(goal) => said.ratio / goal,
            Goal::AtMost(goal) => goal / said.ratio,
        };
        let long = by.log2().clamp(-MOST, MOST) * DOUBLE;
        let (left, colour) = if long < 0.0 { (goal + long, MISSED) } else { (goal, MET) };
        let words = said.what.replace('&', "&amp;").replace('<', "&lt;");
        let _ = write!(
            svg,
            "<text x='{}' y='{}' text-anchor='end'>{words}</text>\
             <rect x='{left}' y='{}' width='{}' height='{}' fill='{colour}'/>\
             <text x='{}' y='{}'>{:.2} of {}</text>",
            WORDS - 8.0,
            top + 13.0,
            top + 3.0,
            long.abs().max(1.0),
            ROW - 8.0,
            goal + MOST * DOUBLE + 6.0,
            top + 13.0,
            said.ratio,
            said.goal.figure(),
        );
    }
    let bottom = ROW * (ratios.len() as f64 + 1.5);
    let _ = write!(svg, "<path d='M{goal} 22V{bottom}' stroke='#000'/>");
    svg + "</svg>\n"
}
