//! What carries a change: the drivers of each stored dimension, and those within the first of them.

use std::collections::BTreeMap;

use kit::pack::Search;
use kit::statistics::round;
use sdk::prelude::*;
use sdk::{Degraded, json};
use search::{Cut, Period, parts};

use super::drivers::{self, Driver};
use crate::given::Given;
use crate::question::{UNASSIGNED, country};

/// Elements of the leading dimension that are looked into.
const INSIDE: usize = 1;

/// What carries the change.
#[value]
pub(crate) struct Carrier {
    /// `page`, `segment`, `query`, `country` or `device`.
    #[own]
    pub(super) dimension: String,
    /// Its value; of a segment its reference, or `unassigned`.
    pub(super) key: String,
    /// A day before.
    pub(super) before: f64,
    /// A day after.
    pub(super) after: f64,
    /// The part of the whole change; above 1 when others changed the other way.
    pub(super) share: f64,
    /// Whether it is of the dimension that explains the change best.
    pub(super) leading: bool,
    /// The element of the leading dimension within which it was found; null at the first level.
    pub(super) inside: Option<String>,
}

/// A dimension: its name, its cut, and the values of a key.
type Dimension = (&'static str, Cut, fn(&[u8]) -> String);

const DIMENSIONS: [Dimension; 4] = [
    ("page", Cut::Pages, |key| parts(key).0.to_owned()),
    ("query", Cut::Queries, |key| parts(key).0.to_owned()),
    ("country", Cut::Markets, |key| country(parts(key).0)),
    ("device", Cut::Markets, |key| parts(key).1.to_ascii_lowercase()),
];

/// What carries the change in each dimension, the leading one first, and what carries it within its first element.
pub(super) fn carriers(
    given: &mut Given<'_>,
    (before, after): (Period, Period),
    count: impl Fn(Search) -> u64 + Copy,
) -> Result<Vec<Carrier>> {
    let mut found: Vec<(String, Driver)> = Vec::new();
    for (name, cut, group) in DIMENSIONS {
        if given.figures.stored_days(cut, after) == 0 || given.figures.stored_days(cut, before) == 0 {
            let why = format!("figures by {name} are not stored for the days that are compared");
            given
                .degraded
                .push(Degraded::new(name, why).supplied_by(crate::given::SYNC, json!({ "site_id": given.site.id })));
            continue;
        }
        let days = stored_days(given, cut, (before, after));
        let counts = sums(given, cut, (before, after), b"", count, |key| vec![group(key)])?;
        found.extend(drivers::driver(&drivers::per_day(&counts, days)).map(|driver| (name.to_owned(), driver)));
        if name == "page" {
            let segments: Vec<(String, site::Rules)> = site::segments(given.cx, &given.site.id)
                .filter_map(|it| Some((it.id.to_string(), it.ready()?)))
                .collect();
            if !segments.is_empty() {
                // Elements partition the whole: a page belongs to the first segment that holds it.
                let of = |page: &str| {
                    let held = segments.iter().find(|(_, rules)| site::holds(rules, page));
                    held.map_or_else(|| UNASSIGNED.to_owned(), |it| it.0.clone())
                };
                let mut by_segment: BTreeMap<String, (u64, u64)> = BTreeMap::new();
                for (page, it) in &counts {
                    let slot = by_segment.entry(of(page)).or_default();
                    *slot = (slot.0 + it.0, slot.1 + it.1);
                }
                let driver = drivers::driver(&drivers::per_day(&by_segment, days));
                found.extend(driver.map(|driver| ("segment".to_owned(), driver)));
            }
        }
    }
    let lead = drivers::leading(&found);
    if let Some(lead) = lead {
        found[..=lead].rotate_right(1);
    }
    let mut carriers = Vec::new();
    for (at, (name, driver)) in found.iter().enumerate() {
        carriers.extend(driver.elements.iter().map(|it| carrier(name, it, at == 0, None)));
    }
    let Some((name, driver)) = found.first() else { return Ok(carriers) };
    for element in driver.elements.iter().take(INSIDE) {
        carriers.extend(inside(given, name, &element.key, (before, after), count)?);
    }
    Ok(carriers)
}

fn carrier(dimension: &str, it: &drivers::Element, leading: bool, inside: Option<&str>) -> Carrier {
    Carrier {
        dimension: dimension.to_owned(),
        key: it.key.clone(),
        before: round(it.before, 2),
        after: round(it.after, 2),
        share: round(it.share, 4),
        leading,
        inside: inside.map(str::to_owned),
    }
}

/// What carries the change of one element, in the dimensions that are stored together with its own.
fn inside(
    given: &Given<'_>,
    dimension: &str,
    element: &str,
    periods: (Period, Period),
    count: impl Fn(Search) -> u64 + Copy,
) -> Result<Vec<Carrier>> {
    type Inner = (&'static str, Cut, fn(&[u8]) -> String, fn(&[u8]) -> String);
    let page: fn(&[u8]) -> String = |key| parts(key).0.to_owned();
    let query: fn(&[u8]) -> String = |key| parts(key).1.to_owned();
    let of_country: fn(&[u8]) -> String = |key| country(parts(key).1.split('\0').next().unwrap_or_default());
    let device: fn(&[u8]) -> String = |key| parts(key).1.split('\0').nth(1).unwrap_or_default().to_ascii_lowercase();
    let inner: Vec<Inner> = match dimension {
        "page" => vec![
            ("query", Cut::Details, page, query),
            ("device", Cut::PageMarkets, page, device),
            ("country", Cut::PageMarkets, page, of_country),
        ],
        "query" => vec![("page", Cut::Details, query, page)],
        "country" => {
            vec![("page", Cut::PageMarkets, of_country, page), ("device", Cut::PageMarkets, of_country, device)]
        }
        "device" => vec![("page", Cut::PageMarkets, device, page), ("country", Cut::PageMarkets, device, of_country)],
        _ => Vec::new(),
    };
    let mut found: Vec<(String, Driver)> = Vec::new();
    for (name, cut, own, group) in inner {
        let days = stored_days(given, cut, periods);
        if days.0 == 0 || days.1 == 0 {
            continue;
        }
        let prefix = if dimension == "page" { search::key([element, ""]) } else { Vec::new() };
        let counts =
            sums(
                given,
                cut,
                periods,
                &prefix,
                count,
                |key| {
                    if own(key) == element { vec![group(key)] } else { Vec::new() }
                },
            )?;
        found.extend(drivers::driver(&drivers::per_day(&counts, days)).map(|driver| (name.to_owned(), driver)));
    }
    let Some(lead) = drivers::leading(&found) else { return Ok(Vec::new()) };
    let (name, driver) = &found[lead];
    Ok(driver.elements.iter().map(|it| carrier(name, it, false, Some(element))).collect())
}

/// The days of two periods that a cut has. A day that it lacks is unknown, and must not look like a fall.
fn stored_days(given: &Given<'_>, cut: Cut, (before, after): (Period, Period)) -> (usize, usize) {
    let days = |period| given.figures.stored_days(cut, period) as usize;
    (days(before), days(after))
}

/// The counts of two periods by group.
fn sums(
    given: &Given<'_>,
    cut: Cut,
    (before, after): (Period, Period),
    prefix: &[u8],
    count: impl Fn(Search) -> u64,
    groups: impl Fn(&[u8]) -> Vec<String>,
) -> Result<BTreeMap<String, (u64, u64)>> {
    let mut counts: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for (period, first) in [(before, true), (after, false)] {
        let read = given.figures.sums(cut, period, prefix, |key, sum| {
            for group in groups(key) {
                let slot = counts.entry(group).or_default();
                if first { slot.0 += count(sum) } else { slot.1 += count(sum) }
            }
        });
        read.map_err(Given::unread)?;
        crate::given::within_bounds(counts.len())?;
    }
    Ok(counts)
}
