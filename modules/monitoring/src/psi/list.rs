//! The operation `monitoring.psi.result.list`.

use std::collections::{BTreeMap, BTreeSet};

use kit::number::as_number;
use kit::statistics::round;
use sdk::prelude::*;
use sdk::{Degraded, json};
use site::Site;

use super::stored::{Failure, Field, Lab, Measured, Opportunity, Scores, Strategy, newest};

/// Results that one call reads.
const MOST: usize = 2_000;
/// Points of performance, and the part of the largest paint, beyond which a change is more than the noise of the laboratory.
const NOISE_POINTS: i32 = 10;
const NOISE_LCP: f64 = 0.15;
/// The part of addresses from which an opportunity is common, and those that are listed.
const COMMON: f64 = 0.3;
const LISTED: usize = 25;

#[args(paged)]
pub(crate) struct Listing {
    /// The website.
    site_id: Id<Site>,
    /// This page alone.
    url: Option<Url>,
    /// This strategy alone.
    strategy: Option<Strategy>,
}

/// How a result differs from the one before of the same page and strategy.
#[value]
pub(crate) enum Verdict {
    /// More than laboratories vary.
    Notable,
    WithinNoise,
    /// Another major version of Lighthouse, whose figures are not comparable.
    OtherVersion,
}

/// A change.
#[value]
pub(crate) struct Change {
    since: Moment,
    performance_points: Option<i32>,
    lcp_percent: Option<f64>,
    verdict: Verdict,
}

/// A result.
#[value]
pub(crate) struct Row {
    url: String,
    strategy: Strategy,
    measured_at: Moment,
    scores: Scores,
    lab: Lab,
    field: Option<Field>,
    opportunities: Vec<Opportunity>,
    lighthouse_version: Option<String>,
    failure: Option<Failure>,
    /// Null for the first result of a page.
    change: Option<Change>,
}

/// Something that would make many pages faster.
#[value]
pub(crate) struct Common {
    id: String,
    title: String,
    /// Pages that have it, of so many.
    pages: u64,
    of_pages: u64,
    saved_bytes: u64,
    /// The mean of what it would save of the largest paint.
    mean_saved_lcp_ms: Option<f64>,
}

/// Stored results.
#[page]
pub(crate) struct Rows {
    /// The newest first.
    results: Vec<Row>,
    total: u64,
    /// Of the newest result of each page: what three of ten pages have, that of the most pages first.
    common_opportunities: Vec<Common>,
    degraded: Vec<Degraded>,
}

/// Lists stored PageSpeed results with change against the previous run and repeated opportunities across pages.
///
/// Laboratory figures vary: a change is notable beyond 10 points of performance or 15 % of the largest paint. Of each page and strategy
/// the newest 24 results are kept, and one of each month before.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = ["pagespeed history", "did my lighthouse score change", "what slows down most of my pages"],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "url": "https://shop.example/", "strategy": "mobile" }]
)]
pub(crate) fn list(cx: &Cx, args: Listing) -> Result<Rows> {
    let site = site::get(cx, &args.site_id)?;
    let all = newest(cx, &site.id, MOST);
    let mut degraded = Vec::new();
    if all.len() == MOST {
        degraded.push(Degraded::new("results", format!("the newest {MOST} results were looked at")));
    }
    if all.is_empty() {
        let why = "no page of this website was measured yet";
        let first = json!({ "urls": [site.origin], "site_id": site.id });
        degraded.push(Degraded::new("results", why).supplied_by("monitoring.psi.run", first));
    }
    let wanted = args.url.as_ref().map(|it| it.as_str());
    let holds = |it: &Measured| {
        wanted.is_none_or(|url| it.url == url) && args.strategy.is_none_or(|strategy| it.strategy == strategy)
    };
    let mut pages: BTreeMap<&str, Vec<&Measured>> = BTreeMap::new();
    for it in all.iter().filter(|it| holds(it)) {
        pages.entry(&it.page).or_default().push(it);
    }
    let common_opportunities =
        common(pages.values().filter_map(|it| it.iter().find(|it| it.failure.is_none()).copied()));
    let found: Vec<Row> = all
        .iter()
        .filter(|it| holds(it))
        .map(|it| {
            let of_page = pages.get(it.page.as_str()).map_or(&[][..], Vec::as_slice);
            let before = of_page.iter().find(|other| other.measured_ms < it.measured_ms && other.failure.is_none());
            row(it, before.copied())
        })
        .collect();
    let total = found.len() as u64;
    let page = args.window(found)?;
    Ok(Rows { results: page.items, next_cursor: page.next, total, common_opportunities, degraded })
}

fn row(it: &Measured, before: Option<&Measured>) -> Row {
    Row {
        url: it.url.clone(),
        strategy: it.strategy,
        measured_at: Moment::from_millis(it.measured_ms),
        scores: it.scores.clone(),
        lab: it.lab.clone(),
        field: it.field.clone(),
        opportunities: it.opportunities.clone(),
        lighthouse_version: it.lighthouse_version.clone(),
        failure: it.failure.clone(),
        change: before.filter(|_| it.failure.is_none()).map(|before| change(it, before)),
    }
}

fn change(it: &Measured, before: &Measured) -> Change {
    let points =
        it.scores.performance.zip(before.scores.performance).map(|(now, then)| i32::from(now) - i32::from(then));
    let lcp = it.lab.lcp_ms.zip(before.lab.lcp_ms).filter(|it| it.1 > 0.0).map(|(now, then)| now / then - 1.0);
    let major = |it: &Measured| it.lighthouse_version.as_deref().and_then(|it| it.split('.').next()).map(str::to_owned);
    let verdict = if major(it) != major(before) {
        Verdict::OtherVersion
    } else if points.is_some_and(|it| it.abs() > NOISE_POINTS) || lcp.is_some_and(|it| it.abs() > NOISE_LCP) {
        Verdict::Notable
    } else {
        Verdict::WithinNoise
    };
    Change {
        since: Moment::from_millis(before.measured_ms),
        performance_points: points,
        lcp_percent: lcp.map(|it| round(it * 100.0, 1)),
        verdict,
    }
}

fn common<'m>(newest: impl Iterator<Item = &'m Measured>) -> Vec<Common> {
    let mut sums: BTreeMap<&str, (&str, BTreeSet<&str>, u64, f64)> = BTreeMap::new();
    let mut all: BTreeSet<&str> = BTreeSet::new();
    for it in newest {
        all.insert(&it.url);
        for of in &it.opportunities {
            let sum = sums.entry(&of.id).or_insert((&of.title, BTreeSet::new(), 0, 0.0));
            sum.1.insert(&it.url);
            sum.2 += of.saved_bytes.unwrap_or(0);
            sum.3 += of.saved_ms.get("lcp").copied().unwrap_or(0.0);
        }
    }
    let whole = as_number(all.len() as u64);
    let mut out: Vec<Common> = sums
        .into_iter()
        .filter(|(_, it)| it.1.len() > 1 && as_number(it.1.len() as u64) >= COMMON * whole)
        .map(|(id, (title, pages, saved_bytes, ms))| Common {
            id: id.to_owned(),
            title: title.to_owned(),
            of_pages: all.len() as u64,
            saved_bytes,
            mean_saved_lcp_ms: (ms > 0.0).then(|| round(ms / as_number(pages.len() as u64), 0)),
            pages: pages.len() as u64,
        })
        .collect();
    out.sort_by(|a, b| (b.pages, b.saved_bytes).cmp(&(a.pages, a.saved_bytes)).then_with(|| a.id.cmp(&b.id)));
    out.truncate(LISTED);
    out
}
