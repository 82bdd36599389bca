//! What a language model wrote, before it may stand on a page. The text of a page may try to speak through the
//! model, so addresses, markup and numbers that the page does not have are refused.

use crate::text::{collapse, words};

/// The text as one line without quotation marks around it. `named` says of a word, without what is neither letter nor
/// digit around it, whether it may stand there though it looks like an address.
///
/// # Errors
/// Why it cannot be used: `empty`, `markup` or `address`.
pub fn line(text: &str, named: impl Fn(&str) -> bool) -> Result<String, &'static str> {
    let line = collapse(text).trim_matches(['"', '“', '”', '„']).to_owned();
    if line.is_empty() || line.chars().any(char::is_control) {
        return Err("empty");
    }
    if line.contains(['<', '>', '{', '}', '\\']) || line.contains("](") {
        return Err("markup");
    }
    let lower = line.to_lowercase();
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    if lower.contains("://") || lower.split_whitespace().map(bare).any(|word| is_address(&word) && !named(&word)) {
        return Err("address");
    }
    Ok(line)
}

/// Refuses a line with a number that the page does not say; `said` knows the page's words in lower case.
///
/// # Errors
/// `number_not_on_the_page`.
pub fn numbers(line: &str, said: impl Fn(&str) -> bool) -> Result<(), &'static str> {
    let lower = line.to_lowercase();
    let number = |word: &&str| word.chars().any(|c| c.is_ascii_digit());
    let new = lower.split_whitespace().flat_map(words).filter(number).any(|word| !said(word));
    if new { Err("number_not_on_the_page") } else { Ok(()) }
}

/// Looks like an address: `www.shop.example`, `shop.example/x`, `a@shop.example`.
fn is_address(word: &str) -> bool {
    let host = word.split('/').next().unwrap_or_default();
    let (name, end) = host.rsplit_once('.').unwrap_or_default();
    word.contains('@')
        || word.starts_with("www.")
        || (name.chars().any(char::is_alphabetic) && end.len() >= 2 && end.chars().all(|c| c.is_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_taken_out_of_its_quotation_marks_and_white_space() {
        assert_eq!(line(" „Lamps  that\nlast“ ", |_| false).as_deref(), Ok("Lamps that last"));
    }

    #[test]
    fn markup_addresses_and_nothing_are_refused_by_name() {
        for (text, why) in [
            ("", "empty"),
            ("\"\"", "empty"),
            ("Lamps <b>", "markup"),
            ("[Lamps](x)", "markup"),
            ("See https://evil", "address"),
            ("Ask a@shop.example!", "address"),
            ("On (www.shop)", "address"),
            ("Buy at Shop.Example/x", "address"),
        ] {
            assert_eq!(line(text, |_| false), Err(why), "{text}");
        }
        assert!(line("About Shop.Example.", |word| word == "shop.example").is_ok());
    }

    #[test]
    fn addresses_are_told_from_words_and_ends_of_sentences() {
        for it in ["www.shop.example", "shop.example/x", "ada@shop.example", "(shop.example)"] {
            assert_eq!(line(it, |_| false), Err("address"), "{it}");
        }
        for it in ["lamp.", "e.g.", "3.5", "word", "2.0", "."] {
            assert!(line(it, |_| false).is_ok(), "{it}");
        }
    }

    #[test]
    fn a_number_must_stand_on_the_page() {
        assert_eq!(numbers("From 99 euros", |_| false), Err("number_not_on_the_page"));
        assert_eq!(numbers("From 99 Euros", |word| word == "99"), Ok(()));
        assert_eq!(numbers("No number", |_| false), Ok(()));
    }
}
