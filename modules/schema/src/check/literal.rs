//! Whether a text can be read as a data type of schema.org.

use serde_json::Value;

/// Whether a literal is of a data type. Text takes everything; a boolean that is written as text or as an address too.
pub(crate) fn fits(range: &str, value: &Value, text: &str) -> bool {
    match range {
        "Text" | "CssSelectorType" | "XPathType" | "PronounceableText" => true,
        "URL" => is_url(text),
        "Boolean" => {
            value.is_boolean() || matches!(crate::extract::context::bare(text), "True" | "False" | "true" | "false")
        }
        "Number" | "Float" => is_number(text),
        "Integer" => text.parse::<i64>().is_ok(),
        "Date" => is_date(text),
        "DateTime" => is_date_time(text),
        "Time" => is_time(text),
        _ => false,
    }
}

/// What a data type looks like, in words; none for those that take any text.
pub(crate) fn form(range: &str) -> Option<&'static str> {
    Some(match range {
        "URL" => "an address",
        "Boolean" => "true or false",
        "Number" | "Float" => "a number with a point before its decimals",
        "Integer" => "a whole number",
        "Date" => "a day of ISO 8601 such as 2026-09-28",
        "DateTime" => "a moment of ISO 8601 such as 2026-09-28T07:30:00Z",
        "Time" => "a time such as 07:30:00",
        _ => return None,
    })
}

/// A number as schema.org writes it: digits, one point, an exponent perhaps.
pub(crate) fn is_number(text: &str) -> bool {
    let plain = text.bytes().all(|it| it.is_ascii_digit() || matches!(it, b'.' | b'-' | b'+' | b'e' | b'E'));
    plain && text.parse::<f64>().is_ok_and(f64::is_finite)
}

/// An address: absolute, or the path of one.
pub(crate) fn is_url(text: &str) -> bool {
    if text.contains(char::is_whitespace) || text.is_empty() {
        return false;
    }
    match kit::url::Url::parse(text) {
        Ok(url) => !url.cannot_be_a_base() || matches!(url.scheme(), "mailto" | "tel" | "urn"),
        Err(_) => text.starts_with(['/', '#', '?', '.']),
    }
}

/// `2026`, `2026-09` or `2026-09-28`, a day that exists (ISO 8601).
pub(crate) fn is_date(text: &str) -> bool {
    let mut parts = text.splitn(3, '-');
    let number = |part: Option<&str>, length: usize| -> Option<u16> {
        let part = part?;
        (part.len() == length && part.bytes().all(|it| it.is_ascii_digit())).then(|| part.parse().ok())?
    };
    let Some(year) = number(parts.next(), 4) else { return false };
    let (month, day) = (parts.next(), parts.next());
    match (month, day) {
        (None, _) => true,
        (Some(_), None) => number(month, 2).is_some_and(|it| (1..=12).contains(&it)),
        (Some(_), Some(_)) => {
            let month = number(month, 2);
            let days = match month {
                Some(1 | 3 | 5 | 7 | 8 | 10 | 12) => 31,
                Some(4 | 6 | 9 | 11) => 30,
                Some(2) => 28 + u16::from(year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)),
                _ => return false,
            };
            number(day, 2).is_some_and(|it| (1..=days).contains(&it))
        }
    }
}

/// A day, `T`, a time and perhaps an offset from UTC.
pub(crate) fn is_date_time(text: &str) -> bool {
    let Some((day, time)) = text.split_once(['T', ' ']) else { return false };
    day.len() == 10 && is_date(day) && is_time(time)
}

/// `07:30`, `07:30:00`, `07:30:00.5`, each perhaps with `Z` or an offset such as `+02:00`.
pub(crate) fn is_time(text: &str) -> bool {
    let (clock, offset) = match text.find(['Z', 'z', '+', '-']) {
        Some(at) => (&text[..at], &text[at..]),
        None => (text, ""),
    };
    let zone = offset.is_empty() || offset.eq_ignore_ascii_case("Z") || {
        let digits: String = offset[1..].chars().filter(|it| *it != ':').collect();
        matches!(digits.len(), 2 | 4) && digits.bytes().all(|it| it.is_ascii_digit())
    };
    let parts: Vec<&str> = clock.split(':').collect();
    let within = |part: &str, most: u8| part.len() == 2 && part.parse::<u8>().is_ok_and(|it| it <= most);
    let second = |part: &str| {
        let (whole, rest) = part.split_once('.').unwrap_or((part, "0"));
        within(whole, 60) && !rest.is_empty() && rest.bytes().all(|it| it.is_ascii_digit())
    };
    zone && match parts.as_slice() {
        [hour, minute] => within(hour, 24) && within(minute, 59),
        [hour, minute, rest] => within(hour, 24) && within(minute, 59) && second(rest),
        _ => false,
    }
}

/// `P1Y2M3DT4H5M6S` with at least one part, or weeks: `P2W` (ISO 8601).
pub(crate) fn is_duration(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('P') else { return false };
    let (days, time) = match rest.split_once('T') {
        Some((_, "")) => return false,
        Some((days, time)) => (days, time),
        None => (rest, ""),
    };
    !rest.is_empty() && (runs(days, "YMWD")) && runs(time, "HMS")
}

/// Numbers each followed by a letter, the letters in the given order.
fn runs(text: &str, letters: &str) -> bool {
    let (mut left, mut digits) = (letters, 0);
    for letter in text.chars() {
        if letter.is_ascii_digit() || (letter == '.' && digits > 0) {
            digits += 1;
            continue;
        }
        let Some(at) = left.find(letter) else { return false };
        if digits == 0 {
            return false;
        }
        (left, digits) = (&left[at + 1..], 0);
    }
    digits == 0
}
