//! The operation `ux_signals.campaign.link.list`: the tracked links of a campaign.

use sdk::prelude::*;

use crate::measure;
use crate::stored::{Campaign, Charge, Link, Preparation};

#[args(paged)]
pub(crate) struct Listing {
    /// The campaign.
    campaign_ref: Id<Campaign>,
}

/// A tracked link of a campaign.
#[value]
pub(crate) struct Line {
    /// The link.
    link_ref: Id<Link>,
    /// What people are given; none when its page did not answer.
    short_url: Option<String>,
    /// The page that it leads to.
    target: String,
    /// Whether the page belongs to the website's domain.
    own: bool,
    /// Where its preparation is.
    state: Preparation,
    /// How the page answered when it was prepared: a status, or a word for why it did not.
    answered: String,
    /// Where its charge is.
    charge: Charge,
    /// People who were reached with it.
    delivered: u64,
    /// Visits, automated traffic removed; withheld while fewer than five people came.
    visits: Option<u64>,
}

/// The links of a campaign, in the order of its pages.
#[page]
pub(crate) struct Links {
    /// The links. Pages that were not looked at yet are missing.
    links: Vec<Line>,
}

/// Lists the tracked links of a campaign with preparation state, target check and totals.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = [
        "which tracked links does my campaign have",
        "are the links of the boost ready",
        "visits per link of the campaign",
    ],
    examples = [{ "campaign_ref": "camp_01" }]
)]
pub(crate) fn list(cx: &Cx, args: Listing) -> Result<Links> {
    let campaign = cx.records::<Campaign>().get(&args.campaign_ref)?;
    let page = cx.records::<Link>().by("campaign_seq").equals(&campaign.id).page(args.limit, args.cursor)?;
    let bought = Moment::from_millis(campaign.created_ms).day();
    let measured = measure::read(cx, &page.items, bought, cx.now().day());
    let line = |(at, link): (usize, Stored<Link>)| Line {
        short_url: link.short_url.clone(),
        target: link.target.clone(),
        own: link.own,
        state: link.state,
        answered: link.answered.clone(),
        charge: link.charge,
        delivered: link.delivered,
        visits: measured.of(at).visits,
        link_ref: link.id,
    };
    Ok(Links { links: page.items.into_iter().enumerate().map(line).collect(), next_cursor: page.next })
}
