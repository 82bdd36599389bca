//! The operation `onpage.page.compare`: a page beside others.

pub(crate) mod terms;

use std::collections::BTreeSet;

use kit::dates::{self, Of};
use kit::terms::Analyzer;
use sdk::Degraded;
use sdk::Fix;
use sdk::Next;
use sdk::prelude::*;
use sdk::serde_json::json;

use crate::live::{self, Live};
use site::live::Seen;

/// Of each page so much is read: six pages share one call.
const BYTES: u32 = 1 << 20;

#[args]
pub(crate) struct Compare {
    url: Url,
    /// The pages to compare with.
    competitors: List<Url, 1, 5>,
    /// The language; that of the page when left out.
    language: Option<Language>,
}

#[value]
pub(crate) struct Compared {
    /// The page first, then the others.
    table: Vec<Row>,
    /// Terms that at least half of the others use and the page does not, the weightiest first; at most 40.
    missing_terms: Vec<Term>,
    /// Headings of the others whose subject no heading of the page has; at most 40.
    missing_sections: Vec<Section>,
    language: String,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

#[value]
struct Row {
    page: Seen,
    title: String,
    words: u32,
    headings: u32,
    /// Sections under headings of level 2.
    sections: u32,
    /// Different names of several words, and things that structured data names.
    entities: Vec<String>,
    /// Types that structured data declares.
    schema: Vec<String>,
    internal_links: u32,
    external_links: u32,
    images: u32,
    videos: u32,
    /// The last date believed, of change or publication.
    fresh: Option<String>,
    flesch: f64,
}

#[value]
struct Term {
    /// As most of the pages write it.
    term: String,
    /// How many of the others use it.
    documents: u32,
    /// Mean TF-IDF over the others, from 0 to 1.
    weight: f64,
    /// Mean occurrences in 1,000 words of those that use it.
    per_1000: f64,
}

/// A section of another page.
#[value]
pub(crate) struct Section {
    heading: String,
    url: String,
}

/// Compares a page side by side with up to five others on words, headings, entities, schema, links, media, freshness and the
/// weighted terms the others share and it lacks.
///
/// The first MiB of each page is read. A competitor that does not answer is left out, and `degraded` says so.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 6),
    needs = ["web"],
    phrasings = [
        "compare my page with competitors",
        "what do the other pages have that mine lacks",
        "side by side page comparison",
        "which topics am I missing against this page",
    ],
    examples = [{ "url": "https://shop.example/guides/lamps", "competitors": ["https://other.example/lamps"] }]
)]
pub(crate) fn compare(cx: &Cx, args: Compare) -> Result<Compared> {
    let urls: Vec<Url> = std::iter::once(args.url.clone()).chain(args.competitors.iter().cloned()).collect();
    let mut answers = live::pages(cx, &urls, BYTES).into_iter();
    let own = answers.next().ok_or_else(|| Fault::invalid("/url", "page_unreachable", "the page did not answer"))??;
    let mut others = Vec::new();
    let mut degraded = Vec::new();
    for (url, answer) in args.competitors.iter().zip(answers) {
        match answer {
            Ok(page) => others.push(page),
            Err(fault) => degraded.push(Degraded::new("competitor", format!("{url}: {}", fault.message))),
        }
    }
    if others.is_empty() {
        return Err(Fault::invalid("/competitors", "no_competitor", "none of the competitors could be read"));
    }
    let language = own.language(args.language.as_ref());
    let analyzer = Analyzer::new(&language);
    let missing_terms = terms::missing_terms(&own, &others, &analyzer);
    let missing_sections = terms::missing_sections(&own, &others, &analyzer);
    let mut next = Vec::new();
    if !missing_terms.is_empty() {
        let keywords: Vec<&str> = missing_terms.iter().take(10).map(|it| it.term.as_str()).collect();
        next.push(
            Fix::new("onpage.keyword.usage", json!({ "url": own.facts.final_url, "keywords": keywords }))
                .because("shows where the page uses the terms that the others share"),
        );
    }
    let table = std::iter::once(&own).chain(&others).map(|it| row(it, &language)).collect();
    Ok(Compared { table, missing_terms, missing_sections, language, next, degraded })
}

fn row(page: &Live, language: &str) -> Row {
    let facts = &page.facts;
    let count =
        |level: u8| u32::try_from(facts.headings.iter().filter(|it| it.level == level).count()).unwrap_or(u32::MAX);
    let videos = page.dom.descendants(0).filter(|id| match page.dom.name(*id) {
        "video" => true,
        "iframe" => page
            .dom
            .attribute(*id, "src")
            .is_some_and(|src| ["youtube", "vimeo", "wistia"].iter().any(|it| src.contains(it))),
        _ => false,
    });
    let found = dates::candidates(&page.dom, &facts.final_url);
    let best = [Of::Modified, Of::Published]
        .into_iter()
        .filter_map(|of| dates::best(&found, of))
        .filter(|it| it.weight >= 0.4);
    let text = page.text();
    Row {
        title: page.title().to_owned(),
        words: kit::text::word_count(&text),
        headings: facts.heading_count,
        sections: count(2),
        entities: terms::names(page),
        schema: facts
            .structured
            .json_ld
            .iter()
            .chain(&facts.structured.microdata)
            .cloned()
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect(),
        internal_links: facts.link_counts.internal,
        external_links: facts.link_counts.external,
        images: facts.image_count,
        videos: u32::try_from(videos.count()).unwrap_or(u32::MAX),
        fresh: best.map(|it| it.date).max().map(|it| it.to_string()),
        flesch: kit::statistics::round(kit::readability::count(&text, language).flesch(language), 1),
        page: page.seen(),
    }
}
