//! The operation `schema.entity_graph.build`, the job, and its result; `merge` finds what is one entity.

pub(crate) mod merge;

use sdk::Degraded;
use sdk::Fix;
use sdk::Next;
use sdk::prelude::*;
use sdk::{Job, JobState, json};

use crate::crawled::Crawled;
use crate::report::tree;
use merge::{Entities, Entity};
use site::Run;

/// Pages read at once: some 20 KiB each.
const CHUNK: u64 = 100;
/// Milliseconds after which a step hands over; the host allows 60,000.
const LONG: u64 = 20_000;
/// Chunks in one step: a page takes some two million units of fuel, of 5,000 million, and 60 KiB of 64 MiB at most.
const CHUNKS: usize = 8;
/// The most pages of a crawl.
const MOST_PAGES: u64 = 10_000;
/// Findings of each sort that are told.
const TOLD: usize = 200;

#[args]
pub(crate) struct Build {
    /// A crawl that has ended.
    run_ref: Id<Run>,
}

/// A graph that was asked for, by its crawl: what is asked again is answered from here.
#[record(collection = "graphs", thing = "graph")]
pub(crate) struct Graph {
    pub(crate) job_ref: Id<Job>,
}

/// An entity of a crawl, as other modules read it.
#[record(collection = "nodes", thing = "node", index(run))]
pub(crate) struct Node {
    /// The crawl.
    pub(crate) run: String,
    pub(crate) entity: Entity,
}

/// A reference that leads nowhere.
#[value]
pub(crate) struct Dangling {
    /// The `@id` that no node of the crawl has.
    pub(crate) id: String,
    /// Pages that name it.
    pub(crate) pages: u64,
    pub(crate) example: String,
    fix: Option<Fix>,
}

/// An entity that two pages say different things of, or that goes by several identities.
#[value]
pub(crate) struct Conflict {
    /// The name or `@id` of the entity.
    pub(crate) entity: String,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    /// The property with several values; `@id` for organizations of one name under several identities.
    pub(crate) property: String,
    pub(crate) values: Vec<Said>,
    fix: Option<Fix>,
}

/// A value and a page that says it.
#[value]
pub(crate) struct Said {
    pub(crate) value: String,
    pub(crate) page: String,
}

/// An entity without a page of its own.
#[value]
pub(crate) struct Orphan {
    pub(crate) entity: String,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) pages: u64,
    pub(crate) example: String,
    fix: Option<Fix>,
}

impl Dangling {
    pub(crate) fn new(id: &str, pages: u64, example: &str) -> Self {
        let fix = Some(Fix::on("schema.page.extract", example));
        Self { id: id.to_owned(), pages, example: example.to_owned(), fix }
    }
}

impl Conflict {
    pub(crate) fn new(entity: &str, kind: &str, property: &str, values: Vec<Said>) -> Self {
        let fix = values.first().map(|it| Fix::on("schema.page.extract", &it.page));
        let (entity, kind, property) = (entity.to_owned(), kind.to_owned(), property.to_owned());
        Self { entity, kind, property, values, fix }
    }
}

impl Orphan {
    pub(crate) fn new(entity: &str, kind: &str, pages: u64, example: &str) -> Self {
        let fix = Some(Fix::on("schema.page.extract", example));
        Self { entity: entity.to_owned(), kind: kind.to_owned(), pages, example: example.to_owned(), fix }
    }
}

/// The graph, as far as it is.
#[value]
pub(crate) struct Built {
    job_ref: Id<Job>,
    /// `queued` when this call started it; a later call for the same crawl answers with the result.
    state: JobState,
    /// Why the job failed.
    failure: Option<String>,
    /// Entities after merging.
    entities: u64,
    /// At most 200.
    dangling: Vec<Dangling>,
    /// At most 200.
    conflicts: Vec<Conflict>,
    /// At most 200.
    orphan_entities: Vec<Orphan>,
    /// HTML pages read.
    pages: u64,
    /// When it was built.
    built_at: Option<Moment>,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// What the job works on.
#[value]
pub(crate) struct Payload {
    pub(crate) run_ref: Id<Run>,
}

/// What one step hands to the next.
#[value]
#[derive(Default)]
pub(crate) struct Checkpoint {
    cursor: Option<Cursor>,
    pages: u64,
    cut: bool,
    entities: Entities,
}

/// Where the job stands.
#[value]
pub(crate) struct Progress {
    pages: u64,
    entities: u64,
}

/// The job's result.
#[value]
pub(crate) struct Findings {
    entities: u64,
    pages: u64,
    dangling: Vec<Dangling>,
    conflicts: Vec<Conflict>,
    orphan_entities: Vec<Orphan>,
    degraded: Vec<Degraded>,
}

/// Merges all nodes of a crawl into one entity graph by @id, url and sameAs, then finds dangling @ids, duplicate organisations, contradicting facts and entities without a home page.
///
/// The entities are stored. The same crawl asked again is answered with the graph that was built of it, also while it is
/// being built. Facts contradict each other when a property that has one value has several: a name, a telephone number, a day.
#[operation(
    job,
    scope = "seo:analyze",
    cost = job(unit = "pages", every = 50, most = 10_000),
    queued(step = "graph"),
    result_operation = "account.job.get",
    side_effects = ["stores the entities of the crawl"],
    needs = ["jobs"],
    phrasings = [
        "does my structured data contradict itself across pages",
        "find duplicate organizations in my markup",
        "which @id references lead nowhere",
        "build an entity graph of my website",
    ],
    examples = [{ "run_ref": "run_01" }]
)]
pub(crate) fn build(cx: &Cx, args: Build) -> Result<Built> {
    let run = site::readable(cx, &args.run_ref)?;
    let id: Id<Graph> = run.id.cast();
    let known = cx.records::<Graph>().find(&id);
    let job = known.as_ref().and_then(|it| cx.jobs().find(&it.job_ref));
    if let Some(job) = job.filter(|it| !matches!(it.state, JobState::Failed | JobState::Cancelled)) {
        return Ok(Built::of(&job, &run));
    }
    let job_ref = cx.jobs().enqueue("graph", &Payload { run_ref: run.id.clone() })?;
    if known.is_some() {
        cx.records::<Graph>().update(&id, |it| it.job_ref = job_ref.clone())?;
    } else {
        cx.records::<Graph>().insert_as(id, Graph { job_ref: job_ref.clone() })?;
    }
    Ok(Built::started(job_ref, JobState::Queued))
}

