//! Texts as names are compared in them: compatibility forms, small letters and no accents, with a map back.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// A folded text, each of whose bytes knows the character that it comes from.
pub(crate) struct Folded {
    /// The text.
    pub(crate) text: String,
    /// For each byte, and for its end, the character of the original.
    at: Vec<u32>,
}

impl Folded {
    /// Folds a text.
    pub(crate) fn new(original: &str) -> Self {
        let mut text = String::with_capacity(original.len());
        let mut at = Vec::with_capacity(original.len() + 1);
        let mut place = 0_u32;
        for letter in original.chars() {
            push(letter, &mut text);
            at.resize(text.len(), place);
            place += 1;
        }
        at.push(place);
        Self { text, at }
    }

    /// The character of the original at a byte.
    pub(crate) fn origin(&self, byte: usize) -> usize {
        self.at.get(byte).or(self.at.last()).map_or(0, |it| *it as usize)
    }
}

/// A text as names are compared.
pub(crate) fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    text.chars().for_each(|letter| push(letter, &mut out));
    out
}

fn push(letter: char, out: &mut String) {
    match letter {
        // What typewriters and phones make of the same signs.
        '\u{2019}' | '\u{2018}' | '\u{02BC}' => out.push('\''),
        '\u{2010}'..='\u{2014}' => out.push('-'),
        'ß' | 'ẞ' => out.push_str("ss"),
        _ if letter.is_ascii() => out.push(letter.to_ascii_lowercase()),
        _ => {
            let parts = letter.nfkd().filter(|it| !is_combining_mark(*it));
            out.extend(parts.flat_map(char::to_lowercase));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Folded, fold};

    #[test]
    fn accents_case_and_compatibility_forms_fold_away() {
        assert_eq!(fold("Müller’s ＬＡＭＰ"), "muller's lamp");
        assert_eq!(fold("Straße–Nord"), "strasse-nord");
    }

    #[test]
    fn a_folded_place_leads_back_to_its_character() {
        let folded = Folded::new("aß Café ﬁn");
        let at = folded.text.find("cafe").unwrap();
        assert_eq!((folded.origin(at), folded.origin(at + 4)), (3, 7));
        let end = folded.text.len();
        assert_eq!(folded.origin(end), 10);
    }
}
