//! The one pass over a document, which hands each element to the file that knows it.

use std::collections::BTreeMap;

use html5ever::{Attribute, ns};

use super::body::{self, Open};
use super::content::{Content, Part};
use super::facts::PageFacts;
use super::layout::{is_list_of_links, layout};
use super::marks::{self, Marks};
use super::parts::Placement;
use super::placement::{self, Sign};
use super::{byline, head, structured};
use crate::dom::{Data, Dom, NodeId, attribute, is_inline};
use crate::simhash;
use crate::sketch::Sketch;
use crate::text::{collapse_to, hex, runs, sha256, word_count};
use crate::url::{Url, resolve};

/// What is known of the place where the walk is.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place {
    pub(super) in_body: bool,
    pub(super) in_svg: bool,
    pub(super) in_noscript: bool,
    pub(super) in_picture: bool,
    pub(super) in_label: bool,
    pub(super) placement: Placement,
    landmark: bool,
    in_section: bool,
    hidden: bool,
    part: Part,
}

/// The state of one walk.
pub(super) struct Walk<'a> {
    pub(super) dom: &'a Dom,
    /// The address that references are resolved against: the document's, or its `<base>`.
    pub(super) base: Url,
    /// The document's own address.
    pub(super) address: &'a Url,
    pub(super) facts: &'a mut PageFacts,
    pub(super) content: Content,
    pub(super) open: Open,
    marks: Marks,
    /// Places of blocks that no landmark and no name tells.
    layout: BTreeMap<NodeId, Placement>,
    articles: u16,
    author: Option<(NodeId, usize)>,
}

/// Walks a document and fills in its facts.
pub(super) fn walk(dom: &Dom, address: &Url, html: &str, facts: &mut PageFacts) {
    let mut base = address.clone();
    if let Some(declared) = base_of(dom, address) {
        facts.base = Some(declared.to_string());
        base = declared;
    }
    let mut walk = Walk {
        dom,
        base,
        address,
        facts,
        content: Content::default(),
        open: Open::default(),
        marks: Marks::default(),
        layout: layout(dom),
        articles: 0,
        author: None,
    };
    walk.run();
    walk.finish(html);
}

/// The first `<base href>` in the document.
fn base_of(dom: &Dom, address: &Url) -> Option<Url> {
    let mut at = dom.first_child(0);
    // html > head > base: a base elsewhere is rare, and the standard's first one is nearly always there.
    for wanted in ["html", "head"] {
        while let Some(id) = at {
            if matches!(&dom.node(id).data, Data::Element { name, .. } if &*name.local == wanted) {
                break;
            }
            at = dom.next_sibling(id);
        }
        at = at.and_then(|id| dom.first_child(id));
    }
    while let Some(id) = at {
        if let Data::Element { name, attrs } = &dom.node(id).data
            && &*name.local == "base"
            && let Some(href) = attribute(attrs, "href")
        {
            return resolve(address, href);
        }
        at = dom.next_sibling(id);
    }
    None
}

