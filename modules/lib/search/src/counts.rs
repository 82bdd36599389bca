//! Clicks and impressions by position, from which click curves are fitted.
//!
//! One blob for each month beside its figures: `{yyyy-mm}/counts`.

use std::collections::BTreeMap;

use kit::ctr::Bin;
use sdk::prelude::*;
use serde::{Deserialize, Serialize};

use crate::{Figures, Month, Period};

/// Positions that are counted.
pub const POSITIONS: usize = 20;
/// How far a mean position may be from a whole one: a mean of 5.5 made of 1 and 10 says nothing about position 5.
const NEAR: f64 = 0.3;

/// Clicks and impressions of the positions 1 to 20, by segment: `all`, `brand`, `non_brand`, and devices in lower case.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Counts {
    /// By segment.
    pub segments: BTreeMap<String, Vec<Count>>,
}

/// The figures of one position.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Count {
    /// Clicks.
    pub clicks: u64,
    /// Impressions.
    pub impressions: u64,
    /// The sum over keys of clicks² / impressions, for the dispersion.
    pub squares: f64,
    /// Keys.
    pub keys: u64,
}

impl Counts {
    /// Adds a key to a segment, when its mean position is near a whole one.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a position from 1 to 20")]
    #[expect(clippy::cast_precision_loss, reason = "counts below 2^52")]
    pub fn add(&mut self, segment: &str, figures: kit::pack::Search) {
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
    #[must_use]
    pub fn bins(&self, segment: &str) -> Vec<Bin> {
        let counts = self.segments.get(segment).map(Vec::as_slice).unwrap_or_default();
        counts.iter().map(|it| Bin { clicks: it.clicks, impressions: it.impressions }).collect()
    }
}

impl Figures<'_> {
    /// The counts of the months of a period, which the import keeps beside the figures.
    #[must_use]
    pub fn counts(&self, period: Period) -> Counts {
        self.counts_of(period.months())
    }

    /// The counts of months.
    #[must_use]
    pub fn counts_of(&self, months: impl IntoIterator<Item = Month>) -> Counts {
        let mut all = Counts::default();
        for month in months {
            let bytes = self.cx().blobs().read(&self.counts_blob(month), 0, 1 << 20).unwrap_or_default();
            if let Ok(counts) = serde_json::from_slice::<Counts>(&bytes) {
                all.merge(counts);
            }
        }
        all
    }

    /// Keeps the counts of a month.
    ///
    /// # Errors
    /// The host's refusal of the blob.
    pub fn keep_counts(&self, month: Month, counts: &Counts) -> Result<()> {
        self.cx().blobs().write(&self.counts_blob(month), &serde_json::to_vec(counts).unwrap_or_default())
    }
}
