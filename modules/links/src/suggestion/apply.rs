//! The operation `links.suggestion.apply`: links are put into contents, one after the other.

mod edit;

use sdk::IsQueued;
use sdk::Progress;
use sdk::json;
use sdk::prelude::*;

use crate::stored::{Stand, Suggestion};
use site::Site;
use wordpress::Installation;

/// What a WordPress is needed for.
const WHY: &str = "links are put into the content of a WordPress";
/// Suggestions of one step: each asks up to ten times, and a step has 64 requests.
const STEP: usize = 5;

#[args]
pub(crate) struct Apply {
    /// The website.
    site_id: Id<Site>,
    /// Approved suggestions of it.
    suggestion_refs: List<Id<Suggestion>, 1, 200>,
    /// Only show what would be changed. Then suggestions need not be approved.
    #[serde(default)]
    dry_run: bool,
    /// Take links out again that this operation put in, and leave what was written since. Such suggestions are proposed
    /// anew.
    #[serde(default)]
    undo: bool,
}

/// Links on their way.
#[value]
pub(crate) struct Started {
    /// Always `queued`; the job's result says what was put in.
    state: IsQueued,
    /// The job.
    job_ref: Id<Job>,
    /// Whether nothing will be changed.
    dry_run: bool,
}

/// What the job is given.
#[value]
pub(crate) struct Work {
    site_id: String,
    refs: Vec<Id<Suggestion>>,
    dry_run: bool,
    #[serde(default)]
    undo: bool,
    /// What its changes are one batch of.
    #[serde(default)]
    batch: String,
}

/// A suggestion that was left alone.
#[value]
pub(crate) struct Skipped {
    /// The suggestion.
    #[serde(rename = "ref")]
    suggestion: Id<Suggestion>,
    /// `not_approved`, `not_in_wordpress`, `text_changed`, `forbidden_place`, `interrupted_by_tags`, `already_linked`,
    /// `edit_conflict`, `page_builder`, `unfiltered_html_missing`, `stored_otherwise`, or the code of a refusal by the provider; with `undo` also `not_applied` and
    /// `link_gone`.
    reason: String,
}

/// What was changed in a content, or would be.
#[value]
pub(crate) struct Diff {
    /// The suggestion.
    #[serde(rename = "ref")]
    suggestion: Id<Suggestion>,
    /// The page.
    url: String,
    /// The place in the content before.
    before: String,
    /// The place after.
    after: String,
    /// The item at WordPress.
    item: u64,
    /// The record of the change, which knows the content before it; null in a dry run.
    change_ref: Option<Id<wordpress::Change>>,
    /// Whether the live page showed the link right after, with `undo` no longer; null in a dry run and where the page
    /// could not be read.
    verified: Option<bool>,
}

/// What the job ends with, and what one step hands to the next.
#[value]
#[derive(Default)]
pub(crate) struct Outcome {
    /// Links that were put in or taken out, or could be. Only these are charged.
    applied: u32,
    /// Suggestions that were left alone.
    skipped: Vec<Skipped>,
    /// What was changed, or would be.
    diffs: Vec<Diff>,
    /// Whether nothing was changed.
    dry_run: bool,
    /// Suggestions that were looked at.
    done: u32,
}

