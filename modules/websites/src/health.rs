//! The operation `websites.health.get`, five pillars of stored scores.

mod inputs;
mod pillar;

use sdk::prelude::*;
use sdk::{Degraded, Fix, Next, json};

use crate::audits::{self, About};
use crate::stored::Website;
use inputs::{Answers, Graph, Grid};
use pillar::{Reading, health, pillar};

/// The most points of 100 that the areas of machine-readable content take from an audit's score together.
const READABLE_MOST: f64 = 20.0;

/// Runs of another module among which the newest that has measured something is looked for.
const LOOKED_AT: u64 = 20;

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
    /// What was not measured.
    missing: Vec<String>,
    /// What measures it, in the order to call.
    next: Vec<Next>,
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
    degraded: Vec<Degraded>,
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
        Reading { name: name.to_owned(), source: "audit", input, fills: fill(cx, &site, "audit.run.start") }
    };
    let graph = newest(cx, &site, |it: &Graph| Some((it.score?, it.finished_ms?)));
    let grid = newest(cx, &site, |it: &Grid| Some((100.0 * it.solv?, it.finished_ms?)));
    let answers = newest(cx, &site, |it: &Answers| Some((100.0 * it.mention_rate?, it.finished_ms?)));
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
                input: graph,
                fills: fill(cx, &site, "links.graph.build"),
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
                    input: answers,
                    // A run asks what people would ask, so that questions come first.
                    fills: Fix::new("ai_visibility.prompt.suggest", own()),
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
                input: grid,
                fills: Fix::new("local_grid.business.add", own()),
            }],
        ),
    ];
    Ok(health(pillars))
}

/// The newest run of another module that has ended and measured something: from 0 to 100, and when.
fn newest<T: Readable>(
    cx: &Cx,
    site: &Stored<Website>,
    measured: impl Fn(&T) -> Option<(f64, u64)>,
) -> Option<(f64, Moment)> {
    let runs = cx.records::<T>().by("site_id_finished_ms").equals(&site.id).descending().page(LOOKED_AT, None).ok()?;
    let (score, finished_ms) = runs.items.iter().find_map(|it| measured(it))?;
    Some((score.clamp(0.0, 100.0), Moment::from_millis(finished_ms)))
}

/// What reads the newest crawl, or the crawl to make before.
fn fill(cx: &Cx, site: &Stored<Website>, operation: &str) -> Fix {
    match site::newest(cx, &site.id.cast()) {
        Some(run) => Fix::new(operation, json!({ "run_ref": run.id })),
        None => Fix::new("crawl.run.start", json!({ "site_id": site.id })),
    }
}

#[cfg(test)]
mod tests;
