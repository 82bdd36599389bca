//! What reports read: the tallies of a period, of the brands of now, and what is said beside every figure.

use sdk::prelude::*;
use sdk::{Degraded, json};
use site::Site;

use crate::brand::BrandSet;
use crate::stored::{Answer, DETECTION, Measured, Run, Tally};

/// Tallies that one report reads.
const MOST: usize = 20_000;
/// Days that are reported when none are named.
pub(crate) const DEFAULT_DAYS: i32 = 90;
/// The longest period.
const MAX_DAYS: i32 = 800;
/// Prompts under which a figure says that it is of few.
pub(crate) const FEW: u64 = 5;

/// The tallies of a period.
pub(crate) struct Read {
    /// Of the brands of now.
    pub(crate) tallies: Vec<Tally>,
    /// Answers that were read with other brands and are left out.
    pub(crate) redetect_pending: u64,
    pub(crate) degraded: Vec<Degraded>,
}

/// What was measured.
#[value]
pub(crate) struct Method {
    /// What was asked: a model behind its interface, or the product that people use.
    measured: Vec<Measured>,
    /// Runs with answers in the period.
    runs: u64,
    answers: u64,
    prompts: u64,
    models: u64,
    /// Answers that were read with earlier brands and are left out until the next run reads them anew.
    redetect_pending: u64,
    /// How figures are made.
    #[own]
    how: String,
}

/// The days of a report.
///
/// # Errors
/// 422 `reversed_period` and `period_too_long` at `/from`.
pub(crate) fn period(cx: &Cx, from: Option<Day>, to: Option<Day>) -> Result<(Day, Day)> {
    let to = to.unwrap_or_else(|| cx.now().day());
    let from = from.unwrap_or_else(|| to.plus(1 - DEFAULT_DAYS));
    if from > to {
        return Err(Fault::invalid("/from", "reversed_period", "from is after to"));
    }
    if to.since_epoch() - from.since_epoch() >= MAX_DAYS {
        let message = format!("a report is of {MAX_DAYS} days at most");
        return Err(Fault::invalid("/from", "period_too_long", message));
    }
    Ok((from, to))
}

/// The milliseconds of a day's beginning.
pub(crate) fn begins(day: Day) -> u64 {
    u64::try_from(day.since_epoch()).unwrap_or(0) * 86_400_000
}

/// The tallies of a period, both days included.
pub(crate) fn tallies(cx: &Cx, site: &Stored<Site>, from: Day, to: Day) -> Read {
    let query = cx.records::<Tally>().by("site_id_at_ms").equals(&site.id);
    let query = query.at_least(begins(from)).below(begins(to.plus(1))).descending();
    let all: Vec<Tally> = query.scan().take(MOST).map(Stored::into_inner).collect();
    let mut degraded = Vec::new();
    if all.len() == MOST {
        let why = "20,000 prompts and models of the newest runs are read; take a shorter period for others";
        degraded.push(Degraded::new("answers", why));
    }
    let set = cx.records::<BrandSet>().find(&site.id.cast());
    let version = set.map_or(0, |it| it.set_version);
    let (tallies, old): (Vec<Tally>, Vec<Tally>) =
        all.into_iter().partition(|it| it.brands_version == version && it.detection == DETECTION);
    let redetect_pending = old.iter().map(|it| u64::from(it.answers)).sum();
    degraded.extend(earlier(redetect_pending));
    if tallies.is_empty() && redetect_pending == 0 {
        degraded.push(none(cx, site));
    }
    Read { tallies, redetect_pending, degraded }
}

/// Whether an answer was read with the brands of now.
pub(crate) fn is_current(answer: &Answer, set: &BrandSet) -> bool {
    answer.brands_version == set.set_version && answer.detection == DETECTION
}

/// Says how many answers are left out because they were read with earlier brands.
pub(crate) fn earlier(answers: u64) -> Option<Degraded> {
    let why = format!("{answers} answers were read with earlier brands and are left out; the next run reads them anew");
    (answers > 0).then(|| Degraded::new("answers", why))
}

/// Says that nothing was asked, and what asks.
fn none(cx: &Cx, site: &Stored<Site>) -> Degraded {
    let missing = Degraded::new("answers", "no run of this period has ended, so that nothing is known");
    let newest = cx.records::<Run>().by("site_id_created_ms").equals(&site.id).descending().first();
    match newest {
        Some(run) => missing.supplied_by("ai_visibility.run.get", json!({ "run_ref": run.id })),
        None => missing.supplied_by("ai_visibility.prompt.list", json!({ "site_id": site.id })),
    }
}

impl Read {
    /// What was measured, for a report.
    pub(crate) fn method(&self, how: &str) -> Method {
        let distinct = |of: &dyn Fn(&Tally) -> &str| {
            self.tallies.iter().map(of).collect::<std::collections::BTreeSet<&str>>().len() as u64
        };
        let mut measured: Vec<Measured> = self.tallies.iter().filter_map(|it| it.measured).collect();
        measured.sort_unstable();
        measured.dedup();
        Method {
            measured,
            runs: distinct(&|it| &it.run),
            answers: self.tallies.iter().map(|it| u64::from(it.answers)).sum(),
            prompts: distinct(&|it| &it.prompt),
            models: distinct(&|it| &it.model),
            redetect_pending: self.redetect_pending,
            how: how.to_owned(),
        }
    }
}
