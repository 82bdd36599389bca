//! The operation `crawl.run.recrawl`.

use kit::crawled::RunState;
use kit::url::{Url as Address, normal, same_site};
use sdk::IsQueued;
use sdk::prelude::*;

use crate::run;
use crate::stored::{Run, Stop};
use crate::work::{Again, MOST_AGAIN};

#[args]
pub(crate) struct Recrawl {
    /// The crawl; it must have ended.
    run_ref: Id<Run>,
    /// Addresses of the website; with `failed` or `changed_lastmod` only those among them.
    urls: Option<List<Url, 0, 5000>>,
    /// Which addresses to fetch again. Without it those in `urls`, or all that failed when there are none.
    only: Option<Only>,
}

/// Which addresses are fetched again.
#[value]
pub(crate) enum Only {
    /// Those without an answer, with 4xx or 5xx.
    Failed,
    /// Those whose sitemap names a change after they were fetched.
    ChangedLastmod,
    /// Those in `urls`, new ones too.
    Listed,
}

/// A crawl of which a part is fetched again.
#[value]
pub(crate) struct Recrawling {
    /// The job.
    job_ref: Id<Job>,
    /// Always `queued`.
    state: IsQueued,
    /// The crawl; follow it with crawl.run.get.
    run_ref: Id<Run>,
    /// Addresses that are to be fetched; null when the job must look for them in sitemaps first.
    queued: Option<u64>,
    /// Credits set aside; only fetched pages are charged in the end.
    reserved_credits: f64,
}

/// Fetches chosen pages again, or all that failed or changed, into the same crawl and brings its links up to date.
///
/// What a page said before is replaced, its links too, and totals, search index, folders, authority and traps are
/// worked out anew. Pages that are newly linked are recorded as known, not fetched. At most 5,000 addresses in one job.
#[operation(
    job,
    scope = "seo:execute",
    cost = job(unit = "pages", every = 50, most = urls, otherwise = 5000),
    native_price(unit = "pages", every = 1000, credits_milli = 1000, most = urls, otherwise = 5000),
    queued(step = "recrawl"),
    result_operation = "crawl.run.get",
    side_effects = ["fetches public pages of the website again", "replaces what the crawl recorded of them"],
    needs = ["web", "jobs"],
    phrasings = ["crawl the failed pages again", "recheck the broken urls after the fix", "refetch pages that changed since the crawl", "update part of a crawl"],
    examples = [{ "run_ref": "run_01" }, { "run_ref": "run_01", "only": "listed", "urls": ["https://shop.example/fixed"] }]
)]
pub(crate) fn recrawl(cx: &Cx, args: Recrawl) -> Result<Recrawling> {
    let run = run::live(cx, &args.run_ref)?;
    if !run.0.kind.is_crawl() {
        return Err(Fault::conflict("not_a_crawl", "this is a check of listed addresses; start another one instead"));
    }
    if matches!(run::current(cx, &run), RunState::Queued | RunState::Running) {
        return Err(Fault::conflict("crawl_running", "this crawl is still fetching; wait for it or stop it first")
            .detail(sdk::json!({ "run_ref": run.id })));
    }
    let origin = Address::parse(&run.0.origin)
        .map_err(|_| Fault::conflict("origin_unreadable", "the crawl's origin is not an address"))?;
    let mut urls: Vec<String> = Vec::new();
    for (at, url) in args.urls.iter().flatten().enumerate() {
        let inside =
            Address::parse(url.as_str()).ok().filter(|url| same_site(&origin, url)).and_then(|url| normal(&url));
        let Some(url) = inside else {
            let message = format!("only addresses of {:.200} belong to this crawl", run.0.origin);
            return Err(Fault::invalid(format!("/urls/{at}"), "url_off_site", message));
        };
        urls.push(url);
    }
    urls.sort();
    urls.dedup();
    let only = args.only.unwrap_or(if urls.is_empty() { Only::Failed } else { Only::Listed });
    let queued = match only {
        Only::Listed if urls.is_empty() => {
            return Err(Fault::invalid("/urls", "urls_missing", "`listed` needs the addresses in `urls`"));
        }
        Only::Listed => Some(urls.len() as u64),
        Only::Failed if urls.is_empty() => Some(failed(cx, &run).min(u64::from(MOST_AGAIN))),
        Only::Failed | Only::ChangedLastmod => None,
    };
    if queued == Some(0) {
        return Err(Fault::conflict("nothing_failed", "every address of this crawl was answered without an error"));
    }
    let most = if urls.is_empty() { u64::from(MOST_AGAIN) } else { urls.len() as u64 };
    // An earlier wish to end the crawl is spent.
    let stop: Id<Stop> = run.id.cast();
    if let Some(spent) = cx.records::<Stop>().find(&stop) {
        cx.records::<Stop>().save(Stored { it: Stop { run: String::new() }, ..spent })?;
    }
    let job = cx.jobs().enqueue("recrawl", &Again { run: run.id.clone(), only, urls })?;
    let run = cx.records::<Run>().update(&run.id, |it| {
        it.0.job_ref = job.as_str().to_owned();
        it.0.state = RunState::Queued;
    })?;
    Ok(Recrawling {
        job_ref: job,
        state: IsQueued::Queued,
        run_ref: run.id,
        queued,
        reserved_credits: sdk::credits(most),
    })
}

fn failed(cx: &Cx, run: &Stored<Run>) -> u64 {
    let rows = || cx.records::<crate::stored::Row>().by("run_status").equals(&run.id);
    // Those that robots.txt forbids have no answer either, and stay as they are.
    rows().at_least(400).count() + rows().equals(0).count().saturating_sub(run.0.totals.blocked)
}
