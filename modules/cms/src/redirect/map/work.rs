//! The job that builds a redirect map: the old side, the new side, the matching, the result.

use std::collections::{HashMap, HashSet};

use kit::migration::{Migration, Page};
use sdk::prelude::*;
use sdk::{Degraded, Fix, Next, Progress, json};
use search::Clicks;

use super::build::OLD;
use super::sides::{Side, Which};
use super::{Alike, By, Map, ROWS, Row, SHOWN_BYTES, Standing, Verdict, keep, rounded};

/// A step that has run so long hands over, in milliseconds; the host allows 120,000.
const LONG: u64 = 20_000;
/// Blobs of pages that one step reads: a page takes some 500,000 units of fuel, and a step has 12,000 million.
const BLOBS: usize = 8;
/// Addresses that one step matches: one of 20,000 against 20,000 takes about 1,000,000 units.
const MATCHED: usize = 8 * ROWS;
/// Pages of the new side.
const NEW: usize = 20_000;
/// Less sure than this, or not at all.
const REVIEW: f64 = 0.4;
/// Rows that the result shows of those for review, and of those without a target.
const SHOWN: usize = 500;
/// Redirects that are followed from one old address to another.
const HOPS: usize = 10;

/// What the job is given.
#[value]
pub(crate) struct Work {
    pub(super) map: Id<Map>,
    /// Blobs of the old side, when it was listed.
    pub(super) old_parts: u32,
    /// Addresses of the old side, when it was listed.
    pub(super) old: u64,
}

/// The part of the work.
#[value]
#[derive(Default)]
pub(crate) enum Phase {
    /// Reading the old website.
    #[default]
    Old,
    /// Reading the new one.
    New,
    /// Holding them against each other.
    Match,
}

/// What one step hands to the next.
#[value]
#[derive(Default)]
pub(crate) struct Checkpoint {
    phase: Phase,
    /// The place of the last page that was read of the crawl.
    seq: u64,
    old_parts: u32,
    new_parts: u32,
    old: u64,
    new: u64,
    /// Old addresses that were matched or not.
    done: u64,
}

/// A row of the result.
#[value]
pub(crate) struct Shown {
    from: String,
    /// The best target; for an unmatched row null.
    to: Option<String>,
    /// How sure that is, 0 to 1.
    confidence: f64,
    by: Option<By>,
    alike: Option<Alike>,
    /// The nearest folder of the new website above the old address; null for others.
    fallback: Option<String>,
    /// Clicks from Google in the last 28 days that are stored; null when none are.
    clicks_28d: Option<u64>,
}

/// What the job ends with.
#[value]
pub(crate) struct Outcome {
    map_ref: Id<Map>,
    /// Old addresses.
    addresses: u64,
    /// Pages of the new website that can be found.
    new_pages: u64,
    /// Old addresses that are redirected.
    matched: u64,
    /// Old addresses that the new website has too; they need no redirect.
    unchanged: u64,
    /// Rows that a person should look at, those with the most clicks first; at most 500.
    review: Vec<Shown>,
    /// All rows for review.
    review_total: u64,
    /// Addresses without a target, those with the most clicks first; at most 500.
    unmatched: Vec<Shown>,
    unmatched_total: u64,
    /// Clicks of the last 28 days on addresses that are neither matched nor unchanged; null when none are stored.
    clicks_at_risk: Option<u64>,
    degraded: Vec<Degraded>,
    /// What to do next.
    next: Vec<Next>,
}

/// Reads both sides, and matches some addresses in each step.
#[step]
pub(crate) fn work(cx: &Cx, work: Work, checkpoint: Option<Checkpoint>) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let mut map = cx.records::<Map>().get(&work.map)?;
    let listed = map.old_run.is_none();
    let mut state = checkpoint.unwrap_or_else(|| Checkpoint {
        phase: if listed { Phase::New } else { Phase::Old },
        old_parts: work.old_parts,
        old: work.old,
        ..Checkpoint::default()
    });
    let before = state.done;
    match state.phase {
        Phase::Old => {
            let run = map.old_run.clone().unwrap_or_default();
            if side(cx, &mut map, Which::Old, &run, &mut state)? {
                (state.phase, state.seq) = (Phase::New, 0);
            }
        }
        Phase::New => {
            let run = map.new_run.clone();
            if side(cx, &mut map, Which::New, &run, &mut state)? {
                state.phase = Phase::Match;
            }
        }
        Phase::Match => matched(cx, &mut map, &mut state)?,
    }
    let (done, step) = match state.phase {
        Phase::Old => (state.old, "reading the old website"),
        Phase::New => (state.new, "reading the new website"),
        Phase::Match => (state.done, "matching addresses"),
    };
    let ends = state.phase == Phase::Match && state.done >= state.old;
    let total = (state.phase == Phase::Match).then_some(state.old);
    let progress = Progress::new(done, total, step);
    let units = state.done - before;
    if !ends {
        cx.records::<Map>().save(map)?;
        return Ok(Step::next(state, progress).units(units));
    }
    Which::Old.forget(cx, &map.id, state.old_parts)?;
    Which::New.forget(cx, &map.id, state.new_parts)?;
    map.it.standing = Standing::Ready;
    let map = cx.records::<Map>().save(map)?;
    Ok(Step::done(outcome(cx, &map, &state), progress).units(units))
}

