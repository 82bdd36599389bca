//! The operation `keywords.map.assign`.

use sdk::JobState;
use sdk::prelude::*;
use site::Site;

use super::work::Payload;
use crate::cluster::lexical::{Started, ready};
use crate::stored::Set;

#[args]
pub(crate) struct Assign {
    /// The set.
    set_ref: Id<Set>,
    /// The website whose pages are mapped to: that of the set.
    site_id: Id<Site>,
    /// How much has to speak for a page, 0 to 1; below it a new page is proposed.
    #[default(0.35)]
    min_score: Decimal<0, 1_000>,
    /// Keep the pages that you chose with keywords.item.update.
    #[default(true)]
    lock_manual: bool,
}

/// Maps each keyword or cluster to the best page by BM25 relevance, search-data clicks and current ranking URL, or to a new page when nothing passes the threshold.
///
/// Half of the score is words (title three times, first heading twice), three tenths are clicks of the keywords, two tenths is
/// the page that search engines show. What is not known weighs nothing, and the rest weighs more.
#[operation(
    job,
    scope = "seo:analyze",
    cost = bulk(most = 100_000, unit = "keywords"),
    queued(step = "map"),
    result_operation = "account.job.get",
    side_effects = ["replaces the mapping of the set's keywords"],
    needs = ["store", "jobs"],
    phrasings = ["map keywords to pages", "which page should rank for which keyword", "keyword mapping", "find the best landing page for each cluster"],
    examples = [{ "set_ref": "set_01", "site_id": "4503599627370496" }, { "set_ref": "set_01", "site_id": "4503599627370496", "min_score": 0.5 }]
)]
pub(crate) fn assign(cx: &Cx, args: Assign) -> Result<Started> {
    let (set, keywords) = ready(cx, &args.set_ref)?;
    let site = site::get(cx, &args.site_id)?;
    if set.site_id != site.id.as_str() {
        let message = "this set belongs to another website";
        return Err(Fault::invalid("/site_id", "set_of_another_site", message));
    }
    site::required(cx, &site.id)?;
    let payload = Payload { set_ref: set.id.clone(), min_score: args.min_score.get(), lock_manual: args.lock_manual };
    let job_ref = cx.jobs().enqueue("map", &payload)?;
    cx.records::<Set>().update(&set.id, |set| set.job_ref = Some(job_ref.clone()))?;
    Ok(Started { job_ref, state: JobState::Queued, keywords })
}
