//! One round of automatic submission.

use std::collections::{BTreeMap, HashMap};

use sdk::Degraded;
use sdk::prelude::*;

use super::{Engine, Handed, pushes};
use crate::stored::{AutoSubmit, Receiver};
use crate::submission::{self, Ready};
use crate::{bing, indexnow};
use addresses::Known;
use site::{Segment, Site};

/// Addresses that may wait for one engine; more are of no use to it.
const WAITING: usize = 10_000;
/// The most addresses of one batch to Bing.
const BATCH: usize = 500;

/// Addresses that wait, by engine: address, hash of its text, and whether it is gone.
type Waiting = BTreeMap<String, Vec<(String, String, bool)>>;

fn blob(site: &Id<Site>) -> String {
    format!("auto_submit/{site}")
}

/// Forgets what waits.
pub(super) fn forget(cx: &Cx, site: &Id<Site>) -> Result<()> {
    write(cx, site, &Waiting::new())
}

fn write(cx: &Cx, site: &Id<Site>, waiting: &Waiting) -> Result<()> {
    cx.blobs().write(&blob(site), &serde_json::to_vec(waiting).unwrap_or_default())
}

/// Hands over what changed since the crawl that was noted last, and what waited.
pub(super) fn hand_over(
    cx: &Cx,
    site: &Stored<Site>,
    it: &mut AutoSubmit,
    degraded: &mut Vec<Degraded>,
) -> Result<Vec<Handed>> {
    let bytes = cx.blobs().read(&blob(&site.id), 0, 8 << 20).unwrap_or_default();
    let mut waiting: Waiting = serde_json::from_slice(&bytes).unwrap_or_default();
    let mut changed = changes(cx, site, it, degraded)?;
    changed.extend(pushes::since(cx, site, it)?);
    let mut out = Vec::new();
    for engine in it.engines.clone() {
        let queue = waiting.entry(engine.word().to_owned()).or_default();
        for one in &changed {
            // The newest state of an address is the one that counts.
            queue.retain(|(url, _, _)| *url != one.url);
            if queue.len() < WAITING {
                queue.push((one.url.clone(), one.text_sha256.clone(), one.removed));
            }
        }
        out.push(tell(cx, site, engine, it.daily_cap, queue)?);
    }
    it.waiting = waiting
        .iter()
        .map(|(engine, queue)| (engine.clone(), u32::try_from(queue.len()).unwrap_or(u32::MAX)))
        .collect();
    it.looked_ms = Some(cx.now().millis());
    write(cx, &site.id, &waiting)?;
    Ok(out)
}

/// What is new, changed or gone between the crawl that was noted last and the newest one.
fn changes(cx: &Cx, site: &Stored<Site>, it: &mut AutoSubmit, degraded: &mut Vec<Degraded>) -> Result<Vec<Ready>> {
    let Some(run) = site::newest(cx, &site.id) else {
        degraded.push(Degraded::new("crawl", "no crawl of this website has ended; there is nothing to compare"));
        return Ok(Vec::new());
    };
    let noted = it.run_ref.replace(run.id.to_string());
    let Some(noted) = noted.filter(|noted| *noted != run.id.as_str()) else { return Ok(Vec::new()) };
    let segment = it.segment_ref.as_ref().map(|it| Id::<Segment>::new(it.clone()));
    let segment = site::rules(cx, site.id.as_str(), segment.as_ref())?;
    let (before, after) = (addresses::of(cx, &Id::new(noted)), addresses::of(cx, &run.id));
    degraded.extend(before.degraded.into_iter().chain(after.degraded));
    let old: HashMap<&str, &Known> = before.all.iter().map(|it| (it.url.as_str(), it)).collect();
    let mut out = Vec::new();
    for page in after.all.iter().filter(|it| site::held(segment.as_ref(), &it.url)) {
        let known = old.get(page.url.as_str());
        let ready = |removed: bool| Ready { url: page.url.clone(), text_sha256: page.text_sha256.clone(), removed };
        if page.is_indexable() && page.status == 200 {
            let same = known.is_some_and(|it| it.is_indexable() && it.text_sha256 == page.text_sha256);
            if !same {
                out.push(ready(false));
            }
        } else if known.is_some_and(|it| it.is_indexable()) && (page.is_gone() || page.reason == "redirect") {
            out.push(ready(page.is_gone()));
        }
    }
    Ok(out)
}

/// Tells one engine what fits into its day; the rest waits.
fn tell(
    cx: &Cx,
    site: &Stored<Site>,
    engine: Engine,
    cap: u32,
    queue: &mut Vec<(String, String, bool)>,
) -> Result<Handed> {
    let receiver = match engine {
        Engine::IndexNow => Receiver::IndexNow,
        Engine::Bing => Receiver::Bing,
    };
    let used = submission::today(cx, &site.id, receiver);
    let mut room = usize::try_from(u64::from(cap).saturating_sub(used)).unwrap_or(0);
    let mut handed = Handed { engine, submitted: 0, skipped: 0, waiting: 0, response_code: None, failure: None };
    let outcome = match engine {
        Engine::IndexNow => indexnow::target(cx, site).and_then(|target| {
            let outside = queue.len();
            queue.retain(|(url, _, _)| target.speaks_for(url));
            handed.skipped += u32::try_from(outside - queue.len()).unwrap_or(0);
            let ready = first(queue, room);
            if ready.is_empty() {
                Ok((ready, None))
            } else {
                indexnow::send(cx, &site.id, &target, &ready).map(|code| (ready, Some(code)))
            }
        }),
        Engine::Bing => bing::site(cx, site).and_then(|reached| {
            room = room.min(bing::quota(cx, &reached)? as usize).min(BATCH);
            let ready = first(queue, room);
            if ready.is_empty() {
                Ok((ready, None))
            } else {
                bing::send(cx, &site.id, &reached, &ready).map(|()| (ready, Some(200)))
            }
        }),
    };
    match outcome {
        Ok((ready, code)) => {
            handed.response_code = code;
            if code.is_none_or(|it| (200..300).contains(&it)) {
                queue.drain(..ready.len());
                handed.submitted = u32::try_from(ready.len()).unwrap_or(u32::MAX);
            } else {
                handed.failure = Some(indexnow::meaning(code).to_owned());
            }
        }
        // One engine's trouble keeps no other from being told.
        Err(fault) => handed.failure = Some(fault.code),
    }
    handed.waiting = u32::try_from(queue.len()).unwrap_or(u32::MAX);
    Ok(handed)
}

fn first(queue: &[(String, String, bool)], room: usize) -> Vec<Ready> {
    let ready = |(url, text, removed): &(String, String, bool)| Ready {
        url: url.clone(),
        text_sha256: text.clone(),
        removed: *removed,
    };
    queue.iter().take(room).map(ready).collect()
}
