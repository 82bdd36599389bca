//! Clauses: sentences cut where they turn to something else.

use kit::sentence::sentences;

/// Words at which a sentence turns, by language.
const TURNS: [(&str, &[&str]); 4] = [
    ("en", &["but", "however", "although", "though", "yet", "except", "whereas"]),
    ("de", &["aber", "jedoch", "allerdings", "obwohl", "nur", "sondern", "dafür"]),
    ("fr", &["mais", "cependant", "pourtant", "toutefois", "malgré"]),
    ("es", &["pero", "aunque", "embargo", "excepto", "salvo"]),
];

/// The clauses of a text: sentences, cut before words that turn and at semicolons; commas too where both sides have words
/// enough to say something.
#[must_use]
pub fn clauses<'t>(text: &'t str, language: &str) -> Vec<&'t str> {
    let turns = TURNS.iter().find(|(code, _)| *code == language).map_or(TURNS[0].1, |(_, words)| words);
    let mut all = Vec::new();
    for sentence in text.lines().flat_map(sentences) {
        let mut from = 0;
        for (at, word) in words_at(sentence) {
            let lower = word.to_lowercase();
            let bare = lower.trim_matches(|c: char| !c.is_alphanumeric());
            if at > from && turns.contains(&bare) {
                push(&mut all, &sentence[from..at]);
                from = at;
            }
            let end = at + word.len();
            if word.ends_with(';')
                || (word.ends_with(',') && count(&sentence[from..end]) >= 3 && count(&sentence[end..]) >= 3)
            {
                push(&mut all, &sentence[from..end]);
                from = end;
            }
        }
        push(&mut all, &sentence[from..]);
    }
    all
}

fn push<'t>(all: &mut Vec<&'t str>, clause: &'t str) {
    let clause = clause.trim();
    if clause.chars().any(char::is_alphanumeric) {
        all.push(clause);
    }
}

fn count(text: &str) -> usize {
    text.split_whitespace().count()
}

/// The words with where they begin.
fn words_at(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_whitespace().map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}
