//! The operation `ai_visibility.prompt.suggest`.

use std::collections::BTreeMap;

use kit::pack::Search;
use sdk::prelude::*;
use sdk::{Answer, Degraded, Next, json};
use search::{Cut, Figures, Period, SearchType};
use site::Site;

use super::patterns::{self, Filling};
use super::{key, of_site};
use crate::brand::{self, BrandSet};
use crate::stored::Stage;

/// Days of searches that are read.
const DAYS: i32 = 90;
/// Words from which a query is a question put in words.
const WORDS: usize = 6;
/// Keywords of a set that are read.
const KEYWORDS: usize = 5_000;
/// Topics that are taken from what is on file, where none is named.
const TOPICS: usize = 5;
/// Words that questions begin with.
const ASKING: &[&str] = &[
    "how", "what", "which", "who", "where", "when", "why", "is", "are", "can", "does", "do", "should", "wie", "was",
    "welche", "welcher", "welches", "wer", "wo", "wann", "warum", "kann", "ist", "sind", "comment", "quel", "quelle",
    "quels", "quelles", "qui", "où", "quand", "pourquoi", "est", "cómo", "qué", "cuál", "cuáles", "quién", "dónde",
    "cuándo", "por",
];

/// A keyword set of the module `keywords`.
#[foreign(collection = "keywords.sets", thing = "set", reference = "set_ref", may_be_missing, index(site_id, folded))]
pub(crate) struct KeywordSet {
    pub(crate) site_id: String,
    pub(crate) folded: String,
}

/// A keyword of a set.
#[foreign(collection = "keywords.keywords", thing = "keyword", may_be_missing, index(set, order))]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Keyword {
    pub(crate) set: String,
    pub(crate) order: i64,
    pub(crate) keyword: String,
    pub(crate) volume: Option<u64>,
    pub(crate) excluded: bool,
}

#[args]
pub(crate) struct Suggest {
    /// The website.
    site_id: Id<Site>,
    /// What prompts are about; what is searched most when left out.
    topic: Option<Text<2, 120>>,
    /// Questions among the keywords of this set.
    set_ref: Option<Id<KeywordSet>>,
    /// Where somebody stands who asks; all stages when left out.
    stages: Option<List<Stage, 1, 4>>,
    /// The language of the sentences; that of the topic's words when left out. English, German, French and Spanish.
    language: Option<Language>,
    /// The most suggestions.
    #[default(50)]
    limit: Count<5, 200>,
}

/// Where a suggestion comes from.
#[value]
pub(crate) enum Origin {
    /// A query of Search Console.
    Searched,
    /// A keyword of a set.
    Keyword,
    /// A question that people also ask, on a stored result page.
    AlsoAsked,
    /// A sentence for the topic.
    Pattern,
}

/// A prompt that could be tracked.
#[value]
pub(crate) struct Suggested {
    text: String,
    stage: Stage,
    source: Origin,
    /// Impressions of 90 days, or searches in a month; null where nobody knows.
    demand: Option<u64>,
    /// What it is about, as `prompt.add` takes it.
    topic: Option<String>,
}

