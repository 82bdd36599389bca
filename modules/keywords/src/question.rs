//! The operation `keywords.question.extract`.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use kit::bm25::Postings;
use kit::clusters::Vectors;
use kit::pack::{Figures as _, Search};
use kit::terms::Analyzer;
use sdk::prelude::*;
use sdk::{Answer, Degraded, json};
use search::{Cut, Figures, Period, SearchType, last_day, parts};
use site::Site;
use site::pages::Crawl;

use crate::idea::evidence::MAX_PAGES;
use crate::language::Words;
use crate::normal::normal;
use kit::number::as_number;

/// Days of queries.
const DAYS: i32 = 90;
/// Groups that are compared with each other by their letters.
const MAX_COMPARED: usize = 1_500;
/// The distance up to which two questions are the same in other words.
const SAME: f64 = 0.2;
/// Words of a passage.
const PASSAGE: usize = 200;
/// Passages of one page.
const MAX_PASSAGES: usize = 12;
/// The part of a question's words, weighed by how rare they are, that a passage has to have.
const COVERED: f64 = 0.8;

#[args]
pub(crate) struct Extract {
    /// The website, as listed.
    site_id: Id<Site>,
    /// What the questions are about.
    topic: Text<2, 120>,
    /// Questions, at most.
    #[default(100)]
    limit: Count<5, 500>,
}

/// A question that people ask.
#[value]
pub(crate) struct Question {
    /// The wording with the most impressions.
    text: String,
    /// Other wordings.
    variants: Vec<String>,
    /// Impressions of all wordings in 90 days; 0 when it is known from result pages or headings only.
    impressions: u64,
    /// Where it is from: `query`, `people_also_ask`, `heading`.
    #[own]
    sources: Vec<String>,
    /// The page that answers it; null when none does, or nothing was crawled.
    answered_by: Option<String>,
    /// The heading of the passage; null without one.
    passage: Option<String>,
}

/// Questions on a topic.
#[value]
pub(crate) struct Questions {
    /// Those with the most impressions first.
    questions: Vec<Question>,
    /// Questions in all.
    total: u64,
    /// Of them, answered by no page; null when nothing was crawled.
    unanswered: Option<u64>,
    degraded: Vec<Degraded>,
}

/// A wording and where it is from.
#[derive(Default)]
struct Wording {
    impressions: u64,
    sources: BTreeSet<&'static str>,
    shown: String,
}