impl Built {
    fn started(job_ref: Id<Job>, state: JobState) -> Self {
        Self {
            job_ref,
            state,
            failure: None,
            entities: 0,
            dangling: Vec::new(),
            conflicts: Vec::new(),
            orphan_entities: Vec::new(),
            pages: 0,
            built_at: None,
            next: Vec::new(),
            degraded: Vec::new(),
        }
    }

    fn of(job: &Job, run: &Stored<Run>) -> Self {
        let started = Self::started(job.id.clone(), job.state);
        let failure = job.fault().map(|(code, message)| format!("{code}: {message}"));
        let Some(it) = job.result::<Findings>() else { return Self { failure, ..started } };
        let report = Fix::new("schema.site.report", json!({ "run_ref": run.id }))
            .because("shows which pages and templates lack markup");
        let generate = Fix::new("schema.organization.generate", json!({ "site_id": run.0.site_id }))
            .because("makes Organization markup with one identity for all pages");
        Self {
            entities: it.entities,
            dangling: it.dangling,
            conflicts: it.conflicts,
            orphan_entities: it.orphan_entities,
            pages: it.pages,
            built_at: Some(job.changed),
            next: vec![generate, report],
            degraded: it.degraded,
            ..started
        }
    }
}

/// Reads some pages and merges their nodes; the last step stores the entities and tells what is wrong.
#[step]
pub(crate) fn work(
    cx: &Cx,
    payload: Payload,
    checkpoint: Option<Checkpoint>,
) -> Result<Step<Checkpoint, Progress, Findings>> {
    let mut state = checkpoint.unwrap_or_default();
    let before = state.pages;
    for _ in 0..CHUNKS {
        let pages = cx.records::<Crawled>().by("run_seq").equals(&payload.run_ref);
        let batch = pages.page(CHUNK, state.cursor.take())?;
        for page in batch.items.iter().filter(|it| it.status == 200 && it.facts.is_html) {
            state.pages += 1;
            for item in tree::items(&page.facts.structured) {
                state.entities.add(&item, &page.url);
            }
            state.cut |= page.facts.structured.nodes_cut;
        }
        state.cursor = batch.next;
        if state.cursor.is_none() || state.pages >= MOST_PAGES || cx.elapsed() > LONG {
            break;
        }
    }
    let units = state.pages - before;
    let progress = Progress { pages: state.pages, entities: state.entities.len() };
    if state.cursor.is_some() && state.pages < MOST_PAGES {
        return Ok(Step::next(state, progress).units(units));
    }
    let mut degraded = Vec::new();
    if state.cursor.is_some() {
        degraded.push(Degraded::new("pages", format!("only the first {MOST_PAGES} pages were read")));
    }
    if state.cut || state.entities.is_full() {
        degraded.push(Degraded::new("nodes", "some pages, or the site, have more nodes than are kept"));
    }
    let run = payload.run_ref.as_str();
    let rows: Vec<(Id<Node>, Node)> = state
        .entities
        .all()
        .enumerate()
        .map(|(at, it)| (Id::new(format!("{run}-{at}")), Node { run: run.to_owned(), entity: it.clone() }))
        .collect();
    cx.records::<Node>().put_many_as(rows.iter().map(|(id, it)| (id, it)))?;
    let result = Findings {
        entities: state.entities.len(),
        pages: state.pages,
        dangling: state.entities.dangling(TOLD),
        conflicts: state.entities.conflicts(TOLD),
        orphan_entities: state.entities.orphans(TOLD),
        degraded,
    };
    Ok(Step::done(result, progress).units(units))
}

#[cfg(test)]
mod tests;
