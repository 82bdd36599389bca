//! The operation `onpage.keyword.usage`, and where on a page a query stands.

use kit::statistics::{deviation, mean, round};
use kit::terms::{Analyzer, occurrences};
use kit::text::{is_hangul, is_spaceless};
use sdk::Fix;
use sdk::Next;
use sdk::prelude::*;
use sdk::serde_json::json;

use crate::live::{self, Live};
use site::live::Seen;

#[args]
pub(crate) struct Usage {
    url: Url,
    /// What the page should be found for.
    keywords: List<Text<2, 120>, 1, 20>,
    /// The language; as declared or detected when left out.
    language: Option<Language>,
}

#[value]
pub(crate) struct Used {
    rows: Vec<Row>,
    words: u32,
    language: String,
    page: Seen,
}

#[value]
struct Row {
    keyword: String,
    /// Occurrences by place, in any inflection.
    locations: Locations,
    /// Occurrences in the main text exactly as written, case aside.
    exact: u32,
    /// Occurrences in the main text in any inflection, exact ones too.
    stem: u32,
    /// Sentences that hold all of its words, but not together.
    split: u32,
    /// From 0 to 100: how early and in how weighty places it stands.
    prominence: u32,
    /// Occurrences in 1,000 words.
    per_1000: f64,
    /// Whether it stands more often than the page's other phrases let expect.
    overuse: Overuse,
    /// What to do next.
    next: Vec<Next>,
}

#[value]
struct Overuse {
    flagged: bool,
    /// Occurrences in 1,000 words from which it is flagged.
    threshold_per_1000: f64,
}

/// Where a query stands.
#[value]
#[derive(Default)]
pub(crate) struct Locations {
    pub(crate) url: u32,
    pub(crate) title: u32,
    pub(crate) description: u32,
    pub(crate) h1: u32,
    /// Headings of level 2 to 6.
    pub(crate) headings: u32,
    pub(crate) first_100_words: u32,
    pub(crate) body: u32,
    /// `alt` of pictures.
    pub(crate) alt: u32,
    /// Texts of links on the page.
    pub(crate) anchors: u32,
}

/// Counts exact, stemmed and split occurrences of queries in URL, title, headings, first 100 words, body, alt and anchors, with
/// prominence, and flags overuse against the page set's distribution.
///
/// Overuse is judged on the page itself: more often than three standard deviations above the mean of the page's other
/// phrases of the same length, and at least five times.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 1),
    needs = ["web"],
    phrasings = [
        "how often does my keyword appear on the page",
        "is the keyword in the title and the first paragraph",
        "am I keyword stuffing",
        "keyword density of a page",
    ],
    examples = [{ "url": "https://shop.example/lamps", "keywords": ["brass lamp", "desk lamp"] }]
)]
pub(crate) fn usage(cx: &Cx, args: Usage) -> Result<Used> {
    let page = live::page(cx, &args.url, "/url")?;
    let language = page.language(args.language.as_ref());
    let words = Words::of(&page, &language);
    let rows = args.keywords.iter().map(|keyword| row(&words, keyword, &page)).collect();
    Ok(Used { rows, words: words.count(), language, page: page.seen() })
}

/// A page's words as they are searched.
pub(crate) struct Words {
    analyzer: Analyzer,
    text: String,
    /// Stems of the main text, stop words too.
    body: Vec<String>,
    sentences: Vec<Vec<String>>,
}

impl Words {
    /// Reads a page.
    pub(crate) fn of(page: &Live, language: &str) -> Self {
        let analyzer = Analyzer::new(language);
        let text = page.text();
        let stems = |text: &str| analyzer.tokens(text).into_iter().map(|it| it.stem).collect::<Vec<_>>();
        let body = stems(&text);
        let sentences = kit::sentence::sentences(&text).into_iter().map(stems).collect();
        Self { body, sentences, text: text.to_lowercase(), analyzer }
    }

    /// How many words the main text has.
    pub(crate) fn count(&self) -> u32 {
        to_u32(self.body.len())
    }

    /// The stems of a phrase, stop words too.
    pub(crate) fn phrase(&self, text: &str) -> Vec<String> {
        self.analyzer.tokens(text).into_iter().map(|it| it.stem).collect()
    }

    /// How often a phrase stands in a text, in any inflection.
    pub(crate) fn times(&self, text: &str, phrase: &[String]) -> u32 {
        to_u32(occurrences(&self.phrase(text), phrase).count())
    }

    /// Where a phrase stands on the page.
    pub(crate) fn locations(&self, page: &Live, phrase: &[String]) -> Locations {
        let facts = &page.facts;
        let sum = |texts: &mut dyn Iterator<Item = &str>| texts.map(|it| self.times(it, phrase)).sum();
        let path = kit::url::path_and_query(&facts.final_url).replace(['-', '_', '/', '+', '.', '?', '=', '&'], " ");
        let first = &self.body[..self.body.len().min(100)];
        Locations {
            url: self.times(&path, phrase),
            title: self.times(page.title(), phrase),
            description: self.times(page.description(), phrase),
            h1: sum(&mut facts.headings.iter().filter(|it| it.level == 1).map(|it| it.text.as_str())),
            headings: sum(&mut facts.headings.iter().filter(|it| it.level > 1).map(|it| it.text.as_str())),
            first_100_words: to_u32(occurrences(first, phrase).count()),
            body: to_u32(occurrences(&self.body, phrase).count()),
            alt: sum(&mut facts.images.iter().filter_map(|it| it.alt.as_deref())),
            anchors: sum(&mut facts.links.iter().map(|it| it.anchor.as_str())),
        }
    }

