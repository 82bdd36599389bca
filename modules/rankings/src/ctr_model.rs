//! The operation `rankings.ctr_model.fit`.

use kit::anomalies::Metric;
use kit::ctr::{self, Curve, MIN_IMPRESSIONS};
use kit::number::as_number;
use kit::statistics::round;
use sdk::prelude::*;
use sdk::{Degraded, Fix, json};
use search::{
    Count as Counted, Counts, Figures, Measurement, Month, POSITIONS, Period, SearchType, last_day, measurement,
};
use site::Site;

/// Segments with the one that stands in for each.
const SEGMENTS: [(&str, Option<&str>); 5] = [
    ("all", None),
    ("brand", Some("all")),
    ("non_brand", Some("all")),
    ("mobile", Some("all")),
    ("desktop", Some("all")),
];
/// Positions at which curves are compared.
const COMPARED: [u32; 4] = [1, 3, 5, 10];
/// Months without a known fault that are needed to leave the others out: 90 days.
const MIN_CLEAN_MONTHS: usize = 3;
/// Days of a fit without a period.
const DAYS: i32 = 365;

#[args]
pub(crate) struct Fit {
    /// The website, as listed.
    site_id: Id<Site>,
    /// The first day; a year before the last one when left out. Counts are kept by month: whole months are used.
    from: Option<Day>,
    /// The last day; the last stored one when left out.
    to: Option<Day>,
}

/// How a curve compares with the published one at a position.
#[value]
pub(crate) struct Ratio {
    position: u32,
    /// The own click rate over the published one.
    ratio: f64,
}

/// The click rates of a segment.
#[value]
pub(crate) struct Fitted {
    /// `all`, `brand`, `non_brand`, `mobile` or `desktop`.
    #[own]
    segment: String,
    /// Of the positions 1 to 20.
    ctr: Vec<f64>,
    /// Impressions that it rests on.
    n: u64,
    clicks: u64,
    /// Whether it is fitted to this segment's own figures; else it is that of `fitted_to`.
    own: bool,
    /// The segment whose figures it is fitted to, or `published`.
    #[own]
    fitted_to: String,
    /// The mean difference between the fit and the positions' own click rates, weighted by impressions; null for a curve that is
    /// not fitted.
    fit_error: Option<f64>,
    /// How much keys vary beyond chance (Pearson's dispersion, 1 is binomial); null for a curve that is not fitted.
    dispersion: Option<f64>,
    /// Beside the published curve, at positions 1, 3, 5 and 10.
    versus_published: Vec<Ratio>,
}

/// Click rates.
#[value]
pub(crate) struct Model {
    curves: Vec<Fitted>,
    /// Of the curve of all searches.
    fit_error: Option<f64>,
    /// Months whose counts were used, `YYYY-MM`.
    #[own]
    months_used: Vec<String>,
    /// The published curve that the others are compared with.
    #[own]
    published: String,
    /// Known faults of Google's figures in the period. Months with one are left out when three others are there.
    measurement: Vec<Measurement>,
    degraded: Vec<Degraded>,
}

/// Fits click-through rate by position from own search data with isotonic regression, separately for brand, device and feature-heavy pages, and compares it with a published curve.
///
/// A key of Search Console counts where its mean position is near a whole one, 1 to 20. The fit falls from place to place and is
/// weighted by impressions; a segment with fewer than 5,000 impressions has the curve of all searches. Search Console does not tell
/// which pages had features, so there is no curve for them.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["my own click through rate curve", "ctr by position from search console", "how many clicks does position 3 bring me", "fit a ctr model"],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "from": "2026-05-01", "to": "2026-10-31" }]
)]
pub(crate) fn fit(cx: &Cx, args: Fit) -> Result<Model> {
    let site = site::get(cx, &args.site_id)?;
    let not_synced = || {
        let message = "no click counts of this website are stored; import its figures with search_console.sync.run";
        let sync = Fix::new("search_console.sync.run", json!({ "site_id": site.id }));
        Fault::conflict("not_synced", message).at("/site_id").detail(json!(sync))
    };
    let last = args.to.or_else(|| last_day(cx, &site.id, SearchType::Web)).ok_or_else(not_synced)?;
    let first = args.from.unwrap_or_else(|| last.plus(1 - DAYS));
    if first > last {
        return Err(Fault::invalid("/from", "empty_period", "the first day is after the last one"));
    }
    let figures = Figures::of(cx, &site.id, SearchType::Web);
    let all: Vec<Month> = Period { first, last }.months().collect();
    let clean: Vec<Month> = all.iter().copied().filter(|it| !is_wrong(*it)).collect();
    let used = if clean.len() >= MIN_CLEAN_MONTHS { &clean } else { &all };
    let counts = figures.counts_of(used.iter().copied());
    if counts.segments.is_empty() {
        return Err(not_synced());
    }
    let curves: Vec<Fitted> = SEGMENTS.iter().map(|(name, parent)| fitted(&counts, name, *parent)).collect();
    let mut degraded = vec![Degraded::new(
        "features",
        "Search Console does not tell which result pages had features, so no curve is of them alone",
    )];
    if clean.len() < MIN_CLEAN_MONTHS && clean.len() < all.len() {
        let why =
            "most months of the period have wrong impressions, see `measurement`; they are used for want of others";
        degraded.push(Degraded::new("months", why));
    }
    Ok(Model {
        fit_error: curves.first().and_then(|it| it.fit_error),
        curves,
        months_used: used.iter().map(ToString::to_string).collect(),
        published: crate::demand::PUBLISHED.to_owned(),
        measurement: measurement(Period { first, last }),
        degraded,
    })
}

