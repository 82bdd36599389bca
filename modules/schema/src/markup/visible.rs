//! What readers of a page can see, as values with the place they were found at.
//!
//! Nothing of the head, of comments or of markup for machines counts: structured data may only say what the page shows
//! (Google Search Central, "General structured data guidelines").

mod links;
mod place;
mod plain;

use kit::dates::{self, Of, Source};
use kit::dom::{Data, Dom, NodeId};
use kit::extract::{self, Block, Kind};
use serde_json::Value;

pub(crate) use links::is_profile;
use place::selector;

use crate::money::{self, Money};
use site::live::Live;

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fact {
    pub(crate) value: Value,
    /// A CSS selector that leads to it.
    pub(crate) selector: String,
}

/// A page as its readers see it.
pub(crate) struct Visible<'a> {
    pub(crate) page: &'a Live,
    pub(crate) blocks: Vec<Block>,
    roots: Vec<NodeId>,
    /// The elements that a reader may see, of the whole body, in document order.
    shown: Vec<NodeId>,
}

impl<'a> Visible<'a> {
    pub(crate) fn new(page: &'a Live) -> Self {
        let content = extract::content(&page.dom);
        let (dom, mut shown) = (&page.dom, Vec::new());
        let mut next = dom.first_child(0);
        while let Some(id) = next {
            let hidden = hides(dom, id);
            if !hidden && !dom.name(id).is_empty() {
                shown.push(id);
            }
            next = dom.after(id, 0, !hidden);
        }
        Self { page, blocks: extract::blocks(dom, &content), roots: content.roots.clone(), shown }
    }

