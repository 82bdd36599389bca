//! The job of an import: reads the file in steps, decides about its hours, merges them month by month, and tidies up.

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::{JobState, Progress, Upload};
use search::{Month, Period};
use site::Site;

use super::claims::{self, Lists};
use super::merge::{self, Change};
use super::outcome::{Outcome, days, outcome};
use super::reading::{self, File, With};
use super::rules::Rules;
use super::state::{self, State};
use super::{hours, run};
use crate::stored::{self, Import, Mark, Merging, Source};

/// How long figures by hour are kept, and addresses of claimed bots.
pub(crate) const KEPT_MS: u64 = 7 * 86_400_000;
/// Milliseconds after which an import looks again whether another one has ended.
const AGAIN_MS: u32 = 3_000;
/// Bytes of a file that is fetched.
const MAX_FETCHED: u32 = 8 << 20;
/// Imports among which those whose hours are no longer kept are looked for.
const RECENT: usize = 200;
/// Days that a result lists.
pub(super) const DAYS: usize = 400;

/// What the job works on.
#[value]
pub(crate) struct Payload {
    pub(super) import_ref: Id<Import>,
    pub(super) upload_ref: Option<Id<Upload>>,
    pub(super) url: Option<Url>,
    pub(super) from: Option<Day>,
    pub(super) to: Option<Day>,
    pub(super) most_lines: u64,
}

/// What one step hands to the next; the rest is in a blob.
#[value]
pub(crate) enum Phase {
    /// The file is read.
    Reading,
    /// Another import of the website is merged.
    Waiting,
    /// Months are merged.
    Months,
    /// The newest visits are merged.
    Newest,
}

/// One step.
#[step]
pub(crate) fn import(cx: &Cx, payload: Payload, checkpoint: Option<Phase>) -> Result<Step<Phase, Progress, Outcome>> {
    let import = cx.records::<Import>().get(&payload.import_ref)?;
    let source = cx.records::<Source>().get(&Id::new(import.source_ref.clone()))?;
    let site = site::get(cx, &Id::new(import.site_id.clone()))?;
    match checkpoint {
        None | Some(Phase::Reading) => read(cx, &payload, &import, &source, &site, checkpoint.is_none()),
        Some(Phase::Waiting) => wait(cx, &import, &source, &site),
        Some(Phase::Months) => months(cx, &import, &source, &site),
        Some(Phase::Newest) => newest(cx, &payload, import, &site),
    }
}

fn read(
    cx: &Cx,
    payload: &Payload,
    import: &Stored<Import>,
    source: &Stored<Source>,
    site: &Stored<Site>,
    is_first: bool,
) -> Result<Step<Phase, Progress, Outcome>> {
    let id = import.id.as_str();
    if is_first {
        claims::refresh(cx)?;
        if let Some(url) = &payload.url {
            fetch(cx, import, source, url)?;
        }
    }
    let mut state = if is_first { State::new() } else { State::read(cx, id)? };
    let (file, bytes) = match &payload.upload_ref {
        Some(reference) => (File::Upload(reference.clone()), Some(cx.uploads().get(reference)?.bytes)),
        None => (File::Blob(fetched(id)), None),
    };
    let lists = Lists::stored(cx);
    let mark = mark(cx, source)?;
    let (rules, period) = (Rules::of(site, source), payload.from.zip(payload.to));
    let with = With {
        import: id,
        file: &file,
        source,
        rules: &rules,
        lists: &lists,
        mark: mark.as_bytes(),
        period: period.map(|(first, last)| Period { first, last }),
        most: payload.most_lines,
    };
    reading::read(cx, &with, &mut state)?;
    let progress = Progress::new(state.offset, bytes, "reading bytes");
    let phase = if state.ended { Phase::Waiting } else { Phase::Reading };
    state.keep(cx, id)?;
    Ok(Step::next(phase, progress))
}

/// The key that addresses of this month are hashed by; keys of two months ago are forgotten.
fn mark(cx: &Cx, source: &Stored<Source>) -> Result<String> {
    let month = Month::of(cx.now().day());
    let kept = [month.to_string(), month.previous().to_string()];
    if let Some(mark) = source.marks.iter().find(|it| it.month == kept[0]) {
        return Ok(mark.key.clone());
    }
    let mark = Mark { month: kept[0].clone(), key: kit::text::hex(&cx.random::<16>()) };
    let key = mark.key.clone();
    cx.records::<Source>().update(&source.id, |it| {
        it.marks.retain(|it| kept.contains(&it.month));
        it.marks.push(mark);
    })?;
    Ok(key)
}

