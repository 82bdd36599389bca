//! Streets and house numbers, compared: tokens without abbreviations, the house number as a gate.
//!
//! Tokens are made by own tables, since libpostal cannot be had here; they are tried on the restaurants of Fodor's and Zagat.

use super::compare::Grade;
use super::ratio;

/// From here on two streets are one, and near.
const EXACT: f64 = 0.95;
const NEAR: f64 = 0.8;

/// What is written short: English, German, French, Spanish, Italian.
const SHORT: [(&str, &str); 58] = [
    ("st", "street"),
    ("str", "strasse"),
    ("ave", "avenue"),
    ("av", "avenue"),
    ("blvd", "boulevard"),
    ("blv", "boulevard"),
    ("bd", "boulevard"),
    ("rd", "road"),
    ("dr", "drive"),
    ("ln", "lane"),
    ("hwy", "highway"),
    ("pkwy", "parkway"),
    ("sq", "square"),
    ("ct", "court"),
    ("pl", "place"),
    ("ter", "terrace"),
    ("cres", "crescent"),
    ("gdns", "gardens"),
    ("mt", "mount"),
    ("ft", "fort"),
    ("w", "west"),
    ("e", "east"),
    ("n", "north"),
    ("s", "south"),
    ("nw", "northwest"),
    ("ne", "northeast"),
    ("sw", "southwest"),
    ("se", "southeast"),
    ("pk", "park"),
    ("ctr", "center"),
    ("centre", "center"),
    ("bldg", "building"),
    ("plz", "plaza"),
    ("r", "rue"),
    ("imp", "impasse"),
    ("all", "allee"),
    ("c", "calle"),
    ("avda", "avenida"),
    ("avd", "avenida"),
    ("pza", "plaza"),
    ("ctra", "carretera"),
    ("v", "via"),
    ("vle", "viale"),
    ("pzza", "piazza"),
    ("p.za", "piazza"),
    ("first", "1st"),
    ("second", "2nd"),
    ("third", "3rd"),
    ("fourth", "4th"),
    ("fifth", "5th"),
    ("sixth", "6th"),
    ("seventh", "7th"),
    ("eighth", "8th"),
    ("ninth", "9th"),
    ("tenth", "10th"),
    ("eleventh", "11th"),
    ("twelfth", "12th"),
    ("saint", "street"),
];

/// Words after which a street is described by others.
const NEARBY: [&str; 12] =
    ["between", "at", "near", "off", "in", "on", "opposite", "corner", "bei", "ecke", "angle", "esquina"];

/// Words for a part of a house; they and their number are dropped.
const UNITS: [&str; 20] = [
    "suite",
    "ste",
    "apt",
    "apartment",
    "unit",
    "floor",
    "fl",
    "room",
    "rm",
    "stock",
    "og",
    "eg",
    "etage",
    "etg",
    "planta",
    "piso",
    "piano",
    "int",
    "level",
    "lvl",
];

/// Endings under which a street and its kind are one word: `Hauptstr.` is `hauptstrasse`.
const JOINED: [(&str, &str); 3] = [("str", "strasse"), ("strasse", "strasse"), ("pl", "platz")];

/// A street as it is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Street {
    /// Such as `12`, `12b` or `12-14`.
    pub(crate) house: Option<String>,
    /// Without house number and units, abbreviations written out.
    pub(crate) words: Vec<String>,
}

/// Reads the line of an address that has the street.
pub(crate) fn street(line: &str) -> Street {
    let lower = deunicode::deunicode(&line.to_lowercase()).to_lowercase();
    // What follows a comma is the town or a part of the house, unless the number stands before it: `Via Roma, 12`.
    let (first, rest) = lower.split_once(',').unwrap_or((&lower, ""));
    let mut tokens = tokens(first);
    let has_number = tokens.iter().any(|it| is_house(it));
    if !has_number {
        tokens.extend(self::tokens(rest).into_iter().take(1).filter(|it| is_house(it)));
    }
    if let Some(at) = tokens.iter().position(|it| NEARBY.contains(&it.as_str())).filter(|at| *at > 0) {
        tokens.truncate(at);
    }
    let mut kept: Vec<String> = Vec::new();
    let mut skips = false;
    for token in tokens {
        if skips {
            skips = false;
            continue;
        }
        if UNITS.contains(&token.as_str()) && !kept.is_empty() {
            skips = true;
            continue;
        }
        kept.push(token);
    }
    // A number at the beginning, else at the end, is that of the house.
    let house = if kept.first().is_some_and(|it| is_house(it)) {
        Some(kept.remove(0))
    } else if kept.len() > 1 && kept.last().is_some_and(|it| is_house(it)) {
        kept.pop()
    } else {
        None
    };
    Street { house, words: kept.into_iter().map(|it| whole(&it)).collect() }
}

