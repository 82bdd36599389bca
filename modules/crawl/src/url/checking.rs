//! The operation `crawl.url.batch_check`, and the job that does it.

use std::collections::HashSet;

use kit::crawled::{Found, PageRecord, RunKind, RunRecord, RunState, Settings, StopReason};
use kit::page::{self, PageFacts};
use kit::url::{Url as Address, origin};
use sdk::prelude::*;
use sdk::{Failure, value};

use super::fetching::timing;
use crate::fields;
use crate::run;
use crate::stored::{Page, Row, Run, Site};
use crate::work::{Crawl, failure_name, head_is_doubtful};

/// Addresses of one step.
const AT_ONCE: usize = 24;
/// Asked at the same time, each of another host.
const ROUND: usize = 8;
/// Between two questions to one host.
const PAUSE_MS: u32 = 500;
/// Milliseconds after which a step begins nothing new.
const LATEST_MS: u64 = 30_000;
const TIMEOUT_MS: u32 = 8_000;
/// Bytes of a page that are read for its canonical and robots directives: one step reads up to 24 pages with the fuel of
/// one, so that two megabytes of each would be too much.
const MOST_BYTES: u32 = 400_000;

#[args]
pub(crate) struct BatchCheck {
    /// The addresses.
    urls: List<Url, 1, 2000>,
    /// The website that the check belongs to.
    site_id: Option<Id<Site>>,
}

/// How the addresses were taken.
#[value]
pub(crate) struct Counts {
    /// Addresses that were given.
    given: u64,
    /// Different ones among them, which are checked.
    distinct: u64,
    /// Different hosts.
    hosts: u64,
}

/// A check that was accepted.
#[value]
pub(crate) struct Checking {
    /// The job.
    job_ref: Id<Job>,
    /// How the addresses were taken.
    counts: Counts,
    /// What the results are read with: crawl.run.get follows the check, crawl.page.list and crawl.page.get show its
    /// addresses.
    run_ref: Id<Run>,
    /// The same as `run_ref`.
    result_ref: Id<Run>,
    /// Where it stands: queued.
    state: RunState,
}

/// Checks status, redirect target, canonical and indexability of up to 2,000 listed addresses.
///
/// Each is asked for its headers; servers that refuse that question are asked for the page, and so are HTML pages, whose
/// canonical and robots directives stand in their head. Redirects are not followed. robots.txt of every host is obeyed,
/// and no host is asked more than twice a second.
#[operation(
    job,
    scope = "seo:analyze",
    cost = bulk(most = urls),
    queued(step = "check"),
    result_operation = "crawl.run.get",
    side_effects = ["fetches the listed public addresses", "stores what they answer"],
    needs = ["web", "jobs"],
    phrasings = ["check the status of a list of urls", "bulk check redirects and canonicals", "are these urls indexable", "check 404s in my url list"],
    examples = [{ "urls": ["https://shop.example/", "https://shop.example/old"] }]
)]
pub(crate) fn batch_check(cx: &Cx, args: BatchCheck) -> Result<Checking> {
    let site = args.site_id.as_ref().map(|id| cx.records::<Site>().get(id)).transpose()?;
    let mut seen = HashSet::new();
    let urls: Vec<String> = args.urls.iter().map(run::normal).filter(|url| seen.insert(url.clone())).collect();
    let hosts: HashSet<String> =
        urls.iter().filter_map(|url| Address::parse(url).ok()).map(|url| origin(&url)).collect();
    let first = urls.first().and_then(|url| Address::parse(url).ok()).map(|url| origin(&url)).unwrap_or_default();
    let most = u32::try_from(urls.len()).unwrap_or(u32::MAX);
    let check = cx.records::<Run>().insert(Run(RunRecord {
        site_id: site.map(|_| args.site_id.map(|id| id.as_str().to_owned()).unwrap_or_default()).unwrap_or_default(),
        origin: first,
        created_ms: cx.now().millis(),
        kind: RunKind::Check,
        settings: Settings {
            max_pages: most,
            max_depth: 0,
            check_external: false,
            store_html: false,
            ..Settings::default()
        },
        ..RunRecord::default()
    }))?;
    let counts = Counts { given: args.urls.len() as u64, distinct: urls.len() as u64, hosts: hosts.len() as u64 };
    let job = cx.jobs().enqueue("check", &Payload { run: check.id.clone(), urls })?;
    let check = cx.records::<Run>().update(&check.id, |it| it.0.job_ref = job.as_str().to_owned())?;
    Ok(Checking { job_ref: job, counts, run_ref: check.id.clone(), result_ref: check.id, state: RunState::Queued })
}

