//! The operation `rankings.competitor.report`.

use std::collections::BTreeMap;

use kit::ctr;
use kit::number::as_number;
use kit::statistics::round;
use sdk::prelude::*;
use sdk::{Basis, Degraded, Fix, Interval, json};

use crate::board::{Board, is_within};
use crate::pages;
use crate::rows::{At, Row as Seen};
use crate::stored::{Check, Tracker};

/// Lost keywords whose result pages are read for the pages that win.
const MAX_READ: usize = 200;
/// Pages that are shown.
const MAX_PAGES: usize = 25;

#[args(paged)]
pub(crate) struct Report {
    /// The tracker.
    tracker_ref: Id<Tracker>,
    /// The competitor, by domain or any host of it.
    domain: Domain,
}

/// A keyword for which the competitor stands higher.
#[value]
pub(crate) struct Lost {
    keyword: String,
    volume: Option<u64>,
    /// Null when the website was not found.
    position: Option<u32>,
    rival_position: u32,
    /// Whether the website is not found at all.
    only_rival: bool,
    /// Clicks in a month between the two places; null without a volume.
    clicks: Option<f64>,
    url: Option<String>,
    /// What examines the own page; what proposes one where there is none.
    fix: Option<Fix>,
}

/// A page of the competitor that stands higher.
#[value]
pub(crate) struct Page {
    url: String,
    /// Keywords for which it does, of the 200 most important lost ones.
    keywords: u64,
    /// Clicks in a month that it has more than the website there.
    clicks: f64,
}

/// Head to head.
#[page]
pub(crate) struct Compared {
    /// Those with the most clicks to win back first.
    lost_keywords: Vec<Lost>,
    total: u64,
    /// The registrable domain that is compared.
    domain: String,
    /// The share of keywords for which the website stands higher, with Wilson's interval; of those where either was found. Null
    /// without any.
    win_rate: Option<Interval>,
    won_keywords: u64,
    /// The mean of the website's place less the competitor's; negative when the website stands higher. A place that was not found
    /// counts as one beyond the depth.
    gap: Option<f64>,
    /// Keywords for which only the competitor was found.
    only_rival_keywords: u64,
    /// Keywords for which only the website was found.
    only_own_keywords: u64,
    /// Pages of the competitor that stand higher, those with the most clicks first.
    beating_pages: Vec<Page>,
    basis: Basis,
    degraded: Vec<Degraded>,
}

