//! `account.job.*`, the jobs of every module.

mod shown;

use sdk::prelude::*;
use sdk::serde_json::{Map, Value};
use sdk::{JobFilter, PlatformAction, PlatformQuestion};

use crate::platform::jobs::{Job as Known, Jobs as KnownPage};
use crate::platform::{about, cursor, paging};
use shown::{Charge, Failure, Progress};
use site::Site;

/// Where a job stands.
#[value]
pub(crate) enum State {
    Queued,
    Running,
    Succeeded,
    Failed,
    Cancelled,
}

impl State {
    const fn word(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

#[args(paged)]
pub(crate) struct List {
    /// Only jobs for this website.
    site_id: Option<Id<Site>>,
    /// Only jobs that stand so.
    state: Option<State>,
    /// Only jobs of this module.
    module: Option<Text<1, 64>>,
}

/// Jobs.
#[page]
pub(crate) struct Jobs {
    jobs: Vec<Line>,
}

/// A job in a list.
#[value]
pub(crate) struct Line {
    /// For `account.job.get` and `account.job.cancel`.
    job_ref: Id<Job>,
    /// The operation that started it.
    operation_id: String,
    module: String,
    /// The website that it is for.
    site_id: Option<Id<Site>>,
    /// `queued`, `running`, `succeeded`, `failed` or `cancelled`.
    state: String,
    progress: Progress,
    charge: Charge,
    /// When it was asked for.
    started_at: Moment,
    /// When its state or progress last changed.
    changed_at: Moment,
    /// The application that asked for it.
    client_name: Option<String>,
}

/// Lists queued and finished jobs of every module with state, progress, native charge and the operation that started them.
///
/// The newest first.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store", "jobs"],
    phrasings = [
        "which jobs are running",
        "what is still in progress",
        "show my failed jobs",
        "list background work of a website",
    ],
    examples = [{}, { "state": "running" }, { "site_id": "4503599627370496", "module": "crawl" }]
)]
pub(crate) fn list(cx: &Cx, args: List) -> Result<Jobs> {
    let filter = JobFilter {
        site: args.site_id.map(|it| it.as_str().to_owned()),
        state: args.state.map(|it| it.word().to_owned()),
        module: args.module.map(Text::into_string),
        paging: paging(args.limit, args.cursor.as_ref()),
    };
    let page: KnownPage = cx.platform().ask(&PlatformQuestion::Jobs(filter))?;
    Ok(Jobs { jobs: page.jobs.into_iter().map(line).collect(), next_cursor: cursor(page.next) })
}

fn line(it: Known) -> Line {
    Line {
        progress: shown::progress(&it),
        charge: shown::charge(&it),
        job_ref: Id::new(it.job_ref),
        operation_id: it.operation_id,
        module: it.module,
        site_id: it.site_id.map(Id::new),
        state: it.state,
        started_at: Moment::from_millis(it.created_at),
        changed_at: Moment::from_millis(it.changed_at),
        client_name: it.client_name,
    }
}

#[args]
pub(crate) struct Get {
    /// The job, as a queued call answered it.
    job_ref: Id<Job>,
}

/// A job.
#[value]
pub(crate) struct Seen {
    job_ref: Id<Job>,
    /// The operation that started it.
    operation_id: String,
    module: String,
    /// The website that it is for.
    site_id: Option<Id<Site>>,
    /// `queued`, `running`, `succeeded`, `failed` or `cancelled`.
    state: String,
    progress: Progress,
    /// What its module says of its progress, in its own members.
    #[untrusted]
    details: Map<String, Value>,
    /// What could not be done, or not as asked, in words.
    #[untrusted]
    warnings: Vec<String>,
    /// Why it failed; null when it did not.
    error: Option<Failure>,
    /// The read that returns what it made: `account.job.get` where that is `result`.
    result_operation: Option<String>,
    /// What that read takes, as far as it is known yet.
    result_arguments: Map<String, Value>,
    /// What it ended with; null before, and of a job that came to nothing.
    #[untrusted]
    result: Option<Map<String, Value>>,
    charge: Charge,
    /// When it was asked for.
    started_at: Moment,
    /// When its state or progress last changed.
    changed_at: Moment,
    /// The application that asked for it.
    client_name: Option<String>,
}

/// Reads one job: state, step, counts done of total, warnings, the charge so far and the read operation that returns its result.
///
/// `result` is what the job itself ended with; the larger part of most jobs' work is read by `result_operation`. Of a
/// result too large for an answer only the plain members are shown, and a warning says so.
#[operation(
    read,
    scope = "assets:read",
    cost = indexed_read,
    needs = ["store", "jobs"],
    phrasings = [
        "how far is my job",
        "is the crawl done yet",
        "why did my job fail",
        "where do I get the result of a job",
    ],
    examples = [{ "job_ref": "job_4fzzzxjylrxeu7yx2kphqvjzba" }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<Seen> {
    let wanted = PlatformQuestion::Job(args.job_ref.as_str().to_owned());
    let job: Known = cx.platform().ask(&wanted).map_err(about("/job_ref"))?;
    let (result, cut) = shown::result(&job);
    let mut warnings = shown::warnings(&job);
    warnings.extend(cut);
    Ok(Seen {
        progress: shown::progress(&job),
        warnings,
        error: shown::failure(&job),
        result_arguments: shown::result_arguments(&job),
        result_operation: job.result_operation.clone(),
        result,
        charge: shown::charge(&job),
        job_ref: Id::new(job.job_ref),
        operation_id: job.operation_id,
        module: job.module,
        site_id: job.site_id.map(Id::new),
        state: job.state,
        details: job.progress,
        started_at: Moment::from_millis(job.created_at),
        changed_at: Moment::from_millis(job.changed_at),
        client_name: job.client_name,
    })
}

#[args]
pub(crate) struct Cancel {
    /// The job, as listed.
    job_ref: Id<Job>,
}

/// A job that ends.
#[value]
pub(crate) struct Cancelled {
    /// `cancelled`, or `running` while its last step ends.
    state: String,
    /// What is kept.
    work_done: Progress,
    /// What that costs; what was set aside for the rest comes back.
    charge_settled: Charge,
}

/// Cancels a queued or running job at its next checkpoint, keeps finished work and settles the native charge for the part done only.
///
/// A job that has ended is refused with 409 `job_ended`.
#[operation(
    destructive,
    scope = "destructive:execute",
    cost = write,
    needs = ["store", "jobs", "credits"],
    side_effects = ["the job cannot be taken up again", "credits and points held for the rest come back"],
    phrasings = [
        "cancel a running job",
        "stop the background work",
        "abort the export",
        "I started the wrong job, end it",
    ],
    examples = [{ "job_ref": "job_4fzzzxjylrxeu7yx2kphqvjzba" }]
)]
pub(crate) fn cancel(cx: &Cx, args: Cancel) -> Result<Cancelled> {
    let wanted = PlatformAction::CancelJob(args.job_ref.as_str().to_owned());
    let job: Known = cx.platform().act(&wanted).map_err(about("/job_ref"))?;
    Ok(Cancelled { work_done: shown::progress(&job), charge_settled: shown::charge(&job), state: job.state })
}
