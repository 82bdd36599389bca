//! The operation `monitoring.cwv.report`.

use std::collections::BTreeMap;

use kit::number::as_number;
use kit::statistics::round;
use sdk::prelude::*;
use sdk::{Degraded, Fix, json};
use search::Clicks;
use site::{Segment, Site};

use crate::crux::ask::{Assessment, GOOD};
use crate::psi::stored::{Measured, Strategy, newest};

/// Results that are looked at.
const MOST: usize = 2_000;
/// Blocking time up to which a page is likely to answer quickly (Lighthouse's own bound of good); it stands for interaction, which a
/// laboratory cannot measure.
const GOOD_TBT: f64 = 200.0;
/// Failing pages and groups that are listed.
const LISTED: usize = 100;

#[args]
pub(crate) struct Report {
    /// The website.
    site_id: Id<Site>,
    /// Pages of this segment alone.
    segment_ref: Option<Id<Segment>>,
    /// Of which visits.
    #[default("mobile")]
    strategy: Strategy,
}

/// What a verdict stands on.
#[value]
pub(crate) enum Basis {
    /// Visits of the page itself.
    FieldPage,
    /// Visits of its whole origin.
    FieldOrigin,
    /// One run of a laboratory.
    Lab,
}

/// A group of pages.
#[value]
pub(crate) struct Group {
    name: String,
    /// Whether it is a segment, or a template: addresses that differ in numbers, dates and the like.
    #[own]
    kind: String,
    urls: u64,
    clicks: Option<u64>,
    /// The part that passes, by clicks where they are known.
    pass_share: Option<f64>,
    /// The metric that fails for the most clicks; null where none does.
    #[own]
    worst_metric: Option<String>,
    /// Pages that are judged by what visitors of the page saw, by those of the origin, and by the laboratory.
    by_page: u64,
    by_origin: u64,
    by_lab: u64,
}

/// A page that fails.
#[value]
pub(crate) struct Failing {
    url: String,
    clicks: Option<u64>,
    /// Metrics beyond their bounds, with their values.
    failing_metrics: BTreeMap<String, f64>,
    basis: Basis,
    measured_at: Moment,
    fix: Option<Fix>,
}

/// How pages do.
#[value]
pub(crate) struct Vitals {
    pages: u64,
    pass_share: Option<f64>,
    /// Those with the most clicks first.
    segments: Vec<Group>,
    /// Those with the most clicks first, at most 100.
    failing_urls: Vec<Failing>,
    failing_total: u64,
    degraded: Vec<Degraded>,
}

struct Judged<'m> {
    it: &'m Measured,
    clicks: u64,
    basis: Basis,
    failing: BTreeMap<String, f64>,
}

/// Reports Core Web Vitals pass rates by segment and template from stored field and lab data, weighted by clicks, with the metric that fails most.
///
/// It stands on what monitoring.psi.run stored: the newest result of each page. What visitors of the page saw goes before what those of
/// its origin saw, and that before the laboratory, which cannot measure interaction: blocking time stands for it there.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(most = 2_000, unit = "pages"),
    needs = ["store"],
    phrasings = [
        "core web vitals report",
        "which page types fail LCP or INP",
        "share of pages that pass for real visitors",
        "which templates fail core web vitals",
    ],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "strategy": "desktop" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Answer<Vitals>> {
    let site = site::get(cx, &args.site_id)?;
    let only = site::rules(cx, site.id.as_str(), args.segment_ref.as_ref())?;
    let all = newest(cx, &site.id, MOST);
    let clicks = Clicks::newest(cx, &site.id);
    let mut pages: BTreeMap<&str, &Measured> = BTreeMap::new();
    for it in all.iter().filter(|it| it.strategy == args.strategy && it.failure.is_none()) {
        if site::held(only.as_ref(), &it.url) {
            pages.entry(&it.url).or_insert(it);
        }
    }
    let judged: Vec<Judged<'_>> = pages
        .into_values()
        .filter_map(|it| {
            let (basis, failing) = judge(it)?;
            let clicks = clicks.as_ref().map_or(0, |all| all.of(&it.url));
            Some(Judged { it, clicks, basis, failing })
        })
        .collect();
    let mut degraded = Vec::new();
    if judged.is_empty() {
        let why = "no page was measured with this strategy yet";
        let first = json!({ "urls": [site.origin], "site_id": site.id, "strategy": args.strategy });
        degraded.push(Degraded::new("pages", why).supplied_by("monitoring.psi.run", first));
    }
    if clicks.is_none() {
        let why = "no search figures by page are stored, so all pages count alike";
        let sync = json!({ "site_id": site.id, "dimensions": ["page"] });
        degraded.push(Degraded::new("clicks", why).supplied_by("search_console.sync.run", sync));
    }
    let known = clicks.is_some();
    let mut groups: Vec<Group> = Vec::new();
    for segment in site::segments(cx, &site.id) {
        let Some(rules) = segment.ready() else { continue };
        let of: Vec<&Judged<'_>> = judged.iter().filter(|it| site::holds(&rules, &it.it.url)).collect();
        if !of.is_empty() {
            groups.push(group(segment.name.clone(), "segment", &of, known));
        }
    }
    let mut templates: BTreeMap<String, Vec<&Judged<'_>>> = BTreeMap::new();
    judged.iter().for_each(|it| templates.entry(kit::traps::family(&it.it.url)).or_default().push(it));
    groups.extend(templates.into_iter().map(|(name, of)| group(name, "template", &of, known)));
    groups.sort_by(|a, b| (b.clicks, b.urls).cmp(&(a.clicks, a.urls)).then_with(|| a.name.cmp(&b.name)));
    groups.truncate(LISTED);
    let all: Vec<&Judged<'_>> = judged.iter().collect();
    let pass_share = pass_share(&all, known);
    let mut failing: Vec<&Judged<'_>> = judged.iter().filter(|it| !it.failing.is_empty()).collect();
    failing.sort_by(|a, b| b.clicks.cmp(&a.clicks).then_with(|| a.it.url.cmp(&b.it.url)));
    let failing_total = failing.len() as u64;
    let failing_urls = failing.into_iter().take(LISTED).map(|it| Failing {
        url: it.it.url.clone(),
        clicks: known.then_some(it.clicks),
        failing_metrics: it.failing.clone(),
        basis: it.basis,
        measured_at: Moment::from_millis(it.it.measured_ms),
        fix: Fix::new("monitoring.page_weight.check", json!({ "url": it.it.url })).if_served(),
    });
    let report = Vitals {
        pages: judged.len() as u64,
        pass_share,
        segments: groups,
        failing_urls: failing_urls.collect(),
        failing_total,
        degraded,
    };
    let units = report.pages;
    Ok(Answer::new(report).units(units))
}

