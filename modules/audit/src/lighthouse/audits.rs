//! The ten audits of the category, and those of them that need few words.

use kit::dom::{Dom, NodeId};
use kit::robots::Robots;
use kit::url::Url;
use sdk::Fix;

use sdk::json;

use super::{Audit, ITEMS, Item, Outcome, anchors, links, robots};
use crate::evidence::clip;

/// What was served.
pub(super) struct Served<'a> {
    pub(super) dom: &'a Dom,
    /// The address that answered.
    pub(super) base: &'a Url,
    /// The address that references are resolved against: `base`, or what the page's `<base>` says.
    pub(super) against: Url,
    pub(super) status: u16,
    pub(super) headers: &'a [(String, String)],
    /// The status and text of robots.txt; none when there was no answer.
    pub(super) robots: Option<(u16, &'a [u8])>,
    /// Days since 1970 UTC, today.
    pub(super) today: i64,
}

impl Served<'_> {
    /// The values of a header, in the order received.
    pub(super) fn header<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.headers.iter().filter(move |(it, _)| it == name).map(|(_, value)| value.as_str())
    }

    /// Whether an element stands in the head.
    pub(super) fn in_head(&self, id: NodeId) -> bool {
        self.dom.ancestors(id).any(|it| self.dom.name(it) == "head")
    }

    /// What a reference on the page leads to, by its `<base>`.
    pub(super) fn resolve(&self, reference: &str) -> Option<Url> {
        self.against.join(reference).ok()
    }

    /// The address that references of a page are resolved against.
    pub(super) fn against(dom: &Dom, base: &Url) -> Url {
        let declared = dom.elements("base").find_map(|id| dom.attribute(id, "href"));
        declared.and_then(|href| base.join(href).ok()).unwrap_or_else(|| base.clone())
    }

    /// Contents of `<meta>` elements of the head with this name, the first first.
    fn meta<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let named = move |id: &NodeId| {
            let given = self.dom.attribute(*id, "name").unwrap_or_default();
            given.to_lowercase() == name && self.in_head(*id)
        };
        self.dom.elements("meta").filter(named).map(|id| self.dom.attribute(id, "content").unwrap_or_default())
    }
}

/// What failed an audit; none where it does not apply.
pub(super) type Failed = Option<Vec<Item>>;

pub(super) fn item(source: impl AsRef<str>, reason: impl Into<String>) -> Item {
    Item { source: clip(source.as_ref()), reason: reason.into() }
}

/// An element as it would be written, without what is in it.
pub(super) fn tag(dom: &Dom, id: NodeId) -> String {
    let attributes = dom.attributes(id).iter().map(|it| format!(" {}=\"{}\"", it.name.local, it.value));
    format!("<{}{}>", dom.name(id), attributes.collect::<String>())
}

/// The whole category. Weights: Lighthouse's default configuration, so that a page that may not be indexed loses at
/// least 31 of 100.
pub(super) fn all(served: &Served<'_>) -> Vec<Audit> {
    let audits: [(&str, f64, Failed); 10] = [
        ("is-crawlable", 93.0 / 23.0, Some(is_crawlable(served))),
        ("document-title", 1.0, Some(document_title(served))),
        ("meta-description", 1.0, Some(meta_description(served))),
        ("http-status-code", 1.0, Some(status(served))),
        ("link-text", 1.0, Some(anchors::text(served))),
        ("crawlable-anchors", 1.0, Some(anchors::crawlable(served))),
        ("robots-txt", 1.0, robots::valid(served.robots)),
        ("image-alt", 1.0, image_alt(served)),
        ("hreflang", 1.0, Some(links::hreflang(served))),
        ("canonical", 1.0, links::canonical(served)),
    ];
    let made = audits.into_iter().map(|(id, weight, failed)| {
        let outcome = match &failed {
            None => Outcome::NotApplicable,
            Some(items) if items.is_empty() => Outcome::Pass,
            Some(_) => Outcome::Fail,
        };
        let mut items = failed.unwrap_or_default();
        let count = u32::try_from(items.len()).unwrap_or(u32::MAX);
        items.truncate(ITEMS);
        let fix = (outcome == Outcome::Fail).then(|| act(id, served.base));
        Audit { id: id.to_owned(), pass: outcome != Outcome::Fail, outcome, weight, items, count, fix }
    });
    made.collect()
}

/// What acts on a failed audit.
fn act(id: &str, page: &Url) -> Fix {
    let operation = match id {
        "document-title" => "onpage.title.suggest",
        "meta-description" => "onpage.description.suggest",
        "link-text" | "crawlable-anchors" => "onpage.link.check",
        "image-alt" => "onpage.alt_text.suggest",
        "http-status-code" => "crawl.url.fetch",
        "robots-txt" => return Fix::new("indexing.robots.lint", json!({ "origin": kit::url::origin(page) })),
        "hreflang" => return Fix::new("indexing.hreflang.validate", json!({ "urls": [page.as_str()] })),
        _ => "indexing.url.check",
    };
    Fix::on(operation, page.as_str())
}

