//! The operation `keywords.idea.expand`.

use std::collections::HashMap;

use sdk::prelude::*;
use sdk::{Answer, Degraded};
use site::Site;

use super::evidence::{Evidence, Texts};
use crate::language::{Words, languages};
use crate::normal::normal;
use crate::stored::{Set, keyword_id};

/// Ideas of one answer.
const MAX_IDEAS: usize = 2_000;
/// The largest cities of countries.
const CITIES: &str = include_str!("../../data/cities.txt");

/// A kind of pattern.
#[value]
pub(crate) enum Pattern {
    Question,
    Comparison,
    Modifier,
    Audience,
    Place,
    Year,
    /// A query of the website that has all words of a seed.
    Query,
}

impl Pattern {
    const WRITTEN: [(Self, &'static str); 6] = [
        (Self::Question, "question"),
        (Self::Comparison, "comparison"),
        (Self::Modifier, "modifier"),
        (Self::Audience, "audience"),
        (Self::Place, "place"),
        (Self::Year, "year"),
    ];
}

#[args]
pub(crate) struct Expand {
    /// A set: its website is where the ideas are looked for, and its keywords are left out.
    set_ref: Option<Id<Set>>,
    /// Keywords to begin with.
    seeds: List<Text<1, 80>, 1, 20>,
    /// The language of the seeds.
    language: Language,
    /// The kinds of patterns; all when left out.
    patterns: Option<List<Pattern, 0, 7>>,
    /// Only ideas that were seen in queries, own pages or titles of result pages; needs a set.
    #[default(false)]
    evidence_only: bool,
}

/// An idea.
#[value]
pub(crate) struct Idea {
    keyword: String,
    /// The seed that it is made of.
    seed: String,
    pattern: Pattern,
    /// Where it was seen, at most three places; empty when it is only a pattern.
    evidence: Vec<Evidence>,
}

/// New keywords.
#[value]
pub(crate) struct Ideas {
    /// Those that were seen first, by impressions, then in the order of seeds and patterns.
    ideas: Vec<Idea>,
    /// Ideas in all, before the bound of 2,000.
    total: u64,
    /// Ideas that the set has already.
    known_keywords: u64,
    degraded: Vec<Degraded>,
}

/// Expands seed terms with question, comparison, modifier, audience, place and year patterns for the language and keeps those seen in the website's queries, headings or competitors' titles.
///
/// Patterns are there for Danish, Dutch, English, French, German, Italian, Polish, Portuguese, Spanish and Swedish; in other
/// languages only queries of the website are found. A pattern without evidence is a guess: keywords.metric.refresh tells
/// whether it is searched.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(most = 2_000, unit = "ideas"),
    needs = ["store"],
    phrasings = ["expand seed keywords", "long tail keywords for a topic", "question keywords from a seed", "keyword ideas from patterns"],
    examples = [{ "seeds": ["desk lamp"], "language": "en" }, { "set_ref": "set_01", "seeds": ["desk lamp"], "language": "en", "patterns": ["question"], "evidence_only": true }]
)]
pub(crate) fn expand(cx: &Cx, args: Expand) -> Result<Answer<Ideas>> {
    let set = args.set_ref.as_ref().map(|set| crate::set::get(cx, set)).transpose()?;
    if args.evidence_only && set.is_none() {
        return Err(Fault::invalid(
            "/set_ref",
            "set_needed",
            "evidence is looked for on the website of a set; give `set_ref`",
        ));
    }
    let language = args.language.primary().to_owned();
    let (words, mut degraded) = (Words::of(&language), Vec::new());
    if words.is_none() {
        let why = format!("there are no patterns of the language {}; there are some of {}", args.language, languages());
        degraded.push(Degraded::new("patterns", why));
    }
    let wanted = |pattern: &Pattern| args.patterns.as_ref().is_none_or(|all| all.is_empty() || all.contains(pattern));
    let site = set.as_ref().map(|set| site::get(cx, &Id::new(set.site_id.clone()))).transpose()?;
    let country =
        set.as_ref().map(|it| it.country.to_string()).or_else(|| site.as_ref().and_then(|it| it.country.clone()));
    let places = places(country.as_deref(), site.as_deref());
    let year = cx.now().day().civil().0;
    let mut ideas: Vec<Idea> = Vec::new();
    let mut by_text: HashMap<String, usize> = HashMap::new();
    let mut add = |keyword: String, seed: &str, pattern: Pattern| {
        if !by_text.contains_key(&keyword) {
            by_text.insert(keyword.clone(), ideas.len());
            ideas.push(Idea { keyword, seed: seed.to_owned(), pattern, evidence: Vec::new() });
        }
    };
    let seeds: Vec<String> =
        args.seeds.iter().map(|it| normal(it.as_str(), &language)).filter(|it| !it.is_empty()).collect();
    for seed in &seeds {
        for (pattern, name) in Pattern::WRITTEN.into_iter().filter(|(pattern, _)| wanted(pattern)) {
            for written in words.as_ref().map(|it| it.section(name)).unwrap_or_default() {
                let made = written.replace("{}", seed);
                let all: Vec<String> = if made.contains("{place}") {
                    places.iter().map(|place| made.replace("{place}", place)).collect()
                } else if made.contains("{year}") {
                    [year, year + 1].map(|year| made.replace("{year}", &year.to_string())).to_vec()
                } else {
                    vec![made]
                };
                all.into_iter().for_each(|it| add(normal(&it, &language), seed, pattern));
            }
        }
    }
    if let Some(set) = &set {
        let texts = Texts::of(cx, set);
        if wanted(&Pattern::Query) {
            for seed in &seeds {
                let parts: Vec<&str> = seed.split(' ').collect();
                let holds =
                    |query: &str| query != seed && parts.iter().all(|part| query.split(' ').any(|word| word == *part));
                texts
                    .all_queries()
                    .filter(|(query, _)| holds(query))
                    .take(500)
                    .for_each(|(query, _)| add(query.to_owned(), seed, Pattern::Query));
            }
        }
        for (idea, evidence) in ideas.iter_mut().zip(texts.find(&by_text)) {
            idea.evidence = evidence;
        }
        degraded.extend(texts.degraded);
    }
    let before = ideas.len();
    if let Some(set) = &set {
        let keywords = cx.records::<crate::stored::Keyword>();
        ideas.retain(|idea| keywords.find(&keyword_id(&set.id, &idea.keyword)).is_none());
    }
    let known_keywords = (before - ideas.len()) as u64;
    ideas.retain(|idea| !args.evidence_only || !idea.evidence.is_empty());
    let impressions = |idea: &Idea| idea.evidence.iter().filter_map(Evidence::impressions).sum::<u64>();
    ideas.sort_by_key(|idea| (std::cmp::Reverse(impressions(idea)), idea.evidence.is_empty()));
    let total = ideas.len() as u64;
    ideas.truncate(MAX_IDEAS);
    let units = ideas.len() as u64;
    Ok(Answer::new(Ideas { ideas, total, known_keywords, degraded }).units(units))
}

/// Cities of the country, and the place of the business.
fn places(country: Option<&str>, site: Option<&Site>) -> Vec<String> {
    let own = site.and_then(|site| site.fact(&["city", "locality", "town"])).map(|it| it.to_lowercase());
    let line =
        country.and_then(|country| CITIES.lines().find_map(|line| line.strip_prefix(country)?.strip_prefix(':')));
    let cities = line.into_iter().flat_map(|line| line.split('|')).map(|it| it.trim().to_owned());
    let mut places: Vec<String> = own.into_iter().chain(cities).collect();
    places.dedup();
    places
}
