//! The rules of an accessibility tree that agents can use, over the source of a page. Of Lighthouse's 33 one is missing:
//! `duplicate-id-aria`, which axe-core never fails but hands to a person.
//!
//! Source: Lighthouse 13.5.0, `agent-accessibility-tree`, whose rules are those of axe-core 4.13.0 by the same names.

mod attributes;
mod names;
mod roles;
mod structure;

use kit::dom::NodeId;

use super::tree::Tree;

/// A rule that fails, with the elements where it does.
pub(super) struct Failure {
    pub(super) rule: &'static str,
    pub(super) nodes: Vec<NodeId>,
}

/// All rules that fail, in the order of Lighthouse's list.
pub(super) fn failures(tree: &Tree<'_>) -> Vec<Failure> {
    let mut out: Vec<Failure> = Vec::new();
    let mut add = |rule: &'static str, nodes: Vec<NodeId>| {
        if !nodes.is_empty() {
            out.push(Failure { rule, nodes });
        }
    };
    for (rule, check) in RULES {
        add(rule, check(tree));
    }
    out
}

/// A rule: the elements where it fails.
type Rule = fn(&Tree<'_>) -> Vec<NodeId>;

/// The rules by their names.
pub(super) const RULES: [(&str, Rule); 32] = [
    ("button-name", names::button),
    ("input-button-name", names::input_button),
    ("input-image-alt", names::input_image),
    ("label", names::label),
    ("link-name", names::link),
    ("select-name", names::select),
    ("document-title", names::document_title),
    ("aria-allowed-attr", attributes::allowed),
    ("aria-allowed-role", roles::allowed),
    ("aria-command-name", names::command),
    ("aria-conditional-attr", attributes::conditional),
    ("aria-dialog-name", names::dialog),
    ("aria-hidden-body", structure::hidden_body),
    ("aria-hidden-focus", structure::hidden_focus),
    ("aria-input-field-name", names::input_field),
    ("aria-prohibited-attr", attributes::prohibited),
    ("aria-required-attr", attributes::required),
    ("aria-required-children", roles::required_children),
    ("aria-required-parent", roles::required_parent),
    ("aria-roles", roles::valid),
    ("aria-text", structure::text),
    ("aria-toggle-field-name", names::toggle),
    ("aria-tooltip-name", names::tooltip),
    ("aria-treeitem-name", names::treeitem),
    ("aria-valid-attr", attributes::valid),
    ("aria-valid-attr-value", attributes::valid_value),
    ("definition-list", structure::definition_list),
    ("table-duplicate-name", structure::table_duplicate_name),
    ("tabindex", structure::tabindex),
    ("autocomplete-valid", structure::autocomplete),
    ("presentation-role-conflict", roles::presentation_conflict),
    ("svg-img-alt", names::svg_img),
];
