//! Words of goals and contracts: split, and stemmed so that `listing`, `lists` and `listed` are one word.

use std::collections::HashSet;
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};

/// Words that say nothing about a goal.
static STOP: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "a about across ain all almost already also am an and any anybody anyone are aren as at be because been before \
     behind being both but by called came can cannot come comes could couldn d did didn do does doesn doing don done \
     each either else ever every everybody everything few for from full gets getting give gives go goes going gone \
     gonna good got had has hasn have haven having he help her here hey hi him his how i if im in into is isn it its \
     just keep know last left let lets like ll look lot m made make makes many may maybe me might mine month more \
     most much must my need needs never next no not now of off often ok okay old on once one ones only or other our \
     ours out over own people per person please pls put quickly quite rather re really right s same shall she should \
     shouldn since so some somebody someone something still such sure t take takes tell than thanks that the their \
     them then there these they thing things think this those through time to today together too try two under until \
     up upon us use uses using ve very via want wanted wants was wasn way we week well went were weren what whatever \
     when where whether which while who whose why will wish with without won would wouldn yes yet you your yours"
        .split_whitespace()
        .collect()
});

/// Whether a word says nothing about a goal.
pub(super) fn stops(word: &str) -> bool {
    STOP.contains(word)
}

/// All of them.
pub(super) fn stop_words() -> impl Iterator<Item = &'static str> {
    STOP.iter().copied()
}

/// The words of a text in lower case, in order.
pub(super) fn split(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// The stems of a text, stop words left out, repetitions kept.
pub(super) fn stems(text: &str) -> impl Iterator<Item = String> + '_ {
    split(text).filter(|word| !stops(word)).map(|word| stem(&word))
}

/// The Snowball stem of an English word; British and American spellings are one.
pub(super) fn stem(word: &str) -> String {
    if !word.is_ascii() || word.len() <= 2 || word.bytes().any(|byte| byte.is_ascii_digit()) {
        return word.to_owned();
    }
    if word.starts_with("analys") || word.starts_with("analyz") {
        return "analyz".to_owned();
    }
    let stemmer = Stemmer::create(Algorithm::English);
    stemmer.stem(&american(word)).into_owned()
}

/// The American spelling where the British one would have another stem.
fn american(word: &str) -> String {
    for (british, american) in [
        ("isations", "izations"),
        ("isation", "ization"),
        ("ising", "izing"),
        ("ised", "ized"),
        ("ises", "izes"),
        ("ise", "ize"),
    ] {
        // Short words such as `raise` are spelt so on both sides of the sea.
        if let Some(base) = word.strip_suffix(british)
            && base.len() >= 4
        {
            return format!("{base}{american}");
        }
    }
    for (british, american) in
        [("colour", "color"), ("favour", "favor"), ("behaviour", "behavior"), ("catalogue", "catalog")]
    {
        if let Some(rest) = word.strip_prefix(british) {
            return format!("{american}{rest}");
        }
    }
    word.to_owned()
}
