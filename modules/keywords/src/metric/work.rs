//! The job of a refresh: one batch in each step.

use dataforseo::{Account, Refusal, money};
use sdk::prelude::*;
use sdk::{Money, Progress};

use super::batch::{Found, MAX_ADS, MAX_LABS, asked, refused, write};
use crate::market::{WHY, of_set};
use crate::stored::{Counts, Keyword, Months, Set};

const OVERVIEW: &str = "dataforseo_labs/google/keyword_overview/live";
const HISTORY: &str = "dataforseo_labs/google/historical_search_volume/live";
const ADS: &str = "keywords_data/google_ads/search_volume/live";
/// Tries of one batch.
const MAX_TRIES: u32 = 4;
/// Milliseconds between two live questions to Google Ads: it takes 12 a minute.
const ADS_PACE_MS: u32 = 5_000;
/// Months that make another question for history needless.
const ENOUGH_MONTHS: usize = 24;
/// Rows that one step looks through.
const MAX_ROWS: usize = 50_000;
/// Skipped keywords that are told; all are counted.
const TOLD: usize = 100;
const DAY_MS: u64 = 86_400_000;

/// What the job works on.
#[value]
pub(crate) struct Payload {
    pub(super) set_ref: Id<Set>,
    pub(super) max_age_days: u32,
    pub(super) max_keywords: u64,
    pub(super) history: bool,
    pub(super) ads: bool,
}

/// What one step hands to the next.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Checkpoint {
    /// When the refresh began: what is younger is its own.
    started_ms: u64,
    /// Keywords without a volume first, then the others; 2 when both are done.
    pass: u8,
    /// The last keyword that was looked at in this pass.
    after: Option<String>,
    /// Keywords that Labs does not know, for Google Ads.
    unknown: Vec<String>,
    tries: u32,
    asked: u64,
    refreshed: u64,
    not_found: u64,
    skipped: Vec<Skipped>,
    skipped_total: u64,
    young: u64,
    cost_micros: u64,
    requests: u32,
}

/// A keyword that is not asked for.
#[value]
pub(crate) struct Skipped {
    keyword: String,
    /// `too_long`, or `characters_refused` for a character that the provider refuses.
    #[own]
    reason: String,
}

/// The result of a refresh.
#[value]
pub(crate) struct Refreshed {
    /// Keywords with metrics of now.
    refreshed: u64,
    /// Of them, keywords that the provider does not know: their volume is null.
    not_found: u64,
    /// Keywords whose metrics were young enough.
    young: u64,
    /// The first 100 keywords that cannot be asked for.
    skipped: Vec<Skipped>,
    skipped_total: u64,
    requests: u32,
    /// What the provider says that it cost.
    provider_cost: Money,
    /// Why the refresh ended early; null when it did not.
    #[own]
    stopped_by: Option<String>,
}

