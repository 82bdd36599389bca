//! The job of a verification: some pages a step, then all looks are joined with those before.

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::{Degraded, Failure, Next, Progress, Request, Response, json};
use site::Site;

use super::look::{CANDIDATES, Read, read};
use super::select::Wanted;
use super::topic::{Measure, Topic};
use crate::link::{flag, rels, same_text};
use crate::looked::{Answered, Looked, Page, State};
use crate::outside::{PAUSE_MS, Reading, Round};
use crate::stored::{packed, unpacked};

const MAX_BLOB: u32 = 8 << 20;
const TIMEOUT_MS: u32 = 8_000;
/// Links that the result lists.
const LISTED: usize = 100;
/// Pages to look at of one part.
const OF_PART: usize = 2_000;

/// What the job works on.
#[value]
pub(crate) struct Payload {
    pub(super) site_id: Id<Site>,
    pub(super) pages: u64,
    pub(super) links: u64,
}

/// What one step hands to the next.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Checkpoint {
    reading: Reading,
    /// Blobs of looks.
    blobs: u32,
    links: u64,
}

/// A link that is not as it was.
#[value]
pub(crate) struct Changed {
    source: String,
    target: Option<String>,
    #[own]
    change: String,
    /// What it was and what it is.
    before: String,
    after: String,
}

/// A link that is gone.
#[value]
pub(crate) struct Gone {
    source: String,
    target: Option<String>,
    anchor: String,
    page: Answered,
    status: u16,
    /// The day of the first look that did not find it.
    missed_on: Option<Day>,
}

/// The result of a verification.
#[value]
pub(crate) struct Outcome {
    /// Links that were looked at.
    links: u64,
    pages: u64,
    live: u64,
    /// Not found for the first time; one more look on another day makes them lost.
    missing: u64,
    lost_total: u64,
    /// Whose page could not be looked at.
    unknown: u64,
    /// By how their pages answered.
    by_answer: BTreeMap<String, u64>,
    /// The first 100.
    changed: Vec<Changed>,
    changed_total: u64,
    /// The first 100 of those that are lost or missing.
    lost: Vec<Gone>,
    degraded: Vec<Degraded>,
    next: Vec<Next>,
}

fn list(site: &Id<Site>, part: usize) -> String {
    format!("verify/{site}/{part}")
}

fn looks(site: &Id<Site>, part: u32) -> String {
    format!("seen/{site}/{part}")
}

/// Keeps which pages are looked at.
///
/// # Errors
/// The host's refusal of a blob.
pub(super) fn keep(cx: &Cx, site: &Id<Site>, wanted: &[Wanted]) -> Result<()> {
    wanted.chunks(OF_PART).enumerate().try_for_each(|(at, part)| cx.blobs().write(&list(site, at), &packed(part)))
}

fn damaged() -> Fault {
    Fault::unavailable("storage_damaged", "what is to be verified cannot be read; start the verification again")
}

/// Reads what was kept.
fn kept(cx: &Cx, site: &Id<Site>, pages: u64) -> Result<Vec<Wanted>> {
    let mut all = Vec::new();
    let count = usize::try_from(pages).unwrap_or(0);
    for part in 0..count.div_ceil(OF_PART) {
        let bytes = cx.blobs().read(&list(site, part), 0, MAX_BLOB).ok_or_else(damaged)?;
        all.extend(unpacked::<Wanted>(&bytes).ok_or_else(damaged)?);
    }
    Ok(all)
}