fn document_title(served: &Served<'_>) -> Vec<Item> {
    let dom = served.dom;
    let svg = |id: NodeId| dom.ancestors(id).any(|it| dom.name(it) == "svg");
    let title = dom.elements("title").find(|id| !svg(*id)).map(|id| dom.own_text(id));
    match title {
        None => vec![item("<title>", "the page has none")],
        Some(text) if text.trim().is_empty() => vec![item("<title>", "it is empty")],
        Some(_) => Vec::new(),
    }
}

fn meta_description(served: &Served<'_>) -> Vec<Item> {
    match served.meta("description").next() {
        None => vec![item("<meta name=\"description\">", "the head has none")],
        Some(content) if content.trim().is_empty() => vec![item("<meta name=\"description\">", "it is empty")],
        Some(_) => Vec::new(),
    }
}

fn status(served: &Served<'_>) -> Vec<Item> {
    if (400..600).contains(&served.status) {
        vec![item(served.status.to_string(), "the status says that the page is not there")]
    } else {
        Vec::new()
    }
}

/// The crawlers that are asked about; none is any crawler.
const CRAWLERS: [Option<&str>; 5] =
    [None, Some("Googlebot"), Some("bingbot"), Some("DuckDuckBot"), Some("archive.org_bot")];

/// Fails when no crawler may index the page; shown is what keeps out any crawler.
fn is_crawlable(served: &Served<'_>) -> Vec<Item> {
    let mut general = Vec::new();
    for crawler in CRAWLERS {
        let blocks = blocks(served, crawler);
        if blocks.is_empty() {
            return Vec::new();
        }
        if crawler.is_none() {
            general = blocks;
        }
    }
    general
}

fn blocks(served: &Served<'_>, crawler: Option<&str>) -> Vec<Item> {
    let mut blocks = Vec::new();
    let own = crawler.and_then(|it| served.meta(&it.to_lowercase()).next().map(str::to_owned));
    if let Some(content) =
        own.or_else(|| served.meta("robots").next().map(str::to_owned)).filter(|it| forbids(it, served.today))
    {
        blocks.push(item(format!("<meta name=\"robots\" content=\"{content}\">"), "it forbids indexing"));
    }
    for value in served.header("x-robots-tag") {
        let named = value
            .split_once(':')
            .map(|(name, _)| name)
            .filter(|name| !name.contains(',') && !name.is_empty() && !name.eq_ignore_ascii_case("unavailable_after"));
        if named.is_some() && named != crawler {
            continue;
        }
        let directives = match (named, value.split_once(':')) {
            (Some(_), Some((_, rest))) => rest,
            _ => value,
        };
        if forbids(directives, served.today) {
            blocks.push(item(format!("x-robots-tag: {value}"), "it forbids indexing"));
        }
    }
    let file = served.robots.filter(|(status, text)| *status < 400 && !text.is_empty());
    if let Some((_, text)) = file
        && !Robots::parse(text, crawler.unwrap_or("*")).allows(served.base.as_str())
    {
        blocks.push(item("robots.txt", "it forbids fetching the page"));
    }
    blocks
}

/// `noindex`, `none`, or a day after which the page is to be left out, when that has passed.
fn forbids(directives: &str, today: i64) -> bool {
    kit::directives::split(directives).iter().any(|it| kit::directives::forbids(it, today * 86_400_000))
}

/// Pictures without a text in their place, as axe-core's rule `image-alt` tells them.
fn image_alt(served: &Served<'_>) -> Failed {
    let dom = served.dom;
    let hidden = |id: NodeId| {
        std::iter::once(id).chain(dom.ancestors(id)).any(|it| {
            let style = dom.attribute(it, "style").unwrap_or_default().replace(' ', "").to_lowercase();
            dom.attribute(it, "hidden").is_some()
                || dom.attribute(it, "aria-hidden") == Some("true")
                || style.contains("display:none")
                || style.contains("visibility:hidden")
                || matches!(dom.name(it), "noscript" | "template")
        })
    };
    let mut pictures = dom.elements("img").filter(|id| !hidden(*id)).peekable();
    pictures.peek()?;
    let unnamed = pictures.filter(|id| !is_named(dom, *id));
    Some(unnamed.map(|id| item(tag(dom, id), "it has no alt attribute and no other name")).collect())
}

fn is_named(dom: &Dom, id: NodeId) -> bool {
    let given = |name: &str| dom.attribute(id, name).is_some_and(|it| !it.trim().is_empty());
    let alt = dom.attribute(id, "alt");
    // A text of spaces alone is read out as nothing, and yet is no empty one.
    let blank = alt.is_some_and(|it| !it.is_empty() && it.trim().is_empty());
    let referenced = dom.attribute(id, "aria-labelledby").is_some_and(|ids| {
        ids.split_whitespace().any(|wanted| {
            let mut all = dom.descendants(0);
            all.any(|it| dom.attribute(it, "id") == Some(wanted) && !dom.text(it).is_empty())
        })
    });
    let decorative = matches!(dom.attribute(id, "role").map(str::trim), Some("none" | "presentation"));
    !blank && (alt.is_some() || given("aria-label") || given("title") || referenced || decorative)
}
