//! Known faults of the figures of Google Search Console, with their days.
//!
//! As known on [`KNOWN_ON`]; a test fails when that is more than 180 days ago. Days are those of Search Console, in Pacific
//! time.

/// The day on which the table was compared with its sources, as year, month and day.
pub const KNOWN_ON: (i32, u32, u32) = (2026, 11, 28);

/// A figure of Search Console.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Metric {
    /// Clicks.
    Clicks,
    /// Impressions.
    Impressions,
    /// Clicks per impression.
    ClickRate,
    /// The mean position.
    Position,
}

/// A fault.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anomaly {
    /// Its first day, as year, month and day.
    pub first: (i32, u32, u32),
    /// Its last day. Figures on the two sides of either border cannot be compared.
    pub last: (i32, u32, u32),
    /// The figures that are wrong.
    pub metrics: &'static [Metric],
    /// What happened, for a person.
    pub what: &'static str,
    /// Where it is documented.
    pub source: &'static str,
}

/// The faults, in the order of their first day.
pub const ANOMALIES: [Anomaly; 2] = [
    Anomaly {
        first: (2025, 5, 13),
        last: (2026, 4, 27),
        metrics: &[Metric::Impressions, Metric::ClickRate, Metric::Position],
        what: "Search Console counted too many impressions until Google corrected it; clicks are right.",
        source: "https://support.google.com/webmasters/answer/6211453",
    },
    Anomaly {
        // Result pages of 100 were switched off over several days in the middle of September.
        first: (2025, 9, 10),
        last: (2025, 9, 18),
        metrics: &[Metric::Impressions, Metric::ClickRate, Metric::Position],
        what: "Google switched result pages of 100 off, so impressions of low positions disappeared, on desktops most; clicks are right.",
        source: "https://support.google.com/webmasters/answer/6211453",
    },
];

impl Anomaly {
    /// Whether it makes a figure wrong.
    #[must_use]
    pub fn concerns(&self, metric: Metric) -> bool {
        self.metrics.contains(&metric)
    }
}

#[cfg(test)]
mod tests {
    use std::time::{SystemTime, UNIX_EPOCH};

    use super::{ANOMALIES, KNOWN_ON};

    fn days((year, month, day): (i32, u32, u32)) -> i64 {
        // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`.
        let (year, month, day) = (i64::from(year), i64::from(month), i64::from(day));
        let year = if month <= 2 { year - 1 } else { year };
        let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
        let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
        era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the age of the table is measured by the clock of the machine")]
    fn the_table_was_compared_with_its_sources_within_the_last_180_days() {
        let today = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs() / 86_400;
        let age = i64::try_from(today).expect("a day") - days(KNOWN_ON);
        assert!(age <= 180, "kit/src/anomalies.rs was written {age} days ago: compare it with Google's documentation");
    }

    #[test]
    fn faults_end_after_they_begin_and_are_in_order() {
        assert!(ANOMALIES.iter().all(|it| days(it.first) <= days(it.last) && !it.metrics.is_empty()));
        assert!(ANOMALIES.windows(2).all(|pair| days(pair[0].first) <= days(pair[1].first)));
    }
}
