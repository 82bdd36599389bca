//! Ranking updates of Google Search that Google announced, with the days of their rollout.
//!
//! Source: the incident history "Ranking" of Google's Search Status Dashboard, which names the beginning and the end of
//! each rollout in Pacific time; updates of 2020 and 2021 from the announcements of @searchliaison that the dashboard's
//! history goes back to. As known at the end of 2025; updates whose days sources tell differently are left out.

use sdk::prelude::*;

/// Where the history can be read.
pub(super) const SOURCE: &str = "https://status.search.google.com/products/rGHU1u87FJnkP6W2GwMi/history";

/// One update.
pub(super) struct Update {
    /// As Google calls it.
    pub(super) title: &'static str,
    /// Year, month and day: the first and the last of the rollout.
    days: [(i32, u32, u32); 2],
}

impl Update {
    /// The first day of its rollout.
    pub(super) fn start(&self) -> Day {
        day(self.days[0])
    }

    /// The last day of its rollout.
    pub(super) fn end(&self) -> Day {
        day(self.days[1])
    }

    /// Whether its rollout and a period have a day in common.
    pub(super) fn touches(&self, from: Option<Day>, to: Option<Day>) -> bool {
        from.is_none_or(|from| self.end() >= from) && to.is_none_or(|to| self.start() <= to)
    }
}

fn day((year, month, day): (i32, u32, u32)) -> Day {
    Day::from_civil(year, month, day).expect("the table has days of the calendar, which a test reads through")
}

const fn update(title: &'static str, start: (i32, u32, u32), end: (i32, u32, u32)) -> Update {
    Update { title, days: [start, end] }
}

/// The updates, in the order of their beginning.
pub(super) const UPDATES: &[Update] = &[
    update("May 2020 core update", (2020, 5, 4), (2020, 5, 18)),
    update("December 2020 core update", (2020, 12, 3), (2020, 12, 16)),
    update("April 2021 product reviews update", (2021, 4, 8), (2021, 4, 22)),
    update("June 2021 core update", (2021, 6, 2), (2021, 6, 12)),
    update("July 2021 core update", (2021, 7, 1), (2021, 7, 12)),
    update("July 2021 link spam update", (2021, 7, 26), (2021, 8, 24)),
    update("November 2021 spam update", (2021, 11, 3), (2021, 11, 11)),
    update("November 2021 core update", (2021, 11, 17), (2021, 11, 30)),
    update("December 2021 product reviews update", (2021, 12, 1), (2021, 12, 21)),
    update("March 2022 product reviews update", (2022, 3, 23), (2022, 4, 11)),
    update("May 2022 core update", (2022, 5, 25), (2022, 6, 9)),
    update("July 2022 product reviews update", (2022, 7, 27), (2022, 8, 2)),
    update("August 2022 helpful content update", (2022, 8, 25), (2022, 9, 9)),
    update("September 2022 core update", (2022, 9, 12), (2022, 9, 26)),
    update("September 2022 product reviews update", (2022, 9, 20), (2022, 9, 26)),
    update("October 2022 spam update", (2022, 10, 19), (2022, 10, 21)),
    update("December 2022 link spam update", (2022, 12, 14), (2023, 1, 12)),
    update("February 2023 product reviews update", (2023, 2, 21), (2023, 3, 7)),
    update("March 2023 core update", (2023, 3, 15), (2023, 3, 28)),
    update("April 2023 reviews update", (2023, 4, 12), (2023, 4, 25)),
    update("August 2023 core update", (2023, 8, 22), (2023, 9, 7)),
    update("September 2023 helpful content update", (2023, 9, 14), (2023, 9, 28)),
    update("October 2023 spam update", (2023, 10, 4), (2023, 10, 20)),
    update("October 2023 core update", (2023, 10, 5), (2023, 10, 19)),
    update("November 2023 core update", (2023, 11, 2), (2023, 11, 28)),
    update("November 2023 reviews update", (2023, 11, 8), (2023, 12, 7)),
    update("March 2024 core update", (2024, 3, 5), (2024, 4, 19)),
    update("March 2024 spam update", (2024, 3, 5), (2024, 3, 20)),
    update("June 2024 spam update", (2024, 6, 20), (2024, 6, 27)),
    update("August 2024 core update", (2024, 8, 15), (2024, 9, 3)),
    update("November 2024 core update", (2024, 11, 11), (2024, 12, 5)),
    update("December 2024 core update", (2024, 12, 12), (2024, 12, 18)),
    update("December 2024 spam update", (2024, 12, 19), (2024, 12, 26)),
    update("March 2025 core update", (2025, 3, 13), (2025, 3, 27)),
    update("June 2025 core update", (2025, 6, 30), (2025, 7, 17)),
    update("August 2025 spam update", (2025, 8, 26), (2025, 9, 22)),
    update("December 2025 core update", (2025, 12, 11), (2025, 12, 29)),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn updates_stand_in_order_once_each_and_end_within_two_months() {
        for pair in UPDATES.windows(2) {
            assert!(pair[0].start() <= pair[1].start(), "{} before {}", pair[0].title, pair[1].title);
        }
        for (number, it) in UPDATES.iter().enumerate() {
            let lasts = it.end().since_epoch() - it.start().since_epoch();
            assert!((0..62).contains(&lasts), "{} lasts {lasts} days", it.title);
            assert!(!UPDATES[..number].iter().any(|other| other.title == it.title), "{} stands twice", it.title);
            let year = it.start().to_string()[..4].to_owned();
            assert!(it.title.contains(&year), "{} does not begin in {year}", it.title);
        }
    }

    #[test]
    fn an_update_touches_every_period_that_its_rollout_reaches_into() {
        let of = |text: &str| Some(text.parse::<Day>().expect("a day"));
        let update = &UPDATES[0];
        assert!(update.touches(of("2020-05-18"), None) && !update.touches(of("2020-05-19"), None));
        assert!(update.touches(None, of("2020-05-04")) && !update.touches(None, of("2020-05-03")));
        assert!(update.touches(of("2020-05-10"), of("2020-05-10")));
    }
}
