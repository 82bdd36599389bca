//! Days of the calendar, in UTC.

use std::str::FromStr;

use schemars::json_schema;

use super::string_value;

/// A day, written `2026-09-28`. Years 0000 to 9999, proleptic Gregorian.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(i32);

impl Day {
    /// The day this many days after 1970-01-01.
    pub const fn from_epoch(days: i32) -> Self {
        Self(days)
    }

    /// Days since 1970-01-01.
    pub const fn since_epoch(self) -> i32 {
        self.0
    }

    /// The day this many days later, or earlier when negative.
    #[must_use]
    pub const fn plus(self, days: i32) -> Self {
        Self(self.0 + days)
    }

    /// Year, month from 1, day from 1.
    /// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
    pub const fn civil(self) -> (i32, u32, u32) {
        let shifted = self.0 + 719_468;
        let era = shifted.div_euclid(146_097);
        let of_era = shifted.rem_euclid(146_097);
        let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let from_march = (5 * of_year + 2) / 153;
        let day = of_year - (153 * from_march + 2) / 5 + 1;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
        (year + era * 400 + (month <= 2) as i32, month as u32, day as u32)
    }

    /// The day of a year, month and day; none when the calendar has no such day. `days_from_civil` of the same source.
    pub fn from_civil(year: i32, month: u32, day: u32) -> Option<Self> {
        if !(0..=9_999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
            return None;
        }
        let (month_signed, day_signed) = (i32::try_from(month).ok()?, i32::try_from(day).ok()?);
        let shifted = year - i32::from(month <= 2);
        let era = shifted.div_euclid(400);
        let of_era = shifted.rem_euclid(400);
        let from_march = (month_signed + 9) % 12;
        let of_year = (153 * from_march + 2) / 5 + day_signed - 1;
        let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
        let made = Self(days);
        (made.civil() == (year, month, day)).then_some(made)
    }

    fn to_text(self) -> String {
        let (year, month, day) = self.civil();
        format!("{year:04}-{month:02}-{day:02}")
    }
}

impl FromStr for Day {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |from: usize, to: usize| {
            text.get(from..to).filter(|it| it.bytes().all(|it| it.is_ascii_digit()))?.parse().ok()
        };
        let shaped = text.len() == 10 && text.as_bytes()[4] == b'-' && text.as_bytes()[7] == b'-';
        let parts = if shaped { number(0, 4).zip(number(5, 7)).zip(number(8, 10)) } else { None };
        parts
            .and_then(|((year, month), day)| Self::from_civil(i32::try_from(year).ok()?, month, day))
            .ok_or_else(|| "must be a day such as 2026-09-28".to_owned())
    }
}

string_value!(Day, json_schema!({ "type": "string", "format": "date", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" }));
