//! The days of a column: which number is the day is decided by all cells together.

/// `DD/MM` and `MM/DD` fit every value of the column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ambiguous;

/// Beginnings of the names of months, in the languages of exports.
const MONTHS: [&[&str]; 12] = [
    &["jan", "janv", "jän", "ene", "gen", "sty"],
    &["feb", "fév", "fev", "lut"],
    &["mar", "mär", "mrz", "maa", "mrt"],
    &["apr", "avr", "abr", "kwi"],
    &["may", "mai", "mag", "mei", "maj"],
    &["jun", "juin", "giu", "cze"],
    &["jul", "juil", "lug", "lip"],
    &["aug", "août", "aou", "ago", "sie"],
    &["sep", "set", "wrz"],
    &["oct", "okt", "ott", "out", "paź"],
    &["nov", "lis"],
    &["dec", "déc", "dez", "dic", "gru", "des"],
];
/// Seconds since 1970 below which a bare number is no instant: 1990.
const MIN_SECONDS: i64 = 631_152_000;
/// Milliseconds begin where seconds would be in the year 5138.
const MIN_MILLIS: i64 = 100_000_000_000;

/// Three numbers of a date whose order is not known, or a day.
enum Read {
    Day(i32),
    /// First, second and year.
    Two(u32, u32, i32),
    None,
    Wrong,
}

pub(super) fn read(cells: &[&str], day_first: Option<bool>) -> Result<Vec<Result<Option<i32>, ()>>, Ambiguous> {
    let read: Vec<Read> = cells.iter().map(|cell| one(cell)).collect();
    let twos = || read.iter().filter_map(|it| if let Read::Two(a, b, _) = it { Some((*a, *b)) } else { None });
    let first = twos().any(|(a, _)| a > 12);
    let second = twos().any(|(_, b)| b > 12);
    let day_first = match (first, second, day_first) {
        (true, false, _) => true,
        (false, true, _) => false,
        (_, _, Some(given)) => given,
        // Where both numbers are always alike the order does not matter.
        (false, false, None) if twos().all(|(a, b)| a == b) => true,
        (_, _, None) => return Err(Ambiguous),
    };
    let day = |it: Read| match it {
        Read::Day(day) => Ok(Some(day)),
        Read::None => Ok(None),
        Read::Wrong => Err(()),
        Read::Two(a, b, year) => {
            let (day, month) = if day_first { (a, b) } else { (b, a) };
            civil_day(year, month, day).map(Some).ok_or(())
        }
    };
    Ok(read.into_iter().map(day).collect())
}

fn one(cell: &str) -> Read {
    let cell = cell.trim();
    if cell.is_empty() || matches!(cell, "-" | "–" | "—") || cell.eq_ignore_ascii_case("n/a") {
        return Read::None;
    }
    if cell.bytes().all(|it| it.is_ascii_digit()) && cell.len() >= 8 {
        return stamp(cell);
    }
    // What follows is a time; the day is that of the text, which exports write in UTC.
    let date = cell.split(['T']).next().unwrap_or(cell).trim_end_matches(',');
    let parts: Vec<&str> = date.split([' ', '/', '-', '.', ',']).filter(|it| !it.is_empty()).collect();
    let number = |text: &str| text.parse::<u32>().ok();
    let year = |text: &str| text.parse::<i32>().ok().filter(|it| text.len() == 4 && (1990..=2200).contains(it));
    let day = |year: i32, month: u32, day: u32| civil_day(year, month, day).map_or(Read::Wrong, Read::Day);
    match parts.as_slice() {
        [a, b, c, ..] if year(a).is_some() => match (year(a), number(b), number(c)) {
            (Some(y), Some(m), Some(d)) => day(y, m, d),
            _ => Read::Wrong,
        },
        [a, b, c, ..] if month(a).is_some() => match (month(a), number(b), year(c)) {
            (Some(m), Some(d), Some(y)) => day(y, m, d),
            _ => Read::Wrong,
        },
        [a, b, c, ..] if month(b).is_some() => match (number(a), month(b), year(c)) {
            (Some(d), Some(m), Some(y)) => day(y, m, d),
            _ => Read::Wrong,
        },
        [a, b, c, ..] => match (number(a), number(b), year(c)) {
            // With points the day is first wherever dates are written so.
            (Some(d), Some(m), Some(y)) if date.contains('.') => day(y, m, d),
            (Some(a), Some(b), Some(y)) => Read::Two(a, b, y),
            _ => Read::Wrong,
        },
        _ => Read::Wrong,
    }
}

/// Eight digits are a date; more are seconds or milliseconds since 1970.
fn stamp(digits: &str) -> Read {
    let Ok(number) = digits.parse::<i64>() else { return Read::Wrong };
    if digits.len() == 8 {
        let part = |from: usize, to: usize| digits[from..to].parse::<u32>().unwrap_or(0);
        return civil_day(i32::try_from(part(0, 4)).unwrap_or(0), part(4, 6), part(6, 8))
            .map_or(Read::Wrong, Read::Day);
    }
    let seconds = if number >= MIN_MILLIS { number / 1_000 } else { number };
    if seconds < MIN_SECONDS {
        return Read::Wrong;
    }
    i32::try_from(seconds / 86_400).map_or(Read::Wrong, Read::Day)
}

fn month(text: &str) -> Option<u32> {
    let text = text.to_lowercase();
    if text.chars().count() < 3 || !text.chars().all(char::is_alphabetic) {
        return None;
    }
    let at = MONTHS.iter().position(|names| names.iter().any(|name| text.starts_with(name)))?;
    u32::try_from(at + 1).ok()
}

/// The days since 1970-01-01 of a day of the calendar; `None` when there is no such day. Howard Hinnant,
/// "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`.
#[must_use]
pub fn civil_day(year: i32, month: u32, day: u32) -> Option<i32> {
    const LENGTHS: [u32; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = LENGTHS.get(usize::try_from(month.checked_sub(1)?).ok()?)? + u32::from(leap && month == 2);
    if !(1..=length).contains(&day) || !(1..=9_999).contains(&year) {
        return None;
    }
    let (month, day) = (i32::try_from(month).ok()?, i32::try_from(day).ok()?);
    let shifted = year - i32::from(month <= 2);
    let era = shifted.div_euclid(400);
    let of_era = shifted.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    Some(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
}
