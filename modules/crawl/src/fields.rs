//! The plain values of a page that lists filter, sort and show, each with its name.

use filter::Kind::{self, Flag, Number, Text};
use kit::crawled::PageRecord;
use kit::page::{PageFacts, Place, Verdict};
use serde_json::{Map, Value, json};

/// One field.
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    read: fn(&PageRecord) -> Value,
}

const fn field(name: &'static str, kind: Kind, read: fn(&PageRecord) -> Value) -> Field {
    Field { name, kind, read }
}

/// Shown when no columns are chosen.
pub(crate) const SHOWN: &[&str] = &[
    "url",
    "status",
    "depth",
    "indexability",
    "indexability_reason",
    "title",
    "title_length",
    "description_length",
    "h1",
    "word_count",
    "content_type",
];

/// All fields, in the order of `kit::page::PageFacts`.
pub(crate) const FIELDS: &[Field] = &[
    field("url", Text, |it| json!(it.url)),
    field("status", Number, |it| json!(it.status)),
    field("depth", Number, |it| json!(it.depth)),
    field("seq", Number, |it| json!(it.seq)),
    field("found", Text, |it| json!(it.found)),
    field("referrer", Text, |it| json!(it.referrer)),
    field("in_sitemap", Flag, |it| json!(it.in_sitemap)),
    field("failure", Text, |it| json!(it.facts.failure)),
    field("redirect_to", Text, |it| json!(it.facts.redirect_to)),
    field("moved_by", Text, |it| json!(moved_by(&it.facts))),
    field("content_type", Text, |it| json!(it.facts.content_type)),
    field("is_html", Flag, |it| json!(it.facts.is_html)),
    field("charset", Text, |it| json!(it.facts.charset.name)),
    field("first_byte_ms", Number, |it| json!(it.facts.timing.first_byte_ms)),
    field("total_ms", Number, |it| json!(it.facts.timing.total_ms)),
    field("indexability", Text, |it| json!(it.facts.indexability.verdict)),
    field("indexable", Flag, |it| json!(it.facts.indexability.verdict == Verdict::Indexable)),
    field("indexability_reason", Text, |it| json!(it.facts.indexability.reason)),
    field("title", Text, |it| first(&it.facts.titles)),
    field("title_length", Number, |it| length(&it.facts.titles)),
    field("title_count", Number, |it| json!(it.facts.titles.len())),
    field("description", Text, |it| first(&it.facts.descriptions)),
    field("description_length", Number, |it| length(&it.facts.descriptions)),
    field("description_count", Number, |it| json!(it.facts.descriptions.len())),
    field("meta_robots", Text, |it| json!(it.facts.meta_robots.join(", "))),
    field("x_robots_tag", Text, |it| json!(it.facts.x_robots_tag.join(", "))),
    field("canonical", Text, |it| json!(canonical(&it.facts))),
    field("canonical_count", Number, |it| json!(it.facts.canonicals.len())),
    field("self_canonical", Flag, |it| json!(canonical(&it.facts).is_some_and(|url| url == it.facts.final_url))),
    field("hreflang_count", Number, |it| json!(it.facts.hreflang.len())),
    field("lang", Text, |it| json!(it.facts.lang)),
    field("viewport", Text, |it| json!(it.facts.viewport)),
    field("open_graph_count", Number, |it| json!(it.facts.open_graph.len())),
    field("twitter_count", Number, |it| json!(it.facts.twitter.len())),
    field("generator", Text, |it| json!(it.facts.generator)),
    field("meta_refresh", Text, |it| json!(it.facts.meta_refresh.as_ref().and_then(|refresh| refresh.url.clone()))),
    field("doctype", Flag, |it| json!(it.facts.doctype)),
    field("head_closed_by", Text, |it| json!(it.facts.head_end.closed_by)),
    field("h1", Text, |it| json!(it.facts.headings.iter().find(|one| one.level == 1).map(|one| &one.text))),
    field("h1_count", Number, |it| json!(it.facts.h1_count)),
    field("heading_count", Number, |it| json!(it.facts.heading_count)),
    field("image_count", Number, |it| json!(it.facts.image_count)),
    field("images_without_alt", Number, |it| json!(it.facts.images_without_alt)),
    field("images_without_size", Number, |it| json!(it.facts.images_without_size)),
    field("internal_links", Number, |it| json!(it.facts.link_counts.internal)),
    field("internal_links_distinct", Number, |it| json!(it.facts.link_counts.internal_distinct)),
    field("external_links", Number, |it| json!(it.facts.link_counts.external)),
    field("nofollow_links", Number, |it| {
        json!(it.facts.link_counts.internal_nofollow + it.facts.link_counts.external_nofollow)
    }),
    field("empty_anchors", Number, |it| json!(it.facts.link_counts.empty_anchor)),
    field("uncrawlable_links", Number, |it| json!(it.facts.link_counts.uncrawlable)),
    field("resource_count", Number, |it| json!(it.facts.resources.len())),
    field("mixed_content", Number, |it| json!(it.facts.mixed_content.len())),
    field("iframes", Number, |it| json!(it.facts.iframes)),
    field("structured_types", Text, |it| json!(types(&it.facts))),
    field("structured_errors", Number, |it| json!(it.facts.structured.errors.len())),
    field("published", Text, |it| json!(it.facts.published)),
    field("modified", Text, |it| json!(it.facts.modified)),
    field("word_count", Number, |it| json!(it.facts.word_count)),
    field("body_word_count", Number, |it| json!(it.facts.body_word_count)),
    field("text_sha256", Text, |it| json!(it.facts.text_sha256)),
    field("simhash", Text, |it| json!(it.facts.simhash)),
    field("byline_visible", Text, |it| json!(it.facts.byline_visible)),
    field("byline_markup", Text, |it| json!(it.facts.byline_markup)),
    field("html_bytes", Number, |it| json!(it.facts.html_bytes)),
    field("truncated", Flag, |it| json!(it.facts.truncated)),
    field("text_ratio", Number, |it| json!(it.facts.text_ratio)),
    field("elements", Number, |it| json!(it.facts.elements)),
    field("nesting", Number, |it| json!(it.facts.nesting)),
    field("url_length", Number, |it| json!(it.url.chars().count())),
    field("parameters", Number, |it| json!(parameters(&it.url))),
    field("fetched_ms", Number, |it| json!(it.fetched_ms)),
];

