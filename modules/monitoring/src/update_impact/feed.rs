//! Updates of Google Search: its public status feed, or else a table.
//!
//! Source: status.search.google.com/incidents.json, an array of incidents with `begin`, `end`, `external_desc`, `service_name` and
//! `uri`. Beginning and end are instants; days are those of Los Angeles, as in Search Console.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use sdk::Request;
use sdk::prelude::*;
use sdk::serde_json::Value;

const FEED: &str = "https://status.search.google.com/incidents.json";
const HOST: &str = "https://status.search.google.com/";
/// The service whose incidents are updates.
const SERVICE: &str = "Ranking";

/// An update.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Known {
    pub(super) name: String,
    pub(super) first: Day,
    /// None while it is still being rolled out.
    pub(super) last: Option<Day>,
    pub(super) url: Option<String>,
}

/// Reads the feed, which may be a day old; none where it does not answer or cannot be read.
pub(super) fn read(cx: &Cx) -> Option<Vec<Known>> {
    let url: Url = FEED.parse().ok()?;
    let answer = cx.web().fetch(&Request::get(&url).max_bytes(4 << 20).timeout(10_000).any_age()).ok()?;
    if !answer.is_success() || answer.truncated {
        return None;
    }
    parse(&sdk::serde_json::from_slice(&answer.body).ok()?)
}

/// The updates of the feed.
pub(super) fn parse(feed: &Value) -> Option<Vec<Known>> {
    let incidents = feed.as_array()?;
    let zone = TimeZone::get("America/Los_Angeles").ok()?;
    let day = |value: &Value| {
        let moment: Timestamp = value.as_str()?.parse().ok()?;
        let date = moment.to_zoned(zone.clone()).date();
        Day::from_civil(i32::from(date.year()), u32::try_from(date.month()).ok()?, u32::try_from(date.day()).ok()?)
    };
    let known = incidents.iter().filter(|it| it["service_name"] == SERVICE).filter_map(|it| {
        let name: String = it["external_desc"].as_str()?.chars().take(200).collect();
        let uri =
            it["uri"].as_str().filter(|it| it.len() < 200).map(|it| format!("{HOST}{}", it.trim_start_matches('/')));
        Some(Known { name, first: day(&it["begin"])?, last: day(&it["end"]), url: uri })
    });
    Some(known.collect())
}

/// The updates of the table.
pub(super) fn table() -> Vec<Known> {
    let day = |it: kit::updates::Civil| Day::from_civil(it.0, it.1, it.2);
    let known = kit::updates::UPDATES.iter().filter_map(|it| {
        Some(Known {
            name: it.title.to_owned(),
            first: day(it.first)?,
            last: day(it.last),
            url: Some(kit::updates::SOURCE.to_owned()),
        })
    });
    known.collect()
}
