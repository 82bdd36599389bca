//! What people read: a lint that refuses what no task may ask for, and the invitation around a campaign's own words.
//!
//! Nothing may ask for a search, a click, a rating or a review, in any language: search engines and review sites count
//! such asking as manipulation (Google, "Fake engagement" and "Spam policies for Google web search", 2025-03), and people
//! are not to be used for it. The lint errs on the strict side: a word that could be harmless can be said otherwise.

mod fold;
mod invitation;
mod rules;

use schemars::JsonSchema;
use sdk::prelude::*;
use serde::{Deserialize, Serialize};

pub use invitation::{Invitation, To, invitation};

/// What a text asks for and may not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Asking {
    /// To search, or to use a search engine.
    Search,
    /// To click.
    Click,
    /// To rate, or to give stars.
    Rating,
    /// To write a review.
    Review,
}

/// What was found, with the words that say it, folded to plain letters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Refused {
    /// What it asks for.
    pub asks_for: Asking,
    /// The words, in the order of the text.
    pub words: String,
}

/// Everything in a text that may not be asked for; nothing for a text that can be shown.
#[must_use]
pub fn lint(text: &str) -> Vec<Refused> {
    let folded = fold::fold(text);
    let words: Vec<&str> = folded.split(' ').filter(|word| !word.is_empty()).collect();
    let mut found: Vec<Refused> = Vec::new();
    let mut say = |asks_for, words: String| {
        let refused = Refused { asks_for, words };
        if !found.contains(&refused) {
            found.push(refused);
        }
    };
    for (at, _) in words.iter().enumerate() {
        for (asks_for, stems) in rules::STEMS {
            if let Some(matched) = rules::at(stems, &words[at..]) {
                say(*asks_for, matched);
            }
        }
    }
    for (asks_for, parts) in rules::PARTS {
        for part in parts.iter().filter(|part| folded.contains(*part)) {
            say(*asks_for, (*part).to_owned());
        }
    }
    found
}

/// Goes on only with a text that asks for nothing of the kind.
///
/// # Errors
/// 422 `wording_refused` at `pointer`, with everything that was found.
pub fn check(pointer: &str, text: &str) -> Result<()> {
    let found = lint(text);
    let Some(first) = found.first() else { return Ok(()) };
    let what = match first.asks_for {
        Asking::Search => "to search",
        Asking::Click => "to click",
        Asking::Rating => "to rate",
        Asking::Review => "to review",
    };
    let message = format!("people may be invited to look and to share, and nothing may ask them {what}");
    Err(Fault::invalid(pointer, "wording_refused", message).detail(serde_json::json!({ "refused": found })))
}

#[cfg(test)]
mod tests;
