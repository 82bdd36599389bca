//! The operation `cms.redirect.delete`.

use sdk::prelude::*;
use sdk::{Degraded, Fix, Next, json};
use site::{Linked, Site};

use super::Source;
use super::held::{Held, Redirects};
use crate::batch::Batch;
use crate::change::redirect_change;

#[args]
pub(crate) struct Delete {
    /// The website, as listed.
    site_id: Id<Site>,
    /// Sources as `cms.redirect.list` shows them in `from`, or their addresses.
    sources: List<Text<1, 2_048>, 1, 500>,
    /// Deletes them although visitors or links come to them.
    #[default(false)]
    acknowledge_hits: bool,
}

/// What a redirect was worth.
#[value]
pub(crate) struct Worth {
    from: String,
    to: Option<String>,
    /// Visitors of the last 28 days; null while no logs are known.
    hits_28d: Option<u64>,
    /// Visitors since it was made; null where nobody counts.
    hits_total: Option<u64>,
    /// The day of the last one, as the plugin writes it.
    last_access: Option<String>,
    /// Links of the newest crawl that lead to it; null when nothing is known.
    inlinks: Option<u64>,
}

/// What was deleted.
#[value]
pub(crate) struct Deleted {
    /// Redirects that were deleted.
    deleted: u64,
    rows: Vec<Worth>,
    /// Sources that no redirect has.
    not_found: Vec<String>,
    /// What `cms.change.rollback` makes them again by.
    batch_ref: Id<Batch>,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Deletes redirects after showing recent hits and inbound links of each source.
///
/// 409 `has_hits` with the counts when visitors or links are known to come to one, and `acknowledge_hits` is not set.
#[operation(
    destructive,
    scope = "destructive:execute",
    cost = write,
    side_effects = ["removes redirects of your website"],
    needs = ["store", "connection:wordpress?"],
    outside = [
        "wordpress GET /wp-json",
        "wordpress GET /wp-json/wp/v2",
        "wordpress GET /wp-json/rankmath/v1",
        "wordpress GET /wp-json/redirection/v1/redirect",
        "wordpress POST /wp-json/redirection/v1/bulk/redirect/delete remove",
    ],
    phrasings = [
        "delete this redirect",
        "remove redirects that nobody uses",
        "take the circle of redirects away",
        "clean up old redirects",
    ],
    examples = [{ "site_id": "4503599627370496", "sources": ["/old-lamp"] }]
)]
pub(crate) fn delete(cx: &Cx, args: Delete) -> Result<Deleted> {
    let site = site::get(cx, &args.site_id)?;
    let mut redirects = Redirects::of(cx, &site)?;
    let (mut found, mut not_found): (Vec<Held>, Vec<String>) = (Vec::new(), Vec::new());
    for source in args.sources.iter() {
        let known = Source::of(&redirects.origin, source.as_str());
        // All of one source: the plugin takes two without a word.
        let key = known.map(|it| it.key());
        let is = |it: &&Held| {
            it.from == source.as_str() || (!it.is_pattern && key.as_deref() == Some(&super::key(&it.from)))
        };
        let all: Vec<Held> = redirects.all.iter().filter(is).cloned().collect();
        if all.is_empty() {
            not_found.push(source.as_str().to_owned());
        }
        for it in all {
            if !found.iter().any(|known| known.id == it.id) {
                found.push(it);
            }
        }
    }
    if found.is_empty() {
        let message = "no redirect has one of these sources; cms.redirect.list shows them";
        return Err(Fault::not_found("redirect_not_found", message).at("/sources"));
    }
    let run = site::newest(cx, &site.id);
    let inlinks = |it: &Held| {
        let url = kit::url::resolve_normal(&redirects.origin, &it.from)?;
        Some(cx.records::<Linked>().by("run_target").equals(&run.as_ref()?.id).equals(&url).count())
    };
    let worth = |it: &Held| Worth {
        from: it.from.clone(),
        to: it.to.clone(),
        hits_28d: None,
        hits_total: it.hits,
        last_access: it.last_access.clone(),
        inlinks: inlinks(it),
    };
    let rows: Vec<Worth> = found.iter().map(worth).collect();
    let used = |it: &&Worth| it.hits_total.is_some_and(|it| it > 0) || it.inlinks.is_some_and(|it| it > 0);
    if !args.acknowledge_hits && rows.iter().any(|it| used(&it)) {
        let used: Vec<&Worth> = rows.iter().filter(used).take(50).collect();
        let message = "visitors or links come to these redirects; set acknowledge_hits to delete them";
        return Err(Fault::conflict("has_hits", message).at("/acknowledge_hits").detail(json!({ "rows": used })));
    }
    let mut degraded = vec![Degraded::new("hits_28d", "no logs of the website are known to this service yet")];
    if run.is_none() {
        let why = "no crawl of the website has ended";
        degraded.push(Degraded::new("inlinks", why).supplied_by("crawl.run.start", json!({ "site_id": site.id })));
    }
    redirects.remove(&found)?;
    let batch = wordpress::batch(cx);
    for (seq, it) in (0..).zip(&found) {
        redirect_change(cx, &site, &redirects, "cms.redirect.delete", &batch, seq, Some(it), None, None)?;
    }
    let undo = Fix::new("cms.change.rollback", json!({ "site_id": site.id, "batch_ref": batch }));
    Ok(Deleted {
        deleted: found.len() as u64,
        rows,
        not_found,
        batch_ref: Id::new(batch),
        next: vec![undo.because("makes them again")],
        degraded,
    })
}
