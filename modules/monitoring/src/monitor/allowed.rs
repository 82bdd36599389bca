//! What a monitor of each kind may be: its target, its interval and its threshold.

use sdk::json;
use sdk::prelude::*;
use site::Site;

use super::stored::{Every, Kind, Threshold};
use crate::check::text;
use crate::series;

/// A tracker, as `rankings` keeps it.
#[foreign(collection = "rankings.trackers", thing = "tracker", may_be_missing)]
pub(crate) struct Tracker {
    pub(crate) site_id: String,
    pub(crate) language: String,
}

/// The most frequent interval of a kind.
pub(crate) const fn finest(kind: Kind) -> Every {
    match kind {
        Kind::Uptime => Every::FiveMinutes,
        Kind::Content | Kind::Head | Kind::Robots | Kind::Sitemap => Every::Hour,
        Kind::Tls | Kind::Domain | Kind::Index | Kind::Rank | Kind::Metric => Every::Day,
        Kind::Cwv => Every::Week,
    }
}

/// Members of the threshold that a kind has.
const fn members(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Uptime => &["status_in", "contains", "max_ms", "down_after"],
        Kind::Content => &["min_change_percent"],
        Kind::Tls | Kind::Domain => &["days_left"],
        Kind::Rank => &["tracker_ref", "falls_by"],
        Kind::Cwv => &["metric", "above"],
        Kind::Metric => &["above", "below", "change_percent", "days"],
        Kind::Head | Kind::Robots | Kind::Sitemap | Kind::Index => &[],
    }
}

/// Checks an interval.
///
/// # Errors
/// 422 `every_too_fine` at `/every`, with what is allowed.
pub(crate) fn every(kind: Kind, every: Every) -> Result<()> {
    if every >= finest(kind) {
        return Ok(());
    }
    let allowed: Vec<&str> = Every::ALL.into_iter().filter(|it| *it >= finest(kind)).map(Every::name).collect();
    let message = format!("a monitor of the kind {} checks every {}", kind.name(), allowed.join(", "));
    Err(Fault::invalid("/every", "every_too_fine", message).detail(json!({ "allowed": allowed })))
}

/// Checks a threshold.
///
/// # Errors
/// 422 `threshold_of_other_kind`, with every pointer that is at fault, and `threshold_missing`.
pub(crate) fn threshold(kind: Kind, threshold: &Threshold) -> Result<()> {
    let written = serde_json::to_value(threshold).unwrap_or_default();
    let given = written.as_object().into_iter().flatten().filter(|it| !it.1.is_null()).map(|it| it.0.as_str());
    let allowed = members(kind);
    let beyond: Vec<String> = given.filter(|it| !allowed.contains(it)).map(|it| format!("/threshold/{it}")).collect();
    if let Some(first) = beyond.first() {
        let has = if allowed.is_empty() { "none".to_owned() } else { allowed.join(", ") };
        let message = format!("the threshold of the kind {} has these members: {has}", kind.name());
        let detail = json!({ "pointers": beyond, "allowed": allowed });
        return Err(Fault::invalid(first.clone(), "threshold_of_other_kind", message).detail(detail));
    }
    let missing = |pointer: &str, message: &str| Err(Fault::invalid(pointer, "threshold_missing", message));
    match kind {
        Kind::Rank if threshold.tracker_ref.is_none() => {
            missing("/threshold/tracker_ref", "a rank is watched through a tracker of rankings.tracker.create")
        }
        Kind::Metric
            if threshold.above.is_none() && threshold.below.is_none() && threshold.change_percent.is_none() =>
        {
            missing("/threshold", "a metric needs `above`, `below` or `change_percent`")
        }
        _ => Ok(()),
    }
}

