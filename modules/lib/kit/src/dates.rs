//! Dates as pages write them, and which of them to believe.

mod labels;
mod parse;
mod visible;

pub use parse::{Date, in_text, in_url, parse};

use serde_json::{Map, Value};

use crate::dom::{Dom, NodeId};
use crate::jsonld;

/// What a date is of.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Of {
    /// The first publication.
    Published,
    /// The last change.
    Modified,
}

/// Where a date stands.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// JSON-LD.
    JsonLd,
    /// A `meta` element.
    Meta,
    /// Microdata.
    Microdata,
    /// A `time` element.
    Time,
    /// The address.
    Url,
    /// Text that readers see.
    Text,
}

/// A date with where it was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// What it is of.
    pub of: Of,
    /// Where it stands.
    pub source: Source,
    /// As it is written.
    pub value: String,
    /// What that means.
    pub date: Date,
    /// How much it is believed, from 0 to 1.
    pub weight: f64,
}

/// Names of `meta` elements, and what their dates are of.
const META: &[(&str, Of, f64)] = &[
    ("article:published_time", Of::Published, 0.9),
    ("article:modified_time", Of::Modified, 0.9),
    ("og:published_time", Of::Published, 0.85),
    ("og:updated_time", Of::Modified, 0.85),
    ("datepublished", Of::Published, 0.85),
    ("datemodified", Of::Modified, 0.85),
    ("article.published", Of::Published, 0.85),
    ("article.updated", Of::Modified, 0.85),
    ("citation_date", Of::Published, 0.8),
    ("citation_online_date", Of::Published, 0.8),
    ("citation_publication_date", Of::Published, 0.8),
    ("date", Of::Published, 0.75),
    ("dc.date", Of::Published, 0.75),
    ("dc.date.created", Of::Published, 0.75),
    ("dc.date.issued", Of::Published, 0.8),
    ("dc.date.modified", Of::Modified, 0.8),
    ("dcterms.created", Of::Published, 0.75),
    ("dcterms.date", Of::Published, 0.75),
    ("dcterms.issued", Of::Published, 0.8),
    ("dcterms.modified", Of::Modified, 0.8),
    ("last-updated", Of::Modified, 0.7),
    ("last_modified", Of::Modified, 0.7),
    ("last-modified", Of::Modified, 0.7),
    ("lastmod", Of::Modified, 0.7),
    ("parsely-pub-date", Of::Published, 0.85),
    ("pubdate", Of::Published, 0.8),
    ("publishdate", Of::Published, 0.8),
    ("publish_date", Of::Published, 0.8),
    ("publication_date", Of::Published, 0.8),
    ("revised", Of::Modified, 0.7),
    ("sailthru.date", Of::Published, 0.8),
];

/// Properties of microdata, and what their dates are of.
const PROPERTIES: &[(&str, Of)] =
    &[("datePublished", Of::Published), ("dateCreated", Of::Published), ("dateModified", Of::Modified)];

/// Every date of a page, the most believed first. `url` is the page's own address.
#[must_use]
pub fn candidates(dom: &Dom, url: &str) -> Vec<Candidate> {
    let mut out = Vec::new();
    for node in jsonld::nodes(dom) {
        from_node(&node, &mut out);
    }
    for id in dom.elements("meta") {
        from_meta(dom, id, &mut out);
    }
    for id in dom.elements("time") {
        from_time(dom, id, &mut out);
    }
    from_microdata(dom, &mut out);
    if let Some(date) = in_url(url) {
        let value = crate::url::path_and_query(url).to_owned();
        out.push(Candidate { of: Of::Published, source: Source::Url, value, date, weight: 0.5 });
    }
    visible::add(dom, &mut out);
    out.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    out
}

fn push(out: &mut Vec<Candidate>, of: Of, source: Source, value: &str, weight: f64) {
    if let Some(date) = parse(value) {
        let value = crate::text::collapse_to(value, 120);
        out.push(Candidate { of, source, value, date, weight });
    }
}

