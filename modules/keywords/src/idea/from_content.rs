//! The operation `keywords.idea.from_content`.

use std::collections::{BTreeMap, HashMap};

use kit::keyphrase::candidates;
use kit::statistics::{log_likelihood, round};
use kit::terms::Analyzer;
use kit::word_frequencies::{Frequencies, languages};
use sdk::prelude::*;
use sdk::{Answer, Degraded, json};
use site::Site;
use site::pages::Crawl;

use super::evidence::MAX_PAGES;
use kit::number::as_number;

/// Words of the longest phrase.
const LONGEST: usize = 4;
/// What a phrase counts in a title, a first heading and other headings, and an anchor.
const WEIGHTS: [u32; 3] = [3, 2, 1];
/// Pages that are told of a phrase.
const MAX_SOURCES: usize = 5;
/// The share of a phrase in general, at least: products of shares of words become as small as none is.
const FLOOR: f64 = 1e-9;
/// Words that the shares of general language stand for.
const GENERAL: f64 = 1e9;
/// G² of a phrase that is no chance at 1 in 1,000.
const MIN_SCORE: f64 = 10.83;

#[args]
pub(crate) struct FromContent {
    /// The website, as listed.
    site_id: Id<Site>,
    /// Domains of competitors: titles of their results on stored result pages are mined too, and their pages where you have
    /// crawled them.
    domains: Option<List<Domain, 0, 5>>,
    /// Phrases, at most.
    #[default(200)]
    limit: Count<10, 1_000>,
}

/// A phrase that the pages are about.
#[value]
pub(crate) struct Candidate {
    phrase: String,
    /// How much more frequent it is than in general: the log-likelihood ratio G².
    score: f64,
    /// How often it stands there; titles count three times, first headings twice.
    count: u64,
    /// Pages with it, at most 5.
    sources: Vec<String>,
    /// Pages with it in all.
    pages: u64,
}

/// Keyword candidates.
#[value]
pub(crate) struct Candidates {
    candidates: Vec<Candidate>,
    /// Pages and results that were mined.
    texts: u64,
    /// The language of most of them.
    language: String,
    degraded: Vec<Degraded>,
}

/// Phrases with their counts and pages.
#[derive(Default)]
struct Counts {
    phrases: BTreeMap<String, (u64, Vec<String>, u64)>,
    words: u64,
    texts: u64,
}

impl Counts {
    fn add(&mut self, text: &str, weight: u32, url: &str, analyzer: &Analyzer) {
        for phrase in candidates(text, analyzer, LONGEST) {
            self.words += u64::from(weight) * phrase.len() as u64;
            let (count, sources, pages) = self.phrases.entry(kit::text::joined(&phrase)).or_default();
            *count += u64::from(weight);
            if sources.last().is_none_or(|it| it != url) && !sources.iter().any(|it| it == url) {
                *pages += 1;
                if sources.len() < MAX_SOURCES {
                    sources.push(url.to_owned());
                }
            }
        }
    }
}