impl Walk<'_> {
    fn run(&mut self) {
        let mut stack: Vec<(NodeId, Place)> = Vec::with_capacity(64);
        let mut place = Place::default();
        let mut next = self.dom.first_child(0);
        loop {
            let Some(id) = next else {
                let Some((id, outer)) = stack.pop() else { return };
                self.leave(id);
                place = outer;
                next = self.dom.next_sibling(id);
                continue;
            };
            match &self.dom.node(id).data {
                Data::Text(text) => self.text(text, place),
                Data::Element { name, attrs } => {
                    self.facts.elements += 1;
                    self.facts.nesting = self.facts.nesting.max(u32::try_from(stack.len() + 1).unwrap_or(u32::MAX));
                    let html = name.ns == ns!(html);
                    let inner = self.enter(id, if html { &name.local } else { "" }, attrs, place, name.ns == ns!(svg));
                    if let (Some(inner), Some(child)) = (inner, self.dom.first_child(id)) {
                        stack.push((id, place));
                        place = inner;
                        next = Some(child);
                        continue;
                    }
                    self.leave(id);
                }
                Data::Document | Data::Other => {}
            }
            next = self.dom.next_sibling(id);
        }
    }

    /// Handles an element; gives the place of its children, or none when they are not looked at.
    fn enter(&mut self, id: NodeId, name: &str, attrs: &[Attribute], place: Place, svg: bool) -> Option<Place> {
        let mut inner = place;
        inner.in_svg |= svg;
        match name {
            "html" => {
                self.facts.lang =
                    attribute(attrs, "lang").map(|lang| collapse_to(lang, 40)).filter(|lang| !lang.is_empty());
                self.facts.markup.amp = ["amp", "⚡"].iter().any(|name| attribute(attrs, name).is_some());
            }
            "body" => inner.in_body = true,
            "label" => inner.in_label = true,
            "title" | "meta" | "link" if !inner.in_svg => {
                head::read(self, id, name, attrs, place);
                return None;
            }
            "script" => {
                if attribute(attrs, "type")
                    .is_some_and(|kind| kind.trim().to_ascii_lowercase().starts_with("application/ld+json"))
                {
                    structured::read_json_ld(&self.dom.own_text(id), self.facts);
                } else {
                    if attribute(attrs, "src").is_none() {
                        marks::script(&mut self.facts.markup, &self.dom.own_text(id));
                    }
                    body::script(self, attrs, place);
                }
                return None;
            }
            "style" => {
                marks::style(&mut self.facts.markup, &self.dom.own_text(id));
                return None;
            }
            "template" => return None,
            "noscript" => {
                inner.in_noscript = true;
                inner.hidden = true;
            }
            "picture" => inner.in_picture = true,
            "main" => inner.part.main = true,
            "article" => {
                self.articles = self.articles.saturating_add(1);
                inner.part.article = self.articles;
            }
            _ => {}
        }
        if matches!(name, "html" | "body")
            && let Some(dir) = attribute(attrs, "dir").filter(|dir| !dir.trim().is_empty())
        {
            self.facts.markup.dir = Some(collapse_to(dir, 10).to_ascii_lowercase());
        }
        if name == "frameset" {
            self.facts.markup.obsolete.push(name.to_owned());
        }
        if inner.in_body {
            self.marks.enter(&mut self.facts.markup, self.dom, id, name, attrs, inner);
            self.place(id, name, attrs, &mut inner);
            structured_attributes(attrs, self.facts);
            if self.author.is_none() && byline::marks_author(attrs) {
                self.author = Some((id, self.content.position()));
            }
            if !is_inline(name) && !inner.in_svg {
                self.content.block();
            }
            body::enter(self, id, name, attrs, inner);
        }
        Some(inner)
    }

    fn place(&mut self, id: NodeId, name: &str, attrs: &[Attribute], inner: &mut Place) {
        match placement::sign(name, attrs, inner.in_section) {
            Sign::Landmark(placement) => {
                inner.placement = placement;
                inner.landmark = placement != Placement::Main;
                inner.part.boilerplate = placement != Placement::Main;
                inner.part.main |= placement == Placement::Main;
                inner.in_section |= matches!(placement, Placement::Main | Placement::Aside | Placement::Nav);
            }
            Sign::Hint(placement) if !inner.landmark => {
                // A sidebar of nothing but links is a way through the site.
                let within = matches!(inner.placement, Placement::Aside | Placement::Nav);
                inner.placement = match placement {
                    Placement::Aside if within => inner.placement,
                    Placement::Aside if is_list_of_links(self.dom, id) => Placement::Nav,
                    other => other,
                };
                inner.part.boilerplate = true;
            }
            _ => {
                inner.in_section |= matches!(name, "article" | "section");
                if let Some(placement) = self.layout.get(&id).filter(|_| !inner.landmark) {
                    inner.placement = *placement;
                }
            }
        }
        inner.hidden |= attribute(attrs, "hidden").is_some() || attribute(attrs, "style").is_some_and(is_display_none);
    }

    fn leave(&mut self, id: NodeId) {
        if let Data::Element { name, .. } = &self.dom.node(id).data {
            body::leave(self, id);
            if let Some((owner, start)) = self.author
                && owner == id
            {
                self.author = None;
                if self.facts.byline_visible.is_none() {
                    self.facts.byline_visible = byline::name_in(self.content.since(start));
                }
            }
            if !is_inline(&name.local) {
                self.content.block();
            }
        }
    }

    fn text(&mut self, text: &str, place: Place) {
        if !place.in_body || place.in_svg {
            return;
        }
        self.open.text(text);
        if !place.hidden {
            self.content.push(text, place.part);
        }
    }

    /// What can be said only at the end.
    fn finish(self, html: &str) {
        let Walk { content, facts, open, marks, .. } = self;
        open.count(facts);
        facts.structured.node_bytes = 0;
        let cut = facts.truncated;
        marks.finish(&mut facts.markup, cut);
        let start = html.get(..html.floor_char_boundary(1_024)).unwrap_or_default();
        facts.meta_charset_late = !facts.meta_charsets.is_empty() && !start.to_ascii_lowercase().contains("charset");
        let main = content.main();
        let words = simhash::word_hashes(&main);
        facts.word_count = u32::try_from(words.len()).unwrap_or(u32::MAX);
        facts.body_word_count = word_count(content.whole());
        facts.excerpt = collapse_to(&main, 300);
        if facts.byline_visible.is_none() {
            facts.byline_visible = byline::name_in_lines(&main);
        }
        if facts.word_count > 0 {
            let folded = crate::text::collapse(&main).to_lowercase();
            facts.text_sha256 = hex(&sha256(folded.as_bytes()));
            facts.simhash = simhash::of_words(&words).map(simhash::to_hex).unwrap_or_default();
            facts.sketch = Sketch::of_words(&words).map(|it| it.to_text()).unwrap_or_default();
        }
        let visible: usize = runs(content.whole()).map(|word| word.chars().count() + 1).sum();
        let all = html.chars().count().max(1);
        #[expect(clippy::cast_precision_loss, reason = "a ratio of page sizes, rounded to four digits")]
        let ratio = visible.min(all) as f64 / all as f64;
        facts.text_ratio = (ratio * 10_000.0).round() / 10_000.0;
    }
}

fn structured_attributes(attrs: &[Attribute], facts: &mut PageFacts) {
    if attrs.is_empty() {
        return;
    }
    if let Some(types) = attribute(attrs, "itemtype") {
        types.split_ascii_whitespace().for_each(|name| structured::add(&mut facts.structured.microdata, name));
    }
    if let Some(types) = attribute(attrs, "typeof") {
        types.split_ascii_whitespace().for_each(|name| structured::add(&mut facts.structured.rdfa, name));
    }
}

fn is_display_none(style: &str) -> bool {
    style.to_ascii_lowercase().split(';').any(|rule| {
        rule.split_once(':')
            .is_some_and(|(property, value)| property.trim() == "display" && value.trim().starts_with("none"))
    })
}
