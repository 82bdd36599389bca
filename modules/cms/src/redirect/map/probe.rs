//! The operation `cms.redirect.map.test`, and its job.

mod way;

use sdk::prelude::*;
use sdk::{Degraded, Fix, IsQueued, Next, Progress, json};
use search::Clicks;
use serde::{Deserialize, Serialize};

use super::{MOST, Map, Row, SHOWN_BYTES, Verdict, lines, read, ready, rows};
use way::{Way, follow};

/// Addresses of one batch: they are asked for together.
const BATCH: usize = 8;
/// A step that has asked so often hands over; each batch asks up to 88 times.
const ASKED: usize = 80;
/// Addresses of one blob.
const CHOSEN: usize = 400;
/// Times that a batch waits for a host that asks for a pause.
const PAUSES: u32 = 5;
/// The longest pause of one wait, in seconds.
const PAUSE: u32 = 120;
/// Rows that the result shows of each kind.
const SHOWN: usize = 500;

#[args]
pub(crate) struct Test {
    /// The map, as `cms.redirect.map.build` named it.
    map_ref: Id<Map>,
    /// Addresses to follow; those with the most clicks come first.
    #[default(1_000)]
    max_urls: Count<1, 5_000>,
}

/// A test whose job was queued.
#[value]
pub(crate) struct Started {
    job_ref: Id<Job>,
    map_ref: Id<Map>,
    /// Always `queued`; the job's result says what was found.
    state: IsQueued,
    /// What to do next.
    next: Vec<Next>,
}

/// What the job is given.
#[value]
pub(crate) struct Work {
    map: Id<Map>,
    /// The name of the blobs of the chosen rows.
    chosen: String,
    urls: u64,
}

/// What is wrong with a redirect, or could be better.
#[value]

pub(crate) enum Problem {
    /// The old address answers a page itself.
    NotRedirected,
    /// The old address answers 404 or 410.
    NotFound,
    /// It ends elsewhere.
    WrongTarget,
    /// It leads in a circle.
    Loop,
    /// There are more than ten redirects.
    TooManyHops,
    /// Nothing answers, at the old address or on the way.
    NoAnswer,
    /// What it leads to does not answer 200.
    TargetStatus,
    /// What it leads to is not to be indexed.
    TargetNoindex,
    /// It ends where it should, after more than one redirect.
    Chain,
    /// It ends where it should, by a redirect that says "for now" (302, 303, 307).
    Temporary,
    /// The page there has neither the title nor the text of the old one.
    ContentDiffers,
}

impl Problem {
    /// Whether visitors still arrive.
    const fn is_mild(self) -> bool {
        matches!(self, Self::Chain | Self::Temporary | Self::ContentDiffers)
    }
}

/// A redirect as it was followed.
#[value]
pub(crate) struct Followed {
    from: String,
    /// Where the map sends it.
    expected: String,
    /// Where it ended; null when nothing answered there.
    got: Option<String>,
    /// The status of the last answer; 0 without one.
    status: u16,
    /// Each redirect on the way, with its status.
    hops: Vec<Hop>,
    problem: Problem,
    /// How much of the old page the new one has; null when the old page is not known.
    kept: Option<Kept>,
    clicks_28d: Option<u64>,
}

/// A redirect on the way.
#[value]
pub(crate) struct Hop {
    url: String,
    status: u16,
}

/// How much of an old page a new one has, each from 0 to 1; null where it is not known of both.
#[value]
pub(crate) struct Kept {
    /// The share of the words of its title.
    title: Option<f64>,
    /// The share of 5-word shingles that both texts have.
    text: Option<f64>,
}

/// An address that could not be judged.
#[value]
pub(crate) struct Unknown {
    from: String,
    why: String,
}

/// What the job ends with.
#[value]
#[derive(Default)]
pub(crate) struct Outcome {
    map_ref: String,
    /// Addresses that were followed.
    tested: u64,
    /// Of these, those that end where the map sends them.
    passed: u64,
    /// Of these, those that do not, the most clicks first; at most 500.
    failed: Vec<Followed>,
    failed_total: u64,
    /// Addresses that arrive and could be better; at most 500.
    warnings: Vec<Followed>,
    warnings_total: u64,
    /// Addresses that nothing is known of, such as those that robots.txt forbids and those that keep programs out.
    unknown: Vec<Unknown>,
    unknown_total: u64,
    /// Clicks of the last 28 days on addresses that passed; null when none are stored.
    clicks_passed: Option<u64>,
    /// Clicks of the last 28 days on addresses that failed; null when none are stored.
    clicks_failed: Option<u64>,
    degraded: Vec<Degraded>,
    /// What to do next.
    next: Vec<Next>,
}