/// The names of all fields with the kinds of their values.
pub(crate) fn asked() -> Vec<filter::Field> {
    FIELDS.iter().map(|field| (field.name, field.kind)).collect()
}

/// The row of a page. Members without a value are left out.
pub(crate) fn row(record: &PageRecord) -> Map<String, Value> {
    let mut row = Map::new();
    row.insert("run".to_owned(), json!(record.run));
    for field in FIELDS {
        let value = (field.read)(record);
        if !value.is_null() && value != json!("") {
            row.insert(field.name.to_owned(), value);
        }
    }
    row
}

fn first(texts: &[String]) -> Value {
    json!(texts.first().map(|text| kit::text::clip(text, 200)))
}

fn length(texts: &[String]) -> Value {
    json!(texts.first().map_or(0, |text| text.chars().count()))
}

fn canonical(facts: &PageFacts) -> Option<&str> {
    facts.canonicals.iter().find(|one| one.place != Place::Body).and_then(|one| one.url.as_deref())
}

fn types(facts: &PageFacts) -> String {
    let all = [&facts.structured.json_ld, &facts.structured.microdata, &facts.structured.rdfa];
    all.into_iter().flatten().take(20).map(String::as_str).collect::<Vec<_>>().join(", ")
}

/// How the address leads to another: `http` for a redirect, `meta_refresh` for markup that does the same.
fn moved_by(facts: &PageFacts) -> Option<&'static str> {
    let refreshes = facts.meta_refresh.as_ref().and_then(|refresh| refresh.url.as_ref()).is_some();
    if facts.redirect_to.is_some() { Some("http") } else { refreshes.then_some("meta_refresh") }
}

fn parameters(url: &str) -> usize {
    url.split_once('?').map_or(0, |(_, query)| query.split('&').count())
}