fn fetched(import: &str) -> String {
    format!("runs/{import}/file")
}

/// Fetches a file of up to 8 MiB and keeps it until it is read.
fn fetch(cx: &Cx, import: &Stored<Import>, source: &Stored<Source>, url: &Url) -> Result<()> {
    let request = Request::get(url).max_bytes(MAX_FETCHED).follow(5).timeout(30_000);
    let answer = cx.web().fetch(&request).map_err(|failure| {
        let message = format!("the file could not be fetched: {}", failure.name());
        failure.unasked("/url").unwrap_or_else(|| Fault::conflict("file_not_fetched", message).at("/url"))
    })?;
    if answer.status != 200 {
        let message = format!("the address of the file answers {}", answer.status);
        return Err(Fault::conflict("file_not_fetched", message).at("/url"));
    }
    if answer.truncated {
        let message = "the file has more than 8 MiB; hand it over as an upload, which logs.source.save opens";
        return Err(Fault::conflict("upload_needed", message).at("/url"));
    }
    let sha256 = kit::text::hex(&kit::text::sha256(&answer.body));
    run::duplicate(cx, source, &sha256)?;
    cx.blobs().write(&fetched(import.id.as_str()), &answer.body)?;
    cx.records::<Import>().update(&import.id, |it| it.sha256 = sha256)?;
    Ok(())
}

/// Begins to merge, once no other import of the website does.
fn wait(
    cx: &Cx,
    import: &Stored<Import>,
    source: &Stored<Source>,
    site: &Stored<Site>,
) -> Result<Step<Phase, Progress, Outcome>> {
    if !take_turn(cx, &site.id, import.job_ref.as_ref())? {
        let progress = Progress::new(0, None, "waiting for another import of this website");
        return Ok(Step::next(Phase::Waiting, progress).after(AGAIN_MS));
    }
    let mut state = State::read(cx, import.id.as_str())?;
    let all: std::collections::BTreeSet<i32> = state
        .hours
        .keys()
        .map(|hour| Month::of(Day::from_epoch(i32::try_from(hour / 24).unwrap_or(0))).first().since_epoch())
        .collect();
    state.months = all.into_iter().collect();
    tidy(cx, &source.site_id)?;
    let progress = Progress::new(0, state.months.len() as u64, "merging months");
    state.keep(cx, import.id.as_str())?;
    Ok(Step::next(if state.months.is_empty() { Phase::Newest } else { Phase::Months }, progress))
}

/// Takes the turn of merging into a website's figures; `false` while another job has it.
pub(crate) fn take_turn(cx: &Cx, site: &Id<Site>, job: Option<&Id<Job>>) -> Result<bool> {
    let job = job.map(ToString::to_string).unwrap_or_default();
    let turns = cx.records::<Merging>();
    let id: Id<Merging> = site.cast();
    match turns.find(&id) {
        Some(other) if other.job_ref != job => {
            if is_alive(cx, Some(&Id::new(other.job_ref.clone()))) {
                return Ok(false);
            }
            turns.update(&id, |it| *it = Merging { job_ref: job, since_ms: cx.now().millis() })?;
        }
        Some(_) => {}
        None => {
            turns.insert_as(id, Merging { job_ref: job, since_ms: cx.now().millis() })?;
        }
    }
    Ok(true)
}

/// Whether a job has not ended.
pub(crate) fn is_alive(cx: &Cx, job: Option<&Id<Job>>) -> bool {
    let job = job.filter(|it| !it.as_str().is_empty()).and_then(|it| cx.jobs().get(it).ok());
    job.is_some_and(|it| matches!(it.state, JobState::Queued | JobState::Running))
}

/// Hands the turn on.
pub(crate) fn end_turn(cx: &Cx, site: &Id<Site>) -> Result<()> {
    let id: Id<Merging> = site.cast();
    if cx.records::<Merging>().find(&id).is_some() {
        cx.records::<Merging>().update(&id, |it| it.job_ref = String::new())?;
    }
    Ok(())
}

/// Empties what earlier imports of the website keep by hour, and addresses of claimed bots, once they are old: three imports at a
/// time.
pub(crate) fn tidy(cx: &Cx, site: &str) -> Result<()> {
    let before = cx.now().millis().saturating_sub(KEPT_MS);
    let old = cx.records::<Import>().by("site_id_created_ms").equals(site).below(before).descending();
    for old in old.scan().take(RECENT).filter(|it| !it.runs.is_empty() || it.pending > 0).take(3) {
        merge::clear(cx, old.id.as_str(), &old.runs)?;
        (0..old.pending).try_for_each(|at| visits::Shelf::of(cx, format!("claims/{}/{at}", old.id)).clear())?;
        cx.records::<Import>().update(&old.id, |it| {
            it.runs.clear();
            it.pending = 0;
        })?;
    }
    Ok(())
}

