//! Reading a date: ISO 8601, RFC 2822, and as texts write it in some thirty languages.

mod east;
mod months;

use std::fmt;

use months::month;

use crate::text::{is_hangul, is_spaceless};

/// A day of the Gregorian calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    /// From 1990 to 2100: pages are not older.
    pub year: u16,
    /// From 1.
    pub month: u8,
    /// From 1.
    pub day: u8,
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl Date {
    /// A day that exists, from 1990 to 2100.
    #[must_use]
    pub fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let days = match month {
            1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
            4 | 6 | 9 | 11 => 30,
            2 => 28 + u8::from(leap),
            _ => return None,
        };
        ((1990..=2100).contains(&year) && (1..=days).contains(&day)).then_some(Self { year, month, day })
    }

    /// Days since the first of January 1970; for differences.
    #[must_use]
    pub fn days(self) -> i64 {
        // Howard Hinnant, “chrono-compatible low-level date algorithms”: days from civil.
        let (month, day) = (i64::from(self.month), i64::from(self.day));
        let year = i64::from(self.year) - i64::from(month <= 2);
        let (era, of_era) = (year / 400, year % 400);
        let of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
        era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
    }
}

/// Reads a value that is meant as a date.
#[must_use]
pub fn parse(value: &str) -> Option<Date> {
    let value = value.trim();
    iso(value).or_else(|| in_text(value).map(|(_, date)| date))
}

/// `2024-03-01`, `2024/3/1`, `20240301`, with anything after.
fn iso(value: &str) -> Option<Date> {
    let digits = |text: &str| -> usize { text.bytes().take_while(u8::is_ascii_digit).count() };
    if digits(value) == 8 {
        return Date::new(value[..4].parse().ok()?, value[4..6].parse().ok()?, value[6..8].parse().ok()?);
    }
    if digits(value) != 4 {
        return None;
    }
    let rest = value[4..].strip_prefix(['-', '/', '.'])?;
    let month = digits(rest);
    let after = rest.get(month..)?.strip_prefix(['-', '/', '.'])?;
    let day = digits(after);
    Date::new(value[..4].parse().ok()?, rest[..month].parse().ok()?, after[..day].parse().ok()?)
}

/// The first date in a text, as written and as a day.
#[must_use]
pub fn in_text(text: &str) -> Option<(String, Date)> {
    let (start, end, date) = all_in_text(text).into_iter().next()?;
    let written = &text[start..end];
    let is_one_word = !written.contains(char::is_whitespace);
    Some((if is_one_word { bare(written).to_owned() } else { crate::text::collapse(written) }, date))
}

/// Every date in a text: where it begins and ends, in bytes, and the day.
pub(super) fn all_in_text(text: &str) -> Vec<(usize, usize, Date)> {
    let mut out = Vec::new();
    let mut from = 0;
    for found in east::all(text) {
        if found.0 >= from {
            by_words(text, from, found.0, &mut out);
            out.push(found);
            from = found.1;
        }
    }
    by_words(text, from, text.len(), &mut out);
    out
}

/// Adds the dates between two places of a text that are made of words.
fn by_words(text: &str, from: usize, to: usize, out: &mut Vec<(usize, usize, Date)>) {
    let words = words(&text[from..to]);
    let mut at = 0;
    while at < words.len() {
        let Some((first, last, date)) = date_at(&words, at) else {
            at += 1;
            continue;
        };
        out.push((from + words[first].0, from + words[last].0 + words[last].1.len(), date));
        at = last + 1;
    }
}

/// The words of a text with the byte at which each begins. Beside letters of a script without spaces, a number is a word.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut out = Vec::new();
    for run in text.split_whitespace() {
        let start = run.as_ptr().addr() - text.as_ptr().addr();
        let mut begin = 0;
        let mut is_letters = None;
        if !run.is_ascii() {
            for (at, c) in run.char_indices() {
                let now = match c {
                    c if is_hangul(c) => true,
                    c if digit(c).is_some() => false,
                    c if is_spaceless(c) => true,
                    _ => continue,
                };
                if is_letters.is_some_and(|it| it != now) {
                    out.push((start + begin, &run[begin..at]));
                    begin = at;
                }
                is_letters = Some(now);
            }
        }
        out.push((start + begin, &run[begin..]));
    }
    out
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

/// What a decimal digit of any of these scripts counts: ASCII, Arabic, Persian, Devanagari, Bengali, Thai, and full width.
pub(super) fn digit(c: char) -> Option<u32> {
    const ZEROS: [u32; 7] = [0x30, 0x660, 0x6F0, 0x966, 0x9E6, 0xE50, 0xFF10];
    ZEROS.iter().find_map(|zero| u32::from(c).checked_sub(*zero).filter(|it| *it < 10))
}