/// The target of a kind in its normal form.
///
/// # Errors
/// 422 at `/target`: `target_invalid`, `other_website`, `metric_not_stored`; 404 `tracker_not_found`.
pub(crate) fn target(cx: &Cx, kind: Kind, site: &Stored<Site>, target: &str, threshold: &Threshold) -> Result<String> {
    let invalid = |message: String| Fault::invalid("/target", "target_invalid", message);
    match kind {
        Kind::Uptime | Kind::Content | Kind::Head | Kind::Robots | Kind::Sitemap | Kind::Index | Kind::Cwv => {
            let url: Url =
                target.trim().parse().map_err(|_| invalid("this is not an address of http or https".to_owned()))?;
            let url = url.without_fragment();
            // Texts of others may be watched; how often they are asked is bounded by the interval and their host's pace.
            if kind != Kind::Content && !site.has(url.as_str()) {
                let message =
                    format!("this address is not one of {}; only `content` is watched elsewhere", site.domain);
                return Err(Fault::invalid("/target", "other_website", message));
            }
            Ok(if kind == Kind::Robots { robots_of(&url) } else { url.to_string() })
        }
        Kind::Tls | Kind::Domain => {
            let bare = target.trim().trim_start_matches("https://").trim_end_matches('/');
            let host =
                kit::url::Url::parse(&format!("https://{bare}/")).ok().and_then(|it| it.host_str().map(str::to_owned));
            let host = host.filter(|it| it.contains('.') && !bare.contains(['/', '?', '@', ' ']));
            let host = host.ok_or_else(|| invalid("this is not the name of a host".to_owned()))?;
            if !site.has(&format!("https://{host}/"))
                && host != site.domain
                && !host.ends_with(&format!(".{}", site.domain))
            {
                let message = format!("this name is not one of {}", site.domain);
                return Err(Fault::invalid("/target", "other_website", message));
            }
            if kind == Kind::Tls {
                return Ok(host);
            }
            let domain: Domain = host.parse().map_err(|_| invalid("this is not a domain".to_owned()))?;
            let domain =
                domain.registrable().ok_or_else(|| invalid("this is not a domain that is registered".to_owned()))?;
            Ok(domain.as_str().to_owned())
        }
        Kind::Rank => {
            let tracker = threshold.tracker_ref.as_ref().map_or("", Text::as_str);
            let tracker = cx.records::<Tracker>().find(&Id::new(tracker)).filter(|it| it.site_id == site.id.as_str());
            let Some(tracker) = tracker else {
                let message = "this website has no such tracker";
                return Err(Fault::not_found("tracker_not_found", message).at("/threshold/tracker_ref"));
            };
            let keyword = serps::normal(target, &tracker.language);
            if keyword.is_empty() { Err(invalid("this is not a keyword".to_owned())) } else { Ok(keyword) }
        }
        Kind::Metric => series::metric(target, "/target").map(|_| target.to_owned()),
    }
}

/// The robots.txt of an address.
fn robots_of(url: &Url) -> String {
    url.link("/robots.txt").map_or_else(|| url.to_string(), |it| it.to_string())
}

/// Checks a selector.
///
/// # Errors
/// 422 at `/selector`: `selector_of_other_kind`, `selector_invalid`.
pub(crate) fn selector(kind: Kind, selector: &str) -> Result<()> {
    if kind != Kind::Content {
        return Err(Fault::invalid("/selector", "selector_of_other_kind", "only `content` has a selector"));
    }
    let is_valid = text::selector(selector).is_some();
    let message = "this is not a CSS selector";
    is_valid.then_some(()).ok_or_else(|| Fault::invalid("/selector", "selector_invalid", message))
}

/// Checks patterns of what is cut from a text.
///
/// # Errors
/// 422 `pattern_invalid` at the pattern.
pub(crate) fn ignore<'a>(patterns: impl Iterator<Item = &'a str>) -> Result<()> {
    for (at, pattern) in patterns.enumerate() {
        if text::pattern(pattern).is_none() {
            let message =
                "this is not a regular expression (of the crate regex, without look-around), or it is too large";
            return Err(Fault::invalid(format!("/ignore/{at}"), "pattern_invalid", message));
        }
    }
    Ok(())
}
