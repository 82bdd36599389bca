//! Rules that ask for a name.

use kit::dom::NodeId;

use crate::agent_readiness::tree::Tree;

/// Seen elements that are such and have no name.
fn unnamed(tree: &Tree<'_>, is: impl Fn(NodeId) -> bool) -> Vec<NodeId> {
    tree.elements.iter().copied().filter(|id| tree.is_seen(*id) && is(*id) && tree.name(*id).is_empty()).collect()
}

/// Elements with one of these written roles that are not the element of that role itself.
fn with_role<'t>(tree: &'t Tree<'_>, roles: &'t [&str], but: &'t [&str]) -> impl Fn(NodeId) -> bool + 't {
    move |id| tree.explicit(id).is_some_and(|it| roles.contains(&it)) && !but.contains(&tree.name_of(id))
}

/// A focusable element keeps its need for a name whatever role of no meaning it is given.
fn is_plain(tree: &Tree<'_>, id: NodeId) -> bool {
    match tree.explicit(id) {
        None => true,
        Some("none" | "presentation") => tree.has_conflict(id),
        Some(_) => false,
    }
}

pub(super) fn button(tree: &Tree<'_>) -> Vec<NodeId> {
    unnamed(tree, |id| tree.name_of(id) == "button" && (is_plain(tree, id) || tree.explicit(id) == Some("button")))
}

pub(super) fn input_button(tree: &Tree<'_>) -> Vec<NodeId> {
    let is = |id: NodeId| {
        tree.name_of(id) == "input" && matches!(tree.input_type(id).as_str(), "button" | "submit" | "reset")
    };
    // A written but empty value takes the browser's own words away.
    let emptied = |id: NodeId| tree.attr(id, "value").is_some_and(|it| it.trim().is_empty());
    let has = |id: NodeId| {
        ["aria-label", "aria-labelledby", "title"]
            .iter()
            .any(|it| tree.attr(id, it).is_some_and(|it| !it.trim().is_empty()))
    };
    tree.elements
        .iter()
        .copied()
        .filter(|id| tree.is_seen(*id) && is(*id))
        .filter(|id| {
            tree.name(*id).is_empty()
                || (emptied(*id) && !has(*id) && tree.input_type(*id) != "button" && tree.attr(*id, "id").is_none())
        })
        .collect()
}

pub(super) fn input_image(tree: &Tree<'_>) -> Vec<NodeId> {
    let is = |id: NodeId| tree.name_of(id) == "input" && tree.input_type(id) == "image";
    let says = |id: NodeId| {
        ["alt", "aria-label", "title"].iter().any(|it| tree.attr(id, it).is_some_and(|it| !it.trim().is_empty()))
    };
    let labelled = |id: NodeId| {
        tree.refs(id, "aria-labelledby")
            .iter()
            .any(|it| !tree.name(*it).is_empty() || !tree.dom.text(*it).trim().is_empty())
    };
    tree.elements.iter().copied().filter(|id| tree.is_seen(*id) && is(*id) && !says(*id) && !labelled(*id)).collect()
}

pub(super) fn label(tree: &Tree<'_>) -> Vec<NodeId> {
    let buttons = ["hidden", "image", "button", "submit", "reset"];
    let is = |id: NodeId| {
        let own = match tree.name_of(id) {
            "input" => !buttons.contains(&tree.input_type(id).as_str()),
            "textarea" => true,
            _ => false,
        };
        // A written role of another kind has rules of its own.
        let role = tree.explicit(id).is_none_or(|it| {
            matches!(
                it,
                "textbox"
                    | "searchbox"
                    | "combobox"
                    | "spinbutton"
                    | "slider"
                    | "checkbox"
                    | "radio"
                    | "switch"
                    | "none"
                    | "presentation"
            )
        });
        own && role
    };
    unnamed(tree, is)
}

pub(super) fn link(tree: &Tree<'_>) -> Vec<NodeId> {
    unnamed(tree, |id| tree.name_of(id) == "a" && tree.attr(id, "href").is_some())
}

pub(super) fn select(tree: &Tree<'_>) -> Vec<NodeId> {
    unnamed(tree, |id| tree.name_of(id) == "select" && is_plain(tree, id))
}

pub(super) fn document_title(tree: &Tree<'_>) -> Vec<NodeId> {
    let html = tree.elements.iter().copied().find(|id| tree.name_of(*id) == "html");
    let in_svg = |id: NodeId| tree.closest(id, &["svg"]).is_some();
    let titled = tree
        .elements
        .iter()
        .any(|id| tree.name_of(*id) == "title" && !in_svg(*id) && !tree.dom.text(*id).trim().is_empty());
    html.into_iter().filter(|_| !titled).collect()
}

pub(super) fn command(tree: &Tree<'_>) -> Vec<NodeId> {
    let roles = ["link", "button", "menuitem"];
    unnamed(tree, with_role(tree, &roles, &["button", "input", "summary", "a", "area", "img", "select", "textarea"]))
}

pub(super) fn dialog(tree: &Tree<'_>) -> Vec<NodeId> {
    unnamed(tree, |id| matches!(tree.explicit(id), Some("dialog" | "alertdialog")))
}

pub(super) fn input_field(tree: &Tree<'_>) -> Vec<NodeId> {
    let roles = ["combobox", "listbox", "searchbox", "slider", "spinbutton", "textbox"];
    unnamed(tree, with_role(tree, &roles, &["input", "textarea", "select"]))
}

pub(super) fn toggle(tree: &Tree<'_>) -> Vec<NodeId> {
    let roles = ["checkbox", "menuitemcheckbox", "menuitemradio", "radio", "switch", "option"];
    unnamed(tree, with_role(tree, &roles, &["input", "option"]))
}

pub(super) fn tooltip(tree: &Tree<'_>) -> Vec<NodeId> {
    unnamed(tree, |id| tree.explicit(id) == Some("tooltip"))
}

pub(super) fn treeitem(tree: &Tree<'_>) -> Vec<NodeId> {
    unnamed(tree, |id| tree.explicit(id) == Some("treeitem"))
}

/// An `svg` or a part of one that is said to be a picture.
pub(super) fn svg_img(tree: &Tree<'_>) -> Vec<NodeId> {
    let roles = ["img", "graphics-document", "graphics-symbol"];
    let is = |id: &NodeId| {
        tree.is_seen(*id)
            && tree.explicit(*id).is_some_and(|it| roles.contains(&it))
            && (tree.name_of(*id) == "svg" || tree.closest(*id, &["svg"]).is_some())
    };
    // The title has to be the element's own child.
    let titled = |id: NodeId| {
        tree.dom.children(id).any(|it| tree.name_of(it) == "title" && !tree.dom.text(it).trim().is_empty())
    };
    let has = |id: NodeId| {
        let label = ["aria-label", "title"].iter().any(|it| tree.attr(id, it).is_some_and(|it| !it.trim().is_empty()));
        label || titled(id) || tree.refs(id, "aria-labelledby").iter().any(|it| !tree.dom.text(*it).trim().is_empty())
    };
    tree.elements.iter().copied().filter(|id| is(id) && !has(*id)).collect()
}
