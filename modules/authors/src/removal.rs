//! Deleting an author without leaving pages that speak for nobody.

use sdk::json;
use sdk::prelude::*;

use crate::assignment::{self, Assignment};
use crate::{Author, Status, profile};

#[args]
pub(crate) struct Delete {
    author_ref: Id<Author>,
    /// Who takes over the pages and drafts.
    successor_ref: Option<Id<Author>>,
}

#[value]
pub(crate) struct Deleted {
    /// The author that is gone.
    deleted: Id<Author>,
    /// Pages and drafts that the successor took over.
    reassigned: u64,
    /// Pages and drafts that have no author or reviewer now.
    cleared: u64,
}

/// Deletes an author profile and clears its assignments; refused while published markup refers to it unless a successor
/// is named.
#[operation(
    destructive,
    scope = "destructive:execute",
    cost = write,
    side_effects = ["removes the author profile", "clears its assignments, or hands them to the successor"],
    phrasings = ["delete an author", "remove a writer and hand over the pages"],
    examples = [{ "author_ref": "0000000000000001", "successor_ref": "0000000000000002" }]
)]
pub(crate) fn delete(cx: &Cx, args: Delete) -> Result<Deleted> {
    let authors = cx.records::<Author>();
    let author = authors.get(&args.author_ref)?;
    let (mut reassigned, mut cleared) = (0, 0);
    match args.successor_ref {
        None => {
            let urls = profile::published(cx, &author);
            if !urls.is_empty() {
                let message =
                    format!("the published markup of {} pages names this author; name a successor_ref", urls.len());
                let shown: Vec<_> = urls.iter().take(20).collect();
                return Err(
                    Fault::conflict("markup_published", message).detail(json!({ "pages": urls.len(), "urls": shown }))
                );
            }
            cleared = assignment::all(cx, &author.id).remove();
        }
        Some(successor) => {
            if successor == author.id {
                return Err(Fault::invalid("/successor_ref", "same_author", "an author cannot succeed itself"));
            }
            let successor = authors.get(&successor).map_err(|fault| fault.at("/successor_ref"))?;
            if successor.status == Status::Archived {
                let message = "an archived author takes no new pages";
                return Err(Fault::conflict("author_archived", message).at("/successor_ref"));
            }
            let mut rows: Vec<Stored<Assignment>> = assignment::all(cx, &author.id).scan().collect();
            rows.iter_mut().for_each(|it| it.author_ref = successor.id.clone());
            for some in rows.chunks(1_000) {
                reassigned += u64::from(cx.records().put_many_as(some.iter().map(|it| (&it.id, &it.it)))?);
            }
        }
    }
    authors.remove(&author)?;
    Ok(Deleted { deleted: author.id, reassigned, cleared })
}
