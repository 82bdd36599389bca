//! Rules of roles.

use kit::dom::NodeId;

use crate::agent_readiness::aria;
use crate::agent_readiness::tree::Tree;

/// Every word of a written role is a role, and none is abstract.
pub(super) fn valid(tree: &Tree<'_>) -> Vec<NodeId> {
    let fails = |id: &NodeId| {
        let Some(written) = tree.attr(*id, "role") else { return false };
        let words: Vec<String> = written.split_whitespace().map(str::to_ascii_lowercase).collect();
        if words.is_empty() {
            return false;
        }
        let known = |it: &String| aria::role(it).is_some_and(|it| it.kind != "abstract");
        // One that is known is enough to fall back on.
        !words.iter().any(known) || words.iter().any(|it| aria::role(it).is_some_and(|it| it.kind == "abstract"))
    };
    tree.elements.iter().copied().filter(|id| tree.is_seen(*id) && fails(id)).collect()
}

/// The roles that an element may be given.
pub(super) fn allowed(tree: &Tree<'_>) -> Vec<NodeId> {
    let fails = |id: &NodeId| {
        let Some(written) = tree.attr(*id, "role") else { return false };
        let words: Vec<String> = written.split_whitespace().map(str::to_ascii_lowercase).collect();
        let mut known = words.iter().filter(|it| aria::role(it).is_some_and(|it| it.kind != "abstract"));
        known.any(|role| !is_allowed(tree, *id, role))
    };
    tree.elements.iter().copied().filter(|id| tree.is_seen(*id) && fails(id)).collect()
}

fn is_allowed(tree: &Tree<'_>, id: NodeId, role: &str) -> bool {
    if tree.implicit(id).as_deref() == Some(role) {
        return true;
    }
    let name = tree.name_of(id);
    let fits = |variant: &str| match (name, variant) {
        (_, "default") => true,
        ("a" | "area", "href") => tree.attr(id, "href").is_some(),
        ("audio" | "video", "controls") => tree.attr(id, "controls").is_some(),
        ("figure", "figcaption") => tree.dom.children(id).any(|it| tree.name_of(it) == "figcaption"),
        ("img", "named") => {
            let label = ["alt", "aria-label", "aria-labelledby", "title"].iter();
            label.copied().any(|it| tree.attr(id, it).is_some_and(|it| !it.trim().is_empty()))
        }
        ("input", "checkboxPressed") => tree.input_type(id) == "checkbox" && tree.attr(id, "aria-pressed").is_some(),
        ("input", "noRoles") => matches!(
            tree.input_type(id).as_str(),
            "color"
                | "date"
                | "datetime-local"
                | "file"
                | "month"
                | "number"
                | "password"
                | "range"
                | "reset"
                | "submit"
                | "time"
                | "week"
        ),
        ("input", "textWithList") => tree.input_type(id) == "text" && tree.attr(id, "list").is_some(),
        ("input", kind) => tree.input_type(id) == kind,
        ("meta", "itemprop") => tree.attr(id, "itemprop").is_some(),
        ("object", "usemap") => tree.attr(id, "usemap").is_some(),
        ("select", "combobox") => {
            tree.attr(id, "multiple").is_none() && tree.attr(id, "size").is_none_or(|it| it == "1")
        }
        ("summary", "summaryForDetails") => tree.dom.parent(id).is_some_and(|it| tree.name_of(it) == "details"),
        _ => false,
    };
    let Some(allowed) = aria::element(name).iter().find(|it| fits(it.variant)) else { return true };
    match allowed.roles {
        "*" => true,
        "-" => false,
        list => list.split(',').any(|it| it == role),
    }
}

