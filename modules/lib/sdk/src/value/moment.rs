//! Moments in time.

use std::str::FromStr;

use schemars::json_schema;

use super::{Day, string_value};

const DAY: u64 = 86_400_000;

/// A moment to the millisecond, written in UTC as RFC 3339: `2026-09-28T07:30:00.000Z`. As text it sorts as time does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(u64);

impl Moment {
    /// Milliseconds since 1970 UTC.
    pub const fn from_millis(milliseconds: u64) -> Self {
        Self(milliseconds)
    }

    /// Milliseconds since 1970 UTC.
    pub const fn millis(self) -> u64 {
        self.0
    }

    /// Its day in UTC.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the quotient of any u64 by a day of milliseconds that a host's clock gives fits"
    )]
    pub const fn day(self) -> Day {
        Day::from_epoch((self.0 / DAY) as i32)
    }

    /// This many milliseconds later.
    #[must_use]
    pub const fn plus(self, milliseconds: u64) -> Self {
        Self(self.0 + milliseconds)
    }

    /// Milliseconds from an earlier moment to this one; none when it is later.
    pub const fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }

    fn to_text(self) -> String {
        let rest = self.0 % DAY;
        let (hours, minutes) = (rest / 3_600_000, rest / 60_000 % 60);
        let (seconds, milliseconds) = (rest / 1_000 % 60, rest % 1_000);
        format!("{}T{hours:02}:{minutes:02}:{seconds:02}.{milliseconds:03}Z", self.day())
    }
}

/// Reads what `Moment` itself writes, with or without the milliseconds, always in UTC.
impl FromStr for Moment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        read(text).ok_or_else(|| "must be a moment in UTC such as 2026-09-28T07:30:00Z".to_owned())
    }
}

fn read(text: &str) -> Option<Moment> {
    let (day, time) = text.split_once('T')?;
    let day: Day = day.parse().ok()?;
    let time = time.strip_suffix('Z')?;
    let (time, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let digits = |text: &str| text.bytes().all(|it| it.is_ascii_digit());
    let shaped =
        time.len() == 8 && time.split(':').all(digits) && (1..=9).contains(&fraction.len()) && digits(fraction);
    if !shaped {
        return None;
    }
    let mut parts = time.split(':').map(|it| it.parse::<u64>().ok());
    let (hours, minutes, seconds) = (parts.next()??, parts.next()??, parts.next()??);
    let milliseconds: u64 = format!("{fraction:0<3}")[..3].parse().ok()?;
    let within = hours < 24 && minutes < 60 && seconds < 60 && parts.next().is_none();
    let days = u64::try_from(day.since_epoch()).ok()?;
    within.then(|| Moment(days * DAY + hours * 3_600_000 + minutes * 60_000 + seconds * 1_000 + milliseconds))
}

string_value!(Moment, json_schema!({ "type": "string", "format": "date-time" }));
