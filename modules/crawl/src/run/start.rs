//! The operation `crawl.run.start`, and what a website has to say about its crawls.

use kit::crawled::{RunRecord, RunState, Settings};
use kit::url::{Url as Address, same_site};
use sdk::prelude::*;

use super::current;
use crate::stored::{CrawlPrefs, Extraction, Run, Site};
use crate::work::Payload;

#[args]
pub(crate) struct Start {
    /// The website, as listed.
    site_id: Id<Site>,
    /// Fetch at most this many addresses.
    #[default(1000)]
    max_pages: Count<1, 100_000>,
    /// Follow at most this many links from a starting address.
    #[default(20)]
    max_depth: Count<0, 50>,
    /// Starting addresses beside the website's own; they must be of the website.
    seeds: Option<List<Url, 0, 100>>,
    /// Follow only addresses that match one of these. `*` is any text, `$` the end; with `/` first the path is
    /// compared from its beginning, with `://` the address, otherwise any part of it.
    include: Option<List<Text<1, 300>, 0, 50>>,
    /// Follow no address that matches one of these.
    exclude: Option<List<Text<1, 300>, 0, 50>>,
    /// Check whether links that leave the website lead anywhere.
    #[default(true)]
    check_external: bool,
    /// Keep the HTML of pages, for searches and extraction later.
    #[default(true)]
    store_html: bool,
    /// Requests a second at most; fewer when the site asks for it or suffers.
    #[default(2)]
    rate_rps: Decimal<100, 10_000>,
    /// Take no notice of `Crawl-delay`. Only the owner may ask for it: prove it with `websites.verify.check` before.
    #[default(false)]
    lift_crawl_delay: bool,
}

/// A crawl that was accepted.
#[value]
pub(crate) struct Started {
    /// The job.
    job_ref: Id<Job>,
    /// The crawl; follow it with crawl.run.get.
    run_ref: Id<Run>,
    /// Where it stands: queued.
    state: RunState,
    /// Credits set aside; only fetched pages are charged in the end.
    reserved_credits: f64,
}

/// Crawls a website breadth-first with robots.txt obeyed, polite pacing and sitemap seeding.
///
/// Addresses are normalised, redirects and canonicals followed, near-duplicates hashed, and every page is recorded
/// with some 60 fields. Links are followed whatever their `rel`, since robots.txt says what may be fetched; redirects
/// are pages of their own. The website's `crawl_prefs` are limits that no crawl of it goes past; `settings` of
/// crawl.run.get are what came of both. The crawl begins at the rate asked for, slows down to half at each 429, 5xx or timeout,
/// and stops when the site answers with a challenge for people.
#[operation(
    job,
    scope = "seo:execute",
    cost = job(unit = "pages", every = 50, most = max_pages),
    native_price(unit = "pages", every = 1000, credits_milli = 1000, most = max_pages),
    queued(step = "run"),
    result_operation = "crawl.run.get",
    side_effects = ["fetches public pages of the website and, once each, addresses it links to", "stores pages, links and HTML"],
    needs = ["web", "jobs"],
    phrasings = ["crawl my website", "spider the site and list all pages", "fetch every page to find broken links", "start a site crawl"],
    examples = [{ "site_id": "8123456789012345" }, { "site_id": "8123456789012345", "max_pages": 300, "rate_rps": 5, "exclude": ["/tag/"] }]
)]
pub(crate) fn start(cx: &Cx, args: Start) -> Result<Started> {
    let site = cx.records::<Site>().get(&args.site_id)?;
    let (origin, seeds) = seeds(&site, args.seeds.as_ref(), "/seeds")?;
    for state in [RunState::Queued, RunState::Running] {
        let running = cx.records::<Run>().by("site_id_state").equals(&args.site_id).equals(state).page(5_u64, None)?;
        if let Some(run) = running.items.into_iter().find(|run| current(cx, run) == state) {
            return Err(Fault::conflict(
                "crawl_running",
                "this website is being crawled; wait for that crawl or stop it",
            )
            .detail(sdk::json!({ "run_ref": run.id })));
        }
    }
    let owned = site.verification.as_ref().is_some_and(|it| it.verified);
    if args.lift_crawl_delay && !owned {
        let message = "only the owner of a website may have `Crawl-delay` ignored; prove it with websites.verify.start";
        return Err(Fault::conflict("ownership_unproven", message).at("/lift_crawl_delay"));
    }
    let max_pages = u32::try_from(args.max_pages.get()).unwrap_or(u32::MAX);
    let mut settings = Settings {
        max_pages,
        max_depth: u32::try_from(args.max_depth.get()).unwrap_or(u32::MAX),
        seeds,
        include: texts(args.include),
        exclude: texts(args.exclude),
        check_external: args.check_external,
        store_html: args.store_html,
        rate_millirps: thousandths(args.rate_rps.get()),
        lift_crawl_delay: args.lift_crawl_delay,
    };
    site.crawl_prefs.bound(&mut settings);
    let run = cx.records::<Run>().insert(Run(RunRecord {
        site_id: args.site_id.as_str().to_owned(),
        origin: kit::url::origin(&origin),
        created_ms: cx.now().millis(),
        settings,
        extraction: cx.records::<Extraction>().find(&args.site_id.cast()).map(|it| it.it.rules).unwrap_or_default(),
        ..RunRecord::default()
    }))?;
    let job = cx.jobs().enqueue("run", &Payload { run: run.id.clone() })?;
    let run = cx.records::<Run>().update(&run.id, |it| it.0.job_ref = job.as_str().to_owned())?;
    Ok(Started {
        job_ref: job,
        run_ref: run.id,
        state: RunState::Queued,
        reserved_credits: sdk::credits(max_pages.into()),
    })
}