/// Reads some of a side; whether it is whole.
fn side(cx: &Cx, map: &mut Stored<Map>, which: Which, run: &str, state: &mut Checkpoint) -> Result<bool> {
    let most = if which == Which::Old { OLD } else { NEW };
    for _ in 0..BLOBS {
        if cx.elapsed() > LONG {
            break;
        }
        let (parts, pages) = match which {
            Which::Old => (&mut state.old_parts, &mut state.old),
            Which::New => (&mut state.new_parts, &mut state.new),
        };
        let left = most - usize::try_from(*pages).unwrap_or(most).min(most);
        let taken = which.take(cx, &map.id, run, (state.seq, *parts, left), || cx.elapsed() < LONG)?;
        state.seq = taken.seq;
        *parts += 1;
        *pages += taken.kept as u64;
        if taken.ended {
            return Ok(true);
        }
        if taken.kept == left {
            let name = if which == Which::Old { "old" } else { "new" };
            let why =
                format!("only the first {most} pages of the {name} website, in the order of the crawl, were compared");
            map.it.degraded.push(Degraded::new(name, why));
            return Ok(true);
        }
    }
    Ok(false)
}

/// Matches addresses until the step is long.
fn matched(cx: &Cx, map: &mut Stored<Map>, state: &mut Checkpoint) -> Result<()> {
    let old = Which::Old.all(cx, &map.id, state.old_parts);
    let (hidden, new): (Vec<Side>, Vec<Side>) =
        Which::New.all(cx, &map.id, state.new_parts).into_iter().partition(|it| it.hidden);
    let pages = |sides: &[Side]| sides.iter().map(Side::page).collect::<Vec<Page>>();
    let (old_pages, new_pages) = (pages(&old), pages(&new));
    let migration = Migration::new(&old_pages, &new_pages);
    let places: HashMap<&str, usize> = old.iter().enumerate().map(|(at, it)| (it.url.as_str(), at)).collect();
    let own: HashMap<&str, u32> = (0..).zip(&new).map(|(at, it)| (it.url.as_str(), at)).collect();
    let hidden: HashSet<&str> = hidden.iter().map(|it| it.url.as_str()).collect();
    let matching = Matching { map, old: &old, new: &new, migration: &migration, places, own, hidden };
    let mut all = Vec::new();
    for at in usize::try_from(state.done).unwrap_or(usize::MAX)..old.len() {
        if all.len() >= MATCHED || (all.len() >= ROWS && cx.elapsed() > LONG) {
            break;
        }
        all.push(matching.row(at));
    }
    state.done += all.len() as u64;
    all.chunks(ROWS).try_for_each(|rows| keep(cx, map, rows))
}

/// Both sides at hand.
struct Matching<'a> {
    map: &'a Map,
    old: &'a [Side],
    new: &'a [Side],
    migration: &'a Migration<'a>,
    /// Old pages by address.
    places: HashMap<&'a str, usize>,
    /// New pages by address.
    own: HashMap<&'a str, u32>,
    /// Addresses that the new website has and that are not to be found.
    hidden: HashSet<&'a str>,
}