/// What the job is about.
#[value]
pub(crate) struct Payload {
    /// The run that stands for the check.
    run: Id<Run>,
    /// The addresses, normalised.
    urls: Vec<String>,
}

/// Where a check stands.
#[value]
pub(crate) struct Done {
    /// Addresses that are recorded.
    checked: u32,
}

/// The job's result.
#[value]
pub(crate) struct Outcome {
    /// What the results are read with.
    run_ref: Id<Run>,
    /// Addresses that are recorded.
    checked: u64,
    /// Of these, without an answer, 4xx or 5xx.
    errors: u64,
    /// Of these, redirects.
    redirects: u64,
    /// Of these, indexable.
    indexable: u64,
}

/// Checks some addresses.
#[step]
pub(crate) fn work(cx: &Cx, payload: Payload, checkpoint: Option<Done>) -> Result<Step<Done, Done, Outcome>> {
    let from = checkpoint.map_or(0, |done| done.checked as usize);
    let mut crawl = Crawl::load(cx, &payload.run, None)?;
    if crawl.is_stopped() {
        return finish(crawl, payload.run, from, 0, StopReason::Stopped);
    }
    let mut waiting: Vec<&String> = payload.urls.iter().skip(from).take(AT_ONCE).collect();
    let mut units = 0;
    while !waiting.is_empty() && cx.elapsed() < LATEST_MS {
        // The next addresses, as long as each is of another host, so that a step always ends at one place of the list.
        let mut hosts = HashSet::new();
        let round: Vec<&String> =
            waiting.iter().copied().take(ROUND).take_while(|url| hosts.insert(host(url))).collect();
        waiting.drain(..round.len());
        units += round.len();
        crawl.check_listed(&round)?;
    }
    let checked = from + units;
    if checked >= payload.urls.len() {
        return finish(crawl, payload.run, checked, units, StopReason::Completed);
    }
    crawl.commit()?;
    let done = Done { checked: u32::try_from(checked).unwrap_or(u32::MAX) };
    Ok(Step::next(done.clone(), done).units(units as u64))
}

fn finish(
    mut crawl: Crawl<'_>,
    run_ref: Id<Run>,
    checked: usize,
    units: usize,
    reason: StopReason,
) -> Result<Step<Done, Done, Outcome>> {
    let now = crawl.clock_ms();
    let run = &mut crawl.run.0;
    run.state = if reason == StopReason::Stopped { RunState::Stopped } else { RunState::Finished };
    run.stop_reason = Some(reason);
    run.finished_ms = Some(now);
    let (run, _) = crawl.commit()?;
    let totals = run.totals;
    let done = Done { checked: u32::try_from(checked).unwrap_or(u32::MAX) };
    let outcome = Outcome {
        run_ref,
        checked: checked as u64,
        errors: totals.errors,
        redirects: totals.redirects,
        indexable: totals.indexable,
    };
    Ok(Step::done(outcome, done).units(units as u64))
}

fn host(url: &str) -> String {
    Address::parse(url).map(|url| origin(&url)).unwrap_or_default()
}