/// Merges a part of the first month that is left.
fn months(
    cx: &Cx,
    import: &Stored<Import>,
    source: &Stored<Source>,
    site: &Stored<Site>,
) -> Result<Step<Phase, Progress, Outcome>> {
    let id = import.id.as_str();
    let mut state = State::read(cx, id)?;
    let Some(first) = state.months.first().copied() else {
        return Ok(Step::next(Phase::Newest, Progress::new(0, None, "merging visits")));
    };
    let of = state::month(first);
    let known: BTreeMap<String, Vec<stored::Run>> = others(cx, &source.id);
    let before = hours::read(cx, &source.id, &import.stream, of);
    let plan = hours::plan(before, id, of, &state.hours, |it| known.contains_key(it));
    let mut changes: Vec<Change<'_>> = merge::of_month(&state.runs, first)
        .map(|it| Change { shelf: merge::run(cx, id, it), hours: plan.taken, is_taken_back: false })
        .collect();
    for (other, hours) in &plan.back {
        let runs = known.get(other).into_iter().flat_map(|runs| merge::of_month(runs, first));
        changes.extend(runs.map(|it| Change { shelf: merge::run(cx, other, it), hours: *hours, is_taken_back: true }));
    }
    if merge::into_month(cx, &site.id, of, &changes, &mut state.merge)? {
        hours::write(cx, source, &import.stream, of, &plan.parts)?;
        state.counted += plan.lines;
        state.skipped += plan.skipped;
        state.taken.push((first, plan.taken));
        state.months.remove(0);
    }
    let (done, left) = (state.taken.len() as u64, state.months.len() as u64);
    state.keep(cx, id)?;
    let phase = if left == 0 { Phase::Newest } else { Phase::Months };
    Ok(Step::next(phase, Progress::new(done, done + left, "merging months")))
}

/// Imports of a source whose figures by hour are still there.
fn others(cx: &Cx, source: &Id<Source>) -> BTreeMap<String, Vec<stored::Run>> {
    let newest = cx.records::<Import>().by("source_ref_created_ms").equals(source).descending();
    let kept = newest.scan().take(RECENT).filter(|it| !it.runs.is_empty());
    kept.map(|it| (it.id.to_string(), it.runs.clone())).collect()
}

/// Merges a part of the newest visits, and ends the import.
fn newest(
    cx: &Cx,
    payload: &Payload,
    import: Stored<Import>,
    site: &Stored<Site>,
) -> Result<Step<Phase, Progress, Outcome>> {
    let id = import.id.to_string();
    let mut state = State::read(cx, &id)?;
    let mut runs = Vec::new();
    for (first, hours) in &state.taken {
        runs.extend(merge::of_month(&state.runs, *first).map(|it| (merge::run(cx, &id, it), *hours)));
    }
    if !runs.is_empty() && !merge::into_newest(cx, &site.id, &runs, &mut state.merge)? {
        state.keep(cx, &id)?;
        return Ok(Step::next(Phase::Newest, Progress::new(0, None, "merging visits")));
    }
    drop(runs);
    end_turn(cx, &site.id)?;
    let days = days(&state);
    let counted = state.counted;
    let import = cx.records::<Import>().update(&import.id, |it| {
        it.state = stored::State::Done;
        it.ended_ms = Some(cx.now().millis());
        // What was left out of it can be imported later.
        it.whole = state.whole && state.broken.is_none() && payload.from.is_none();
        it.lines = state.lines();
        it.parsed = state.parsed;
        it.counted = counted;
        it.other_hosts = state.others;
        it.rejections = state.rejections.clone();
        it.rejected = state.rejected.clone();
        it.skipped_hours = state.skipped;
        it.days = days[days.len().saturating_sub(DAYS)..].to_vec();
        it.runs = state.runs.clone();
        it.pending = state.claims;
    })?;
    State::forget(cx, &id)?;
    cx.blobs().remove(&fetched(&id))?;
    let outcome = outcome(cx, &import, &state, days);
    let progress = Progress::new(state.lines(), state.lines(), "done");
    Ok(Step::done(outcome, progress).units(counted.min(super::run::MOST_LINES)))
}
