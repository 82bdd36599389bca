//! Ranking updates of Google Search that Google announced, with the days of their rollout.
//!
//! Source: the incident history "Ranking" of Google's Search Status Dashboard, which names the beginning and the end of
//! each rollout in Pacific time; updates of 2020 and 2021 from the announcements of @searchliaison that the dashboard's
//! history goes back to. As known at the end of 2025; updates whose days sources tell differently are left out.

/// Where the history can be read.
pub const SOURCE: &str = "https://status.search.google.com/products/rGHU1u87FJnkP6W2GwMi/history";

/// A day as year, month and day.
pub type Civil = (i32, u32, u32);

/// One update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Update {
    /// As Google calls it.
    pub title: &'static str,
    /// The first day of its rollout.
    pub first: Civil,
    /// The last day of its rollout.
    pub last: Civil,
}

const fn update(title: &'static str, first: Civil, last: Civil) -> Update {
    Update { title, first, last }
}

/// The updates, in the order of their beginning.
pub const UPDATES: &[Update] = &[
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
    use super::UPDATES;

    #[test]
    fn updates_are_in_order_and_named_after_the_year_of_their_beginning() {
        assert!(UPDATES.windows(2).all(|pair| pair[0].first <= pair[1].first));
        for (number, it) in UPDATES.iter().enumerate() {
            assert!(it.first <= it.last && it.title.contains(&it.first.0.to_string()), "{}", it.title);
            assert!(!UPDATES[..number].iter().any(|other| other.title == it.title), "{} is there twice", it.title);
        }
    }
}
