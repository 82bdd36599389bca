//! The operation `cms.change.list`.

use sdk::prelude::*;
use sdk::{Fix, Next, invalid_cursor, json};
use site::Site;
use wordpress::{Change, Reference, What};

use super::{Owned, Owner, Wanted, newest_first};
use crate::batch::Batch;
use crate::diff::{Difference, differences};
use crate::target::{ItemRef, Target, Thing};

#[args(paged)]
pub(crate) struct List {
    /// The website, as listed.
    site_id: Id<Site>,
    /// Only changes of this item.
    item_ref: Option<ItemRef>,
    /// Only changes of this batch.
    batch_ref: Option<Id<Batch>>,
    /// Only changes from this day on, UTC.
    from: Option<Day>,
    /// Only changes up to this day, UTC.
    to: Option<Day>,
}

/// Whether a change is still to be seen.
#[value]
pub(crate) enum Live {
    /// The live page showed it right after the write.
    Shown,
    /// The live page did not show it right after the write.
    NotShown,
    /// Nobody looked, or the page could not be read.
    Unknown,
}

/// A change to an item.
#[value]
pub(crate) struct Made {
    change_ref: Id<Change>,
    batch_ref: Id<Batch>,
    /// The module that made it.
    module: Owner,
    /// The operation that made it.
    #[own]
    operation: String,
    item_ref: Id<Thing>,
    url: String,
    what: What,
    at: Moment,
    /// What it did, in short.
    diff: Vec<Difference>,
    /// Whether all was stored as it was sent.
    stored_exactly: bool,
    /// What the last look at the live page said; this is no new look.
    live_state: Live,
    /// Whether the values of before are known, so that it can be taken back.
    reversible: bool,
    /// The change that this one took back; null when it took none back.
    #[own]
    undoes: Option<String>,
    /// The call that takes it back; empty when it cannot be.
    next: Vec<Next>,
}

/// Changes, newest first.
#[page]
pub(crate) struct Listed {
    changes: Vec<Made>,
    /// Who made them is told by the activity of the account.
    next: Vec<Next>,
}

/// Lists every change written to the CMS with batch, operation, client, before and after and live state.
///
/// Changes of links and markup, which other modules put into contents, are among them. Which client made a call is told by
/// `account.activity.list`.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store", "connection:wordpress?"],
    outside = [
        "wordpress GET /wp-json",
        "wordpress GET /wp-json/wp/v2/posts",
        "wordpress GET /wp-json/wp/v2/pages",
        "wordpress GET /wp-json/wp/v2/product",
    ],
    phrasings = [
        "what did you change on my wordpress",
        "show the last edits to this post",
        "list the changes of a batch",
        "what was the title before",
    ],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "batch_ref": "bat_0a1b2c3d4e5f6071" }]
)]
pub(crate) fn list(cx: &Cx, args: List) -> Result<Listed> {
    let site = site::get(cx, &args.site_id)?;
    let item = match &args.item_ref {
        Some(text) if Reference::read(text.as_str()).is_some() => Some(text.as_str().to_owned()),
        // An address is looked up where it is; what is gone keeps its changes under its reference.
        Some(text) => Some(Target::of(cx, &site.id)?.item(cx, text.as_str(), "/item_ref")?.at.to_string()),
        None => None,
    };
    let end = args.to.map_or(u64::MAX, |day| begins(day.plus(1)));
    let (before_ms, skip) = match args.cursor() {
        Some(cursor) => place(cursor)?,
        None => (end, 0),
    };
    let (site_id, limit) = (site.id.as_str(), args.limit());
    let wanted = match (&args.batch_ref, &item) {
        (Some(batch), _) => Wanted::Batch(batch.as_str()),
        (None, Some(item)) => Wanted::Item { site: site_id, item, before_ms },
        (None, None) => Wanted::Site { site: site_id, before_ms },
    };
    let begin = args.from.map_or(0, begins);
    let fits = |it: &Owned| {
        it.change.site_id == site_id
            && it.change.at_ms < end
            && it.change.at_ms >= begin
            && item.as_deref().is_none_or(|item| item == it.change.item)
    };
    let is_batch = args.batch_ref.is_some();
    let on_time = |it: &Owned| is_batch || it.change.at_ms >= begin;
    let mut rows: Vec<Owned> =
        newest_first(cx, &wanted).take_while(on_time).filter(fits).skip(skip).take(limit + 1).collect();
    let has_more = rows.len() > limit;
    rows.truncate(limit);
    let next_cursor = rows.last().filter(|_| has_more).map(|last| {
        let same = rows.iter().rev().take_while(|it| it.change.at_ms == last.change.at_ms).count();
        match is_batch {
            true => Cursor::new(format!("{end}.{}", skip + rows.len())),
            // All of a page may be of one moment.
            false if same == rows.len() && before_ms == last.change.at_ms + 1 => {
                Cursor::new(format!("{before_ms}.{}", skip + same))
            }
            false => Cursor::new(format!("{}.{same}", last.change.at_ms + 1)),
        }
    });
    let changes = rows.into_iter().map(|it| made(cx, &site.id, it)).collect();
    let activity = Fix::new("account.activity.list", json!({})).because("tells which client made each call");
    Ok(Listed { changes, next_cursor, next: vec![activity] })
}

/// The first millisecond of a day, UTC.
fn begins(day: Day) -> u64 {
    u64::try_from(day.since_epoch()).unwrap_or_default() * 86_400_000
}

/// Where a page begins: before this moment, after so many rows.
fn place(cursor: &Cursor) -> Result<(u64, usize)> {
    let parts = cursor.as_str().split_once('.').and_then(|(at, skip)| Some((at.parse().ok()?, skip.parse().ok()?)));
    parts.ok_or_else(invalid_cursor)
}

fn made(cx: &Cx, site: &Id<Site>, it: Owned) -> Made {
    let Owned { owner, id, change } = it;
    let reversible = change.rollback == wordpress::Rollback::Exact;
    let undo = Fix::new("cms.change.rollback", json!({ "site_id": site, "change_ref": id }));
    Made {
        diff: differences(cx, &change.fields, owner.of_blobs()),
        batch_ref: Id::new(change.batch),
        module: owner,
        operation: change.operation,
        item_ref: Id::new(change.item),
        url: change.url,
        what: change.what,
        at: Moment::from_millis(change.at_ms),
        stored_exactly: change.exact,
        live_state: match change.verified {
            Some(true) => Live::Shown,
            Some(false) => Live::NotShown,
            None => Live::Unknown,
        },
        reversible,
        undoes: change.undoes,
        next: if reversible { vec![undo.because("takes the change back")] } else { Vec::new() },
        change_ref: id,
    }
}
