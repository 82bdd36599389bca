//! The hours in which people are asked: daytime where they live.

use sdk::prelude::*;

/// Minutes of an hour.
const HOUR: i64 = 60;

/// Standard time of countries in minutes from UTC, by ISO 3166-1 alpha-2: where one has several, that of most people
/// (IANA time zone database 2026a). Summer time moves the window by an hour, which it has room for.
const STANDARD: [(&str, i64); 48] = [
    ("AE", 240),
    ("AR", -180),
    ("AT", 60),
    ("AU", 600),
    ("BE", 60),
    ("BG", 120),
    ("BR", -180),
    ("CA", -300),
    ("CH", 60),
    ("CL", -240),
    ("CN", 480),
    ("CO", -300),
    ("CZ", 60),
    ("DE", 60),
    ("DK", 60),
    ("EE", 120),
    ("EG", 120),
    ("ES", 60),
    ("FI", 120),
    ("FR", 60),
    ("GB", 0),
    ("GR", 120),
    ("HK", 480),
    ("HR", 60),
    ("HU", 60),
    ("ID", 420),
    ("IE", 0),
    ("IL", 120),
    ("IN", 330),
    ("IT", 60),
    ("JP", 540),
    ("KR", 540),
    ("MX", -360),
    ("NL", 60),
    ("NO", 60),
    ("NZ", 720),
    ("PH", 480),
    ("PL", 60),
    ("PT", 0),
    ("RO", 120),
    ("SE", 60),
    ("SG", 480),
    ("SK", 60),
    ("TR", 180),
    ("UA", 120),
    ("US", -360),
    ("VN", 420),
    ("ZA", 120),
];

/// A window of each day, in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hours {
    /// Minutes after midnight UTC at which it opens; can be before 0 or after 1,440 for people far away.
    opens: i64,
    /// How long it is open, in minutes.
    length: i64,
}

impl Hours {
    /// From 9 to 19 o'clock, standard time, in a country; in UTC where the country is not known.
    #[must_use]
    pub fn of(country: Option<&str>) -> Self {
        let known = country.and_then(|code| STANDARD.iter().find(|(it, _)| it.eq_ignore_ascii_case(code)));
        let offset = known.map_or(0, |(_, minutes)| *minutes);
        Self { opens: 9 * HOUR - offset, length: 10 * HOUR }
    }

    /// The first moment of the window of a day, as that day is counted where the people live.
    #[must_use]
    pub fn opens(self, day: Day) -> Moment {
        let minutes = i64::from(day.since_epoch()) * 24 * HOUR + self.opens;
        Moment::from_millis(u64::try_from(minutes * 60_000).unwrap_or(0))
    }

    /// The day whose window is open at this moment, if one is.
    #[must_use]
    pub fn open_at(self, moment: Moment) -> Option<Day> {
        let around = moment.day();
        [-1, 0, 1]
            .into_iter()
            .map(|days| around.plus(days))
            .find(|day| self.opens(*day) <= moment && moment < self.closes(*day))
    }

    /// The first day whose window opens after this moment.
    #[must_use]
    pub fn next(self, moment: Moment) -> Day {
        let mut day = moment.day().plus(-1);
        while self.opens(day) <= moment {
            day = day.plus(1);
        }
        day
    }

    /// Milliseconds for which it is open.
    #[must_use]
    pub const fn length(self) -> u64 {
        self.length.unsigned_abs() * 60_000
    }

    /// The end of the window of a day.
    #[must_use]
    pub fn closes(self, day: Day) -> Moment {
        self.opens(day).plus(self.length())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_in_tokyo_are_asked_while_europe_sleeps() {
        let day = Day::from_civil(2026, 11, 23).unwrap();
        let hours = |country| Hours::of(Some(country)).opens(day).since(Moment::from_millis(0)) / 3_600_000 % 24;
        assert_eq!((hours("JP"), hours("DE"), hours("GB"), hours("US")), (0, 8, 9, 15));
        assert_eq!(Hours::of(Some("in")).opens(day).millis() / 60_000 % 1_440, 210);
        assert_eq!(Hours::of(None), Hours::of(Some("GB")));
        assert_eq!(Hours::of(None).closes(day).since(Hours::of(None).opens(day)), 36_000_000);
    }

    #[test]
    fn a_moment_is_in_the_window_of_one_day_or_waits_for_the_next() {
        let day = Day::from_civil(2026, 11, 23).unwrap();
        for country in ["NZ", "DE", "US"] {
            let hours = Hours::of(Some(country));
            let noon = hours.opens(day).plus(3 * 3_600_000);
            assert_eq!((hours.open_at(noon), hours.next(noon)), (Some(day), day.plus(1)), "{country}");
            assert_eq!((hours.open_at(hours.closes(day)), hours.next(hours.closes(day))), (None, day.plus(1)));
        }
    }

    #[test]
    fn the_table_is_sorted_and_says_each_country_once() {
        assert!(STANDARD.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