    fn dom(&self) -> &'a Dom {
        &self.page.dom
    }

    fn fact(&self, node: NodeId, value: impl Into<Value>) -> Fact {
        Fact { value: value.into(), selector: selector(self.dom(), node) }
    }

    fn elements(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.shown.iter().copied()
    }

    /// The main heading.
    pub(crate) fn heading(&self) -> Option<Fact> {
        let h1 = self.elements().find(|id| self.dom().name(*id) == "h1" && !self.dom().text(*id).is_empty())?;
        Some(self.fact(h1, self.dom().text(h1)))
    }

    /// The first paragraph that says something of the content: not who wrote it, and when.
    pub(crate) fn lead(&self) -> Option<Fact> {
        let author = self.page.facts.byline_visible.as_deref().and_then(|it| kit::page::people(it).next());
        let says = |it: &&Block| {
            let length = it.text.chars().count();
            it.kind == Kind::Paragraph && length >= 40 && !plain::is_byline(&it.text, length, author)
        };
        let block = self.blocks.iter().find(says)?;
        Some(self.fact(block.node, kit::text::collapse_to(&block.text, 300)))
    }

    /// The whole text of the content, at most 5,000 characters.
    pub(crate) fn text(&self) -> Option<Fact> {
        let first = self.blocks.first()?;
        Some(self.fact(first.node, kit::text::collapse_to(&extract::plain(&self.blocks), 5_000)))
    }

    /// The first picture of the content; none of those that a template draws with, such as arrows and icons.
    pub(crate) fn picture(&self) -> Option<Fact> {
        let dom = self.dom();
        let within = self.roots.iter().flat_map(|root| dom.descendants(*root));
        let shows = |id: &NodeId| self.address(*id, "src").is_some_and(|url| !plain::is_ornament(dom, *id, &url));
        let image = within
            .filter(|id| dom.name(*id) == "img")
            .chain(
                self.elements()
                    .filter(|id| dom.name(*id) == "img" && dom.ancestors(*id).any(|it| dom.name(it) == "main")),
            )
            .find(shows)?;
        Some(self.fact(image, self.address(image, "src")?))
    }

    fn address(&self, node: NodeId, attribute: &str) -> Option<String> {
        let reference =
            self.dom().attribute(node, attribute).filter(|it| !it.starts_with("data:") && !it.trim().is_empty())?;
        kit::url::resolve(&self.page.base, reference.trim()).map(|it| it.to_string())
    }

    /// The first author that the text names.
    pub(crate) fn author(&self) -> Option<Fact> {
        let name = kit::page::people(self.page.facts.byline_visible.as_deref()?).next()?;
        let node = self.holder(name)?;
        Some(self.fact(node, name))
    }

    /// A date that readers see, in ISO 8601.
    pub(crate) fn date(&self, of: Of) -> Option<Fact> {
        let all = dates::candidates(self.dom(), &self.page.facts.final_url);
        let seen: Vec<_> = all.into_iter().filter(|it| matches!(it.source, Source::Time | Source::Text)).collect();
        let best = dates::best(&seen, of)?;
        let time = self.elements().find(|id| {
            self.dom().name(*id) == "time"
                && (self.dom().attribute(*id, "datetime") == Some(&best.value) || self.dom().text(*id) == best.value)
        });
        let node = time.or_else(|| self.holder(&best.value)).unwrap_or(0);
        Some(self.fact(node, best.date.to_string()))
    }

    /// The first moments that `time` elements of the content give: when something begins and ends. Not when the page itself was
    /// published or changed.
    pub(crate) fn moments(&self) -> Vec<Fact> {
        let dom = self.dom();
        let times = self.elements().filter(|id| dom.name(*id) == "time" && !plain::is_of_the_page(dom, *id));
        times.filter_map(|id| Some(self.fact(id, dom.attribute(id, "datetime")?.trim()))).take(2).collect()
    }

    /// The deepest element whose own text has this.
    fn holder(&self, text: &str) -> Option<NodeId> {
        let dom = self.dom();
        let own = |id: &NodeId| match &dom.node(*id).data {
            Data::Text(part) => kit::text::collapse(part).contains(text),
            _ => false,
        };
        dom.descendants(0).filter(own).filter_map(|id| dom.parent(id)).find(|id| !is_hidden(dom, *id))
    }

    /// The price: of the first element that is called so, else the only one that the content shows.
    pub(crate) fn price(&self) -> Option<(Fact, Money)> {
        let dom = self.dom();
        let mut called = self.elements().filter(|id| {
            let class = dom.attribute(*id, "class").unwrap_or_default().to_ascii_lowercase();
            let names =
                dom.attribute(*id, "itemprop") == Some("price") || class.split(['-', '_', ' ']).any(|it| it == "price");
            names && !is_crossed_out(dom, *id)
        });
        let priced = |id: NodeId| {
            let text = dom.text(id);
            let money = money::parse(&text).filter(|it| it.currency.is_some() && it.milli > 0)?;
            (text.chars().count() <= 60).then_some((id, money))
        };
        if let Some((id, money)) = called.find_map(priced) {
            return Some((self.fact(id, money.amount()), money));
        }
        let mut found: Vec<(NodeId, Money)> = Vec::new();
        for block in self.blocks.iter().filter(|it| it.text.chars().count() <= 60 && !is_crossed_out(dom, it.node)) {
            if let Some(one) = priced(block.node)
                && !found.iter().any(|(_, known)| *known == one.1)
            {
                found.push(one);
            }
        }
        match found.as_slice() {
            [(id, money)] => Some((self.fact(*id, money.amount()), *money)),
            _ => None,
        }
    }

    /// What follows a label: in a description list, a table, or behind a colon.
    pub(crate) fn labelled(&self, labels: &[&str]) -> Option<Fact> {
        let dom = self.dom();
        let is_label = |text: &str| {
            let text = text.trim().trim_end_matches(':').to_lowercase();
            labels.contains(&text.as_str())
        };
        for id in self.elements().filter(|id| matches!(dom.name(*id), "dt" | "th" | "strong" | "b" | "span")) {
            if !is_label(&dom.text(id)) {
                continue;
            }
            let mut next = dom.next_sibling(id);
            while let Some(at) = next {
                let text = match &dom.node(at).data {
                    Data::Text(part) => kit::text::collapse(part).trim_start_matches(':').trim().to_owned(),
                    _ => dom.text(at),
                };
                if !text.is_empty() {
                    let holder = if dom.name(at).is_empty() { dom.parent(at).unwrap_or(id) } else { at };
                    return Some(self.fact(holder, kit::text::collapse_to(&text, 300)));
                }
                next = dom.next_sibling(at);
            }
        }
        self.blocks.iter().find_map(|block| {
            let (label, rest) = block.text.split_once(':')?;
            (is_label(label) && !rest.trim().is_empty())
                .then(|| self.fact(block.node, kit::text::collapse_to(rest, 300)))
        })
    }

    /// The items of the first list behind a heading that has one of these words.
    pub(crate) fn listed(&self, words: &[&str]) -> Option<Fact> {
        let heading = |it: &Block| matches!(it.kind, Kind::Heading(_));
        let has = |it: &Block| words.iter().any(|word| it.text.to_lowercase().contains(word));
        let at = self.blocks.iter().position(|it| heading(it) && has(it))?;
        let below = self.blocks[at + 1..].iter().take_while(|it| !heading(it));
        let items: Vec<&Block> = below.filter(|it| it.kind == Kind::Item).take(60).collect();
        let list = self.dom().parent(items.first()?.node)?;
        Some(self.fact(list, items.iter().map(|it| Value::from(it.text.as_str())).collect::<Vec<_>>()))
    }

    /// The first element of a class that has one of these words, with its text.
    pub(crate) fn classed(&self, words: &[&str], most: usize) -> Vec<Fact> {
        let dom = self.dom();
        let has = |id: &NodeId| {
            let class = dom.attribute(*id, "class").unwrap_or_default().to_ascii_lowercase();
            class.split([' ', '-', '_']).any(|it| words.contains(&it)) && !dom.text(*id).is_empty()
        };
        let mut found: Vec<NodeId> = Vec::new();
        for id in self.elements().filter(has) {
            if !dom.ancestors(id).any(|it| found.contains(&it)) {
                found.push(id);
            }
        }
        found.into_iter().take(most).map(|id| self.fact(id, kit::text::collapse_to(&dom.text(id), 3_000))).collect()
    }

    /// Where a postal address stands.
    pub(crate) fn postal(&self) -> Option<Fact> {
        let id = self.elements().find(|id| self.dom().name(*id) == "address" && !self.dom().text(*id).is_empty())?;
        Some(self.fact(id, kit::text::collapse_to(&self.dom().text(id), 200)))
    }
}

/// Whether an element keeps what is in it from readers.
fn hides(dom: &Dom, id: NodeId) -> bool {
    matches!(dom.name(id), "head" | "script" | "style" | "template" | "noscript")
        || dom.attribute(id, "hidden").is_some()
        || dom.attribute(id, "aria-hidden") == Some("true")
        || dom.attribute(id, "style").is_some_and(|it| it.replace(' ', "").contains("display:none"))
}

/// Whether an element or one around it is kept from readers.
fn is_hidden(dom: &Dom, id: NodeId) -> bool {
    std::iter::once(id).chain(dom.ancestors(id)).any(|it| hides(dom, it))
}

/// Whether a price is shown as the one of before.
fn is_crossed_out(dom: &Dom, id: NodeId) -> bool {
    std::iter::once(id).chain(dom.ancestors(id)).any(|it| {
        matches!(dom.name(it), "del" | "s" | "strike")
            || dom.attribute(it, "class").is_some_and(|it| {
                it.split([' ', '-', '_'])
                    .any(|it| matches!(it, "old" | "was" | "regular" | "strike" | "crossed" | "list"))
            })
    })
}
