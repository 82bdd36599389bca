//! Stored search figures for the native tests of modules that read them.

use std::collections::BTreeMap;

use kit::pack::{Figures as _, Search};
use sdk::{Fake, prelude::*};

use crate::{Cut, DayRecord, Days, Figures, Month, Row, SearchType, key, replace};

/// The figures of each key by day, the days as numbers from the first of the month.
type Keys = BTreeMap<Vec<u8>, BTreeMap<u8, Search>>;

/// What was shown on a day: the page, the query and the figures.
pub type Shown = (Day, String, String, Search);

/// Stores web figures by page, and the totals of their days, as an import would. Replaces the days that are given.
///
/// # Panics
/// When the fake host refuses a blob.
pub fn store_pages(fake: &Fake, site: &str, rows: &[(Day, String, Search)]) {
    store(fake, site, Cut::Pages, rows.iter().map(|(day, page, it)| (*day, key([page.as_str()]), *it)));
    totals(fake, site, rows.iter().map(|(day, _, it)| (*day, *it)));
}

/// Stores web figures by page, by query, and by both, and the totals of their days, as an import would.
///
/// # Panics
/// When the fake host refuses a blob.
pub fn store_queries(fake: &Fake, site: &str, rows: &[Shown]) {
    store(fake, site, Cut::Pages, rows.iter().map(|(day, page, _, it)| (*day, key([page.as_str()]), *it)));
    store(fake, site, Cut::Queries, rows.iter().map(|(day, _, query, it)| (*day, key([query.as_str()]), *it)));
    let details = rows.iter().map(|(day, page, query, it)| (*day, key([page.as_str(), query.as_str()]), *it));
    store(fake, site, Cut::Details, details);
    totals(fake, site, rows.iter().map(|(day, _, _, it)| (*day, *it)));
}

fn store(fake: &Fake, site: &str, cut: Cut, rows: impl Iterator<Item = (Day, Vec<u8>, Search)>) {
    let figures = Figures::of(fake, &Id::new(site), SearchType::Web);
    let mut months: BTreeMap<Month, (u32, Keys)> = BTreeMap::new();
    for (day, key, it) in rows {
        let month = Month::of(day);
        let bit = month.bit(day);
        let (mask, keys) = months.entry(month).or_default();
        *mask |= bit;
        let number = u8::try_from(bit.trailing_zeros()).unwrap_or(0);
        keys.entry(key).or_default().entry(number).or_default().add(&it);
    }
    for (month, (mask, keys)) in months {
        let rows: Vec<Row> = keys.into_iter().map(|(key, days)| (key, days.into_iter().collect())).collect();
        replace(&figures, month, cut, (mask, 0), rows).expect("stored");
    }
}

fn totals(fake: &Fake, site: &str, rows: impl Iterator<Item = (Day, Search)>) {
    let mut days: BTreeMap<Day, Search> = BTreeMap::new();
    rows.for_each(|(day, it)| days.entry(day).or_default().add(&it));
    for (day, sum) in days {
        let record = DayRecord {
            site_id: site.to_owned(),
            kind: SearchType::Web.name().to_owned(),
            date: day.to_string(),
            clicks: sum.clicks,
            impressions: sum.impressions,
            positions: sum.positions,
            ..DayRecord::default()
        };
        fake.put_as(&DayRecord::id(site, SearchType::Web, day), Days(record));
    }
}
