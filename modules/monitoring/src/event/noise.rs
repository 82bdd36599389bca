//! Patterns of what changes by itself on a page: dates, counters, tokens.

use regex::escape;
use similar::{ChangeTag, TextDiff};

/// Patterns that one event may give.
pub(crate) const MOST: usize = 20;
/// Characters of what stands before, which tell where on the page it is.
const CONTEXT: usize = 40;

/// Patterns of what differs between two texts: those of the first [`MOST`] places, and one more where more places differ.
pub(crate) fn patterns(before: &str, after: &str) -> Vec<String> {
    let diff = TextDiff::from_unicode_words(before, after);
    let mut out: Vec<String> = Vec::new();
    // What stood before, what was taken away, what came instead.
    let (mut context, mut removed, mut added) = (String::new(), String::new(), String::new());
    for change in diff.iter_all_changes() {
        match change.tag() {
            ChangeTag::Delete => removed.push_str(change.value()),
            ChangeTag::Insert => added.push_str(change.value()),
            ChangeTag::Equal => {
                // A dot or a space between two numbers that changed belongs to them.
                let joins = !(removed.is_empty() && added.is_empty()) && change.value().len() <= 2;
                if joins && !change.value().chars().any(char::is_alphanumeric) {
                    removed.push_str(change.value());
                    added.push_str(change.value());
                    continue;
                }
                flush(&context, &mut removed, &mut added, &mut out);
                if out.len() > MOST {
                    break;
                }
                context.push_str(change.value());
                // What stands before a change is told by its end alone.
                if context.len() > 8 * CONTEXT {
                    let end = context.ceil_char_boundary(context.len() - 4 * CONTEXT);
                    context.drain(..end);
                }
            }
        }
    }
    flush(&context, &mut removed, &mut added, &mut out);
    out.sort();
    out.dedup();
    out
}

fn flush(context: &str, removed: &mut String, added: &mut String, out: &mut Vec<String>) {
    if removed.is_empty() && added.is_empty() {
        return;
    }
    let (before, after) = (template(removed.trim()), template(added.trim()));
    let what = match (before.is_empty(), after.is_empty()) {
        (true, _) => after,
        (_, true) => before,
        _ if before == after => before,
        _ => format!("(?:{before}|{after})"),
    };
    removed.clear();
    added.clear();
    let line = context.rsplit('\n').next().unwrap_or_default();
    let near: String = line.chars().rev().take(CONTEXT).collect::<Vec<_>>().into_iter().rev().collect();
    // From a word's begin: a half word is none.
    let near =
        near.find(char::is_whitespace).filter(|_| near.chars().count() == CONTEXT).map_or(&*near, |at| &near[at..]);
    let near = near.trim_start();
    out.push(if near.is_empty() { what } else { format!("{}{what}", escape(near)) });
}

/// A text with its numbers and tokens as classes.
fn template(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        let word = &rest[..end];
        if word.is_empty() {
            out.push_str(&escape(&rest[..first.len_utf8()]));
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let digits = word.chars().filter(char::is_ascii_digit).count();
        if digits == word.len() {
            out.push_str(r"\d+");
        } else if word.len() >= 8 && digits > 0 {
            out.push_str(r"\w+");
        } else if is_of_date(word) {
            out.push_str(r"\p{L}+");
        } else {
            out.push_str(&escape(word));
        }
        rest = &rest[end..];
    }
    out
}

/// Whether a word is a month or a weekday, or one of those that stand with them, in English.
fn is_of_date(word: &str) -> bool {
    const PREFIXES: [&str; 19] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mon", "tue", "wed", "thu",
        "fri", "sat", "sun",
    ];
    let word = word.to_lowercase();
    let is_long = [
        "ary", "uary", "ch", "il", "e", "y", "ust", "tember", "ober", "ember", "day", "sday", "nesday", "rsday",
        "urday", "",
    ];
    PREFIXES.iter().any(|it| word.strip_prefix(it).is_some_and(|rest| is_long.contains(&rest)))
}
