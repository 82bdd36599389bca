//! Stored result pages by their reference: of a tracker's keyword and day, or one that was fetched by `serp.live`.

use sdk::prelude::*;
use sdk::serde_json::json;
use serde::{Deserialize, Serialize};
use serps::{Page, snapshot_id};

use crate::pages;
use crate::rows;
use crate::stored::{Serp, Tracker, check_id};

/// Seconds that a live page is kept: 7 days, the most that a cache keeps.
pub(crate) const KEPT_SECONDS: u32 = 7 * 86_400;

/// A result page with what it is of.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Snapshot {
    pub(crate) keyword: String,
    /// Engine, place, language and device.
    pub(crate) market: String,
    pub(crate) date: Day,
    pub(crate) depth: u32,
    pub(crate) fetched_ms: u64,
    /// The provider's id of the task; empty for an imported page.
    pub(crate) task: String,
    /// The website of the tracker; none for a live page.
    pub(crate) site_id: Option<String>,
    pub(crate) page: Page,
}

/// The reference of a tracker's page: `{tracker}:{keyword}:{day}`, the keyword as a hash.
pub(crate) fn reference(tracker: &Id<Tracker>, keyword: &str, date: Day) -> Id<Serp> {
    Id::new(format!("{}:{date}", snapshot_id(tracker.as_str(), keyword)))
}

/// The reference of a live page.
pub(crate) fn live(market: &str, keyword: &str, date: Day) -> Id<Serp> {
    reference(&Id::new("live"), &format!("{market}|{keyword}"), date)
}

/// The page of a tracker's keyword in the newest check up to a day that has one.
///
/// # Errors
/// 503 `storage_damaged`.
pub(crate) fn of_tracker(
    cx: &Cx,
    tracker: &Stored<Tracker>,
    keyword: &str,
    up_to: Option<Day>,
) -> Result<Option<Snapshot>> {
    /// Checks that are looked through for a keyword.
    const MAX_CHECKS: usize = 30;
    let all = cx.records::<crate::stored::Check>().by("tracker_date").equals(&tracker.id);
    let all = if let Some(day) = up_to { all.below(day.plus(1)) } else { all };
    for check in all.descending().scan().take(MAX_CHECKS) {
        let rows = rows::read(cx, &check)?;
        let Some(row) = rows.of(keyword) else { continue };
        let Some(at) = row.page else { continue };
        if let Some(kept) = pages::read(cx, &check, &[at]).into_iter().next().flatten() {
            return Ok(Some(Snapshot {
                keyword: keyword.to_owned(),
                market: tracker.market(),
                date: check.day(),
                depth: row.depth,
                fetched_ms: kept.at_ms,
                task: kept.task,
                site_id: Some(tracker.site_id.clone()),
                page: kept.page,
            }));
        }
    }
    Ok(None)
}

/// The page of a reference that `serp.get`, `serp.live` or a list gave.
///
/// # Errors
/// 404 `serp_not_kept` at the pointer.
pub(crate) fn find(cx: &Cx, reference: &Id<Serp>, pointer: &str) -> Result<Snapshot> {
    let gone = || {
        let message = "no such result page is kept; rankings.serp.get and rankings.serp.live give references of pages";
        Fault::not_found("serp_not_kept", message).at(pointer)
    };
    let (rest, date) = reference.as_str().rsplit_once(':').ok_or_else(gone)?;
    let date: Day = date.parse().map_err(|_| gone())?;
    let (tracker, _) = rest.split_once(':').ok_or_else(gone)?;
    if tracker == "live" {
        return cx.cache().get::<Snapshot>(reference.as_str()).ok_or_else(gone);
    }
    let tracker = cx.records::<Tracker>().find(&Id::new(tracker)).filter(|it| !it.deleting).ok_or_else(gone)?;
    let keyword = cx.records::<Serp>().find(&Id::new(rest)).ok_or_else(gone)?.into_inner().0.keyword;
    let found = cx.records::<crate::stored::Check>().find(&check_id(&tracker.id, date)).is_some();
    let page = if found { of_tracker(cx, &tracker, &keyword, Some(date))? } else { None };
    page.filter(|it| it.date == date).ok_or_else(gone)
}

/// The refusal of a page that is not kept, with the call that fetches it where its place and language are known.
pub(crate) fn not_kept(arguments: Option<sdk::serde_json::Value>) -> Fault {
    let message = "no result page of this keyword is kept; rankings.serp.live fetches one for a place and a language";
    let mut fetch = json!({ "operation_id": "rankings.serp.live" });
    if let Some(arguments) = arguments {
        fetch["arguments"] = arguments;
    }
    Fault::not_found("serp_not_kept", message).at("/keyword").detail(fetch)
}
