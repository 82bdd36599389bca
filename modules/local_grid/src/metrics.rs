//! What a scan's ranks come to, with the definitions that every result prints, since vendors differ.

use sdk::prelude::*;

/// A pin that was not asked to its end.
pub(crate) const OPEN: u8 = 0;
/// The last place that counts as found.
pub(crate) const LAST: u8 = 20;
/// The business is not among the first 20.
pub(crate) const MISSING: u8 = 21;
/// A pin without a result.
pub(crate) const FAILED: u8 = 22;

/// What a place in the results counts as: itself up to 20, 21 beyond.
pub(crate) fn placed(rank: Option<u32>) -> u8 {
    rank.and_then(|it| u8::try_from(it).ok()).filter(|it| *it <= LAST).unwrap_or(MISSING)
}

/// Whether a pin has a result.
pub(crate) const fn is_done(placed: u8) -> bool {
    placed >= 1 && placed <= MISSING
}

/// What the ranks of pins come to.
#[value]
#[derive(Default, Copy)]
pub(crate) struct Figures {
    /// Finished pins.
    pub(crate) pins_done: u32,
    /// Of these, with the business among the first 20.
    pub(crate) found_pins: u32,
    /// Pins without a result.
    pub(crate) failed_pins: u32,
    /// See `definitions`; none when no pin has found the business.
    pub(crate) arp: Option<f64>,
    /// See `definitions`; none without finished pins.
    pub(crate) atrp: Option<f64>,
    /// See `definitions`; none without finished pins.
    pub(crate) solv: Option<f64>,
}

impl Figures {
    /// Of pins, each as `placed` says.
    pub(crate) fn of(pins: impl Iterator<Item = u8>) -> Self {
        let (mut done, mut found, mut failed, mut top) = (0_u32, 0_u32, 0_u32, 0_u32);
        let (mut ranks, mut all) = (0_u32, 0_u32);
        for pin in pins {
            failed += u32::from(pin == FAILED);
            if !is_done(pin) {
                continue;
            }
            done += 1;
            all += u32::from(pin);
            top += u32::from(pin <= 3);
            if pin <= LAST {
                found += 1;
                ranks += u32::from(pin);
            }
        }
        let mean = |sum: u32, of: u32, digits: i32| {
            (of > 0).then(|| kit::statistics::round(f64::from(sum) / f64::from(of), digits))
        };
        Self {
            pins_done: done,
            found_pins: found,
            failed_pins: failed,
            arp: mean(ranks, found, 2),
            atrp: mean(all, done, 2),
            solv: mean(top, done, 4),
        }
    }
}

/// How the figures are defined.
#[value]
pub(crate) struct Definitions {
    /// Of `arp`.
    pub(crate) arp: String,
    /// Of `atrp`.
    pub(crate) atrp: String,
    /// Of `solv`.
    pub(crate) solv: String,
}

impl Definitions {
    /// Those of this service.
    pub(crate) fn ours() -> Self {
        Self {
            arp: "average rank position: the mean rank over finished pins where the business is among the first 20".into(),
            atrp: "average total rank position: the mean rank over all finished pins, 21 where the business is not among the first 20".into(),
            solv: "share of local voice: the share of finished pins, from 0 to 1, where the business is among the first three".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    //! Figures of a few pins, counted by hand.

    use super::*;

    #[test]
    fn figures_are_as_defined_and_failed_or_open_pins_count_for_nothing() {
        let figures = Figures::of([1, 3, 4, 20, MISSING, FAILED, OPEN].into_iter());
        assert_eq!((figures.pins_done, figures.found_pins, figures.failed_pins), (5, 4, 1));
        assert_eq!((figures.arp, figures.atrp, figures.solv), (Some(7.0), Some(9.8), Some(0.4)));
        let nowhere = Figures::of([MISSING, MISSING].into_iter());
        assert_eq!((nowhere.arp, nowhere.atrp, nowhere.solv), (None, Some(21.0), Some(0.0)));
        assert_eq!(Figures::of([FAILED].into_iter()).solv, None);
    }

    #[test]
    fn a_rank_beyond_twenty_counts_as_not_found() {
        assert_eq!((placed(Some(20)), placed(Some(21)), placed(Some(99)), placed(None)), (20, 21, 21, 21));
    }
}
