//! The operation `rankings.tracker.list`.

use sdk::prelude::*;
use site::Site;

use super::{Shown, shown};
use crate::stored::Tracker;

#[args(paged)]
pub(crate) struct List {
    /// The website, as listed.
    site_id: Id<Site>,
}

/// Trackers of a website.
#[page]
pub(crate) struct Trackers {
    /// The newest first.
    trackers: Vec<Shown>,
    /// Trackers in all.
    total: u64,
}

/// Lists trackers with size, schedule, last run and visibility.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = ["which rank trackers do i have", "show my rank tracking", "when are my rankings checked next"],
    examples = [{ "site_id": "4503599627370496" }]
)]
pub(crate) fn list(cx: &Cx, args: List) -> Result<Trackers> {
    let site = site::get(cx, &args.site_id)?;
    let all = || cx.records::<Tracker>().by("site_id_created_ms").equals(&site.id);
    let page = all().descending().page(args.limit, args.cursor)?;
    let total = all().count();
    let page = page.map(|it| shown(cx, it));
    Ok(Trackers { trackers: page.items, next_cursor: page.next, total })
}
