//! Who wrote a page, as far as readers can see it.

use html5ever::Attribute;

use crate::dates;
use crate::dom::attribute;
use crate::text::{collapse_to, is_hangul, is_spaceless};

/// Longer texts are not bylines.
const LONGEST: usize = 160;
/// Longer texts are not names.
const LONGEST_NAME: usize = 60;
/// Lines of the main text among which one may be a byline.
const LINES: usize = 12;
/// More words than this are a sentence.
const MOST_WORDS: usize = 16;
/// Authors of one page.
const MOST_PEOPLE: usize = 8;

/// Words that introduce an author wherever a line begins with them. In all of these tables: in lower case, and with the ASCII
/// sign where a script has its own colon or stroke.
const OPENERS: &[&str] = &[
    "posted by ",
    "published by ",
    "written by ",
    "story by ",
    "words by ",
    "article by ",
    "by: ",
    "by ",
    "author: ",
    "authors: ",
    "geschrieben von ",
    "verfasst von ",
    "veröffentlicht von ",
    "von ",
    "autor: ",
    "autorin: ",
    "rédigé par ",
    "écrit par ",
    "publié par ",
    "par ",
    "auteur : ",
    "auteur: ",
    "escrito por ",
    "publicado por ",
    "por ",
    "scritto da ",
    "pubblicato da ",
    "a cura di ",
    "autore: ",
    "geschreven door ",
    "door ",
    "skriven av ",
    "skrevet av ",
    "skrevet af ",
    "kirjoittaja: ",
    "kirjoittanut ",
    "teksti: ",
    "yazar: ",
    "yazan: ",
    "автор: ",
    "авторы: ",
    "автор статьи: ",
    "текст: ",
    "autorka: ",
    "autorzy: ",
    "szerző: ",
    "írta: ",
    "συντάκτης: ",
    "oleh ",
    "penulis: ",
    "tác giả: ",
    "ผู้เขียน: ",
    "ผู้เขียน ",
    "بقلم: ",
    "بقلم ",
    "الكاتب: ",
    "מאת: ",
    "מאת ",
    "लेखक: ",
    "作者:",
    "作者 ",
    "撰文:",
    "撰文/",
    "文:",
    "文/",
    "文＝",
    "记者:",
    "记者 ",
    "記者:",
    "記者/",
    "記者 ",
    "著者:",
    "執筆者:",
    "執筆:",
    "筆者:",
    "ライター:",
    "投稿者:",
    "글:",
    "글 ",
    "저자:",
    "작성자:",
    "작성자 ",
];
/// Words that introduce an author only where the markup says that there is one: they begin too many other lines.
const MARKED: &[&str] = &["author ", "autor ", "di ", "da ", "av ", "af ", "de ", "text: ", "автор "];
/// Between what a line says of the publication and the author: `Posted on 3 May 2024 by Jane Doe`.
const LATER: &[&str] = &[" by ", " von ", " par ", " por ", " da ", " door ", " av ", " af "];
/// Words that such a line begins with.
const POSTED: &[&str] = &[
    "posted",
    "published",
    "written",
    "veröffentlicht",
    "publié",
    "publicado",
    "pubblicato",
    "geplaatst",
    "publicerad",
];
/// Between two names.
const AND: &[&str] = &[
    " and ", " & ", " und ", " et ", " en ", " och ", " og ", " ja ", " ve ", " и ", " і ", " with ", "、", "; ", ";",
    " + ",
];
/// Between two names, or within one: `José Ortega y Gasset`. They part people only before a whole name.
const WITHIN: [&str; 3] = [" y ", " e ", " i "];
/// Parts of names that are written small.
const PARTICLES: &[&str] = &[
    "van", "von", "de", "der", "den", "da", "dos", "das", "do", "di", "del", "della", "la", "le", "du", "bin", "ibn",
    "al", "el", "ter", "ten", "zu", "zur", "af", "av", "’t", "'t", "y", "e", "i",
];
/// Between a name and a date.
const DATED: &[&str] = &[" on", " am", " le", " el", " il", " op", " den", " em"];
/// What stands after a name for what its bearer does, in scripts where it is no part of the name.
const AFTER: &[&str] = &["记者", "記者", "报道", "報導", "기자", "특파원", "編集部員", "さん", "氏"];

