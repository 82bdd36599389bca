//! A page as assistive programs see it from its source: roles, names, and what is hidden.
//!
//! Sources: Accessible Name and Description Computation 1.2; HTML Accessibility API Mappings 1.0. What style sheets and scripts do is
//! not seen.

mod naming;

use std::collections::HashMap;

use kit::dom::{Dom, NodeId};

use super::aria;

/// A page.
pub(super) struct Tree<'a> {
    pub(super) dom: &'a Dom,
    ids: HashMap<&'a str, NodeId>,
    /// Elements that a label is for.
    labels: HashMap<&'a str, Vec<NodeId>>,
    hidden: Vec<bool>,
    inert: Vec<bool>,
    /// All elements, in document order.
    pub(super) elements: Vec<NodeId>,
}

impl<'a> Tree<'a> {
    pub(super) fn of(dom: &'a Dom) -> Self {
        let elements: Vec<NodeId> = dom.descendants(0).filter(|id| !dom.name(*id).is_empty()).collect();
        let mut out = Self {
            dom,
            ids: HashMap::new(),
            labels: HashMap::new(),
            hidden: vec![false; dom.len()],
            inert: vec![false; dom.len()],
            elements,
        };
        for id in out.elements.clone() {
            if let Some(name) = dom.attribute(id, "id").filter(|it| !it.is_empty()) {
                out.ids.entry(name).or_insert(id);
            }
            if dom.name(id) == "label"
                && let Some(of) = dom.attribute(id, "for")
            {
                out.labels.entry(of).or_default().push(id);
            }
            let parent = dom.parent(id).map_or(0, |it| it as usize);
            let at = id as usize;
            out.inert[at] = out.inert[parent] || out.is_unrendered(id);
            out.hidden[at] = out.inert[at] || out.hidden[parent] || dom.attribute(id, "aria-hidden") == Some("true");
        }
        out
    }

    /// Whether an element is not shown to anybody.
    fn is_unrendered(&self, id: NodeId) -> bool {
        let name = self.dom.name(id);
        let style = self.dom.attribute(id, "style").unwrap_or_default().to_ascii_lowercase().replace(' ', "");
        let closed = self.dom.parent(id).is_some_and(|it| {
            self.dom.name(it) == "details" && self.dom.attribute(it, "open").is_none() && name != "summary"
        });
        matches!(name, "head" | "script" | "style" | "template" | "noscript" | "title" | "meta" | "link" | "base")
            || (name == "input" && self.attr(id, "type").is_some_and(|it| it.eq_ignore_ascii_case("hidden")))
            || (name == "dialog" && self.dom.attribute(id, "open").is_none())
            || self.dom.attribute(id, "hidden").is_some()
            || style.contains("display:none")
            || style.contains("visibility:hidden")
            || style.contains("visibility:collapse")
            || closed
    }

