//! Plain text of a sanitised body: a line for each block.

use kit::dom::{Data, Dom, NodeId, is_inline};

/// The text of HTML that [`crate::of_html`] gave: blocks and cells stand on lines of their own, runs of white space are one
/// space outside of preformatted text.
#[must_use]
pub fn text(html: &str) -> String {
    let dom = Dom::parse(html);
    let mut out = String::new();
    let mut line = String::new();
    let mut next = dom.first_child(0);
    while let Some(id) = next {
        let mut inside = true;
        match &dom.node(id).data {
            Data::Text(text) => line.push_str(text),
            Data::Element { name, .. } => match &*name.local {
                "script" | "style" | "template" | "head" => inside = false,
                "pre" => {
                    end(&mut line, &mut out);
                    let raw = crate::inline::raw(&dom, id);
                    let raw = raw.trim_matches('\n');
                    if !raw.trim().is_empty() {
                        out.push_str(raw);
                        out.push('\n');
                    }
                    inside = false;
                }
                name if name == "br" || !is_inline(name) => end(&mut line, &mut out),
                _ => {}
            },
            _ => {}
        }
        next = dom.first_child(id).filter(|_| inside).or_else(|| up(&dom, id, &mut line, &mut out));
    }
    end(&mut line, &mut out);
    out.truncate(out.trim_end().len());
    out
}

/// What follows a node, with a line ended by each block that is left.
fn up(dom: &Dom, id: NodeId, line: &mut String, out: &mut String) -> Option<NodeId> {
    let mut at = id;
    loop {
        if !is_inline(dom.name(at)) {
            end(line, out);
        }
        if let Some(next) = dom.next_sibling(at) {
            return Some(next);
        }
        at = dom.parent(at)?;
    }
}

fn end(line: &mut String, out: &mut String) {
    let before = out.len();
    for word in line.split_ascii_whitespace() {
        if out.len() > before {
            out.push(' ');
        }
        out.push_str(word);
    }
    if out.len() > before {
        out.push('\n');
    }
    line.clear();
}
