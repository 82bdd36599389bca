//! The operation `keywords.cluster.lexical`.

use sdk::JobState;
use sdk::prelude::*;

use super::lexical_work::Payload;
use crate::stored::Set;

#[args]
pub(crate) struct Lexical {
    /// The set.
    set_ref: Id<Set>,
    /// The distance up to which keywords join, 1 for nothing in common; the one with the best silhouette when left out.
    threshold: Option<Decimal<100, 900>>,
    /// Keywords of one cluster, at most; a larger one is taken apart.
    #[default(100)]
    max_cluster: Count<2, 500>,
}

/// A job that was queued.
#[value]
pub(crate) struct Started {
    /// The job; account.job.get follows it.
    pub(crate) job_ref: Id<Job>,
    /// Always `queued`.
    pub(crate) state: JobState,
    /// Keywords that are clustered.
    pub(crate) keywords: u64,
}

/// The set of a clustering and how many keywords it has that are not excluded.
///
/// # Errors
/// 409 `set_busy` and `set_empty`.
pub(crate) fn ready(cx: &Cx, set: &Id<Set>) -> Result<(Stored<Set>, u64)> {
    let set = crate::set::get(cx, set)?;
    crate::set::is_free(cx, &set)?;
    let keywords = set.counts.keywords.saturating_sub(set.counts.excluded);
    if keywords == 0 {
        let message = "the set has no keywords; add some with keywords.item.import";
        return Err(Fault::conflict("set_empty", message).at("/set_ref"));
    }
    Ok((set, keywords))
}

/// Clusters keywords by stemmed word and character n-gram TF-IDF with average-linkage agglomeration cut by silhouette, naming each cluster by its highest-volume member.
///
/// Excluded keywords are left out. Manual edits of keywords.cluster.edit are applied afterwards, so they survive.
#[operation(
    job,
    scope = "seo:analyze",
    cost = bulk(most = 100_000, unit = "keywords"),
    queued(step = "lexical"),
    result_operation = "account.job.get",
    side_effects = ["replaces the clusters of the set"],
    needs = ["store", "jobs"],
    phrasings = ["cluster my keywords", "group similar keywords", "group keywords by words", "build keyword groups without serp data"],
    examples = [{ "set_ref": "set_01" }, { "set_ref": "set_01", "threshold": 0.5, "max_cluster": 30 }]
)]
pub(crate) fn lexical(cx: &Cx, args: Lexical) -> Result<Started> {
    let (set, keywords) = ready(cx, &args.set_ref)?;
    let threshold = args.threshold.map(Decimal::get);
    let payload = Payload { set_ref: set.id.clone(), threshold, max_cluster: args.max_cluster.into() };
    let job_ref = cx.jobs().enqueue("lexical", &payload)?;
    cx.records::<Set>().update(&set.id, |set| set.job_ref = Some(job_ref.clone()))?;
    Ok(Started { job_ref, state: JobState::Queued, keywords })
}