/// Whether an element is marked as holding the author.
pub(super) fn marks_author(attrs: &[Attribute]) -> bool {
    let has = |name: &str, test: fn(&str) -> bool| {
        attribute(attrs, name).is_some_and(|value| value.split_ascii_whitespace().any(test))
    };
    has("rel", |word| word.eq_ignore_ascii_case("author"))
        || has("itemprop", |word| word == "author")
        || has("class", |word| {
            let word = word.to_ascii_lowercase();
            matches!(
                word.as_str(),
                "author" | "byline" | "p-author" | "author-name" | "entry-author" | "post-author" | "article-author"
            ) || word.ends_with("__author")
                || word.ends_with("__byline")
                || word.ends_with("-byline")
        })
}

/// The names of several people in one text; see [`super::people`].
#[must_use]
pub(super) fn joined(names: &[String]) -> Option<String> {
    (!names.is_empty()).then(|| names.join("; "))
}

/// The people that a byline names.
pub fn people(byline: &str) -> impl Iterator<Item = &str> {
    byline.split("; ")
}

/// The names in the text of an element that is marked as holding the author.
pub(super) fn name_in(text: &str) -> Option<String> {
    let line = ascii_signs(&collapse_to(text, LONGEST + 1));
    if line.chars().count() > LONGEST {
        return None;
    }
    let rest = opened(&line, OPENERS).or_else(|| opened(&line, MARKED)).or_else(|| later(&line)).unwrap_or(&line);
    let names = names(rest);
    joined(&names)
}

/// The names in a line such as “By Jane Doe” among the first lines of the main text.
pub(super) fn name_in_lines(text: &str) -> Option<String> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).take(LINES).find_map(name_in_line)
}

fn name_in_line(line: &str) -> Option<String> {
    if line.chars().count() > LONGEST || line.split_whitespace().count() > MOST_WORDS {
        return None;
    }
    let line = ascii_signs(line);
    let korean =
        || line.split(['|', '·', '(']).next().filter(|it| it.trim_end().ends_with(" 기자") && it.len() <= LONGEST_NAME);
    let rest = opened(&line, OPENERS).or_else(|| later(&line)).or_else(korean)?;
    let names = names(rest);
    let named = !names.is_empty() && names.iter().all(|it| is_written_as_a_name(it));
    // What follows the names is a date, or parted from them: a sentence goes on in small letters.
    let last = names.last().and_then(|it| rest.rfind(it.as_str()).map(|at| rest[at + it.len()..].trim_start()));
    let goes_on =
        last.is_some_and(|it| it.starts_with(char::is_lowercase) && !it.contains(|c: char| c.is_ascii_digit()));
    if named && !goes_on { joined(&names) } else { None }
}

/// Colons and strokes of full width as ASCII has them.
fn ascii_signs(line: &str) -> String {
    line.replace('：', ":").replace(['／', '∕'], "/").replace('｜', "|").replace('；', ";")
}

fn opened<'a>(line: &'a str, openers: &[&str]) -> Option<&'a str> {
    let longest = openers.iter().filter(|opener| begins(line, opener)).max_by_key(|opener| opener.len())?;
    let skip = longest.chars().count();
    line.char_indices().nth(skip).map(|(at, _)| line[at..].trim_start())
}

/// Whether a line begins with a text in lower case, whatever its own case.
fn begins(line: &str, opener: &str) -> bool {
    let mut letters = line.chars().flat_map(char::to_lowercase);
    opener.chars().all(|it| letters.next() == Some(it))
}

/// What follows the word for the author in a line that begins with the publication.
fn later(line: &str) -> Option<&str> {
    let publishes =
        POSTED.iter().any(|word| begins(line, word)) || dates::in_text(line).is_some_and(|it| line.starts_with(&it.0));
    let after = |word: &&str| line.find(*word).map(|at| &line[at + word.len()..]);
    LATER.iter().filter(|_| publishes).find_map(after)
}

