//! `audit.run.*`, audits of whole crawls.

pub(crate) mod difference;

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::{Job, JobState, Progress, Queued};

use crate::rule::{Area, Severity};
use crate::rules;
use crate::score::{AreaScore, FORMULA};
use crate::stored::{Audit, AuditState, Delta};
use crate::work::Work;
use site::{Run, Site};

#[args]
pub(crate) struct Start {
    /// A crawl that has ended.
    run_ref: Id<Run>,
    /// Rules to ask, by id; all when left out.
    #[serde(default)]
    rules: List<Text<1, 64>, 0, 300>,
    /// The audit to compare with; the latest one of the same website when left out.
    baseline_audit: Option<Id<Audit>>,
    /// The most addresses of the crawl to read, in the order in which they were crawled.
    #[default(1_000)]
    max_pages: Count<1, 100_000>,
}

/// Starts an audit of a finished crawl: every page, link, canonical, hreflang, sitemap, security and duplicate rule, with evidence for each finding.
///
/// Issues, their pages and the ranked opportunities are stored; read the result with `audit.run.get`.
/// At most 5,000 pages are listed for one rule; past that only their number is kept.
#[operation(
    job,
    scope = "seo:execute",
    cost = job(unit = "pages", every = 50, most = max_pages),
    queued(step = "run"),
    result_operation = "audit.run.get",
    side_effects = ["stores an audit with its issues and opportunities"],
    needs = ["jobs"],
    phrasings = [
        "run a technical seo audit of my site",
        "check the whole crawl for seo problems",
        "find broken links, duplicate titles and missing descriptions",
        "score my website",
    ],
    examples = [{ "run_ref": "run_01" }]
)]
pub(crate) fn start(cx: &Cx, args: Start) -> Result<Queued<Audit>> {
    let run = site::at_rest(cx, &args.run_ref)?.into_inner().0;
    for (position, id) in args.rules.iter().enumerate() {
        if rules::find(id).is_none() {
            let message = format!("there is no rule {id}; audit.rule.list names them all");
            return Err(Fault::invalid(format!("/rules/{position}"), "unknown_rule", message));
        }
    }
    let baseline = match args.baseline_audit {
        Some(id) => Some(baseline(cx, &id, &run.site_id)?),
        None => latest(cx, &run.site_id).map(|audit| audit.id.as_str().to_owned()),
    };
    let audit = Audit {
        site_id: run.site_id,
        run_ref: args.run_ref.as_str().to_owned(),
        origin: run.origin,
        state: AuditState::Queued,
        created_ms: cx.now().millis(),
        finished_ms: None,
        job_ref: None,
        rules: args.rules.iter().map(|id| id.as_str().to_owned()).collect(),
        max_pages: u32::try_from(args.max_pages.get()).unwrap_or(u32::MAX),
        baseline,
        pages: 0,
        score: None,
        by_severity: BTreeMap::new(),
        by_area: BTreeMap::new(),
        delta: None,
        by_clicks: false,
    };
    cx.start("run", audit, |audit| Work { audit })
}

fn baseline(cx: &Cx, id: &Id<Audit>, site: &str) -> Result<String> {
    let audit = cx.records::<Audit>().get(id)?;
    if audit.site_id != site || audit.state != AuditState::Succeeded {
        let message = "the baseline must be an audit of the same website that has ended";
        return Err(Fault::invalid("/baseline_audit", "baseline_unfit", message));
    }
    Ok(id.as_str().to_owned())
}

/// The latest audit of a website that has ended.
pub(crate) fn latest(cx: &Cx, site: &str) -> Option<Stored<Audit>> {
    let audits = cx.records::<Audit>().by("site_id_created_ms").equals(site).descending();
    let recent = audits.page(20u64, None).ok()?;
    recent.items.into_iter().find(|audit| audit.state == AuditState::Succeeded)
}

#[args]
pub(crate) struct Get {
    /// The audit.
    audit_ref: Id<Audit>,
}

/// An audit.
#[value]
pub(crate) struct View {
    /// The audit.
    audit_ref: Id<Audit>,
    /// The website.
    site_id: Id<Site>,
    /// The crawl.
    run_ref: Id<Run>,
    /// Where it stands.
    state: JobState,
    /// How far it got, while it runs.
    progress: Option<Progress>,
    /// Why it failed, when it did.
    failure: Option<String>,
    /// When it was asked for.
    created_at: Moment,
    /// When it ended.
    finished_at: Option<Moment>,
    /// Addresses read.
    pages: u32,
    /// From 0 to 100; null until it has ended.
    score: Option<f64>,
    /// How the score is made.
    formula: String,
    /// Rules with findings, by severity.
    by_severity: BTreeMap<Severity, u32>,
    /// Rules with findings, findings, and points of 100 that the area took.
    by_area: BTreeMap<Area, AreaScore>,
    /// The change since the baseline; null without one.
    delta: Option<Delta>,
}

/// Reads an audit: state, score with its formula, issues by severity and area, and the change against its baseline.
#[operation(
    read,
    scope = "assets:read",
    cost = indexed_read,
    phrasings = ["is my audit done", "what score does my site have", "how many issues did the audit find"],
    examples = [{ "audit_ref": "audit_01" }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<View> {
    let audit = cx.records::<Audit>().get(&args.audit_ref)?;
    Ok(view(cx, audit))
}

fn view(cx: &Cx, audit: Stored<Audit>) -> View {
    let job = audit.job_ref.as_ref().and_then(|job| cx.jobs().find(job));
    // The audit says that it succeeded in the same commit as its results; until then its job knows best.
    let state = match (audit.state, &job) {
        (AuditState::Succeeded, _) => JobState::Succeeded,
        (_, Some(job)) => job.state,
        (AuditState::Queued, None) => JobState::Queued,
        (AuditState::Running, None) => JobState::Running,
    };
    let running = matches!(state, JobState::Queued | JobState::Running);
    let Stored { id, it, .. } = audit;
    View {
        audit_ref: id,
        site_id: it.site_id.into(),
        run_ref: it.run_ref.into(),
        state,
        progress: job.as_ref().filter(|_| running).and_then(Job::progress),
        failure: job.as_ref().and_then(Job::fault).map(|(code, message)| format!("{code}: {message}")),
        created_at: Moment::from_millis(it.created_ms),
        finished_at: it.finished_ms.map(Moment::from_millis),
        pages: it.pages,
        score: it.score,
        formula: FORMULA.to_owned(),
        by_severity: it.by_severity,
        by_area: it.by_area,
        delta: it.delta,
    }
}

#[args(paged)]
pub(crate) struct ListRuns {
    /// The website.
    site_id: Id<Site>,
}

/// Audits, the newest first.
#[page]
pub(crate) struct Audits {
    /// Each with its score.
    audits: Vec<View>,
}

/// Lists audits of a website with score history.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    phrasings = ["list my audits", "how did my score change over time", "show earlier audits"],
    examples = [{ "site_id": "4503599627370496" }]
)]
pub(crate) fn list(cx: &Cx, args: ListRuns) -> Result<Audits> {
    site::get(cx, &args.site_id)?;
    let audits = cx.records::<Audit>().by("site_id_created_ms").equals(args.site_id.as_str()).descending();
    Ok(audits.page(args.limit, args.cursor)?.map(|audit| view(cx, audit)).into())
}