fn texts(list: Option<List<Text<1, 300>, 0, 50>>) -> Vec<String> {
    list.iter().flatten().map(|text| text.as_str().to_owned()).collect()
}

impl CrawlPrefs {
    /// Takes from what was asked for whatever the website does not allow.
    fn bound(&self, settings: &mut Settings) {
        let Self { max_pages, max_depth, rate_rps, include, exclude } = self;
        settings.max_pages = settings.max_pages.min(max_pages.unwrap_or(u32::MAX));
        settings.max_depth = settings.max_depth.min(max_depth.unwrap_or(u32::MAX));
        settings.rate_millirps = settings.rate_millirps.min(rate_rps.map_or(u32::MAX, thousandths));
        // One of `include` must match, so two lists cannot both be held to: what the caller names is the narrower wish.
        if settings.include.is_empty() {
            settings.include.extend(include.iter().flatten().cloned());
        }
        for pattern in exclude.iter().flatten() {
            if !settings.exclude.contains(pattern) {
                settings.exclude.push(pattern.clone());
            }
        }
    }
}

/// The origin of a website, and starting addresses on it, normalised.
pub(crate) fn seeds(
    site: &Stored<Site>,
    asked: Option<&List<Url, 0, 100>>,
    pointer: &str,
) -> Result<(Address, Vec<String>)> {
    let origin = Address::parse(&site.origin)
        .map_err(|_| Fault::conflict("origin_unreadable", "the website's origin is not an address"))?;
    let mut seeds = Vec::new();
    for (at, seed) in asked.into_iter().flat_map(|list| list.iter()).enumerate() {
        let url = Address::parse(seed.as_str()).ok().filter(|url| same_site(&origin, url));
        let Some(url) = url.and_then(|url| kit::url::normal(&url)) else {
            let message = format!("a starting address must be on {:.200}", site.origin);
            return Err(Fault::invalid(format!("{pointer}/{at}"), "seed_off_site", message));
        };
        seeds.push(url);
    }
    Ok((origin, seeds))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 100 to 10,000 by its type")]
fn thousandths(rate: f64) -> u32 {
    (rate * 1_000.0).round() as u32
}
