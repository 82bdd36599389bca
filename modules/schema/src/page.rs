//! The operations `schema.page.extract` and `schema.page.validate`.

use sdk::Degraded;
use sdk::Fix;
use sdk::Next;
use sdk::prelude::*;
use serde_json::{Map, Value};

use crate::extract::{Format, ParseError, graph};
use crate::judge::{self, Judged, Profile};
use site::live::{self, Seen};

#[args]
pub(crate) struct Extract {
    /// The page; with `html` its address only.
    url: Url,
    /// The source to look at instead of fetching the page. A call takes 256 KiB of arguments.
    html: Option<Text<0, 2_000_000>>,
}

/// A node of the page's structured data.
#[value]
pub(crate) struct Node {
    /// Its `@id`; one that begins with `_:` where the page gives it none.
    id: String,
    /// Its types, those of schema.org without its address.
    types: Vec<String>,
    /// How the first item that tells of it is written.
    format: Format,
    /// The line of the document where that item begins, from 1.
    line: u32,
    /// Its properties; a value that is another node is an object with its `@id`.
    properties: Map<String, Value>,
}

/// The structured data of a page.
#[value]
pub(crate) struct Extracted {
    nodes: Vec<Node>,
    parse_errors: Vec<ParseError>,
    /// When the page was looked at; null when its source was given.
    page: Option<Seen>,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Extracts JSON-LD (with @graph and @id merging), Microdata and RDFa from a page into one node list with source positions.
///
/// Nodes with the same `@id` become one; `@reverse` is turned round. JSON-LD that is no JSON is not repaired but told in
/// `parse_errors`. What scripts add in a browser is not seen.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 1),
    needs = ["web"],
    phrasings = [
        "what structured data is on this page",
        "show me the JSON-LD of a page",
        "read microdata and rdfa from a url",
        "which schema.org types does this page declare",
    ],
    examples = [
        { "url": "https://shop.example/products/lamp-1" },
        { "url": "https://shop.example/", "html": "<script type=\"application/ld+json\">{\"@context\":\"https://schema.org\",\"@type\":\"Organization\",\"name\":\"Lampshop\"}</script>" }
    ]
)]
pub(crate) fn extract(cx: &Cx, args: Extract) -> Result<Extracted> {
    let (page, fetched) = match &args.html {
        Some(html) => (live::of_source(cx, &args.url, html), false),
        None => (live::page(cx, &args.url, "/url")?, true),
    };
    let found = crate::live::extracted(&page);
    let degraded = crate::live::missing(&page, &found);
    let node = |it: graph::Node| Node {
        id: it.id,
        types: it.types,
        format: it.format,
        line: it.line,
        properties: it.properties,
    };
    let url = page.facts.final_url.as_str();
    let act = match (found.items.is_empty(), found.errors.is_empty()) {
        (true, _) => Fix::on("schema.type.suggest", url).because("proposes types that fit the page"),
        (false, false) => Fix::on("schema.page.validate", url).because("shows what is wrong with the markup"),
        (false, true) => {
            Fix::on("schema.eligibility.check", url).because("shows which search features the page qualifies for")
        }
    };
    Ok(Extracted {
        nodes: graph::nodes(&found.items).into_iter().map(node).collect(),
        parse_errors: found.errors,
        page: fetched.then(|| page.seen()),
        next: vec![act],
        degraded,
    })
}

#[args]
pub(crate) struct Validate {
    url: Url,
    /// Whose rules are asked.
    #[default("both")]
    profile: Profile,
}

/// What is wrong with the structured data of a page.
#[value]
pub(crate) struct Validated {
    items: Vec<Judged>,
    parse_errors: Vec<ParseError>,
    /// Whether there is structured data, and no error in any.
    valid: bool,
    /// The day of the table of Google's requirements: compared with copies of its own pages.
    rules_checked: Day,
    page: Seen,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Validates a page's structured data against the schema.org vocabulary (domains, ranges, enumerations, ISO formats) and the required and recommended properties of current Google rich results.
///
/// What schema.org only expects is a warning; what cannot be read, and what a rich result needs, is an error.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 1),
    needs = ["web"],
    phrasings = [
        "is the structured data of my page valid",
        "rich results test for a url",
        "which schema errors does this page have",
        "check my product markup for missing fields",
    ],
    examples = [{ "url": "https://shop.example/products/lamp-1", "profile": "google" }]
)]
pub(crate) fn validate(cx: &Cx, args: Validate) -> Result<Validated> {
    let page = live::page(cx, &args.url, "/url")?;
    let found = crate::live::extracted(&page);
    let url = page.facts.final_url.as_str();
    let items = judge::judge(&found.items, args.profile, cx.now().day(), Some(url), |_| None);
    let valid = !items.is_empty() && found.errors.is_empty() && items.iter().all(|it| it.errors.is_empty());
    let next = if items.is_empty() {
        vec![Fix::on("schema.type.suggest", url).because("proposes types that fit the page")]
    } else {
        Vec::new()
    };
    let degraded = crate::live::missing(&page, &found);
    Ok(Validated {
        items,
        parse_errors: found.errors,
        valid,
        rules_checked: crate::google::checked(),
        page: page.seen(),
        next,
        degraded,
    })
}

#[cfg(test)]
mod tests;
