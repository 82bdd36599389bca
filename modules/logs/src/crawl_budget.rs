//! The operation `logs.crawl_budget.report`.

use std::collections::BTreeMap;

use kit::number::as_number;
use sdk::prelude::*;
use sdk::{Basis, Degraded, Fix, json};
use site::{Rules, Segment, Site};

use crate::crawled::{self, Crawled};
use crate::given::{self, Given, share};

/// Patterns that one answer lists.
const MOST: usize = 50;
/// Addresses that a pattern is shown with.
const SAMPLES: usize = 5;

#[args]
pub(crate) struct Report {
    /// The website, as listed.
    site_id: Id<Site>,
    /// The bot.
    #[default("googlebot")]
    family: Text<1, 40>,
    /// The first day, in UTC; 28 days before the end when left out.
    from: Option<Day>,
    /// The last day; the last day with lines when left out.
    to: Option<Day>,
}

/// What a request was spent on. An address is of the first that fits.
#[value]
pub(crate) enum Spent {
    /// An answer of 400 to 599.
    Error,
    /// An answer of 300 to 399, but for 304.
    Redirect,
    /// A script, style, picture or font.
    Resource,
    /// An address with a query that is no page of its own: the crawl does not know it, or knows another one as its canonical.
    Parameter,
    /// A page that asks not to be indexed, or that robots.txt forbids.
    NonIndexable,
    /// A page whose canonical is another one.
    Duplicate,
    /// An address that the newest crawl does not know.
    UnknownPage,
    /// A page that search engines may show; or, without a crawl, a page.
    Useful,
}

/// Requests of one kind.
#[value]
pub(crate) struct Waste {
    hits: u64,
    share: Option<f64>,
    /// Different addresses.
    urls: u64,
}

/// The requests for a segment.
#[value]
pub(crate) struct OfSegment {
    /// The segment; null for addresses of none.
    segment_ref: Option<Id<Segment>>,
    name: Option<String>,
    hits: u64,
    useful_share: Option<f64>,
}

/// Addresses that are alike and cost requests.
#[value]
pub(crate) struct Pattern {
    /// The family: a path with `{n}`, `{date}` and `{hex}` for what varies, and the names of parameters.
    pattern: String,
    cause: Spent,
    /// Requests that are free once it is mended.
    hits: u64,
    hits_per_day: f64,
    urls: u64,
    sample: Vec<String>,
    /// What mends it.
    #[own]
    advice: String,
    /// The call that mends it or shows where; null where none does.
    fix: Option<Fix>,
}

/// What a bot spends its requests on.
#[value]
pub(crate) struct Budget {
    family: String,
    hits: u64,
    /// The part of requests for pages that search engines may show; resources are in neither part.
    useful_share: Option<f64>,
    /// By what they were spent on; `useful` is among them.
    waste: BTreeMap<String, Waste>,
    by_segment: Vec<OfSegment>,
    /// What frees the most requests first, at most 50.
    fixes: Vec<Pattern>,
    fixes_total: u64,
    known_days: u64,
    /// The crawl that tells what pages are; null without one.
    crawl: Option<Basis>,
    basis: Basis,
    degraded: Vec<Degraded>,
}

#[derive(Default)]
struct Sum {
    hits: u64,
    urls: u64,
    sample: Vec<String>,
    /// Hits of answers of 500 to 599.
    failing: u64,
}

impl Sum {
    fn add(&mut self, url: &str, hits: u64, failing: u64) {
        self.hits += hits;
        self.urls += 1;
        self.failing += failing;
        if self.sample.len() < SAMPLES {
            self.sample.push(url.to_owned());
        }
    }
}