/// Looks at some pages, or ends.
#[step]
pub(crate) fn verify(
    cx: &Cx,
    payload: Payload,
    checkpoint: Option<Checkpoint>,
) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let mut state = checkpoint.unwrap_or_default();
    let site = site::get(cx, &payload.site_id)?;
    let wanted = kept(cx, &site.id, payload.pages)?;
    let topic = Topic::kept(cx, &site.id);
    let measure = topic.as_ref().map(Topic::measure);
    let looker = Looker { cx, site: &site, measure: measure.as_ref(), today: cx.now().day().since_epoch() };
    if state.reading.is_done(wanted.len()) {
        return finish(cx, &site, &payload, &wanted, state, topic.is_some());
    }
    let (mut pages, before): (Vec<Page>, u64) = (Vec::new(), state.links);
    let is_waiting = state.reading.step(cx, wanted.len(), |some, room| looker.round(some, &wanted, room, &mut pages));
    state.links += pages.iter().map(|it| it.links.len() as u64).sum::<u64>();
    if !pages.is_empty() {
        cx.blobs().write(&looks(&site.id, state.blobs), &packed(&pages))?;
        state.blobs += 1;
    }
    let progress = Progress::new(state.links, payload.links, "looking at pages");
    let units = state.links - before;
    Ok(Step::next(state, progress).units(units).after(if is_waiting { PAUSE_MS } else { 0 }))
}

/// Looks at pages.
struct Looker<'a> {
    cx: &'a Cx,
    site: &'a Stored<Site>,
    measure: Option<&'a Measure<'a>>,
    today: i32,
}

impl Looker<'_> {
    /// Looks at some pages, until so many bytes are read.
    fn round(&self, some: &[usize], wanted: &[Wanted], room: usize, pages: &mut Vec<Page>) -> Round {
        let urls: Vec<(usize, Url)> =
            some.iter().filter_map(|at| Some((*at, wanted[*at].source.parse().ok()?))).collect();
        let requests = urls.iter().map(|(_, url)| site::live::request(url, site::live::Reach::PAGE));
        let answers = self.cx.web().fetch_many(requests);
        let (mut round, mut reads) = (Round { requests: urls.len(), ..Round::default() }, Vec::new());
        for ((at, _), answer) in urls.iter().zip(&answers) {
            if matches!(answer, Err(Failure::Paced(_))) {
                round.paced.push(*at);
            } else if round.bytes > room {
                round.unread.push(*at);
            } else {
                round.bytes += answer.as_ref().map_or(0, |it| it.body.len());
                reads.push((*at, read(&wanted[*at], answer, self.site, self.measure, self.today)));
            }
        }
        round.requests += reads.iter().map(|it: &(usize, Read)| it.1.candidates.len()).sum::<usize>();
        pages.extend(self.judged(reads, wanted));
        round
    }

    /// Follows what may lead to a sought link, and judges.
    fn judged(&self, mut reads: Vec<(usize, Read)>, wanted: &[Wanted]) -> Vec<Page> {
        let mut asked: Vec<(usize, usize, Url)> = Vec::new();
        for (at, (_, it)) in reads.iter().enumerate() {
            let urls = it.candidates.iter().take(CANDIDATES).enumerate();
            asked.extend(urls.filter_map(|(number, it)| Some((at, number, it.url.parse().ok()?))));
        }
        if !asked.is_empty() {
            let requests = asked.iter().map(|it| Request::head(&it.2).follow(5).timeout(TIMEOUT_MS));
            let answers = self.cx.web().fetch_many(requests);
            for ((at, number, _), answer) in asked.iter().zip(answers) {
                let Ok(Response { url, status: 200..=299, .. }) = answer else { continue };
                let landed = kit::url::normalize(&url).unwrap_or(url);
                let (page, it) = &mut reads[*at];
                it.follow(*number, &landed, &wanted[*page], self.site);
            }
        }
        reads.into_iter().map(|(at, it)| it.judged(&wanted[at])).collect()
    }
}

