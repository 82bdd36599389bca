//! Dates of feeds: RFC 822 with its zones, RFC 3339 and W3C Datetime, and what is near them.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

/// Zones by name (RFC 822, section 5.1), in hours.
const ZONES: [(&str, i64); 12] = [
    ("UT", 0),
    ("GMT", 0),
    ("UTC", 0),
    ("Z", 0),
    ("EST", -5),
    ("EDT", -4),
    ("CST", -6),
    ("CDT", -5),
    ("MST", -7),
    ("MDT", -6),
    ("PST", -8),
    ("PDT", -7),
];
const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Seconds since 1970; none for what is no date. A time without a zone is of UTC.
pub(crate) fn seconds(text: &str) -> Option<i64> {
    let text = text.trim();
    let is_iso = text.get(..4).is_some_and(|it| it.bytes().all(|it| it.is_ascii_digit()));
    if is_iso { iso(text) } else { mail(text) }
}

/// W3C Datetime: a year, month or day, or a moment with a zone.
fn iso(text: &str) -> Option<i64> {
    let day = text.get(..10).filter(|it| it.as_bytes()[4] == b'-');
    let Some(day) = day else {
        let mut parts = text.split('-');
        let year: i16 = parts.next()?.get(..4)?.parse().ok()?;
        let month: i8 = parts.next().map_or(Some(1), |it| it.parse().ok())?;
        return utc(Date::new(year, month, 1).ok()?.at(0, 0, 0, 0), 0);
    };
    let date: Date = day.parse().ok()?;
    let rest = text[10..].trim_start_matches(['T', 't', ' ']);
    if rest.is_empty() {
        return utc(date.at(0, 0, 0, 0), 0);
    }
    let zone = rest.find(['Z', 'z', '+', '-']).unwrap_or(rest.len());
    let (hour, minute, second) = clock(&rest[..zone])?;
    utc(date.at(hour, minute, second, 0), offset(&rest[zone..])?)
}

/// RFC 822 and RFC 2822, with or without the day of the week, years of two digits, and names of months in full.
fn mail(text: &str) -> Option<i64> {
    let text = text.split_once(',').map_or(text, |it| it.1).replace('-', " ");
    let mut parts: Vec<&str> = text.split_whitespace().collect();
    if parts.first().is_some_and(|it| it.chars().all(char::is_alphabetic)) && parts.len() > 3 {
        parts.remove(0);
    }
    let [day, month, year, rest @ ..] = parts.as_slice() else { return None };
    let day: i8 = day.parse().ok()?;
    let month = MONTHS.iter().position(|it| month.to_lowercase().starts_with(it))?;
    let year: i16 = year.parse().ok()?;
    let year = match year {
        0..=89 => year + 2_000,
        90..=99 => year + 1_900,
        _ => year,
    };
    let date = Date::new(year, i8::try_from(month).ok()? + 1, day).ok()?;
    let (hour, minute, second) = rest.first().map_or(Some((0, 0, 0)), |it| clock(it))?;
    // The dash before an offset was taken for one between words.
    let zone = rest.get(1).map_or(String::new(), |it| {
        let is_bare = it.len() == 4 && it.bytes().all(|it| it.is_ascii_digit());
        if is_bare { format!("-{it}") } else { (*it).to_owned() }
    });
    utc(date.at(hour, minute, second, 0), offset(&zone)?)
}

fn clock(text: &str) -> Option<(i8, i8, i8)> {
    let mut parts = text.split(':');
    let mut next = |is_needed: bool| match parts.next() {
        Some(it) => it.split('.').next()?.trim().parse::<i8>().ok(),
        None if is_needed => None,
        None => Some(0),
    };
    let (hour, minute, second) = (next(true)?, next(true)?, next(false)?);
    Some((hour, minute, second.min(59)))
}

/// Seconds of a zone: a name, or hours and minutes.
fn offset(zone: &str) -> Option<i64> {
    if zone.is_empty() {
        return Some(0);
    }
    if let Some((_, hours)) = ZONES.iter().find(|it| it.0.eq_ignore_ascii_case(zone)) {
        return Some(hours * 3_600);
    }
    let sign = if zone.starts_with('-') { -1 } else { 1 };
    let digits: String = zone.chars().filter(char::is_ascii_digit).collect();
    let (hours, minutes) =
        (digits.get(..2)?.parse::<i64>().ok()?, digits.get(2..4).map_or(Some(0), |it| it.parse().ok())?);
    Some(sign * (hours * 3_600 + minutes * 60))
}

fn utc(at: DateTime, offset: i64) -> Option<i64> {
    Some(at.to_zoned(TimeZone::UTC).ok()?.timestamp().as_second() - offset)
}
