//! Reading a date: ISO 8601, RFC 2822, and months in words of six languages.

use std::fmt;

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

/// The beginnings of the names of months in English, German, French, Spanish, Italian and Dutch, in lower case.
const MONTHS: [&[&str]; 12] = [
    &["jan", "jän", "ene", "gen"],
    &["feb", "fév", "fev"],
    &["mar", "mär", "maa", "mrt"],
    &["apr", "avr", "abr"],
    &["may", "mai", "mei", "mag"],
    &["jun", "juin", "giu"],
    &["jul", "juil", "lug"],
    &["aug", "aoû", "aou", "ago"],
    &["sep", "set"],
    &["oct", "okt", "ott"],
    &["nov"],
    &["dec", "dez", "déc", "dic"],
];

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
    let words = words(text);
    let (first, last, date) = (0..words.len()).find_map(|at| date_at(&words, at))?;
    let written: Vec<&str> = words[first..=last].iter().map(|(_, word)| *word).collect();
    Some((if first == last { bare(words[first].1).to_owned() } else { written.join(" ") }, date))
}

/// Every date in a text: where it begins and ends, in bytes, and the day.
pub(super) fn all_in_text(text: &str) -> Vec<(usize, usize, Date)> {
    let words = words(text);
    let (mut out, mut at) = (Vec::new(), 0);
    while at < words.len() {
        let Some((first, last, date)) = date_at(&words, at) else {
            at += 1;
            continue;
        };
        out.push((words[first].0, words[last].0 + words[last].1.len(), date));
        at = last + 1;
    }
    out
}

/// The words of a text with the byte at which each begins.
fn words(text: &str) -> Vec<(usize, &str)> {
    text.split_whitespace().map(|word| (word.as_ptr().addr() - text.as_ptr().addr(), word)).collect()
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

/// The date that begins with a word: its first and last word, and the day.
fn date_at(words: &[(usize, &str)], at: usize) -> Option<(usize, usize, Date)> {
    let word = bare(words[at].1);
    if let Some(date) = iso(word).or_else(|| dotted(word)) {
        return Some((at, at, date));
    }
    let mut parts = words[at..].iter().enumerate().take(5);
    let mut next = || parts.find(|(_, (_, it))| !matches!(it.to_lowercase().as_str(), "de" | "del" | "of" | "the"));
    let ((_, one), (_, two), (last, three)) = (next()?, next()?, next()?);
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

/// `1 March 2024`, `March 1, 2024`, `1. März 2024`, `1st March 2024`.
fn spelled(one: &str, two: &str, three: &str) -> Option<Date> {
    let year =
        |word: &str| word.trim_matches(|c: char| !c.is_ascii_digit()).parse::<u16>().ok().filter(|it| *it >= 1990);
    let day = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        let end = word.bytes().take_while(u8::is_ascii_digit).count();
        let ordinal = matches!(&word[end..], "" | "st" | "nd" | "rd" | "th" | "er" | "º");
        (end > 0 && end <= 2 && ordinal).then(|| word[..end].parse::<u8>().ok()).flatten()
    };
    let year = year(three)?;
    match (day(one), month(two), month(one), day(two)) {
        (Some(day), Some(month), ..) | (_, _, Some(month), Some(day)) => Date::new(year, month, day),
        _ => None,
    }
}

fn month(word: &str) -> Option<u8> {
    let word = word.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase();
    if word.chars().count() < 3 || word.chars().count() > 10 {
        return None;
    }
    let at = MONTHS.iter().position(|names| names.iter().any(|name| word.starts_with(name)))?;
    // `maybe` begins like May, `marble` like March: only letters that some language's month has may follow.
    let known = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "januar",
        "jänner",
        "februar",
        "märz",
        "mai",
        "juni",
        "juli",
        "oktober",
        "dezember",
        "janvier",
        "février",
        "fevrier",
        "mars",
        "avril",
        "juin",
        "juillet",
        "août",
        "aout",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre",
        "octubre",
        "noviembre",
        "diciembre",
        "gennaio",
        "febbraio",
        "aprile",
        "maggio",
        "giugno",
        "luglio",
        "settembre",
        "ottobre",
        "dicembre",
        "januari",
        "februari",
        "maart",
        "mei",
        "augustus",
        "mrt",
        "setiembre",
    ];
    let whole = known.iter().any(|name| name.starts_with(&word) && (word.chars().count() <= 4 || *name == word));
    whole.then(|| u8::try_from(at + 1).ok()).flatten()
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
