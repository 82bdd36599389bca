//! The operation `rankings.mover.report`.

mod histories;

use std::collections::BTreeMap;

use kit::ctr;
use kit::number::as_number;
use kit::statistics::{false_discovery, round, two_sided_normal};
use sdk::prelude::*;
use sdk::{Degraded, Fix, json};

use self::histories::{AROUND, History, MIN_CHECKS, Side, histories, spreads};
use crate::board::Board;
use crate::group::{By, Groups};
use crate::rows;
use crate::stored::{Check, Tracker};

/// The false discovery rate of winners and losers.
const LEVEL: f64 = 0.1;
/// The correction for values that are whole numbers.
const CONTINUITY: f64 = 0.5;
/// Rows of checks that are read, and checks.
const MAX_ROWS: u64 = 300_000;
const MAX_CHECKS: usize = 40;
/// Rows of each list, and groups.
const MAX_SHOWN: usize = 100;
/// Days between the two dates when they are left out.
const DAYS: i32 = 28;

#[args]
pub(crate) struct Report {
    /// The tracker.
    tracker_ref: Id<Tracker>,
    /// The day to compare with; 28 days before the other when left out.
    from: Option<Day>,
    /// The later day; today when left out.
    to: Option<Day>,
    /// Leave out keywords with fewer searches in a month.
    #[default(0)]
    min_volume: Count<0, 1_000_000_000>,
}

/// A keyword whose position changed.
#[value]
pub(crate) struct Mover {
    keyword: String,
    volume: Option<u64>,
    /// The median of up to three checks up to the earlier day; null when the website was not found.
    before_position: Option<f64>,
    /// The median of up to three checks up to the later day.
    after_position: Option<f64>,
    /// Places gained; negative for lost ones. Null for entered and dropped keywords.
    places: Option<f64>,
    /// How much its position varies by itself: a robust standard deviation.
    spread: Option<f64>,
    /// Whether the spread is that of other keywords at this depth, since its own history is short.
    spread_is_borrowed: bool,
    /// The p-value of "no change".
    p: Option<f64>,
    /// The p-value corrected for all tested keywords (false discovery rate).
    q: Option<f64>,
    /// Clicks in a month that the change brings or takes: searches times the difference of click rates.
    clicks: Option<f64>,
    url: Option<String>,
    /// What examines the page that lost; null for a winner.
    fix: Option<Fix>,
}

/// The change of a group.
#[value]
pub(crate) struct Group {
    /// `page`, `tag` or `segment`.
    #[own]
    by: String,
    name: String,
    keywords: u64,
    winners: u64,
    losers: u64,
    /// Clicks in a month that all changes of its keywords bring or take together.
    weighted_change: f64,
}

/// Movers.
#[value]
pub(crate) struct Movers {
    /// Those that gained the most clicks first, at most 100.
    winners: Vec<Mover>,
    losers: Vec<Mover>,
    /// Keywords that were not found before and are now.
    entered: Vec<Mover>,
    dropped: Vec<Mover>,
    winners_total: u64,
    losers_total: u64,
    entered_total: u64,
    dropped_total: u64,
    /// The 100 groups with the greatest changes.
    by_group: Vec<Group>,
    /// Keywords that were tested.
    tested_keywords: u64,
    /// Days of the checks that stand for the earlier day.
    before_dates: Vec<Day>,
    after_dates: Vec<Day>,
    degraded: Vec<Degraded>,
}

