//! Stored search figures for the native tests of modules that read them.

use std::collections::BTreeMap;

use kit::pack::{Figures as _, Search};
use sdk::{Fake, prelude::*};
use site::Site;

use crate::{Cut, DayRecord, Days, Figures, Month, Row, SearchType, key, replace};

type Keys = BTreeMap<Vec<u8>, Vec<(u8, Search)>>;

/// Stores web figures by page, and the totals of their days, as an import would. Replaces the days that are given.
///
/// # Panics
/// When the fake host refuses a blob.
pub fn store_pages(fake: &Fake, site: &str, rows: &[(Day, String, Search)]) {
    let id: Id<Site> = Id::new(site);
    let figures = Figures::of(fake, &id, SearchType::Web);
    let mut months: BTreeMap<Month, (u32, Keys)> = BTreeMap::new();
    let mut days: BTreeMap<Day, Search> = BTreeMap::new();
    for (day, page, it) in rows {
        let month = Month::of(*day);
        let bit = month.bit(*day);
        let (mask, keys) = months.entry(month).or_default();
        *mask |= bit;
        keys.entry(key([page.as_str()])).or_default().push((u8::try_from(bit.trailing_zeros()).unwrap_or(0), *it));
        days.entry(*day).or_default().add(it);
    }
    for (month, (mask, mut keys)) in months {
        keys.values_mut().for_each(|days| days.sort_by_key(|it| it.0));
        replace(&figures, month, Cut::Pages, (mask, 0), keys.into_iter().collect::<Vec<Row>>()).expect("stored");
    }
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
