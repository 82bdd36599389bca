//! Kept here: `websites.health.get`, five pillars of stored scores.

mod inputs;
mod pillar;

use sdk::json;
use sdk::prelude::*;
use sdk::serde_json::{Map, Value};

use crate::audits::{self, About};
use crate::stored::Website;
use inputs::{Answers, Graph, Grid};
use pillar::{Reading, health, pillar};

/// The most points of 100 that the areas of machine-readable content take from an audit's score together.
const READABLE_MOST: f64 = 20.0;

/// What `websites.health.get` takes.
#[args]
pub(crate) struct Get {
    /// The website, as listed.
    site_id: Id<Website>,
}

/// A pillar.
#[value]
pub(crate) enum Name {
    /// Whether pages can be fetched, understood and shown.
    Technical,
    /// Titles, descriptions, headings, texts, pictures.
    Content,
    /// What links say of the website.
    Authority,
    /// Whether assistants can read it, and name it.
    Ai,
    /// Whether nearby searchers see it.
    Local,
}

/// One stored measurement.
#[value]
pub(crate) struct Input {
    /// What was measured.
    name: String,
    /// Which module measured it.
    source: String,
    /// From 0 to 100.
    score: f64,
    /// When.
    measured_at: Moment,
    /// Whole days since then.
    age_days: u64,
}

/// A measurement that is not there.
#[value]
pub(crate) struct Missing {
    /// What would be measured.
    name: String,
    /// The operation that measures it.
    operation_id: String,
    /// Its arguments, as far as they are known.
    arguments: Map<String, Value>,
}

/// A pillar of the health of a website.
#[value]
pub(crate) struct Pillar {
    /// Which.
    name: Name,
    /// From 0 to 100: the mean of its inputs; null without any.
    score: Option<f64>,
    /// Its weight in the score.
    weight: f64,
    /// What it stands on.
    inputs: Vec<Input>,
    /// Days since the oldest of them; null without any.
    age_days: Option<u64>,
    /// What would complete it.
    missing: Vec<Missing>,
}

/// The health of a website.
#[value]
pub(crate) struct Health {
    /// From 0 to 100; null when nothing is stored.
    score: Option<f64>,
    /// How it is made.
    formula: String,
    /// The share of all weight that the score stands on, from 0 to 1.
    covered: f64,
    /// The five pillars, the heaviest first.
    pillars: Vec<Pillar>,
    /// The pillars below the score, the one that costs it most first.
    weakest: Vec<Name>,
    /// What could not be considered, in words.
    degraded: Vec<String>,
}

/// Returns a five-pillar scorecard (technical, content, authority, local, AI search) as a documented weighted mean of stored module scores with the age of each input.
///
/// Nothing is measured here: technical, content and how well assistants can read pages come from the newest whole audit,
/// authority from the link graph, presence in AI answers and in local results from their own runs. What is missing is
/// named with the operation that measures it.
#[operation(
    read,
    scope = "websites:read",
    cost = indexed_read,
    phrasings = [
        "how healthy is my website",
        "give my site an overall SEO score",
        "where is my website weakest",
        "scorecard for technical, content, links, local and AI",
    ],
    examples = [{ "site_id": "4503599627370496" }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<Health> {
    let site = cx.records::<Website>().get(&args.site_id)?;
    let now = cx.now();
    let audit = audits::newest(cx, &site.id);
    let lost = |of: About| -> Option<(f64, Moment)> {
        let audit = audit.as_ref()?;
        let areas = audit.by_area.iter().filter(|(area, _)| audits::about(area) == of);
        Some((areas.map(|(_, area)| area.lost).sum(), Moment::from_millis(audit.finished_ms?)))
    };
    let audited = |name: &str, of: About, most: f64| {
        let input = lost(of).map(|(lost, at)| (100.0 * (1.0 - lost / most).clamp(0.0, 1.0), at));
        Reading { name: name.to_owned(), source: "audit", input, fills: fill_audit(cx, &site) }
    };
    let graph = cx
        .records::<Graph>()
        .by("site_id_finished_ms")
        .equals(&site.id)
        .descending()
        .first()
        .filter(|it| it.finished_ms > 0);
    let grid = cx
        .records::<Grid>()
        .by("site_id_finished_ms")
        .equals(&site.id)
        .descending()
        .first()
        .filter(|it| it.finished_ms > 0);
    let answers = cx
        .records::<Answers>()
        .by("site_id_finished_ms")
        .equals(&site.id)
        .descending()
        .first()
        .filter(|it| it.finished_ms > 0);
    let own = || json!({ "site_id": site.id });
    let pillars = vec![
        pillar(
            Name::Technical,
            0.30,
            now,
            vec![audited("pages can be fetched, understood and shown", About::Technical, 100.0)],
        ),
        pillar(Name::Content, 0.25, now, vec![audited("titles, headings, texts and pictures", About::Content, 100.0)]),
        pillar(
            Name::Authority,
            0.20,
            now,
            vec![Reading {
                name: "links lead to the pages that matter".to_owned(),
                source: "links",
                input: graph.map(|it| (it.score.clamp(0.0, 100.0), Moment::from_millis(it.finished_ms))),
                fills: ("links.graph.build", newest_run(cx, &site).map_or(json!({}), |run| json!({ "run_ref": run }))),
            }],
        ),
        pillar(
            Name::Ai,
            0.15,
            now,
            vec![
                audited("assistants can read the pages", About::Readable, READABLE_MOST),
                Reading {
                    name: "answers name the website".to_owned(),
                    source: "ai_visibility",
                    input: answers
                        .map(|it| (100.0 * it.mention_rate.clamp(0.0, 1.0), Moment::from_millis(it.finished_ms))),
                    // A run asks what people would ask, so that questions come first.
                    fills: ("ai_visibility.prompt.suggest", own()),
                },
            ],
        ),
        pillar(
            Name::Local,
            0.10,
            now,
            vec![Reading {
                name: "the business is among the first three nearby".to_owned(),
                source: "local_grid",
                input: grid.map(|it| (100.0 * it.solv.clamp(0.0, 1.0), Moment::from_millis(it.finished_ms))),
                fills: ("local_grid.business.add", own()),
            }],
        ),
    ];
    Ok(health(pillars))
}

/// The crawl to audit, or the crawl to make before.
fn fill_audit(cx: &Cx, site: &Stored<Website>) -> (&'static str, Value) {
    match newest_run(cx, site) {
        Some(run) => ("audit.run.start", json!({ "run_ref": run })),
        None => ("crawl.run.start", json!({ "site_id": site.id })),
    }
}

fn newest_run(cx: &Cx, site: &Stored<Website>) -> Option<String> {
    crate::known::newest(cx, &site.id).map(|run| run.id.to_string())
}

#[cfg(test)]
mod tests;