/// The roles that a written role must own.
pub(super) fn required_children(tree: &Tree<'_>) -> Vec<NodeId> {
    let fails = |id: &NodeId| {
        let Some(name) = tree.explicit(*id) else { return false };
        let Some(role) = aria::role(name).filter(|it| !it.owned.is_empty()) else { return false };
        let is_closed = tree.attr(*id, "aria-expanded") == Some("false") || name == "combobox";
        let is_busy = tree.attr(*id, "aria-busy") == Some("true");
        if is_closed || is_busy {
            return false;
        }
        let owned = owned(tree, *id);
        if owned.is_empty() {
            // What is empty may be filled later, for some roles.
            let may_fill = matches!(
                name,
                "list"
                    | "listbox"
                    | "doc-bibliography"
                    | "doc-endnotes"
                    | "grid"
                    | "group"
                    | "table"
                    | "tablist"
                    | "tree"
                    | "treegrid"
                    | "rowgroup"
                    | "menu"
                    | "menubar"
                    | "feed"
            );
            return !may_fill || !kit::text::collapse(&tree.dom.text(*id)).is_empty();
        }
        owned.iter().any(|it| !role.owned.contains(&it.as_str()))
    };
    tree.elements.iter().copied().filter(|id| tree.is_seen(*id) && fails(id)).collect()
}

/// The roles that an element owns: through what means nothing, and what it names with `aria-owns`.
fn owned(tree: &Tree<'_>, id: NodeId) -> Vec<String> {
    let mut out = Vec::new();
    let mut open: Vec<NodeId> = tree.dom.children(id).collect();
    open.extend(tree.refs(id, "aria-owns"));
    while let Some(child) = open.pop() {
        if tree.name_of(child).is_empty() || !tree.is_seen(child) {
            continue;
        }
        match tree.role(child).as_deref() {
            Some(role) if !matches!(role, "none" | "presentation") => {
                out.push(role.to_owned());
                // Groups are looked through for what they hold.
                if matches!(role, "group" | "rowgroup") {
                    open.extend(tree.dom.children(child));
                }
            }
            _ if tree.has_global(child) && tree.is_focusable(child) => out.push(format!("[{}]", tree.name_of(child))),
            _ => open.extend(tree.dom.children(child)),
        }
    }
    out
}

/// The roles that a written role must be within.
pub(super) fn required_parent(tree: &Tree<'_>) -> Vec<NodeId> {
    let fails = |id: &NodeId| {
        let Some(name) = tree.explicit(*id) else { return false };
        let Some(role) = aria::role(name).filter(|it| !it.context.is_empty()) else { return false };
        let is_owner = |it: NodeId| tree.role(it).is_some_and(|it| role.context.contains(&it.as_str()));
        let own = tree.attr(*id, "id");
        let by_owns = own.is_some_and(|own| {
            tree.elements.iter().any(|it| {
                tree.attr(*it, "aria-owns").is_some_and(|owns| owns.split_whitespace().any(|it| it == own))
                    && is_owner(*it)
            })
        });
        if by_owns {
            return false;
        }
        for above in tree.dom.ancestors(*id) {
            match tree.role(above).as_deref() {
                None | Some("none" | "presentation") => {}
                // Groups pass the question on, but where they are the answer.
                Some("group" | "rowgroup")
                    if !role.context.contains(&"group") && !role.context.contains(&"rowgroup") => {}
                Some("group") if role.context.contains(&"group") => return nested(tree, above, role),
                Some(_) => return !is_owner(above),
            }
        }
        true
    };
    tree.elements.iter().copied().filter(|id| tree.is_seen(*id) && fails(id)).collect()
}

/// A group is context only within one of the other roles.
fn nested(tree: &Tree<'_>, group: NodeId, role: &aria::Role) -> bool {
    for above in tree.dom.ancestors(group) {
        match tree.role(above).as_deref() {
            None | Some("none" | "presentation" | "group") => {}
            Some(found) => return !role.context.contains(&found),
        }
    }
    !role.context.iter().all(|it| *it == "group")
}

/// What means nothing and can be focused, or has a global attribute.
pub(super) fn presentation_conflict(tree: &Tree<'_>) -> Vec<NodeId> {
    let is = |id: &NodeId| {
        let written = matches!(tree.explicit(*id), Some("none" | "presentation"));
        let empty_alt = tree.name_of(*id) == "img" && tree.attr(*id, "alt") == Some("") && tree.explicit(*id).is_none();
        (written || empty_alt) && tree.is_seen(*id) && tree.has_conflict(*id)
    };
    let meaning = |id: &NodeId| tree.implicit(*id).is_some_and(|it| !matches!(it.as_str(), "none" | "presentation"));
    tree.elements.iter().copied().filter(|id| is(id) && meaning(id)).collect()
}
