//! Questions to the Chrome UX Report API, and its answers.
//!
//! Source: developer.chrome.com/docs/crux/api and developer.chrome.com/docs/crux/history-api, as of 2026-11. Layout shift is a
//! text; a week without data has a p75 of null and densities of `"NaN"`.

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Need, Send, SendFailure, json};

/// The connection that the module asks Google with.
pub(crate) const NEED: Need = Need::key("pagespeed", &["an API key that is not restricted to other APIs"]);
/// Weeks that the history has at most.
pub(super) const WEEKS: u64 = 40;

/// A kind of device.
#[value]
pub(crate) enum FormFactor {
    Phone,
    Desktop,
    Tablet,
    All,
}

impl FormFactor {
    /// As the provider names it; none for all together.
    pub(super) const fn wire(self) -> Option<&'static str> {
        match self {
            Self::Phone => Some("PHONE"),
            Self::Desktop => Some("DESKTOP"),
            Self::Tablet => Some("TABLET"),
            Self::All => None,
        }
    }
}

/// What the figures are of.
#[value]
pub(crate) enum Level {
    /// The page itself.
    Page,
    /// All pages of its origin together.
    Origin,
}

/// One metric of one period.
#[value]
pub(crate) struct Metric {
    /// Three quarters of visits are at least this good: milliseconds, and a score for layout shift.
    pub(crate) p75: Option<f64>,
    /// The parts of visits that are good, need improvement and are poor.
    pub(crate) good_share: Option<f64>,
    pub(crate) needs_improvement_share: Option<f64>,
    pub(crate) poor_share: Option<f64>,
}

/// Whether the Core Web Vitals are good at the 75th percentile.
#[value]
#[derive(Default)]
pub(crate) enum Assessment {
    Passes,
    Fails,
    /// Largest paint or layout shift is not known.
    #[default]
    Unknown,
}

/// The bounds of good: largest paint, interaction and layout shift (web.dev/articles/vitals).
pub(crate) const GOOD: [(&str, f64); 3] = [("lcp", 2_500.0), ("inp", 200.0), ("cls", 0.1)];

/// The assessment of p75s by name. Interaction may be missing, as where nobody interacts.
pub(crate) fn assessment(p75: impl Fn(&str) -> Option<f64>) -> Assessment {
    if p75("lcp").is_none() || p75("cls").is_none() {
        return Assessment::Unknown;
    }
    let fails = GOOD.iter().any(|(name, bound)| p75(name).is_some_and(|it| it > *bound));
    if fails { Assessment::Fails } else { Assessment::Passes }
}

/// The short names of metrics; others keep the provider's.
pub(super) fn name(metric: &str) -> &str {
    match metric {
        "largest_contentful_paint" => "lcp",
        "interaction_to_next_paint" => "inp",
        "cumulative_layout_shift" => "cls",
        "first_contentful_paint" => "fcp",
        "experimental_time_to_first_byte" | "time_to_first_byte" => "ttfb",
        other => other,
    }
}

/// A number that may be written as a text; `NaN` and the like are none.
pub(super) fn number(value: &Value) -> Option<f64> {
    let read = value.as_f64().or_else(|| value.as_str()?.parse().ok());
    read.filter(|it| it.is_finite())
}

/// A day as the provider writes it.
pub(super) fn day(value: &Value) -> Option<Day> {
    let part = |name: &str| value[name].as_i64();
    let (year, month, day) = (part("year")?, part("month")?, part("day")?);
    Day::from_civil(i32::try_from(year).ok()?, u32::try_from(month).ok()?, u32::try_from(day).ok()?)
}

/// Whether a refusal is of the key: Google says that by the status 400 too, with a reason of its own.
pub(crate) fn is_bad_key(answer: &Value) -> bool {
    let details = answer["error"]["details"].as_array().into_iter().flatten();
    details.filter_map(|it| it["reason"].as_str()).any(|it| matches!(it, "API_KEY_INVALID" | "API_KEY_EXPIRED"))
}

/// The record of an address, or of its origin where it has none; none where neither has enough visits.
///
/// # Errors
/// 422 `connection_required` and `target_not_taken` at `/target`; 409 `connection_expired`; 503 of the provider.
pub(super) fn record(
    cx: &Cx,
    path: &str,
    target: &Url,
    form: FormFactor,
    more: &Value,
) -> Result<Option<(Level, Value)>> {
    let connection = cx.connections().required(NEED, "/target", "field data come from the Chrome UX Report")?;
    let address = kit::url::normalize(target.as_str()).unwrap_or_else(|| target.to_string());
    let origin = kit::url::origin(target);
    for (level, name, value) in [(Level::Page, "url", &address), (Level::Origin, "origin", &origin)] {
        let mut body = json!({ name: value });
        if let Some(form) = form.wire() {
            body["formFactor"] = json!(form);
        }
        more.as_object().into_iter().flatten().for_each(|(name, it)| body[name] = it.clone());
        let request = Send::post(&connection.reference, format!("/v1/{path}")).service("crux").timeout(20_000);
        let sent = cx.connections().send(&request.json(&body))?;
        match sent.status {
            404 => {}
            400 if is_bad_key(&sent.json().unwrap_or_default()) => return Err(SendFailure::ExpiredCredential.into()),
            400 => {
                let message = "the Chrome UX Report does not take this address; it knows public web pages alone";
                return Err(Fault::invalid("/target", "target_not_taken", message));
            }
            _ => {
                let answer: Value = sent.accepted()?.json()?;
                return Ok(Some((level, answer["record"].clone())));
            }
        }
    }
    Ok(None)
}

/// The metrics of a record of one period.
pub(super) fn metrics(record: &Value) -> BTreeMap<String, Metric> {
    let all = record["metrics"].as_object().into_iter().flatten();
    let read = |value: &Value| {
        let density = |at: usize| number(&value["histogram"][at]["density"]).map(|it| kit::statistics::round(it, 4));
        let p75 = number(&value["percentiles"]["p75"]);
        (p75.is_some() || density(0).is_some()).then(|| Metric {
            p75,
            good_share: density(0),
            needs_improvement_share: density(1),
            poor_share: density(2),
        })
    };
    all.filter_map(|(metric, value)| Some((name(metric).to_owned(), read(value)?))).collect()
}
