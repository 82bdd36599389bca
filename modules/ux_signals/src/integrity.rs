//! The operation `ux_signals.campaign.integrity.get`: how good the traffic of a campaign is, and whether it was honest.

use std::collections::BTreeMap;

use campaign::wording;
use sdk::Degraded;
use sdk::Next;
use sdk::json;
use sdk::prelude::*;

use crate::measure;
use crate::prepare::links;
use crate::stored::{Audience, Campaign, Task};

/// Tasks that are looked at.
const TASKS: u64 = 500;

#[args]
pub(crate) struct Get {
    /// The campaign.
    campaign_ref: Id<Campaign>,
}

/// How honest a campaign is.
#[value]
pub(crate) struct Integrity {
    /// The campaign.
    campaign_ref: Id<Campaign>,
    /// The share of hits that were visits of people, 0 to 1; none without hits.
    valid_share: Option<f64>,
    /// Hits that were no visits, by the first rule that held.
    filtered: BTreeMap<String, u64>,
    /// What each rule says.
    rules: BTreeMap<String, String>,
    /// The share of people reached whose consent is proven: by the consent page of an own audience, or by a panel whose
    /// contract asks for it; 0 to 1, none while nobody was reached.
    optin_coverage: Option<f64>,
    /// Whether every invitation said who pays for it, and none asked for a search, a click, a rating or a review.
    disclosure_ok: bool,
    /// Invitations that were looked at: the newest.
    tasks_checked: u64,
    /// What to do about what was found.
    next: Vec<Next>,
    /// What could not be looked at.
    degraded: Vec<Degraded>,
}

/// Reports the traffic quality of a campaign: automated and repeated hits by rule, proof of opt-in, and whether every invitation said who pays.
#[operation(
    read,
    scope = "assets:read",
    cost = indexed_read,
    needs = ["store"],
    phrasings = [
        "how much of the campaign traffic is bots",
        "is the traffic from my boost real",
        "were the people in my campaign opted in",
        "traffic quality of the viral campaign",
    ],
    examples = [{ "campaign_ref": "camp_01" }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<Integrity> {
    let campaign = cx.records::<Campaign>().get(&args.campaign_ref)?;
    let bought = Moment::from_millis(campaign.created_ms).day();
    let measured = measure::read(cx, &links(cx, &campaign)?, bought, cx.now().day());
    let tasks = cx.records::<Task>().by("campaign_day").equals(&campaign.id).descending().page(TASKS, None)?;
    let mut degraded = measured.degraded();
    if tasks.next.is_some() {
        degraded.push(Degraded::new("invitations", format!("only the newest {TASKS} invitations were looked at")));
    }
    let tasks = tasks.items;
    let disclosure_ok = tasks.iter().all(|task| {
        let honest = wording::lint(&task.text).is_empty() && wording::lint(&task.disclosure).is_empty();
        honest && !task.disclosure.trim().is_empty()
    });
    let mut proven: BTreeMap<&str, bool> = BTreeMap::new();
    for task in &tasks {
        proven.entry(&task.audience_ref).or_insert_with(|| {
            task.panel
                || cx
                    .records::<Audience>()
                    .find(&Id::new(task.audience_ref.as_str()))
                    .is_some_and(|audience| audience.proven_at.is_some())
        });
    }
    let reached: u64 = tasks.iter().map(|task| u64::from(task.delivered)).sum();
    let with_proof = tasks.iter().filter(|task| proven[task.audience_ref.as_str()]);
    let covered: u64 = with_proof.map(|task| u64::from(task.delivered)).sum();
    let unproven: Vec<&str> = proven.iter().filter(|(_, proven)| !**proven).map(|(reference, _)| *reference).collect();
    Ok(Integrity {
        valid_share: measured.filtered_share().map(|share| kit::statistics::round(1.0 - share, 4)),
        filtered: measured.by_rule(),
        rules: rules(),
        optin_coverage: share(covered, reached),
        disclosure_ok,
        tasks_checked: tasks.len() as u64,
        next: next(&campaign, !unproven.is_empty() || !disclosure_ok),
        degraded,
        campaign_ref: campaign.id.clone(),
    })
}

#[expect(clippy::cast_precision_loss, reason = "counts of people are far below 2^53")]
fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| kit::statistics::round(part as f64 / whole as f64, 4))
}

fn rules() -> BTreeMap<String, String> {
    [
        ("head", "a HEAD request: something looked where the link leads"),
        ("prefetch", "fetched ahead by a browser or a proxy"),
        ("known_agent", "a program that says what it is"),
        ("missing_headers", "without the headers that every browser sends"),
        ("burst", "one of five or more hits on one link within a second of one another"),
        ("repeated", "one visitor's sixth and later hits within an hour"),
    ]
    .into_iter()
    .map(|(rule, words)| (rule.to_owned(), words.to_owned()))
    .collect()
}

fn next(campaign: &Stored<Campaign>, wrong: bool) -> Vec<Next> {
    if !wrong || campaign.state.is_over() {
        return Vec::new();
    }
    let arguments = json!({ "campaign_ref": campaign.id, "paused": true });
    vec![Next::new("ux_signals.viral.campaign.pause", arguments, "pauses the campaign while you look into it")]
}
