//! Faults of the head: what closes it, what is missing from it, doubled, or in the body instead.

use kit::dom::NodeId;

use super::{Faults, Kind, scan};
use crate::live::Live;

impl Faults {
    /// What of the head is missing, doubled or out of place.
    pub(super) fn of_head(&mut self, page: &Live) {
        let dom = &page.dom;
        if !dom.doctype {
            self.add(Kind::MissingDoctype, 1, "!doctype", "browsers lay the page out in quirks mode");
        }
        let in_body = |id: NodeId| dom.ancestors(id).any(|it| matches!(dom.name(it), "body"));
        let outside_svg = |id: &NodeId| !dom.ancestors(*id).any(|it| dom.name(it) == "svg");
        let titles: Vec<NodeId> = dom.elements("title").filter(outside_svg).collect();
        if titles.is_empty() {
            self.add(Kind::MissingTitle, 1, "title", "search engines make a title up");
        }
        for (at, id) in titles.into_iter().enumerate() {
            if in_body(id) {
                self.add(Kind::TitleInBody, dom.node(id).line, "title", "a title in the body is not the page's title");
            } else if at > 0 {
                self.add(Kind::DuplicateTitle, dom.node(id).line, "title", "only the first title counts");
            }
        }
        if let Some(element) = &page.facts.head_end.closed_by {
            let line = scan::line_of(&page.html, element);
            self.add(
                Kind::HeadClosedEarly,
                line,
                element,
                "everything after it is in the body: canonical, robots and hreflang there are ignored",
            );
        }
        let (mut descriptions, mut canonicals) = (0, 0);
        for id in dom.elements("meta") {
            let name = dom.attribute(id, "name").unwrap_or_default().to_ascii_lowercase();
            let line = dom.node(id).line;
            let microdata = dom.attribute(id, "itemprop").is_some() || dom.attribute(id, "property").is_some();
            if in_body(id) && !microdata {
                self.add(
                    Kind::MetaInBody,
                    line,
                    &format!("meta name={name}"),
                    "search engines read it in the head only",
                );
            }
            if name == "description" {
                descriptions += 1;
                if descriptions == 2 {
                    self.add(
                        Kind::DuplicateDescription,
                        line,
                        "meta name=description",
                        "search engines choose one or none",
                    );
                }
            }
            let charset = dom.attribute(id, "charset").is_some();
            if charset && scan::offset_of_line(&page.html, line) > 1_024 {
                self.add(Kind::LateCharset, line, "meta charset", "it counts in the first 1,024 bytes only");
            }
        }
        for id in dom.elements("link") {
            let rel = dom.attribute(id, "rel").unwrap_or_default().to_ascii_lowercase();
            let line = dom.node(id).line;
            if rel.split_ascii_whitespace().any(|it| it == "canonical") {
                canonicals += 1;
                if in_body(id) {
                    self.add(Kind::CanonicalInBody, line, "link rel=canonical", "a canonical in the body is ignored");
                } else if canonicals > 1 {
                    self.add(
                        Kind::DuplicateCanonical,
                        line,
                        "link rel=canonical",
                        "with two of them search engines ignore both",
                    );
                }
            }
            if dom.attribute(id, "hreflang").is_some() && in_body(id) {
                self.add(Kind::HreflangInBody, line, "link hreflang", "an alternate in the body is ignored");
            }
        }
        self.of_base(page);
    }

    fn of_base(&mut self, page: &Live) {
        let dom = &page.dom;
        for (at, id) in dom.elements("base").enumerate() {
            let line = dom.node(id).line;
            let href = dom.attribute(id, "href").unwrap_or_default();
            let own = kit::url::Url::parse(&page.facts.final_url).ok();
            if dom.attribute(id, "href").is_some() && own.and_then(|own| kit::url::resolve(&own, href)).is_none() {
                self.add(
                    Kind::BadBase,
                    line,
                    &format!("base href={href}"),
                    "it is no web address; relative links lead nowhere",
                );
            } else if at > 0 {
                self.add(Kind::BadBase, line, "base", "only the first base counts");
            }
            let earlier =
                |name| dom.elements(name).any(|it| dom.node(it).line < line && dom.attribute(it, "href").is_some());
            if earlier("link") || earlier("a") {
                self.add(Kind::LateBase, line, "base", "references before it are resolved against another address");
            }
        }
    }
}
