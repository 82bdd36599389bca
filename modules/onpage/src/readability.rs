//! The operation `onpage.readability.score`.

mod passive;

use kit::statistics::round;
use sdk::Degraded;
use sdk::Fix;
use sdk::Next;
use sdk::prelude::*;

use crate::source;
use site::live::Seen;

/// Sentences of more words are long.
const LONG: usize = 25;

#[args]
pub(crate) struct Score {
    /// The text to score. Either this or `url`.
    text: Option<Text<50, 100_000>>,
    /// A page whose main text is scored.
    url: Option<Url>,
    /// The language; found by itself when left out.
    language: Option<Language>,
}

#[value]
pub(crate) struct Scored {
    /// By formula; formulas made for English alone are absent for other languages.
    scores: Scores,
    /// School years needed: the median of the grade formulas, or what the Flesch score of the language means.
    grade: f64,
    /// What that is in words.
    level: Level,
    language: String,
    sentences: u32,
    words: u32,
    syllables: u32,
    words_per_sentence: f64,
    syllables_per_word: f64,
    /// Sentences of more than 25 words, the longest first; at most 20.
    long_sentences: Vec<Long>,
    /// How many sentences are that long.
    long_sentence_count: u32,
    /// The share of sentences in the passive voice, from 0 to 1; null for languages without a rule.
    passive_share: Option<f64>,
    /// The page, when one was fetched.
    page: Option<Seen>,
    /// What is best done next.
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

#[value]
struct Scores {
    /// Flesch reading ease in the version of the language: higher is easier.
    flesch: f64,
    /// Whose version that is.
    flesch_version: String,
    flesch_kincaid: Option<f64>,
    gunning_fog: Option<f64>,
    /// Needs three sentences.
    smog: Option<f64>,
    coleman_liau: Option<f64>,
    ari: Option<f64>,
    dale_chall: Option<f64>,
    linsear_write: Option<f64>,
}

#[value]
struct Long {
    text: String,
    words: u32,
}

#[value]
enum Level {
    VeryEasy,
    Easy,
    Plain,
    FairlyHard,
    Hard,
    VeryHard,
}

/// Computes Flesch, Flesch-Kincaid, Gunning Fog, SMOG, Coleman-Liau, ARI, Dale-Chall and Linsear Write (with German, Spanish,
/// French, Italian and Dutch variants of Flesch), long sentences and passive voice.
///
/// Give a text or a page. Syllables are counted by rules, for English with a dictionary of exceptions; sentences end by
/// Unicode's rules and not after abbreviations.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["web"],
    phrasings = [
        "how easy is my text to read",
        "flesch reading ease of a page",
        "which of my sentences are too long",
        "reading level of this article",
    ],
    examples = [
        { "text": "Brass lamps last for a very long time. They need little care, and they look better every year." },
        { "url": "https://shop.example/guides/lamps", "language": "en" }
    ]
)]
pub(crate) fn score(cx: &Cx, args: Score) -> Result<Scored> {
    let source = source::of(cx, args.url.as_ref(), args.text.as_deref(), true)?;
    let language = source.language(args.language.as_ref());
    let text = source.text();
    let counts = kit::readability::count(&text, &language);
    if counts.words < 5 {
        return Err(Fault::invalid(
            source.pointer(),
            "too_little_text",
            "fewer than five words were found; there is nothing to score",
        ));
    }
    let english = language == "en";
    let flesch = counts.flesch(&language);
    let mut grades = vec![
        counts.flesch_kincaid(),
        counts.gunning_fog(),
        counts.coleman_liau(),
        counts.ari(),
        counts.linsear_write(),
    ];
    grades.extend(counts.smog());
    let grade = if english { kit::statistics::quantile(&grades, 0.5) } else { grade_of(flesch) };
    let sentences = kit::sentence::sentences(&text);
    let mut long: Vec<Long> = sentences
        .iter()
        .map(|it| Long { text: kit::text::collapse_to(it, 400), words: kit::text::word_count(it) })
        .filter(|it| it.words as usize > LONG)
        .collect();
    long.sort_by_key(|it| u32::MAX - it.words);
    let long_sentence_count = u32::try_from(long.len()).unwrap_or(u32::MAX);
    long.truncate(20);
    let some = |value: f64| english.then(|| round(value, 2));
    let passive_share = passive::share(&sentences, &language).map(|it| round(it, 3));
    let mut degraded = Vec::new();
    if !["en", "de", "es", "fr", "it", "nl"].contains(&language.as_str()) {
        degraded.push(Degraded::new(
            "flesch_version",
            format!("no version of the formula is published for {language}; the English one was used"),
        ));
    }
    if passive_share.is_none() {
        degraded.push(Degraded::new("passive_share", format!("the passive voice is not recognised in {language}")));
    }
    Ok(Scored {
        scores: Scores {
            flesch: round(flesch, 2),
            flesch_version: version(&language).to_owned(),
            flesch_kincaid: some(counts.flesch_kincaid()),
            gunning_fog: some(counts.gunning_fog()),
            smog: counts.smog().and_then(some),
            coleman_liau: some(counts.coleman_liau()),
            ari: some(counts.ari()),
            dale_chall: some(counts.dale_chall()),
            linsear_write: some(counts.linsear_write()),
        },
        grade: round(grade, 1),
        level: level(flesch),
        sentences: counts.sentences,
        words: counts.words,
        syllables: counts.syllables,
        words_per_sentence: round(f64::from(counts.words) / f64::from(counts.sentences), 2),
        syllables_per_word: round(f64::from(counts.syllables) / f64::from(counts.words), 3),
        long_sentences: long,
        long_sentence_count,
        passive_share,
        next: args
            .url
            .iter()
            .map(|url| Fix::on("onpage.heading.outline", url.as_str()).because("shows the sections and their lengths"))
            .collect(),
        page: source.seen(),
        degraded,
        language,
    })
}

fn version(language: &str) -> &'static str {
    match language {
        "de" => "Amstad 1978",
        "es" => "Fernández Huerta 1959",
        "fr" => "Kandel and Moles 1958",
        "it" => "Vacca 1972",
        "nl" => "Douma 1960",
        _ => "Flesch 1948",
    }
}

/// Flesch's own table.
fn level(flesch: f64) -> Level {
    match flesch {
        it if it >= 90.0 => Level::VeryEasy,
        it if it >= 70.0 => Level::Easy,
        it if it >= 60.0 => Level::Plain,
        it if it >= 50.0 => Level::FairlyHard,
        it if it >= 30.0 => Level::Hard,
        _ => Level::VeryHard,
    }
}

/// The school year that Flesch's table gives for a score, with straight lines between its rows.
fn grade_of(flesch: f64) -> f64 {
    const TABLE: [(f64, f64); 7] =
        [(100.0, 4.0), (90.0, 5.0), (80.0, 6.0), (70.0, 7.0), (60.0, 9.0), (50.0, 12.0), (30.0, 16.0)];
    let last = TABLE[TABLE.len() - 1];
    if flesch >= TABLE[0].0 {
        return TABLE[0].1;
    }
    let row = TABLE.windows(2).find(|row| flesch >= row[1].0);
    row.map_or(last.1, |row| {
        let (above, below) = (row[0], row[1]);
        above.1 + (below.1 - above.1) * (above.0 - flesch) / (above.0 - below.0)
    })
}

#[cfg(test)]
mod tests;
