//! Where scans stand; here `local_grid.run.get`.

pub(crate) mod compare;
pub(crate) mod delete;
pub(crate) mod list;
pub(crate) mod start;
pub(crate) mod stop;

use sdk::Degraded;
use sdk::JobState;
use sdk::Next;
use sdk::json;
use sdk::prelude::*;

use crate::given::{self, Scan};
use crate::layout::Grid;
use crate::metrics::{Definitions, Figures};
use crate::recognise::Matched;
use crate::stored::{Business, Run, State};
use site::Site;

#[args]
pub(crate) struct Get {
    /// The scan.
    run_ref: Id<Run>,
}

/// What was found for a keyword.
#[value]
pub(crate) struct Keyword {
    /// The keyword.
    keyword: String,
    /// What its pins come to.
    figures: Figures,
}

/// A scan.
#[value]
pub(crate) struct View {
    /// The scan.
    run_ref: Id<Run>,
    /// The business.
    business_ref: Id<Business>,
    /// The website.
    site_id: Id<Site>,
    /// The job that works on it.
    job_ref: Id<Job>,
    /// Where it stands.
    state: State,
    /// Where pins are.
    grid: Grid,
    /// The language of the search.
    language: String,
    /// Results that are looked through.
    depth: u32,
    /// When it was asked for.
    created_at: Moment,
    /// When it ended.
    finished_at: Option<Moment>,
    /// Pins of all keywords.
    pins: u32,
    /// Finished pins.
    pins_done: u32,
    /// Of these, with the business among the first 20.
    found_pins: u32,
    /// Pins without a result.
    failed_pins: u32,
    /// Over all keywords; see `definitions`. None when no pin has found the business.
    arp: Option<f64>,
    /// Over all keywords; see `definitions`. None without finished pins.
    atrp: Option<f64>,
    /// Over all keywords; see `definitions`. None without finished pins.
    solv: Option<f64>,
    /// Each keyword for itself, in the order given.
    keywords: Vec<Keyword>,
    /// By what the business was recognised, and in how many pins.
    match_evidence: Vec<Matched>,
    /// How the figures are defined; vendors differ.
    definitions: Definitions,
    /// Credits for the pins that are finished so far.
    charge: f64,
    /// What the provider took for the tasks, in US dollars, from the customer's own account there.
    provider_cost_usd: f64,
    /// What is missing or went wrong.
    degraded: Vec<Degraded>,
    /// What to do with it.
    next: Vec<Next>,
}

/// Reads a scan: state, pins done, average rank over found pins, average over all pins, top-three share and the match evidence.
#[operation(
    read,
    scope = "assets:read",
    cost = indexed_read,
    needs = ["store"],
    phrasings = [
        "is my map scan finished",
        "what is my average map rank across the city",
        "in how much of the area am I in the local three pack",
        "result of the local grid scan",
    ],
    examples = [{ "run_ref": "run_01" }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<View> {
    let run = cx.records::<Run>().get(&args.run_ref).map_err(|fault| fault.at("/run_ref"))?;
    let state = current(cx, &run);
    let scan = Scan::read(cx, run);
    let figures = Figures::of(scan.tallies.iter().flat_map(|it| it.placed.iter().copied()));
    let degraded = if state.moves() { scan.run.degraded.clone() } else { scan.degraded() };
    let next = next(&scan.run, state);
    let keywords = scan.tallies.into_iter().map(|it| Keyword { keyword: it.keyword, figures: it.figures }).collect();
    let pins = scan.run.all_pins();
    let Stored { id, it: run, .. } = scan.run;
    Ok(View {
        run_ref: id,
        business_ref: run.business.into(),
        site_id: run.site_id.into(),
        job_ref: run.job_ref.into(),
        state,
        grid: run.grid,
        language: run.language,
        depth: run.depth,
        created_at: Moment::from_millis(run.created_ms),
        finished_at: run.finished_ms.map(Moment::from_millis),
        pins,
        pins_done: figures.pins_done,
        found_pins: figures.found_pins,
        failed_pins: figures.failed_pins,
        arp: figures.arp,
        atrp: figures.atrp,
        solv: figures.solv,
        keywords,
        match_evidence: run.evidence,
        definitions: Definitions::ours(),
        charge: given::credits(figures.pins_done),
        provider_cost_usd: dollars(run.provider_cost_micros),
        degraded,
        next,
    })
}

/// Millionths of a US dollar as dollars.
fn dollars(micros: u64) -> f64 {
    f64::from(u32::try_from(micros).unwrap_or(u32::MAX)) / 1e6
}

/// What to do with a scan.
fn next(run: &Stored<Run>, state: State) -> Vec<Next> {
    let own = |operation: &str, why: &str| Next::new(operation, json!({ "run_ref": run.id }), why);
    match state {
        State::Queued | State::Running => {
            vec![own("local_grid.run.stop", "stops the scan; finished pins are kept and charged")]
        }
        State::Failed => {
            let arguments = json!({ "business_ref": run.business });
            vec![Next::new("local_grid.grid.preview", arguments, "shows pins and price of another scan")]
        }
        State::Succeeded | State::Cancelled if run.figures.pins_done > 0 => {
            vec![
                own("local_grid.heatmap.render", "draws the ranks on a map"),
                own("local_grid.zone.detect", "finds weak zones and why they are weak"),
                own("local_grid.competitor.report", "shows who ranks where you do not"),
            ]
        }
        State::Succeeded | State::Cancelled => Vec::new(),
    }
}

/// Where a scan stands, its job considered: one whose job failed or was cancelled will not move again.
pub(crate) fn current(cx: &Cx, run: &Stored<Run>) -> State {
    if !run.state.moves() || run.job_ref.is_empty() {
        return run.state;
    }
    match cx.jobs().find(&Id::new(run.job_ref.clone())).map(|job| job.state) {
        Some(JobState::Failed) | None => State::Failed,
        Some(JobState::Cancelled) => State::Cancelled,
        Some(_) => run.state,
    }
}

#[cfg(test)]
mod tests;