fn tokens(text: &str) -> Vec<String> {
    let plain: String = text.chars().filter(|it| !matches!(it, '.' | '\'' | '#')).collect();
    let mut all: Vec<String> = Vec::new();
    for word in plain.split(|c: char| !(c.is_alphanumeric() || c == '-' || c == '/')).filter(|it| !it.is_empty()) {
        if word.bytes().any(|it| it.is_ascii_digit()) || !word.contains(['-', '/']) {
            all.push(word.trim_matches(['-', '/']).to_owned());
        } else {
            all.extend(word.split(['-', '/']).filter(|it| !it.is_empty()).map(str::to_owned));
        }
    }
    all
}

/// `12`, `12b`, `12-14`: what begins with a digit and is no ordinal.
fn is_house(token: &str) -> bool {
    let ordinal = ["st", "nd", "rd", "th"].iter().any(|it| token.ends_with(it));
    token.starts_with(|c: char| c.is_ascii_digit()) && !ordinal && token.len() <= 9
}

fn whole(token: &str) -> String {
    if let Some((_, whole)) = SHORT.iter().find(|(short, _)| *short == token) {
        return (*whole).to_owned();
    }
    for (ending, whole) in JOINED {
        if let Some(stem) = token.strip_suffix(ending).filter(|it| it.chars().count() >= 4) {
            return format!("{stem}{whole}");
        }
    }
    token.to_owned()
}

/// Whether two house numbers may be one: equal, or one within the other's range.
fn same_house(ours: &str, theirs: &str) -> bool {
    if ours == theirs {
        return true;
    }
    let range = |text: &str| -> Option<(u32, u32)> {
        let (first, last) = text.split_once(['-', '/']).unwrap_or((text, text));
        let number = |part: &str| part.trim_end_matches(|c: char| c.is_alphabetic()).parse::<u32>().ok();
        let (first, last) = (number(first)?, number(last)?);
        // `12-4` is a flat, no range.
        (first <= last).then_some((first, last))
    };
    let plain = |text: &str| text.chars().all(|it| it.is_ascii_digit());
    match (range(ours), range(theirs)) {
        (Some(a), Some(b)) if plain(ours) || plain(theirs) => (a.0 <= b.0 && b.1 <= a.1) || (b.0 <= a.0 && a.1 <= b.1),
        _ => false,
    }
}

/// How two streets go together.
pub(crate) fn grade(ours: &Street, theirs: &Street) -> Grade {
    if let (Some(a), Some(b)) = (&ours.house, &theirs.house)
        && !same_house(a, b)
    {
        return Grade::Conflict;
    }
    let (a, b) = (ours.words.join(" "), theirs.words.join(" "));
    if a.is_empty() || b.is_empty() {
        return Grade::Absent;
    }
    let score = ratio::token_set(&a, &b);
    // Without both numbers two shops of one street are not told apart.
    let numbered = ours.house.is_some() && theirs.house.is_some();
    match score {
        score if score >= EXACT && numbered => Grade::Exact,
        score if score >= NEAR => Grade::Near,
        _ => Grade::Conflict,
    }
}

/// How two postal codes go together; none where one is missing.
pub(crate) fn same_postcode(ours: Option<&str>, theirs: Option<&str>) -> Option<bool> {
    let plain = |text: &str| -> String { text.to_uppercase().chars().filter(char::is_ascii_alphanumeric).collect() };
    let (ours, theirs) = (plain(ours?), plain(theirs?));
    // A ZIP code may have four digits more.
    let is_longer = |a: &str, b: &str| a.len() == 9 && b.len() == 5 && a.starts_with(b);
    Some(ours == theirs || is_longer(&ours, &theirs) || is_longer(&theirs, &ours))
}
