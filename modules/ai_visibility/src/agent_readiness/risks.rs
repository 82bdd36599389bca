//! What may move a page while it loads: elements without a size, fonts that appear late.

use kit::dom::{Dom, NodeId};

use super::tree::Tree;
use super::{Risk, snippet};

/// Risks that are told.
const MOST: usize = 40;

/// The risks of a page.
pub(super) fn of(dom: &Dom, tree: &Tree<'_>, html: &str) -> Vec<Risk> {
    let mut out: Vec<Risk> = Vec::new();
    let mut add = |id: NodeId, what: &str| {
        if out.len() < MOST {
            out.push(Risk { what: what.to_owned(), line: dom.node(id).line, element: snippet(dom, id) });
        }
    };
    for id in tree.elements.iter().copied().filter(|id| tree.is_shown(*id)) {
        match dom.name(id) {
            "img" | "video" | "iframe" | "embed" | "object" if !has_size(tree, id) => {
                add(id, "has no size: what is below moves when it comes")
            }
            "ins" if tree.attr(id, "class").is_some_and(|it| it.contains("adsbygoogle")) && !has_size(tree, id) => {
                add(id, "a place for advertisements without a height");
            }
            _ => {}
        }
    }
    for id in dom.elements("style") {
        let css = dom.text(id);
        let late = css
            .split("@font-face")
            .skip(1)
            .any(|it| !it.split('}').next().unwrap_or_default().contains("font-display"));
        if late {
            add(id, "a font without font-display: text moves when it comes");
        }
    }
    let google = dom.elements("link").find(|id| {
        let href = tree.attr(*id, "href").unwrap_or_default();
        href.contains("fonts.googleapis.com") && !href.contains("display=")
    });
    if let Some(id) = google.filter(|_| html.contains("fonts.googleapis.com")) {
        add(id, "fonts of Google without display=swap");
    }
    out
}

/// Whether width and height, or a ratio, are written.
fn has_size(tree: &Tree<'_>, id: NodeId) -> bool {
    let style = tree.attr(id, "style").unwrap_or_default().to_ascii_lowercase().replace(' ', "");
    let has = |name: &str| {
        let written = tree.attr(id, name).is_some_and(|it| it.trim().starts_with(|it: char| it.is_ascii_digit()));
        written || style.contains(&format!("{name}:")) && !style.contains(&format!("{name}:auto"))
    };
    style.contains("aspect-ratio:")
        || style.contains("position:absolute")
        || (has("width") && has("height"))
        || style.contains("height:") && !style.contains("height:auto")
}
