//! `local_grid.gmb_signals.campaign.*`; here `local_grid.gmb_signals.campaign.quote`.

use campaign::terms;
use sdk::Next;
use sdk::json;
use sdk::prelude::*;
use serde::Serialize;

use super::evidence::{self, Evidence};
use crate::stored::Tally;

/// Names the family in quotes.
pub(super) const FAMILY: &str = "local_grid.gmb_signals";
/// The operation that quotes.
pub(super) const QUOTE: &str = "local_grid.gmb_signals.campaign.quote";
/// Thousandths of a credit for one invitation that somebody has seen.
pub(super) const PRICE: u64 = 200;

#[args]
pub(crate) struct Quote {
    /// Results of own scans, from `local_grid.gmb_signals.sources.get`.
    source_refs: List<Id<Tally>, 1, 10>,
    /// Invitations in a day.
    daily_actions: Count<1, 100>,
    /// For so many days.
    duration_days: Count<7, 90>,
    /// The audience of the connected panel that is asked; all of its audiences when left out.
    audience_ref: Option<Text<1, 128>>,
}

/// What decides the price, sealed.
#[derive(Serialize)]
pub(super) struct Terms<'a> {
    pub(super) sources: Vec<(&'a str, u64)>,
    pub(super) daily_actions: u32,
    pub(super) duration_days: u32,
    pub(super) audience_ref: Option<&'a str>,
    pub(super) credits_milli: u64,
}

impl<'a> Terms<'a> {
    /// Of a campaign on this evidence.
    pub(super) fn of(evidence: &'a Evidence, daily: u32, days: u32, audience: Option<&'a str>) -> Self {
        Self {
            sources: evidence.sources.iter().map(|it| (it.source.as_str(), it.finished_ms)).collect(),
            daily_actions: daily,
            duration_days: days,
            audience_ref: audience,
            credits_milli: u64::from(daily) * u64::from(days) * PRICE,
        }
    }
}

/// A result that a campaign would stand on.
#[value]
pub(crate) struct Eligible {
    /// The result.
    source_ref: Id<Tally>,
    /// Its keyword.
    keyword: String,
    /// When its scan ended.
    completed_at: Moment,
}

/// A priced campaign.
#[value]
pub(crate) struct Quoted {
    /// Give this back unchanged as `expected_quote_hash`.
    quote_hash: String,
    /// The end of the next UTC day.
    expires_at: Moment,
    /// Credits that are set aside; only invitations that people have seen are charged.
    total_credits: f64,
    /// Invitations in all.
    actions_total: u32,
    /// Credits for one invitation that somebody has seen.
    credits_per_action: f64,
    /// What it would stand on.
    eligible_evidence: Vec<Eligible>,
    /// Weak zones in which people would be asked.
    weak_zones: u32,
    /// What buys it; a native key of your own is needed beside.
    next: Vec<Next>,
}

/// Quotes a local-grid signals campaign on own completed scans: daily actions (invitations to opted-in local audience members), duration, price and quote hash; no pins, coordinates or routes are taken.
///
/// An action is one invitation that one person of a panel has seen. The invitation says who pays for it and asks for no
/// search, click, rating or review. Where people are asked is chosen from the weak zones of the scans and is not shown.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store", "credits"],
    phrasings = [
        "what would a local signals campaign cost",
        "price daily local actions for my google business profile",
        "quote a gmb signals campaign for 30 days",
    ],
    examples = [{ "source_refs": ["run_01-0"], "daily_actions": 10, "duration_days": 28 }]
)]
pub(crate) fn quote(cx: &Cx, args: Quote) -> Result<Quoted> {
    let evidence = evidence::of(cx, &args.source_refs)?;
    let (daily, days) = (whole(args.daily_actions.get()), whole(args.duration_days.get()));
    let audience = args.audience_ref.as_ref().map(Text::as_str);
    let quoted = Terms::of(&evidence, daily, days, audience);
    let seal = terms::seal(cx, FAMILY, &quoted);
    let mut arguments = json!({
        "source_refs": args.source_refs, "daily_actions": daily, "duration_days": days,
        "expected_quote_hash": seal.quote_hash, "native_idempotency_key": format!("signals-{:.24}", seal.quote_hash),
    });
    if let Some(audience) = audience {
        arguments["audience_ref"] = json!(audience);
    }
    Ok(Quoted {
        total_credits: sdk::credits(quoted.credits_milli),
        actions_total: daily * days,
        credits_per_action: sdk::credits(PRICE),
        quote_hash: seal.quote_hash,
        expires_at: seal.expires_at,
        weak_zones: evidence.zones,
        eligible_evidence: evidence
            .sources
            .into_iter()
            .map(|it| Eligible {
                source_ref: it.source.into(),
                keyword: it.keyword,
                completed_at: Moment::from_millis(it.finished_ms),
            })
            .collect(),
        next: vec![Next::new("local_grid.gmb_signals.campaign.create", arguments, "buys the campaign at this price")],
    })
}

pub(super) fn whole(count: i64) -> u32 {
    u32::try_from(count).unwrap_or(0)
}

#[cfg(test)]
mod tests;