fn finish(
    cx: &Cx,
    site: &Stored<Site>,
    payload: &Payload,
    wanted: &[Wanted],
    state: Checkpoint,
    has_topic: bool,
) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let mut pages: Vec<Page> = Vec::new();
    for part in 0..state.blobs {
        let bytes = cx.blobs().read(&looks(&site.id, part), 0, MAX_BLOB).ok_or_else(damaged)?;
        pages.extend(unpacked::<Page>(&bytes).ok_or_else(damaged)?);
    }
    let mut told = Outcome {
        links: 0,
        pages: pages.len() as u64,
        live: 0,
        missing: 0,
        lost_total: 0,
        unknown: 0,
        by_answer: BTreeMap::new(),
        changed: Vec::new(),
        changed_total: 0,
        lost: Vec::new(),
        degraded: Vec::new(),
        next: Vec::new(),
    };
    let sought: BTreeMap<&str, &Wanted> = wanted.iter().map(|it| (it.source.as_str(), it)).collect();
    for page in &pages {
        told.add(page, sought.get(page.source.as_str()).copied());
    }
    if !state.reading.left() == 0 {
        let why =
            format!("the hosts of {} pages asked for a pause each time; they were not looked at", state.reading.left());
        let again = json!({ "site_id": site.id });
        told.degraded.push(Degraded::new("pages", why).supplied_by("backlinks.verify.run", again));
    }
    if !has_topic {
        let why = "no crawl of the website has ended, so how alike the pages are to it is not known";
        let crawl = json!({ "site_id": site.id });
        told.degraded.push(Degraded::new("similarity", why).supplied_by("crawl.run.start", crawl));
    }
    let site_id = json!({ "site_id": site.id });
    told.next.push(Next::new("backlinks.change.report", site_id.clone(), "shows what was lost and why"));
    told.next.push(Next::new("backlinks.quality.score", site_id, "scores the domains by what was seen"));
    let gone = Looked::of(cx, &site.id).join(pages)?;
    if gone > 0 {
        let why = format!("looks at {gone} pages were dropped, the oldest: a website keeps 200,000");
        told.degraded.push(Degraded::new("looks", why));
    }
    for part in 0..state.blobs {
        cx.blobs().remove(&looks(&site.id, part))?;
    }
    for part in 0..wanted.len().div_ceil(OF_PART) {
        cx.blobs().remove(&list(&site.id, part))?;
    }
    let progress = Progress::new(payload.links, payload.links, "done");
    Ok(Step::done(told, progress))
}

impl Outcome {
    fn add(&mut self, page: &Page, wanted: Option<&Wanted>) {
        let answered = sdk::serde_json::to_value(page.answered).ok();
        let name = answered.as_ref().and_then(|it| it.as_str()).unwrap_or_default().to_owned();
        *self.by_answer.entry(name).or_default() += page.links.len() as u64;
        for link in &page.links {
            self.links += 1;
            match link.state {
                State::Live => self.live += 1,
                State::Missing => self.missing += 1,
                State::Lost => self.lost_total += 1,
                State::Unknown => self.unknown += 1,
            }
            let target = (!link.target.is_empty()).then(|| link.target.clone());
            if matches!(link.state, State::Missing | State::Lost) && self.lost.len() < LISTED {
                self.lost.push(Gone {
                    source: page.source.clone(),
                    target: target.clone(),
                    anchor: link.anchor.clone(),
                    page: page.answered,
                    status: page.status,
                    missed_on: crate::given::day(link.missed),
                });
            }
            let Some(before) = wanted.and_then(|it| it.links.iter().find(|it| it.target == link.target)) else {
                continue;
            };
            if link.state != State::Live {
                continue;
            }
            let mut tell = |change: &str, before: String, after: String| {
                self.changed_total += 1;
                if self.changed.len() < LISTED {
                    let (source, target) = (page.source.clone(), target.clone());
                    self.changed.push(Changed { source, target, change: change.to_owned(), before, after });
                }
            };
            if (before.flags ^ link.flags) & flag::UNFOLLOWED != 0 {
                tell("rel", written(before.flags), written(link.flags));
            }
            if !before.anchor.is_empty() && !same_text(&before.anchor, &link.anchor) {
                tell("anchor", before.anchor.clone(), link.anchor.clone());
            }
        }
    }
}

/// The attributes of a link as they are written.
fn written(flags: u16) -> String {
    let names: Vec<&str> = rels(flags).collect();
    if names.is_empty() { "follow".to_owned() } else { names.join(" ") }
}
