//! Where blocks stand on a page that marks no main part and names nothing, by what is around the prose.
//!
//! From the body inwards, the child that holds most of the prose is followed to the element that holds the paragraphs
//! themselves. Beside that path, a block that is nearly all links is navigation, and short blocks after it are the footer.

use std::collections::BTreeMap;

use super::parts::Placement;
use crate::dom::{Data, Dom, NodeId};
use crate::extract::Measures;

/// Characters of prose below which nothing is said of a page.
const LEAST_PROSE: u32 = 200;
/// The share of its parent's prose that the followed child holds at least.
const SHARE: f64 = 0.5;
/// The share of all prose that what stands before a footer holds at least.
const WHOLE: f64 = 0.8;
/// Links, and their share of the text, from which on a block is a list of links.
const LINKS: u32 = 5;
const LINKED: f64 = 0.8;
/// The share of links in a sidebar from which on it is a list of links: headings stand between them.
const SIDEBAR: f64 = 2.0 / 3.0;
/// Words of a footer at most.
const FOOTER: u32 = 100;
/// Nodes of a sidebar that are looked at.
const LOOKED_AT: usize = 2_000;

/// The blocks beside the prose, and where they stand; empty where a landmark says what is main, or where little is told.
pub(super) fn layout(dom: &Dom) -> BTreeMap<NodeId, Placement> {
    let mut out = BTreeMap::new();
    let is_main =
        |id: NodeId| dom.name(id) == "main" || dom.attribute(id, "role").is_some_and(|it| it.trim() == "main");
    let mut body = None;
    for id in dom.descendants(0) {
        if is_main(id) {
            return out;
        }
        if body.is_none() && dom.name(id) == "body" {
            body = Some(id);
        }
    }
    let Some(mut around) = body else { return out };
    let measures = Measures::of(dom);
    let prose = |id: NodeId| measures.length(id) - measures.linked(id).min(measures.length(id));
    let all = prose(around);
    if all < LEAST_PROSE {
        return out;
    }
    loop {
        let holds_prose = |id: NodeId| matches!(dom.name(id), "p" | "h1" | "h2" | "h3" | "pre" | "article" | "section");
        let Some(inner) = dom.children(around).max_by_key(|id| prose(*id)) else { break };
        if f64::from(prose(inner)) < SHARE * f64::from(prose(around)) || holds_prose(inner) {
            break;
        }
        let whole = f64::from(prose(inner)) >= WHOLE * f64::from(all);
        let mut after = false;
        for child in dom.children(around) {
            if child == inner {
                after = true;
            } else if measures.links(child) >= LINKS && measures.link_density(child) >= LINKED {
                out.insert(child, Placement::Nav);
            } else if after && whole && (1..=FOOTER).contains(&measures.words(child)) {
                out.insert(child, Placement::Footer);
            }
        }
        if dom.children(inner).any(holds_prose) {
            break;
        }
        around = inner;
    }
    out
}

/// Whether a sidebar is mostly links, as a table of contents is. A long one is told by its beginning.
pub(super) fn is_list_of_links(dom: &Dom, root: NodeId) -> bool {
    let (mut all, mut linked, mut links) = (0_u32, 0_u32, 0_u32);
    let (mut inside, mut end) = (false, None);
    for id in dom.descendants(root).take(LOOKED_AT) {
        inside &= end != Some(id);
        if dom.name(id) == "a" && !inside {
            links += 1;
            (inside, end) = (true, dom.after(id, root, false));
        }
        if let Data::Text(text) = &dom.node(id).data {
            let signs = u32::try_from(text.chars().filter(|c| !c.is_whitespace()).count()).unwrap_or(u32::MAX);
            all = all.saturating_add(signs);
            linked = linked.saturating_add(if inside { signs } else { 0 });
        }
    }
    links >= LINKS && f64::from(linked) >= SIDEBAR * f64::from(all)
}

#[cfg(test)]
mod tests {
    use super::layout;
    use crate::dom::Dom;
    use crate::page::Placement;

    /// The blocks of a page that are placed: their id and where.
    fn placed(html: &str) -> Vec<(String, Placement)> {
        let dom = Dom::parse(html);
        let name = |id| dom.attribute(id, "id").unwrap_or_default().to_owned();
        layout(&dom).into_iter().map(|(id, place)| (name(id), place)).collect()
    }

    fn links(count: usize) -> String {
        (0..count).map(|n| format!("<li><a href=/{n}>Page number {n}</a>")).collect()
    }

    #[test]
    fn lists_of_links_beside_the_prose_are_navigation_and_the_last_words_are_the_footer() {
        let prose =
            "<p>Brass lamps last for a lifetime when they are made well, and they are mended with ease.</p>".repeat(5);
        let page = format!(
            "<body><ul id=top>{}</ul><div><div id=side>{}</div><div><h1>Lamps</h1>{prose}<ul id=more>{}</ul></div></div>\
             <div id=end>Made by <a href=/me>me</a></div></body>",
            links(6),
            links(9),
            links(9)
        );
        let expected = [("top", Placement::Nav), ("side", Placement::Nav), ("end", Placement::Footer)];
        assert_eq!(placed(&page), expected.map(|(id, place)| (id.to_owned(), place)));
        assert_eq!(placed(&page.replace("<div><h1>", "<div role=main><h1>")), []);
    }

    #[test]
    fn a_page_of_few_words_is_not_judged() {
        assert_eq!(placed(&format!("<body><ul>{}</ul><p>Short", links(9))), []);
        assert_eq!(placed(""), []);
    }
}