/// The number that a word begins with, of this many digits at most, and what follows it.
fn number(word: &str, most: usize) -> Option<(u16, &str)> {
    let end = word.find(|c| digit(c).is_none()).unwrap_or(word.len());
    let digits = word[..end].chars();
    if end == 0 || digits.clone().count() > most {
        return None;
    }
    let value = digits.filter_map(digit).fold(0, |sum, it| sum * 10 + it);
    Some((u16::try_from(value).ok()?, &word[end..]))
}

/// Words that stand between the parts of a date and say nothing, in lower case without what is around them.
const BETWEEN: [&str; 7] = ["de", "del", "of", "the", "năm", "พ.ศ", "ค.ศ"];

/// The date that begins with a word: its first and last word, and the day.
fn date_at(words: &[(usize, &str)], at: usize) -> Option<(usize, usize, Date)> {
    let word = bare(words[at].1);
    if let Some(date) = iso(word).or_else(|| dotted(word)) {
        return Some((at, at, date));
    }
    let mut parts = words[at..].iter().enumerate().take(6);
    let mut next = || parts.find(|(_, (_, it))| !BETWEEN.contains(&bare(&it.to_lowercase())));
    let ((_, one), (_, two), (last, three)) = (next()?, next()?, next()?);
    if bare(two.1).to_lowercase() == "tháng" {
        let (last, year) = next()?;
        let month = u8::try_from(number(bare(three.1), 2)?.0).ok()?;
        return Date::new(year_of(year.1)?, month, day_of(one.1)?).map(|date| (at, at + last, date));
    }
    spelled(one.1, two.1, three.1).map(|date| (at, at + last, date))
}

/// `1.3.2024`; with slashes only when one part tells day from month.
fn dotted(word: &str) -> Option<Date> {
    let separator = ['.', '/', '-'].into_iter().find(|c| word.contains(*c))?;
    let mut parts = word.split(separator);
    let (one, two, year) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || year.len() != 4 || one.len() > 2 || two.len() > 2 {
        return None;
    }
    let (one, two, year): (u8, u8, u16) = (one.parse().ok()?, two.parse().ok()?, year.parse().ok()?);
    match separator {
        '.' => Date::new(year, two, one),
        _ if one > 12 => Date::new(year, two, one),
        _ if two > 12 || one == two => Date::new(year, one, two),
        _ => None,
    }
}

/// `1 March 2024`, `March 1, 2024`, `1. März 2024`, `1st March 2024`, `2024. március 1.`, `24. 12. 2023`, `2024. 3. 1.`.
fn spelled(one: &str, two: &str, three: &str) -> Option<Date> {
    let counted = |word: &str| day_of(word).filter(|_| word.ends_with('.'));
    if let Some(year) = year_of(three) {
        return match (day_of(one), month(two), month(one), day_of(two)) {
            (Some(day), Some(month), ..) | (_, _, Some(month), Some(day)) => Date::new(year, month, day),
            _ => Date::new(year, counted(two)?, counted(one)?),
        };
    }
    let is_dotted = one.ends_with('.');
    let (year, day) = (year_of(one)?, day_of(three)?);
    Date::new(year, month(two).or_else(|| counted(two).filter(|_| is_dotted))?, day)
}

/// The year that a word is. Thai texts count from 543 BC.
fn year_of(word: &str) -> Option<u16> {
    /// Before it nobody writes a year of the Buddhist era on a page, and nobody one of ours after.
    const BUDDHIST: u16 = 2_500;
    let word = word.trim_matches(|c: char| digit(c).is_none());
    let (year, rest) = number(word, 4)?;
    let year = if year >= BUDDHIST { year - 543 } else { year };
    (rest.is_empty() && year >= 1990).then_some(year)
}

/// The day of a month that a word is.
fn day_of(word: &str) -> Option<u8> {
    let (day, rest) = number(bare(word), 2)?;
    let ordinal = matches!(rest, "" | "st" | "nd" | "rd" | "th" | "er" | "º" | "η" | "-го" | "-е" | ":a" | ":e" | "일");
    ordinal.then(|| u8::try_from(day).ok()).flatten()
}

/// A date in the path of an address: `/2024/03/01/`, `/2024-03-01-title`, `/20240301`.
#[must_use]
pub fn in_url(url: &str) -> Option<Date> {
    let path = crate::url::path_and_query(url);
    let path = path.split('?').next().unwrap_or_default();
    let parts: Vec<&str> = path.split('/').collect();
    let number = |part: &str, digits: usize| (part.len() == digits).then(|| part.parse::<u16>().ok()).flatten();
    let split = parts.windows(3).find_map(|it| {
        let (month, day) = (it[1].parse().ok()?, it[2].parse().ok()?);
        Date::new(number(it[0], 4)?, month, day)
    });
    split.or_else(|| parts.iter().find_map(|part| iso(part)))
}