/// Mines keyword candidates from the website's and competitors' crawled titles, headings and anchors by noun-phrase patterns and log-likelihood against a bundled general word-frequency list.
///
/// Phrases are runs of words without stop words. The score is Dunning's G² of a phrase against the product of its words'
/// shares in general language (wordfreq, 14 languages).
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(most = limit, unit = "candidates"),
    needs = ["store"],
    phrasings = ["what keywords are my pages about", "mine keywords from my content", "keyword candidates from headings", "what do competitors write about"],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "domains": ["rival.example"], "limit": 50 }]
)]
pub(crate) fn from_content(cx: &Cx, args: FromContent) -> Result<Answer<Candidates>> {
    let site = site::get(cx, &args.site_id)?;
    site::required(cx, &site.id)?;
    let (mut counts, mut degraded) = (Counts::default(), Vec::new());
    let mut tongues: HashMap<String, u64> = HashMap::new();
    let mut analyzers: HashMap<String, Analyzer> = HashMap::new();
    mine(cx, &site.id, &mut counts, &mut tongues, &mut analyzers, &mut degraded);
    for domain in args.domains.iter().flatten() {
        let crawled = cx.records::<Site>().all().scan().take(200).find(|it| it.domain == domain.as_str());
        match crawled.filter(|it| site::newest(cx, &it.id).is_some()) {
            Some(rival) => mine(cx, &rival.id, &mut counts, &mut tongues, &mut analyzers, &mut degraded),
            None => {
                let why = "you have no crawl of this domain, so only titles of its results are known";
                degraded.push(Degraded::new(domain.to_string(), why));
            }
        }
    }
    let language = tongues
        .into_iter()
        .max_by_key(|(name, count)| (*count, std::cmp::Reverse(name.clone())))
        .map_or_else(|| "en".to_owned(), |it| it.0);
    let analyzer = analyzers.entry(language.clone()).or_insert_with(|| Analyzer::new(&language));
    let wanted: Vec<&Domain> = args.domains.iter().flatten().collect();
    for snapshot in serps::newest(cx, &site.id, |_| !wanted.is_empty()).into_values() {
        for shown in snapshot.items {
            if serps::registrable(&shown.url).is_some_and(|domain| wanted.iter().any(|it| it.as_str() == domain)) {
                counts.texts += 1;
                counts.add(&shown.title, WEIGHTS[0], &shown.url, analyzer);
            }
        }
    }
    let Some(general) = Frequencies::of(&language) else {
        let known: Vec<&str> = languages().collect();
        let message = format!(
            "there is no list of frequent words of the language {language}; there are lists of {}",
            known.join(", ")
        );
        return Err(Fault::conflict("language_not_covered", message).at("/site_id"));
    };
    let share = |phrase: &str| {
        phrase.split(' ').map(|word| general.share(word).unwrap_or_else(|| general.floor())).product::<f64>().max(FLOOR)
    };
    let words = as_number(counts.words);
    let mut found: Vec<Candidate> = counts
        .phrases
        .into_iter()
        .filter(|(_, (count, _, pages))| *count > 1 || *pages > 1)
        .map(|(phrase, (count, sources, pages))| {
            let score = log_likelihood(as_number(count), words, share(&phrase) * GENERAL, GENERAL);
            Candidate { score: round(score, 2), phrase, count, sources, pages }
        })
        .filter(|it| it.score >= MIN_SCORE)
        .collect();
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.phrase.cmp(&b.phrase)));
    found.truncate(usize::try_from(args.limit.get()).unwrap_or(0));
    let units = found.len() as u64;
    Ok(Answer::new(Candidates { candidates: found, texts: counts.texts, language, degraded }).units(units))
}

/// Counts the phrases of a website's newest crawl.
fn mine(
    cx: &Cx,
    site: &Id<Site>,
    counts: &mut Counts,
    tongues: &mut HashMap<String, u64>,
    analyzers: &mut HashMap<String, Analyzer>,
    degraded: &mut Vec<Degraded>,
) {
    let Some(crawl) = Crawl::newest(cx, site) else { return };
    for (at, page) in crawl.pages(0).enumerate() {
        if at == MAX_PAGES {
            let why = format!("only the first {MAX_PAGES} pages of the crawl were mined");
            degraded.push(Degraded::new("pages", why).supplied_by("crawl.run.get", json!({ "run_ref": crawl.run.id })));
            break;
        }
        if !page.indexable {
            continue;
        }
        let language = kit::language::primary(&page.language);
        *tongues.entry(language.clone()).or_default() += 1;
        let analyzer = analyzers.entry(language.clone()).or_insert_with(|| Analyzer::new(&language));
        counts.texts += 1;
        counts.add(page.title.as_deref().unwrap_or_default(), WEIGHTS[0], &page.url, analyzer);
        counts.add(page.h1.as_deref().unwrap_or_default(), WEIGHTS[1], &page.url, analyzer);
        for heading in page.headings.lines().filter(|it| Some(*it) != page.h1.as_deref()) {
            counts.add(heading, WEIGHTS[2], &page.url, analyzer);
        }
    }
}