/// Inserts approved links into WordPress content at the quoted sentence, skips changed text, keeps a revision for rollback and verifies the live page.
///
/// Two tags go around the words of the link in one piece of text, and nothing else of the content changes: never in
/// headings, other links, code, scripts or shortcodes. A content that somebody changed meanwhile is left alone. The content
/// as it was before is kept with the record of the change. With `dry_run` the changes are only shown; `undo` takes the
/// links out again.
#[operation(
    job,
    scope = "seo:execute",
    cost = job(unit = "links", every = 50, most = suggestion_refs),
    queued(step = "insert"),
    result_operation = "links.suggestion.list",
    side_effects = ["changes posts and pages of the connected WordPress"],
    needs = ["web", "jobs", "connection:wordpress"],
    outside = [
        "wordpress GET /wp-json",
        "wordpress GET /wp-json/wp/v2/posts",
        "wordpress GET /wp-json/wp/v2/posts/*",
        "wordpress GET /wp-json/wp/v2/posts/*/revisions",
        "wordpress POST /wp-json/wp/v2/posts/* change",
        "wordpress GET /wp-json/wp/v2/pages",
        "wordpress GET /wp-json/wp/v2/pages/*",
        "wordpress GET /wp-json/wp/v2/pages/*/revisions",
        "wordpress POST /wp-json/wp/v2/pages/* change",
        "wordpress GET /wp-json/wp/v2/product",
        "wordpress GET /wp-json/wp/v2/product/*",
        "wordpress GET /wp-json/wp/v2/product/*/revisions",
        "wordpress POST /wp-json/wp/v2/product/* change",
    ],
    phrasings = [
        "add the approved links to my wordpress posts",
        "insert internal links into my content",
        "show what adding these links would change",
        "put the ones I approved into wordpress",
        "take the links out of my posts again",
    ],
    examples = [
        { "site_id": "4503599627370496", "suggestion_refs": ["sug-01"] },
        { "site_id": "4503599627370496", "suggestion_refs": ["sug-01", "sug-02"], "dry_run": true },
        { "site_id": "4503599627370496", "suggestion_refs": ["sug-01"], "undo": true }
    ]
)]
pub(crate) fn apply(cx: &Cx, args: Apply) -> Result<Started> {
    let site = site::get(cx, &args.site_id)?;
    let mut refs: Vec<Id<Suggestion>> = Vec::new();
    let mut can_begin = false;
    for (at, id) in args.suggestion_refs.into_iter().enumerate() {
        let pointer = format!("/suggestion_refs/{at}");
        let row = cx.records::<Suggestion>().get(&id).map_err(|fault| fault.at(pointer.as_str()))?;
        if row.site_id != args.site_id.as_str() {
            let message = "there is no such suggestion of this website";
            return Err(Fault::not_found("suggestion_not_found", message).at(pointer));
        }
        can_begin |= match row.state {
            Stand::Applied => args.undo,
            Stand::Approved => !args.undo,
            Stand::Proposed => args.dry_run && !args.undo,
            Stand::Rejected | Stand::Lost => false,
        };
        if !refs.contains(&id) {
            refs.push(id);
        }
    }
    Installation::of(cx, &site, WHY)?;
    if !can_begin {
        return Err(nothing_to_do(&args.site_id, args.undo));
    }
    let work = Work {
        site_id: args.site_id.to_string(),
        refs,
        dry_run: args.dry_run,
        undo: args.undo,
        batch: wordpress::batch(cx),
    };
    let job_ref = cx.jobs().enqueue("insert", &work)?;
    Ok(Started { state: IsQueued::Queued, job_ref, dry_run: args.dry_run })
}

/// The refusal of a call that would change nothing, with the call that comes first.
fn nothing_to_do(site: &Id<Site>, undo: bool) -> Fault {
    let (message, state) = if undo {
        ("none of these links was put in; only applied suggestions can be taken out", "applied")
    } else {
        ("none of these suggestions is approved; approve them with links.suggestion.decide first", "approved")
    };
    Fault::conflict(if undo { "not_applied" } else { "not_approved" }, message).at("/suggestion_refs").detail(json!({
        "operation_id": "links.suggestion.list",
        "arguments": { "site_id": site, "state": state }
    }))
}

/// One step: the next few suggestions.
#[step]
pub(crate) fn work(cx: &Cx, work: Work, checkpoint: Option<Outcome>) -> Result<Step<Outcome, Progress, Outcome>> {
    let before = checkpoint.as_ref().map_or(0, |it| it.applied);
    let mut outcome = checkpoint.unwrap_or(Outcome { dry_run: work.dry_run, ..Outcome::default() });
    let from = outcome.done as usize;
    let site = site::get(cx, &Id::new(work.site_id.clone()))?;
    let to = edit::To { installation: Installation::of(cx, &site, WHY)?, batch: &work.batch, dry_run: work.dry_run };
    for id in work.refs.iter().skip(from).take(STEP) {
        outcome.done += 1;
        let ended = if work.undo { edit::take_out(cx, id, &to)? } else { edit::put_in(cx, id, &to)? };
        match ended {
            Ok(diff) => {
                outcome.applied += 1;
                outcome.diffs.push(diff);
            }
            Err(reason) => outcome.skipped.push(Skipped { suggestion: id.clone(), reason }),
        }
    }
    let all = u32::try_from(work.refs.len()).unwrap_or(u32::MAX);
    let doing = if work.undo { "taking links out" } else { "putting links in" };
    let progress = Progress::new(outcome.done.into(), u64::from(all), doing);
    let units = if work.dry_run { 0 } else { u64::from(outcome.applied - before) };
    if outcome.done < all {
        return Ok(Step::next(outcome, progress).units(units));
    }
    Ok(Step::done(outcome, progress).units(units))
}
