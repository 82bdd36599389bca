//! The operation `cms.redirect.map.build`.

use sdk::prelude::*;
use sdk::{Basis, Fix, IsQueued, Next, json};
use site::Run;

use super::work::Work;
use super::{Map, Standing};

/// Addresses of the old side.
pub(super) const OLD: usize = 20_000;

#[args]
pub(crate) struct Build {
    /// A crawl of the old website that has ended; with its titles and texts more is found than with addresses alone. This or
    /// `old_urls`.
    old_run_ref: Option<Id<Run>>,
    /// Addresses of the old website, when there is no crawl of it.
    old_urls: Option<List<Url, 1, 20_000>>,
    /// A crawl of the new website that has ended.
    new_run_ref: Id<Run>,
    /// Rows that are at least so sure are matched; less sure ones, from 0.4 on, are for review.
    #[default(0.6)]
    min_confidence: Decimal<300, 1_000>,
}

/// A map whose job was queued.
#[value]
pub(crate) struct Started {
    job_ref: Id<Job>,
    /// What `cms.redirect.map.test` and `cms.redirect.map.export` know the map by.
    map_ref: Id<Map>,
    /// Always `queued`; the job's result says what was matched.
    state: IsQueued,
    /// The crawl of the new website.
    basis: Basis,
    /// What to do next.
    next: Vec<Next>,
}

/// Builds an old-to-new URL map for a migration by exact slug, path-token similarity, title and content similarity with one best target each, confidence and a list for review.
///
/// Four stages, each for what those before have left: the same path in another spelling; the same last part of the path; the
/// same product number; the likeness of path (TF-IDF cosine), title and text (Jaccard of 5-word shingles). Redirects of the
/// old website are carried over to where they end. At most 20,000 old and 20,000 new pages.
#[operation(
    job,
    scope = "seo:analyze",
    cost = job(unit = "addresses", every = 50, most = 20_000),
    queued(step = "map"),
    result_operation = "account.job.get",
    side_effects = ["stores the redirect map"],
    needs = ["store", "jobs"],
    phrasings = [
        "map the old urls to the new ones for our migration",
        "which new page replaces each old page",
        "build a redirect map for a relaunch",
        "we move to another shop system and need all redirects",
    ],
    examples = [
        { "old_run_ref": "run_01", "new_run_ref": "run_02" },
        { "old_urls": ["https://shop.example/lamps.php"], "new_run_ref": "run_02", "min_confidence": 0.8 }
    ]
)]
pub(crate) fn build(cx: &Cx, args: Build) -> Result<Started> {
    let new = site::at_rest(cx, &args.new_run_ref).map_err(|fault| fault.at("/new_run_ref"))?;
    let old = match (&args.old_run_ref, &args.old_urls) {
        (Some(run), None) => Some(site::at_rest(cx, run).map_err(|fault| fault.at("/old_run_ref"))?),
        (None, Some(_)) => None,
        (Some(_), Some(_)) => {
            let message = "name the old website by a crawl or by a list of addresses, not by both";
            return Err(Fault::invalid("/old_urls", "one_of_two", message));
        }
        (None, None) => {
            let message = "name the old website: by a crawl in old_run_ref, or by its addresses in old_urls";
            return Err(Fault::invalid("/old_run_ref", "missing", message));
        }
    };
    if old.as_ref().is_some_and(|old| old.id == new.id) {
        let message = "this is the crawl of the old website; crawl the new one too";
        return Err(Fault::invalid("/new_run_ref", "same_run", message));
    }
    let mut degraded = Vec::new();
    for (pointer, run) in [("old", old.as_ref()), ("new", Some(&new))] {
        if run.is_some_and(|run| !run.0.is_complete()) {
            let why = format!("the crawl of the {pointer} website did not reach all of its pages");
            degraded.push(sdk::Degraded::new(pointer, why));
        }
    }
    if args.old_urls.is_some() {
        let why = "of listed addresses only the paths are known: titles and texts were not compared; a crawl of the old website has them";
        degraded.push(sdk::Degraded::new("alike", why));
    }
    let map = Map {
        site_id: new.0.site_id.clone(),
        old_site_id: old.as_ref().map_or(&new, |old| old).0.site_id.clone(),
        old_run: old.map(|old| old.id.to_string()),
        new_run: new.id.to_string(),
        job_ref: None,
        standing: Standing::Building,
        created_ms: cx.now().millis(),
        min_confidence: args.min_confidence.get(),
        new_origin: new.0.origin.clone(),
        parts: 0,
        degraded,
    };
    let mut map = cx.records::<Map>().insert(map)?;
    let mut listed = Vec::new();
    let mut known = std::collections::BTreeSet::new();
    for url in args.old_urls.iter().flat_map(|all| all.iter()) {
        // The same address in two spellings is one.
        let normal = kit::url::normalize(url.as_str()).unwrap_or_else(|| url.as_str().to_owned());
        if known.insert(normal.clone()) {
            listed.push(normal);
        }
    }
    let old_parts = super::sides::Which::Old.list(cx, &map.id, &listed)?;
    let work = Work { map: map.id.clone(), old_parts, old: listed.len() as u64 };
    let job_ref = cx.jobs().enqueue("map", &work)?;
    map.it.job_ref = Some(job_ref.clone());
    let map = cx.records::<Map>().save(map)?;
    let next = Fix::new("account.job.get", json!({ "job_ref": job_ref }))
        .because("says how far the job is, and in the end what was matched and what needs a look");
    Ok(Started {
        job_ref,
        map_ref: map.id.clone(),
        state: IsQueued::Queued,
        basis: site::basis(cx, &new),
        next: vec![next],
    })
}
