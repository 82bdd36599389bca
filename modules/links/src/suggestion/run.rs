//! The operation `links.suggestion.run`: the best set of new links for a whole website.

mod choose;

use std::collections::HashSet;

use kit::url::normalize;
use sdk::IsQueued;
use sdk::Progress;
use sdk::prelude::*;

use crate::basis;
use crate::engine::{Candidate, Engine};
use crate::node;
use crate::stored::{Graph, Stand};
use crate::usage::Usage;
use site::{Run, Site};

/// A step that has run so long hands over, in milliseconds; the host allows 60,000.
const LONG: u64 = 20_000;
/// Pages that one step reads.
const PAGES: u32 = 400;
/// Bytes of texts that one step reads: what is looked for in them, and what they are compared with, takes fuel by the byte.
const BYTES: usize = 1 << 20;
/// Places that are kept of one page.
const PLACES: usize = 30;

#[args]
pub(crate) struct Start {
    /// A crawl with a link graph.
    run_ref: Id<Run>,
    /// New links of one page, at most.
    #[default(3)]
    per_page: Count<1, 10>,
    /// New links to one page, at most.
    #[default(10)]
    per_target: Count<1, 50>,
    /// Only links to these pages; to all when left out.
    #[serde(default)]
    targets: List<Url, 0, 500>,
}

/// Suggestions on their way.
#[value]
pub(crate) struct Started {
    /// Always `queued`; the job's result says how many suggestions there are and what they bring.
    state: IsQueued,
    /// The job.
    job_ref: Id<Job>,
    /// The website whose suggestions are made.
    site_id: Id<Site>,
}

/// What the job is given.
#[value]
pub(crate) struct Work {
    graph: Id<Graph>,
    per_page: u32,
    per_target: u32,
    /// Normalised; empty for all.
    targets: Vec<String>,
}

/// What one step hands to the next.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Checkpoint {
    pack: u32,
    /// Texts of the pack that are read.
    text: u32,
    pages: u32,
    places: u32,
    parts: u32,
    read: bool,
}

/// What the job ends with.
#[value]
pub(crate) struct Outcome {
    /// Suggestions that are stored.
    suggestions: u32,
    /// What all of them together bring their targets, in authority of an average page.
    expected_gain: f64,
    /// Places that were found and are not among them.
    left_out: u32,
    /// Earlier suggestions that no longer fit.
    lost: u32,
}

/// Computes the best set of new contextual links for the whole website, maximising authority gain times relevance under caps per page and per target.
///
/// Every page of the crawl whose text was kept is read for sentences that name another page. Of all places those are taken
/// one by one whose relevance times gain is greatest, the gain computed anew as links are added. Suggestions of earlier
/// runs that no longer fit become `lost`; pairs that were rejected are left out, and so are names of one word that stands in
/// more than one of twelve texts.
#[operation(
    job,
    scope = "seo:analyze",
    cost = job(unit = "pages", every = 50, most = 100_000),
    queued(step = "suggest"),
    result_operation = "links.suggestion.list",
    side_effects = ["stores link suggestions of the website"],
    needs = ["store", "jobs"],
    phrasings = [
        "find internal linking opportunities across my whole site",
        "plan new internal links for my website",
        "which links should I add to help these pages",
        "build internal links automatically",
    ],
    examples = [
        { "run_ref": "run_01" },
        { "run_ref": "run_01", "per_page": 2, "targets": ["https://shop.example/guides/oak"] }
    ]
)]
pub(crate) fn start(cx: &Cx, args: Start) -> Result<Started> {
    let graph = basis::graph(cx, &args.run_ref)?;
    let run = cx.records::<Run>().get(&args.run_ref)?;
    if run.0.packs == 0 {
        let message = "this crawl kept no texts; crawl the website again";
        return Err(Fault::conflict("texts_not_kept", message).at("/run_ref"));
    }
    let mut targets = Vec::new();
    if !args.targets.is_empty() {
        let nodes = node::pages(cx, &graph)?;
        let numbers = node::by_url(&nodes);
        for (at, url) in args.targets.iter().enumerate() {
            let wanted = normalize(url.as_str()).unwrap_or_else(|| url.to_string());
            if !numbers.contains_key(wanted.as_str()) {
                let message = "the crawl has no page of this address";
                return Err(Fault::invalid(format!("/targets/{at}"), "page_not_in_graph", message));
            }
            targets.push(wanted);
        }
    }
    let work = Work {
        graph: graph.id.clone(),
        per_page: u32::try_from(args.per_page.get()).unwrap_or(3),
        per_target: u32::try_from(args.per_target.get()).unwrap_or(10),
        targets,
    };
    let job_ref = cx.jobs().enqueue("suggest", &work)?;
    Ok(Started { state: IsQueued::Queued, job_ref, site_id: graph.site_id.as_str().into() })
}

