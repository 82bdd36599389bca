//! Markdown of what stands within a line: emphasis, code, links, pictures.

use kit::dom::{Data, Dom, NodeId};

use crate::escape;

/// Elements that Markdown has no signs for; it may hold their tags.
const AS_TAGS: [&str; 10] = ["sub", "sup", "u", "mark", "ins", "del", "s", "kbd", "small", "q"];

/// Adds the Markdown of a node that stands within a line.
pub(crate) fn span(dom: &Dom, id: NodeId, in_cell: bool, out: &mut String) {
    if let Data::Text(text) = &dom.node(id).data {
        escape::inline(text, out);
        return;
    }
    match dom.name(id) {
        // In a cell a line cannot break.
        "br" => out.push_str(if in_cell { " " } else { "\\\n" }),
        "img" => image(dom, id, out),
        "b" | "strong" => marked(dom, id, in_cell, ("**", "strong"), out),
        "i" | "em" | "cite" => marked(dom, id, in_cell, ("*", "em"), out),
        "code" | "samp" | "tt" => code(dom, id, in_cell, out),
        "a" => link(dom, id, in_cell, out),
        name if AS_TAGS.contains(&name) => {
            let inner = within(dom, id, in_cell);
            if !inner.trim().is_empty() {
                out.push_str(&format!("<{name}>{inner}</{name}>"));
            } else {
                out.push_str(&inner);
            }
        }
        "script" | "style" | "template" => {}
        _ => out.push_str(&within(dom, id, in_cell)),
    }
}

/// The Markdown of all that is within an element, as one line.
pub(crate) fn within(dom: &Dom, id: NodeId, in_cell: bool) -> String {
    let mut out = String::new();
    for child in dom.children(id) {
        // A block within a line is a word apart.
        let apart = !kit::dom::is_inline(dom.name(child)) && dom.name(child) != "br";
        if apart {
            out.push(' ');
        }
        span(dom, child, in_cell, &mut out);
        if apart {
            out.push(' ');
        }
    }
    out
}

/// Runs of HTML's white space as one space, but for line breaks that were written.
pub(crate) fn tidy(inline: &str) -> String {
    let mut lines = Vec::new();
    for line in inline.split("\\\n") {
        lines.push(line.split_ascii_whitespace().collect::<Vec<_>>().join(" "));
    }
    // A break at either end of a block breaks nothing.
    let first = lines.iter().position(|it| !it.is_empty()).unwrap_or(lines.len());
    let last = lines.iter().rposition(|it| !it.is_empty()).map_or(first, |it| it + 1);
    let kept: Vec<&str> = lines[first..last].iter().map(String::as_str).filter(|it| !it.is_empty()).collect();
    kept.join("\\\n")
}

/// Text between signs. Where the signs might not be read as such, tags stand instead.
fn marked(dom: &Dom, id: NodeId, in_cell: bool, (sign, tag): (&str, &str), out: &mut String) {
    let inner = within(dom, id, in_cell);
    let text = inner.trim_matches(|it: char| it.is_ascii_whitespace());
    if text.is_empty() {
        out.push_str(&inner);
        return;
    }
    let edge = |it: Option<char>| it.is_some_and(char::is_alphanumeric);
    let plain = edge(text.chars().next()) && edge(text.chars().next_back()) && !out.ends_with('*');
    let (before, after) =
        (&inner[..inner.len() - inner.trim_ascii_start().len()], inner.len() - inner.trim_ascii_end().len());
    out.push_str(before);
    if plain {
        out.push_str(&format!("{sign}{text}{sign}"));
    } else {
        out.push_str(&format!("<{tag}>{text}</{tag}>"));
    }
    out.push_str(&inner[inner.len() - after..]);
}

fn code(dom: &Dom, id: NodeId, in_cell: bool, out: &mut String) {
    let whole = raw(dom, id);
    let text = whole.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    let space = |at: Option<char>| if at.is_some_and(|it| it.is_ascii_whitespace()) { " " } else { "" };
    out.push_str(space(whole.chars().next()));
    if text.is_empty() {
        return;
    }
    // A cell ends at a bar, also in code; and a fence beside another one would be longer than it is.
    if (in_cell && text.contains('|')) || out.ends_with('`') {
        out.push_str("<code>");
        escape::inline(&text, out);
        out.push_str("</code>");
    } else {
        let fence = "`".repeat(escape::backticks(&text) + 1);
        let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
        out.push_str(&format!("{fence}{pad}{text}{pad}{fence}"));
    }
    out.push_str(space(whole.chars().next_back()));
}

fn link(dom: &Dom, id: NodeId, in_cell: bool, out: &mut String) {
    let inner = within(dom, id, in_cell);
    let target = dom.attribute(id, "href").map(escape::address).unwrap_or_default();
    if inner.trim().is_empty() || target.is_empty() {
        out.push_str(&inner);
        return;
    }
    bang(out);
    out.push_str(&format!("[{inner}]({target}{})", title(dom, id)));
}

fn image(dom: &Dom, id: NodeId, out: &mut String) {
    let target = dom.attribute(id, "src").map(escape::address).unwrap_or_default();
    if target.is_empty() {
        return;
    }
    let mut alt = String::new();
    escape::inline(&kit::text::collapse(dom.attribute(id, "alt").unwrap_or_default()), &mut alt);
    out.push_str(&format!("![{alt}]({target}{})", title(dom, id)));
}

/// The title of a link or a picture, with the space before it; empty without one.
fn title(dom: &Dom, id: NodeId) -> String {
    let title = kit::text::collapse(dom.attribute(id, "title").unwrap_or_default());
    if title.is_empty() {
        return title;
    }
    let mut escaped = String::new();
    escape::inline(&title, &mut escaped);
    format!(" \"{}\"", escaped.replace('"', "\\\""))
}

/// An exclamation mark before a link would make it a picture.
fn bang(out: &mut String) {
    if out.ends_with('!') {
        out.pop();
        out.push_str("\\!");
    }
}

/// All text below a node as it is.
pub(crate) fn raw(dom: &Dom, id: NodeId) -> String {
    let mut text = String::new();
    for below in dom.descendants(id) {
        match &dom.node(below).data {
            Data::Text(part) => text.push_str(part),
            _ if dom.name(below) == "br" => text.push('\n'),
            _ => {}
        }
    }
    text
}
