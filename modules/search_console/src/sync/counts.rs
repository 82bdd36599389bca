//! Clicks and impressions by position, from which click curves are fitted.
//!
//! One blob for each month: `gsc_daily/{site}/{type}/{yyyy-mm}/counts`.

use std::collections::BTreeMap;

use kit::ctr::Bin;
use sdk::prelude::*;
use search::{Cut, Figures, Month, Period, SearchType, parts};
use serde::{Deserialize, Serialize};
use site::Site;

use super::work::Payload;
use crate::brand::Brand;

/// Positions that are counted.
pub(crate) const POSITIONS: usize = 20;
/// How far a mean position may be from a whole one: a mean of 5.5 made of 1 and 10 says nothing about position 5.
const NEAR: f64 = 0.3;

/// Clicks and impressions of the positions 1 to 20, by segment: `all`, `brand`, `non_brand`, and devices in lower case.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Counts {
    pub(crate) segments: BTreeMap<String, Vec<Count>>,
}

/// The figures of one position.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Count {
    pub(crate) clicks: u64,
    pub(crate) impressions: u64,
    /// The sum over keys of clicks² / impressions, for the dispersion.
    pub(crate) squares: f64,
    /// Keys.
    pub(crate) keys: u64,
}

impl Counts {
    /// Adds a key to a segment, when its mean position is near a whole one.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a position from 1 to 20")]
    #[expect(clippy::cast_precision_loss, reason = "counts below 2^52")]
    fn add(&mut self, segment: &str, figures: kit::pack::Search) {
        let Some(position) = figures.position() else { return };
        let whole = position.round();
        if (position - whole).abs() > NEAR || !(1.0..=POSITIONS as f64).contains(&whole) {
            return;
        }
        let counts = self.segments.entry(segment.to_owned()).or_insert_with(|| vec![Count::default(); POSITIONS]);
        let count = &mut counts[whole as usize - 1];
        count.clicks += figures.clicks;
        count.impressions += figures.impressions;
        count.squares += (figures.clicks as f64).powi(2) / figures.impressions as f64;
        count.keys += 1;
    }

    /// Adds another month.
    fn merge(&mut self, other: Self) {
        for (segment, counts) in other.segments {
            let own = self.segments.entry(segment).or_insert_with(|| vec![Count::default(); POSITIONS]);
            for (own, more) in own.iter_mut().zip(counts) {
                own.clicks += more.clicks;
                own.impressions += more.impressions;
                own.squares += more.squares;
                own.keys += more.keys;
            }
        }
    }

    /// The bins of a segment; empty when nothing was counted.
    pub(crate) fn bins(&self, segment: &str) -> Vec<Bin> {
        let counts = self.segments.get(segment).map(Vec::as_slice).unwrap_or_default();
        counts.iter().map(|it| Bin { clicks: it.clicks, impressions: it.impressions }).collect()
    }
}

fn blob(site: &Id<Site>, kind: SearchType, month: Month) -> String {
    format!("gsc_daily/{site}/{}/{month}/counts", kind.name())
}

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
    cx.blobs().write(&blob(&payload.site_id, payload.kind, month), &serde_json::to_vec(&counts).unwrap_or_default())
}

/// The counts of the months of a period.
pub(crate) fn counts_of(cx: &Cx, site: &Id<Site>, kind: SearchType, period: Period) -> Counts {
    let mut all = Counts::default();
    for month in period.months() {
        let bytes = cx.blobs().read(&blob(site, kind, month), 0, 1 << 20).unwrap_or_default();
        if let Ok(counts) = serde_json::from_slice::<Counts>(&bytes) {
            all.merge(counts);
        }
    }
    all
}
