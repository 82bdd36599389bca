//! The operation `ai_visibility.run.get`, and what runs have in common.

pub(crate) mod list;
pub(crate) mod sources;
pub(crate) mod start;
pub(crate) mod work;

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::{Degraded, JobState, Money, Next, Progress, json};
use site::Site;

use crate::figures::rate::{Repeats, Sample, rate};
use crate::stored::{Asked, EndedBy, Measured, OfConnection, Run, State, Tally};

/// Tallies of one run that are read.
const MOST: usize = 12_000;

#[args]
pub(crate) struct Get {
    /// The run.
    run_ref: Id<Run>,
}

/// What one model came to.
#[value]
pub(crate) struct OfModel {
    connection_ref: Id<sdk::Connection>,
    /// The model as it answered; as it was asked for before the first answer.
    model: String,
    /// As it was asked for.
    asked_model: String,
    measured: Measured,
    answers: u64,
    /// Questions without an answer; none is charged.
    failed: u64,
    /// Why, by the provider's code.
    failures: BTreeMap<String, u64>,
    /// Answers in which the model declined; they count as answers without a brand.
    refused: u64,
    /// Answers that were cut.
    cut_short: u64,
    /// Answers for which the web was searched.
    searched: u64,
    /// The share of answers that name the website's brand, mean over prompts; null before the run has ended.
    mention_rate: Option<f64>,
    /// Of `mention_rate`.
    ci95: Option<[f64; 2]>,
    /// What the rate rests on.
    n: Option<Sample>,
    tokens: Tokens,
    /// Null where no price is set.
    spending: Option<Money>,
}

/// Tokens.
#[value]
#[derive(Default)]
pub(crate) struct Tokens {
    /// Of the questions and of what was searched.
    pub(crate) input_tokens: u64,
    /// Of the answers, thinking included.
    pub(crate) output_tokens: u64,
}

