//! Which addresses a generated sitemap lists, and what it says of each.

use std::collections::HashSet;

use kit::crawled::page_id;
use kit::segments::Segment as Rules;
use kit::url::Url as Address;
use sdk::Degraded;
use sdk::prelude::*;
use serde::{Deserialize, Serialize};

use super::super::write::{Entry, News};
use super::{PART, Payload, lastmod};
use crate::hreflang::codes;
use site::{Crawled, Run, Site};

/// Pictures of one entry: fewer than the 1,000 that Google takes, so that files stay small.
const IMAGES: usize = 100;
/// How old an article for news search may be, in milliseconds (Google): two days.
const NEWS_AGE: u64 = 2 * 86_400_000;

/// An address with the day of its last change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Selected {
    pub(super) url: String,
    pub(super) lastmod: Option<String>,
}

/// The addresses of a crawl that search engines may show, in the order of their spelling.
pub(super) fn choose(cx: &Cx, run: &Stored<Run>, segment: Option<&Rules>) -> (Vec<Selected>, Vec<Degraded>) {
    let pages = addresses::of(cx, &run.id);
    let mut degraded: Vec<Degraded> = pages.degraded.into_iter().collect();
    let history = lastmod::History::of(cx, run, &mut degraded);
    let chosen = pages.all.iter().filter(|it| it.is_indexable() && it.status == 200 && site::held(segment, &it.url));
    let mut out: Vec<Selected> = chosen
        .map(|page| Selected {
            url: page.url.clone(),
            lastmod: history.changed(page, cx.now()).map(|it| it.to_string()),
        })
        .collect();
    out.sort_by(|a, b| a.url.cmp(&b.url));
    out.dedup_by(|a, b| a.url == b.url);
    (out, degraded)
}

fn part(cx: &Cx, payload: &Payload, number: usize) -> Vec<Selected> {
    let bytes = cx.blobs().read(&payload.key(&format!("part-{number}")), 0, 8 << 20).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

/// At most `most` addresses from a place in the list; fewer where a part of it ends.
pub(super) fn read(cx: &Cx, payload: &Payload, from: usize, most: usize) -> Vec<Selected> {
    part(cx, payload, from / PART).into_iter().skip(from % PART).take(most).collect()
}

fn all(cx: &Cx, payload: &Payload, total: usize) -> impl Iterator<Item = Selected> {
    (0..total.div_ceil(PART)).flat_map(move |number| part(cx, payload, number))
}

/// Every address of the list.
pub(super) fn addresses(cx: &Cx, payload: &Payload, total: usize) -> HashSet<String> {
    all(cx, payload, total).map(|it| it.url).collect()
}

/// How many addresses have a date.
pub(super) fn dated(cx: &Cx, payload: &Payload, total: usize) -> u64 {
    all(cx, payload, total).filter(|it| it.lastmod.is_some()).count() as u64
}

/// The entry of an address; `known` are the addresses that language versions may lead to.
pub(super) fn entry(
    cx: &Cx,
    payload: &Payload,
    run: &Stored<Run>,
    url: String,
    lastmod: Option<String>,
    known: &HashSet<String>,
) -> Entry {
    let wanted = payload.extensions();
    let mut entry = Entry { url, lastmod, ..Entry::default() };
    if !(wanted.image || wanted.hreflang || wanted.news) {
        return entry;
    }
    let Some(page) = cx.records::<Crawled>().find(&Id::new(page_id(run.id.as_str(), &entry.url))) else { return entry };
    let facts = &page.0.facts;
    if wanted.image {
        for image in &facts.images {
            let whole = Address::parse(&image.src).is_ok_and(|it| matches!(it.scheme(), "http" | "https"));
            if whole && !entry.images.contains(&image.src) && entry.images.len() < IMAGES {
                entry.images.push(image.src.clone());
            }
        }
    }
    if wanted.hreflang {
        for one in &facts.hreflang {
            let (Some(code), Some(url)) = (codes::judge(&one.lang).canonical().map(str::to_owned), &one.url) else {
                continue;
            };
            if known.contains(url) && !entry.alternates.iter().any(|(it, _)| *it == code) {
                entry.alternates.push((code, url.clone()));
            }
        }
        // A set speaks for a page only when the page itself is in it.
        if !entry.alternates.iter().any(|(_, url)| *url == entry.url) {
            entry.alternates.clear();
        }
    }
    if wanted.news {
        entry.news = news(cx, run, facts);
    }
    entry
}

/// What a news entry says, of an article of the last two days.
fn news(cx: &Cx, run: &Stored<Run>, facts: &kit::page::PageFacts) -> Option<News> {
    const ARTICLES: [&str; 4] = ["NewsArticle", "ReportageNewsArticle", "AnalysisNewsArticle", "LiveBlogPosting"];
    let types = facts.structured.json_ld.iter().chain(&facts.structured.microdata);
    if !types.into_iter().any(|it| ARTICLES.contains(&it.as_str())) {
        return None;
    }
    let date = super::super::datetime::read(facts.published.as_deref()?)?;
    let millis = u64::try_from(date.millis).ok()?;
    if cx.now().millis().saturating_sub(millis) > NEWS_AGE {
        return None;
    }
    let title = facts.headings.iter().find(|it| it.level == 1).map(|it| it.text.clone());
    let title = title.or_else(|| facts.titles.first().cloned()).filter(|it| !it.is_empty())?;
    let site = cx.records::<Site>().find(&Id::new(run.0.site_id.clone()));
    let publication = site.and_then(|it| it.name.clone()).unwrap_or_else(|| run.0.origin.clone());
    let language = facts.lang.as_deref().and_then(|it| it.split('-').next()).unwrap_or("en").to_ascii_lowercase();
    let date = Moment::from_millis(millis).to_string();
    Some(News { publication, language, date, title })
}