/// The names that a text begins with.
fn names(text: &str) -> Vec<String> {
    let text = text.split(['|', '·', '•', '(', '\n', '@', '/', '[']).next().unwrap_or_default();
    let text = [" - ", " – ", " — ", " on ", " at ", " in ", " for "]
        .iter()
        .fold(text, |it, end| it.split(end).next().unwrap_or(it));
    let text = match dates::in_text(text) {
        Some((date, _)) => text.find(date.split(' ').next().unwrap_or(&date)).map_or(text, |at| &text[..at]),
        None => text,
    };
    let text = text.split(|c: char| c.is_ascii_digit()).next().unwrap_or_default();
    let parted = AND.iter().fold(vec![text], |parts, and| parts.into_iter().flat_map(|it| it.split(and)).collect());
    let parted: Vec<&str> = parted.into_iter().flat_map(people_within).collect();
    let is_list = parted.len() > 1;
    let mut out: Vec<String> = Vec::new();
    for part in parted {
        // After a comma stands what somebody does, unless the text is a list of people.
        for (at, piece) in part.split([',', '，']).enumerate() {
            let Some(name) = cleaned(piece) else { continue };
            if out.len() >= MOST_PEOPLE || (at > 0 && !(is_list && is_written_as_a_name(&name))) || out.contains(&name)
            {
                break;
            }
            out.push(name);
        }
    }
    // Of `Jane Doe and the team` only the first is a name.
    let first = out.first().is_some_and(|it| is_written_as_a_name(it));
    if first {
        out.retain(|it| is_written_as_a_name(it));
    } else {
        out.truncate(1);
    }
    out
}

/// The people of a text that [`WITHIN`] parts.
fn people_within(text: &str) -> Vec<&str> {
    let mut places: Vec<(usize, usize)> =
        WITHIN.iter().flat_map(|word| text.match_indices(word).map(|(at, word)| (at, at + word.len()))).collect();
    places.sort_unstable();
    let (mut out, mut from) = (Vec::new(), 0);
    for (number, (end, next)) in places.iter().copied().enumerate() {
        let until = places.get(number + 1).map_or(text.len(), |it| it.0);
        let following = text.get(next..until).and_then(|it| it.split([',', '，']).next()).and_then(cleaned);
        if end >= from && following.is_some_and(|it| is_written_as_a_name(&it)) {
            out.push(&text[from..end]);
            from = next;
        }
    }
    out.push(&text[from..]);
    out
}

/// A name without what is around it; none: there is none.
fn cleaned(piece: &str) -> Option<String> {
    let around = |c: char| !c.is_alphanumeric() && !is_spaceless(c);
    let mut name = piece.trim_matches(around);
    for word in DATED {
        name = name.strip_suffix(word).unwrap_or(name);
    }
    for after in AFTER {
        name = name.strip_suffix(after).unwrap_or(name).trim_end();
    }
    let length = name.chars().count();
    ((2..=LONGEST_NAME).contains(&length) && name.chars().any(char::is_alphabetic)).then(|| name.to_owned())
}

/// Whether a text is written as names of people are: two words or more that begin large, or few letters of a script that
/// has no large ones.
fn is_written_as_a_name(name: &str) -> bool {
    let has_case = |word: &str| word.chars().next().is_some_and(|c| c.is_uppercase() || c.is_lowercase());
    let words: Vec<&str> = name.split_whitespace().collect();
    if !words.iter().any(|word| has_case(word)) {
        let letters = name.chars().filter(|c| c.is_alphabetic()).count();
        let is_short = name.chars().all(|c| !is_spaceless(c) && !is_hangul(c)) || letters <= 12;
        return is_short && letters >= 2 && words.len() <= 4;
    }
    let large = |word: &&str| word.starts_with(char::is_uppercase);
    let small = |word: &&str| PARTICLES.contains(word);
    let count = words.iter().filter(|word| large(word)).count();
    (2..=5).contains(&count) && words.len() <= 6 && words.iter().all(|word| large(word) || small(word))
}