/// What one step hands to the next.
#[value]
#[derive(Default)]
pub(crate) struct Checkpoint {
    done: u64,
    pauses: u32,
    /// Bytes of the rows that the result shows, of those that failed and of the warnings.
    failed_bytes: u64,
    warning_bytes: u64,
    outcome: Outcome,
}

/// A row that was chosen, with its clicks.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Chosen {
    row: Row,
    clicks_28d: Option<u64>,
}

/// Tests a redirect map live: status, hops, final URL equals planned, loops and content match, weighted by clicks and backlinks at risk.
///
/// Each matched address is asked for as a visitor would, and every redirect on the way is seen. Addresses with the most clicks
/// come first. Pages are compared with what the crawl of the old website kept of them.
#[operation(
    job,
    scope = "seo:analyze",
    cost = job(unit = "checks", every = 20, most = max_urls),
    queued(step = "probe"),
    result_operation = "account.job.get",
    side_effects = ["asks the old website for its addresses"],
    needs = ["store", "web", "jobs"],
    phrasings = [
        "do our migration redirects work",
        "test the redirect map live",
        "check that every old url arrives at the new page",
        "which redirects failed after the relaunch",
    ],
    examples = [{ "map_ref": "map_01" }, { "map_ref": "map_01", "max_urls": 200 }]
)]
pub(crate) fn test(cx: &Cx, args: Test) -> Result<Started> {
    let map = ready(cx, &args.map_ref)?;
    let clicks = Clicks::newest(cx, &Id::new(map.old_site_id.as_str()));
    let with_clicks = |row: Row| Chosen { clicks_28d: clicks.as_ref().map(|it| it.of(&row.from)), row };
    let mut chosen: Vec<Chosen> =
        rows(cx, &map).filter(|row| row.verdict == Verdict::Matched).map(with_clicks).collect();
    if chosen.is_empty() {
        let message = "no row of this map is matched; those for review are in the CSV of cms.redirect.map.export";
        return Err(Fault::conflict("nothing_matched", message).at("/map_ref"));
    }
    // Those of the same clicks stay in the order of the crawl: the home page and what is near it first.
    chosen.sort_by_key(|it| std::cmp::Reverse(it.clicks_28d));
    chosen.truncate(usize::from(args.max_urls));
    let name = wordpress::batch(cx);
    for (part, some) in (0_usize..).zip(chosen.chunks(CHOSEN)) {
        cx.blobs().write(&blob(&map.id, &name, part), &lines(some))?;
    }
    let work = Work { map: map.id.clone(), chosen: name, urls: chosen.len() as u64 };
    let job_ref = cx.jobs().enqueue("probe", &work)?;
    let next = Fix::new("account.job.get", json!({ "job_ref": job_ref }))
        .because("says how far the job is, and in the end which redirects failed");
    Ok(Started { job_ref, map_ref: map.id.clone(), state: IsQueued::Queued, next: vec![next] })
}

fn blob(map: &Id<Map>, name: &str, part: usize) -> String {
    format!("redirect_maps/{map}/test/{name}/{part}")
}

