//! The name that assistive programs say of an element.
//!
//! Source: Accessible Name and Description Computation 1.2, section 4.3.

use kit::dom::NodeId;

use super::super::aria;
use super::Tree;

/// Steps of one name: labels may refer to each other.
const MAX_STEPS: u32 = 1_200;

impl Tree<'_> {
    /// The name that assistive programs say; empty where it has none.
    pub(in super::super) fn name(&self, id: NodeId) -> String {
        let mut steps = 0;
        kit::text::collapse(&self.named(id, &mut steps, false, false))
    }

    /// `referred`: a label points here, so that hidden texts count. `within`: as a part of another's content.
    fn named(&self, id: NodeId, steps: &mut u32, referred: bool, within: bool) -> String {
        *steps += 1;
        if *steps > MAX_STEPS || (!referred && !self.is_seen(id)) {
            return String::new();
        }
        if !referred || *steps == 1 {
            let labels = self.refs(id, "aria-labelledby");
            let said: Vec<String> = labels.into_iter().map(|it| self.named(it, steps, true, false)).collect();
            let said = said.join(" ");
            if !(said.trim().is_empty() || within && referred) {
                return said;
            }
        }
        if let Some(label) = self.attr(id, "aria-label").filter(|it| !it.trim().is_empty()) {
            return label.to_owned();
        }
        let native = self.native(id, steps);
        if !native.trim().is_empty() {
            return native;
        }
        let by_content = within
            || referred
            || self.role(id).is_some_and(|it| aria::role(&it).is_some_and(|it| it.named_by_content))
            || self.name_of(id) == "summary";
        if by_content {
            let content = self.content(id, steps, referred);
            if !content.trim().is_empty() {
                return content;
            }
        }
        if self.role(id).is_some_and(|it| matches!(it.as_str(), "none" | "presentation")) {
            return String::new();
        }
        self.attr(id, "title").unwrap_or_default().to_owned()
    }

    /// The name by the element's own means.
    fn native(&self, id: NodeId, steps: &mut u32) -> String {
        let attr = |name: &str| self.attr(id, name).unwrap_or_default().to_owned();
        let child = |names: &[&str], steps: &mut u32| {
            let found = self.dom.children(id).find(|it| names.contains(&self.name_of(*it)));
            found.map(|it| self.content(it, steps, false)).unwrap_or_default()
        };
        match self.name_of(id) {
            "img" | "area" => attr("alt"),
            "input" => match self.input_type(id).as_str() {
                "image" => {
                    first(&[attr("alt"), attr("value"), self.labelled(id, steps), attr("title"), "Submit".to_owned()])
                }
                "submit" => first(&[attr("value"), self.labelled(id, steps), "Submit".to_owned()]),
                "reset" => first(&[attr("value"), self.labelled(id, steps), "Reset".to_owned()]),
                "button" => first(&[attr("value"), self.labelled(id, steps)]),
                _ => first(&[self.labelled(id, steps), attr("title"), attr("placeholder")]),
            },
            "textarea" => first(&[self.labelled(id, steps), attr("title"), attr("placeholder")]),
            "select" | "meter" | "progress" | "output" | "button" => self.labelled(id, steps),
            "fieldset" => child(&["legend"], steps),
            "figure" => child(&["figcaption"], steps),
            "table" => first(&[child(&["caption"], steps), attr("summary")]),
            "svg" => self
                .dom
                .descendants(id)
                .find(|it| self.name_of(*it) == "title")
                .map(|it| self.dom.text(it))
                .unwrap_or_default(),
            _ => String::new(),
        }
    }

    /// What labels say of a control.
    fn labelled(&self, id: NodeId, steps: &mut u32) -> String {
        let mut out: Vec<String> = Vec::new();
        let by_id = self.attr(id, "id").and_then(|it| self.labels.get(it)).into_iter().flatten();
        let around = self
            .closest(id, &["label"])
            .filter(|it| self.attr(*it, "for").is_none_or(|of| self.attr(id, "id") == Some(of)));
        let mut all: Vec<NodeId> = by_id.copied().collect();
        all.extend(around.filter(|it| !all.contains(it)).into_iter().collect::<Vec<_>>());
        for label in all {
            if self.is_shown(label) {
                out.push(self.content_without(label, id, steps));
            }
        }
        out.join(" ")
    }

    fn content(&self, id: NodeId, steps: &mut u32, referred: bool) -> String {
        self.gather(id, None, steps, referred)
    }

    fn content_without(&self, id: NodeId, without: NodeId, steps: &mut u32) -> String {
        self.gather(id, Some(without), steps, false)
    }

    fn gather(&self, id: NodeId, without: Option<NodeId>, steps: &mut u32, referred: bool) -> String {
        let mut out = String::new();
        for child in self.dom.children(id) {
            if Some(child) == without {
                continue;
            }
            match &self.dom.node(child).data {
                kit::dom::Data::Text(text) => out.push_str(text),
                kit::dom::Data::Element { .. } => {
                    let shown = if referred { self.is_shown(child) || !self.is_shown(id) } else { self.is_seen(child) };
                    if !shown || matches!(self.name_of(child), "script" | "style" | "template" | "noscript") {
                        continue;
                    }
                    let block = !kit::dom::is_inline(self.name_of(child));
                    let said = if without.is_some_and(|it| self.dom.ancestors(it).any(|above| above == child)) {
                        self.gather(child, without, steps, referred)
                    } else {
                        self.named(child, steps, false, true)
                    };
                    let said = if said.trim().is_empty() && referred {
                        self.gather(child, without, steps, true)
                    } else {
                        said
                    };
                    if block {
                        out.push(' ');
                    }
                    out.push_str(&said);
                    if block {
                        out.push(' ');
                    }
                }
                _ => {}
            }
        }
        out
    }
}

/// The first that says something.
fn first(all: &[String]) -> String {
    all.iter().find(|it| !it.trim().is_empty()).cloned().unwrap_or_default()
}
