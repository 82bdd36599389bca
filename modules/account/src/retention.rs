//! The operation `account.retention.purge`.

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::{Confirmation, PlatformAction, PlatformQuestion, RawData, json};

use crate::known;
use crate::platform::begin;
use crate::platform::stored::{Counted, Raw};
use site::Site;

#[args]
pub(crate) struct Purge {
    /// Kinds of raw data, such as `crawl.page_bodies`; a refusal names those there are.
    collections: List<Text<1, 128>, 1, 50>,
    /// What is from before this day, in UTC, goes.
    older_than: Day,
    /// Only what belongs to this website.
    site_id: Option<Id<Site>>,
    /// From an earlier preview; when what would go is no longer the same, nothing is deleted and 409 says what would.
    confirm_hash: Option<Text<1, 64>>,
    /// Only counts what would go.
    #[default(false)]
    preview: bool,
}

/// What went.
#[value]
pub(crate) struct Purged {
    /// What the arguments select, by name.
    would_delete: BTreeMap<String, Counted>,
    /// What went, by name; empty after a preview.
    deleted: BTreeMap<String, Counted>,
    /// Whether there is more than one call takes: call again.
    more: bool,
    /// Stands for these names, counts, day and website.
    confirm_hash: String,
}

/// Permanently deletes raw stored data (page bodies, SERP snapshots, log aggregates, contact data) older than a cutoff and reports what went.
///
/// It acts when it is called. `preview` counts instead; the `confirm_hash` it returns can be given to the real call, which
/// then refuses with 409 `confirm_hash_changed` when the counts have changed since. Results that were made of the raw
/// data, such as audits, stay.
#[operation(
    destructive,
    scope = "destructive:execute",
    cost = write,
    needs = ["store"],
    side_effects = ["removes stored raw data for good"],
    phrasings = [
        "delete old page bodies",
        "purge data older than a year",
        "free storage by removing raw crawl data",
        "remove old contact data for privacy",
        "how much old data would be deleted",
    ],
    examples = [
        { "collections": ["crawl.page_bodies"], "older_than": "2026-01-01" },
        { "collections": ["crawl.page_bodies"], "older_than": "2026-01-01", "preview": true }
    ]
)]
pub(crate) fn purge(cx: &Cx, args: Purge) -> Result<Purged> {
    if args.older_than > cx.now().day() {
        let message = "`older_than` is not after today; today takes everything up to yesterday";
        return Err(Fault::invalid("/older_than", "cutoff_in_future", message));
    }
    let repeated = |(at, name): &(usize, &Text<1, 128>)| args.collections[..*at].contains(name);
    if let Some((position, name)) = args.collections.iter().enumerate().find(repeated) {
        let message = format!("{name} is named twice");
        return Err(Fault::invalid(format!("/collections/{position}"), "named_twice", message));
    }
    if let Some(site) = &args.site_id {
        known::site(cx, site, "/site_id")?;
    }
    let raw = RawData {
        names: args.collections.iter().map(|it| it.as_str().to_owned()).collect(),
        older_than: begin(args.older_than),
        site: args.site_id.map(|it| it.as_str().to_owned()),
    };
    let selected: Raw = cx.platform().ask(&PlatformQuestion::RawData(raw.clone()))?;
    let confirmation = confirmation(&raw, &selected);
    confirmation.check(args.confirm_hash.as_ref(), "raw data")?;
    let (deleted, more) = if args.preview {
        (BTreeMap::new(), selected.more)
    } else {
        let gone: Raw = cx.platform().act(&PlatformAction::Purge(raw))?;
        (gone.counts, gone.more)
    };
    Ok(Purged { would_delete: selected.counts, deleted, more, confirm_hash: confirmation.hash })
}

/// The names in any order, the day and the website are what the counts are of.
fn confirmation(raw: &RawData, selected: &Raw) -> Confirmation {
    let mut names = raw.names.clone();
    names.sort();
    let terms = json!([names, raw.older_than, raw.site]).to_string();
    let counts = selected
        .counts
        .iter()
        .flat_map(|(name, it)| [(format!("{name} rows"), it.rows), (format!("{name} blobs"), it.blobs)])
        .filter(|(_, count)| *count > 0);
    Confirmation::of(&Stored { id: Id::<()>::new(terms), version: 0, it: () }, counts.collect())
}
