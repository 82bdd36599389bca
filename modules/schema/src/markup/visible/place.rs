//! A selector that leads back to an element, so that a result can say where a fact was found.

use kit::dom::{Dom, NodeId};

/// A selector that leads to an element: by its id, else by the path from the nearest element with one.
pub(super) fn selector(dom: &Dom, id: NodeId) -> String {
    let mut parts = Vec::new();
    let mut at = Some(id);
    while let Some(node) = at {
        let name = dom.name(node);
        if name.is_empty() {
            at = dom.parent(node);
            continue;
        }
        if let Some(own) =
            dom.attribute(node, "id").filter(|it| it.chars().all(|it| it.is_alphanumeric() || matches!(it, '-' | '_')))
        {
            parts.push(format!("#{own}"));
            break;
        }
        let before = std::iter::successors(dom.previous_sibling(node), |it| dom.previous_sibling(*it));
        let place = before.filter(|it| dom.name(*it) == name).count() + 1;
        let alone = matches!(name, "html" | "body" | "main" | "h1");
        parts.push(if alone && place == 1 { name.to_owned() } else { format!("{name}:nth-of-type({place})") });
        at = dom.parent(node);
    }
    parts.reverse();
    parts.join(" > ")
}
