//! The table of ranking updates (`kit::updates`) with the days of this module's events.

use kit::updates::Civil;
use sdk::prelude::*;

pub(super) use kit::updates::{SOURCE, UPDATES, Update};

/// The first and the last day of an update's rollout.
pub(super) fn rollout(update: &Update) -> (Day, Day) {
    let day = |(year, month, day): Civil| {
        Day::from_civil(year, month, day).expect("the table has days of the calendar, which a test reads through")
    };
    (day(update.first), day(update.last))
}

/// Whether the rollout of an update and a period have a day in common.
pub(super) fn touches(update: &Update, from: Option<Day>, to: Option<Day>) -> bool {
    let (first, last) = rollout(update);
    from.is_none_or(|from| last >= from) && to.is_none_or(|to| first <= to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_update_ends_within_two_months() {
        for it in UPDATES {
            let (first, last) = rollout(it);
            let days = last.since_epoch() - first.since_epoch();
            assert!((0..62).contains(&days), "{} lasts {days} days", it.title);
        }
    }

    #[test]
    fn an_update_touches_every_period_that_its_rollout_reaches_into() {
        let of = |text: &str| Some(text.parse::<Day>().expect("a day"));
        let update = &UPDATES[0];
        assert!(touches(update, of("2020-05-18"), None) && !touches(update, of("2020-05-19"), None));
        assert!(touches(update, None, of("2020-05-04")) && !touches(update, None, of("2020-05-03")));
        assert!(touches(update, of("2020-05-10"), of("2020-05-10")));
    }
}