/// Extracts questions people ask on a topic from search queries, stored people-also-ask boxes and headings, groups paraphrases and marks which the website already answers.
///
/// Questions with the same words beside question words are one; so are those whose words and letters have a cosine of 0.8. A
/// page answers a question when a passage of 200 words has 80 % of its words, weighed by how rare they are on the website.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(most = limit, unit = "questions"),
    needs = ["store"],
    phrasings = ["which questions do people ask about lamps", "questions my site does not answer", "faq ideas for a topic", "people also ask questions"],
    examples = [{ "site_id": "4503599627370496", "topic": "desk lamp" }]
)]
pub(crate) fn extract(cx: &Cx, args: Extract) -> Result<Answer<Questions>> {
    let site = site::get(cx, &args.site_id)?;
    let crawl = Crawl::newest(cx, &site.id);
    let language = crawl
        .as_ref()
        .and_then(|it| it.pages(0).find(|page| page.indexable))
        .map_or_else(|| "en".to_owned(), |page| kit::language::primary(&page.language));
    let analyzer = Analyzer::new(&language);
    let words = Words::of(&language);
    let mut degraded = Vec::new();
    if words.is_none() {
        let why = format!(
            "question words of the language {language} are not known, so only sentences with a question mark are found"
        );
        degraded.push(Degraded::new("question words", why));
    }
    let topic = analyzer.query(args.topic.as_str());
    let mut wordings: BTreeMap<String, Wording> = BTreeMap::new();
    let mut add = |text: &str, source: &'static str, impressions: u64| {
        let normal = normal(text, &language);
        let asked = text.trim_end().ends_with('?') || words.as_ref().is_some_and(|it| it.is_question(&normal));
        if !asked || normal.split(' ').count() < 3 {
            return;
        }
        let stems = analyzer.stems(&normal);
        if topic.iter().all(|stem| stems.contains(stem)) {
            let wording = wordings.entry(normal).or_default();
            wording.impressions += impressions;
            wording.sources.insert(source);
            if wording.shown.is_empty() {
                wording.shown = kit::text::collapse_to(text, 160);
            }
        }
    };
    match last_day(cx, &site.id, SearchType::Web) {
        Some(last) => {
            let mut sums: BTreeMap<String, Search> = BTreeMap::new();
            let read = Figures::of(cx, &site.id, SearchType::Web).sums(
                Cut::Queries,
                Period::ending(last, DAYS),
                b"",
                |key, sum| {
                    sums.entry(parts(key).0.to_owned()).or_default().add(&sum);
                },
            );
            if read.is_err() {
                degraded.push(Degraded::new("queries", "the stored figures are too many for one answer"));
            }
            sums.iter().for_each(|(query, sum)| add(query, "query", sum.impressions));
        }
        None => {
            let sync = json!({ "site_id": site.id });
            degraded.push(
                Degraded::new("queries", "no search figures of this website are stored")
                    .supplied_by("search_console.sync.run", sync),
            );
        }
    }
    for snapshot in serps::newest(cx, &site.id, |it| !it.questions.is_empty()).into_values() {
        snapshot.questions.iter().for_each(|text| add(text, "people_also_ask", 0));
    }
    let mut passages = Passages::default();
    if let Some(crawl) = &crawl {
        for page in crawl.pages(0).take(MAX_PAGES).filter(|it| it.indexable) {
            page.headings.lines().for_each(|heading| add(heading, "heading", 0));
            passages.cut(&page, &analyzer);
        }
    } else {
        let why = "no crawl of the website has ended, so its headings and answers are not known";
        degraded.push(Degraded::new("answers", why).supplied_by("crawl.run.start", json!({ "site_id": site.id })));
    }
    let asking: Vec<&str> = words.as_ref().map(|it| it.section("questions").to_vec()).unwrap_or_default();
    let groups = groups(wordings, &analyzer, &asking);
    let total = groups.len() as u64;
    let index = Postings::new(&passages.terms);
    let mut unanswered = 0;
    let mut questions: Vec<Question> = Vec::new();
    for mut group in groups {
        group.sort_by(|a, b| b.1.impressions.cmp(&a.1.impressions).then_with(|| a.0.cmp(&b.0)));
        let stems = content(&group[0].0, &analyzer, &asking);
        let answer = passages.answer(&index, &stems);
        unanswered += u64::from(answer.is_none());
        let sources: BTreeSet<&str> = group.iter().flat_map(|it| it.1.sources.iter().copied()).collect();
        questions.push(Question {
            impressions: group.iter().map(|it| it.1.impressions).sum(),
            sources: sources.into_iter().map(str::to_owned).collect(),
            answered_by: answer.map(|it| it.0.clone()),
            passage: answer.map(|it| it.1.clone()).filter(|it| !it.is_empty()),
            variants: group.iter().skip(1).take(10).map(|it| it.1.shown.clone()).collect(),
            text: group.swap_remove(0).1.shown,
        });
    }
    questions.sort_by(|a, b| b.impressions.cmp(&a.impressions).then_with(|| a.text.cmp(&b.text)));
    questions.truncate(usize::try_from(args.limit.get()).unwrap_or(100));
    let units = questions.len() as u64;
    let unanswered = crawl.is_some().then_some(unanswered);
    Ok(Answer::new(Questions { questions, total, unanswered, degraded }).units(units))
}

/// The stems of a question beside question words and stop words.
fn content(question: &str, analyzer: &Analyzer, asking: &[&str]) -> Vec<String> {
    let mut stems: Vec<String> = analyzer
        .tokens(question)
        .into_iter()
        .filter(|token| !token.stop && !asking.contains(&token.word.as_str()))
        .map(|token| token.stem)
        .collect();
    stems.sort();
    stems.dedup();
    stems
}

