//! Goals in other languages, put into the English words of the catalog: eleven languages, by a table of what people say.
//!
//! A goal is taken for the language that knows most of its words; one that English knows as well stays as it is.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use super::{thesaurus, words};

static TABLE: LazyLock<Vec<Language>> = LazyLock::new(|| read(include_str!("languages.tsv")));

/// One column of the table.
struct Language {
    name: &'static str,
    /// Words that say nothing about a goal.
    empty: HashSet<String>,
    entries: Vec<Entry>,
}

/// What somebody says, and what it means.
struct Entry {
    /// Words, one after the other; of a language without spaces, the one text.
    said: Vec<Said>,
    meant: &'static str,
}

struct Said {
    text: String,
    /// Whether longer words that begin so are meant too.
    begins: bool,
}

impl Said {
    fn is(&self, word: &str) -> bool {
        if self.begins { word.starts_with(&self.text) } else { word == self.text }
    }
}

fn read(table: &'static str) -> Vec<Language> {
    let mut rows = table.lines().filter(|row| !row.starts_with('#')).map(|row| row.split('\t'));
    let mut languages: Vec<Language> = rows.next().into_iter().flatten().skip(1).map(Language::new).collect();
    for mut row in rows {
        let meant = row.next().unwrap_or_default();
        for (language, cell) in languages.iter_mut().zip(row) {
            let said = cell.split(',').map(str::trim).filter(|it| !it.is_empty());
            if meant == "=" {
                language.empty.extend(said.map(folded));
            } else {
                let entries: Vec<Entry> = said.map(|said| Entry { said: language.words(said), meant }).collect();
                language.entries.extend(entries);
            }
        }
    }
    for language in &mut languages {
        // The longest first: a phrase means more than its first word.
        language.entries.sort_by_key(|entry| {
            let letters: usize = entry.said.iter().map(|it| it.text.len()).sum();
            std::cmp::Reverse((entry.said.len(), letters))
        });
    }
    languages
}

impl Language {
    fn new(name: &'static str) -> Self {
        Self { name, empty: HashSet::new(), entries: Vec::new() }
    }

    /// Whether words are written without spaces between them.
    fn is_unspaced(&self) -> bool {
        matches!(self.name, "zh" | "ja")
    }

    fn words(&self, said: &str) -> Vec<Said> {
        let one = |word: &str| {
            let text = word.trim_end_matches('*');
            Said { text: folded(text), begins: text.len() != word.len() }
        };
        if self.is_unspaced() { vec![one(said)] } else { said.split_whitespace().map(one).collect() }
    }

    /// The goal in English, and how many of its words are known.
    fn translate(&self, words: &[String]) -> (Vec<String>, usize) {
        let (mut english, mut known, mut at) = (Vec::new(), 0, 0);
        while at < words.len() {
            let fits = |entry: &&Entry| {
                entry.said.len() <= words.len() - at
                    && entry.said.iter().zip(&words[at..]).all(|(said, word)| self.is(said, word))
            };
            if let Some(entry) = self.entries.iter().find(fits) {
                english.push(entry.meant.to_owned());
                known += entry.said.len();
                at += entry.said.len();
                continue;
            }
            if self.empty.contains(&words[at]) {
                known += 1;
            } else {
                english.push(words[at].clone());
            }
            at += 1;
        }
        (english, known)
    }

    fn is(&self, said: &Said, word: &str) -> bool {
        // In Arabic the article and short prepositions are written with their word, and so is whose it is.
        let bare = || ["وال", "بال", "لل", "ال", "و", "ب", "ل"].iter().find_map(|it| word.strip_prefix(it));
        let owned = |word: &str| {
            let rest = word.strip_prefix(said.text.as_str()).filter(|_| said.text.chars().count() > 2);
            rest.is_some_and(|rest| matches!(rest, "ي" | "نا" | "ك" | "كم" | "ه" | "ها" | "هم"))
        };
        let fits = |word: &str| said.is(word) || owned(word);
        said.is(word) || (self.name == "ar" && (fits(word) || bare().is_some_and(fits)))
    }

