//! The operation `indexing.priority.list`.

use std::collections::HashMap;

use sdk::Basis;
use sdk::Degraded;
use sdk::Fix;
use sdk::json;
use sdk::prelude::*;

use crate::authority::Authority;
use crate::coverage::state::{self, Address, State};
use crate::demand;
use crate::sitemap::datetime;
use addresses::Known;
use site::Site;

/// A text with fewer words is thin.
const THIN: u32 = 150;
/// Pages that are more clicks from the home page are found late.
const DEEP: u32 = 3;
/// The days after which a page counts as half as fresh.
const HALF_LIFE: f64 = 90.0;

#[args]
pub(crate) struct List {
    /// The website, as listed.
    site_id: Id<Site>,
    /// At most this many.
    #[default(50)]
    limit: Count<1, 500>,
}

/// The most likely cause.
#[value]
pub(crate) enum Cause {
    /// Google was not asked yet.
    NotInspected,
    /// No sitemap names it, and Google does not know it.
    NotInSitemap,
    /// No link of the website leads to it.
    NoInternalLinks,
    /// It is many clicks from the home page.
    TooDeep,
    /// Google knows it and has not come yet.
    WaitsForCrawl,
    /// Its text is short.
    ThinContent,
    /// Another page of the website has the same text.
    Duplicate,
    /// Google holds another page for the original.
    OtherCanonical,
    /// What Google saw has since been put right.
    Outdated,
    /// Google read it and left it out; nothing technical stands against it.
    Quality,
}

/// A page that could be indexed and is not.
#[value]
pub(crate) struct Wanted {
    url: String,
    /// 0 to 100.
    score: f64,
    cause: Cause,
    /// Where it stands, in the words of `indexing.coverage.report`.
    reason: String,
    /// Its place among the pages of the website by internal authority, 0 to 1.
    authority: f64,
    /// Searches in a month of the keywords that are mapped to it; null where no keywords are mapped to pages.
    demand: Option<u64>,
    /// How fresh it is, 0 to 1; none where no date is known.
    freshness: Option<f64>,
    /// When its state was seen.
    seen_at: Option<Moment>,
    /// What to do next.
    fix: Fix,
}

/// Pages that could be indexed and are not.
#[value]
pub(crate) struct Priorities {
    /// The most valuable first.
    urls: Vec<Wanted>,
    /// How many there are.
    total: u64,
    basis: Basis,
    degraded: Vec<Degraded>,
}

/// Ranks not-indexed but indexable URLs by internal authority, query demand and freshness and names the likely cause and the next action for each.
///
/// Where keywords are mapped to pages, the score is 45 % the place of the page by authority, 35 % its place by the searches of its
/// keywords, and 20 % its freshness, which halves every 90 days; else 75 % authority and 25 % freshness.
#[operation(
    read,
    scope = "seo:analyze",
    cost = list,
    needs = ["store"],
    phrasings = [
        "which pages should I get indexed first",
        "important pages that google has not indexed",
        "what should I fix so that my pages get indexed",
    ],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "limit": 10 }]
)]
pub(crate) fn list(cx: &Cx, args: List) -> Result<Answer<Priorities>> {
    let site = site::get(cx, &args.site_id)?;
    let run = site::required(cx, &site.id)?;
    let known = state::known(cx, &site.id);
    let mut degraded = known.degraded;
    let demand = demand::of(cx, &site.id);
    if demand.is_none() {
        let why =
            "no keywords are mapped to pages, so the demand for them is not known; authority and freshness decide";
        let sets = json!({ "site_id": site.id });
        degraded.push(Degraded::new("demand", why).supplied_by("keywords.set.list", sets));
    }
    if demand.as_ref().is_some_and(|it| it.cut) {
        let why = format!("the website has more than {} keywords; those beyond are not counted", demand::MAX_KEYWORDS);
        degraded.push(Degraded::new("demand", why));
    }
    let mut demands: Vec<f64> =
        demand.iter().flat_map(|it| it.by_page.values()).map(|it| kit::number::as_number(*it)).collect();
    demands.sort_by(f64::total_cmp);
    let authority = Authority::of(cx, &run);
    degraded.extend(authority.degraded.clone());
    let pages = || known.all.iter().filter_map(|it| it.page.as_ref());
    let mut strengths: Vec<f64> = pages().map(|it| authority.of_page(&it.url, it.depth)).collect();
    strengths.sort_by(f64::total_cmp);
    let mut texts: HashMap<&str, u32> = HashMap::new();
    for page in pages().filter(|it| it.is_indexable() && !it.text_sha256.is_empty()) {
        *texts.entry(page.text_sha256.as_str()).or_default() += 1;
    }
    let mut urls: Vec<Wanted> = Vec::new();
    for address in &known.all {
        let Some(page) = address.page.as_ref().filter(|it| it.is_indexable() && it.status == 200) else { continue };
        if matches!(address.state, State::Indexed | State::LikelyIndexed) {
            continue;
        }
        let place = percentile(&strengths, authority.of_page(&page.url, page.depth));
        let freshness = fresh(page, cx.now());
        let searched = demand.as_ref().map(|it| it.by_page.get(&page.url).copied().unwrap_or(0));
        let fresh = freshness.unwrap_or(0.5);
        let score = match searched {
            None => 75.0 * place + 25.0 * fresh,
            Some(0) => 45.0 * place + 20.0 * fresh,
            Some(it) => 45.0 * place + 35.0 * percentile(&demands, kit::number::as_number(it)) + 20.0 * fresh,
        };
        let twins = texts.get(page.text_sha256.as_str()).copied().unwrap_or(0);
        let cause = cause(address, page, twins);
        urls.push(Wanted {
            url: page.url.clone(),
            score: kit::statistics::round(score, 1),
            cause,
            reason: address.reason.clone(),
            authority: kit::statistics::round(place, 3),
            demand: searched,
            freshness: freshness.map(|it| kit::statistics::round(it, 3)),
            seen_at: address.seen_ms.map(Moment::from_millis),
            fix: act(cause, &site, run.id.as_str(), &page.url),
        });
    }
    urls.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.url.cmp(&b.url)));
    let total = urls.len() as u64;
    urls.truncate(args.limit.into());
    let rows = urls.len() as u64;
    Ok(Answer::new(Priorities { urls, total, basis: site::basis(cx, &run), degraded }).units(rows))
}

