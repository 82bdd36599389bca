//! The operation `ai_visibility.run.list`.

use sdk::prelude::*;
use sdk::{Next, json};
use site::Site;

use super::current;
use crate::stored::{Asked, EndedBy, Run, State};

#[args(paged)]
pub(crate) struct Listing {
    /// The website.
    site_id: Id<Site>,
}

/// A run.
#[value]
pub(crate) struct Row {
    run_ref: Id<Run>,
    state: State,
    created_at: Moment,
    finished_at: Option<Moment>,
    ended_by: Option<EndedBy>,
    /// The models, as they answered.
    models: Vec<String>,
    prompts: u64,
    samples: u32,
    web_search: bool,
    answers: u64,
    failed: u64,
    /// The share of answers that name the website's brand, mean over prompts; null before the run has ended.
    mention_rate: Option<f64>,
}

/// Runs.
#[page]
pub(crate) struct Rows {
    /// The newest first.
    runs: Vec<Row>,
    next: Vec<Next>,
}

/// Lists runs with models, prompts, date and headline figures.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = ["list my AI visibility runs", "earlier prompt runs", "when did we last ask the models", "history of mention rates"],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "limit": 5 }]
)]
pub(crate) fn list(cx: &Cx, args: Listing) -> Result<Rows> {
    let site = site::get(cx, &args.site_id)?;
    let query = cx.records::<Run>().by("site_id_created_ms").equals(&site.id).descending();
    let page = query.page(args.limit, args.cursor)?;
    let newest = page.items.iter().find(|it| it.finished_ms.is_some()).map(|it| {
        let arguments = json!({ "run_ref": it.id });
        Next::new("ai_visibility.run.get", arguments, "shows the newest run that has ended, model by model")
    });
    let runs = page.items.into_iter().map(|it| row(cx, it)).collect();
    Ok(Rows { runs, next_cursor: page.next, next: newest.into_iter().collect() })
}

fn row(cx: &Cx, run: Stored<Run>) -> Row {
    let state = current(cx, &run);
    let model = |(asked, came): (&Asked, &crate::stored::OfConnection)| {
        if came.model.is_empty() { asked.model.clone() } else { came.model.clone() }
    };
    Row {
        state,
        created_at: Moment::from_millis(run.created_ms),
        finished_at: run.finished_ms.map(Moment::from_millis),
        ended_by: run.ended_by,
        models: run.asked.iter().zip(&run.came).map(model).collect(),
        prompts: run.prompts,
        samples: run.samples,
        web_search: run.web_search,
        answers: run.answers(),
        failed: run.failed(),
        mention_rate: run.mention_rate,
        run_ref: run.id,
    }
}