/// Splits search-bot hits into useful and wasted (parameters, redirects, errors, non-indexable, duplicates, resources) by segment and ranks the fixes by hits freed.
///
/// Each request is of one kind, the first that fits in the order of `waste`. What a page is comes from the newest crawl; without
/// one errors, redirects, resources and parameters are told apart and everything else counts as useful. A bot fetches a page in
/// order to read it: wasted requests are those that bring search results nothing.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(most = 5_000, unit = "patterns"),
    needs = ["store"],
    phrasings = ["crawl budget", "is googlebot wasting requests", "what does google crawl on my site", "which urls eat my crawl budget"],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "family": "bingbot" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Answer<Budget>> {
    let mut given = Given::of(cx, &args.site_id, args.from, args.to)?;
    let family = given::family(args.family.as_str(), "/family")?;
    let crawl = Crawled::newest(cx, &given.site.id);
    let segments: Vec<(Stored<Segment>, Rules)> =
        site::segments(cx, &given.site.id).filter_map(|it| it.ready().map(|rules| (it, rules))).collect();
    // Of each address: hits by what the answer alone says.
    let mut urls: BTreeMap<String, [u64; 4]> = BTreeMap::new();
    let hits = given.family(family.family, |url, status, _, it| {
        let at = match status {
            500.. => 3,
            400..500 => 2,
            300..400 if status != 304 => 1,
            _ => 0,
        };
        match urls.get_mut(url) {
            Some(sums) => sums[at] += it.hits,
            None => {
                let mut sums = [0; 4];
                sums[at] = it.hits;
                urls.insert(url.to_owned(), sums);
            }
        }
    })?;
    let mut waste: BTreeMap<Spent, Waste> = BTreeMap::new();
    let mut patterns: BTreeMap<(Spent, String), Sum> = BTreeMap::new();
    let mut of_segments = vec![(0_u64, 0_u64); segments.len() + 1];
    for (url, [answered, moved, missing, failing]) in &urls {
        let page = of_page(url, crawl.as_ref());
        let parts = [(page, *answered, 0), (Spent::Redirect, *moved, 0), (Spent::Error, missing + failing, *failing)];
        let mut of: Vec<usize> =
            segments.iter().enumerate().filter(|(_, it)| site::holds(&it.1, url)).map(|(at, _)| at).collect();
        if of.is_empty() {
            of.push(segments.len());
        }
        for (spent, hits, failing) in parts.into_iter().filter(|it| it.1 > 0) {
            let sum = waste.entry(spent).or_insert(Waste { hits: 0, share: None, urls: 0 });
            sum.hits += hits;
            sum.urls += 1;
            if spent != Spent::Resource {
                of.iter().for_each(|at| {
                    of_segments[*at].0 += hits;
                    of_segments[*at].1 += if spent == Spent::Useful { hits } else { 0 };
                });
            }
            if !matches!(spent, Spent::Useful | Spent::Resource) {
                patterns.entry((spent, kit::traps::family(url))).or_default().add(url, hits, failing);
            }
        }
    }
    waste.values_mut().for_each(|it| it.share = share(it.hits, hits));
    let of = |spent: Spent| waste.get(&spent).map_or(0, |it| it.hits);
    let useful_share = share(of(Spent::Useful), hits.saturating_sub(of(Spent::Resource)));
    let days = given.known_days();
    let mut found: Vec<((Spent, String), Sum)> = patterns.into_iter().collect();
    found.sort_by(|a, b| b.1.hits.cmp(&a.1.hits).then_with(|| a.0.cmp(&b.0)));
    let fixes_total = found.len() as u64;
    let site = &given.site.id;
    let fixes = found.into_iter().take(MOST).map(|((cause, pattern), sum)| {
        let (advice, fix) = mend(cause, &pattern, &sum, site, crawl.as_ref());
        Pattern {
            pattern,
            cause,
            hits: sum.hits,
            hits_per_day: kit::statistics::round(as_number(sum.hits) / as_number(days.max(1)), 2),
            urls: sum.urls,
            sample: sum.sample,
            advice: advice.to_owned(),
            fix: fix.and_then(Fix::if_served),
        }
    });
    let fixes: Vec<Pattern> = fixes.collect();
    let by_segment = if segments.is_empty() { Vec::new() } else { by_segment(&segments, &of_segments) };
    let mut degraded = given.degraded;
    match &crawl {
        Some(crawl) => degraded.extend(crawl.degraded.iter().filter(|it| it.what != "authority").cloned()),
        None => degraded.push(crawled::missing(site)),
    }
    let budget = Budget {
        family: family.family.to_owned(),
        hits,
        useful_share,
        waste: waste.into_iter().filter_map(|(spent, it)| Some((name(spent)?, it))).collect(),
        by_segment,
        fixes,
        fixes_total,
        known_days: days,
        crawl: crawl.map(|it| it.basis),
        basis: given.basis,
        degraded,
    };
    Ok(Answer::new(budget).units(fixes_total.min(5_000)))
}