/// What a page is judged by, and what fails; none where nothing is known.
fn judge(it: &Measured) -> Option<(Basis, BTreeMap<String, f64>)> {
    if let Some(field) = it.field.as_ref().filter(|it| it.assessment != Assessment::Unknown) {
        let beyond = GOOD
            .iter()
            .filter_map(|(name, bound)| Some(((*name).to_owned(), *field.p75.get(*name).filter(|it| **it > *bound)?)));
        let basis = if field.of_origin { Basis::FieldOrigin } else { Basis::FieldPage };
        return Some((basis, beyond.collect()));
    }
    let lab = [("lcp", it.lab.lcp_ms, 2_500.0), ("tbt", it.lab.tbt_ms, GOOD_TBT), ("cls", it.lab.cls, 0.1)];
    if lab.iter().any(|it| it.1.is_none()) {
        return None;
    }
    let beyond =
        lab.into_iter().filter_map(|(name, value, bound)| Some((name.to_owned(), value.filter(|it| *it > bound)?)));
    Some((Basis::Lab, beyond.collect()))
}

fn weight(it: &Judged<'_>, known: bool) -> f64 {
    if known { as_number(it.clicks) } else { 1.0 }
}

/// The part that passes: by clicks where they are known and there are some.
fn pass_share(of: &[&Judged<'_>], known: bool) -> Option<f64> {
    let by_clicks = known && of.iter().any(|it| it.clicks > 0);
    let sum = |passes: bool| {
        of.iter().filter(|it| !passes || it.failing.is_empty()).map(|it| weight(it, by_clicks)).sum::<f64>()
    };
    let whole = sum(false);
    (whole > 0.0).then(|| round(sum(true) / whole, 4))
}

fn group(name: String, kind: &str, of: &[&Judged<'_>], known: bool) -> Group {
    let mut metrics: BTreeMap<&str, (f64, u64)> = BTreeMap::new();
    for it in of {
        for metric in it.failing.keys() {
            let sum = metrics.entry(metric).or_default();
            *sum = (sum.0 + weight(it, known), sum.1 + 1);
        }
    }
    let worst = metrics.into_iter().max_by(|a, b| a.1.0.total_cmp(&b.1.0).then(a.1.1.cmp(&b.1.1)).then(b.0.cmp(a.0)));
    let count = |basis: Basis| of.iter().filter(|it| it.basis == basis).count() as u64;
    Group {
        name,
        kind: kind.to_owned(),
        urls: of.len() as u64,
        clicks: known.then(|| of.iter().map(|it| it.clicks).sum()),
        pass_share: pass_share(of, known),
        worst_metric: worst.map(|it| it.0.to_owned()),
        by_page: count(Basis::FieldPage),
        by_origin: count(Basis::FieldOrigin),
        by_lab: count(Basis::Lab),
    }
}
