//! Numbers and times as a page writes them.

use model::clock::Moment;

/// A whole number in groups of three: `12,345`.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with its noun: `1 call`, `2,000 calls`.
pub(super) fn counted(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{} {noun}s", grouped(number)) }
}

/// A moment, for a person and for a program.
pub(super) struct When {
    /// RFC 3339.
    pub(super) iso: String,
    /// `20 Nov 2026, 14:05`, in UTC.
    pub(super) words: String,
    /// `3 minutes ago`.
    pub(super) ago: String,
}

impl When {
    pub(super) fn new(at: Moment, now: Moment) -> Self {
        Self { iso: at.rfc3339(), words: at.words(), ago: ago(at, now) }
    }
}

/// How long ago something was, in one unit.
fn ago(at: Moment, now: Moment) -> String {
    let seconds = now.since(at).as_secs();
    match seconds {
        0..45 => "just now".to_owned(),
        45..5_400 => format!("{} ago", counted(seconds.div_ceil(60).max(1), "minute")),
        5_400..129_600 => format!("{} ago", counted((seconds + 1_800) / 3_600, "hour")),
        129_600..5_184_000 => format!("{} ago", counted((seconds + 43_200) / 86_400, "day")),
        _ => at.day(),
    }
}

/// How long until something, in hours and minutes.
pub(super) fn until(at: Moment, now: Moment) -> String {
    let minutes = at.since(now).as_secs().div_ceil(60);
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes} min"),
        (hours, 0) => format!("{hours} h"),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn numbers_are_written_in_groups_of_three() {
        for (number, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
        assert_eq!((counted(1, "call"), counted(1_000, "call")), ("1 call".to_owned(), "1,000 calls".to_owned()));
    }

    #[test]
    fn spans_are_written_in_the_unit_that_fits() {
        let start = Moment(1_795_176_000_000);
        for (seconds, text) in [
            (3, "just now"),
            (60, "1 minute ago"),
            (7_200, "2 hours ago"),
            (259_200, "3 days ago"),
            (9_000_000, "2026-11-20"),
        ] {
            assert_eq!(ago(start, start.plus(Duration::from_secs(seconds))), text);
        }
        assert_eq!(until(start.plus(Duration::from_secs(22_320)), start), "6 h 12 min");
    }
}
