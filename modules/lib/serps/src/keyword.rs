//! The form by which keywords are the same.

use unicode_normalization::UnicodeNormalization as _;

/// The normal form of a keyword: NFKC, lower case, quotes and dashes unified, punctuation as spaces. Signs that are part of words
/// stay: `c++`, `c#`, `at&t`, `.net`, `e-bike`, `10%`. `language` decides the lower case of a dotted capital i.
#[must_use]
pub fn normal(keyword: &str, language: &str) -> String {
    let turkic = matches!(language, "tr" | "az");
    let mut text = String::with_capacity(keyword.len());
    for letter in keyword.nfkc() {
        match letter {
            'I' if turkic => text.push('ı'),
            'İ' if turkic => text.push('i'),
            '’' | '‘' | 'ʼ' | '`' | '´' => text.push('\''),
            '‐' | '‑' | '‒' | '–' | '—' | '−' => text.push('-'),
            '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{ad}' => {}
            '“' | '”' | '„' | '«' | '»' | '"' => text.push(' '),
            ',' | ';' | ':' | '!' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | '\\' | '/' | '=' | '~' | '^'
            | '*' | '<' | '>' | '¿' | '¡' | '、' | '。' => text.push(' '),
            _ if letter.is_control() => text.push(' '),
            _ => text.extend(letter.to_lowercase()),
        }
    }
    // The lower case of a dotted capital i has a dot of its own beside it elsewhere.
    let text = text.replace("i\u{307}", "i");
    text.split_whitespace().map(word).filter(|it| !it.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A word without signs at its edges that are no part of it.
fn word(word: &str) -> &str {
    let word = word.trim_start_matches(['+', '#', '&', '-', '\'', '@', '%']);
    // `.net` is a word, `. net` and `...` are not.
    let named = word.strip_prefix('.').is_some_and(|it| it.starts_with(char::is_alphanumeric));
    let word = if named { word } else { word.trim_start_matches(['.', '-', '\'']) };
    let word = word.trim_end_matches(['.', '-', '\'', '&', '@']);
    if word.chars().any(char::is_alphanumeric) { word } else { "" }
}