impl Matching<'_> {
    fn row(&self, at: usize) -> Row {
        let page = &self.old[at];
        let first = Row {
            from: page.url.clone(),
            to: None,
            confidence: 0.0,
            verdict: Verdict::Unmatched,
            by: None,
            alike: None,
            fallback: None,
            title: page.title.clone(),
            sketch: page.sketch.clone(),
        };
        if self.own.contains_key(page.url.as_str()) || self.hidden.contains(page.url.as_str()) {
            return Row { to: Some(page.url.clone()), confidence: 1.0, verdict: Verdict::Unchanged, ..first };
        }
        let led = self.led(at);
        // An old redirect may have led to a page that the new website has.
        let there = led.and_then(|to| self.own.get(to));
        let through = led.and_then(|to| self.places.get(to)).copied();
        let found = match (there, through) {
            (Some(to), _) => Some((*to, 1.0, None)),
            (None, through) => {
                let found = self.migration.target(through.unwrap_or(at));
                found.map(|it| (it.page, it.confidence, Some(it)))
            }
        };
        let found = found.filter(|it| it.1 >= REVIEW.min(self.map.min_confidence));
        let Some((to, confidence, found)) = found else {
            let fallback = self.migration.folder(&page.url).map(|at| self.new[at as usize].url.clone());
            return Row { fallback, ..first };
        };
        let sure = confidence >= self.map.min_confidence;
        let by = match found {
            Some(found) if through.is_none() => By::from(found.how),
            _ => By::Redirect,
        };
        Row {
            to: Some(self.new[to as usize].url.clone()),
            confidence: rounded(confidence),
            verdict: if sure { Verdict::Matched } else { Verdict::Review },
            by: Some(by),
            alike: found.map(|it| Alike::from(it.parts)),
            fallback: (!sure)
                .then(|| self.migration.folder(&page.url))
                .flatten()
                .map(|at| self.new[at as usize].url.clone()),
            ..first
        }
    }

    /// Where the redirects and canonicals of an old address end, if it has any.
    fn led(&self, at: usize) -> Option<&str> {
        let mut to = self.old[at].leads.as_deref()?;
        for _ in 0..HOPS {
            match self.places.get(to).and_then(|at| self.old[*at].leads.as_deref()) {
                Some(next) if next != to => to = next,
                _ => break,
            }
        }
        Some(to)
    }
}

fn outcome(cx: &Cx, map: &Stored<Map>, state: &Checkpoint) -> Outcome {
    let clicks = Clicks::newest(cx, &Id::new(map.old_site_id.as_str()));
    let (mut matched, mut unchanged, mut at_risk) = (0, 0, 0);
    let (mut review, mut unmatched) = (Vec::new(), Vec::new());
    for row in super::rows(cx, map) {
        let clicks_28d = clicks.as_ref().map(|it| it.of(&row.from));
        let shown = |row: Row| Shown {
            from: row.from,
            to: row.to,
            confidence: row.confidence,
            by: row.by,
            alike: row.alike,
            fallback: row.fallback,
            clicks_28d,
        };
        match row.verdict {
            Verdict::Matched => matched += 1,
            Verdict::Unchanged => unchanged += 1,
            Verdict::Review => review.push(shown(row)),
            Verdict::Unmatched => unmatched.push(shown(row)),
        }
    }
    for rows in [&mut review, &mut unmatched] {
        at_risk += rows.iter().filter_map(|it| it.clicks_28d).sum::<u64>();
        rows.sort_by(|a, b| b.clicks_28d.cmp(&a.clicks_28d).then_with(|| a.from.cmp(&b.from)));
    }
    let mut degraded = map.degraded.clone();
    if clicks.is_none() {
        let why = "no search figures by page are stored for the old website; search_console.sync.run imports them";
        degraded.push(
            Degraded::new("clicks_28d", why)
                .supplied_by("search_console.sync.run", json!({ "site_id": map.old_site_id })),
        );
    }
    let (review_total, unmatched_total) = (review.len() as u64, unmatched.len() as u64);
    for (name, all) in [("review", &mut review), ("unmatched", &mut unmatched)] {
        let total = all.len();
        shorten(all);
        if all.len() < total {
            let shown = all.len();
            let why =
                format!("the first {shown} of {total} are shown; cms.redirect.map.export with the format csv has all");
            degraded.push(Degraded::new(name, why));
        }
    }
    let export = |format: &str, why: &str| {
        Fix::new("cms.redirect.map.export", json!({ "map_ref": map.id, "format": format })).because(why)
    };
    let mut next = Vec::new();
    if review_total + unmatched_total > 0 {
        next.push(export("csv", "has every row with its confidence, for a person to look at"));
    }
    next.push(export("nginx", "writes the matched rows as rules of a server"));
    let test = Fix::new("cms.redirect.map.test", json!({ "map_ref": map.id }))
        .because("follows the redirects when the new website is live");
    next.push(test);
    Outcome {
        map_ref: map.id.clone(),
        addresses: state.old,
        new_pages: state.new,
        matched,
        unchanged,
        review,
        review_total,
        unmatched,
        unmatched_total,
        clicks_at_risk: clicks.is_some().then_some(at_risk),
        degraded,
        next,
    }
}

/// Leaves the rows that a result has room for.
fn shorten(rows: &mut Vec<Shown>) {
    let mut bytes = 0;
    let fits = |row: &&Shown| {
        let fallback = row.fallback.as_ref().map_or(0, String::len);
        bytes += row.from.len() + row.to.as_ref().map_or(0, String::len) + fallback + 250;
        bytes <= SHOWN_BYTES
    };
    let count = rows.iter().take(SHOWN).take_while(fits).count();
    rows.truncate(count);
}