    /// From 0 to 1: how early a phrase stands first in the main text; 0 when it does not.
    fn earliness(&self, phrase: &[String]) -> f64 {
        let first = occurrences(&self.body, phrase).next();
        #[expect(clippy::cast_precision_loss, reason = "counts of words")]
        first.map_or(0.0, |at| 1.0 - at as f64 / self.body.len().max(1) as f64)
    }

    /// How often other phrases of as many words, none a stop word, stand in 1,000 words, each that stands twice.
    fn rates(&self, phrase: &[String]) -> Vec<f64> {
        let mut counts = std::collections::BTreeMap::<&[String], u32>::new();
        let says = |run: &&[String]| *run != phrase && run.iter().all(|it| !self.analyzer.is_stop(it));
        self.body.windows(phrase.len().max(1)).filter(says).for_each(|run| *counts.entry(run).or_default() += 1);
        counts.into_values().filter(|it| *it >= 2).map(|it| self.rate(it)).collect()
    }

    pub(crate) fn rate(&self, count: u32) -> f64 {
        1_000.0 * f64::from(count) / f64::from(self.count().max(1))
    }

    /// Occurrences in 1,000 words from which a phrase is overused.
    pub(crate) fn overuse(&self, phrase: &[String]) -> f64 {
        let rates = self.rates(phrase);
        (mean(&rates) + 3.0 * deviation(&rates)).max(self.rate(5)).max(25.0 / f64::from(to_u32(phrase.len()).max(1)))
    }
}

fn row(words: &Words, keyword: &str, page: &Live) -> Row {
    let phrase = words.phrase(keyword);
    let locations = words.locations(page, &phrase);
    let lower = kit::text::collapse(keyword).to_lowercase();
    let exact = exact(&words.text, &lower);
    let together = |sentence: &Vec<String>| occurrences(sentence, &phrase).next().is_some();
    let all = |sentence: &Vec<String>| phrase.iter().all(|it| sentence.contains(it));
    let split = words.sentences.iter().filter(|it| phrase.len() > 1 && all(it) && !together(it)).count();
    let threshold = words.overuse(&phrase);
    let rate = words.rate(locations.body);
    let url = page.facts.final_url.as_str();
    let mut next = Vec::new();
    if locations.title == 0 {
        next.push(
            Fix::new("onpage.title.suggest", json!({ "url": url, "keyword": keyword }))
                .because("proposes titles with the keyword, which the title lacks"),
        );
    }
    if locations.description == 0 {
        next.push(
            Fix::new("onpage.description.suggest", json!({ "url": url, "keyword": keyword }))
                .because("proposes descriptions with the keyword, which the description lacks"),
        );
    }
    Row {
        keyword: keyword.to_owned(),
        prominence: prominence(&locations, words.earliness(&phrase)),
        exact,
        stem: locations.body,
        split: to_u32(split),
        per_1000: round(rate, 2),
        overuse: Overuse { flagged: locations.body >= 5 && rate > threshold, threshold_per_1000: round(threshold, 2) },
        locations,
        next,
    }
}

/// Weighs places: title 25, first heading 20, first hundred words 15, earliness 10, and so on to 100.
fn prominence(at: &Locations, earliness: f64) -> u32 {
    let places = [
        (at.title, 25),
        (at.h1, 20),
        (at.first_100_words, 15),
        (at.url, 10),
        (at.headings, 10),
        (at.description, 5),
        (at.alt, 5),
    ];
    let points: u32 = places.iter().filter(|(count, _)| *count > 0).map(|(_, points)| points).sum();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 10")]
    let early = (earliness * 10.0).round() as u32;
    points + early
}

/// How often a text holds a phrase between other words. Beside a letter of a script without spaces there is always an edge, and
/// so there is between a Korean word and its particles.
fn exact(text: &str, phrase: &str) -> u32 {
    let edge = |own: Option<char>, beside: Option<char>| {
        let inside = |c: char| c.is_alphanumeric() && !is_spaceless(c);
        !(own.is_some_and(inside) && beside.is_some_and(inside))
    };
    let (first, last) = (phrase.chars().next(), phrase.chars().next_back());
    let whole = |at: &usize| {
        let after = text[at + phrase.len()..].chars().next();
        let has_particles = last.is_some_and(is_hangul) && after.is_some_and(is_hangul);
        edge(first, text[..*at].chars().next_back()) && (has_particles || edge(last, after))
    };
    to_u32(text.match_indices(phrase).map(|(at, _)| at).filter(whole).count())
}

fn to_u32(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
