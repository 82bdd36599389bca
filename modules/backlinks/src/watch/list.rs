//! The operation `backlinks.watch.list`.

use sdk::prelude::*;
use sdk::{Degraded, Fix, json};
use site::Site;

use super::stored::{self, Difference, Rel, State, Watched, judged, place};
use crate::given::day;
use crate::link::{bare, rels};
use crate::looked::Page;

#[args(paged)]
pub(crate) struct Listing {
    /// The website.
    site_id: Id<Site>,
    /// Links that stand so; all when left out.
    state: Option<State>,
}

/// What was agreed.
#[value]
pub(crate) struct Expected {
    anchor: Option<String>,
    rel: Vec<Rel>,
    until: Option<Day>,
}

/// What the last look saw.
#[value]
pub(crate) struct Observed {
    seen_on: Option<Day>,
    anchor: Option<String>,
    #[own]
    rel: Vec<String>,
    /// Where on the page it stands: `main`, `nav`, `header`, `aside` or `footer`.
    #[own]
    placement: Option<String>,
    /// The status of the page; 0 where it did not answer.
    status: u16,
    /// Why search engines may not show the page; `ok` where they may.
    #[own]
    indexability_reason: String,
}

/// A watched link.
#[value]
pub(crate) struct Row {
    watch_id: Id<Watched>,
    source: String,
    target: String,
    state: State,
    /// The day since which it is so, as far as looks tell.
    changed_on: Option<Day>,
    differences: Vec<Difference>,
    expected: Expected,
    /// Null where its page was never looked at.
    observed: Option<Observed>,
    fix: Option<Fix>,
}

/// Watched links.
#[page]
pub(crate) struct Rows {
    /// Lost ones first, then changed ones.
    links: Vec<Row>,
    /// Links in all that stand so.
    total: u64,
    /// Of all watched links, those that are neither lost nor changed.
    standing: u64,
    next_check_at: Option<Moment>,
    degraded: Vec<Degraded>,
}

/// Lists watched links with expected and observed state and the day it changed.
///
/// A link is lost when two looks on different days did not find it. It is `pending` while nobody has looked, or while the last look
/// could not read its page, which says nothing of the link.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = ["list my watched links", "which agreed links are gone", "are my paid links still there"],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "state": "lost" }]
)]
pub(crate) fn list(cx: &Cx, args: Listing) -> Result<Rows> {
    let site = site::get(cx, &args.site_id)?;
    let watched = stored::of(cx, &site.id);
    let looks = stored::looks(cx, &site.id, &watched)?;
    let today = cx.now().day();
    let mut rows: Vec<(State, Row)> = watched
        .into_iter()
        .map(|it| {
            let page = looks.get(bare(&it.source));
            let (state, differences) = judged(&it, page, today);
            (state, row(&site.id, it, page, state, differences))
        })
        .collect();
    let standing = rows.iter().filter(|it| !matches!(it.0, State::Lost | State::Changed)).count() as u64;
    let order = |state: State| match state {
        State::Lost => 0,
        State::Changed => 1,
        State::Pending => 2,
        State::Ok => 3,
        State::Ended => 4,
    };
    rows.retain(|it| args.state.is_none_or(|state| state == it.0));
    rows.sort_by(|a, b| order(a.0).cmp(&order(b.0)).then_with(|| a.1.source.cmp(&b.1.source)));
    let scheduled = cx.schedules().get(&format!("watched:{}", site.id));
    let mut degraded = Vec::new();
    if let Some(why) = scheduled.as_ref().and_then(|it| it.stopped.as_ref()) {
        let again = json!({ "site_id": site.id, "add": [] });
        let why = format!("the weekly look has stopped: {why}");
        degraded.push(Degraded::new("looks", why).supplied_by("backlinks.watch.set", again));
    }
    let total = rows.len() as u64;
    let page = args.window(rows)?;
    Ok(Rows {
        links: page.items.into_iter().map(|it| it.1).collect(),
        next_cursor: page.next,
        total,
        standing,
        next_check_at: scheduled.and_then(|it| it.next).map(Moment::from_millis),
        degraded,
    })
}

fn row(site: &Id<Site>, it: Stored<Watched>, page: Option<&Page>, state: State, differences: Vec<Difference>) -> Row {
    let link = page.and_then(|page| place(page, &it));
    let some = |text: &String| (!text.is_empty()).then(|| text.clone());
    let observed = page.zip(link).map(|(page, link)| Observed {
        seen_on: day(page.day),
        anchor: some(&link.anchor),
        rel: rels(link.flags).map(str::to_owned).collect(),
        placement: some(&link.placement),
        status: page.status,
        indexability_reason: page.reason.clone(),
    });
    let fix = match state {
        State::Pending => {
            let arguments = json!({ "site_id": site, "only": "watched" });
            Fix::new("backlinks.verify.run", arguments).if_served()
        }
        State::Lost | State::Changed => Fix::on("onpage.link.check", &it.source).if_served(),
        State::Ok | State::Ended => None,
    };
    let it_id = it.id.clone();
    let it = it.into_inner();
    Row {
        watch_id: it_id,
        state,
        changed_on: link.and_then(|link| day(link.since)),
        differences,
        expected: Expected { anchor: it.anchor, rel: it.rel, until: it.until },
        observed,
        fix,
        source: it.source,
        target: it.target,
    }
}
