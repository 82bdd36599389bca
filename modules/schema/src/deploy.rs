//! The operation `schema.deploy`, and its job; `block` is what is put into an item, `publish` puts it there.

pub(crate) mod block;
pub(crate) mod publish;

use sdk::Degraded;
use sdk::Fix;
use sdk::Next;
use sdk::prelude::*;
use sdk::{Job, JobState, json};
use serde_json::{Map, Value};

use crate::crawled::Row;
use crate::template::Template;
use site::{Segment, Site};
use wordpress::Installation;

/// The most pages of one deployment.
const MOST: usize = 500;
/// What a WordPress is needed for.
const WHY: &str = "markup is published through the website's WordPress";
/// Pages of one step: each is asked for some eight times, and a step may make 64 requests.
const PAGES: usize = 6;
/// Rows of a crawl that are looked through for the pages of a segment, of the 100,000 that a job may read.
const ROWS: usize = 20_000;

/// A page with its markup.
#[args]
pub(crate) struct Given {
    /// A page or post of the website.
    url: Url,
    /// JSON-LD, as `schema.markup.generate` gives it.
    jsonld: Text<2, 50_000>,
}

/// Either `template_ref` or `items`.
#[args]
pub(crate) struct Deploy {
    site_id: Id<Site>,
    /// A template; the pages of its segment in the newest crawl get what it renders.
    template_ref: Option<Id<Template>>,
    /// Pages with their markup; a call takes 256 KiB of arguments.
    items: Option<List<Given, 1, 500>>,
    /// Says what would be done and writes nothing.
    #[default(false)]
    dry_run: bool,
}

/// Where a piece of markup stands.
#[value]
pub(crate) enum State {
    /// On the page, as it was deployed.
    Live,
    /// The item was edited since, or the block in it.
    Changed,
    /// The page no longer shows it.
    Missing,
    /// The page shows it and it has an error.
    Invalid,
    /// Taken back.
    RolledBack,
}

/// Markup on a page. Its id is made of the website and the address.
#[record(collection = "deployments", index(site_id), index(site_id, state))]
pub(crate) struct Deployment {
    pub(crate) site_id: Id<Site>,
    pub(crate) url: String,
    pub(crate) state: State,
    /// The types of the markup.
    pub(crate) types: Vec<String>,
    pub(crate) template_ref: Option<Id<Template>>,
    /// The connection, and the item behind the address: `posts/7`.
    pub(crate) connection: String,
    pub(crate) item: String,
    /// The content before the first block was put in, of a row that was written before `before_hash` was.
    #[serde(default)]
    pub(crate) before: String,
    /// SHA-256 of the content before the first block was put in.
    #[serde(default)]
    pub(crate) before_hash: String,
    /// SHA-256 of the content with the block, as the site stored it.
    pub(crate) after_hash: String,
    /// The block.
    pub(crate) block: String,
    pub(crate) deployed_at: Moment,
    /// When the live page was looked at last.
    pub(crate) verified_at: Option<Moment>,
}

/// A page that did not get its markup.
#[value]
pub(crate) struct Failed {
    pub(crate) url: String,
    /// A word for programs, such as `item_not_found`.
    pub(crate) code: String,
    pub(crate) why: String,
}

/// A deployment, as far as it is.
#[value]
pub(crate) struct Started {
    job_ref: Id<Job>,
    /// Always `queued`; follow the job with `account.job.get`.
    state: JobState,
    /// Pages that the job works on; of a template it is counted by the job.
    pages: u64,
    /// Pages that got their markup so far.
    deployed: u64,
    /// Of these, those whose live page shows it.
    verified: u64,
    failed: Vec<Failed>,
    dry_run: bool,
    /// What to do next.
    next: Vec<Next>,
}

/// What the job works on.
#[value]
pub(crate) struct Payload {
    site_id: Id<Site>,
    template_ref: Option<Id<Template>>,
    items: Vec<(Url, Map<String, Value>)>,
    dry_run: bool,
    /// What its changes are one batch of.
    #[serde(default)]
    batch: String,
}

/// What one step hands to the next.
#[value]
#[derive(Default)]
pub(crate) struct Checkpoint {
    /// Pages that wait, the next one last; for items their place.
    waiting: Vec<(String, Option<u32>)>,
    done: Outcome,
}

/// Where the job stands.
#[value]
pub(crate) struct Progress {
    deployed: u64,
    waiting: u64,
}

/// The job's result.
#[value]
#[derive(Default)]
pub(crate) struct Outcome {
    /// Pages that got their markup, or would get it in a dry run.
    pub(crate) deployed: u64,
    pub(crate) verified: u64,
    /// At most 500.
    pub(crate) failed: Vec<Failed>,
    /// Their addresses, with the reference of each deployment; of a dry run with none.
    pub(crate) pages: Vec<(String, Option<Id<Deployment>>)>,
    pub(crate) dry_run: bool,
    pub(crate) degraded: Vec<Degraded>,
}