/// Follows some addresses in each step.
#[step]
pub(crate) fn work(cx: &Cx, work: Work, checkpoint: Option<Checkpoint>) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let mut state = checkpoint.unwrap_or_default();
    let (mut asked, mut wait, before) = (0, None, state.done);
    while asked < ASKED && state.done < work.urls && wait.is_none() {
        let at = usize::try_from(state.done).unwrap_or(usize::MAX);
        let key = blob(&work.map, &work.chosen, at / CHOSEN);
        let some: Vec<Chosen> = read(&cx.blobs().read(&key, 0, MOST).unwrap_or_default());
        for batch in some[(at % CHOSEN).min(some.len())..].chunks(BATCH) {
            let (ways, pause) = follow(cx, batch, &mut asked);
            if let Some(seconds) = pause.filter(|_| state.pauses < PAUSES) {
                state.pauses += 1;
                wait = Some(seconds.min(PAUSE) * 1_000);
                break;
            }
            state.pauses = 0;
            batch.iter().zip(ways).for_each(|(chosen, way)| state.add(chosen, way));
            state.done += batch.len() as u64;
            if asked >= ASKED {
                break;
            }
        }
        if some.is_empty() {
            break;
        }
    }
    let step = if wait.is_some() { "waiting for the website, which asked for a pause" } else { "following redirects" };
    let progress = Progress::new(state.done, work.urls, step);
    let units = state.done - before;
    if state.done < work.urls && (units > 0 || wait.is_some()) {
        return Ok(Step::next(state, progress).after(wait.unwrap_or(0)).units(units));
    }
    let parts = usize::try_from(work.urls).unwrap_or(0).div_ceil(CHOSEN);
    (0..parts).try_for_each(|part| cx.blobs().remove(&blob(&work.map, &work.chosen, part)))?;
    if state.done < work.urls {
        let why = format!("{} addresses were not followed: what the job kept of them is gone", work.urls - state.done);
        state.outcome.degraded.push(Degraded::new("tested", why));
    }
    Ok(Step::done(state.outcome.ended(&work), progress).units(units))
}

impl Checkpoint {
    fn add(&mut self, chosen: &Chosen, way: Way) {
        let all = &mut self.outcome;
        if let Some(why) = way.unknown() {
            all.unknown_total += 1;
            if all.unknown.len() < SHOWN {
                all.unknown.push(Unknown { from: chosen.row.from.clone(), why: why.to_owned() });
            }
            return;
        }
        all.tested += 1;
        let kept = way.end.as_ref().and_then(|facts| Kept::of(&chosen.row, facts));
        let problem = way.problem(&chosen.row, kept.as_ref());
        let passed = problem.is_none_or(Problem::is_mild);
        let clicks = if passed { &mut all.clicks_passed } else { &mut all.clicks_failed };
        *clicks = chosen.clicks_28d.map(|it| it + clicks.unwrap_or(0)).or(*clicks);
        all.passed += u64::from(passed);
        let Some(problem) = problem else { return };
        let (total, shown, bytes) = match passed {
            true => (&mut all.warnings_total, &mut all.warnings, &mut self.warning_bytes),
            false => (&mut all.failed_total, &mut all.failed, &mut self.failed_bytes),
        };
        *total += 1;
        let own = way.hops.iter().map(|hop| hop.url.len() + 30).sum::<usize>() + 3 * chosen.row.from.len() + 300;
        *bytes += own as u64;
        if shown.len() < SHOWN && *bytes <= SHOWN_BYTES as u64 {
            shown.push(Followed {
                from: chosen.row.from.clone(),
                expected: chosen.row.to.clone().unwrap_or_default(),
                status: way.end.as_ref().map_or(0, |it| it.status),
                got: way.end.as_ref().filter(|it| it.status > 0).map(|_| way.at.clone()),
                hops: way.hops,
                problem,
                kept,
                clicks_28d: chosen.clicks_28d,
            });
        }
    }
}

impl Outcome {
    /// With what is said at the end.
    fn ended(mut self, work: &Work) -> Self {
        self.map_ref = work.map.to_string();
        for (name, shown, total) in [
            ("failed", self.failed.len(), self.failed_total),
            ("warnings", self.warnings.len(), self.warnings_total),
            ("unknown", self.unknown.len(), self.unknown_total),
        ] {
            if total > shown as u64 {
                self.degraded.push(Degraded::new(name, format!("{shown} of {total} are shown")));
            }
        }
        match (self.clicks_passed, self.clicks_failed) {
            (None, None) => {
                let why = "no search figures by page are stored for the old website, so addresses were taken in the order of the crawl";
                self.degraded.push(Degraded::new("clicks_28d", why));
            }
            // Where figures are stored, nothing is zero.
            (passed, failed) => (self.clicks_passed, self.clicks_failed) = (passed.or(Some(0)), failed.or(Some(0))),
        }
        if self.failed_total > 0 {
            let rules = Fix::new("cms.redirect.map.export", json!({ "map_ref": work.map, "format": "nginx" }));
            self.next.push(rules.because("has the rules that these addresses wait for"));
        }
        self
    }
}
