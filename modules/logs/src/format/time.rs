//! Times of log lines.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use super::line::digits;

/// 1995-01-01: older than any log.
const EARLIEST: i64 = 788_918_400;
const MONTHS: [&[u8]; 12] =
    [b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov", b"dec"];

/// Reads times: with an offset as they are, without one in the time zone of the source.
#[derive(Debug, Clone)]
pub(crate) struct Clock {
    zone: Option<TimeZone>,
    latest: i64,
    /// The local hour that was asked for last, and its offset in seconds.
    known: Option<(i64, i64)>,
}

impl Clock {
    /// For a zone by its name of the IANA; UTC without one. `now` is the second that it is: nothing is logged after tomorrow.
    pub(crate) fn new(zone: Option<&str>, now: i64) -> Self {
        let zone = zone.filter(|it| *it != "UTC").and_then(|it| TimeZone::get(it).ok());
        Self { zone, latest: now + 86_400, known: None }
    }

    /// Seconds since 1970 UTC; `None` for what is no time from 1995 to tomorrow.
    pub(crate) fn read(&mut self, text: &[u8]) -> Option<i64> {
        let text = text.trim_ascii();
        let text = text.strip_prefix(b"[").and_then(|it| it.strip_suffix(b"]")).unwrap_or(text);
        let second = match text.iter().position(|it| matches!(it, b'/' | b'-' | b'T' | b' ')) {
            Some(2) => self.of_logs(text),
            Some(4) => self.iso(text),
            None => epoch(text),
            _ => None,
        }?;
        (EARLIEST..=self.latest).contains(&second).then_some(second)
    }

    /// `10/Oct/2000:13:55:36 -0700`.
    fn of_logs(&mut self, text: &[u8]) -> Option<i64> {
        let (day, year) = (number(text, 0, 2)?, number(text, 7, 4)?);
        let name = text.get(3..6)?.to_ascii_lowercase();
        let month = MONTHS.iter().position(|it| *it == name.as_slice())? as i64 + 1;
        let (hour, minute, second) = (number(text, 12, 2)?, number(text, 15, 2)?, number(text, 18, 2)?);
        let local = civil(year, month, day, hour, minute, second)?;
        self.at(local, text.get(20..).unwrap_or_default())
    }

    /// `2026-09-01T10:20:30.123Z`, also with a space, without an offset, or with `/` between the parts of the day.
    fn iso(&mut self, text: &[u8]) -> Option<i64> {
        let (year, month, day) = (number(text, 0, 4)?, number(text, 5, 2)?, number(text, 8, 2)?);
        if !matches!(text.get(10)?, b'T' | b' ' | b't' | b'_') {
            return None;
        }
        let (hour, minute, second) = (number(text, 11, 2)?, number(text, 14, 2)?, number(text, 17, 2)?);
        let local = civil(year, month, day, hour, minute, second)?;
        let rest = text.get(19..).unwrap_or_default();
        let end = match rest.first() {
            Some(b'.' | b',') => {
                rest.iter().skip(1).position(|it| !it.is_ascii_digit()).map_or(rest.len(), |it| it + 1)
            }
            _ => 0,
        };
        self.at(local, &rest[end..])
    }

    /// A local second with what follows it: an offset, `Z`, or nothing.
    fn at(&mut self, local: i64, rest: &[u8]) -> Option<i64> {
        let rest = rest.trim_ascii();
        match rest.first() {
            None => Some(local - self.offset(local)?),
            Some(b'Z' | b'z') => Some(local),
            Some(sign @ (b'+' | b'-')) => {
                let minutes = if rest.get(3) == Some(&b':') { 4 } else { 3 };
                let offset = number(rest, 1, 2)? * 3_600 + number(rest, minutes, 2).unwrap_or(0) * 60;
                Some(if *sign == b'+' { local - offset } else { local + offset })
            }
            Some(_) if rest.eq_ignore_ascii_case(b"utc") || rest.eq_ignore_ascii_case(b"gmt") => Some(local),
            Some(_) => None,
        }
    }

    /// The offset of a local time. One that does not exist, or stands twice, is the earlier one.
    fn offset(&mut self, local: i64) -> Option<i64> {
        let Some(zone) = &self.zone else { return Some(0) };
        let quarter = local.div_euclid(900);
        if let Some((known, offset)) = self.known.filter(|it| it.0 == quarter) {
            debug_assert_eq!(known, quarter, "offsets change at quarters of an hour");
            return Some(offset);
        }
        let civil = DateTime::from_parts(
            jiff::civil::Date::new(1970, 1, 1)
                .ok()?
                .checked_add(jiff::Span::new().days(local.div_euclid(86_400)))
                .ok()?,
            jiff::civil::Time::midnight().checked_add(jiff::Span::new().seconds(local.rem_euclid(86_400))).ok()?,
        );
        let at = zone.to_ambiguous_timestamp(civil).earlier().ok()?;
        let offset = local - at.as_second();
        self.known = Some((quarter, offset));
        Some(offset)
    }
}

/// Two or four digits.
fn number(text: &[u8], from: usize, length: usize) -> Option<i64> {
    digits(text.get(from..from + length)?).and_then(|it| i64::try_from(it).ok())
}

/// Seconds since 1970 of a day and a time in the calendar.
fn civil(year: i64, month: i64, day: i64, hour: i64, minute: i64, second: i64) -> Option<i64> {
    let valid = (1..=12).contains(&month) && (1..=31).contains(&day) && hour < 24 && minute < 60 && second <= 60;
    if !valid || day > days_of(year, month) {
        return None;
    }
    // Counted from March, so that the day that some years have more stands at the end.
    let (year, month) = if month < 3 { (year - 1, month + 9) } else { (year, month - 3) };
    let era = year.div_euclid(400);
    let of_era = year - era * 400;
    let of_year = (153 * month + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    Some(days * 86_400 + hour * 3_600 + minute * 60 + second)
}

fn days_of(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Seconds, milliseconds, microseconds or nanoseconds since 1970, by size; also with a fraction.
fn epoch(text: &[u8]) -> Option<i64> {
    let whole = text.split(|it| *it == b'.').next().unwrap_or_default();
    let value = i64::try_from(digits(whole).or_else(|| std::str::from_utf8(whole).ok()?.parse().ok())?).ok()?;
    Some(match value {
        0..100_000_000_000 => value,
        100_000_000_000..100_000_000_000_000 => value / 1_000,
        100_000_000_000_000..100_000_000_000_000_000 => value / 1_000_000,
        _ => value / 1_000_000_000,
    })
}
