//! The operation `cms.seo_meta.bulk_update`, and its job.

use sdk::prelude::*;
use sdk::{Degraded, Fix, IsQueued, Next, Progress, json};
use site::Site;
use wordpress::seo::{self, Seo, Values};
use wordpress::{Change, What, Why};

use super::{Directive, SeoChanges, verified, writable};
use crate::batch::Batch;
use crate::diff::{Difference, differences};
use crate::target::{ItemRef, Target, Thing, reference};

/// Items of one step: each is asked for up to seven times, and a step may make 64 requests.
const ITEMS: usize = 7;

/// SEO fields of one item.
#[args]
pub(crate) struct Wanted {
    item_ref: ItemRef,
    /// The title tag.
    title: Option<Text<0, 300>>,
    /// The meta description.
    description: Option<Text<0, 600>>,
    /// The canonical address.
    canonical: Option<Url>,
    /// Directives of the robots meta tag; an empty list is the site's default.
    robots: Option<List<Directive, 0, 7>>,
}

#[args]
pub(crate) struct BulkUpdate {
    /// The website, as listed.
    site_id: Id<Site>,
    /// Items with what they are to get; an item stands there once.
    changes: List<Wanted, 1, 500>,
    /// With it the job only shows what it would change.
    #[serde(default)]
    dry_run: bool,
}

/// Changes on their way.
#[value]
pub(crate) struct Started {
    job_ref: Id<Job>,
    /// What `cms.change.list` and `cms.change.rollback` know these changes by.
    batch_ref: Id<Batch>,
    /// Always `queued`; the job's result says what was changed.
    state: IsQueued,
    /// Items that the job works on.
    items: u64,
    dry_run: bool,
    /// What to do next.
    next: Vec<Next>,
}

/// What the job is given.
#[value]
pub(crate) struct Payload {
    site_id: Id<Site>,
    batch: String,
    changes: Vec<(String, Values)>,
    dry_run: bool,
}

/// An item that was left alone.
#[value]
pub(crate) struct Failed {
    /// As the call named it.
    item: String,
    /// A word for programs, such as `item_not_found` or `field_not_writable`.
    #[own]
    code: String,
    #[own]
    why: String,
}

/// An item that was changed.
#[value]
pub(crate) struct Applied {
    item_ref: Id<Thing>,
    url: String,
    /// Whether the live page shows it; null in a dry run and where the page could not be read.
    verified: Option<bool>,
    diff: Vec<Difference>,
}

/// What the job ends with.
#[value]
#[derive(Default)]
pub(crate) struct Outcome {
    /// Items that were changed, or would be. Only these are charged.
    applied: u64,
    /// Items that held all of it already.
    unchanged: u64,
    /// Items whose live page shows it.
    verified: u64,
    failed: Vec<Failed>,
    /// At most 100.
    diffs: Vec<Applied>,
    dry_run: bool,
    batch_ref: String,
    degraded: Vec<Degraded>,
}

/// What one step hands to the next.
#[value]
#[derive(Default)]
pub(crate) struct Checkpoint {
    outcome: Outcome,
    /// Items that were looked at.
    done: u64,
    /// Changes that the step before has kept and that this one writes: the place of the item, and the record.
    intended: Vec<(u64, Id<Change>)>,
}

/// Diffs that a result shows.
const SHOWN: usize = 100;

