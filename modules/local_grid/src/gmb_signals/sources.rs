//! The operation `local_grid.gmb_signals.sources.get`.

use sdk::Next;
use sdk::json;
use sdk::prelude::*;

use super::evidence::{self, Unfit};
use crate::stored::{Business, Run, Tally};
use site::Site;

#[args(paged(most = 50, default = 20))]
pub(crate) struct Get {
    /// Only scans of this website.
    site_id: Option<Id<Site>>,
    /// Only scans of this business.
    business_ref: Option<Id<Business>>,
}

/// A result of a scan.
#[value]
pub(crate) struct Source {
    /// Give this to `local_grid.gmb_signals.campaign.quote`.
    source_ref: Id<Tally>,
    /// The scan.
    run_ref: Id<Run>,
    /// The business.
    business_ref: Id<Business>,
    /// The keyword.
    keyword: String,
    /// When the scan ended; none while it goes on.
    completed_at: Option<Moment>,
    /// Pins with a result.
    pins: u32,
    /// The share of them with the business among the first three.
    solv: Option<f64>,
    /// Whether a campaign may stand on it.
    eligible: bool,
    /// Why it may not.
    reasons: Vec<Unfit>,
    /// What to do with it.
    next: Vec<Next>,
}

/// Results of scans.
#[page]
pub(crate) struct Sources {
    /// Those of the newest scan first; one for each keyword.
    sources: Vec<Source>,
}

/// Finds completed scans of the caller that a local-grid signals campaign may use, with ownership, age, grid and weak-zone checks and the reason any scan is unfit.
///
/// A source is the result of one keyword in one scan. It is eligible when the scan has run to its end no more than 45 days
/// ago, 9 pins or more have a result, the business was recognised in one of them, and it is not among the first three
/// everywhere.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = [
        "which of my map scans can a local signals campaign use",
        "find evidence for a local visibility campaign",
        "why can this scan not be used for gmb signals",
    ],
    examples = [{ "business_ref": "bus_01" }, { "site_id": "4503599627370496", "limit": 10 }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<Sources> {
    let records = cx.records::<Tally>();
    if let Some(site) = &args.site_id {
        cx.records::<Site>().get(site).map_err(|fault| fault.at("/site_id"))?;
    }
    let query = match (&args.business_ref, &args.site_id) {
        (Some(business), site) => {
            let found = cx.records::<Business>().get(business).map_err(|fault| fault.at("/business_ref"))?;
            if site.as_ref().is_some_and(|site| site.as_str() != found.site_id) {
                let message = "the business is of another website";
                return Err(Fault::invalid("/business_ref", "business_of_another_website", message));
            }
            records.by("business_run").equals(business)
        }
        (None, Some(site)) => records.by("site_id_run").equals(site),
        (None, None) => records.all(),
    };
    let page = query.descending().page(args.limit, args.cursor)?;
    let mut sources = Vec::with_capacity(page.items.len());
    for tally in page.items {
        let Some(run) = cx.records::<Run>().find(&Id::new(tally.run.clone())) else { continue };
        sources.push(source(cx, &run, tally));
    }
    Ok(Page { items: sources, next: page.next }.into())
}

fn source(cx: &Cx, run: &Stored<Run>, tally: Stored<Tally>) -> Source {
    let reasons = evidence::reasons(cx, run, &tally);
    let next = match reasons.first() {
        None => Next::new(
            "local_grid.gmb_signals.campaign.quote",
            json!({ "source_refs": [tally.id], "daily_actions": 10, "duration_days": 28 }),
            "prices a campaign on this result",
        ),
        Some(Unfit::NotCompleted) => {
            Next::new("local_grid.run.get", json!({ "run_ref": run.id }), "shows what the scan still lacks")
        }
        Some(Unfit::NoWeakZone) => {
            Next::new("local_grid.heatmap.render", json!({ "run_ref": run.id }), "draws the ranks of the scan")
        }
        Some(_) => Next::new(
            "local_grid.run.start",
            json!({
                "business_ref": run.business, "keywords": run.keywords, "language": run.language, "shape": run.grid.shape,
                "size": run.grid.size, "spacing_m": run.grid.spacing_m, "depth": run.depth,
            }),
            "makes a newer scan that a campaign can rest on",
        ),
    };
    let Stored { id, it: tally, .. } = tally;
    Source {
        source_ref: id,
        run_ref: tally.run.into(),
        business_ref: tally.business.into(),
        keyword: tally.keyword,
        completed_at: run.finished_ms.map(Moment::from_millis),
        pins: tally.figures.pins_done,
        solv: tally.figures.solv,
        eligible: reasons.is_empty(),
        reasons,
        next: vec![next],
    }
}

#[cfg(test)]
mod tests;
