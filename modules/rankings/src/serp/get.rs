//! The operation `rankings.serp.get`.

use sdk::json;
use sdk::prelude::*;

use super::{Serp, shown};
use crate::board;
use crate::snapshot::{self, Snapshot};
use crate::stored::{Serp as Kept, Tracker};

#[args]
pub(crate) struct Get {
    /// The tracker; left out for a page that `rankings.serp.live` fetched in the last 7 days.
    tracker_ref: Option<Id<Tracker>>,
    /// The keyword.
    keyword: Text<1, 200>,
    /// The newest page up to this day; the newest of all when left out.
    date: Option<Day>,
    /// The page of this reference, of a live fetch or a list.
    snapshot_ref: Option<Id<Kept>>,
}

/// A stored result page.
#[value]
pub(crate) struct Got {
    snapshot_ref: Id<Kept>,
    serp: Serp,
}

/// Returns a stored result page with every element, pixel rank when given, owned flags and raw provider ids.
///
/// Without a tracker it is the page that `rankings.serp.live` fetched last for the keyword, whatever its market; those are kept for
/// 7 days.
#[operation(
    read,
    scope = "assets:read",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["show the stored search results of a keyword", "what did google show for my keyword", "which features were on the result page"],
    examples = [{ "tracker_ref": "tracker_01", "keyword": "desk lamp" }, { "keyword": "desk lamp" }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<Got> {
    if let Some(reference) = &args.snapshot_ref {
        let found = snapshot::find(cx, reference, "/snapshot_ref")?;
        return Ok(got(cx, reference.clone(), found));
    }
    let Some(reference) = &args.tracker_ref else {
        let normal = kit::text::collapse(args.keyword.as_str()).to_lowercase();
        let kept: Option<Id<Kept>> = cx.cache().get(&live_key(&normal));
        let found = kept.and_then(|it| Some((it.clone(), cx.cache().get::<Snapshot>(it.as_str())?)));
        let found = found.filter(|it| args.date.is_none_or(|day| it.1.date <= day));
        let Some((reference, found)) = found else {
            return Err(snapshot::not_kept(None));
        };
        return Ok(got(cx, reference, found));
    };
    let tracker = board::tracker(cx, reference)?;
    let language = board::set(cx, &tracker).map_or_else(|| tracker.language.clone(), |it| it.language.clone());
    let normal = serps::normal(args.keyword.as_str(), language.split('-').next().unwrap_or_default());
    let Some(found) = snapshot::of_tracker(cx, &tracker, &normal, args.date)? else {
        let fetch = json!({ "keyword": args.keyword, "location": tracker.location, "language": tracker.language,
            "device": tracker.device, "engine": tracker.engine, "depth": tracker.depth });
        return Err(snapshot::not_kept(Some(fetch)));
    };
    Ok(got(cx, snapshot::reference(&tracker.id, &normal, found.date), found))
}

/// Where the reference of a keyword's newest live page is kept.
pub(super) fn live_key(keyword: &str) -> String {
    format!("live/{}", serps::snapshot_id("", keyword))
}

fn got(cx: &Cx, snapshot_ref: Id<Kept>, found: Snapshot) -> Got {
    let site = found.site_id.as_ref().and_then(|it| cx.records::<site::Site>().find(&Id::new(it.clone())));
    let host = site.map(|it| board::host(&it));
    Got { snapshot_ref, serp: shown(found, host.as_deref()) }
}
