//! The operation `keywords.cluster.serp`.

use sdk::prelude::*;
use sdk::{JobState, Need};

use super::lexical::{Started, ready};
use super::overlap::Mode;
use super::serp_work::Payload;
use crate::stored::Set;

#[args]
pub(crate) struct Serp {
    /// The set.
    set_ref: Id<Set>,
    /// Results of the first ten that keywords have to share.
    #[default(4)]
    min_shared: Count<2, 9>,
    /// `hard`: every pair of a cluster shares enough; `soft`: every keyword shares enough with the main one.
    #[default("hard")]
    mode: Mode,
    /// Result pages that are asked for, at most; those of the keywords with the most searches first. 0 uses stored ones only.
    #[default(500)]
    max_fetch: Count<0, 5_000>,
    /// Stored pages that are older are asked for anew.
    #[default(30)]
    max_age_days: Count<1, 365>,
}

/// Clusters keywords by shared top-ten results (minimum shared URLs, hard or soft), using stored SERPs and fetching only missing ones.
///
/// Keywords become main ones in the order of their searches, and take with them the free ones whose results they share. Without
/// a connection to DataForSEO only stored pages are used. Manual edits are applied afterwards.
#[operation(
    job,
    scope = "seo:execute",
    cost = bulk(most = 100_000, unit = "keywords"),
    queued(step = "serp"),
    result_operation = "account.job.get",
    side_effects = ["spends credit of your DataForSEO account", "replaces the clusters of the set"],
    needs = ["store", "jobs", "connection:dataforseo"],
    outside = [
        "dataforseo POST /v3/serp/google/organic/task_post change",
        "dataforseo GET /v3/serp/google/organic/tasks_ready",
        "dataforseo GET /v3/serp/google/organic/task_get/advanced/*",
    ],
    phrasings = ["cluster keywords by serp overlap", "which keywords can one page rank for", "group keywords by google results", "serp clustering"],
    examples = [{ "set_ref": "set_01" }, { "set_ref": "set_01", "mode": "soft", "min_shared": 3, "max_fetch": 0 }]
)]
pub(crate) fn serp(cx: &Cx, args: Serp) -> Result<Started> {
    let (set, keywords) = ready(cx, &args.set_ref)?;
    let mut max_fetch = u64::from(args.max_fetch);
    let reason = "result pages are asked from DataForSEO";
    if max_fetch > 0 && cx.connections().required(Need::DATAFORSEO, "/max_fetch", reason).is_err() {
        // Stored pages may do; without any there is nothing to cluster by.
        if super::pages::newest(cx, &set).is_empty() {
            let why = "no result pages are stored, and they are asked from DataForSEO";
            return Err(Need::DATAFORSEO.missing("/max_fetch", why));
        }
        max_fetch = 0;
    }
    let payload = Payload {
        set_ref: set.id.clone(),
        min_shared: args.min_shared.into(),
        mode: args.mode,
        max_fetch,
        max_age_days: u32::try_from(args.max_age_days.get()).unwrap_or(30),
    };
    let job_ref = cx.jobs().enqueue("serp", &payload)?;
    cx.records::<Set>().update(&set.id, |set| set.job_ref = Some(job_ref.clone()))?;
    Ok(Started { job_ref, state: JobState::Queued, keywords })
}
