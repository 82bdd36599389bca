//! Dates of sitemaps: W3C Datetime (www.w3.org/TR/NOTE-datetime), and where XML Schema differs from it.

use sdk::prelude::*;

/// A date that a sitemap gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Date {
    /// Milliseconds since 1970 UTC of its beginning; dates without a time begin at midnight UTC.
    pub(crate) millis: i64,
    /// Whether it has a time of day.
    pub(crate) exact: bool,
    /// Whether W3C Datetime knows this form.
    pub(crate) w3c: bool,
    /// Whether it is an `xsd:date` or `xsd:dateTime`, which is what the schema of sitemaps.org asks for.
    pub(crate) schema: bool,
}

/// Reads a date in any of both forms; none for what neither knows.
pub(crate) fn read(text: &str) -> Option<Date> {
    let (day, time) = text.split_once('T').map_or((text, None), |(day, time)| (day, Some(time)));
    let Some(time) = time else { return day_only(day) };
    let (time, minutes) = zone(time);
    let parts: Vec<&str> = time.split(':').collect();
    let (clock, fraction) = match parts.as_slice() {
        [_, _] => (parts.clone(), None),
        [hour, minute, second] => {
            let (second, fraction) = second.split_once('.').map_or((*second, None), |(a, b)| (a, Some(b)));
            (vec![*hour, *minute, second], fraction)
        }
        _ => return None,
    };
    let numbers: Option<Vec<i64>> = clock.iter().map(|it| two(it)).collect();
    let numbers = numbers?;
    let (hour, minute, second) = (numbers[0], numbers[1], numbers.get(2).copied().unwrap_or(0));
    let midnight = (hour, minute, second) == (24, 0, 0);
    if (hour > 23 && !midnight) || minute > 59 || second > 59 {
        return None;
    }
    let digits = |it: &str| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit());
    if fraction.is_some_and(|it| !digits(it)) {
        return None;
    }
    let seconds = numbers.len() == 3;
    let offset = match minutes {
        Zone::None => 0,
        Zone::Minutes(it) => it,
        Zone::Wrong => return None,
    };
    let millis = days(day)? * 86_400_000 + ((hour * 60 + minute - offset) * 60 + second) * 1_000;
    let zoned = minutes != Zone::None;
    // Without seconds only W3C Datetime knows it; without a zone only XML Schema does.
    (zoned || seconds).then_some(Date { millis, exact: true, w3c: zoned && !midnight, schema: seconds })
}

/// A year, a month, or a day; XML Schema knows the last only, and lets a zone follow.
fn day_only(text: &str) -> Option<Date> {
    let (bare, zone) = if text.len() > 10 { zone(text) } else { (text.strip_suffix('Z').unwrap_or(text), Zone::None) };
    if zone == Zone::Wrong {
        return None;
    }
    let padded = match bare.len() {
        4 => format!("{bare}-01-01"),
        7 => format!("{bare}-01"),
        _ => bare.to_owned(),
    };
    let (whole, plain) = (bare.len() == 10, bare.len() == text.len());
    (whole || plain).then_some(())?;
    Some(Date { millis: days(&padded)? * 86_400_000, exact: false, w3c: plain, schema: whole })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Zone {
    None,
    Minutes(i64),
    Wrong,
}

/// Splits `Z`, `+hh:mm` or `-hh:mm` off the end.
fn zone(text: &str) -> (&str, Zone) {
    if let Some(bare) = text.strip_suffix('Z') {
        return (bare, Zone::Minutes(0));
    }
    let Some(at) = text.len().checked_sub(6).filter(|at| text.is_char_boundary(*at)) else { return (text, Zone::None) };
    let (bare, zone) = text.split_at(at);
    let sign = match zone.as_bytes()[0] {
        b'+' => 1,
        b'-' => -1,
        _ => return (text, Zone::None),
    };
    let parts = zone[1..].split_once(':').and_then(|(hour, minute)| Some((two(hour)?, two(minute)?)));
    match parts {
        // XML Schema part 2, section 3.2.7.3: at most 14:00.
        Some((hour, minute)) if minute < 60 && (hour < 14 || (hour, minute) == (14, 0)) => {
            (bare, Zone::Minutes(sign * (hour * 60 + minute)))
        }
        _ => (bare, Zone::Wrong),
    }
}

fn two(text: &str) -> Option<i64> {
    (text.len() == 2 && text.bytes().all(|it| it.is_ascii_digit())).then(|| text.parse().ok())?
}

fn days(text: &str) -> Option<i64> {
    // XML Schema 1.0 has no year 0000.
    let day: Day = text.parse().ok()?;
    (!text.starts_with("0000")).then_some(i64::from(day.since_epoch()))
}

#[cfg(test)]
mod tests {
    //! Dates that both forms know, that one knows, and that none does.

    use super::read;

    #[test]
    fn dates_are_told_apart_by_the_form_that_knows_them() {
        for (text, w3c, schema) in [
            ("2026-01-05", true, true),
            ("2026-01", true, false),
            ("2026", true, false),
            ("2026-01-05Z", false, true),
            ("2026-01-05+01:00", false, true),
            ("2026-01-05T10:20:30Z", true, true),
            ("2026-01-05T10:20:30.45+02:00", true, true),
            ("2026-01-05T10:20+02:00", true, false),
            ("2026-01-05T10:20:30", false, true),
            ("2026-01-05T24:00:00Z", false, true),
        ] {
            let date = read(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((date.w3c, date.schema), (w3c, schema), "{text}");
        }
        for text in [
            "",
            "yesterday",
            "2026-02-30",
            "2026-1-5",
            "05.01.2026",
            "2026-01-05 10:20",
            "2026-01-05T25:00:00Z",
            "2026-01-05T10:20",
            "2026-01-05T10:20:30+15:00",
            "2026-01-05T10:20:30.Z",
            "0000-01-01",
            "2026Z",
            "2026-01Z",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read("1970-01-02T01:00:00+01:00").map(|it| it.millis), Some(86_400_000));
    }
}
