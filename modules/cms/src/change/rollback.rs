//! The operation `cms.change.rollback`.

use sdk::prelude::*;
use sdk::{Degraded, Fix, Next, json};
use site::Site;
use wordpress::{Change, Undone, What, Why, put_back};

use super::{Owned, Wanted, found, newest_first};
use crate::batch::Batch;
use crate::redirect;
use crate::target::Thing;

/// Changes of one call: each asks up to five times.
const CHANGES: usize = 12;
/// Changes of a batch.
const MOST: usize = 5_000;

#[args]
pub(crate) struct Rollback {
    /// The website, as listed.
    site_id: Id<Site>,
    /// One change. Either this or `batch_ref`.
    change_ref: Option<Id<Change>>,
    /// All changes of a batch, the last first.
    batch_ref: Option<Id<Batch>>,
    /// Changes of a batch to pass over, as `next` names it: those that an earlier call could not take back.
    #[default(0)]
    pass_over: Count<0, 5_000>,
    /// Writes over what somebody edited since. What was written over is a change of its own, so that this can be taken back too.
    #[default(false)]
    force: bool,
}

/// Why a change was not taken back.
#[value]
pub(crate) enum Reason {
    /// Somebody edited it since; `force` writes over that.
    Edited,
    /// What was there before is not known.
    NotKnown,
    /// The item is gone.
    Gone,
    /// WordPress refused it.
    Refused,
}

/// A change that was not taken back.
#[value]
pub(crate) struct Conflict {
    change_ref: Id<Change>,
    item_ref: Id<Thing>,
    url: String,
    reason: Reason,
    /// The members that were edited since, or what WordPress said.
    why: String,
}

/// What was taken back.
#[value]
pub(crate) struct RolledBack {
    /// Changes that were taken back, or had been already.
    restored: u64,
    /// Of these, those of which only the own part of a text was taken out, since the rest was edited.
    in_part: u64,
    conflicts: Vec<Conflict>,
    /// Changes of the batch that this call did not get to; `next` goes on.
    left: u64,
    /// The batch of the changes that this call made.
    batch_ref: Id<Batch>,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Rolls back one change or a whole batch to the recorded before-values, skipping items edited since unless forced.
///
/// An item that nobody edited gets back, byte for byte, what it had. Where a text was edited since, only the part that the change
/// had made is taken out, if it still stands there once. One call takes back up to 12 changes; `left` says how many are to come.
#[operation(
    destructive,
    scope = "destructive:execute",
    cost = live(most = 64),
    side_effects = ["changes posts and pages of your WordPress back"],
    needs = ["store", "jobs", "connection:wordpress"],
    outside = [
        "wordpress GET /wp-json",
        "wordpress GET /wp-json/wp/v2",
        "wordpress GET /wp-json/rankmath/v1",
        "wordpress GET /wp-json/redirection/v1/redirect",
        "wordpress GET /wp-json/redirection/v1/group",
        "wordpress POST /wp-json/redirection/v1/redirect change",
        "wordpress POST /wp-json/redirection/v1/redirect/* change",
        "wordpress POST /wp-json/redirection/v1/bulk/redirect/delete remove",
        "wordpress GET /wp-json/wp/v2/media/*",
        "wordpress POST /wp-json/wp/v2/media/* change",
        "wordpress DELETE /wp-json/wp/v2/media/* remove",
        "wordpress GET /wp-json/wp/v2/posts/*",
        "wordpress GET /wp-json/wp/v2/posts/*/revisions",
        "wordpress POST /wp-json/wp/v2/posts/* change",
        "wordpress DELETE /wp-json/wp/v2/posts/* remove",
        "wordpress GET /wp-json/wp/v2/pages/*",
        "wordpress GET /wp-json/wp/v2/pages/*/revisions",
        "wordpress POST /wp-json/wp/v2/pages/* change",
        "wordpress DELETE /wp-json/wp/v2/pages/* remove",
        "wordpress GET /wp-json/wp/v2/product/*",
        "wordpress GET /wp-json/wp/v2/product/*/revisions",
        "wordpress POST /wp-json/wp/v2/product/* change",
        "wordpress DELETE /wp-json/wp/v2/product/* remove",
    ],
    phrasings = [
        "undo the last change in wordpress",
        "roll back the whole batch",
        "restore the titles as they were",
        "take back what you did to this post",
    ],
    examples = [
        { "site_id": "4503599627370496", "change_ref": "4503599627370497" },
        { "site_id": "4503599627370496", "batch_ref": "bat_0a1b2c3d4e5f6071", "force": true }
    ]
)]
pub(crate) fn rollback(cx: &Cx, args: Rollback) -> Result<RolledBack> {
    let website = site::get(cx, &args.site_id)?;
    let site = website.id.as_str();
    let (changes, after) = match (&args.change_ref, &args.batch_ref) {
        (Some(id), None) => (vec![found(cx, id, site)?], 0),
        (None, Some(batch)) => of_batch(cx, batch, site, usize::try_from(args.pass_over.get()).unwrap_or_default())?,
        _ => {
            let message = "give change_ref or batch_ref, and not both";
            return Err(Fault::invalid("/change_ref", "change_or_batch", message));
        }
    };
    let batch = wordpress::batch(cx);
    let mut done = RolledBack {
        restored: 0,
        in_part: 0,
        conflicts: Vec::new(),
        left: 0,
        batch_ref: Id::new(batch.clone()),
        next: Vec::new(),
        degraded: Vec::new(),
    };
    let mut stopped = None;
    let mut looked = 0;
    for (seq, it) in changes.iter().enumerate() {
        if looked == CHANGES {
            break;
        }
        let undoes = format!("{}.{}", it.owner.name(), it.id);
        let why = Why {
            seq: seq as u64,
            undoes: Some(undoes.clone()),
            ..Why::call(site, "cms.change.rollback", what(it), &batch)
        };
        let ended = match it.change.what {
            What::Redirect => {
                redirect::undo::put_back(cx, &website, &it.change, args.force, (&batch, seq as u64), &undoes)
            }
            _ => put_back(cx, &it.change, it.owner.of_blobs(), args.force, &why),
        };
        match ended {
            // What was taken back before stands, with its records: the rest is another call's.
            Err(fault) if fault.kind == sdk::boundary::Kind::Unavailable && looked > 0 => {
                stopped = Some(fault);
                break;
            }
            Err(fault) if fault.kind == sdk::boundary::Kind::Unavailable => return Err(fault),
            ended => done.count(it, ended),
        }
        looked += 1;
    }
    done.left = changes.len().saturating_sub(looked) as u64 + after;
    if let Some(fault) = stopped {
        done.degraded.push(Degraded::new("left", format!("{}: {}", fault.code, fault.message)));
    }
    if let Some(batch) = args.batch_ref.as_ref().filter(|_| done.left > 0) {
        // What could not be taken back stays first among what is left.
        let passed = args.pass_over.get() + i64::try_from(done.conflicts.len()).unwrap_or_default();
        let rest = json!({ "site_id": site, "batch_ref": batch, "force": args.force, "pass_over": passed });
        done.next.push(Fix::new("cms.change.rollback", rest).because("takes the rest back"));
    }
    let list = Fix::new("cms.change.list", json!({ "site_id": site, "batch_ref": batch }));
    done.next.push(list.because("shows what this call wrote"));
    Ok(done)
}