/// A run.
#[value]
pub(crate) struct View {
    run_ref: Id<Run>,
    site_id: Id<Site>,
    /// The job; account.job.get follows it and account.job.cancel ends it.
    job_ref: Option<Id<Job>>,
    state: State,
    progress: Progress,
    created_at: Moment,
    finished_at: Option<Moment>,
    /// Why it ended.
    ended_by: Option<EndedBy>,
    prompts: u64,
    samples: u32,
    web_search: bool,
    answers: u64,
    failed: u64,
    by_model: Vec<OfModel>,
    tokens: Tokens,
    /// The share of answers that name the website's brand, mean over prompts; null before the run has ended.
    mention_rate: Option<f64>,
    /// Of `mention_rate`.
    ci95: Option<[f64; 2]>,
    /// What the rate rests on.
    n: Option<Sample>,
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Reads a run: progress, answers per model, failures by provider code, tokens and headline mention rates.
///
/// What is measured is the model behind its interface, not the application that people use, but for connections of
/// DataForSEO, which read the product itself: `measured` says which.
#[operation(
    read,
    scope = "assets:read",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["how is my AI visibility run doing", "result of the prompt run", "why did answers fail", "how many tokens did the run use"],
    examples = [{ "run_ref": "run_01" }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<View> {
    let run = cx.records::<Run>().get(&args.run_ref).map_err(|fault| fault.at("/run_ref"))?;
    let state = current(cx, &run);
    let tallies: Vec<Tally> = if run.brands_version.is_some() {
        cx.records::<Tally>().by("run_n").equals(&run.id).scan().take(MOST).map(Stored::into_inner).collect()
    } else {
        Vec::new()
    };
    let own = own_names(cx, &run.site_id);
    let of = |place: usize| {
        let count = run.asked.len().max(1);
        let mine = tallies.iter().filter(|it| it.n as usize % count == place);
        rate(&mine.map(|it| repeats(it, &own)).collect::<Vec<_>>())
    };
    let by_model: Vec<OfModel> =
        run.asked.iter().zip(&run.came).enumerate().map(|(at, (asked, came))| of_model(asked, came, of(at))).collect();
    let whole = rate(&by_prompt(&tallies, &own));
    let total = run.total();
    let done = run.answers() + run.failed();
    let step = match state {
        State::Queued => "waiting to begin",
        State::Running if done < total => "asking",
        State::Running => "counting",
        _ => "done",
    };
    let sum = |part: fn(&OfConnection) -> u64| run.came.iter().map(part).sum();
    let mut degraded = run.degraded.clone();
    if state == State::Cancelled && run.brands_version.is_none() && run.answers() > 0 {
        degraded.push(Degraded::new("reports", "the answers of a cancelled run are counted when the next run begins"));
    }
    Ok(View {
        site_id: Id::new(run.site_id.clone()),
        job_ref: run.job_ref.clone(),
        state,
        progress: Progress::new(done, total, step),
        created_at: Moment::from_millis(run.created_ms),
        finished_at: run.finished_ms.map(Moment::from_millis),
        ended_by: run.ended_by,
        prompts: run.prompts,
        samples: run.samples,
        web_search: run.web_search,
        answers: run.answers(),
        failed: run.failed(),
        tokens: Tokens { input_tokens: sum(|it| it.tokens_in), output_tokens: sum(|it| it.tokens_out) },
        mention_rate: whole.as_ref().map(|it| it.rate),
        ci95: whole.as_ref().map(|it| it.ci95),
        n: whole.map(|it| it.sample),
        next: next(&run, state),
        run_ref: run.id,
        by_model,
        degraded,
    })
}

fn of_model(asked: &Asked, came: &OfConnection, rate: Option<crate::figures::rate::Rate>) -> OfModel {
    OfModel {
        connection_ref: Id::new(asked.connection.clone()),
        model: if came.model.is_empty() { asked.model.clone() } else { came.model.clone() },
        asked_model: asked.model.clone(),
        measured: asked.measured,
        answers: came.answers,
        failed: came.failed,
        failures: came.failures.clone(),
        refused: came.refused,
        cut_short: came.cut,
        searched: came.searched,
        mention_rate: rate.as_ref().map(|it| it.rate),
        ci95: rate.as_ref().map(|it| it.ci95),
        n: rate.map(|it| it.sample),
        tokens: Tokens { input_tokens: came.tokens_in, output_tokens: came.tokens_out },
        spending: came.currency.as_ref().map(|currency| money(came.spent_micros, currency)),
    }
}

/// Millionths as an amount.
pub(crate) fn money(micros: u64, currency: &str) -> Money {
    let amount = format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000);
    Money { amount, currency: currency.to_owned() }
}

/// The names of the website's own brands.
pub(crate) fn own_names(cx: &Cx, site: &str) -> Vec<String> {
    let set = cx.records::<crate::brand::BrandSet>().find(&Id::new(site));
    let own = set.into_iter().flat_map(|it| it.into_inner().brands).filter(|it| it.own);
    own.map(|it| it.name).collect()
}

/// How many answers of a tally name one of these brands.
pub(crate) fn repeats(tally: &Tally, brands: &[String]) -> Repeats {
    let places: Vec<u32> = (0..)
        .zip(&tally.brands)
        .filter(|(_, it): &(u32, _)| brands.contains(&it.brand))
        .map(|(place, _)| place)
        .collect();
    let hits = tally.sets.iter().filter(|set| set.iter().any(|it| places.contains(it))).count();
    Repeats { hits: kit::number::as_number(hits as u64), answers: u64::from(tally.answers) }
}

/// The same of each prompt, over all models.
pub(crate) fn by_prompt(tallies: &[Tally], brands: &[String]) -> Vec<Repeats> {
    let mut prompts: BTreeMap<&str, Repeats> = BTreeMap::new();
    for tally in tallies {
        let one = repeats(tally, brands);
        let sum = prompts.entry(&tally.prompt).or_default();
        sum.hits += one.hits;
        sum.answers += one.answers;
    }
    prompts.into_values().collect()
}

fn next(run: &Stored<Run>, state: State) -> Vec<Next> {
    let site = json!({ "site_id": run.site_id });
    match state {
        State::Queued | State::Running => match &run.job_ref {
            Some(job) => {
                vec![Next::new(
                    "account.job.cancel",
                    json!({ "job_ref": job }),
                    "ends the run; stored answers are kept and charged",
                )]
            }
            None => Vec::new(),
        },
        State::Succeeded | State::Cancelled if run.answers() > 0 => vec![
            Next::new(
                "ai_visibility.mention.report",
                site.clone(),
                "shows how often each brand is named, with intervals",
            ),
            Next::new(
                "ai_visibility.citation_gap.analyze",
                site,
                "shows the sources that name competitors and not you",
            ),
        ],
        _ => Vec::new(),
    }
}

/// Where a run stands, its job considered: one whose job failed or was cancelled will not move again.
pub(crate) fn current(cx: &Cx, run: &Run) -> State {
    let Some(job) = run.job_ref.as_ref().filter(|_| run.state.moves()) else { return run.state };
    match cx.jobs().find(job).map(|it| it.state) {
        Some(JobState::Failed) | None => State::Failed,
        Some(JobState::Cancelled) => State::Cancelled,
        Some(_) => run.state,
    }
}