/// One step: some packs of texts are read, or the set is chosen.
#[step]
pub(crate) fn work(cx: &Cx, work: Work, checkpoint: Option<Checkpoint>) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let mut state = checkpoint.unwrap_or_default();
    let graph = cx.records::<Graph>().get(&work.graph)?;
    if state.read {
        let outcome = choose::store(cx, &graph, &work, state.parts)?;
        return Ok(Step::done(outcome, Progress::new(state.pages.into(), None, "reading pages")));
    }
    let packs = cx.records::<Run>().get(&Id::new(graph.run_ref.as_str()))?.0.packs;
    let nodes = node::pages(cx, &graph)?;
    let numbers = node::by_url(&nodes);
    let (names, usage) = (node::names(cx, &graph)?, Usage::read(cx, &graph)?);
    let mut skip = node::linked(&nodes, &node::links(cx, &graph)?);
    let decided = [Stand::Rejected, Stand::Approved, Stand::Applied];
    for (source, target) in decided.into_iter().flat_map(|stand| choose::pairs(cx, &graph.site_id, stand)) {
        if let (Some(source), Some(target)) = (numbers.get(source.as_str()), numbers.get(target.as_str())) {
            skip.insert((*source, *target));
        }
    }
    let wanted: HashSet<u32> = work
        .targets
        .iter()
        .filter_map(|url| numbers.get(url.as_str()).copied())
        .map(|at| nodes[at as usize].alias.unwrap_or(at))
        .collect();
    let wants = |target: u32| work.targets.is_empty() || wanted.contains(&target);
    let mut engine = Engine::new(&nodes, &names, &graph.language, &usage, skip, wants)
        .reading(|url| texts::short(cx, &graph.run_ref, url));
    let (mut found, before): (Vec<Candidate>, u32) = (Vec::new(), state.pages);
    let mut bytes = 0;
    let lasts = |bytes: usize, pages: u32| bytes < BYTES && pages < PAGES && cx.elapsed() < LONG;
    while state.pack < packs && lasts(bytes, state.pages - before) {
        let pack = texts::Pack::read(cx, &graph.run_ref, state.pack);
        for text in pack.from(state.text) {
            if !lasts(bytes, state.pages - before) {
                break;
            }
            (state.text, state.pages) = (state.text + 1, state.pages + 1);
            let Some(text) = text else { continue };
            bytes += text.plain.len() + 1;
            let Some(source) = numbers.get(text.url.as_str()).copied() else { continue };
            // Most pages name no other: what they link to is not asked for.
            if engine.candidates(source, &text, &[]).is_empty() {
                continue;
            }
            let anchors = super::anchors(cx, &graph, &text.url)?;
            found.extend(engine.candidates(source, &text, &anchors).into_iter().take(PLACES));
        }
        if state.text >= pack.texts() {
            (state.pack, state.text) = (state.pack + 1, 0);
        }
    }
    node::write(cx, &node::blob(graph.id.as_str(), "places", state.parts), &found)?;
    state.parts += 1;
    state.places += u32::try_from(found.len()).unwrap_or(u32::MAX);
    state.read = state.pack >= packs;
    let progress = Progress::new(state.pages.into(), None, "reading pages");
    let units = u64::from(state.pages - before);
    Ok(Step::next(state, progress).units(units))
}
