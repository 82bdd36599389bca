//! The operation `local_grid.run.list`.

use sdk::prelude::*;

use crate::given;
use crate::layout::Grid;
use crate::metrics::Figures;
use crate::run::current;
use crate::stored::{Business, Run, State, Tally};

#[args(paged)]
pub(crate) struct ListArgs {
    /// The business, as listed.
    business_ref: Id<Business>,
    /// Only results of this keyword, in ended scans.
    keyword: Option<Text<1, 200>>,
}

/// A scan in a list.
#[value]
pub(crate) struct Line {
    /// The scan.
    run_ref: Id<Run>,
    /// Where it stands.
    state: State,
    /// Its keywords; the one that was asked for alone.
    keywords: Vec<String>,
    /// Where pins are.
    grid: Grid,
    /// The language of the search.
    language: String,
    /// When it was asked for.
    created_at: Moment,
    /// When it ended.
    finished_at: Option<Moment>,
    /// What the pins of these keywords come to; `local_grid.run.get` prints the definitions.
    figures: Figures,
    /// Scans with the same text have the same pins and can be compared.
    frame: String,
}

/// Scans of a business.
#[page]
pub(crate) struct Runs {
    /// The newest first.
    runs: Vec<Line>,
}

/// Lists scans with keyword, grid, date and metrics.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = [
        "list past map scans of my shop",
        "when was my local grid last scanned",
        "earlier geo grid results for this keyword",
    ],
    examples = [{ "business_ref": "bus_01" }, { "business_ref": "bus_01", "keyword": "lamp shop", "limit": 10 }]
)]
pub(crate) fn list(cx: &Cx, args: ListArgs) -> Result<Runs> {
    cx.records::<Business>().get(&args.business_ref).map_err(|fault| fault.at("/business_ref"))?;
    let Some(keyword) = args.keyword else {
        let runs = cx.records::<Run>().by("business_created_ms").equals(&args.business_ref).descending();
        let page = runs.page(args.limit, args.cursor)?.map(|run| {
            let (keywords, figures) = (run.keywords.clone(), run.figures);
            line(cx, run, keywords, figures)
        });
        return Ok(page.into());
    };
    let keyword = given::normal(keyword.as_str());
    let tallies = cx.records::<Tally>().by("business_keyword_finished_ms").equals(&args.business_ref).equals(&keyword);
    let page = tallies.at_least(1_u64).descending().page(args.limit, args.cursor)?;
    let lines = page.items.into_iter().filter_map(|tally| {
        let run = cx.records::<Run>().find(&Id::new(tally.run.clone()))?;
        Some(line(cx, run, vec![tally.keyword.clone()], tally.figures))
    });
    Ok(Page { items: lines.collect(), next: page.next }.into())
}

fn line(cx: &Cx, run: Stored<Run>, keywords: Vec<String>, figures: Figures) -> Line {
    let state = current(cx, &run);
    let Stored { id, it: run, .. } = run;
    Line {
        run_ref: id,
        state,
        keywords,
        grid: run.grid,
        language: run.language,
        created_at: Moment::from_millis(run.created_ms),
        finished_at: run.finished_ms.map(Moment::from_millis),
        figures,
        frame: run.frame,
    }
}
