//! The operation `keywords.idea.autocomplete`.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use dataforseo::{Account, escaped, language_code, location_code, money};
use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Degraded, Money, json};

use crate::language::Words;
use crate::market::WHY;
use crate::normal::normal;

const ENDPOINT: &str = "serp/google/autocomplete/live/advanced";
/// Questions asked side by side.
const TOGETHER: usize = 8;
/// Question words that are put before a seed.
const QUESTIONS: usize = 12;

#[args]
pub(crate) struct Autocomplete {
    /// Keywords to begin with.
    seeds: List<Text<1, 80>, 1, 10>,
    /// The country.
    country: Country,
    /// The language.
    language: Language,
    /// How far suggestions are followed: 2 asks again with each suggestion.
    #[default(1)]
    depth: Count<1, 2>,
    /// Requests at the provider, at most; a seed with all letters and question words needs about 40.
    #[default(60)]
    max_requests: Count<1, 400>,
}

/// A suggestion.
#[value]
pub(crate) struct Idea {
    keyword: String,
    /// What was typed.
    parent: String,
    /// Its place among the suggestions, from 1.
    rank: u32,
}

/// Suggestions of a search engine.
#[value]
pub(crate) struct Ideas {
    /// Suggestions of shorter questions first.
    ideas: Vec<Idea>,
    /// Requests that were made.
    requests: u32,
    /// Whether the bound ended the collection before all was asked.
    cut: bool,
    /// What the provider says that it cost.
    provider_cost: Money,
    degraded: Vec<Degraded>,
}

/// Collects search suggestions for seeds and their a-z and question prefixes through the DataForSEO autocomplete endpoint.
///
/// Each request costs 3 points here, after the first, and its price at the provider: `max_requests` bounds both. Seeds take
/// turns, so that a bound leaves none of them out.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = max_requests),
    needs = ["store", "connection:dataforseo"],
    outside = ["dataforseo POST /v3/serp/google/autocomplete/live/advanced query"],
    phrasings = ["google suggestions for a keyword", "autocomplete keywords a to z", "what does google suggest for lamp", "alphabet soup keyword research"],
    examples = [{ "seeds": ["desk lamp"], "country": "GB", "language": "en" }]
)]
pub(crate) fn autocomplete(cx: &Cx, args: Autocomplete) -> Result<Ideas> {
    let account = Account::required(cx, "/seeds", WHY)?;
    let language = args.language.primary().to_owned();
    let most = usize::try_from(args.max_requests.get()).unwrap_or(1);
    let mut queue =
        questions(&args.seeds.iter().map(|it| normal(it.as_str(), &language)).collect::<Vec<_>>(), &language);
    let (mut ideas, mut seen) = (Vec::new(), BTreeSet::new());
    let mut asked: BTreeSet<String> = BTreeSet::new();
    let (mut micros, mut requests, mut depth, mut degraded) = (0, 0, 1, Vec::new());
    loop {
        let mut batch: Vec<String> = Vec::new();
        while batch.len() < TOGETHER.min(most - requests)
            && let Some(text) = queue.pop_front()
        {
            if asked.insert(text.clone()) {
                batch.push(text);
            }
        }
        if batch.is_empty() {
            if queue.is_empty() && depth < args.depth.get() && requests < most {
                depth += 1;
                queue = ideas.iter().map(|it: &Idea| it.keyword.clone()).collect();
                continue;
            }
            break;
        }
        let task = |text: &String| json!({ "keyword": escaped(text), "location_code": location_code(args.country), "language_code": language_code(&args.language), "client": "gws-wiz" });
        let answers = account.ask_many(ENDPOINT, &batch.iter().map(task).collect::<Vec<Value>>());
        requests += batch.len();
        for (parent, answer) in batch.into_iter().zip(answers) {
            let answer = match answer {
                Ok(answer) => answer,
                Err(refusal) if ideas.is_empty() && micros == 0 => return Err(refusal.fault("/country")),
                Err(refusal) => {
                    let fault = refusal.fault("/country");
                    degraded.push(Degraded::new(parent, format!("{}: {}", fault.code, fault.message)));
                    continue;
                }
            };
            micros += answer.cost_micros;
            for (rank, item) in (1..).zip(answer.items()) {
                let Some(suggestion) = item["suggestion"].as_str() else { continue };
                let keyword = normal(suggestion, &language);
                if !keyword.is_empty() && seen.insert(keyword.clone()) {
                    ideas.push(Idea { keyword, parent: parent.clone(), rank });
                }
            }
        }
    }
    let cut = !queue.is_empty() || (depth < args.depth.get() && !ideas.is_empty());
    degraded.truncate(20);
    Ok(Ideas {
        ideas,
        requests: u32::try_from(requests).unwrap_or(u32::MAX),
        cut,
        provider_cost: money(micros),
        degraded,
    })
}

/// What is typed for the seeds, in turns: the seed, the seed with each letter, question words before it.
fn questions(seeds: &[String], language: &str) -> VecDeque<String> {
    let words = Words::of(language);
    let before: Vec<&str> =
        words.as_ref().map(|it| it.section("questions").iter().copied().take(QUESTIONS).collect()).unwrap_or_default();
    let of_seed = |seed: &String| {
        let letters = ('a'..='z').map(|letter| format!("{seed} {letter}"));
        let questions = before.iter().map(|word| format!("{word} {seed}"));
        std::iter::once(seed.clone()).chain(letters).chain(questions).collect::<Vec<_>>()
    };
    let mut turns: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for seed in seeds.iter().filter(|it| !it.is_empty()) {
        of_seed(seed).into_iter().enumerate().for_each(|(turn, text)| turns.entry(turn).or_default().push(text));
    }
    turns.into_values().flatten().collect()
}
