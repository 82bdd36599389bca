//! The operation `ux_signals.link.report`: visits of tracked links, automated traffic removed.

use sdk::Degraded;
use sdk::prelude::*;

use crate::measure::{self, OnDay};
use crate::stored::{Campaign, Link};
use site::Site;

/// Days that are reported when nothing is said.
const DAYS: i32 = 28;

#[args(paged)]
pub(crate) struct Report {
    /// The website.
    site_id: Id<Site>,
    /// Only this link.
    link_ref: Option<Id<Link>>,
    /// The first UTC day; four weeks ago when left out.
    from: Option<Day>,
    /// The last UTC day; today when left out.
    to: Option<Day>,
}

/// A link and its visits.
#[value]
pub(crate) struct Line {
    /// The link.
    link_ref: Id<Link>,
    /// The campaign that it belongs to, if any.
    campaign_ref: Option<Id<Campaign>>,
    /// What is shared.
    short_url: Option<String>,
    /// Where it leads.
    target: String,
    /// Visits; withheld while fewer than five people came.
    visits: Option<u64>,
    /// Visitors, counted anew each day; withheld while fewer than five.
    unique: Option<u64>,
}

/// Visitors who came from one host; at least five.
#[value]
pub(crate) struct Referrer {
    /// The host; `direct` where a browser says none.
    referrer: String,
    /// How many visitors, counted anew each day.
    unique: u64,
}

/// A report of links, the newest first.
#[page]
pub(crate) struct Reported {
    /// The links.
    links: Vec<Line>,
    /// Visits of these links by day.
    series: Vec<OnDay>,
    /// Where visitors of these links came from.
    by_referrer: Vec<Referrer>,
    /// By country; empty, since no address is kept.
    by_country: Vec<Referrer>,
    /// The share of hits that were no visits of people, 0 to 1.
    filtered_share: Option<f64>,
    /// What could not be measured.
    degraded: Vec<Degraded>,
}

/// Reports visits of tracked links by day and referrer, with automated traffic removed.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = [
        "how often was my short link used",
        "visits of my tracked links this month",
        "which qr code brought people",
        "report of my share links",
    ],
    examples = [{ "site_id": "8123456789012345" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Reported> {
    let site = site::get(cx, &args.site_id)?;
    let (from, to) = measure::range(cx, args.from, args.to, cx.now().day().plus(-DAYS))?;
    let all = cx.records::<Link>();
    let (links, next_cursor) = match &args.link_ref {
        Some(reference) => {
            let link = all.get(reference).map_err(|fault| fault.at("/link_ref"))?;
            if link.site_id != site.id.as_str() {
                let message = "there is no such link of this website";
                return Err(Fault::not_found("link_not_found", message).at("/link_ref"));
            }
            (vec![link], None)
        }
        None => {
            let page = all.by("site_id_created_ms").equals(&args.site_id).descending().page(args.limit, args.cursor)?;
            (page.items, page.next)
        }
    };
    let measured = measure::read(cx, &links, from, to);
    let (by_referrer, _) = measured.groups(|hit| hit.referrer.clone().unwrap_or_else(|| "direct".to_owned()));
    let (series, filtered_share, degraded) = (measured.series(), measured.filtered_share(), measured.degraded());
    let line = |(at, link): (usize, Stored<Link>)| {
        let visits = measured.of(at);
        Line {
            campaign_ref: Some(link.campaign.as_str()).filter(|it| !it.is_empty()).map(Id::from),
            short_url: link.short_url.clone(),
            target: link.target.clone(),
            visits: visits.visits,
            unique: visits.unique,
            link_ref: link.id,
        }
    };
    Ok(Reported {
        links: links.into_iter().enumerate().map(line).collect(),
        series,
        by_referrer: by_referrer.into_iter().map(|(referrer, unique)| Referrer { referrer, unique }).collect(),
        by_country: Vec::new(),
        filtered_share,
        degraded,
        next_cursor,
    })
}