impl Crawl<'_> {
    /// Checks addresses of different hosts together.
    fn check_listed(&mut self, urls: &[&String]) -> Result<()> {
        let unknown: Vec<String> =
            urls.iter().map(|url| host(url)).filter(|host| self.known_rules(host).is_none()).collect();
        if !unknown.is_empty() {
            self.fetch_rules(&unknown)?;
        }
        let mut asked: Vec<(&String, value::Url)> = Vec::new();
        let mut facts: Vec<PageFacts> = Vec::new();
        for url in urls {
            let rules = self.known_rules(&host(url));
            match (rules, url.parse::<value::Url>()) {
                (Some(rules), _) if rules.failure.is_some() => {
                    facts.push(page::unanswered(url, rules.failure.as_deref().unwrap_or("unreachable")));
                }
                (Some(rules), Ok(address)) if rules.robots.allows(url) => asked.push((url, address)),
                _ => facts.push(page::unanswered(url, "robots")),
            }
        }
        self.cx.wait(PAUSE_MS);
        let heads = self.answers(&asked, |url| Request::head(url).follow(0).timeout(TIMEOUT_MS));
        let mut again = Vec::new();
        for ((url, address), answer) in asked.into_iter().zip(heads) {
            match answer {
                answer if needs_page(&answer) => again.push((url, address)),
                answer => facts.push(read(url, answer)),
            }
        }
        if !again.is_empty() {
            self.cx.wait(PAUSE_MS);
            let pages =
                self.answers(&again, |url| Request::get(url).follow(0).max_bytes(MOST_BYTES).timeout(TIMEOUT_MS));
            facts.extend(again.into_iter().zip(pages).map(|((url, _), answer)| read(url, answer)));
        }
        facts.sort_by_key(|facts| urls.iter().position(|url| **url == facts.url));
        facts.into_iter().for_each(|facts| self.record_check(facts));
        Ok(())
    }

    fn answers(
        &mut self,
        urls: &[(&String, value::Url)],
        request: fn(&value::Url) -> Request,
    ) -> Vec<Result<Response, Failure>> {
        if urls.is_empty() {
            return Vec::new();
        }
        urls.iter().for_each(|_| self.budget.request());
        self.cx.web().fetch_many(urls.iter().map(|(_, url)| request(url)))
    }

    fn record_check(&mut self, mut facts: PageFacts) {
        facts.links.clear();
        facts.images.clear();
        facts.resources.clear();
        facts.headings.truncate(50);
        self.point.seq = self.run.0.totals.fetched + self.run.0.totals.blocked + 1;
        if let Some(failure) = facts.failure.as_ref().filter(|failure| *failure != "robots") {
            *self.run.0.failures.entry(failure.clone()).or_default() += 1;
        }
        let record = PageRecord {
            run: self.reference(),
            seq: self.point.seq,
            url: facts.url.clone(),
            status: facts.status,
            found: Found::Seed,
            fetched_ms: self.clock_ms(),
            facts,
            ..PageRecord::default()
        };
        if record.facts.failure.as_deref() == Some("robots") {
            self.run.0.totals.blocked += 1;
        } else {
            self.count(&record);
        }
        let id = self.id(&record.url);
        self.rows.push((Id::new(id.clone()), Row(fields::row(&record))));
        self.pages.push((Id::new(id), Page(record)));
    }
}

/// Whether the headers are not enough: they say that something is wrong, or the page is HTML and its head decides.
fn needs_page(answer: &Result<Response, Failure>) -> bool {
    let html = |it: &Response| it.header("content-type").is_none_or(|kind| kind.contains("html"));
    head_is_doubtful(answer) || answer.as_ref().is_ok_and(|it| it.is_success() && html(it))
}

fn read(url: &str, answer: Result<Response, Failure>) -> PageFacts {
    match answer {
        Ok(answer) => page::read(&page::Answer {
            url,
            final_url: url,
            status: answer.status,
            hops: &[],
            headers: &answer.headers,
            body: &answer.body,
            truncated: answer.truncated,
            timing: timing(&answer),
        }),
        Err(failure) => page::unanswered(url, failure_name(&failure)),
    }
}