/// Applies SEO field changes to up to 500 items as one batch with preview, pacing, verification and one-call rollback.
///
/// The fields of an item are one write. With `dry_run` it only shows. An item that cannot be changed is in `failed` with the
/// reason, and the others go on.
#[operation(
    job,
    scope = "seo:execute",
    cost = job(unit = "items", every = 20, most = changes),
    queued(step = "write"),
    result_operation = "account.job.get",
    side_effects = ["changes SEO fields of posts and pages in your WordPress, unless it is a dry run"],
    needs = ["store", "web", "jobs", "connection:wordpress"],
    outside = [
        "wordpress GET /wp-json",
        "wordpress GET /wp-json/wp/v2",
        "wordpress GET /wp-json/wp/v2/posts",
        "wordpress GET /wp-json/wp/v2/posts/*",
        "wordpress POST /wp-json/wp/v2/posts/* change",
        "wordpress GET /wp-json/wp/v2/pages",
        "wordpress GET /wp-json/wp/v2/pages/*",
        "wordpress POST /wp-json/wp/v2/pages/* change",
        "wordpress GET /wp-json/wp/v2/product",
        "wordpress GET /wp-json/wp/v2/product/*",
        "wordpress POST /wp-json/wp/v2/product/* change",
        "wordpress GET /wp-json/rankmath/v1",
        "wordpress POST /wp-json/rankmath/v1/updateMeta change",
    ],
    phrasings = [
        "write these titles and descriptions to wordpress",
        "bulk update seo titles of my posts",
        "fill all missing meta descriptions in the cms",
        "show what changing these titles would do",
    ],
    examples = [
        { "site_id": "4503599627370496", "changes": [{ "item_ref": "https://shop.example/about", "title": "About the lamp shop" }], "dry_run": true },
        { "site_id": "4503599627370496", "changes": [{ "item_ref": "https://shop.example/about", "description": "Who we are and how we mend lamps." }] }
    ]
)]
pub(crate) fn bulk_update(cx: &Cx, args: BulkUpdate) -> Result<Started> {
    let target = Target::of(cx, &args.site_id)?;
    let seo = seo::detect(cx, &target.installation)?;
    if seo.plugin.is_none() {
        let message = "no known SEO plugin is active; there is nothing that SEO fields could be written to";
        return Err(Fault::conflict("no_seo_plugin", message).at("/site_id"));
    }
    let mut changes: Vec<(String, Values)> = Vec::new();
    for (at, it) in args.changes.into_iter().enumerate() {
        let pointer = format!("/changes/{at}");
        let values = SeoChanges::new(it.title, it.description, it.canonical, it.robots, None).values(&pointer)?;
        let item = it.item_ref.into_string();
        if changes.iter().any(|(known, _)| *known == item) {
            let message = "the item stands there twice; name each item once";
            return Err(Fault::invalid(format!("{pointer}/item_ref"), "named_twice", message));
        }
        changes.push((item, values));
    }
    let (items, batch, dry_run) = (changes.len() as u64, wordpress::batch(cx), args.dry_run);
    let payload = Payload { site_id: target.site.id.clone(), batch: batch.clone(), changes, dry_run };
    let job_ref = cx.jobs().enqueue("write", &payload)?;
    let next = Fix::new("account.job.get", json!({ "job_ref": job_ref }))
        .because("says how far the job is and what it changed");
    Ok(Started { job_ref, batch_ref: Id::new(batch), state: IsQueued::Queued, items, dry_run, next: vec![next] })
}

/// Looks at some items in one step and keeps what they hold; writes them in the next.
#[step]
pub(crate) fn work(
    cx: &Cx,
    payload: Payload,
    checkpoint: Option<Checkpoint>,
) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let target = Target::of(cx, &payload.site_id)?;
    let seo = seo::detect(cx, &target.installation)?;
    let mut state = checkpoint.unwrap_or_else(|| Checkpoint {
        outcome: Outcome { dry_run: payload.dry_run, batch_ref: payload.batch.clone(), ..Outcome::default() },
        ..Checkpoint::default()
    });
    let job = Batched { cx, target: &target, seo: &seo, payload: &payload };
    let before = state.outcome.applied;
    if state.intended.is_empty() {
        job.look(&mut state)?;
    } else {
        job.write(&mut state)?;
    }
    let all = payload.changes.len() as u64;
    let progress = Progress::new(state.done, all, "writing SEO fields");
    let units = if payload.dry_run { 0 } else { state.outcome.applied - before };
    if state.done < all || !state.intended.is_empty() {
        return Ok(Step::next(state, progress).units(units));
    }
    let mut outcome = state.outcome;
    if outcome.applied > SHOWN as u64 {
        outcome.degraded.push(Degraded::new("diffs", format!("the first {SHOWN} are shown; cms.change.list has all")));
    }
    Ok(Step::done(outcome, progress).units(units))
}