    /// As [`Self::translate`], of a text without spaces.
    fn translate_unspaced(&self, text: &str) -> Vec<String> {
        let (mut english, mut rest) = (Vec::new(), text);
        let mut foreign = String::new();
        while let Some(first) = rest.chars().next() {
            let entry = self.entries.iter().find(|entry| rest.starts_with(&entry.said[0].text));
            let empty = self.empty.iter().filter(|it| rest.starts_with(it.as_str())).map(String::len).max();
            let (meant, length) = match (entry, empty) {
                (Some(entry), _) => (Some(entry.meant.to_owned()), entry.said[0].text.len()),
                (None, Some(length)) => (None, length),
                (None, None) => {
                    // Latin words, such as `sitemap`, stand among the others as they are.
                    if first.is_ascii_alphanumeric() {
                        foreign.push(first);
                    }
                    (None, first.len_utf8())
                }
            };
            if !first.is_ascii_alphanumeric() || meant.is_some() {
                english.extend((!foreign.is_empty()).then(|| std::mem::take(&mut foreign)));
            }
            english.extend(meant);
            rest = &rest[length..];
        }
        english.extend((!foreign.is_empty()).then_some(foreign));
        english
    }
}

/// The goal in English words, where another language knows more of it; `known` are the stems of the contracts.
pub(super) fn in_english<'a>(goal: &'a str, known: &HashSet<String>) -> Cow<'a, str> {
    let text = folded(goal);
    let unspaced = |name: &str| TABLE.iter().find(|it| it.name == name);
    let is_kana = |c: char| matches!(c, '\u{3040}'..='\u{30ff}');
    let is_han = |c: char| matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}');
    let written = if text.contains(is_kana) {
        unspaced("ja")
    } else if text.contains(is_han) {
        unspaced("zh")
    } else {
        None
    };
    if let Some(language) = written {
        return Cow::Owned(language.translate_unspaced(&text).join(" "));
    }
    let words: Vec<String> = words::split(&text).collect();
    let is_english = |word: &&String| {
        let stem = words::stem(word);
        words::stops(word) || known.contains(&stem) || thesaurus::knows(&stem)
    };
    let english = words.iter().filter(is_english).count();
    let spaced = TABLE.iter().filter(|language| !language.is_unspaced());
    let best = spaced.map(|language| language.translate(&words)).max_by_key(|(_, known)| *known);
    match best {
        Some((translated, known)) if known > english => Cow::Owned(translated.join(" ")),
        _ => Cow::Borrowed(goal),
    }
}

/// In lower case, Latin and Cyrillic letters without their marks.
fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.to_lowercase().nfc() {
        match c {
            'ß' => out.push_str("ss"),
            'ł' => out.push('l'),
            'ø' => out.push('o'),
            'æ' => out.push_str("ae"),
            '\u{0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' | 'ё' => {
                out.extend(std::iter::once(c).nfd().filter(|it| !is_combining_mark(*it)));
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn english(goal: &str) -> String {
        let known: HashSet<String> = ["websit", "page", "sitemap", "crawl", "list", "robot"].map(str::to_owned).into();
        in_english(goal, &known).into_owned()
    }

    #[test]
    fn every_row_has_every_language() {
        for row in include_str!("languages.tsv").lines().filter(|row| !row.starts_with('#')) {
            let cells: Vec<&str> = row.split('\t').collect();
            assert_eq!(cells.len(), 12, "{row}");
            assert!(cells.iter().all(|cell| !cell.trim().is_empty()), "{row}");
        }
    }

    #[test]
    fn a_goal_is_put_into_english_whatever_its_script() {
        for (goal, meant) in [
            ("Zeige kaputte Links auf meiner Website", "broken link"),
            ("muéstrame los enlaces rotos", "broken link"),
            ("покажи битые ссылки", "broken link"),
            ("查找死链", "broken link"),
            ("リンク切れを探す", "broken link"),
            ("اعرض الروابط المعطلة", "broken link"),
        ] {
            let english = english(goal);
            assert!(english.contains(meant), "{goal}: {english}");
        }
        assert_eq!(english("検査 sitemap を検証"), "sitemap validate test");
    }

    #[test]
    fn an_english_goal_stays_as_it_is() {
        for goal in ["list the pages of my website", "crawl my site", "robots", ""] {
            assert_eq!(english(goal), goal);
        }
    }
}
