//! Text of a contract on a page: what stands between backticks is code.

use std::fmt;

use askama::filters::HtmlSafe;

/// HTML in which everything of the text is escaped, and code is marked.
pub(super) struct Prose(String);

impl Prose {
    pub(super) fn new(text: &str) -> Self {
        let mut html = String::with_capacity(text.len() + 32);
        let pieces: Vec<&str> = text.split('`').collect();
        for (number, piece) in pieces.iter().enumerate() {
            // A backtick without a partner is a backtick.
            let is_code = number % 2 == 1 && number + 1 < pieces.len();
            html.push_str(match (is_code, number % 2) {
                (true, _) => "<code>",
                (false, 1) => "`",
                (false, _) => "",
            });
            piece.chars().for_each(|letter| escape(letter, &mut html));
            html.push_str(if is_code { "</code>" } else { "" });
        }
        Self(html)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn escape(letter: char, html: &mut String) {
    match letter {
        '&' => html.push_str("&amp;"),
        '<' => html.push_str("&lt;"),
        '>' => html.push_str("&gt;"),
        '"' => html.push_str("&quot;"),
        '\'' => html.push_str("&#39;"),
        other => html.push(other),
    }
}

impl fmt::Display for Prose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Escaped when it was made.
impl HtmlSafe for Prose {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_marked_and_nothing_of_the_text_becomes_markup() {
        for (text, html) in [
            ("whatever their `rel`, said", "whatever their <code>rel</code>, said"),
            ("`<b>` & \"it's\"", "<code>&lt;b&gt;</code> &amp; &quot;it&#39;s&quot;"),
            ("one ` alone", "one ` alone"),
            ("`a` and ` b", "<code>a</code> and ` b"),
            ("", ""),
        ] {
            assert_eq!(Prose::new(text).to_string(), html, "{text}");
        }
    }
}
