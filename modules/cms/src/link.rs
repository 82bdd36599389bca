//! The operation `cms.link.replace`, and its job.

use std::collections::BTreeSet;

use sdk::prelude::*;
use sdk::{Fix, IsQueued, Progress, json};
use site::live::{self, Reach};
use site::{Linked, Site};
use wordpress::{Item, Listing, Patch, What};

use crate::batch::{Edit, Editing, Outcome, Queue, Skipped, Started};
use crate::markup::links::{Pairs, exchanged};
use crate::target::Target;

/// Pairs of one step: for each a target is fetched and three types are searched, and a step may make 64 requests.
const PAIRS: usize = 12;
/// Sources of a target that a crawl names.
const SOURCES: usize = 2_000;
/// Items of one search.
const FOUND: u64 = 100;
/// Types that are searched.
const TYPES: [&str; 3] = ["posts", "pages", "product"];

/// An address with the one that takes its place.
#[args]
pub(crate) struct Pair {
    /// Where links lead now.
    from: Url,
    /// Where they are to lead; a page that answers 200 and can be found, or another website.
    to: Url,
}

#[args]
pub(crate) struct Replace {
    /// The website, as listed.
    site_id: Id<Site>,
    /// Addresses with what takes their place.
    pairs: List<Pair, 1, 500>,
    /// With it the job only shows what it would change.
    #[serde(default)]
    dry_run: bool,
}

/// What the job is given.
#[value]
pub(crate) struct Payload {
    site_id: Id<Site>,
    batch: String,
    pairs: Vec<(String, String)>,
    dry_run: bool,
}

/// What one step hands to the next.
#[value]
#[derive(Default)]
pub(crate) struct Checkpoint {
    /// Pairs whose targets were looked at.
    looked: u64,
    /// Of these, those that are exchanged.
    good: Vec<u64>,
    /// Items that have a link, by reference or address.
    found: BTreeSet<String>,
    queue: Queue,
    outcome: Outcome,
}

/// Replaces broken or redirecting link targets inside CMS content by exact attribute match, one reversible batch with a diff per item.
///
/// Only the addresses of links change, and where the editor repeats them in its comments; every other byte stays. With `dry_run`
/// it only shows. Items are found by the newest crawl and by the search of WordPress.
#[operation(
    job,
    scope = "seo:execute",
    cost = job(unit = "links", every = 50, most = 25_000),
    queued(step = "links"),
    result_operation = "account.job.get",
    side_effects = ["changes links in posts and pages of your WordPress, unless it is a dry run"],
    needs = ["store", "web", "jobs", "connection:wordpress"],
    outside = [
        "wordpress GET /wp-json",
        "wordpress GET /wp-json/wp/v2/posts",
        "wordpress GET /wp-json/wp/v2/posts/*",
        "wordpress GET /wp-json/wp/v2/posts/*/revisions",
        "wordpress POST /wp-json/wp/v2/posts/* change",
        "wordpress GET /wp-json/wp/v2/pages",
        "wordpress GET /wp-json/wp/v2/pages/*",
        "wordpress GET /wp-json/wp/v2/pages/*/revisions",
        "wordpress POST /wp-json/wp/v2/pages/* change",
        "wordpress GET /wp-json/wp/v2/product",
        "wordpress GET /wp-json/wp/v2/product/*",
        "wordpress GET /wp-json/wp/v2/product/*/revisions",
        "wordpress POST /wp-json/wp/v2/product/* change",
    ],
    phrasings = [
        "replace this broken link everywhere",
        "point all links to the new address",
        "fix links that go through redirects",
        "show which posts link to the old url",
    ],
    examples = [
        { "site_id": "4503599627370496", "pairs": [{ "from": "https://shop.example/old", "to": "https://shop.example/new" }], "dry_run": true },
        { "site_id": "4503599627370496", "pairs": [{ "from": "https://shop.example/old", "to": "https://shop.example/new" }] }
    ]
)]
pub(crate) fn replace(cx: &Cx, args: Replace) -> Result<Started> {
    let target = Target::of(cx, &args.site_id)?;
    let mut pairs: Vec<(String, String)> = Vec::new();
    for (at, pair) in args.pairs.iter().enumerate() {
        let (Some(from), to) = (normal(pair.from.as_str()), pair.to.as_str()) else { continue };
        if normal(to).as_deref() == Some(from.as_str()) {
            let message = "both are the same address";
            return Err(Fault::invalid(format!("/pairs/{at}/to"), "same_address", message));
        }
        if pairs.iter().any(|(known, _)| *known == from) {
            let message = "another pair has this address; name each once";
            return Err(Fault::invalid(format!("/pairs/{at}/from"), "named_twice", message));
        }
        pairs.push((from, to.to_owned()));
    }
    let (batch, dry_run) = (wordpress::batch(cx), args.dry_run);
    let payload = Payload { site_id: target.site.id.clone(), batch: batch.clone(), pairs, dry_run };
    let job_ref = cx.jobs().enqueue("links", &payload)?;
    let next = Fix::new("account.job.get", json!({ "job_ref": job_ref }))
        .because("says how far the job is and what it changed");
    Ok(Started { job_ref, batch_ref: Id::new(batch), state: IsQueued::Queued, dry_run, next: vec![next] })
}

/// An address as links are compared: normal, with its fragment.
fn normal(url: &str) -> Option<String> {
    let (plain, fragment) = url.split_once('#').map_or((url, None), |(plain, fragment)| (plain, Some(fragment)));
    let normal = kit::url::normalize(plain)?;
    Some(fragment.filter(|it| !it.is_empty()).map_or_else(|| normal.clone(), |it| format!("{normal}#{it}")))
}

