//! Figures of search performance.

use super::{Figures, varint};

/// Impressions, clicks and positions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Search {
    /// How often it was shown.
    pub impressions: u64,
    /// How often it was clicked.
    pub clicks: u64,
    /// The sum of the 1-based positions of all impressions. Google counts it as a whole number, so the mean position of any
    /// set of days and keys is exact.
    pub positions: u64,
}

impl Search {
    /// Clicks per impression; `None` without impressions.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    pub fn click_rate(&self) -> Option<f64> {
        (self.impressions > 0).then(|| self.clicks as f64 / self.impressions as f64)
    }

    /// The mean position; `None` without impressions, and for search types that have no positions.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    pub fn position(&self) -> Option<f64> {
        (self.impressions > 0 && self.positions > 0).then(|| self.positions as f64 / self.impressions as f64)
    }
}

impl Figures for Search {
    const KIND: u8 = 1;

    fn write(&self, bytes: &mut Vec<u8>) {
        // Most rows have no click: the lowest bit says whether a number of clicks follows.
        let clicked = u64::from(self.clicks > 0);
        varint::write((self.impressions.min(u64::MAX >> 1) << 1) | clicked, bytes);
        if self.clicks > 0 {
            varint::write(self.clicks, bytes);
        }
        varint::write(self.positions, bytes);
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let shown = varint::read(bytes)?;
        let clicks = if shown & 1 == 1 { varint::read(bytes)? } else { 0 };
        Some(Self { impressions: shown >> 1, clicks, positions: varint::read(bytes)? })
    }

    fn add(&mut self, other: &Self) {
        self.impressions = self.impressions.saturating_add(other.impressions);
        self.clicks = self.clicks.saturating_add(other.clicks);
        self.positions = self.positions.saturating_add(other.positions);
    }
}
