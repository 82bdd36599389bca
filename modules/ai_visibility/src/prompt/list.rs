//! The operation `ai_visibility.prompt.list`.

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::{Degraded, Next, json};
use site::Site;

use super::{of_site, same_topic};
use crate::figures::rate::wilson;
use crate::measured::tallies;
use crate::run::{own_names, repeats};
use crate::stored::{Prompt, Stage};

/// Days that rates are of.
const DAYS: i32 = 30;

#[args(paged)]
pub(crate) struct Listing {
    /// The website.
    site_id: Id<Site>,
    /// Prompts of this topic.
    topic: Option<Text<1, 120>>,
    /// Prompts of this stage.
    stage: Option<Stage>,
}

/// A prompt.
#[value]
pub(crate) struct Row {
    prompt_ref: Id<Prompt>,
    /// What is asked.
    text: String,
    /// Counts up with every change of its words.
    prompt_version: u32,
    topic: Option<String>,
    country: Option<String>,
    language: Option<String>,
    persona: Option<String>,
    stage: Option<Stage>,
    added_at: Moment,
    /// When the newest run that asked it began; null before the first.
    last_run_at: Option<Moment>,
    /// The share of its answers of the last 30 days that name the website's brand; null without answers.
    mention_rate: Option<f64>,
    /// Of `mention_rate`, of this prompt exactly.
    ci95: Option<[f64; 2]>,
    /// Answers that the rate rests on.
    n: u64,
}

/// Prompts.
#[page]
pub(crate) struct Rows {
    /// By topic, then as they were added.
    prompts: Vec<Row>,
    total: u64,
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Lists tracked prompts with version, topic, last run, mention rate and its interval.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = ["show tracked prompts", "for which questions does chatgpt name me", "prompts about reading lamps", "when was this prompt asked last"],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "topic": "reading lamps", "limit": 50 }]
)]
pub(crate) fn list(cx: &Cx, args: Listing) -> Result<Rows> {
    let site = site::get(cx, &args.site_id)?;
    let holds = |it: &Stored<Prompt>| {
        args.topic.as_ref().is_none_or(|topic| same_topic(&it.topic, topic.as_str()))
            && args.stage.is_none_or(|stage| it.stage == Some(stage))
    };
    let all: Vec<Stored<Prompt>> = of_site(cx, &site.id).filter(holds).collect();
    let total = all.len() as u64;
    let to = cx.now().day();
    let read = tallies(cx, &site, to.plus(1 - DAYS), to);
    let own = own_names(cx, site.id.as_str());
    let mut rates: BTreeMap<String, (f64, u64, u64)> = BTreeMap::new();
    for tally in &read.tallies {
        let one = repeats(tally, &own);
        let sum = rates.entry(tally.prompt.clone()).or_default();
        *sum = (sum.0 + one.hits, sum.1 + one.answers, sum.2.max(tally.at_ms));
    }
    let page = args.window(all)?;
    let mut next = Vec::new();
    if total == 0 && args.topic.is_none() && args.stage.is_none() {
        let suggest = json!({ "site_id": site.id });
        next.push(Next::new("ai_visibility.prompt.suggest", suggest, "suggests what to ask"));
    }
    let prompts = page.items.into_iter().map(|it| row(it, &rates)).collect();
    Ok(Rows { prompts, next_cursor: page.next, total, next, degraded: read.degraded })
}

#[expect(clippy::cast_precision_loss, reason = "answers of one prompt")]
fn row(prompt: Stored<Prompt>, rates: &BTreeMap<String, (f64, u64, u64)>) -> Row {
    let Stored { id, it, .. } = prompt;
    let (hits, answers, last) = rates.get(id.as_str()).copied().unwrap_or_default();
    let rate = (answers > 0).then(|| hits / answers as f64);
    Row {
        prompt_ref: id,
        text: it.text,
        prompt_version: it.prompt_version,
        topic: Some(it.topic).filter(|it| !it.is_empty()),
        country: it.country,
        language: it.language,
        persona: it.persona,
        stage: it.stage,
        added_at: Moment::from_millis(it.created_ms),
        last_run_at: (last > 0).then(|| Moment::from_millis(last)),
        mention_rate: rate.map(|it| kit::statistics::round(it, 6)),
        ci95: rate.map(|it| wilson(it, answers as f64)),
        n: answers,
    }
}