fn from_node(node: &Map<String, Value>, out: &mut Vec<Candidate>) {
    let page = jsonld::types(node)
        .any(|it| it.ends_with("Article") || it.ends_with("Posting") || it.ends_with("Page") || it == "Report");
    for (key, of, weight) in [
        ("datePublished", Of::Published, 1.0),
        ("dateModified", Of::Modified, 1.0),
        ("dateCreated", Of::Published, 0.8),
        ("uploadDate", Of::Published, 0.7),
    ] {
        if let Some(value) = node.get(key).and_then(jsonld::text) {
            // A comment, a review or a video inside has dates of its own.
            push(out, of, Source::JsonLd, &value, if page { weight } else { weight * 0.6 });
        }
    }
}

fn from_meta(dom: &Dom, id: NodeId, out: &mut Vec<Candidate>) {
    let content = dom.attribute(id, "content").unwrap_or_default();
    if let Some(property) = dom.attribute(id, "itemprop") {
        if let Some(of) = of_property(property) {
            push(out, of, Source::Microdata, content, 0.9);
        }
        return;
    }
    let name = ["name", "property", "http-equiv"].iter().find_map(|it| dom.attribute(id, it)).unwrap_or_default();
    let name = name.trim().to_ascii_lowercase();
    if let Some((_, of, weight)) = META.iter().find(|(known, ..)| *known == name) {
        push(out, *of, Source::Meta, content, *weight);
    }
}

fn of_property(name: &str) -> Option<Of> {
    PROPERTIES.iter().find(|(known, _)| *known == name).map(|(_, of)| *of)
}

/// Microdata on elements that hold no date by themselves: a value goes before the text that readers see.
fn from_microdata(dom: &Dom, out: &mut Vec<Candidate>) {
    for id in dom.descendants(0).filter(|id| !matches!(dom.name(*id), "" | "meta" | "time")) {
        let Some(of) = dom.attribute(id, "itemprop").and_then(of_property) else { continue };
        match ["content", "datetime", "title"].iter().find_map(|it| dom.attribute(id, it)) {
            Some(value) => push(out, of, Source::Microdata, value, 0.9),
            None => push(out, of, Source::Microdata, &dom.text(id), 0.9),
        }
    }
}

fn from_time(dom: &Dom, id: NodeId, out: &mut Vec<Candidate>) {
    let text = dom.text(id);
    let value = dom.attribute(id, "datetime").filter(|it| !it.trim().is_empty()).unwrap_or(&text);
    let holds = |name: &str, words: &[&str]| {
        dom.attribute(id, name).is_some_and(|it| words.iter().any(|word| it.to_ascii_lowercase().contains(word)))
    };
    let (of, source, weight) = match dom.attribute(id, "itemprop").and_then(of_property) {
        Some(of) => (of, Source::Microdata, 0.9),
        // Of one element for both dates a theme says `published updated`.
        _ if holds("class", &["published", "pubdate", "post-date"]) => (Of::Published, Source::Time, 0.75),
        _ if holds("class", &["updated", "modified"]) => (Of::Modified, Source::Time, 0.75),
        _ if holds("class", &["entry-date"]) => (Of::Published, Source::Time, 0.75),
        _ if dom.attribute(id, "pubdate").is_some() => (Of::Published, Source::Time, 0.75),
        _ => (Of::Published, Source::Time, 0.55),
    };
    // In a comment, a list of other posts or an aside it is not the date of this page.
    let elsewhere = dom.ancestors(id).any(|it| {
        matches!(dom.name(it), "aside" | "nav" | "li")
            || dom.name(it) != "body" && dom.attribute(it, "class").is_some_and(|class| class.contains("comment"))
    });
    push(out, of, source, value, if elsewhere { weight * 0.5 } else { weight });
}

/// The most believed date of a kind.
#[must_use]
pub fn best(candidates: &[Candidate], of: Of) -> Option<&Candidate> {
    candidates.iter().filter(|it| it.of == of).max_by(|a, b| a.weight.total_cmp(&b.weight))
}

#[cfg(test)]
mod tests;