/// Refreshes one batch.
#[step]
pub(crate) fn refresh(
    cx: &Cx,
    payload: Payload,
    checkpoint: Option<Checkpoint>,
) -> Result<Step<Checkpoint, Progress, Refreshed>> {
    let mut state = checkpoint.unwrap_or_else(|| Checkpoint { started_ms: cx.now().millis(), ..Checkpoint::default() });
    let Some(set) = cx.records::<Set>().find(&payload.set_ref).filter(|it| !it.deleting) else {
        return Ok(ended(&payload, state, Some("the set was deleted".to_owned())));
    };
    let account = match Account::required(cx, "/set_ref", WHY) {
        Ok(account) => account,
        Err(fault) => return finish(cx, &payload, &set, state, Some(format!("{}: {}", fault.code, fault.message))),
    };
    let market = of_set(&set)?;
    let language = set.language();
    let from_ads = state.pass > 1 || state.unknown.len() >= MAX_ADS;
    let (batch, path) = if from_ads {
        let rest = state.unknown.split_off(state.unknown.len().min(MAX_ADS));
        (std::mem::replace(&mut state.unknown, rest), ADS)
    } else {
        (next_batch(cx, &payload, &set, &mut state), OVERVIEW)
    };
    if batch.is_empty() {
        if state.pass > 1 {
            return finish(cx, &payload, &set, state, None);
        }
        return Ok(Step::next(state.clone(), progress(&payload, &state)));
    }
    let before = Checkpoint { tries: state.tries + 1, ..state.clone() };
    state.requests += 1;
    let (mut found, micros) = match asked(&account, path, &market, &batch, &language) {
        Ok(answer) => answer,
        Err(refusal) => return refused_by(cx, &payload, &set, before, (batch, from_ads), &refusal),
    };
    state.cost_micros += micros;
    state.tries = 0;
    if payload.history && !from_ads {
        history(cx, &account, &set, &batch, &mut found, &mut state);
    }
    let written = if from_ads {
        state.not_found += batch.iter().filter(|it| found.get(*it).is_none_or(|it| it.volume.is_none())).count() as u64;
        // Labs may have had difficulty and intent: only what Google Ads says is taken over.
        write(cx, &set, &batch, &found)?
    } else {
        let missing = |normal: &&String| found.get(*normal).is_none_or(|it| it.volume.is_none());
        let unknown: Vec<String> = batch.iter().filter(missing).cloned().collect();
        if payload.ads {
            state.unknown.extend(unknown)
        } else {
            state.not_found += unknown.len() as u64
        }
        state.asked += batch.len() as u64;
        let written = write(cx, &set, &batch, &found)?;
        state.refreshed += written;
        written
    };
    let wait = if from_ads { ADS_PACE_MS } else { 0 };
    let units = if from_ads { 0 } else { written };
    let progress = progress(&payload, &state);
    Ok(Step::next(state, progress).after(wait).units(units))
}

/// The next keywords to ask for. Moves the state past those that are looked at.
fn next_batch(cx: &Cx, payload: &Payload, set: &Stored<Set>, state: &mut Checkpoint) -> Vec<String> {
    let oldest = cx.now().millis().saturating_sub(u64::from(payload.max_age_days) * DAY_MS);
    let left = usize::try_from(payload.max_keywords.saturating_sub(state.asked)).unwrap_or(usize::MAX);
    let (mut batch, mut looked) = (Vec::new(), 0);
    while state.pass < 2 && batch.len() < MAX_LABS.min(left) && looked < MAX_ROWS {
        let all = cx.records::<Keyword>().by("set_normal").equals(&set.id);
        // The text right behind the last one.
        let all = match &state.after {
            Some(after) => all.at_least(format!("{after}\u{1}")),
            None => all,
        };
        let mut ended = true;
        for row in all.scan() {
            looked += 1;
            state.after = Some(row.normal.clone());
            let due = row.metrics_ms.is_none_or(|at| at <= oldest) || row.imported;
            let is_own = row.metrics_ms.is_some_and(|at| at >= state.started_ms) && !row.imported;
            if (state.pass == 0) == row.volume.is_none() && !row.excluded && !is_own {
                match refused(&row.normal) {
                    _ if !due => state.young += 1,
                    Some(reason) => {
                        state.skipped_total += 1;
                        if state.skipped.len() < TOLD {
                            state.skipped.push(Skipped { keyword: row.keyword.clone(), reason: reason.to_owned() });
                        }
                    }
                    None => batch.push(row.normal.clone()),
                }
            }
            if batch.len() >= MAX_LABS.min(left) || looked >= MAX_ROWS {
                ended = false;
                break;
            }
        }
        if ended {
            (state.pass, state.after) = (state.pass + 1, None);
        }
    }
    if left == 0 {
        state.pass = 2;
    }
    batch
}