/// Looks at targets and for items first, then edits some items in each step.
#[step]
pub(crate) fn work(
    cx: &Cx,
    payload: Payload,
    checkpoint: Option<Checkpoint>,
) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let target = Target::of(cx, &payload.site_id)?;
    let first = Outcome { dry_run: payload.dry_run, batch_ref: payload.batch.clone(), ..Outcome::default() };
    let mut state = checkpoint.unwrap_or_else(|| Checkpoint { outcome: first, ..Checkpoint::default() });
    let before = state.outcome.replacements;
    let all = payload.pairs.len() as u64;
    if state.looked < all {
        look(cx, &target, &payload, &mut state)?;
        if state.looked == all {
            state.queue.waiting = std::mem::take(&mut state.found).into_iter().rev().collect();
        }
        let progress = Progress::new(state.looked, all, "looking for links");
        if state.looked < all || !state.queue.waiting.is_empty() {
            return Ok(Step::next(state, progress));
        }
        return Ok(Step::done(state.outcome, progress));
    }
    let pairs: Pairs = state
        .good
        .iter()
        .filter_map(|at| payload.pairs.get(usize::try_from(*at).ok()?))
        .map(|(from, to)| (from.clone(), to.clone()))
        .collect();
    let editing = Editing {
        cx,
        target: &target,
        operation: "cms.link.replace",
        what: What::Content,
        batch: &payload.batch,
        dry_run: payload.dry_run,
    };
    let edit = |item: &Item| {
        let Ok(page) = kit::url::Url::parse(&item.link) else { return Ok(None) };
        let edited = exchanged(&item.fields.content, &page, &pairs);
        Ok(edited.map(|(text, places)| Edit { patch: Patch { content: Some(text), ..Patch::default() }, places }))
    };
    let goes_on = editing.turn(&mut state.queue, &mut state.outcome, edit)?;
    let left = (state.queue.waiting.len() + state.queue.intended.len()) as u64;
    let progress = Progress::new(state.outcome.items, state.outcome.items + left, "replacing links");
    let units = if payload.dry_run { 0 } else { state.outcome.replacements - before };
    if goes_on {
        return Ok(Step::next(state, progress).units(units));
    }
    Ok(Step::done(state.outcome, progress).units(units))
}

/// Looks at the targets of some pairs, and for the items that link to their sources.
fn look(cx: &Cx, target: &Target, payload: &Payload, state: &mut Checkpoint) -> Result<()> {
    let run = site::newest(cx, &target.site.id);
    let from = usize::try_from(state.looked).unwrap_or(usize::MAX);
    for (at, (from, to)) in payload.pairs.iter().enumerate().skip(from).take(PAIRS) {
        state.looked += 1;
        if let Some(why) = against(cx, target, to)? {
            let code = "target_not_good".to_owned();
            state.outcome.skipped.push(Skipped { what: to.clone(), code, why });
            continue;
        }
        state.good.push(at as u64);
        let plain = from.split('#').next().unwrap_or(from);
        if let Some(run) = &run {
            let links = cx.records::<Linked>().by("run_target").equals(&run.id).equals(plain).scan().take(SOURCES);
            state.found.extend(links.map(|it| it.0.source.clone()));
        }
        // The path, as it stands in contents; a whole address is found by it too.
        let words = plain.parse::<Url>().map_or_else(|_| plain.to_owned(), |url| url.path().to_owned());
        if words.len() < 2 {
            continue;
        }
        for base in TYPES {
            let status = ["publish", "draft", "future", "private", "pending"].map(str::to_owned).to_vec();
            let wanted = Listing { status, search: Some(words.clone()), per_page: FOUND, ..Listing::default() };
            match target.installation.list(cx, base, &wanted) {
                Ok(page) => {
                    if page.total > FOUND {
                        let why = format!(
                            "{} {base} have its words, and the first {FOUND} were looked at; call again when they are done",
                            page.total
                        );
                        state.outcome.degraded.push(sdk::Degraded::new("items", why));
                    }
                    state.found.extend(page.items.iter().map(|it| it.at.to_string()));
                }
                Err(fault) if fault.code == "type_not_found" => {}
                Err(fault) => return Err(fault),
            }
        }
    }
    // An item that was found in both ways is known by its reference.
    Ok(())
}

/// What speaks against a target of this website; those of others are only asked whether they answer.
fn against(cx: &Cx, target: &Target, to: &str) -> Result<Option<String>> {
    let Ok(url) = to.parse::<Url>() else { return Ok(Some("it is no web address".to_owned())) };
    let facts = match live::fetch(cx, &url.without_fragment(), Reach::bytes(256 << 10)) {
        Ok(facts) => facts,
        Err(fault) if fault.kind == sdk::boundary::Kind::Unavailable => return Err(fault),
        // One bad target leaves the other pairs alone.
        Err(fault) => return Ok(Some(fault.message)),
    };
    let own = target.site.has(to);
    Ok(match (facts.status, &facts.failure) {
        (200..=299, _) if own && facts.is_html && !facts.indexability.is_indexable() => {
            Some("it is not to be indexed".to_owned())
        }
        (200..=299, _) if own && !facts.redirects.is_empty() => {
            Some("it is redirected; name the address that it leads to".to_owned())
        }
        (200..=299, _) => None,
        (0, Some(failure)) if own => Some(format!("it does not answer: {failure}")),
        (0, Some(failure)) if failure == "unresolved" => Some("its host does not exist".to_owned()),
        (404 | 410, _) => Some(format!("it answers {}", facts.status)),
        (status, _) if own => Some(format!("it answers {status}")),
        // Another website that does not want to be asked may still be right.
        _ => None,
    })
}