/// The share of values that are below, and half of those that are equal.
#[expect(clippy::cast_precision_loss, reason = "counts of pages are far below 2^52")]
fn percentile(sorted: &[f64], value: f64) -> f64 {
    if sorted.is_empty() {
        return 0.0;
    }
    let below = sorted.partition_point(|it| *it < value);
    let until = sorted.partition_point(|it| *it <= value);
    (below + until) as f64 / 2.0 / sorted.len() as f64
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds of some decades are far below 2^52")]
fn fresh(page: &Known, now: Moment) -> Option<f64> {
    let date = datetime::read(page.modified.as_deref()?.trim())?;
    let age = now.since(Moment::from_millis(u64::try_from(date.millis).ok()?));
    Some(0.5_f64.powf(age as f64 / 86_400_000.0 / HALF_LIFE))
}

fn cause(address: &Address, page: &Known, twins: u32) -> Cause {
    let unlinked = page.found == "sitemap";
    match address.reason.as_str() {
        "not_inspected" => Cause::NotInspected,
        "url_is_unknown_to_google" if unlinked => Cause::NoInternalLinks,
        "url_is_unknown_to_google" if !page.in_sitemap => Cause::NotInSitemap,
        "url_is_unknown_to_google" | "discovered_currently_not_indexed" if page.depth > DEEP => Cause::TooDeep,
        "url_is_unknown_to_google" | "discovered_currently_not_indexed" => Cause::WaitsForCrawl,
        reason if reason.starts_with("duplicate") || reason.starts_with("alternate_page") => {
            if twins > 1 {
                Cause::Duplicate
            } else {
                Cause::OtherCanonical
            }
        }
        "crawled_currently_not_indexed" if twins > 1 => Cause::Duplicate,
        "crawled_currently_not_indexed" if page.words < THIN => Cause::ThinContent,
        "crawled_currently_not_indexed" if unlinked => Cause::NoInternalLinks,
        "crawled_currently_not_indexed" => Cause::Quality,
        // Google saw a block, and the crawl sees none.
        _ => Cause::Outdated,
    }
}

fn act(cause: Cause, site: &Stored<Site>, run: &str, url: &str) -> Fix {
    let id = &site.id;
    match cause {
        Cause::NotInspected => {
            Fix::new("indexing.inspection.run", json!({ "site_id": id, "urls": [url], "choose": "listed" }))
        }
        Cause::NotInSitemap => {
            Fix::new("indexing.sitemap.generate", json!({ "run_ref": run, "base_url": format!("{}/", site.origin) }))
        }
        Cause::NoInternalLinks | Cause::TooDeep => {
            Fix::new("links.suggestion.for_page", json!({ "site_id": id, "url": url, "direction": "in" }))
        }
        Cause::Duplicate => {
            Fix::new("indexing.removal.plan", json!({ "site_id": id, "urls": [url], "reason": "duplicate" }))
        }
        Cause::OtherCanonical | Cause::Outdated | Cause::WaitsForCrawl => {
            Fix::new("indexing.url.inspect", json!({ "site_id": id, "url": url }))
        }
        Cause::ThinContent | Cause::Quality => Fix::on("audit.page.check", url),
    }
}

#[cfg(test)]
mod tests;
