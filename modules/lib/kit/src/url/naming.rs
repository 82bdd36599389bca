//! What an address says of its page: the words of its path, its last part, its language and its number.

use std::collections::BTreeSet;

use super::{decoded, path_and_query};

/// Endings of files that say how a page is made, not what it is about.
const ENDINGS: [&str; 7] = [".html", ".htm", ".php", ".aspx", ".asp", ".jsp", ".cfm"];
/// Names of the file that stands for its folder.
const INDEXES: [&str; 2] = ["index", "default"];
/// Languages, as ISO 639-1, that websites have folders of.
const LANGUAGES: [&str; 36] = [
    "ar", "bg", "ca", "cs", "da", "de", "el", "en", "es", "et", "fa", "fi", "fr", "he", "hi", "hr", "hu", "id", "it",
    "ja", "ko", "lt", "lv", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sv", "tr", "uk", "vi", "zh",
];

/// The words of a path and query: what stands between signs, in lower case, without a file's ending and the commonest plural.
#[must_use]
pub fn words(url: &str) -> BTreeSet<String> {
    let (path, query) = parts(url);
    let all = without_ending(&path).split(|c: char| !c.is_alphanumeric());
    let all = all.chain(query.split(|c: char| !c.is_alphanumeric()));
    all.filter(|word| !word.is_empty()).map(|word| singular(word).to_owned()).collect()
}

/// The last part of a path, its words separated by single hyphens; empty for a home page.
#[must_use]
pub fn last(url: &str) -> String {
    let (path, _) = parts(url);
    let path = without_ending(path.trim_end_matches('/'));
    let last = path.rsplit('/').next().unwrap_or_default();
    last.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty()).map(singular).collect::<Vec<_>>().join("-")
}

/// A path and query without what servers tell apart and people do not: letters in any case, percent-encodings, a last
/// slash, the ending of a file, the name of the file that stands for its folder.
#[must_use]
pub fn folded(url: &str) -> String {
    let (path, query) = parts(url);
    let mut path = without_ending(path.trim_end_matches('/'));
    if let Some((folder, last)) = path.rsplit_once('/')
        && INDEXES.contains(&last)
    {
        path = folder;
    }
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}

/// The language of the folder that a path begins with, such as `de` for `/de/` and `/de-at/`.
#[must_use]
pub fn language(url: &str) -> Option<&'static str> {
    let (path, _) = parts(url);
    let first = path.split('/').nth(1)?;
    let (language, region) = first.split_once(['-', '_']).unwrap_or((first, ""));
    let is_region = region.is_empty() || (region.len() == 2 && region.bytes().all(|it| it.is_ascii_alphabetic()));
    LANGUAGES.into_iter().find(|it| is_region && *it == language)
}

/// The numbers of a page in its address: four digits or more that are no year, and words of letters and digits with at
/// least two digits, of five signs or more.
#[must_use]
pub fn numbers(url: &str) -> BTreeSet<String> {
    let (path, query) = parts(url);
    let all = without_ending(&path).split(|c: char| !c.is_alphanumeric());
    let all = all.chain(query.split(|c: char| !c.is_alphanumeric()));
    all.filter(|word| is_number(word)).map(str::to_owned).collect()
}

fn is_number(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    if digits < word.len() {
        return digits >= 2 && word.len() >= 5;
    }
    let is_year = digits == 4 && (word.starts_with("19") || word.starts_with("20"));
    // Eight digits may be a day: 20190517.
    let is_day = digits == 8 && (word.starts_with("19") || word.starts_with("20"));
    digits >= 4 && !is_year && !is_day
}

/// A word without the commonest plural of English.
#[must_use]
pub fn singular(word: &str) -> &str {
    word.strip_suffix('s').filter(|rest| rest.len() > 3 && !rest.ends_with('s')).unwrap_or(word)
}

/// Path and query in lower case, percent-encodings undone.
fn parts(url: &str) -> (String, String) {
    let all = path_and_query(url);
    let (path, query) = all.split_once('?').unwrap_or((all, ""));
    let plain = |text: &str| {
        if text.contains('%') { decoded(text).to_lowercase() } else { text.to_lowercase() }
    };
    (plain(path), plain(query))
}

fn without_ending(path: &str) -> &str {
    ENDINGS.iter().find_map(|it| path.strip_suffix(it)).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::{folded, language, last, numbers, words};

    #[test]
    fn what_servers_tell_apart_and_people_do_not_is_one_path() {
        for (a, b) in [
            ("https://a.example/About/", "https://b.example/about"),
            ("https://a.example/team.php", "https://a.example/team/"),
            ("https://a.example/shop/index.html", "https://a.example/shop/"),
            ("https://a.example/f%C3%BCr-alle", "https://a.example/für-alle/"),
            ("https://a.example/", "https://a.example/index.php"),
        ] {
            assert_eq!(folded(a), folded(b), "{a} {b}");
        }
        assert_ne!(folded("https://a.example/p?id=1"), folded("https://a.example/p?id=2"));
        assert_ne!(folded("https://a.example/indexes"), folded("https://a.example/"));
    }

    #[test]
    fn a_path_has_words_a_last_part_a_language_and_numbers() {
        let url = "https://a.example/de-AT/Lampen/brass_desk-lamps-LX4401.html?ref=88213";
        assert_eq!(
            Vec::from_iter(words(url)),
            ["88213", "at", "brass", "de", "desk", "lamp", "lampen", "lx4401", "ref"]
        );
        assert_eq!(last(url), "brass-desk-lamp-lx4401");
        assert_eq!(language(url), Some("de"));
        assert_eq!(Vec::from_iter(numbers(url)), ["88213", "lx4401"]);
        assert_eq!(language("https://a.example/delivery"), None);
        assert_eq!(language("https://a.example/de-luxe/x"), None);
        assert!(numbers("https://a.example/2019/05/17/h1-and-h2-20190517").is_empty());
        assert_eq!(last("https://a.example/"), "");
    }
}
