//! The operation `keywords.metric.refresh`.

use dataforseo::Account;
use sdk::prelude::*;
use sdk::{Cadence, Every, JobState, Planned, json};

use super::work::Payload;
use crate::market::{WHY, of_set};
use crate::stored::Set;

/// A metric.
#[value]
pub(crate) enum Metric {
    Volume,
    Cpc,
    Difficulty,
    Intent,
}

/// Whether the refresh is repeated.
#[value]
pub(crate) enum Repeat {
    Off,
    Monthly,
}

#[args]
pub(crate) struct Refresh {
    /// The set.
    set_ref: Id<Set>,
    /// Keywords whose metrics are younger than this many days are left as they are.
    #[default(30)]
    max_age_days: Count<0, 365>,
    /// The metrics that matter; all when left out. One answer of the provider has all four: this chooses whether Google Ads is
    /// asked for what Labs does not know, which is done for `volume` and `cpc`.
    fields: Option<List<Metric, 0, 4>>,
    /// Keywords that are asked for, at most; those without a volume first.
    #[default(10_000)]
    max_keywords: Count<1, 100_000>,
    /// Months of searches too: 48 of them, for keywords with fewer than 24, at a second price of the provider.
    #[default(true)]
    with_history: bool,
    /// Whether the refresh is repeated every month from now on.
    #[default("off")]
    every: Repeat,
}

/// A job that was queued.
#[value]
pub(crate) struct Started {
    /// The job; account.job.get follows it.
    job_ref: Id<Job>,
    /// Always `queued`.
    state: JobState,
    /// Keywords of the set that are refreshed, at most; those that are young enough are skipped.
    keywords: u64,
    /// When it is repeated; null when it is not.
    next_refresh_at: Option<Moment>,
}

/// Refreshes volume, cost per click, competition and difficulty for a set through DataForSEO in batches, skipping values younger than a chosen age.
///
/// DataForSEO Labs is asked first, 700 keywords at a time, and Google Ads for those that Labs does not know. A volume that
/// nobody knows is null, not 0. A batch whose fate is not known is asked once more, which costs at the provider.
#[operation(
    job,
    scope = "seo:execute",
    cost = bulk(most = max_keywords, unit = "keywords"),
    queued(step = "refresh"),
    result_operation = "account.job.get",
    side_effects = ["spends credit of your DataForSEO account", "replaces the metrics of keywords", "is repeated every month when `every` says so"],
    needs = ["store", "jobs", "connection:dataforseo"],
    outside = [
        "dataforseo POST /v3/dataforseo_labs/google/keyword_overview/live query",
        "dataforseo POST /v3/dataforseo_labs/google/historical_search_volume/live query",
        "dataforseo POST /v3/keywords_data/google_ads/search_volume/live query",
    ],
    phrasings = ["get search volume for my keywords", "refresh keyword metrics", "update keyword difficulty", "how often are my keywords searched"],
    examples = [{ "set_ref": "set_01" }, { "set_ref": "set_01", "max_age_days": 0, "max_keywords": 500, "every": "monthly" }]
)]
pub(crate) fn refresh(cx: &Cx, args: Refresh) -> Result<Started> {
    let set = crate::set::get(cx, &args.set_ref)?;
    crate::set::is_free(cx, &set)?;
    of_set(&set)?;
    Account::required(cx, "/set_ref", WHY)?;
    if set.counts.keywords == 0 {
        return Err(
            Fault::conflict("set_empty", "the set has no keywords; add some with keywords.item.import").at("/set_ref")
        );
    }
    let ads = args
        .fields
        .as_ref()
        .is_none_or(|all| all.is_empty() || all.contains(&Metric::Volume) || all.contains(&Metric::Cpc));
    let payload = Payload {
        set_ref: set.id.clone(),
        max_age_days: u32::try_from(args.max_age_days.get()).unwrap_or(30),
        max_keywords: args.max_keywords.into(),
        history: args.with_history,
        ads,
    };
    let job_ref = cx.jobs().enqueue("refresh", &payload)?;
    let keywords = set.counts.keywords.min(args.max_keywords.into());
    let next_refresh_at = repeat(cx, &set, &args)?;
    cx.records::<Set>().update(&set.id, |set| set.job_ref = Some(job_ref.clone()))?;
    Ok(Started { job_ref, state: JobState::Queued, keywords, next_refresh_at })
}

/// The name of a set's schedule.
fn schedule(set: &Id<Set>) -> String {
    format!("refresh-{set}")
}

/// When a set is refreshed next by itself.
pub(crate) fn next(cx: &Cx, set: &Id<Set>) -> Option<Moment> {
    cx.schedules().get(&schedule(set))?.next.map(Moment::from_millis)
}

/// Ends the repetition of a set's refresh.
pub(crate) fn end(cx: &Cx, set: &Id<Set>) {
    cx.schedules().remove(&schedule(set));
}

fn repeat(cx: &Cx, set: &Stored<Set>, args: &Refresh) -> Result<Option<Moment>> {
    let name = schedule(&set.id);
    if args.every == Repeat::Off {
        cx.schedules().remove(&name);
        return Ok(None);
    }
    let call = json!({ "set_ref": set.id, "max_age_days": args.max_age_days.get().min(27), "max_keywords": args.max_keywords, "with_history": args.with_history, "every": "monthly" });
    // Spread over the day, so that sets do not all ask at once.
    let minute = u32::try_from(kit::chance::Chance::of(&name).draw() % 1_440).unwrap_or(0);
    let planned = Planned { operation: "keywords.metric.refresh".to_owned(), arguments: call.to_string() };
    let set = cx.schedules().put(&name, Cadence { every: Every::Month, minute, weekday: 0 }, &[planned], None)?;
    Ok(set.next.map(Moment::from_millis))
}
