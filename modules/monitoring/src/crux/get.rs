//! The operation `monitoring.crux.get`.

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::{Degraded, Next, json};

use super::ask::{Assessment, FormFactor, Level, Metric, assessment, day, metrics, record};

#[args]
pub(crate) struct Get {
    /// A page, or the home page for its website.
    target: Url,
    /// Which visits.
    #[default("phone")]
    form_factor: FormFactor,
}

/// The days that figures are of.
#[value]
pub(crate) struct Collected {
    from: Day,
    to: Day,
}

/// What real visitors saw.
#[value]
pub(crate) struct Seen {
    /// By name: `lcp`, `inp`, `cls`, `fcp`, `ttfb` and what else the report has. Empty without enough visits.
    metrics: BTreeMap<String, Metric>,
    assessment: Assessment,
    /// What the figures are of; null without any.
    level: Option<Level>,
    /// Whether the page has too few visits and these are of its whole origin.
    fallback: bool,
    collection_period: Option<Collected>,
    /// The address as the report has it, where that is another.
    normalized_url: Option<String>,
    degraded: Vec<Degraded>,
    next: Vec<Next>,
}

/// Reads Chrome UX Report p75 and good, needs-improvement and poor shares for a URL or origin by form factor.
///
/// Figures are of the last 28 days of visits with Chrome. A page passes when its largest paint, interaction and layout shift are good
/// for three quarters of visits: 2,500 ms, 200 ms and 0.1. A page with too few visits is told by its origin, which `fallback` says.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 2),
    needs = ["connection:pagespeed"],
    outside = ["pagespeed.crux POST /v1/records:queryRecord query"],
    phrasings = ["core web vitals of a page", "is my site fast for real users", "crux data", "field data lcp inp cls"],
    examples = [{ "target": "https://shop.example/lamps" }, { "target": "https://shop.example/", "form_factor": "desktop" }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<Seen> {
    let found = record(cx, "records:queryRecord", &args.target, args.form_factor, &json!({}))?;
    let history = json!({ "target": args.target });
    let next = vec![Next::new("monitoring.crux.history.get", history, "shows how the figures changed")];
    let Some((level, record)) = found else {
        let why = "neither the page nor its origin has enough visits with Chrome for the report";
        let lab = json!({ "urls": [args.target] });
        let degraded = Degraded::new("field_data", why).supplied_by("monitoring.psi.run", lab);
        return Ok(Seen {
            metrics: BTreeMap::new(),
            assessment: Assessment::Unknown,
            level: None,
            fallback: false,
            collection_period: None,
            normalized_url: None,
            degraded: vec![degraded],
            next: Vec::new(),
        });
    };
    let metrics = metrics(&record);
    let period = &record["collectionPeriod"];
    Ok(Seen {
        assessment: assessment(|name| metrics.get(name)?.p75),
        metrics,
        fallback: level == Level::Origin && args.target.path() != "/",
        level: Some(level),
        collection_period: day(&period["firstDate"])
            .zip(day(&period["lastDate"]))
            .map(|(from, to)| Collected { from, to }),
        normalized_url: record["urlNormalizationDetails"]["normalizedUrl"].as_str().map(str::to_owned),
        degraded: Vec::new(),
        next,
    })
}
