//! The operation `cms.content.trash`.

use sdk::prelude::*;
use sdk::{Degraded, Fix, Next, json};
use site::Site;
use site::backlinks::LinkedPages;
use wordpress::{Change, What, Why};

use crate::demand::Demand;
use crate::target::{ItemRef, Target};

#[args]
pub(crate) struct Trash {
    /// The website, as listed.
    site_id: Id<Site>,
    item_ref: ItemRef,
    /// Throws it away although people come to it, or links lead to it.
    #[default(false)]
    acknowledge_traffic: bool,
}

/// An item in the trash.
#[value]
pub(crate) struct Trashed {
    /// Whether it is there.
    trashed: bool,
    /// Where it was shown.
    url: String,
    /// Its clicks in the last 28 days; null when nothing is known.
    clicks_28d: Option<u64>,
    /// Links of the newest crawl that lead to it; null when nothing is known.
    inlinks: Option<u64>,
    /// Domains that link to it; null while no links from other websites are imported.
    referring_domains: Option<u64>,
    change_ref: Option<Id<Change>>,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Moves a CMS item to the trash after listing its clicks, backlinks and internal links.
///
/// 409 `has_traffic` with the counts when clicks or links are known and `acknowledge_traffic` is not set. WordPress empties its
/// trash after 30 days; until then `cms.change.rollback` takes it out again.
#[operation(
    destructive,
    scope = "destructive:execute",
    cost = live(most = 10),
    side_effects = ["moves a post or page of your WordPress to its trash"],
    needs = ["store", "connection:wordpress"],
    outside = [
        "wordpress GET /wp-json",
        "wordpress GET /wp-json/wp/v2/posts",
        "wordpress GET /wp-json/wp/v2/posts/*",
        "wordpress DELETE /wp-json/wp/v2/posts/* remove",
        "wordpress GET /wp-json/wp/v2/pages",
        "wordpress GET /wp-json/wp/v2/pages/*",
        "wordpress DELETE /wp-json/wp/v2/pages/* remove",
        "wordpress GET /wp-json/wp/v2/product",
        "wordpress GET /wp-json/wp/v2/product/*",
        "wordpress DELETE /wp-json/wp/v2/product/* remove",
    ],
    phrasings = [
        "delete this post from wordpress",
        "move a page to the trash",
        "throw away an old draft",
        "remove the post if nobody visits it",
    ],
    examples = [{ "site_id": "4503599627370496", "item_ref": "https://shop.example/old-lamp" }]
)]
pub(crate) fn trash(cx: &Cx, args: Trash) -> Result<Trashed> {
    let target = Target::of(cx, &args.site_id)?;
    let item = target.item(cx, args.item_ref.as_str(), "/item_ref")?;
    let mut demand = Demand::of(cx, &target.site, &item.link);
    let linked = LinkedPages::of(cx, &target.site.id);
    let referring_domains = linked.map(|it| it.domains(&item.link));
    let is_linked = referring_domains.is_some_and(|it| it > 0);
    if (demand.is_worth() || is_linked) && !args.acknowledge_traffic {
        let message = "people come to this page or links lead to it; set acknowledge_traffic, or redirect it with cms.content.unpublish";
        let mut counts = demand.counts();
        counts["referring_domains"] = json!(referring_domains);
        return Err(Fault::conflict("has_traffic", message).at("/acknowledge_traffic").detail(counts));
    }
    if referring_domains.is_none() {
        let import = json!({ "site_id": target.site.id });
        let missing = Degraded::new("referring_domains", "no links from other websites are imported");
        demand.degraded.push(missing.supplied_by("backlinks.import.run", import));
    }
    let why = Why::call(target.site.id.as_str(), "cms.content.trash", What::Status, &wordpress::batch(cx));
    let written = wordpress::trash(cx, &item, &why)?;
    let mut next = Vec::new();
    if let Some(change) = &written.change {
        let undo = json!({ "site_id": target.site.id, "change_ref": change });
        next.push(Fix::new("cms.change.rollback", undo).because("takes it out of the trash again"));
    }
    Ok(Trashed {
        trashed: written.item.fields.status == "trash",
        url: item.link,
        clicks_28d: demand.clicks_28d,
        inlinks: demand.inlinks,
        referring_domains,
        change_ref: written.change,
        next,
        degraded: demand.degraded,
    })
}
