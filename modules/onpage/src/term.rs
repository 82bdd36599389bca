//! The operation `onpage.term.extract`: what a page or a text is about.

use std::collections::BTreeMap;

use kit::keyphrase::{Phrase, phrases, without_parts};
use kit::statistics::round;
use kit::terms::Analyzer;
use kit::tfidf::Frequencies;
use sdk::Basis;
use sdk::Degraded;
use sdk::Fix;
use sdk::Next;
use sdk::prelude::*;

use crate::siblings;
use crate::source;
use site::Site;
use site::live::Seen;

/// Words of a phrase at most.
const LONGEST: usize = 4;

#[args]
pub(crate) struct Extract {
    /// A page whose main text is read. Either this or `text`.
    url: Option<Url>,
    /// The text.
    text: Option<Text<0, 50_000>>,
    /// The website whose other pages say what is common.
    site_id: Option<Id<Site>>,
    /// At most this many.
    #[default(30)]
    limit: Count<5, 100>,
    /// The language; found by itself when left out.
    language: Option<Language>,
}

#[value]
pub(crate) struct Extracted {
    /// The weightiest first.
    terms: Vec<Term>,
    language: String,
    words: u32,
    /// The crawl whose pages say what is common.
    /// The crawl whose pages it was compared with; null without one.
    basis: Option<Basis>,
    /// Pages of it that were compared.
    site_pages: u64,
    page: Option<Seen>,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

#[value]
struct Term {
    /// As it is written first, in lower case.
    phrase: String,
    /// From 0 to 1, the weightiest 1: half RAKE, half TF-IDF.
    score: f64,
    /// Occurrences in any inflection.
    count: u32,
    /// What its inflections share.
    stem: String,
    /// The share of RAKE in it, from 0 to 1.
    rake: f64,
    /// The share of TF-IDF, from 0 to 1.
    tf_idf: f64,
}

/// Extracts key phrases from a page or text with RAKE and TF-IDF over the website's own document frequencies, merged by stem.
///
/// Document frequencies are those of titles, headings and descriptions of the website's newest crawl. Without one, every word
/// is equally rare and TF-IDF is the frequency in the text.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 1),
    needs = ["web"],
    phrasings = [
        "what is this page about",
        "extract keywords from a text",
        "key phrases of a page",
        "which terms does this article use most",
    ],
    examples = [
        { "url": "https://shop.example/guides/lamps" },
        { "text": "Brass lamps last. A brass lamp needs little care, and brass ages well.", "limit": 5 }
    ]
)]
pub(crate) fn extract(cx: &Cx, args: Extract) -> Result<Extracted> {
    let website = siblings::website(cx, args.site_id.as_ref())?;
    let source = source::of(cx, args.url.as_ref(), args.text.as_deref(), true)?;
    let language = source.language(args.language.as_ref());
    let analyzer = Analyzer::new(&language);
    let text = source.text();
    let words = kit::text::word_count(&text);
    if words == 0 {
        return Err(Fault::invalid(source.pointer(), "too_little_text", "there are no words to take terms from"));
    }
    let mut degraded = Vec::new();
    let (frequencies, siblings) = match siblings::of(cx, website.as_ref()) {
        Ok(siblings) => (siblings::frequencies(&siblings.rows, &analyzer), Some(siblings)),
        Err(missing) => {
            degraded.push(missing);
            (Frequencies::default(), None)
        }
    };
    let terms = terms(&text, &analyzer, &frequencies, usize::from(args.limit));
    let next = source.page().map(|page| {
        let keywords: Vec<&str> =
            terms.iter().take(5).map(|it| it.phrase.as_str()).filter(|it| it.chars().count() <= 120).collect();
        Fix::new("onpage.keyword.usage", sdk::json!({ "url": page.facts.final_url, "keywords": keywords }))
            .because("shows where the page uses these terms")
    });
    Ok(Extracted {
        next: next.into_iter().filter(|_| !terms.is_empty()).collect(),
        terms,
        language,
        words,
        site_pages: siblings.as_ref().map_or(0, |it| it.rows.len() as u64),
        basis: siblings.map(|it| it.basis),
        page: source.seen(),
        degraded,
    })
}

fn terms(text: &str, analyzer: &Analyzer, frequencies: &Frequencies, limit: usize) -> Vec<Term> {
    let found = without_parts(phrases(text, analyzer, LONGEST));
    // Long runs that occur once are lists of names, not terms.
    let found: Vec<Phrase> = found.into_iter().filter(|it| it.count > 1 || it.stems.len() <= 2).collect();
    let weight = |phrase: &Phrase| {
        let idf: f64 = phrase.stems.iter().map(|stem| frequencies.idf(stem)).sum();
        #[expect(clippy::cast_precision_loss, reason = "a phrase has a handful of words")]
        let mean = idf / phrase.stems.len().max(1) as f64;
        f64::from(phrase.count) * mean
    };
    // A phrase's RAKE score grows with its length; how often it occurs makes it a term.
    let rake = |phrase: &Phrase| phrase.score * f64::from(phrase.count).sqrt();
    let most = |of: &dyn Fn(&Phrase) -> f64| found.iter().map(of).fold(f64::MIN_POSITIVE, f64::max);
    let (most_weight, most_rake) = (most(&weight), most(&rake));
    let mut merged: BTreeMap<String, Term> = BTreeMap::new();
    for phrase in &found {
        let (rake, tf_idf) = (rake(phrase) / most_rake, weight(phrase) / most_weight);
        let term = Term {
            phrase: phrase.text.clone(),
            score: round((rake + tf_idf) / 2.0, 4),
            count: phrase.count,
            stem: phrase.stems.join(" "),
            rake: round(rake, 4),
            tf_idf: round(tf_idf, 4),
        };
        merged.entry(term.stem.clone()).or_insert(term);
    }
    let mut terms: Vec<Term> = merged.into_values().collect();
    terms.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.phrase.cmp(&b.phrase)));
    terms.truncate(limit);
    terms
}

#[cfg(test)]
mod tests;