/// What a change that takes another back is about.
fn what(it: &Owned) -> What {
    match it.change.what {
        What::Created => What::Status,
        other => other,
    }
}

/// The changes of a batch that were not taken back yet, the last first.
fn of_batch(cx: &Cx, batch: &Id<Batch>, site: &str, pass_over: usize) -> Result<(Vec<Owned>, u64)> {
    let mut all: Vec<Owned> =
        newest_first(cx, &Wanted::Batch(batch.as_str())).filter(|it| it.change.site_id == site).take(MOST).collect();
    if all.is_empty() {
        let message = "there is no such batch of this website; cms.change.list shows them";
        return Err(Fault::not_found("batch_not_found", message).at("/batch_ref"));
    }
    all.sort_by_key(|it| std::cmp::Reverse((it.change.seq, it.change.at_ms)));
    let undone = |it: &Owned| {
        // What an earlier call took back is left alone, so that a long batch comes to its end.
        let of_item = Wanted::Item { site, item: &it.change.item, before_ms: u64::MAX };
        let name = it.id.as_str();
        newest_first(cx, &of_item)
            .take_while(|later| later.change.at_ms >= it.change.at_ms)
            .take(200)
            .any(|later| later.change.undoes.as_deref().is_some_and(|undoes| undoes.ends_with(name)))
    };
    let mut open = Vec::new();
    let (mut after, mut passed) = (0, 0);
    for it in all {
        if open.len() > CHANGES {
            after += 1;
        } else if !undone(&it) {
            passed += 1;
            if passed > pass_over {
                open.push(it);
            }
        }
    }
    Ok((open, after))
}

impl RolledBack {
    fn count(&mut self, it: &Owned, ended: Result<Undone>) {
        let (reason, why) = match ended {
            Ok(Undone::Restored(_) | Undone::Already) => {
                self.restored += 1;
                return;
            }
            Ok(Undone::Part(_)) => {
                self.restored += 1;
                self.in_part += 1;
                return;
            }
            Ok(Undone::Edited(members)) => (Reason::Edited, members.join(", ")),
            Ok(Undone::Unknown) => (Reason::NotKnown, "the SEO plugin did not show what it held".to_owned()),
            Ok(Undone::Gone) => (Reason::Gone, "the item is no longer there".to_owned()),
            Err(fault) if fault.code == "edit_conflict" => (Reason::Edited, fault.message),
            Err(fault) => (Reason::Refused, format!("{}: {}", fault.code, fault.message)),
        };
        self.conflicts.push(Conflict {
            change_ref: it.id.clone(),
            item_ref: Id::new(it.change.item.clone()),
            url: it.change.url.clone(),
            reason,
            why,
        });
    }
}
