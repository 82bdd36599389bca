//! Rules of structure, order and reference.

use kit::dom::NodeId;

use crate::agent_readiness::tree::Tree;

pub(super) fn hidden_body(tree: &Tree<'_>) -> Vec<NodeId> {
    let is = |id: &NodeId| {
        tree.name_of(*id) == "body" && tree.attr(*id, "aria-hidden").is_some_and(|it| it.trim() == "true")
    };
    tree.elements.iter().copied().filter(is).collect()
}

/// Hidden parts with something in them that can be focused.
pub(super) fn hidden_focus(tree: &Tree<'_>) -> Vec<NodeId> {
    let is_hidden = |id: NodeId| tree.attr(id, "aria-hidden") == Some("true") && tree.name_of(id) != "body";
    let above = |id: NodeId| tree.dom.ancestors(id).any(is_hidden);
    let reached = |id: NodeId| tree.is_focusable(id) && tree.tab_index(id).is_none_or(|it| it >= 0);
    let fails = |id: &NodeId| {
        is_hidden(*id)
            && !above(*id)
            && tree.is_shown(*id)
            && std::iter::once(*id)
                .chain(tree.dom.descendants(*id))
                .any(|it| !tree.name_of(it).is_empty() && reached(it))
    };
    tree.elements.iter().copied().filter(fails).collect()
}

/// Text that is said as one has nothing in it that can be focused.
pub(super) fn text(tree: &Tree<'_>) -> Vec<NodeId> {
    let reached = |id: NodeId| tree.is_focusable(id) && tree.tab_index(id).is_none_or(|it| it >= 0);
    let fails = |id: &NodeId| {
        tree.attr(*id, "role") == Some("text")
            && tree.is_seen(*id)
            && tree.dom.descendants(*id).any(|it| !tree.name_of(it).is_empty() && reached(it))
    };
    tree.elements.iter().copied().filter(fails).collect()
}

/// A list of definitions holds terms, definitions and groups of these alone.
pub(super) fn definition_list(tree: &Tree<'_>) -> Vec<NodeId> {
    let ok = |id: NodeId| matches!(tree.name_of(id), "dt" | "dd" | "script" | "template" | "style");
    let child = |id: NodeId| {
        let name = tree.name_of(id);
        if name.is_empty() {
            return match &tree.dom.node(id).data {
                kit::dom::Data::Text(text) => text.trim().is_empty(),
                _ => true,
            };
        }
        let role = tree.explicit(id);
        let fits = role.is_none_or(|it| matches!(it, "definition" | "term" | "listitem"));
        match name {
            "div" => role.is_none() && tree.dom.children(id).all(|it| tree.name_of(it).is_empty() || ok(it)),
            _ => ok(id) && fits,
        }
    };
    let fails = |id: &NodeId| {
        tree.name_of(*id) == "dl"
            && tree.attr(*id, "role").is_none()
            && tree.is_seen(*id)
            && !tree.dom.children(*id).all(child)
    };
    tree.elements.iter().copied().filter(fails).collect()
}

/// A table's summary says something else than its caption.
pub(super) fn table_duplicate_name(tree: &Tree<'_>) -> Vec<NodeId> {
    let fails = |id: &NodeId| {
        let summary = tree.attr(*id, "summary").unwrap_or_default().trim().to_lowercase();
        let caption = tree.dom.children(*id).find(|it| tree.name_of(*it) == "caption").map(|it| tree.dom.text(it));
        !summary.is_empty() && caption.is_some_and(|it| kit::text::collapse(&it).to_lowercase() == summary)
    };
    let is = |id: &NodeId| tree.name_of(*id) == "table" && tree.is_seen(*id);
    tree.elements.iter().copied().filter(|id| is(id) && fails(id)).collect()
}

/// No order of focus that differs from the page's.
pub(super) fn tabindex(tree: &Tree<'_>) -> Vec<NodeId> {
    tree.elements
        .iter()
        .copied()
        .filter(|id| tree.is_shown(*id) && tree.tab_index(*id).is_some_and(|it| it > 0))
        .collect()
}

/// `autocomplete` in the words of HTML.
pub(super) fn autocomplete(tree: &Tree<'_>) -> Vec<NodeId> {
    let is = |id: &NodeId| {
        let field = match tree.name_of(*id) {
            "input" => !matches!(
                tree.input_type(*id).as_str(),
                "submit" | "reset" | "button" | "hidden" | "image" | "checkbox" | "radio" | "file"
            ),
            "select" | "textarea" => true,
            _ => false,
        };
        field
            && tree.is_seen(*id)
            && !tree.is_disabled(*id)
            && tree.attr(*id, "aria-disabled") != Some("true")
            && tree.attr(*id, "readonly").is_none()
            && tree.tab_index(*id).is_none_or(|it| it >= 0)
    };
    let fails =
        |id: &NodeId| tree.attr(*id, "autocomplete").is_some_and(|it| !it.trim().is_empty() && !is_autocomplete(it));
    tree.elements.iter().copied().filter(|id| is(id) && fails(id)).collect()
}

/// HTML, "Autofill": sections, addresses, contacts, then one field, then webauthn.
fn is_autocomplete(value: &str) -> bool {
    const ALONE: &[&str] = &[
        "on",
        "off",
        "name",
        "honorific-prefix",
        "given-name",
        "additional-name",
        "family-name",
        "honorific-suffix",
        "nickname",
        "username",
        "new-password",
        "current-password",
        "organization-title",
        "organization",
        "street-address",
        "address-line1",
        "address-line2",
        "address-line3",
        "address-level4",
        "address-level3",
        "address-level2",
        "address-level1",
        "country",
        "country-name",
        "postal-code",
        "cc-name",
        "cc-given-name",
        "cc-additional-name",
        "cc-family-name",
        "cc-number",
        "cc-exp",
        "cc-exp-month",
        "cc-exp-year",
        "cc-csc",
        "cc-type",
        "transaction-currency",
        "transaction-amount",
        "language",
        "bday",
        "bday-day",
        "bday-month",
        "bday-year",
        "sex",
        "url",
        "photo",
        "one-time-code",
    ];
    const CONTACT: &[&str] = &[
        "tel",
        "tel-country-code",
        "tel-national",
        "tel-area-code",
        "tel-local",
        "tel-local-prefix",
        "tel-local-suffix",
        "tel-extension",
        "email",
        "impp",
    ];
    // Words that browsers take and that are no field: they ask for nothing.
    const STATES: &[&str] = &["none", "false", "true", "disabled", "enabled", "undefined", "null", "xoff", "xon"];
    let low = value.trim().to_lowercase();
    if STATES.contains(&low.as_str()) {
        return true;
    }
    let mut words: Vec<&str> = low.split_whitespace().collect();
    if words.last() == Some(&"webauthn") {
        words.pop();
        if words.is_empty() {
            return false;
        }
    }
    if words.first().is_some_and(|it| it.len() > 8 && it.starts_with("section-")) {
        words.remove(0);
    }
    if words.first().is_some_and(|it| matches!(*it, "shipping" | "billing")) {
        words.remove(0);
    }
    let mut qualified = false;
    if words.first().is_some_and(|it| matches!(*it, "home" | "work" | "mobile" | "fax" | "pager")) {
        words.remove(0);
        qualified = true;
    }
    match words.as_slice() {
        [one] if qualified => CONTACT.contains(one),
        [one] => ALONE.contains(one) || CONTACT.contains(one),
        _ => false,
    }
}
