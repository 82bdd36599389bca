//! Counts by position of an imported month.

use sdk::prelude::*;
use search::{Counts, Cut, Figures, Month, Period, parts};
use site::Site;

use super::work::Payload;
use crate::brand::Brand;

/// Counts a month from its stored cuts.
pub(super) fn keep(cx: &Cx, payload: &Payload, month: Month) -> Result<()> {
    let Some(site) = cx.records::<Site>().find(&payload.site_id) else { return Ok(()) };
    let figures = Figures::own(cx, &payload.site_id, payload.kind);
    let whole = Period { first: month.first(), last: month.last() };
    let brand = Brand::of(&site);
    let mut counts = Counts::default();
    // One month is far below the bound of what may be read.
    let _ = figures.sums(Cut::Details, whole, b"", |key, sum| {
        let query = parts(key).1;
        counts.add("all", sum);
        counts.add(if brand.has(query) { "brand" } else { "non_brand" }, sum);
    });
    let _ = figures.sums(Cut::PageMarkets, whole, b"", |key, sum| {
        if let Some((_, device)) = parts(key).1.split_once('\0') {
            counts.add(&device.to_ascii_lowercase(), sum);
        }
    });
    figures.keep_counts(month, &counts)
}