/// Publishes generated markup to WordPress pages through the REST API as one managed block per page, records the previous content and re-fetches each URL to verify.
///
/// A page has at most one block: the same page again replaces it. Nothing is written over what an editor changes at the same
/// time. Markup with an error is not deployed. `schema.deployment.list` shows what stands, `schema.deployment.rollback`
/// takes it back.
#[operation(
    job,
    scope = "seo:execute",
    cost = job(unit = "pages", every = 20, most = 500),
    queued(step = "deploy"),
    result_operation = "account.job.get",
    side_effects = ["changes the content of posts and pages in your WordPress, unless it is a dry run"],
    needs = ["web", "jobs", "connection:wordpress"],
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
        "put this schema markup on my wordpress page",
        "publish structured data to my site",
        "add JSON-LD to all product pages",
        "deploy my markup template",
    ],
    examples = [
        { "site_id": "4503599627370496", "template_ref": "tpl_0a1b2c3d4e5f", "dry_run": true },
        { "site_id": "4503599627370496", "items": [{ "url": "https://shop.example/about", "jsonld": "{\"@context\":\"https://schema.org\",\"@type\":\"Organization\",\"name\":\"Lampshop\"}" }] }
    ]
)]
pub(crate) fn deploy(cx: &Cx, args: Deploy) -> Result<Started> {
    let site = site::get(cx, &args.site_id)?;
    let items = match (&args.template_ref, args.items) {
        (Some(_), Some(_)) => {
            return Err(Fault::invalid("/items", "template_or_items", "give template_ref or items, not both"));
        }
        (None, None) => return Err(Fault::invalid("/items", "template_or_items", "give template_ref or items")),
        (Some(template), None) => {
            let template = cx.records::<Template>().get(template).map_err(|fault| fault.at("/template_ref"))?;
            if template.site_id != site.id {
                return Err(Fault::not_found("template_not_found", "the template is one of another website")
                    .at("/template_ref"));
            }
            Vec::new()
        }
        (None, Some(items)) => publish::ready(&site, &items, cx.now().day())?,
    };
    Installation::of(cx, &site, WHY)?;
    let pages = items.len() as u64;
    let (template_ref, dry_run, batch) = (args.template_ref, args.dry_run, wordpress::batch(cx));
    let job_ref =
        cx.jobs().enqueue("deploy", &Payload { site_id: site.id.clone(), template_ref, items, dry_run, batch })?;
    let list = Fix::new("schema.deployment.list", json!({ "site_id": site.id }))
        .because("shows the markup that is on the pages");
    let (state, failed) = (JobState::Queued, Vec::new());
    Ok(Started { job_ref, state, pages, deployed: 0, verified: 0, failed, dry_run, next: vec![list] })
}

/// Finds the pages first, then publishes some in each step.
#[step]
pub(crate) fn work(
    cx: &Cx,
    payload: Payload,
    checkpoint: Option<Checkpoint>,
) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let site = site::get(cx, &payload.site_id)?;
    let template = payload.template_ref.as_ref().map(|it| cx.records::<Template>().get(it)).transpose()?;
    let Some(mut state) = checkpoint else {
        let mut state =
            Checkpoint { done: Outcome { dry_run: payload.dry_run, ..Outcome::default() }, ..Checkpoint::default() };
        state.waiting = match &template {
            Some(template) => of_segment(cx, &site, template, &mut state.done.degraded)?,
            None => (0..).zip(&payload.items).map(|(at, (url, _))| (url.to_string(), Some(at))).collect(),
        };
        state.waiting.reverse();
        let progress = Progress { deployed: 0, waiting: state.waiting.len() as u64 };
        return Ok(Step::next(state, progress));
    };
    let installation = Installation::of(cx, &site, WHY)?;
    let mut pages = 0;
    while pages < PAGES
        && let Some((url, at)) = state.waiting.pop()
    {
        pages += 1;
        let given = at.and_then(|at| payload.items.get(at as usize)).map(|(_, jsonld)| jsonld);
        match publish::publish(
            cx,
            &site,
            (&installation, &payload.batch),
            &url,
            given,
            template.as_ref(),
            payload.dry_run,
        ) {
            Ok(published) => {
                state.done.deployed += 1;
                state.done.verified += u64::from(published.verified);
                state.done.pages.push((url, published.id));
            }
            // What passes by itself ends the step, which is then tried again.
            Err(fault) if fault.kind == sdk::boundary::Kind::Unavailable => return Err(fault),
            Err(fault) => state.done.failed.push(Failed { url, code: fault.code, why: fault.message }),
        }
    }
    let progress = Progress { deployed: state.done.deployed, waiting: state.waiting.len() as u64 };
    let units = pages as u64;
    if state.waiting.is_empty() {
        return Ok(Step::done(state.done, progress).units(units));
    }
    Ok(Step::next(state, progress).units(units))
}

/// The pages of a template's segment in the newest crawl.
fn of_segment(
    cx: &Cx,
    site: &Stored<Site>,
    template: &Template,
    degraded: &mut Vec<Degraded>,
) -> Result<Vec<(String, Option<u32>)>> {
    let gone = || Fault::conflict("segment_gone", "the segment of the template is gone, or its rules cannot be read");
    let rules = cx.records::<Segment>().find(&template.segment_ref).and_then(|it| it.ready()).ok_or_else(gone)?;
    let Some(run) = site::newest(cx, &site.id) else {
        let message = "the website has no crawl that has ended; crawl.run.start makes one";
        return Err(Fault::conflict("no_crawl", message));
    };
    let rows = cx.records::<Row>().by("run_seq").equals(&run.id).scan().take(ROWS);
    let mut urls: Vec<(String, Option<u32>)> = rows
        .filter(|it| it.status == 200 && it.is_html && site::holds(&rules, &it.url))
        .map(|it| (it.it.url, None))
        .take(MOST + 1)
        .collect();
    if urls.len() > MOST {
        urls.truncate(MOST);
        degraded.push(Degraded::new("pages", format!("only the first {MOST} pages of the segment were taken")));
    }
    Ok(urls)
}

#[cfg(test)]
mod tests;
