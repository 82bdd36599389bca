//! The operation `local_grid.gmb_signals.campaign.get`.

use campaign::{State, Turn, privacy};
use sdk::Degraded;
use sdk::Next;
use sdk::json;
use sdk::prelude::*;

use super::campaign::{PRICE, whole};
use super::stored::Campaign;
use crate::metrics::{Definitions, Figures};
use crate::stored::{Business, Tally};

/// Later scans that are shown.
const SCANS: u64 = 50;

#[args]
pub(crate) struct Get {
    /// The campaign.
    campaign_ref: Id<Campaign>,
}

/// A week of a campaign.
#[value]
pub(crate) struct Week {
    /// Its first day.
    from: Day,
    /// Invitations that people have seen; none where fewer than five have.
    delivered: Option<u64>,
    /// Visits that came of them, by our own redirect; none where there are fewer than five.
    opened: Option<u64>,
}

/// A scan before or after a campaign began.
#[value]
pub(crate) struct Trend {
    /// The keyword.
    keyword: String,
    /// When the scan ended.
    completed_at: Moment,
    /// Whether the campaign stands on it.
    evidence: bool,
    /// What it found.
    figures: Figures,
}

/// A campaign.
#[value]
pub(crate) struct View {
    /// The campaign.
    campaign_ref: Id<Campaign>,
    /// The business.
    business_ref: Id<Business>,
    /// Where it is.
    state: State,
    /// How it came there.
    history: Vec<Turn>,
    /// The first day on which people are asked.
    first_action_day: Day,
    /// Days that have ended.
    days_run: u32,
    /// Invitations in a day.
    daily_actions: u32,
    /// Invitations in all.
    actions_total: u32,
    /// Invitations that people have seen, in days that have ended; none where fewer than five have.
    delivered: Option<u64>,
    /// Visits that came of them, by our own redirect; none where there are fewer than five.
    opened: Option<u64>,
    /// Week by week from the first day. Where one week alone would be withheld another one is too, so that nothing can be
    /// told from the sum.
    by_week: Vec<Week>,
    /// Credits for days that have ended; exact, as a bill is.
    charged_credits: f64,
    /// The scans that it stands on and later ones of the same keywords, the oldest first.
    scan_trend: Vec<Trend>,
    /// How the figures are defined; vendors differ.
    definitions: Definitions,
    /// What is missing or went wrong.
    degraded: Vec<Degraded>,
    /// What to do next.
    next: Vec<Next>,
}

