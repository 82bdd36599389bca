//! The operation `ai_visibility.consistency.report`.

use std::collections::BTreeMap;

use kit::statistics::{mean, round};
use sdk::prelude::*;
use sdk::{Degraded, Next, json};
use site::Site;

use crate::brand;
use crate::figures::rate::{needed_prompts, needed_repeats, rate};
use crate::figures::spread::{divergence, overlap};
use crate::measured::{self, Method};
use crate::run::{by_prompt, own_names, repeats};
use crate::stored::{Prompt, Tally};

/// Rows that are told.
const ROWS: usize = 200;

#[args]
pub(crate) struct Report {
    /// The website.
    site_id: Id<Site>,
    /// The first day; 90 days in all when left out.
    from: Option<Day>,
    /// The last day.
    to: Option<Day>,
    /// The margin that is wanted on each side of a rate.
    #[default(0.1)]
    margin: Decimal<20, 300>,
}

/// A prompt.
#[value]
pub(crate) struct Row {
    prompt_ref: Id<Prompt>,
    /// How much the brands of two answers of one run and model overlap, from 0 to 1, mean over pairs; null with one sample.
    stability: Option<f64>,
    /// The share of its answers that name the website's brand.
    mention_rate: f64,
    /// Answers to this prompt that the margin needs.
    needed_samples: u64,
    /// Answers that it has.
    n: u64,
}

/// Two models.
#[value]
pub(crate) struct Pair {
    model: String,
    other_model: String,
    /// The Jensen-Shannon divergence of their mentions to the base 2: 0 for the same, 1 for nothing in common.
    divergence: f64,
    /// Mentions of both.
    n: u64,
}

/// A model.
#[value]
pub(crate) struct OfModel {
    model: String,
    /// Mean over prompts; null with one sample each.
    stability: Option<f64>,
    /// How much repeats of one prompt agree on whether the website's brand is named, from 0 to 1.
    agreement: f64,
    prompts: u64,
    answers: u64,
}

/// The report.
#[value]
pub(crate) struct Reported {
    from: Day,
    to: Day,
    margin: f64,
    /// The least stable first, 200 at most.
    rows: Vec<Row>,
    by_model: Vec<OfModel>,
    /// The most different first.
    pairs: Vec<Pair>,
    /// Prompts that the margin needs over the whole website, each asked as often as now.
    needed_prompts: Option<u64>,
    /// Prompts that it has.
    prompts: u64,
    sampling: Method,
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Measures how stable answers are across repeats and models (brand-set Jaccard, Jensen-Shannon divergence of mentions) and the samples needed for a wanted precision.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["how stable are AI answers", "how many samples do I need", "do models agree about my brand", "how many prompts should I track"],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "margin": 0.05 }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Reported> {
    let site = site::get(cx, &args.site_id)?;
    brand::required(cx, &site)?;
    let (from, to) = measured::period(cx, args.from, args.to)?;
    let mut read = measured::tallies(cx, &site, from, to);
    let own = own_names(cx, site.id.as_str());
    let margin = args.margin.get();
    let mut prompts: BTreeMap<&str, Vec<&Tally>> = BTreeMap::new();
    let mut models: BTreeMap<&str, Vec<&Tally>> = BTreeMap::new();
    for tally in &read.tallies {
        prompts.entry(&tally.prompt).or_default().push(tally);
        models.entry(&tally.model).or_default().push(tally);
    }
    let mut rows: Vec<Row> = prompts.iter().map(|(prompt, tallies)| row(prompt, tallies, &own, margin)).collect();
    let order = |it: &Row| it.stability.unwrap_or(2.0);
    rows.sort_by(|a, b| order(a).total_cmp(&order(b)).then_with(|| a.prompt_ref.as_str().cmp(b.prompt_ref.as_str())));
    if rows.len() > ROWS {
        read.degraded
            .push(Degraded::new("rows", format!("the {ROWS} least stable of {} prompts are told", rows.len())));
        rows.truncate(ROWS);
    }
    if rows.iter().all(|it| it.stability.is_none()) && !rows.is_empty() {
        read.degraded.push(Degraded::new("stability", "every prompt was asked once in each run; take more samples"));
    }
    let by_model = models.iter().map(|(model, tallies)| of_model(model, tallies, &own)).collect();
    let names: Vec<&str> = models.keys().copied().collect();
    let mut pairs: Vec<Pair> = Vec::new();
    for (at, one) in names.iter().enumerate() {
        pairs.extend(names[at + 1..].iter().filter_map(|two| pair(one, two, &models)));
    }
    pairs.sort_by(|a, b| b.divergence.total_cmp(&a.divergence));
    let whole = rate(&by_prompt(&read.tallies, &own));
    #[expect(clippy::cast_precision_loss, reason = "answers of a report")]
    let needed = whole.as_ref().map(|it| {
        let repeats = it.sample.answers as f64 / it.sample.prompts as f64;
        needed_prompts(it.rate, margin, repeats, it.agreement)
    });
    let mut next = Vec::new();
    if needed.zip(whole.as_ref()).is_some_and(|(needed, whole)| needed > whole.sample.prompts) {
        let arguments = json!({ "site_id": site.id });
        next.push(Next::new(
            "ai_visibility.prompt.suggest",
            arguments,
            "suggests prompts: more of them narrow the interval more than more samples",
        ));
    }
    let method = read.method("Jaccard of brand sets over pairs of answers of one prompt, model and run; Jensen-Shannon divergence of mentions");
    Ok(Reported {
        from,
        to,
        margin,
        rows,
        by_model,
        pairs,
        needed_prompts: needed,
        prompts: whole.map_or(0, |it| it.sample.prompts),
        sampling: method,
        next,
        degraded: read.degraded,
    })
}

