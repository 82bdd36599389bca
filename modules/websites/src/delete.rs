//! The operation `websites.delete`.

use std::collections::BTreeMap;

use sdk::Confirmation;
use sdk::prelude::*;

use crate::annotation::Annotation;
use crate::competitor::Competitors;
use crate::plan::Plan;
use crate::segment::Segment;
use crate::stored::{Audit, Claim, Website, claim};
use crate::task::stored::{Finding, Task};
use crate::verify::Token;
use site::Run;

#[args]
pub(crate) struct Delete {
    /// The website, as listed.
    site_id: Id<Website>,
    /// From an earlier preview; when what would go is no longer the same, nothing is deleted and 409 says what would.
    confirm_hash: Option<Text<1, 64>>,
    /// Only counts what would go.
    #[default(false)]
    preview: bool,
}

/// What went.
#[value]
pub(crate) struct Deleted {
    /// Whether the website is gone; false after a preview.
    deleted: bool,
    /// Rows that went, or would go, by collection.
    counts: BTreeMap<String, u64>,
    /// Rows of other modules that stay, readable by their own references: delete them there.
    kept: BTreeMap<String, u64>,
    /// Stands for these counts and this state of the website.
    confirm_hash: String,
}

/// Deletes a website with its stored data and reports what went.
///
/// It acts when it is called. `preview` counts instead; the `confirm_hash` it returns can be given to the real call,
/// which then refuses with 409 `confirm_hash_changed` when the website has changed since. Crawls and audits belong to
/// their own modules and stay readable by their references; `kept` counts them.
#[operation(
    destructive,
    scope = "destructive:execute",
    cost = write,
    side_effects = ["removes the website and its settings for good"],
    phrasings = ["delete my website", "remove a site from the account", "stop working on this domain"],
    examples = [{ "site_id": "4503599627370496" }]
)]
pub(crate) fn delete(cx: &Cx, args: Delete) -> Result<Deleted> {
    let site = cx.records::<Website>().get(&args.site_id)?;
    let claimed = cx.records::<Claim>().find(&claim(&site.domain)).filter(|claim| claim.site_id == site.id);
    let own = BTreeMap::from([
        ("verifications".to_owned(), cx.records::<Token>().by("site_id").equals(&site.id).count()),
        ("segments".to_owned(), cx.records::<Segment>().by("site_id").equals(&site.id).count()),
        ("annotations".to_owned(), cx.records::<Annotation>().by("site_id_date").equals(&site.id).count()),
        ("plans".to_owned(), cx.records::<Plan>().by("site_id_created_ms").equals(&site.id).count()),
        ("tasks".to_owned(), cx.records::<Task>().by("site_id").equals(&site.id).count()),
    ]);
    let competitors = cx.records::<Competitors>().find(&site.id.cast());
    let mut counts = BTreeMap::from([("websites".to_owned(), 1)]);
    counts.extend(competitors.as_ref().map(|_| ("competitors".to_owned(), 1)));
    counts.extend(own.into_iter().filter(|(_, rows)| *rows > 0));
    let confirmation = Confirmation::of(&site, counts);
    confirmation.check(args.confirm_hash.as_ref(), "website")?;
    let kept = BTreeMap::from([
        ("crawls".to_owned(), cx.records::<Run>().by("site_id").equals(&site.id).count()),
        ("audits".to_owned(), cx.records::<Audit>().by("site_id_created_ms").equals(&site.id).count()),
    ]);
    if !args.preview {
        if let Some(claimed) = &claimed {
            cx.records::<Claim>().remove(claimed)?;
        }
        cx.records::<Token>().by("site_id").equals(&site.id).remove();
        cx.records::<Segment>().by("site_id").equals(&site.id).remove();
        cx.records::<Annotation>().by("site_id_date").equals(&site.id).remove();
        cx.records::<Plan>().by("site_id_created_ms").equals(&site.id).remove();
        cx.records::<Finding>().by("site_id").equals(&site.id).remove();
        cx.records::<Task>().by("site_id").equals(&site.id).remove();
        if let Some(competitors) = &competitors {
            cx.records::<Competitors>().remove(competitors)?;
        }
        cx.records::<Website>().remove(&site)?;
    }
    let Confirmation { counts, hash: confirm_hash } = confirmation;
    Ok(Deleted { deleted: !args.preview, counts, kept, confirm_hash })
}

#[cfg(test)]
mod tests;
