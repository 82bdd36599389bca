//! Dates that readers see, and what the words and class names around them say they are of.

use super::labels::{after, before};
use super::parse::all_in_text;
use super::{Candidate, Of, Source};
use crate::dom::{Data, Dom, NodeId, is_inline};

/// Longer lines are prose, and dates in prose are of what it tells.
const LONGEST: usize = 240;
/// The most lines looked at, and the most dates kept.
const MOST_LINES: usize = 6_000;
const MOST: usize = 100;
/// Words of class names whose element holds the date of its page.
const HINTS: &[&str] = &["date", "published", "posted", "pubdate", "timestamp", "byline", "dateline"];

/// A line of text as it is laid out.
struct Line {
    text: String,
    /// The block that holds it.
    block: NodeId,
    /// Whether a class name around it says that it is a date.
    hinted: bool,
}

/// Adds the dates of short lines.
pub(super) fn add(dom: &Dom, out: &mut Vec<Candidate>) {
    // A line without a date says what the first of the next line in its block is of.
    let mut above = (0, String::new());
    for line in lines(dom) {
        if out.len() >= MOST {
            break;
        }
        let text = crate::text::collapse(&line.text);
        if text.is_empty() || text.len() > LONGEST {
            continue;
        }
        let mut from = 0;
        let dates = all_in_text(&text);
        let last =
            std::mem::replace(&mut above, (line.block, if dates.is_empty() { text.clone() } else { String::new() }));
        for (number, (at, end, date)) in dates.iter().copied().enumerate() {
            let next = dates.get(number + 1).map(|it| it.0);
            let said = match before(&text[from..at]) {
                None if at == 0 && last.0 == line.block => {
                    before(&last.1).or_else(|| after(&text[end..], next.is_some()))
                }
                None => after(&text[end..next.unwrap_or(text.len())], next.is_some()),
                said => said,
            };
            from = end;
            let (of, weight) = match said {
                Some(of) => (of, 0.45),
                None if line.hinted => (Of::Published, 0.4),
                None => (Of::Published, 0.2),
            };
            let weight = if is_elsewhere(dom, line.block) { weight * 0.5 } else { weight };
            out.push(Candidate { of, source: Source::Text, value: text[at..end].to_owned(), date, weight });
        }
    }
}

/// Whether a block is of something else than the page: a comment, another post, a list. A footer's list is of the page.
fn is_elsewhere(dom: &Dom, block: NodeId) -> bool {
    // Of a whole page a class says that it may have comments.
    let within = |id: &NodeId| !matches!(dom.name(*id), "" | "html" | "body");
    let around = || std::iter::once(block).chain(dom.ancestors(block)).take_while(within);
    let named = |id: NodeId, word: &str| {
        ["id", "class"].iter().any(|it| dom.attribute(id, it).is_some_and(|it| it.to_ascii_lowercase().contains(word)))
    };
    if around().any(|id| matches!(dom.name(id), "aside" | "nav") || named(id, "comment")) {
        return true;
    }
    let listed = around().any(|id| dom.name(id) == "li");
    listed && !around().any(|id| dom.name(id) == "footer" || named(id, "footer"))
}

/// The lines of a page: text between the bounds of blocks and `br`.
fn lines(dom: &Dom) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut broken = true;
    let mut next = dom.first_child(0);
    while let Some(id) = next {
        if lines.len() >= MOST_LINES {
            break;
        }
        let mut inside = true;
        match &dom.node(id).data {
            Data::Text(text) => {
                let block = dom.ancestors(id).find(|it| !is_inline(dom.name(*it))).unwrap_or_default();
                if broken || lines.last().is_none_or(|it| it.block != block) {
                    lines.push(Line { text: String::new(), block, hinted: false });
                    broken = false;
                }
                if let Some(line) = lines.last_mut() {
                    // Nothing is said of a line that is too long already.
                    if line.text.len() <= 4 * LONGEST {
                        line.text.push_str(text);
                    }
                    line.hinted = line.hinted || !text.trim().is_empty() && is_hinted(dom, id, block);
                }
            }
            Data::Element { name, .. } => match &*name.local {
                "script" | "style" | "noscript" | "template" | "head" => inside = false,
                "br" | "hr" => broken = true,
                name => broken |= !is_inline(name),
            },
            _ => {}
        }
        next = dom.after(id, 0, inside);
    }
    lines
}

/// Whether the text, its block or what holds that is named as a date.
fn is_hinted(dom: &Dom, text: NodeId, block: NodeId) -> bool {
    let holder = dom.parent(block).unwrap_or_default();
    let near = dom.ancestors(text).take_while(|it| *it != holder).take(8).chain([holder]);
    near.filter_map(|id| dom.attribute(id, "class")).any(|class| {
        let class = class.to_ascii_lowercase();
        class.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| HINTS.contains(&word))
    })
}
