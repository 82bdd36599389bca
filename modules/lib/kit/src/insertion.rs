//! A link put around words of a text as an editor stores it: HTML, block comments, shortcodes.
//!
//! Two tags go into one text node and nothing else changes, so that taking them out gives the bytes that were there.

mod attributes;
mod scan;

use std::ops::Range;

use scan::Visible;

pub use attributes::{Attribute, BlockJson, Marks, marks};

/// A link that was put in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inserted {
    /// The text with the link.
    pub text: String,
    /// Where the opening tag stands in it.
    pub opening: Range<usize>,
    /// Where the closing tag stands in it.
    pub closing: Range<usize>,
}

/// Why no link was put in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// The sentence does not stand in the text: it was changed, or a template writes it.
    TextChanged,
    /// The words are no piece of the sentence.
    NotInSentence,
    /// The words stand where no link may be: in a heading, a link, a script, code, a form or a shortcode.
    Forbidden,
    /// Tags stand between the words.
    Interrupted,
    /// The text links there already.
    AlreadyLinked,
}

impl Refused {
    /// One word for results.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::TextChanged => "text_changed",
            Self::NotInSentence => "anchor_not_in_sentence",
            Self::Forbidden => "forbidden_place",
            Self::Interrupted => "interrupted_by_tags",
            Self::AlreadyLinked => "already_linked",
        }
    }
}

/// Puts a link to `href` around `anchor` where `sentence` stands.
///
/// The sentence is compared as readers see it: white space collapsed, character references read, and the signs that
/// content systems make beautiful (quotation marks, apostrophes, dashes, ellipses) as plain ones. Of several places the
/// first is taken where a link may be.
///
/// # Errors
/// Why there is no such place.
pub fn insert(text: &str, sentence: &str, anchor: &str, href: &str) -> Result<Inserted, Refused> {
    let (wanted, words) = (scan::plain(sentence), scan::plain(anchor));
    if words.is_empty() || wanted.is_empty() {
        return Err(Refused::NotInSentence);
    }
    let within = word_place(&wanted, &words).ok_or(Refused::NotInSentence)?;
    let visible = Visible::of(text);
    if visible.links.iter().any(|link| link == href) {
        return Err(Refused::AlreadyLinked);
    }
    let mut refused = Refused::TextChanged;
    for (at, _) in visible.text.match_indices(&wanted) {
        let place = at + within..at + within + words.len();
        match visible.place(place) {
            Ok(raw) => return Ok(around(text, raw, href)),
            Err(why) => refused = why,
        }
    }
    Err(refused)
}

/// The link that [`insert`] put around `anchor`, wherever it stands now; none when no link to `href` has these words alone
/// in it.
#[must_use]
pub fn find(text: &str, anchor: &str, href: &str) -> Option<Inserted> {
    let opening = format!("<a href=\"{}\">", escaped(href));
    let words = scan::plain(anchor);
    text.match_indices(&opening).find_map(|(at, _)| {
        let start = at + opening.len();
        let end = start + text.get(start..)?.find("</a>")?;
        let same = Visible::of(text.get(start..end)?).text.trim() == words;
        same.then(|| Inserted { text: text.to_owned(), opening: at..start, closing: end..end + 4 })
    })
}

/// Takes the two tags out again.
///
/// None when what stands there is not what was put in.
#[must_use]
pub fn undo(text: &str, inserted: &Inserted) -> Option<String> {
    let tag = |range: &Range<usize>| text.get(range.clone());
    let same = tag(&inserted.opening) == inserted.text.get(inserted.opening.clone())
        && tag(&inserted.closing) == inserted.text.get(inserted.closing.clone());
    same.then_some(())?;
    let between = text.get(inserted.opening.end..inserted.closing.start)?;
    Some([text.get(..inserted.opening.start)?, between, text.get(inserted.closing.end..)?].concat())
}

/// Where words stand in a sentence as whole words; else where they stand at all.
fn word_place(sentence: &str, words: &str) -> Option<usize> {
    let whole = |at: &usize| {
        let apart = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
        apart(sentence[..*at].chars().next_back()) && apart(sentence[*at + words.len()..].chars().next())
    };
    let mut places = sentence.match_indices(words).map(|(at, _)| at);
    places.clone().find(whole).or_else(|| places.next())
}

fn around(text: &str, raw: Range<usize>, href: &str) -> Inserted {
    let opening = format!("<a href=\"{}\">", escaped(href));
    let start = raw.start;
    let close = raw.end + opening.len();
    let text = [&text[..start], &opening, &text[raw.clone()], "</a>", &text[raw.end..]].concat();
    Inserted { text, opening: start..start + opening.len(), closing: close..close + 4 }
}

/// As the value of an attribute between double quotation marks (HTML, 13.1.2.3).
fn escaped(href: &str) -> String {
    href.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests;
