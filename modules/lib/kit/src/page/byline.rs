//! Who wrote a page, as far as readers can see it.

use html5ever::Attribute;

use crate::dom::attribute;
use crate::text::collapse_to;

/// Longer texts are not names.
const LONGEST: usize = 80;
/// Words that introduce an author, in the languages of most pages.
const OPENERS: &[&str] =
    &["by ", "written by ", "author: ", "author ", "von ", "autor: ", "par ", "por ", "di ", "door ", "av ", "af "];

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

/// The name in the text of such an element.
pub(super) fn name_in(text: &str) -> Option<String> {
    let line = collapse_to(text, LONGEST + 1);
    let lower = line.to_lowercase();
    let opener = OPENERS.iter().find(|opener| lower.starts_with(**opener)).map_or(0, |opener| opener.len());
    let name = line.get(opener..)?.trim_matches([' ', ':', ',', '|', '·', '-']);
    let name = name.split([',', '|', '·', '•']).next()?.trim();
    (name.chars().count() >= 2 && line.chars().count() <= LONGEST && name.chars().any(char::is_alphabetic))
        .then(|| name.to_owned())
}

/// A line such as “By Jane Doe” among the first lines of the main text.
pub(super) fn name_in_lines(text: &str) -> Option<String> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).take(12).find_map(|line| {
        let rest =
            ["By ", "Written by ", "Von ", "Par ", "Por "].iter().find_map(|opener| line.strip_prefix(opener))?;
        let name: Vec<&str> = rest
            .split_whitespace()
            .take_while(|word| word.chars().next().is_some_and(char::is_uppercase))
            .take(4)
            .collect();
        let all = rest.split_whitespace().count();
        (name.len() >= 2 && all <= 12).then(|| name.join(" ").trim_end_matches([',', '.', '|']).to_owned())
    })
}