/// Reports significant winners and losers between two dates, judged against each keyword's own variance, grouped by page, tag and segment.
///
/// The difference of two medians is held against the spread of the keyword's positions before the earlier day, and of all tested
/// keywords those are listed whose false discovery rate is below 10 %. A keyword with fewer than six earlier checks borrows the
/// spread of others at its depth. Keywords that were not found on one side are listed apart.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["ranking winners and losers", "which keywords dropped", "did my rankings really change or is it noise", "what moved after the update"],
    examples = [{ "tracker_ref": "tracker_01" }, { "tracker_ref": "tracker_01", "from": "2026-09-01", "to": "2026-10-01", "min_volume": 100 }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Movers> {
    let mut board = Board::of(cx, &args.tracker_ref)?;
    let to = args.to.unwrap_or_else(|| cx.now().day());
    let from = args.from.unwrap_or_else(|| to.plus(-DAYS));
    if from >= to {
        return Err(Fault::invalid("/from", "empty_period", "the day to compare with is before the other one"));
    }
    let checks = newest(&board, to);
    let (before, after): (Vec<_>, Vec<_>) = checks.into_iter().partition(|it| it.day() <= from);
    if before.is_empty() || after.is_empty() {
        let side = if before.is_empty() { format!("up to {from}") } else { format!("from {} to {to}", from.plus(1)) };
        let message = format!("no check is of the days {side}, so there is nothing to compare");
        let run = Fix::new("rankings.check.run", json!({ "tracker_ref": board.tracker.id }));
        return Err(Fault::conflict("not_checked", message).at("/from").detail(json!(run)));
    }
    let histories = histories(&board, &before, &after)?;
    let spreads = spreads(&histories);
    let groups = [("tag", Groups::of(&board, By::Tag)), ("segment", Groups::of(&board, By::Segment))];
    let min_volume = u64::try_from(args.min_volume.get()).unwrap_or(0);
    let (mut tested, mut entered, mut dropped) = (Vec::new(), Vec::new(), Vec::new());
    let mut unjudged = 0_u64;
    for (keyword, history) in &histories {
        let volume = board.volume(keyword);
        if min_volume > 0 && volume.is_none_or(|it| it < min_volume) {
            continue;
        }
        let (Some(one), Some(two)) = (Side::of(&history.before), Side::of(&history.after)) else { continue };
        let mut mover = moved(&board, keyword, history, &one, &two);
        match (one.censored(), two.censored()) {
            (false, false) => {}
            (true, false) => {
                entered.push(mover);
                continue;
            }
            (false, true) => {
                dropped.push(mover);
                continue;
            }
            (true, true) => continue,
        }
        let own = history.spread();
        let Some(spread) = own.or_else(|| spreads.of(one.median)) else {
            unjudged += 1;
            continue;
        };
        let scale = spread * (one.variance() + two.variance()).sqrt();
        mover.spread = Some(round(spread, 2));
        mover.spread_is_borrowed = own.is_none();
        // Positions are whole numbers, so that half a place of a difference is none.
        let moved = ((one.median - two.median).abs() - CONTINUITY).max(0.0);
        mover.p = Some(two_sided_normal(moved / scale));
        tested.push((keyword, mover));
    }
    let q = false_discovery(&tested.iter().map(|(_, it)| it.p.unwrap_or(1.0)).collect::<Vec<_>>());
    tested.iter_mut().zip(q).for_each(|((_, mover), q)| mover.q = Some(q));
    let by_group = by_group(&board, &groups, &tested);
    let tested_keywords = tested.len() as u64;
    let significant = tested.into_iter().map(|it| it.1).filter(|it| it.q.is_some_and(|q| q < LEVEL));
    let (mut winners, mut losers): (Vec<_>, Vec<_>) = significant.partition(|it| it.places.unwrap_or(0.0) > 0.0);
    let totals = [&winners, &losers, &entered, &dropped].map(|it| it.len() as u64);
    [&mut winners, &mut losers, &mut entered, &mut dropped].into_iter().for_each(sorted);
    if unjudged > 0 {
        let why = format!(
            "{unjudged} keywords cannot be told from noise: no keyword has the {MIN_CHECKS} checks before {from} that a spread needs"
        );
        let run = json!({ "tracker_ref": board.tracker.id });
        board.degraded.push(Degraded::new("significance", why).supplied_by("rankings.check.run", run));
    }
    let days = |checks: &[Stored<Check>]| checks.iter().rev().take(AROUND).rev().map(|it| it.day()).collect();
    Ok(Movers {
        winners,
        losers,
        entered,
        dropped,
        winners_total: totals[0],
        losers_total: totals[1],
        entered_total: totals[2],
        dropped_total: totals[3],
        by_group,
        tested_keywords,
        before_dates: days(&before),
        after_dates: days(&after),
        degraded: board.degraded,
    })
}

/// The newest checks up to a day that one answer reads, the earliest first.
fn newest(board: &Board<'_>, to: Day) -> Vec<Stored<Check>> {
    let all = board.cx.records::<Check>().by("tracker_date").equals(&board.tracker.id).below(to.plus(1)).descending();
    let (mut checks, mut rows) = (Vec::new(), 0);
    for check in all.scan().take(MAX_CHECKS) {
        rows += check.rows;
        if rows > MAX_ROWS && checks.len() > 2 * AROUND {
            break;
        }
        checks.push(check);
    }
    checks.reverse();
    checks
}

fn moved(board: &Board<'_>, keyword: &str, history: &History, one: &Side, two: &Side) -> Mover {
    let position = |it: &Side| (!it.censored()).then(|| round(it.median, 1));
    let rate = |it: &Side| if it.censored() { 0.0 } else { ctr::expected(it.median) };
    let volume = board.volume(keyword);
    let places = (!one.censored() && !two.censored()).then(|| round(one.median - two.median, 1));
    let lost = two.median > one.median;
    let query = board.shown(keyword);
    Mover {
        volume,
        before_position: position(one),
        after_position: position(two),
        places,
        spread: None,
        spread_is_borrowed: false,
        p: None,
        q: None,
        clicks: volume.map(|it| round(as_number(it) * (rate(two) - rate(one)), 1)),
        fix: history.url.as_ref().filter(|_| lost).and_then(|url| site::examine(url, Some(&query))),
        url: history.url.clone(),
        keyword: query,
    }
}

/// The greatest change of clicks first, then of places.
fn sorted(movers: &mut Vec<Mover>) {
    let clicks = |it: &Mover| it.clicks.unwrap_or(0.0).abs();
    let places = |it: &Mover| it.places.unwrap_or(0.0).abs();
    movers.sort_by(|a, b| {
        clicks(b)
            .total_cmp(&clicks(a))
            .then_with(|| places(b).total_cmp(&places(a)))
            .then_with(|| a.keyword.cmp(&b.keyword))
    });
    movers.truncate(MAX_SHOWN);
    for mover in movers {
        mover.p = mover.p.map(|it| round(it, 6));
        mover.q = mover.q.map(|it| round(it, 6));
    }
}

fn by_group(board: &Board<'_>, groups: &[(&str, Groups); 2], tested: &[(&String, Mover)]) -> Vec<Group> {
    let mut sums: BTreeMap<(&str, String), Group> = BTreeMap::new();
    for (keyword, mover) in tested {
        let mut names: Vec<(&str, String)> = mover.url.iter().map(|it| ("page", it.clone())).collect();
        let row = rows::Row { keyword: (*keyword).clone(), url: mover.url.clone(), ..rows::Row::default() };
        for (by, groups) in groups {
            names.extend(groups.names(board, &row).into_iter().map(|it| (*by, it)));
        }
        for (by, name) in names {
            let group = sums.entry((by, name.clone())).or_insert_with(|| Group {
                by: by.to_owned(),
                name,
                keywords: 0,
                winners: 0,
                losers: 0,
                weighted_change: 0.0,
            });
            let (gained, certain) = (mover.places.unwrap_or(0.0), mover.q.is_some_and(|it| it < LEVEL));
            group.keywords += 1;
            group.winners += u64::from(certain && gained > 0.0);
            group.losers += u64::from(certain && gained < 0.0);
            group.weighted_change += mover.clicks.unwrap_or(0.0);
        }
    }
    let mut sums: Vec<Group> = sums.into_values().collect();
    sums.iter_mut().for_each(|it| it.weighted_change = round(it.weighted_change, 1));
    sums.sort_by(|a, b| {
        let size = |it: &Group| it.weighted_change.abs();
        size(b).total_cmp(&size(a)).then_with(|| a.by.cmp(&b.by)).then_with(|| a.name.cmp(&b.name))
    });
    sums.truncate(MAX_SHOWN);
    sums
}