/// Prompts that could be tracked.
#[value]
pub(crate) struct Suggestions {
    /// What people ask by demand, then sentences for the topic in turns of stages.
    prompts: Vec<Suggested>,
    /// Suggestions that are tracked already, left out.
    already_tracked: u64,
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Suggests prompts people would put to assistants by turning search questions, keyword clusters and comparison patterns into natural sentences per buying stage and market.
///
/// Questions are taken from Search Console (six words or more, or beginning with an asking word), from a keyword set and from
/// result pages on file; sentences are patterns in English, German, French and Spanish. No language model is asked.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(most = limit, unit = "prompts"),
    needs = ["store"],
    phrasings = [
        "what do people ask chatgpt about my products",
        "suggest prompts to track",
        "turn search questions into AI prompts",
        "ideas for comparison prompts",
    ],
    examples = [{ "site_id": "4503599627370496", "topic": "reading lamps" }, { "site_id": "4503599627370496", "stages": ["compare", "choose"], "limit": 20 }]
)]
pub(crate) fn suggest(cx: &Cx, args: Suggest) -> Result<Answer<Suggestions>> {
    let site = site::get(cx, &args.site_id)?;
    let mut degraded = Vec::new();
    let mut asked: Vec<Suggested> = searched(cx, &site, &mut degraded)?;
    if let Some(set) = &args.set_ref {
        asked.extend(keywords(cx, &site, set)?);
    }
    asked.extend(also_asked(cx, &site));
    let topic_words =
        args.topic.as_ref().map(|it| kit::terms::Analyzer::new(language_of(it.as_str())).query(it.as_str()));
    if let Some(words) = &topic_words {
        asked.retain(|it| speaks_of(&it.text, words));
    }
    let wanted = |stage: Stage| args.stages.as_ref().is_none_or(|stages| stages.contains(&stage));
    asked.retain(|it| wanted(it.stage));
    asked.sort_by(|a, b| {
        b.demand.cmp(&a.demand).then_with(|| a.source.cmp(&b.source)).then_with(|| a.text.cmp(&b.text))
    });
    let topics: Vec<String> = match &args.topic {
        Some(topic) => vec![kit::text::collapse(topic.as_str())],
        None => topics(cx, &site, &args),
    };
    if topics.is_empty() && asked.is_empty() {
        degraded.push(Degraded::new("prompts", "nothing is on file that people ask about; name a topic"));
    }
    let patterns = sentences(cx, &site, &topics, args.language.as_ref(), &mut degraded);
    let known: Vec<String> = of_site(cx, &site.id).map(|it| key::words(&it.text).join(" ")).collect();
    let (mut prompts, mut seen, mut dropped) = (Vec::new(), BTreeMap::new(), 0);
    let most = usize::try_from(args.limit.get()).unwrap_or(0);
    // A third is kept for sentences, so that every stage is there.
    let room = if patterns.is_empty() { most } else { most - most / 3 };
    let mut take = |it: Suggested, most: usize, prompts: &mut Vec<Suggested>| {
        let words = key::words(&it.text).join(" ");
        if known.contains(&words) {
            dropped += 1;
        } else if prompts.len() < most && seen.insert(words, ()).is_none() {
            prompts.push(it);
        }
    };
    asked.into_iter().for_each(|it| take(it, room, &mut prompts));
    patterns.into_iter().filter(|it| wanted(it.stage)).for_each(|it| take(it, most, &mut prompts));
    let host = brand::plain(&site.domain);
    let add: Vec<_> = prompts
        .iter()
        .take(20)
        .map(|it| json!({ "text": it.text, "stage": it.stage, "topic": it.topic.as_deref().unwrap_or(&host) }))
        .collect();
    let next = (!add.is_empty()).then(|| {
        let arguments = json!({ "site_id": site.id, "prompts": add });
        Next::new("ai_visibility.prompt.add", arguments, "tracks the first twenty; leave out what does not fit")
    });
    let count = prompts.len() as u64;
    Ok(Answer::new(Suggestions { prompts, already_tracked: dropped, next: next.into_iter().collect(), degraded })
        .units(count))
}

fn language_of(text: &str) -> &'static str {
    kit::language::detect(text).map_or("en", |it| it.language)
}

/// Whether a text has the words of a topic in any form.
fn speaks_of(text: &str, words: &[String]) -> bool {
    let own = kit::terms::Analyzer::new(language_of(text)).stems(text);
    let held = words.iter().filter(|it| own.contains(it)).count();
    !words.is_empty() && held * 2 >= words.len()
}

/// Whether a query is a question put in words.
fn is_question(text: &str) -> bool {
    let words = key::words(text);
    words.len() >= WORDS || words.first().is_some_and(|it| ASKING.contains(&it.as_str()))
}

/// A query as a sentence: a capital at the beginning, a question mark where it asks.
fn sentence(query: &str) -> String {
    let text = kit::text::collapse(query);
    let asks = key::words(&text).first().is_some_and(|it| ASKING.contains(&it.as_str()));
    let mut letters = text.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    let mark = if asks && !text.ends_with(['?', '.', '!']) { "?" } else { "" };
    format!("{first}{}{mark}", letters.as_str())
}

fn of(text: &str, source: Origin, demand: Option<u64>) -> Suggested {
    let text = sentence(text);
    Suggested { stage: patterns::stage_of(&text), text, source, demand, topic: None }
}

fn searched(cx: &Cx, site: &Stored<Site>, degraded: &mut Vec<Degraded>) -> Result<Vec<Suggested>> {
    let Some(last) = search::last_day(cx, &site.id, SearchType::Web) else {
        let missing = Degraded::new("searched questions", "no Search Console figures of this website are stored");
        degraded.push(missing.supplied_by("search_console.sync.run", json!({ "site_id": site.id })));
        return Ok(Vec::new());
    };
    let mut queries: BTreeMap<String, u64> = BTreeMap::new();
    let add = |key: &[u8], sum: Search| {
        let (query, _) = search::parts(key);
        if is_question(query) {
            *queries.entry(query.to_owned()).or_default() += sum.impressions;
        }
    };
    let figures = Figures::of(cx, &site.id, SearchType::Web);
    figures.sums(Cut::Queries, Period::ending(last, DAYS), b"", add).map_err(|error| error.at("/site_id"))?;
    Ok(queries
        .iter()
        .filter(|it| it.0.len() <= 300)
        .map(|(query, count)| of(query, Origin::Searched, Some(*count)))
        .collect())
}