/// Reads a signals campaign: state, days run, actions delivered and opened in aggregate (groups under five withheld), charge so far and rank metrics of later scans.
///
/// Ranks move for many reasons: a better scan after a campaign does not say that the campaign did it.
#[operation(
    read,
    scope = "assets:read",
    cost = indexed_read,
    needs = ["store"],
    phrasings = [
        "how is my local signals campaign doing",
        "how many local invitations were delivered so far",
        "results of the gmb signals campaign",
        "did map ranks change since the campaign started",
    ],
    examples = [{ "campaign_ref": "cam_01" }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<View> {
    let campaign = cx.records::<Campaign>().get(&args.campaign_ref).map_err(|fault| fault.at("/campaign_ref"))?;
    let (weeks, opened) = weeks(cx, &campaign);
    let delivered: u64 = campaign.days.iter().map(|it| u64::from(it.delivered)).sum();
    let mut degraded: Vec<Degraded> =
        campaign.trouble.iter().map(|words| Degraded::new("delivery", words.as_str())).collect();
    let small = privacy::shown(delivered).is_none() || privacy::shown(opened).is_none();
    if small || weeks.iter().any(|it| it.delivered.is_none() || it.opened.is_none()) {
        degraded.push(Degraded::new("counts", format!("counts of fewer than {} are withheld", privacy::LEAST)));
    }
    let scan_trend = trend(cx, &campaign)?;
    let mut next = Vec::new();
    if scan_trend.iter().all(|it| it.evidence) {
        degraded.push(Degraded::new("scan", "no scan of these keywords is newer than the campaign"));
        if let Some(source) = campaign.sources.first() {
            next.push(Next::new(
                "local_grid.run.get",
                json!({ "run_ref": source.run }),
                "shows the scan to compare a later one with",
            ));
        }
    } else if let Some(source) = campaign.sources.first() {
        let report = json!({ "business_ref": campaign.business, "keyword": source.keyword });
        next.push(Next::new("local_grid.trend.report", report, "shows how ranks moved since the campaign began"));
    }
    Ok(View {
        business_ref: campaign.business.as_str().into(),
        state: campaign.state,
        history: campaign.history.clone(),
        first_action_day: Day::from_epoch(campaign.first_day),
        days_run: whole(i64::try_from(campaign.days.len()).unwrap_or(0)),
        daily_actions: campaign.daily_actions,
        actions_total: campaign.actions_total,
        delivered: privacy::shown(delivered),
        opened: privacy::shown(opened),
        by_week: weeks,
        charged_credits: sdk::credits(delivered * PRICE),
        scan_trend,
        definitions: Definitions::ours(),
        degraded,
        next,
        campaign_ref: campaign.id,
    })
}

/// Week by week from the first day, and all visits.
fn weeks(cx: &Cx, campaign: &Campaign) -> (Vec<Week>, u64) {
    let first = campaign.first_day;
    let today = cx.now().day().since_epoch();
    let last = campaign.days.iter().map(|it| it.day).max().unwrap_or(first - 1).max(today.min(first + 200));
    let count = usize::try_from((last - first + 1).max(0)).unwrap_or(0).div_ceil(7);
    let mut delivered = vec![0_u64; count];
    let mut opened = vec![0_u64; count];
    let week = |day: i32| usize::try_from(day - first).ok().map(|it| it / 7);
    for day in &campaign.days {
        if let Some(sum) = week(day.day).and_then(|it| delivered.get_mut(it)) {
            *sum += u64::from(day.delivered);
        }
    }
    if let Some(code) = &campaign.link {
        for day in cx.links().days(code, Day::from_epoch(first), Day::from_epoch(last.max(first))) {
            if let Some(sum) = week(day.day.since_epoch()).and_then(|it| opened.get_mut(it)) {
                *sum += day.visits;
            }
        }
    }
    let visits = opened.iter().sum();
    let (delivered, opened) = (withheld(&delivered), withheld(&opened));
    let starts = (0_i32..).map(|it| Day::from_epoch(first + it * 7));
    let weeks = starts.zip(delivered.into_iter().zip(opened));
    (weeks.map(|(from, (delivered, opened))| Week { from, delivered, opened }).collect(), visits)
}

/// Counts whose sum is known, without those that would point at a few: where one alone is left out, the smallest of the
/// others goes with it.
pub(super) fn withheld(counts: &[u64]) -> Vec<Option<u64>> {
    let mut shown: Vec<Option<u64>> = counts.iter().map(|it| privacy::shown(*it)).collect();
    if shown.iter().filter(|it| it.is_none()).count() == 1 {
        let smallest = (0..counts.len()).filter(|at| shown[*at].is_some_and(|it| it > 0)).min_by_key(|at| counts[*at]);
        if let Some(at) = smallest {
            shown[at] = None;
        }
    }
    shown
}

/// Scans that the campaign stands on, and later ones.
fn trend(cx: &Cx, campaign: &Campaign) -> Result<Vec<Trend>> {
    let mut all = Vec::new();
    for source in &campaign.sources {
        let tallies = cx.records::<Tally>().by("business_keyword_finished_ms").equals(&campaign.business);
        let tallies = tallies.equals(&source.keyword).at_least(source.finished_ms.max(1)).page(SCANS, None)?;
        for tally in tallies.items {
            let evidence = tally.id.as_str() == source.source;
            let finished = tally.finished_ms.unwrap_or(0);
            if evidence || finished > campaign.created_ms {
                let completed_at = Moment::from_millis(finished);
                all.push(Trend { keyword: tally.keyword.clone(), completed_at, evidence, figures: tally.figures });
            }
        }
    }
    all.sort_by(|a, b| a.completed_at.cmp(&b.completed_at).then_with(|| a.keyword.cmp(&b.keyword)));
    Ok(all)
}
