//! Rules of `aria-` attributes.

use kit::dom::NodeId;

use crate::agent_readiness::aria;
use crate::agent_readiness::tree::Tree;

/// The `aria-` attributes of an element, without their prefix, with their values.
fn given<'t>(tree: &'t Tree<'_>, id: NodeId) -> impl Iterator<Item = (&'t str, &'t str)> {
    tree.dom.attributes(id).iter().filter_map(|it| Some((it.name.local.strip_prefix("aria-")?, &*it.value)))
}

fn failing(tree: &Tree<'_>, is: impl Fn(NodeId) -> bool) -> Vec<NodeId> {
    tree.elements
        .iter()
        .copied()
        .filter(|id| tree.is_seen(*id) && given(tree, *id).next().is_some() && is(*id))
        .collect()
}

/// Attributes that the role does not support.
pub(super) fn allowed(tree: &Tree<'_>) -> Vec<NodeId> {
    failing(tree, |id| {
        let role = tree.role(id);
        let supported = role.as_deref().and_then(aria::role);
        given(tree, id).any(|(name, value)| {
            let Some(attribute) = aria::attribute(name) else { return false };
            let is_supported = supported.is_some_and(|it| it.supported.contains(&name) || it.required.contains(&name));
            if attribute.global || is_supported {
                return false;
            }
            // Without a role nothing but global attributes has a meaning; browsers show some on what can be focused.
            let is_default = value.is_empty() || value == "false" && matches!(name, "required" | "invalid");
            !is_default && (role.is_some() || tree.is_focusable(id) || !is_custom(tree, id))
        })
    })
}

fn is_custom(tree: &Tree<'_>, id: NodeId) -> bool {
    tree.name_of(id).contains('-')
}

/// Attributes that a role of a name or a state of its own takes from the element.
pub(super) fn conditional(tree: &Tree<'_>) -> Vec<NodeId> {
    failing(tree, |id| {
        let role = tree.role(id);
        // A native checkbox says by itself whether it is checked.
        if tree.name_of(id) == "input" && tree.input_type(id) == "checkbox" {
            let stated = tree.attr(id, "aria-checked").map(|it| it == "true");
            return stated.is_some_and(|it| it != tree.attr(id, "checked").is_some());
        }
        // Rows have levels and sets in a tree grid alone.
        if role.as_deref() == Some("row") {
            let table = tree
                .dom
                .ancestors(id)
                .find_map(|it| tree.role(it).filter(|it| matches!(it.as_str(), "table" | "grid" | "treegrid")));
            let of_tree = ["posinset", "setsize", "expanded", "level"];
            return table.is_some_and(|it| it != "treegrid") && given(tree, id).any(|it| of_tree.contains(&it.0));
        }
        false
    })
}

/// A name where none may be given.
pub(super) fn prohibited(tree: &Tree<'_>) -> Vec<NodeId> {
    failing(tree, |id| {
        let named =
            given(tree, id).any(|(name, value)| matches!(name, "label" | "labelledby") && !value.trim().is_empty());
        if !named {
            return false;
        }
        // What has words is for a person to judge: the name may say the same.
        if !kit::text::collapse(&tree.dom.text(id)).is_empty() {
            return false;
        }
        match tree.role(id) {
            Some(role) => aria::role(&role).is_some_and(|it| it.unnamed),
            // Without a role, on an element that means nothing by itself. What can be focused is told apart by people.
            None => {
                let plain = matches!(tree.name_of(id), "div" | "span")
                    || aria::element(tree.name_of(id)).iter().any(|it| it.unnamed);
                plain && !tree.is_focusable(id)
            }
        }
    })
}

/// Attributes that the written role needs.
pub(super) fn required(tree: &Tree<'_>) -> Vec<NodeId> {
    let missing = |id: &NodeId| {
        let Some(name) = tree.explicit(*id) else { return false };
        let Some(role) = aria::role(&name.to_ascii_lowercase()) else { return false };
        let has =
            |attribute: &str| tree.attr(*id, &format!("aria-{attribute}")).is_some_and(|it| !it.trim().is_empty());
        let wanted: Vec<&&str> = role.required.iter().filter(|it| !has(it)).collect();
        if wanted.is_empty() || tree.implicit(*id).as_deref() == Some(name) {
            return false;
        }
        let element = tree.name_of(*id);
        let by_itself = |attribute: &str| match (element, attribute) {
            ("input", "checked") => matches!(tree.input_type(*id).as_str(), "checkbox" | "radio"),
            ("input", "valuenow") => matches!(tree.input_type(*id).as_str(), "range" | "number"),
            ("h1" | "h2" | "h3" | "h4" | "h5" | "h6", "level") => true,
            ("select", "expanded" | "controls") | ("progress" | "meter", "valuenow") | ("hr", "valuenow") => true,
            _ => false,
        };
        // A separator needs a value only where it can be focused; a closed combobox controls nothing.
        if name == "separator" && !tree.is_focusable(*id) {
            return false;
        }
        let closed = name == "combobox" && tree.attr(*id, "aria-expanded") == Some("false");
        wanted.into_iter().any(|it| !(by_itself(it) || closed && *it == "controls"))
    };
    tree.elements.iter().copied().filter(|id| tree.is_seen(*id) && missing(id)).collect()
}

/// Attributes that there are.
pub(super) fn valid(tree: &Tree<'_>) -> Vec<NodeId> {
    failing(tree, |id| given(tree, id).any(|(name, _)| aria::attribute(name).is_none()))
}

/// Values that attributes may have.
pub(super) fn valid_value(tree: &Tree<'_>) -> Vec<NodeId> {
    failing(tree, |id| {
        given(tree, id)
            .any(|(name, value)| aria::attribute(name).is_some_and(|it| !is_value(tree, id, name, it, value)))
    })
}

fn is_value(tree: &Tree<'_>, id: NodeId, name: &str, attribute: &aria::Attribute, value: &str) -> bool {
    let value = value.trim();
    if value.is_empty() {
        // An empty value is as none, but where a reference or a word is wanted.
        return attribute.may_be_empty
            || !matches!(attribute.kind, "idref" | "nmtoken" | "boolean" | "int" | "decimal")
            || name == "current";
    }
    let low = value.to_ascii_lowercase();
    // Another word for what is current is taken as true.
    if name == "current" {
        return true;
    }
    match attribute.kind {
        "boolean" => matches!(low.as_str(), "true" | "false"),
        "nmtoken" => attribute.values.contains(&low.as_str()),
        "nmtokens" => low.split_whitespace().all(|it| attribute.values.contains(&it)),
        "int" => {
            let least = attribute.values.first().and_then(|it| it.parse::<i64>().ok()).unwrap_or(i64::MIN);
            value.parse::<i64>().is_ok_and(|it| it >= least)
        }
        "decimal" => value.parse::<f64>().is_ok(),
        "idref" | "idrefs" => {
            // What a closed part controls need not be there yet; what describes may come later.
            let optional = match name {
                "controls" => {
                    tree.attr(id, "aria-expanded") == Some("false")
                        || tree.attr(id, "aria-selected") == Some("false")
                        || tree.attr(id, "aria-haspopup").is_some()
                }
                "describedby" | "labelledby" => true,
                "owns" => tree.attr(id, "aria-expanded") == Some("false"),
                _ => false,
            };
            optional || value.split_whitespace().any(|it| tree.by_id(it).is_some())
        }
        _ => true,
    }
}
