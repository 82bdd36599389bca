//! Markdown of a sanitised body, so written that it renders to the same text again.

use kit::dom::{Dom, NodeId, is_inline};

use crate::MAX_LEVELS;
use crate::escape::{self, backticks};
use crate::inline::{raw, span, tidy, within};

/// Markdown of HTML that [`crate::of_html`] gave. What is nested deeper than its bounds is left out.
#[must_use]
pub fn markdown(html: &str) -> String {
    let dom = Dom::parse(html);
    let mut blocks = Vec::new();
    for body in dom.elements("body") {
        children(&dom, body, 0, &mut blocks);
    }
    blocks.join("\n\n")
}

/// Adds what is below an element: runs within a line as paragraphs, the others as blocks.
fn children(dom: &Dom, id: NodeId, depth: u32, blocks: &mut Vec<String>) {
    if depth > MAX_LEVELS {
        return;
    }
    let mut line = String::new();
    for child in dom.children(id) {
        let name = dom.name(child);
        // An inline element that holds blocks, as `<a><p>` does, is a block too.
        if name == "br" || (is_inline(name) && !(name == "a" && holds_blocks(dom, child))) {
            span(dom, child, false, &mut line);
        } else {
            paragraph(&mut line, blocks);
            block(dom, child, depth, blocks);
        }
    }
    paragraph(&mut line, blocks);
}

fn holds_blocks(dom: &Dom, id: NodeId) -> bool {
    dom.children(id).any(|it| !is_inline(dom.name(it)) && dom.name(it) != "br")
}

fn paragraph(line: &mut String, blocks: &mut Vec<String>) {
    let text = escape::lines(&tidy(&std::mem::take(line)));
    if !text.trim().is_empty() {
        blocks.push(text);
    }
}

fn block(dom: &Dom, id: NodeId, depth: u32, blocks: &mut Vec<String>) {
    match dom.name(id) {
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
            let level = usize::from(dom.name(id).as_bytes()[1] - b'0');
            let title = tidy(&within(dom, id, true));
            if !title.trim().is_empty() {
                blocks.push(format!("{} {title}", "#".repeat(level)));
            }
        }
        "pre" => code(dom, id, blocks),
        "hr" => blocks.push("---".to_owned()),
        "ul" | "ol" => list(dom, id, depth, blocks),
        "blockquote" => {
            let mut inner = Vec::new();
            children(dom, id, depth + 1, &mut inner);
            if !inner.is_empty() {
                blocks.push(prefixed(&inner.join("\n\n"), "> ", "> "));
            }
        }
        "table" => table(dom, id, depth, blocks),
        "script" | "style" | "template" | "head" => {}
        _ => children(dom, id, depth + 1, blocks),
    }
}

fn code(dom: &Dom, id: NodeId, blocks: &mut Vec<String>) {
    let text = raw(dom, id);
    let text = text.trim_matches('\n');
    if text.trim().is_empty() {
        return;
    }
    let language = dom.children(id).find(|it| dom.name(*it) == "code").and_then(|it| dom.attribute(it, "class"));
    let language = language.and_then(|it| it.strip_prefix("language-")).unwrap_or_default();
    let plain = language.chars().all(|it| it.is_alphanumeric() || matches!(it, '-' | '+' | '_' | '.'));
    let fence = "`".repeat((backticks(text) + 1).max(3));
    blocks.push(format!("{fence}{}\n{text}\n{fence}", if plain { language } else { "" }));
}

fn list(dom: &Dom, id: NodeId, depth: u32, blocks: &mut Vec<String>) {
    let ordered = dom.name(id) == "ol";
    let mut number: u32 =
        dom.attribute(id, "start").and_then(|it| it.parse().ok()).filter(|it| *it < 1_000_000).unwrap_or(1);
    let mut items = Vec::new();
    let mut loose = false;
    for item in dom.children(id) {
        let mut inner = Vec::new();
        match dom.name(item) {
            "" => continue,
            // A list right in a list is an item of its own.
            "ul" | "ol" => list(dom, item, depth + 1, &mut inner),
            _ => children(dom, item, depth + 1, &mut inner),
        }
        if inner.is_empty() {
            continue;
        }
        // One paragraph, and lists below it, stand close together.
        let close = inner.len() == 1 || inner[1..].iter().all(|it| is_list(it));
        loose |= !close;
        let mark = if ordered { format!("{number}. ") } else { "- ".to_owned() };
        let indent = " ".repeat(mark.len());
        items.push(prefixed(&inner.join(if close { "\n" } else { "\n\n" }), &mark, &indent));
        number += 1;
    }
    if !items.is_empty() {
        blocks.push(items.join(if loose { "\n\n" } else { "\n" }));
    }
}

fn is_list(block: &str) -> bool {
    // A list with another number than 1 does not end a paragraph.
    block.starts_with("- ") || block.starts_with("1. ")
}

fn table(dom: &Dom, id: NodeId, depth: u32, blocks: &mut Vec<String>) {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut inner = false;
    for below in dom.descendants(id) {
        match dom.name(below) {
            "table" => inner = true,
            "tr" => {
                let cells = dom.children(below).filter(|it| matches!(dom.name(*it), "td" | "th"));
                rows.push(cells.map(|cell| tidy(&within(dom, cell, true))).collect());
            }
            "caption" => {
                let caption = escape::lines(&tidy(&within(dom, below, true)));
                if !caption.trim().is_empty() {
                    blocks.push(caption);
                }
            }
            _ => {}
        }
    }
    rows.retain(|row| row.iter().any(|it| !it.trim().is_empty()));
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    // A table with tables inside lays a page out.
    if inner {
        children(dom, id, depth + 1, blocks);
        return;
    }
    if columns == 0 {
        return;
    }
    let mut table = String::new();
    for (at, mut row) in rows.into_iter().enumerate() {
        row.resize(columns, String::new());
        table.push_str(&format!("| {} |\n", row.join(" | ")));
        if at == 0 {
            table.push_str(&format!("|{}\n", " --- |".repeat(columns)));
        }
    }
    blocks.push(table.trim_end().to_owned());
}

/// The first line after `first`, the others after `rest`.
fn prefixed(text: &str, first: &str, rest: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for (at, line) in text.split('\n').enumerate() {
        if at > 0 {
            out.push('\n');
        }
        let before = if at == 0 { first } else { rest };
        out.push_str(if line.is_empty() { before.trim_end() } else { before });
        out.push_str(line);
    }
    out
}