/// Wordings of the same question.
fn groups(wordings: BTreeMap<String, Wording>, analyzer: &Analyzer, asking: &[&str]) -> Vec<Vec<(String, Wording)>> {
    let mut by_stems: BTreeMap<Vec<String>, Vec<(String, Wording)>> = BTreeMap::new();
    for (text, wording) in wordings {
        by_stems.entry(content(&text, analyzer, asking)).or_default().push((text, wording));
    }
    let mut groups: Vec<Vec<(String, Wording)>> = by_stems.into_values().collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.iter().map(|it| it.1.impressions).sum::<u64>()));
    let rest = groups.split_off(groups.len().min(MAX_COMPARED));
    let vectors = Vectors::of(groups.iter().map(|group| terms(&group[0].0, analyzer)));
    let all: Vec<usize> = (0..groups.len()).collect();
    let labels = vectors.distances(&all).complete_tree().cut(SAME, usize::MAX);
    let mut joined: BTreeMap<usize, Vec<(String, Wording)>> = BTreeMap::new();
    for (label, group) in labels.into_iter().zip(groups) {
        joined.entry(label).or_default().extend(group);
    }
    joined.into_values().chain(rest).collect()
}

/// Stems and runs of three letters.
fn terms(text: &str, analyzer: &Analyzer) -> Vec<(String, f64)> {
    let letters: Vec<char> = text.chars().collect();
    let grams = letters.windows(3).map(|it| (it.iter().collect::<String>(), 1.0));
    analyzer.stems(text).into_iter().map(|it| (format!("word {it}"), 1.0)).chain(grams).collect()
}

/// Parts of pages: a heading's page and 200 words.
#[derive(Default)]
struct Passages {
    places: Vec<(String, String)>,
    terms: Vec<HashMap<String, f64>>,
    held: HashMap<String, u64>,
}

impl Passages {
    /// The passages of a page: its headings, and its text in pieces of 200 words.
    fn cut(&mut self, page: &site::pages::PageText, analyzer: &Analyzer) {
        let head = page.title.clone().unwrap_or_default();
        let words: Vec<&str> = page.plain.split_whitespace().collect();
        let headings: Vec<&str> = page.headings.lines().collect();
        for (at, piece) in words.chunks(PASSAGE).take(MAX_PASSAGES).enumerate() {
            let text = piece.join(" ");
            // The heading that stands in the piece belongs to it.
            let heading = headings.iter().find(|it| !it.is_empty() && text.contains(*it)).copied().unwrap_or_default();
            let mut terms: HashMap<String, f64> = HashMap::new();
            let all = format!("{head} {heading} {text}");
            for stem in analyzer.stems(&all) {
                *terms.entry(stem).or_default() += 1.0;
            }
            for stem in terms.keys() {
                *self.held.entry(stem.clone()).or_default() += 1;
            }
            let heading = if heading.is_empty() && at == 0 { head.clone() } else { heading.to_owned() };
            self.places.push((page.url.clone(), heading));
            self.terms.push(terms);
        }
    }

    /// The passage that answers a question of these stems.
    fn answer(&self, index: &Postings, stems: &[String]) -> Option<&(String, String)> {
        if stems.is_empty() {
            return None;
        }
        let rarity = |stem: &String| {
            (1.0 + as_number(self.terms.len() as u64) / (1.0 + as_number(self.held.get(stem).copied().unwrap_or(0))))
                .ln()
        };
        let whole: f64 = stems.iter().map(rarity).sum();
        let best = index.best(stems, 20).into_iter().find(|(at, _)| {
            let held: f64 = stems.iter().filter(|stem| self.terms[*at].contains_key(*stem)).map(rarity).sum();
            held >= COVERED * whole
        });
        best.map(|(at, _)| &self.places[at])
    }
}
