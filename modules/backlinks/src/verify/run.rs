//! The operation `backlinks.verify.run`.

use sdk::prelude::*;
use sdk::{Fix, IsQueued, json};
use site::Site;

use super::select::{Asked, Only, select, watched};
use super::topic::Topic;
use super::work::{self, Payload};
use crate::import::run::is_alive;
use crate::link::Link;
use crate::looked::Looked;
use crate::stored::Links;

#[args]
pub(crate) struct Run {
    /// The website.
    site_id: Id<Site>,
    /// These links alone, by `link_ref`.
    link_refs: Option<List<Id<Link>, 1, 10_000>>,
    /// Which links; of no account beside `link_refs`.
    #[default("stale")]
    only: Only,
    /// At most this many links.
    #[default(1_000)]
    max: Count<1, 10_000>,
}

/// A verification that was queued.
#[value]
pub(crate) struct Started {
    /// The job; account.job.get follows it.
    job_ref: Id<Job>,
    /// Always `queued`.
    state: IsQueued,
    /// Links that are looked at.
    links: u64,
    /// Pages that are fetched for them.
    pages: u64,
}

/// Recrawls source pages to verify each backlink: present, anchor, rel, in main content, page indexable, canonical elsewhere, redirect path to our page.
///
/// A page is fetched once for all its links, and robots.txt is obeyed. Two looks on different days that do not find a link make it
/// lost; a page that forbids the look, fails, or makes its text with scripts says nothing of its links. Links are then listed as they
/// were found, and backlinks.change.report knows why they were lost.
#[operation(
    job,
    scope = "seo:execute",
    cost = job(unit = "links", every = 1_000, most = max),
    native_price(unit = "links", every = 1000, credits_milli = 1000, most = max),
    queued(step = "verify"),
    result_operation = "account.job.get",
    side_effects = ["fetches pages of other websites", "changes what is stored of the links"],
    needs = ["web", "store", "jobs"],
    phrasings = ["check if my backlinks are still live", "verify backlinks", "are our links still there", "recrawl linking pages"],
    examples = [
        { "site_id": "4503599627370496" },
        { "site_id": "4503599627370496", "only": "watched" },
        { "site_id": "4503599627370496", "link_refs": ["0123456789abcdef"] },
    ]
)]
pub(crate) fn run(cx: &Cx, args: Run) -> Result<Answer<Started>> {
    let site = site::get(cx, &args.site_id)?;
    let looked = Looked::of(cx, &site.id);
    if let Some(job) = looked.looks.job_ref.as_ref().filter(|job| is_alive(cx, job)) {
        let message = "links of this website are being verified; wait for it or stop it with account.job.cancel";
        return Err(Fault::conflict("verification_running", message).at("/site_id").detail(json!({ "job_ref": job })));
    }
    let links = Links::of(cx, &site.id);
    let watched = watched(cx, &site.id);
    if links.profile.links == 0 && (watched.is_empty() || args.link_refs.is_some()) {
        return Err(crate::given::none_imported(&site.id));
    }
    let asked = Asked {
        only: args.only,
        references: args.link_refs.iter().flat_map(|it| it.iter()).map(Id::as_str).collect(),
        watched,
        most: usize::try_from(args.max.get()).unwrap_or(usize::MAX),
        today: cx.now().day().since_epoch(),
    };
    let (wanted, unknown) = select(cx, &links, &asked)?;
    if let Some(name) = unknown.first() {
        let at = args.link_refs.iter().flat_map(|it| it.iter()).position(|it| it.as_str() == name).unwrap_or(0);
        return Err(Fault::not_found("link_not_found", format!("this website has no link {name}"))
            .at(format!("/link_refs/{at}")));
    }
    if wanted.is_empty() {
        let (message, other) = match args.only {
            Only::Watched => ("no link is watched; add some with backlinks.watch.set", None),
            Only::Stale | Only::All => {
                let all = Fix::new("backlinks.verify.run", json!({ "site_id": site.id, "only": "all" }));
                ("every link was looked at in the last 30 days; `only` `all` looks again", Some(all))
            }
        };
        let fault = Fault::conflict("nothing_to_verify", message).at("/only");
        return Err(other.into_iter().fold(fault, |fault, it| fault.detail(json!(it))));
    }
    let count = wanted.iter().map(|it| it.links.len()).sum::<usize>() as u64;
    work::keep(cx, &site.id, &wanted)?;
    if let Some(topic) = Topic::of_crawl(cx, &site.id) {
        topic.keep(cx, &site.id)?;
    }
    let payload = Payload { site_id: site.id.clone(), pages: wanted.len() as u64, links: count };
    let job_ref = cx.jobs().enqueue("verify", &payload)?;
    looked.started(job_ref.clone())?;
    let started = Started { job_ref, state: IsQueued::Queued, links: count, pages: wanted.len() as u64 };
    Ok(Answer::new(started).units(count))
}
