//! What the fixed routes `GET /websites` and `GET /websites/{site_id}` show.

use kit::crawled::{RunState, StopReason};
use sdk::prelude::*;

use crate::stored::{Audit, Website};
use site::Run;

#[args]
pub(crate) struct ListWebsites {
    /// At most this many.
    #[default(25)]
    limit: Count<1, 50>,
    /// The `next_before_site_id` of the page before: only websites added before that one.
    before_site_id: Option<Id<Website>>,
}

/// A website in a list.
#[value]
pub(crate) struct Listed {
    /// Opaque, though it is all digits; keep it as a string.
    site_id: Id<Website>,
    /// The domain it was added by.
    domain: Domain,
    /// How it is called.
    name: String,
    /// Scheme, host and port to begin at.
    origin: String,
    /// When it was added.
    created_at: Moment,
    /// Where the work on it stands.
    status: Status,
}

/// Where the work on a website stands.
#[value]
pub(crate) enum Status {
    /// Added, never crawled.
    New,
    /// A crawl is waiting or running.
    Crawling,
    /// Crawled, not audited since.
    Crawled,
    /// Its latest crawl was audited, or an audit is newer.
    Audited,
}

/// Owned websites, the newest first.
#[value]
pub(crate) struct Websites {
    /// The websites.
    websites: Vec<Listed>,
    /// Give this back as `before_site_id` for the next page; absent on the last.
    next_before_site_id: Option<Id<Website>>,
}

/// Lists owned websites, the newest first.
#[operation(
    read,
    scope = "websites:read",
    cost = list,
    phrasings = ["list my websites", "which sites do I have"],
    examples = [{ "limit": 10 }]
)]
pub(crate) fn list(cx: &Cx, args: ListWebsites) -> Result<Answer<Websites>> {
    let mut query = cx.records::<Website>().by("order").descending();
    if let Some(before) = &args.before_site_id {
        query = query.below(&cx.records::<Website>().get(before)?.order);
    }
    let page = query.page(args.limit, None)?;
    let more = page.next.is_some();
    let websites: Vec<Listed> = page
        .items
        .into_iter()
        .map(|site| {
            let status = metrics(cx, &site.id).status();
            let Stored { id, it, .. } = site;
            Listed {
                site_id: id,
                domain: it.domain,
                name: it.name,
                origin: it.origin,
                created_at: it.created_at,
                status,
            }
        })
        .collect();
    let next_before_site_id = websites.last().filter(|_| more).map(|last| last.site_id.clone());
    let rows = websites.len() as u64;
    Ok(Answer::new(Websites { websites, next_before_site_id }).units(rows))
}

#[args]
pub(crate) struct GetWebsite {
    /// The website, as listed.
    site_id: Id<Website>,
}

/// A website with its status and metrics.
#[value]
pub(crate) struct Shown {
    /// The website.
    #[serde(flatten)]
    site: Stored<Website>,
    /// Where the work on it stands.
    status: Status,
    /// The latest crawl and audit in numbers.
    metrics: Metrics,
}

/// Shows one owned website with its status and metrics.
#[operation(
    read,
    scope = "websites:read",
    cost = indexed_read,
    phrasings = ["show my website", "how is my site doing"],
    examples = [{ "site_id": "4503599627370496" }]
)]
pub(crate) fn get(cx: &Cx, args: GetWebsite) -> Result<Shown> {
    let site = cx.records::<Website>().get(&args.site_id)?;
    let metrics = metrics(cx, &site.id);
    Ok(Shown { status: metrics.status(), metrics, site })
}

/// The latest crawl and audit of a website in numbers.
#[value]
pub(crate) struct Metrics {
    /// The latest crawl; absent before the first.
    crawl: Option<CrawlMetrics>,
    /// The latest audit that has ended; absent before the first.
    audit: Option<AuditMetrics>,
}

/// The latest crawl in numbers.
#[value]
pub(crate) struct CrawlMetrics {
    /// The crawl.
    run_ref: Id<Run>,
    /// Where it stands.
    state: RunState,
    /// Why it ended.
    stop_reason: Option<StopReason>,
    /// When it was asked for.
    created_at: Moment,
    /// When it ended.
    finished_at: Option<Moment>,
    /// Addresses fetched.
    pages: u64,
    /// Pages that may be indexed.
    indexable: u64,
    /// Addresses that failed.
    errors: u64,
    /// Links recorded.
    links: u64,
}

/// The latest audit in numbers.
#[value]
pub(crate) struct AuditMetrics {
    /// The audit.
    audit_ref: Id<Audit>,
    /// From 0 to 100.
    score: f64,
    /// When it ended.
    finished_at: Moment,
    /// Addresses read.
    pages: u32,
    /// Rules with findings.
    issues: u32,
}

/// The latest crawl and audit of a website.
pub(crate) fn metrics(cx: &Cx, site: &Id<Website>) -> Metrics {
    // The ids of crawls grow with time.
    let crawl = cx.records::<Run>().by("site_id").equals(site).descending().first();
    let audits = cx.records::<Audit>().by("site_id_created_ms").equals(site).descending();
    let audits = audits.page(20u64, None).map(|page| page.items).unwrap_or_default();
    Metrics {
        crawl: crawl.map(|Stored { id, it: Run(run), .. }| CrawlMetrics {
            run_ref: id,
            state: run.state,
            stop_reason: run.stop_reason,
            created_at: Moment::from_millis(run.created_ms),
            finished_at: run.finished_ms.map(Moment::from_millis),
            pages: run.totals.fetched,
            indexable: run.totals.indexable,
            errors: run.totals.errors,
            links: run.totals.links,
        }),
        audit: audits.into_iter().find_map(|Stored { id, it, .. }| {
            Some(AuditMetrics {
                audit_ref: id,
                score: it.score?,
                finished_at: Moment::from_millis(it.finished_ms?),
                pages: it.pages,
                issues: it.by_severity.values().sum(),
            })
        }),
    }
}

impl Metrics {
    fn status(&self) -> Status {
        match (&self.crawl, &self.audit) {
            (None, None) => Status::New,
            (None, Some(_)) => Status::Audited,
            (Some(crawl), audit) => match crawl.state {
                RunState::Queued | RunState::Running => Status::Crawling,
                RunState::Finished | RunState::Stopped | RunState::Failed => {
                    let audited = audit.as_ref().is_some_and(|audit| Some(audit.finished_at) >= crawl.finished_at);
                    if audited { Status::Audited } else { Status::Crawled }
                }
            },
        }
    }

    /// For each module, when its data was last made.
    pub(crate) fn freshness(&self) -> impl Iterator<Item = (&'static str, Moment)> {
        let crawl = self.crawl.as_ref().map(|crawl| ("crawl", crawl.finished_at.unwrap_or(crawl.created_at)));
        let audit = self.audit.as_ref().map(|audit| ("audit", audit.finished_at));
        crawl.into_iter().chain(audit)
    }
}