/// Compares the website with each competitor head to head: win rate, average gap, keywords only they hold and pages that beat it.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["where does a competitor outrank me", "head to head with a rival", "keywords only my competitor ranks for", "which pages of the competition beat mine"],
    examples = [{ "tracker_ref": "tracker_01", "domain": "rival.example" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Compared> {
    let mut board = Board::of(cx, &args.tracker_ref)?;
    let domain = args.domain.registrable().unwrap_or_else(|| args.domain.clone()).as_str().to_owned();
    if is_within(&format!("https://{}/", board.host), &domain) {
        return Err(Fault::invalid("/domain", "own_domain", "this is the domain of the website itself"));
    }
    let check = board.newest(None)?;
    let rows = board.rows(&check)?;
    let with_page: Vec<&Seen> = rows.rows.iter().filter(|it| !it.domains.is_empty()).collect();
    if with_page.is_empty() {
        let message = "no result page of the newest check is kept, only positions; rankings.check.run fetches pages";
        let run = json!({ "operation_id": "rankings.check.run", "arguments": { "tracker_ref": board.tracker.id } });
        return Err(Fault::conflict("no_pages", message).at("/tracker_ref").detail(run));
    }
    let number = rows.number(&domain);
    let (mut won, mut compared, mut gaps) = (0, 0, 0.0);
    let (mut only_rival_keywords, mut only_own_keywords) = (0, 0);
    let mut lost: Vec<(f64, &Seen, u32)> = Vec::new();
    for row in &with_page {
        let (own, rival) = (row.found(), number.and_then(|it| rows.place_of(row, it)));
        if own.is_none() && rival.is_none() {
            continue;
        }
        let beyond = row.depth.max(u32::try_from(row.domains.len()).unwrap_or(0)) + 1;
        let (mine, theirs) = (own.unwrap_or(beyond), rival.unwrap_or(beyond));
        compared += 1;
        gaps += f64::from(mine) - f64::from(theirs);
        only_rival_keywords += u64::from(own.is_none());
        only_own_keywords += u64::from(rival.is_none());
        match rival.filter(|it| *it < mine) {
            None => won += 1,
            Some(place) => {
                let rate = |it: Option<u32>| it.map_or(0.0, |it| ctr::expected(f64::from(it)));
                let clicks = as_number(board.volume(&row.keyword).unwrap_or(0)) * (rate(rival) - rate(own));
                lost.push((clicks, row, place));
            }
        }
    }
    lost.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.2.cmp(&b.2)).then_with(|| a.1.keyword.cmp(&b.1.keyword)));
    let beating_pages = beating(&board, &check, &domain, &lost[..lost.len().min(MAX_READ)]);
    if lost.len() > MAX_READ {
        let why =
            format!("the competitor's pages are those of the {MAX_READ} most important of {} keywords", lost.len());
        board.degraded.push(Degraded::new("beating_pages", why));
    }
    board.tell_missing(&check, with_page.len());
    let total = lost.len() as u64;
    let page = args.window(lost)?;
    let lost_keywords = page.items.into_iter().map(|(clicks, row, place)| shown(&board, clicks, row, place)).collect();
    Ok(Compared {
        lost_keywords,
        next_cursor: page.next,
        total,
        domain,
        win_rate: Interval::of_share(won, compared),
        won_keywords: won,
        gap: (compared > 0).then(|| round(gaps / as_number(compared), 3)),
        only_rival_keywords,
        only_own_keywords,
        beating_pages,
        basis: board.basis(&check, with_page.len()),
        degraded: board.degraded,
    })
}

fn shown(board: &Board<'_>, clicks: f64, row: &Seen, place: u32) -> Lost {
    let keyword = board.shown(&row.keyword);
    let fix = match &row.url {
        Some(url) => site::examine(url, Some(&keyword)),
        None => Fix::new("keywords.map.report", json!({ "set_ref": board.tracker.set_ref })).if_served(),
    };
    let volume = board.volume(&row.keyword);
    Lost {
        volume,
        position: row.found(),
        rival_position: place,
        only_rival: row.position == 0,
        clicks: volume.map(|_| round(clicks, 1)),
        url: row.url.clone(),
        fix,
        keyword,
    }
}

/// The competitor's pages of keywords.
fn beating(board: &Board<'_>, check: &Check, domain: &str, lost: &[(f64, &Seen, u32)]) -> Vec<Page> {
    let places: Vec<At> = lost.iter().filter_map(|it| it.1.page).collect();
    let with_page = lost.iter().filter(|it| it.1.page.is_some());
    let mut sums: BTreeMap<String, (u64, f64)> = BTreeMap::new();
    for (kept, (clicks, _, place)) in pages::read(board.cx, check, &places).into_iter().zip(with_page) {
        let Some(kept) = kept else { continue };
        let found = kept.page.results.into_iter().find(|it| it.position == *place && is_within(&it.url, domain));
        if let Some(result) = found {
            let sum = sums.entry(result.url).or_default();
            sum.0 += 1;
            sum.1 += clicks;
        }
    }
    let mut pages: Vec<Page> =
        sums.into_iter().map(|(url, (keywords, clicks))| Page { url, keywords, clicks: round(clicks, 1) }).collect();
    pages.sort_by(|a, b| {
        b.clicks.total_cmp(&a.clicks).then_with(|| b.keywords.cmp(&a.keywords)).then_with(|| a.url.cmp(&b.url))
    });
    pages.truncate(MAX_PAGES);
    pages
}
