//! The operation `keywords.idea.related`.

use std::collections::BTreeMap;

use dataforseo::{Account, Market, money};
use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Degraded, Money, json};

use crate::market::{Figures, WHY};
use crate::normal::normal;
use crate::stored::{Intent, Keyword, Set, keyword_id};

/// How ideas belong to the seeds.
#[value]
pub(crate) enum Mode {
    /// Searched together with them.
    Related,
    /// Phrases that contain them.
    Suggestions,
    /// Keywords that a domain ranks for; the seeds are domains.
    Site,
}

#[args]
pub(crate) struct Related {
    /// Keywords to begin with, or domains for the mode `site`.
    seeds: List<Text<1, 80>, 1, 20>,
    /// The country.
    country: Country,
    /// The language.
    language: Language,
    /// How ideas belong to the seeds.
    #[default("related")]
    mode: Mode,
    /// Ideas of all seeds together; each row costs at the provider.
    #[default(200)]
    limit: Count<1, 1_000>,
    /// Leave out what this set has.
    set_ref: Option<Id<Set>>,
}

/// A keyword.
#[value]
pub(crate) struct Idea {
    keyword: String,
    /// The seed that brought it.
    seed: String,
    volume: Option<u64>,
    /// US dollars for a click.
    cpc: Option<f64>,
    difficulty: Option<u8>,
    intent: Option<Intent>,
}

/// Related keywords.
#[value]
pub(crate) struct Ideas {
    /// Those with the most searches first.
    ideas: Vec<Idea>,
    /// Ideas that the set has already.
    known_keywords: u64,
    /// What the provider says that it cost.
    provider_cost: Money,
    degraded: Vec<Degraded>,
}

/// Fetches related keywords and suggestions with metrics from DataForSEO Labs and drops ones already in the set.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 20),
    needs = ["store", "connection:dataforseo"],
    outside = [
        "dataforseo POST /v3/dataforseo_labs/google/related_keywords/live query",
        "dataforseo POST /v3/dataforseo_labs/google/keyword_suggestions/live query",
        "dataforseo POST /v3/dataforseo_labs/google/keywords_for_site/live query",
    ],
    phrasings = ["related keywords with search volume", "find similar keywords", "keyword suggestions for a topic", "keywords for a domain"],
    examples = [{ "seeds": ["desk lamp"], "country": "GB", "language": "en", "limit": 100 }]
)]
pub(crate) fn related(cx: &Cx, args: Related) -> Result<Ideas> {
    let set = args.set_ref.as_ref().map(|set| crate::set::get(cx, set)).transpose()?;
    let market = Market::of_labs(args.country, &args.language)?;
    let account = Account::required(cx, "/seeds", WHY)?;
    let language = args.language.primary().to_owned();
    let seeds: Vec<&str> = args.seeds.iter().map(Text::as_str).collect();
    let limit = usize::try_from(args.limit.get()).unwrap_or(1);
    let share = limit.div_ceil(seeds.len());
    let (path, member) = match args.mode {
        Mode::Related => ("dataforseo_labs/google/related_keywords/live", "keyword"),
        Mode::Suggestions => ("dataforseo_labs/google/keyword_suggestions/live", "keyword"),
        Mode::Site => ("dataforseo_labs/google/keywords_for_site/live", "target"),
    };
    let task = |seed: &&str| {
        let asked = if args.mode == Mode::Site { (*seed).to_owned() } else { normal(seed, &language) };
        let mut task = json!({ "location_code": market.location, "language_code": market.language, "limit": share });
        task[member] = json!(asked);
        if args.mode == Mode::Related {
            // Two steps away there are up to 72 keywords, one step is 8.
            task["depth"] = json!(if share > 8 { 2 } else { 1 });
        }
        task
    };
    let answers = account.ask_many(path, &seeds.iter().map(task).collect::<Vec<Value>>());
    let (mut found, mut micros, mut degraded) = (BTreeMap::new(), 0, Vec::new());
    let mut first_fault = None;
    for (at, (seed, answer)) in seeds.iter().zip(answers).enumerate() {
        let answer = match answer {
            Ok(answer) => answer,
            Err(refusal) => {
                let fault = refusal.fault(&format!("/seeds/{at}"));
                degraded.push(Degraded::new((*seed).to_owned(), format!("{}: {}", fault.code, fault.message)));
                first_fault.get_or_insert(fault);
                continue;
            }
        };
        micros += answer.cost_micros;
        for item in answer.items() {
            let data = if item["keyword_data"].is_object() { &item["keyword_data"] } else { item };
            let Some(figures) = Figures::read(data) else { continue };
            let keyword = normal(&figures.keyword, &language);
            found.entry(keyword.clone()).or_insert_with(|| Idea {
                keyword,
                seed: (*seed).to_owned(),
                volume: figures.volume,
                cpc: figures.cpc,
                difficulty: figures.difficulty,
                intent: figures.intent,
            });
        }
    }
    // Nothing was answered at all: that is a refusal, not an empty list.
    if let Some(fault) = first_fault.filter(|_| micros == 0 && found.is_empty()) {
        return Err(fault);
    }
    let all = found.len();
    let mut ideas: Vec<Idea> = found.into_values().collect();
    if let Some(set) = &set {
        let keywords = cx.records::<Keyword>();
        ideas.retain(|it| keywords.find(&keyword_id(&set.id, &it.keyword)).is_none());
    }
    let known_keywords = (all - ideas.len()) as u64;
    ideas.sort_by(|a, b| b.volume.cmp(&a.volume).then_with(|| a.keyword.cmp(&b.keyword)));
    ideas.truncate(limit);
    Ok(Ideas { ideas, known_keywords, provider_cost: money(micros), degraded })
}
