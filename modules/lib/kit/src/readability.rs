//! How hard a text is to read, by the published formulas.

mod syllables;

use std::collections::HashSet;
use std::sync::OnceLock;

pub use syllables::count as syllables;

/// Words that four of five American pupils knew at the end of the fourth grade (Dale and Chall 1948, as bundled by textstat).
const EASY: &str = include_str!("readability/easy.txt");

/// Words of Linsear Write's sample.
const SAMPLE: u32 = 100;

/// What the formulas are made of.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Counts {
    /// Sentences; at least 1.
    pub sentences: u32,
    /// Words.
    pub words: u32,
    /// Letters and digits.
    pub letters: u32,
    /// All signs but white space.
    pub characters: u32,
    /// Syllables.
    pub syllables: u32,
    /// Words of three or more syllables.
    pub polysyllables: u32,
    /// English words that are not on Dale and Chall's list.
    pub difficult: u32,
    /// English words of three or more syllables that are not on the list.
    pub complex: u32,
    /// Easy (one or two syllables) and hard words, and sentences, of the first hundred words: Linsear Write's sample.
    pub sample: (u32, u32, u32),
}

/// Counts a text; `language` as ISO 639-1.
#[must_use]
pub fn count(text: &str, language: &str) -> Counts {
    let language = crate::language::primary(language);
    let mut counts =
        Counts { characters: to_u32(text.chars().filter(|it| !it.is_whitespace()).count()), ..Counts::default() };
    for sentence in crate::sentence::sentences(text) {
        counts.sentences += 1;
        let before = counts.words;
        for word in crate::text::words(sentence) {
            add(&mut counts, word, &language);
        }
        // Of a sentence that the sample cuts, one or two words are none, as textstat has it.
        let sampled = counts.words.min(SAMPLE).saturating_sub(before);
        counts.sample.2 += u32::from(sampled > 2 || sampled > 0 && counts.words <= SAMPLE);
    }
    counts.sentences = counts.sentences.max(1);
    counts.sample.2 = counts.sample.2.max(1);
    counts
}

fn add(counts: &mut Counts, word: &str, language: &str) {
    let syllables = syllables::count(word, language);
    if counts.words < SAMPLE {
        if syllables >= 3 {
            counts.sample.1 += 1;
        } else {
            counts.sample.0 += 1;
        }
    }
    counts.words += 1;
    counts.letters += to_u32(word.chars().filter(|it| it.is_alphanumeric()).count());
    counts.syllables += syllables;
    counts.polysyllables += u32::from(syllables >= 3);
    if language == "en" && !is_easy(word) {
        counts.difficult += 1;
        counts.complex += u32::from(syllables >= 3);
    }
}

fn is_easy(word: &str) -> bool {
    static LIST: OnceLock<HashSet<&'static str>> = OnceLock::new();
    LIST.get_or_init(|| EASY.lines().collect()).contains(word.to_lowercase().as_str())
}

fn to_u32(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

impl Counts {
    fn words_a_sentence(&self) -> f64 {
        f64::from(self.words) / f64::from(self.sentences)
    }

    fn a_word(&self, count: u32) -> f64 {
        if self.words == 0 { 0.0 } else { f64::from(count) / f64::from(self.words) }
    }

    /// Flesch reading ease and its versions for other languages: higher is easier, about 0 to 100. English for a language
    /// that has none.
    ///
    /// en Flesch 1948 · de Amstad 1978 · es Fernández Huerta 1959 · fr Kandel and Moles 1958 · it Vacca 1972 · nl Douma 1960.
    #[must_use]
    pub fn flesch(&self, language: &str) -> f64 {
        let (base, sentence, word) = match language {
            "de" => (180.0, 1.0, 58.5),
            "es" => (206.84, 1.02, 60.0),
            "fr" => (207.0, 1.015, 73.6),
            "it" => (217.0, 1.3, 60.0),
            "nl" => (206.835, 0.93, 77.0),
            _ => (206.835, 1.015, 84.6),
        };
        base - sentence * self.words_a_sentence() - word * self.a_word(self.syllables)
    }

    /// Flesch-Kincaid grade (Kincaid and others 1975).
    #[must_use]
    pub fn flesch_kincaid(&self) -> f64 {
        0.39 * self.words_a_sentence() + 11.8 * self.a_word(self.syllables) - 15.59
    }

    /// Gunning fog index (Gunning 1952); easy words of Dale and Chall do not count as complex.
    #[must_use]
    pub fn gunning_fog(&self) -> f64 {
        0.4 * (self.words_a_sentence() + 100.0 * self.a_word(self.complex))
    }

    /// SMOG grade (McLaughlin 1969); none for fewer than three sentences.
    #[must_use]
    pub fn smog(&self) -> Option<f64> {
        let often = f64::from(self.polysyllables) * 30.0 / f64::from(self.sentences);
        (self.sentences >= 3).then(|| 1.043 * often.sqrt() + 3.1291)
    }

    /// Coleman-Liau index (1975).
    #[must_use]
    pub fn coleman_liau(&self) -> f64 {
        let sentences = if self.words == 0 { 0.0 } else { f64::from(self.sentences) / f64::from(self.words) };
        0.0588 * 100.0 * self.a_word(self.letters) - 0.296 * 100.0 * sentences - 15.8
    }

    /// Automated readability index (Senter and Smith 1967).
    #[must_use]
    pub fn ari(&self) -> f64 {
        4.71 * self.a_word(self.characters) + 0.5 * self.words_a_sentence() - 21.43
    }

    /// Dale-Chall score (1948); 4.9 and less is fourth grade, 10 and more college.
    #[must_use]
    pub fn dale_chall(&self) -> f64 {
        let share = 100.0 * self.a_word(self.difficult);
        let score = 0.1579 * share + 0.0496 * self.words_a_sentence();
        if share > 5.0 { score + 3.6365 } else { score }
    }

    /// Linsear Write over the first hundred words.
    #[must_use]
    pub fn linsear_write(&self) -> f64 {
        let (easy, hard, sentences) = self.sample;
        let score = f64::from(easy + 3 * hard) / f64::from(sentences.max(1));
        if score > 20.0 { score / 2.0 } else { (score - 2.0) / 2.0 }
    }
}

#[cfg(test)]
mod tests;
