//! The operation `ai_visibility.mention.report`.

use std::collections::BTreeMap;

use kit::statistics::round;
use sdk::prelude::*;
use sdk::{Degraded, Next, json};
use site::Site;

use crate::brand;
use crate::figures::rate::{Repeats, Sample, rate};
use crate::measured::{self, FEW, Method};
use crate::run::repeats;
use crate::stored::Tally;

/// What rows are grouped by.
#[value]
pub(crate) enum By {
    Model,
    Topic,
    /// The country that was asked from.
    Market,
    Stage,
}

#[args]
pub(crate) struct Report {
    /// The website.
    site_id: Id<Site>,
    /// The first day; 90 days in all when left out.
    from: Option<Day>,
    /// The last day.
    to: Option<Day>,
    /// What rows are grouped by.
    #[default("model")]
    by: By,
}

/// How often a brand is named within a group.
#[value]
pub(crate) struct Row {
    /// The model, topic, country or stage; null where prompts have none.
    key: Option<String>,
    brand: String,
    own: bool,
    /// The share of answers that name it: the mean over prompts.
    rate: f64,
    /// Of `rate`, prompts taken as a sample of the topic.
    ci95: [f64; 2],
    /// Of `rate` for exactly these prompts; null under 30 answers or with prompts asked once.
    ci95_fixed: Option<[f64; 2]>,
    n: Sample,
    /// Whether the rate is of fewer than five prompts.
    few: bool,
    /// The mean place of its first mention in answers that name it; null where none does.
    order: Option<f64>,
    /// From 0 to 1: how early, how high in the first list and how often, mean over answers that name it.
    prominence: Option<f64>,
}

/// The report.
#[value]
pub(crate) struct Reported {
    from: Day,
    to: Day,
    by: By,
    /// Group by group; in each the brand that is named most first.
    rows: Vec<Row>,
    /// Over all groups, the website's own brands together.
    own: Option<Whole>,
    sampling: Method,
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// The website's own brands over all models and prompts.
#[value]
pub(crate) struct Whole {
    rate: f64,
    ci95: [f64; 2],
    n: Sample,
    /// How much repeats of one prompt agree, from 0 to 1.
    agreement: f64,
}

/// Reports mention rate, first-mention order and prominence per brand, model, topic and market with Wilson 95% intervals over samples.
///
/// Repeats of one prompt agree with each other: the interval counts how many independent answers they are worth, by the
/// intra-class correlation of the repeats. A brand that no answer names has the rate 0 with its interval.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["how often does chatgpt mention my brand", "mention rate by model", "AI visibility by topic", "which brand is named first"],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "by": "topic", "from": "2026-08-01", "to": "2026-10-31" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Reported> {
    let site = site::get(cx, &args.site_id)?;
    let set = brand::required(cx, &site)?;
    let (from, to) = measured::period(cx, args.from, args.to)?;
    let read = measured::tallies(cx, &site, from, to);
    let mut groups: BTreeMap<Option<String>, Vec<&Tally>> = BTreeMap::new();
    for tally in &read.tallies {
        groups.entry(key(args.by, tally)).or_default().push(tally);
    }
    let mut rows = Vec::new();
    for (key, tallies) in groups {
        let mut own: Vec<Row> = set.brands.iter().filter_map(|it| row(key.clone(), it, &tallies)).collect();
        own.sort_by(|a, b| b.rate.total_cmp(&a.rate).then_with(|| a.brand.cmp(&b.brand)));
        rows.extend(own);
    }
    let names: Vec<String> = set.brands.iter().filter(|it| it.own).map(|it| it.name.clone()).collect();
    let all: Vec<&Tally> = read.tallies.iter().collect();
    let own = rate(&prompts(&all, &names)).map(|it| Whole {
        rate: it.rate,
        ci95: it.ci95,
        n: it.sample,
        agreement: it.agreement,
    });
    let next = next(&site, own.as_ref());
    let method = read.method(
        "share of answers that name the brand, mean over prompts; Wilson interval at the number of independent answers",
    );
    Ok(Reported { from, to, by: args.by, rows, own, sampling: method, next, degraded: read.degraded })
}

fn key(by: By, tally: &Tally) -> Option<String> {
    match by {
        By::Model => Some(tally.model.clone()),
        By::Topic => Some(tally.topic.clone()).filter(|it| !it.is_empty()),
        By::Market => tally.country.clone(),
        By::Stage => tally.stage.map(|it| {
            let word = sdk::serde_json::to_value(it).ok();
            word.and_then(|it| it.as_str().map(str::to_owned)).unwrap_or_default()
        }),
    }
}

/// The answers of each prompt that name one of these brands.
pub(crate) fn prompts(tallies: &[&Tally], brands: &[String]) -> Vec<Repeats> {
    let mut by_prompt: BTreeMap<&str, Repeats> = BTreeMap::new();
    for tally in tallies {
        let one = repeats(tally, brands);
        let sum = by_prompt.entry(&tally.prompt).or_default();
        sum.hits += one.hits;
        sum.answers += one.answers;
    }
    by_prompt.into_values().collect()
}

fn row(key: Option<String>, brand: &brand::Brand, tallies: &[&Tally]) -> Option<Row> {
    let rate = rate(&prompts(tallies, std::slice::from_ref(&brand.name)))?;
    let mut named = 0.0;
    let (mut ranks, mut prominence) = (0.0, 0.0);
    for of in tallies.iter().flat_map(|it| &it.brands).filter(|it| it.brand == brand.name) {
        named += f64::from(of.answers);
        ranks += f64::from(of.ranks);
        prominence += of.prominence;
    }
    let mean = |sum: f64| (named > 0.0).then(|| round(sum / named, 4));
    Some(Row {
        key,
        brand: brand.name.clone(),
        own: brand.own,
        rate: rate.rate,
        ci95: rate.ci95,
        ci95_fixed: rate.fixed,
        few: rate.sample.prompts < FEW,
        n: rate.sample,
        order: mean(ranks),
        prominence: mean(prominence),
    })
}

fn next(site: &Stored<Site>, own: Option<&Whole>) -> Vec<Next> {
    let arguments = json!({ "site_id": site.id });
    let mut out = Vec::new();
    if own.is_some_and(|it| it.rate < 0.5) {
        out.push(Next::new(
            "ai_visibility.citation_gap.analyze",
            arguments.clone(),
            "shows the sources that answers cite where you are not named",
        ));
    }
    if own.is_some_and(|it| it.ci95[1] - it.ci95[0] > 0.2) {
        out.push(Next::new(
            "ai_visibility.consistency.report",
            arguments.clone(),
            "tells how many prompts or samples a narrower interval needs",
        ));
    }
    if own.is_some() {
        out.push(Next::new(
            "ai_visibility.share_of_voice.report",
            arguments,
            "compares the brands, with what has changed",
        ));
    }
    out
}