fn keywords(cx: &Cx, site: &Stored<Site>, set: &Id<KeywordSet>) -> Result<Vec<Suggested>> {
    let found = cx.records::<KeywordSet>().find(set).filter(|it| it.site_id == site.id.as_str());
    if found.is_none() {
        let message = "no keyword set of this website has this reference; keywords.set.list shows them";
        return Err(Fault::not_found("set_not_found", message).at("/set_ref"));
    }
    let rows = cx.records::<Keyword>().by("set_order").equals(set).descending().scan().take(KEYWORDS);
    Ok(rows
        .filter(|it| !it.excluded && is_question(&it.keyword))
        .map(|it| of(&it.keyword, Origin::Keyword, it.volume))
        .collect())
}

fn also_asked(cx: &Cx, site: &Stored<Site>) -> Vec<Suggested> {
    let pages = serps::newest(cx, &site.id, |it| !it.questions.is_empty());
    let mut out: Vec<Suggested> = Vec::new();
    for question in pages.values().flat_map(|it| &it.questions) {
        if out.len() < 500 && out.iter().all(|it| it.text != sentence(question)) {
            out.push(of(question, Origin::AlsoAsked, None));
        }
    }
    out
}

/// What is searched or bought most, where no topic is named.
fn topics(cx: &Cx, site: &Stored<Site>, args: &Suggest) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut add = |text: &str| {
        let text = kit::text::collapse(text);
        let short = (2..=4).contains(&text.split_whitespace().count()) && !is_question(&text);
        if short && out.len() < TOPICS && !out.contains(&text) {
            out.push(text);
        }
    };
    if let Some(set) = &args.set_ref {
        let rows = cx.records::<Keyword>().by("set_order").equals(set).descending().scan().take(50);
        rows.filter(|it| !it.excluded).for_each(|it| add(&it.keyword));
    }
    for prompt in of_site(cx, &site.id).filter(|it| !it.topic.is_empty()) {
        add(&prompt.topic);
    }
    for keyword in serps::newest(cx, &site.id, |_| true).into_keys() {
        add(&keyword);
    }
    out
}

/// Sentences for topics, in turns of stages.
fn sentences(
    cx: &Cx,
    site: &Stored<Site>,
    topics: &[String],
    language: Option<&Language>,
    degraded: &mut Vec<Degraded>,
) -> Vec<Suggested> {
    let set = cx.records::<BrandSet>().find(&site.id.cast()).map(Stored::into_inner);
    let brands = set.map(|it| it.brands).unwrap_or_default();
    let own = brands.iter().find(|it| it.own).map_or_else(|| brand::plain(&site.domain), |it| it.name.clone());
    let rivals: Vec<&str> = brands.iter().filter(|it| !it.own).map(|it| it.name.as_str()).collect();
    if rivals.is_empty() && !topics.is_empty() {
        let missing = Degraded::new("comparisons", "no competitor is known, so that no sentence compares with one");
        let own = json!([{ "name": own, "own": true }]);
        degraded.push(missing.supplied_by("ai_visibility.brand.set", json!({ "site_id": site.id, "brands": own })));
    }
    let year = cx.now().day().civil().0;
    let mut by_stage: BTreeMap<Stage, Vec<Suggested>> = BTreeMap::new();
    for topic in topics {
        let wanted = language.map_or_else(|| language_of(topic).to_owned(), |it| it.primary().to_owned());
        let (found, patterns) = patterns::of(&wanted);
        if found != wanted && language.is_some() {
            degraded
                .push(Degraded::new("patterns", format!("there are no sentences in `{wanted}`; these are English")));
        }
        let mut turn = 0;
        for pattern in patterns {
            let rival = rivals.get(turn % rivals.len().max(1)).copied();
            let filling = Filling { topic, brand: &own, rival, year };
            if let Some(text) = pattern.fill(&filling) {
                turn += 1;
                let it = Suggested {
                    text,
                    stage: pattern.stage,
                    source: Origin::Pattern,
                    demand: None,
                    topic: Some(topic.clone()),
                };
                by_stage.entry(pattern.stage).or_default().push(it);
            }
        }
    }
    let longest = by_stage.values().map(Vec::len).max().unwrap_or(0);
    let mut stages: Vec<_> = by_stage.into_values().map(Vec::into_iter).collect();
    (0..longest).flat_map(|_| stages.iter_mut().filter_map(Iterator::next).collect::<Vec<_>>()).collect()
}