/// Asks for 48 months of the keywords that have fewer than 24. Without an answer the twelve months of the overview stay.
fn history(
    cx: &Cx,
    account: &Account<'_>,
    set: &Stored<Set>,
    batch: &[String],
    found: &mut Found,
    state: &mut Checkpoint,
) {
    let months = cx.records::<Months>();
    let few = |normal: &&String| {
        let known = months.find(&crate::stored::keyword_id(&set.id, normal)).map_or(0, |it| it.values.len());
        known < ENOUGH_MONTHS && found.get(*normal).is_some_and(|it| it.volume.is_some())
    };
    let wanted: Vec<String> = batch.iter().filter(few).cloned().collect();
    let Ok(market) = of_set(set) else { return };
    if wanted.is_empty() {
        return;
    }
    state.requests += 1;
    if let Ok((history, micros)) = asked(account, HISTORY, &market, &wanted, &set.language()) {
        state.cost_micros += micros;
        for (normal, figures) in history {
            if let Some(known) = found.get_mut(&normal)
                && figures.months.len() > known.months.len()
            {
                known.months = figures.months;
            }
        }
    }
}

/// A batch has no answer: it waits, or the refresh ends with what it has.
fn refused_by(
    cx: &Cx,
    payload: &Payload,
    set: &Stored<Set>,
    mut before: Checkpoint,
    (batch, from_ads): (Vec<String>, bool),
    refusal: &Refusal,
) -> Result<Step<Checkpoint, Progress, Refreshed>> {
    let unknown = matches!(refusal, Refusal::Unsent(sdk::SendFailure::UnknownOutcome));
    // What may have been done is asked once more, because its answer is lost.
    let again = if unknown { before.tries < 2 } else { refusal.passes() && before.tries < MAX_TRIES };
    before.requests += 1;
    if !again {
        let fault = refusal.fault("/set_ref");
        return finish(cx, payload, set, before, Some(format!("{}: {}", fault.code, fault.message)));
    }
    if from_ads {
        before.unknown.splice(0..0, batch);
    } else {
        // The batch is found again from where it began.
        let (pass, after) = behind(cx, set, &batch, &before);
        (before.pass, before.after) = (pass, after);
    }
    let wait = 5_000_u32 << before.tries.min(4);
    let progress = progress(payload, &before);
    Ok(Step::next(before, progress).after(wait))
}

/// The place right before a batch: its pass, and the keyword before its first one.
fn behind(cx: &Cx, set: &Stored<Set>, batch: &[String], now: &Checkpoint) -> (u8, Option<String>) {
    let Some(first) = batch.first() else { return (now.pass, now.after.clone()) };
    let row = cx.records::<Keyword>().find(&crate::stored::keyword_id(&set.id, first));
    let pass = row.map_or(now.pass.min(1), |row| u8::from(row.volume.is_some()));
    let before = cx.records::<Keyword>().by("set_normal").equals(&set.id).below(first.as_str()).descending().first();
    (pass, before.map(|it| it.normal.clone()))
}

fn progress(payload: &Payload, state: &Checkpoint) -> Progress {
    Progress::new(state.asked, payload.max_keywords, if state.pass > 1 { "asking Google Ads" } else { "asking Labs" })
}

/// Counts the set anew and ends.
fn finish(
    cx: &Cx,
    payload: &Payload,
    set: &Stored<Set>,
    state: Checkpoint,
    stopped_by: Option<String>,
) -> Result<Step<Checkpoint, Progress, Refreshed>> {
    let mut counts = Counts::default();
    crate::set::keywords(cx, &set.id).for_each(|row| counts.add(&row));
    let now = cx.now().millis();
    cx.records::<Set>().update(&set.id, |set| {
        set.counts = counts;
        if state.refreshed > 0 {
            set.refreshed_ms = Some(now);
        }
    })?;
    Ok(ended(payload, state, stopped_by))
}

fn ended(payload: &Payload, state: Checkpoint, stopped_by: Option<String>) -> Step<Checkpoint, Progress, Refreshed> {
    let progress = Progress::new(state.asked, payload.max_keywords.min(state.asked), "done");
    let refreshed = Refreshed {
        refreshed: state.refreshed,
        not_found: state.not_found,
        young: state.young,
        skipped: state.skipped,
        skipped_total: state.skipped_total,
        requests: state.requests,
        provider_cost: money(state.cost_micros),
        stopped_by,
    };
    Step::done(refreshed, progress)
}