/// Whether a month has days whose click rates are wrong.
fn is_wrong(month: Month) -> bool {
    let days = Period { first: month.first(), last: month.last() };
    days.days().any(|day| search::is_wrong(Metric::ClickRate, day))
}

fn fitted(counts: &Counts, name: &str, parent: Option<&str>) -> Fitted {
    let own = Curve::fit(&counts.bins(name));
    let of_parent = parent.and_then(|it| Some((it, Curve::fit(&counts.bins(it))?)));
    let of_segment = counts.segments.get(name).map(Vec::as_slice).unwrap_or_default();
    let (curve, fitted_to) = match (&own, of_parent) {
        (Some(curve), _) => (curve.clone(), name),
        (None, Some((parent, curve))) => (curve, parent),
        (None, None) => (Curve::published(), "published"),
    };
    let at = |position: u32| curve.at(f64::from(position));
    let ratio = |position: &u32| Ratio {
        position: *position,
        ratio: round(at(*position) / ctr::expected(f64::from(*position)), 4),
    };
    Fitted {
        segment: name.to_owned(),
        ctr: (1..=POSITIONS).map(|it| round(at(u32::try_from(it).unwrap_or(1)), 6)).collect(),
        n: of_segment.iter().map(|it| it.impressions).sum(),
        clicks: of_segment.iter().map(|it| it.clicks).sum(),
        fit_error: own.is_some().then(|| error(of_segment, &curve)).flatten().map(|it| round(it, 6)),
        dispersion: own.is_some().then(|| dispersion(of_segment, &curve)).flatten().map(|it| round(it, 3)),
        own: own.is_some(),
        fitted_to: fitted_to.to_owned(),
        versus_published: COMPARED.iter().map(ratio).collect(),
    }
}

/// The bins that a curve is fitted to, with their positions.
fn used(counts: &[Counted]) -> impl Iterator<Item = (f64, &Counted)> {
    (1_u32..).map(f64::from).zip(counts).filter(|it| it.1.impressions >= 100)
}

/// The mean difference of rates and fit, weighted by impressions.
fn error(counts: &[Counted], curve: &Curve) -> Option<f64> {
    let (mut sum, mut weight) = (0.0, 0.0);
    for (position, it) in used(counts) {
        let impressions = as_number(it.impressions);
        sum += impressions * (as_number(it.clicks) / impressions - curve.at(position)).abs();
        weight += impressions;
    }
    (weight >= as_number(MIN_IMPRESSIONS)).then(|| sum / weight)
}

/// Pearson's statistic over keys by its degrees of freedom: Σ (clicks − impressions · rate)² / (impressions · rate).
fn dispersion(counts: &[Counted], curve: &Curve) -> Option<f64> {
    let (mut sum, mut keys, mut bins) = (0.0, 0_u64, 0_u64);
    for (position, it) in used(counts) {
        let rate = curve.at(position).max(1e-6);
        sum += it.squares / rate - 2.0 * as_number(it.clicks) + as_number(it.impressions) * rate;
        keys += it.keys;
        bins += 1;
    }
    (keys > bins).then(|| sum / as_number(keys - bins))
}
