//! Where mentions are looked for: what feeds, sitemaps and pages list.

use sdk::prelude::*;
use sdk::{Request, Response};

use super::names::Names;
use crate::link::bare;

/// Bytes of a source.
const MOST_BYTES: u32 = 8 << 20;
/// Sitemaps of an index that are read, the last ones first.
const SITEMAPS: usize = 5;
/// Pages of one source that are kept.
const OF_SOURCE: usize = 1_000;

/// A page that may name the brand.
#[value]
pub(crate) struct Candidate {
    pub(crate) url: String,
    /// As the source says it.
    pub(crate) title: Option<String>,
    pub(crate) published_on: Option<Day>,
    /// Whether it is read first: its source names the brand there, or it was given or found by name itself.
    pub(crate) is_named: bool,
}

/// What a source is.
pub(crate) enum Source {
    /// Pages that it lists.
    Lists(Vec<Candidate>),
    /// Further sources.
    Index(Vec<String>),
    /// It is a page itself.
    Page,
}

/// The request for a source.
pub(crate) fn request(url: &Url) -> Request {
    Request::get(url)
        .header("accept", "application/rss+xml,application/atom+xml,application/feed+json,text/html;q=0.9,*/*;q=0.5")
        .max_bytes(MOST_BYTES)
        .timeout(10_000)
}

/// Reads a source.
pub(crate) fn read(response: &Response, url: &Url, names: &Names) -> Source {
    let base = kit::url::Url::parse(&response.url).unwrap_or_else(|_| (**url).clone());
    if let Some(feed) = feeds::read(&response.body, response.header("content-type"), &base) {
        let listed = feed.entries.into_iter().filter_map(|it| {
            Some(Candidate {
                url: kit::url::normalize(it.link.as_deref()?)?,
                is_named: names.may_stand_in(&it.title) || names.may_stand_in(&it.text),
                title: (!it.title.is_empty()).then_some(it.title),
                published_on: it.published.and_then(day),
            })
        });
        return Source::Lists(listed.take(OF_SOURCE).collect());
    }
    let start = response.body.iter().position(|it| !it.is_ascii_whitespace()).unwrap_or(0);
    let head = String::from_utf8_lossy(&response.body[start..response.body.len().min(start + 1_000)]).to_lowercase();
    if response.body.starts_with(&[0x1F, 0x8B]) || head.contains("<urlset") || head.contains("<sitemapindex") {
        let sitemap = kit::sitemap::read(&response.body);
        if !sitemap.sitemaps.is_empty() {
            let last = sitemap.sitemaps.into_iter().rev().take(SITEMAPS);
            return Source::Index(last.map(|it| it.url).collect());
        }
        let mut listed: Vec<Candidate> = sitemap
            .urls
            .into_iter()
            .filter_map(|it| {
                let on = it.lastmod.as_deref().and_then(kit::dates::parse).map(|it| it.days());
                Some(Candidate {
                    url: kit::url::normalize(&it.url)?,
                    title: None,
                    published_on: on.and_then(|it| i32::try_from(it).ok()).map(Day::from_epoch),
                    is_named: false,
                })
            })
            .collect();
        listed.sort_by_key(|it| std::cmp::Reverse(it.published_on));
        listed.truncate(OF_SOURCE);
        return Source::Lists(listed);
    }
    Source::Page
}

fn day(seconds: i64) -> Option<Day> {
    i32::try_from(seconds.div_euclid(86_400)).ok().map(Day::from_epoch)
}

/// Adds candidates that are not there yet: those that name the brand first, then the newest.
pub(crate) fn add(all: &mut Vec<Candidate>, new: Vec<Candidate>, most: usize) {
    for it in new {
        if !all.iter().any(|other| bare(&other.url) == bare(&it.url)) {
            all.push(it);
        }
    }
    all.sort_by(|a, b| {
        b.is_named.cmp(&a.is_named).then(b.published_on.cmp(&a.published_on)).then_with(|| a.url.cmp(&b.url))
    });
    all.truncate(most);
}