fn by_segment(segments: &[(Stored<Segment>, Rules)], sums: &[(u64, u64)]) -> Vec<OfSegment> {
    let mut out: Vec<OfSegment> = Vec::with_capacity(sums.len());
    for (at, (hits, useful)) in sums.iter().enumerate() {
        let segment = segments.get(at).map(|(it, _)| it);
        out.push(OfSegment {
            segment_ref: segment.map(|it| it.id.clone()),
            name: segment.map(|it| it.name.clone()),
            hits: *hits,
            useful_share: share(*useful, *hits),
        });
    }
    out
}

fn name(spent: Spent) -> Option<String> {
    sdk::serde_json::to_value(spent).ok()?.as_str().map(str::to_owned)
}

/// What an address that answered is.
fn of_page(url: &str, crawl: Option<&Crawled>) -> Spent {
    if is_resource(url) {
        return Spent::Resource;
    }
    let has_query = url.contains('?');
    let Some(crawl) = crawl else {
        return if has_query { Spent::Parameter } else { Spent::Useful };
    };
    match crawl.pages.get(url) {
        Some(page) if page.is_indexable() => Spent::Useful,
        Some(page) => match page.reason.as_str() {
            "canonicalised" if has_query => Spent::Parameter,
            "canonicalised" => Spent::Duplicate,
            "not_document" => Spent::Resource,
            _ => Spent::NonIndexable,
        },
        None if has_query => Spent::Parameter,
        // What a crawl never asks for, and bots have to.
        None if url.ends_with("/robots.txt") || url.ends_with(".xml") || url.ends_with(".xml.gz") => Spent::Resource,
        None => Spent::UnknownPage,
    }
}

/// Whether the ending of a path is that of a script, style, picture, font or the like.
pub(crate) fn is_resource(url: &str) -> bool {
    const ENDINGS: [&str; 28] = [
        "js",
        "mjs",
        "css",
        "png",
        "jpg",
        "jpeg",
        "gif",
        "webp",
        "avif",
        "svg",
        "ico",
        "bmp",
        "woff",
        "woff2",
        "ttf",
        "otf",
        "eot",
        "map",
        "mp4",
        "webm",
        "mp3",
        "json",
        "wasm",
        "txt",
        "webmanifest",
        "m4a",
        "mov",
        "zip",
    ];
    let path = kit::url::path_and_query(url).split('?').next().unwrap_or_default();
    let last = path.rsplit('/').next().unwrap_or_default();
    last.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.iter().any(|it| it.eq_ignore_ascii_case(ending)))
}

/// What mends a pattern, in words and as a call.
fn mend(
    cause: Spent,
    pattern: &str,
    sum: &Sum,
    site: &Id<Site>,
    crawl: Option<&Crawled>,
) -> (&'static str, Option<Fix>) {
    let run = |operation: &str| crawl.map(|it| Fix::new(operation, json!({ "run_ref": it.run.id })));
    match cause {
        Spent::Error if sum.failing * 2 > sum.hits => (
            "the server fails: mend that first, as search engines slow down where they meet errors",
            Some(Fix::new("logs.status.report", json!({ "site_id": site }))),
        ),
        Spent::Error => {
            let old: Vec<&String> = sum.sample.iter().collect();
            let build = crawl
                .map(|it| Fix::new("cms.redirect.map.build", json!({ "old_urls": old, "new_run_ref": it.run.id })));
            (
                "lead addresses that have a successor there, let the others answer 410, and take links to them away",
                build,
            )
        }
        Spent::Redirect => ("link to where the redirects lead, in pages and sitemaps", run("crawl.redirect.list")),
        Spent::Parameter => {
            let names: Vec<&str> = pattern.split_once('?').map(|(_, it)| it.split('&').collect()).unwrap_or_default();
            let names: Vec<&str> = names.into_iter().filter(|it| (1..=60).contains(&it.len())).take(50).collect();
            let policy = json!({ "site_id": site, "policy": { "blocked_parameters": names } });
            let advice = "forbid parameters that make no page of their own in robots.txt, or link without them";
            (advice, if names.is_empty() { None } else { Some(Fix::new("indexing.robots.compose", policy)) })
        }
        Spent::NonIndexable => (
            "link less to pages that shall not be found, or forbid them in robots.txt once they are out of the index",
            run("audit.indexability.report"),
        ),
        Spent::Duplicate => ("link to the canonical addresses alone", run("audit.canonical.report")),
        Spent::UnknownPage => (
            "no link of the website leads there: link to what is worth it, and let the rest answer 410",
            Some(Fix::new("logs.unlinked.list", json!({ "site_id": site }))),
        ),
        Spent::Resource | Spent::Useful => ("", None),
    }
}

#[cfg(test)]
mod tests;