/// A job at its work.
struct Batched<'a> {
    cx: &'a Cx,
    target: &'a Target,
    seo: &'a Seo,
    payload: &'a Payload,
}

impl Batched<'_> {
    /// Looks at the next items, and keeps what each holds.
    fn look(&self, state: &mut Checkpoint) -> Result<()> {
        let from = usize::try_from(state.done).unwrap_or(usize::MAX);
        for (place, (text, values)) in self.payload.changes.iter().enumerate().skip(from).take(ITEMS) {
            state.done += 1;
            match self.intend(place as u64, text, values) {
                Ok(Looked::Intended(id)) => state.intended.push((place as u64, id)),
                Ok(Looked::Would(applied)) => applied_to(&mut state.outcome, applied),
                Ok(Looked::Unchanged) => state.outcome.unchanged += 1,
                Err(fault) => failed(&mut state.outcome, text, fault)?,
            }
        }
        Ok(())
    }

    fn intend(&self, place: u64, text: &str, values: &Values) -> Result<Looked> {
        let item = self.target.item(self.cx, text, "/changes")?;
        writable(self.seo, &item, values, self.target.site.id.as_str())?;
        if self.payload.dry_run {
            let diff = crate::diff::values(&seo::stored(self.seo, &item), values);
            let applied = Applied { item_ref: reference(&item), url: item.link.clone(), verified: None, diff };
            return Ok(if applied.diff.is_empty() { Looked::Unchanged } else { Looked::Would(applied) });
        }
        let id = seo::intend(self.cx, self.seo, &item, values, &self.why(place, None))?;
        Ok(id.map_or(Looked::Unchanged, Looked::Intended))
    }

    fn why(&self, seq: u64, intent: Option<Id<Change>>) -> Why {
        let of = Why::call(self.target.site.id.as_str(), "cms.seo_meta.bulk_update", What::Seo, &self.payload.batch);
        Why { seq, intent, ..of }
    }

    /// Writes the items that were looked at.
    fn write(&self, state: &mut Checkpoint) -> Result<()> {
        for (place, id) in std::mem::take(&mut state.intended) {
            let at = usize::try_from(place).unwrap_or(usize::MAX);
            let Some((text, values)) = self.payload.changes.get(at) else { continue };
            match self.one(text, values, &self.why(place, Some(id.clone()))) {
                Ok(applied) => applied_to(&mut state.outcome, applied),
                Err(fault) => {
                    failed(&mut state.outcome, text, fault)?;
                    let changes = self.cx.records::<Change>();
                    changes.find(&id).map_or(Ok(()), |it| changes.remove(&it))?;
                }
            }
        }
        Ok(())
    }

    fn one(&self, text: &str, values: &Values, why: &Why) -> Result<Applied> {
        let item = self.target.item(self.cx, text, "/changes")?;
        let written = seo::put(self.cx, self.seo, &item, values, why)?;
        let (verified, _) = verified(self.cx, self.seo, &written, values)?;
        let record = written.change.as_ref().and_then(|id| self.cx.records::<Change>().find(id));
        let diff = record.map(|it| differences(self.cx, &it.fields, None)).unwrap_or_default();
        Ok(Applied { item_ref: reference(&item), url: item.link, verified, diff })
    }
}

/// What a look at an item led to.
enum Looked {
    Intended(Id<Change>),
    Would(Applied),
    Unchanged,
}

fn applied_to(outcome: &mut Outcome, applied: Applied) {
    outcome.applied += 1;
    outcome.verified += u64::from(applied.verified == Some(true));
    if outcome.diffs.len() < SHOWN {
        outcome.diffs.push(applied);
    }
}

/// Counts an item that was left alone.
///
/// # Errors
/// What passes by itself ends the step, which is then tried again.
fn failed(outcome: &mut Outcome, item: &str, fault: Fault) -> Result<()> {
    if fault.kind == sdk::boundary::Kind::Unavailable {
        return Err(fault);
    }
    outcome.failed.push(Failed { item: item.to_owned(), code: fault.code, why: fault.message });
    Ok(())
}