    pub(super) fn attr(&self, id: NodeId, name: &str) -> Option<&'a str> {
        self.dom.attribute(id, name)
    }

    pub(super) fn name_of(&self, id: NodeId) -> &'a str {
        self.dom.name(id)
    }

    /// Whether assistive programs see it.
    pub(super) fn is_seen(&self, id: NodeId) -> bool {
        !self.hidden[id as usize]
    }

    /// Whether anybody sees it.
    pub(super) fn is_shown(&self, id: NodeId) -> bool {
        !self.inert[id as usize]
    }

    pub(super) fn by_id(&self, id: &str) -> Option<NodeId> {
        self.ids.get(id).copied()
    }

    pub(super) fn refs(&self, id: NodeId, attribute: &str) -> Vec<NodeId> {
        let text = self.attr(id, attribute).unwrap_or_default();
        text.split_whitespace().filter_map(|it| self.by_id(it)).collect()
    }

    pub(super) fn closest(&self, id: NodeId, names: &[&str]) -> Option<NodeId> {
        self.dom.ancestors(id).find(|it| names.contains(&self.dom.name(*it)))
    }

    /// The kind of an input in small letters; `text` for one that is none.
    pub(super) fn input_type(&self, id: NodeId) -> String {
        const KNOWN: &[&str] = &[
            "hidden",
            "text",
            "search",
            "tel",
            "url",
            "email",
            "password",
            "date",
            "month",
            "week",
            "time",
            "datetime-local",
            "number",
            "range",
            "color",
            "checkbox",
            "radio",
            "file",
            "submit",
            "image",
            "reset",
            "button",
        ];
        let given = self.attr(id, "type").unwrap_or_default().trim().to_ascii_lowercase();
        if KNOWN.contains(&given.as_str()) { given } else { "text".to_owned() }
    }

    /// The first valid role that is written.
    pub(super) fn explicit(&self, id: NodeId) -> Option<&'a str> {
        let written = self.attr(id, "role")?;
        written
            .split_whitespace()
            .find(|it| aria::role(&it.to_ascii_lowercase()).is_some_and(|it| it.kind != "abstract"))
    }

    /// The role that it has: the one that is written, unless it would take a focusable element's meaning away.
    pub(super) fn role(&self, id: NodeId) -> Option<String> {
        let explicit = self.explicit(id).map(str::to_ascii_lowercase);
        match explicit.as_deref() {
            Some("none" | "presentation") if self.has_conflict(id) => self.implicit(id),
            Some(_) => explicit,
            None => self.implicit(id),
        }
    }

    /// Whether a role of no meaning is overruled: by a global attribute, or since it can be focused.
    pub(super) fn has_conflict(&self, id: NodeId) -> bool {
        self.has_global(id) || self.is_focusable(id)
    }

    pub(super) fn has_global(&self, id: NodeId) -> bool {
        let is_global = |name: &str| name.strip_prefix("aria-").and_then(aria::attribute).is_some_and(|it| it.global);
        self.dom.attributes(id).iter().any(|it| is_global(&it.name.local))
    }

    /// Whether it can be focused at all.
    pub(super) fn is_focusable(&self, id: NodeId) -> bool {
        if !self.is_shown(id) || self.is_disabled(id) {
            return false;
        }
        self.is_natively_focusable(id) || self.tab_index(id).is_some()
    }

    pub(super) fn tab_index(&self, id: NodeId) -> Option<i32> {
        self.attr(id, "tabindex")?.trim().parse().ok()
    }

    pub(super) fn is_disabled(&self, id: NodeId) -> bool {
        let can =
            matches!(self.name_of(id), "button" | "input" | "select" | "textarea" | "fieldset" | "optgroup" | "option");
        let by_set = || {
            let set = self.closest(id, &["fieldset"]);
            set.is_some_and(|it| self.attr(it, "disabled").is_some()) && self.closest(id, &["legend"]).is_none()
        };
        can && (self.attr(id, "disabled").is_some() || by_set())
    }

    fn is_natively_focusable(&self, id: NodeId) -> bool {
        match self.name_of(id) {
            "a" | "area" => self.attr(id, "href").is_some(),
            "input" => self.input_type(id) != "hidden",
            "button" | "select" | "textarea" | "iframe" => true,
            "summary" => self.dom.parent(id).is_some_and(|it| self.name_of(it) == "details"),
            "details" => !self.dom.children(id).any(|it| self.name_of(it) == "summary"),
            "audio" | "video" => self.attr(id, "controls").is_some(),
            _ => self.attr(id, "contenteditable").is_some_and(|it| it != "false"),
        }
    }

    /// The role that an element has by itself.
    pub(super) fn implicit(&self, id: NodeId) -> Option<String> {
        let sectioning = ["article", "aside", "main", "nav", "section"];
        let named = |title: bool| {
            let label = ["aria-label", "aria-labelledby"]
                .iter()
                .any(|it| self.attr(id, it).is_some_and(|it| !it.trim().is_empty()));
            label || (title && self.attr(id, "title").is_some_and(|it| !it.trim().is_empty()))
        };
        let role = match self.name_of(id) {
            "a" | "area" => self.attr(id, "href").map(|_| "link")?,
            "article" => "article",
            "aside" if self.closest(id, &["article", "aside", "nav", "section"]).is_some() && !named(true) => {
                return None;
            }
            "aside" => "complementary",
            "body" => "document",
            "button" => "button",
            "datalist" => "listbox",
            "dd" => "definition",
            "dfn" | "dt" => "term",
            "details" | "fieldset" | "optgroup" => "group",
            "dialog" => "dialog",
            "figure" => "figure",
            "footer" => self.closest(id, &sectioning).is_none().then_some("contentinfo")?,
            "header" => self.closest(id, &sectioning).is_none().then_some("banner")?,
            "form" => named(false).then_some("form")?,
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => "heading",
            "hr" => "separator",
            "img" => {
                let empty = self.attr(id, "alt") == Some("");
                if empty && !self.has_global(id) && !self.is_focusable(id) { "presentation" } else { "img" }
            }
            "input" => self.of_input(id),
            "li" => "listitem",
            "main" => "main",
            "math" => "math",
            "menu" | "ol" | "ul" => "list",
            "meter" => "meter",
            "nav" => "navigation",
            "option" => "option",
            "output" => "status",
            "progress" => "progressbar",
            "search" => "search",
            "section" => named(false).then_some("region")?,
            "select" => {
                let many = self.attr(id, "size").and_then(|it| it.parse::<u32>().ok()).is_some_and(|it| it > 1);
                if many || self.attr(id, "multiple").is_some() { "listbox" } else { "combobox" }
            }
            "summary" => "button",
            "table" => "table",
            "tbody" | "tfoot" | "thead" => "rowgroup",
            "td" => {
                let table = self.closest(id, &["table"]).and_then(|it| self.explicit(it));
                if matches!(table, Some("grid" | "treegrid")) { "gridcell" } else { "cell" }
            }
            "textarea" => "textbox",
            "th" => {
                if self.attr(id, "scope").is_some_and(|it| it.starts_with("row")) {
                    "rowheader"
                } else {
                    "columnheader"
                }
            }
            "tr" => "row",
            _ => return None,
        };
        Some(role.to_owned())
    }

    fn of_input(&self, id: NodeId) -> &'static str {
        let list =
            || self.attr(id, "list").and_then(|it| self.by_id(it)).is_some_and(|it| self.name_of(it) == "datalist");
        match self.input_type(id).as_str() {
            "checkbox" => "checkbox",
            "number" => "spinbutton",
            "radio" => "radio",
            "range" => "slider",
            "button" | "image" | "reset" | "submit" => "button",
            "search" | "text" | "tel" | "url" | "email" if list() => "combobox",
            "search" => "searchbox",
            _ => "textbox",
        }
    }
}