/// The mean overlap of the answers of tallies with two answers and more.
fn stability(tallies: &[&Tally]) -> Option<f64> {
    let all: Vec<f64> = tallies.iter().filter_map(|it| overlap(&it.sets)).collect();
    (!all.is_empty()).then(|| round(mean(&all), 4))
}

#[expect(clippy::cast_precision_loss, reason = "answers of one prompt")]
fn row(prompt: &str, tallies: &[&Tally], own: &[String], margin: f64) -> Row {
    let (hits, answers) = tallies.iter().fold((0.0, 0), |sum, it| {
        let one = repeats(it, own);
        (sum.0 + one.hits, sum.1 + one.answers)
    });
    let share = hits / (answers.max(1)) as f64;
    Row {
        prompt_ref: Id::new(prompt),
        stability: stability(tallies),
        mention_rate: round(share, 6),
        needed_samples: needed_repeats(share, margin),
        n: answers,
    }
}

fn of_model(model: &str, tallies: &[&Tally], own: &[String]) -> OfModel {
    let repeats = crate::mention::prompts(tallies, own);
    OfModel {
        model: model.to_owned(),
        stability: stability(tallies),
        agreement: round(crate::figures::rate::agreement(&repeats), 4),
        prompts: repeats.len() as u64,
        answers: repeats.iter().map(|it| it.answers).sum(),
    }
}

fn pair(one: &str, two: &str, models: &BTreeMap<&str, Vec<&Tally>>) -> Option<Pair> {
    // Prompts that both were asked.
    let asked =
        |model: &str| models[model].iter().map(|it| it.prompt.as_str()).collect::<std::collections::BTreeSet<_>>();
    let (first, second) = (asked(one), asked(two));
    let of = |model: &str| {
        let mut mentions: BTreeMap<&str, f64> = BTreeMap::new();
        let common =
            models[model].iter().filter(|it| first.contains(it.prompt.as_str()) && second.contains(it.prompt.as_str()));
        for brand in common.flat_map(|it| &it.brands) {
            *mentions.entry(&brand.brand).or_default() += f64::from(brand.answers);
        }
        mentions
    };
    let (a, b) = (of(one), of(two));
    Some(Pair {
        model: one.to_owned(),
        other_model: two.to_owned(),
        divergence: round(divergence(&a, &b)?, 6),
        n: kit::number::as_count(a.values().sum::<f64>() + b.values().sum::<f64>()),
    })
}
