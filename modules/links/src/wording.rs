//! Whether words of a sentence can be the text of a link: they stand by themselves, in prose, and as the name has
//! them.

use std::ops::Range;

use kit::phrases::Code;

/// Words of prose that mean nothing alone, such as `the`: a line with fewer is a signature, a list or code.
const PROSE: f64 = 0.15;
/// Letters by which an inflection may end otherwise: `lamp` and `lamps`, not `import` and `importing`.
const ENDING: usize = 2;

/// Whether a sentence of a language with words that mean nothing alone has enough of them.
#[expect(clippy::cast_precision_loss, reason = "a sentence has few words")]
pub(crate) fn is_prose(sentence: &str, places: &[(Code, Range<usize>)]) -> bool {
    let little = |(code, at): &(Code, Range<usize>)| {
        let mut letters = sentence[at.clone()].chars();
        code.is_stop() && letters.next().is_some_and(char::is_alphabetic) && letters.next().is_some()
    };
    places.iter().filter(|place| little(place)).count() as f64 >= PROSE * places.len() as f64
}

/// How the words of a sentence are written that may name a page.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Form<'a> {
    /// Several words.
    Phrase,
    /// One, as names are written.
    Name,
    /// One, as any other.
    Word(&'a str),
}

impl<'a> Form<'a> {
    /// A name has a capital, or a sign that is none of the small letters, which the beginning of the sentence does not
    /// account for. Scripts without small letters do not tell: there every word counts as one.
    pub(crate) fn of(sentence: &'a str, words: &[(Code, Range<usize>)]) -> Self {
        let [(_, at)] = words else { return Self::Phrase };
        let begins = !sentence[..at.start].contains(char::is_alphanumeric);
        let word = &sentence[at.clone()];
        let capital = |it: char| it.is_alphanumeric() && !it.is_lowercase();
        let small = word.chars().any(char::is_lowercase);
        let named = word.chars().skip(usize::from(begins && small)).any(capital);
        if named { Self::Name } else { Self::Word(word) }
    }
}

/// Whether words stand by themselves: no part of a path, a compound or a longer sign, with nothing between them but white
/// space, hyphens and strokes.
pub(crate) fn stands_alone(sentence: &str, words: &[(Code, Range<usize>)]) -> bool {
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return false };
    let mut after = sentence[last.1.end..].chars();
    let (before, next, beyond) = (sentence[..first.1.start].chars().next_back(), after.next(), after.next());
    let open = |it: char| it.is_whitespace() || "([{“‘„‚\"'«»—–¿¡".contains(it);
    let shut = |it: char| it.is_whitespace() || ")]}”’“‘\"'»«—–,;:!?…。、".contains(it);
    let ends = next == Some('.') && beyond.is_none_or(shut);
    let joined = |pair: &[(Code, Range<usize>)]| {
        sentence[pair[0].1.end..pair[1].1.start].chars().all(|it| it.is_whitespace() || "-‐–/_'’".contains(it))
    };
    before.is_none_or(open) && (ends || next.is_none_or(shut)) && words.windows(2).all(joined)
}

/// Whether a telling word follows at once: `directory access times` says nothing of directory access, but of times. Languages
/// without words that mean nothing alone do not tell.
pub(crate) fn goes_on(sentence: &str, places: &[(Code, Range<usize>)], words: &Range<usize>) -> bool {
    let (Some(last), Some(next)) = (words.end.checked_sub(1).and_then(|it| places.get(it)), places.get(words.end))
    else {
        return false;
    };
    !next.0.is_stop() && sentence[last.1.end..next.1.start].chars().all(char::is_whitespace)
}

/// Whether a name has these words, each in nearly the same form. A single word must stand as it does in the name: `selector`
/// is another thing than a module `selectors`.
pub(crate) fn as_named(name: &[(Code, &str)], found: &[(Code, &str)], single: bool) -> bool {
    found.iter().filter(|(code, _)| !code.is_stop()).all(|(code, word)| {
        let same =
            |(known, form): &&(Code, &str)| known == code && if single { equal(form, word) } else { near(form, word) };
        name.iter().any(|it| same(&it))
    })
}

/// Whether the words are the end of a longer name of their own: `Apache HTTP Server` is no `HTTP Server`. All are written
/// with capitals, and the word before them too, which begins no sentence.
pub(crate) fn ends_a_name(sentence: &str, places: &[(Code, Range<usize>)], words: &Range<usize>) -> bool {
    let is_capital = |at: &Range<usize>| sentence[at.clone()].chars().next().is_some_and(char::is_uppercase);
    let Some((before, at)) = words.start.checked_sub(1).filter(|it| *it > 0).and_then(|it| places.get(it)) else {
        return false;
    };
    let own = &places[words.clone()];
    let adjacent = own.first().is_some_and(|(_, first)| sentence[at.end..first.start].chars().all(char::is_whitespace));
    adjacent && !before.is_stop() && is_capital(at) && own.iter().all(|(code, at)| code.is_stop() || is_capital(at))
}

/// Whether the last of the words is a verb in an English sentence, while the name has the noun: `an event schedules others`,
/// `your platform supports it`.
pub(crate) fn is_verb(
    sentence: &str,
    places: &[(Code, Range<usize>)],
    words: &Range<usize>,
    name: &[(Code, &str)],
) -> bool {
    let word = |at: usize| places.get(at).map(|(_, at)| sentence[at.clone()].to_lowercase());
    let (Some(last), Some((code, _))) = (word(words.end - 1), places.get(words.end - 1)) else { return false };
    let noun = last
        .strip_suffix('s')
        .is_some_and(|bare| name.iter().any(|(known, form)| known == code && form.to_lowercase() == bare));
    let before = words.start.checked_sub(1).and_then(word).unwrap_or_default();
    let after = word(words.end).unwrap_or_default();
    noun && (matches!(before.as_str(), "a" | "an" | "each" | "every" | "this" | "that" | "one")
        || matches!(after.as_str(), "it" | "them" | "this" | "these" | "those" | "other" | "others")
        || (after.len() > 4 && after.ends_with("ing")))
}

fn bare(word: &str) -> String {
    let lower = word.to_lowercase();
    lower.strip_suffix("'s").or_else(|| lower.strip_suffix("’s")).unwrap_or(&lower).to_owned()
}

fn equal(a: &str, b: &str) -> bool {
    bare(a) == bare(b)
}

fn near(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (bare(a).chars().collect(), bare(b).chars().collect());
    let common = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    a.len() - common <= ENDING && b.len() - common <= ENDING
}

#[cfg(test)]
mod tests;
