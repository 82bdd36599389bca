//! The operation `cms.content.publish`.

use sdk::prelude::*;
use sdk::{Degraded, Fix, Next, Severity, json};
use site::Site;
use site::live::{self, Reach};
use wordpress::seo;
use wordpress::{Change, Patch, What, Why};

use super::checks::{Checked, Examined};
use crate::shown::{moment, stamp};
use crate::target::{ItemRef, Target};

/// What checks do.
#[value]
pub(crate) enum Checks {
    /// An error keeps the item from being published.
    Block,
    /// They are told, and nothing more.
    Warn,
    /// Nothing is checked.
    Off,
}

#[args]
pub(crate) struct Publish {
    /// The website, as listed.
    site_id: Id<Site>,
    item_ref: ItemRef,
    /// When it is to be published; now without it.
    at: Option<Moment>,
    /// What checks do.
    #[default("warn")]
    checks: Checks,
}

/// An item that was published, or is to be.
#[value]
pub(crate) struct Published {
    url: String,
    /// As WordPress has it now: `publish` or `future`.
    #[own]
    status: String,
    /// When it is to be published; null when it is.
    publish_at: Option<Moment>,
    /// Empty with `off`.
    check_results: Vec<Checked>,
    /// Whether the live page answers with 200, its own title and without noindex; null when it is not there yet or could not be
    /// read.
    verified: Option<bool>,
    /// The record of the change; null when it was so already.
    change_ref: Option<Id<Change>>,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Publishes a CMS item now or at a time after a pre-publish check (title, description, canonical, noindex, broken links, schema) that can be set to block.
///
/// 409 `checks_failed` with the results when `checks` is `block` and one of severity `error` fails; nothing is changed then.
#[operation(
    write,
    scope = "assets:write",
    cost = live(most = 50),
    side_effects = ["publishes a post or page of your WordPress"],
    needs = ["store", "web", "connection:wordpress"],
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
    ],
    phrasings = [
        "publish this draft in wordpress",
        "schedule the post for tomorrow at nine",
        "publish only if the seo checks pass",
        "put the post live on friday morning",
    ],
    examples = [
        { "site_id": "4503599627370496", "item_ref": "con_4fzzzxjylrxeu7yx2kphqvjzba/posts/7", "checks": "block" },
        { "site_id": "4503599627370496", "item_ref": "con_4fzzzxjylrxeu7yx2kphqvjzba/posts/7", "at": "2026-12-01T09:00:00Z" }
    ]
)]
pub(crate) fn publish(cx: &Cx, args: Publish) -> Result<Published> {
    let target = Target::of(cx, &args.site_id)?;
    let item = target.item(cx, args.item_ref.as_str(), "/item_ref")?;
    let seo = seo::detect(cx, &target.installation)?;
    let now = cx.now();
    if args.at.is_some_and(|at| at.millis() <= now.millis()) {
        let message = "the moment has passed; leave `at` out to publish now";
        return Err(Fault::invalid("/at", "moment_passed", message));
    }
    let check_results = match args.checks {
        Checks::Off => Vec::new(),
        Checks::Warn | Checks::Block => Examined { cx, target: &target, seo: &seo, item: &item }.all(),
    };
    let blocks = |it: &&Checked| it.passed == Some(false) && it.severity == Severity::Error;
    if args.checks == Checks::Block && check_results.iter().any(|it| blocks(&it)) {
        let failed: Vec<&Checked> = check_results.iter().filter(blocks).collect();
        let message = "checks of severity error failed; nothing was published";
        return Err(Fault::conflict("checks_failed", message)
            .at("/item_ref")
            .detail(json!({ "check_results": failed })));
    }
    let ahead = moment(&item.fields.date_gmt).is_some_and(|it| it.millis() > now.millis());
    let patch = match args.at {
        Some(at) => Patch { status: Some("future".to_owned()), date_gmt: Some(stamp(at)), ..Patch::default() },
        // WordPress keeps an item for later whose date is ahead.
        None if ahead => Patch { status: Some("publish".to_owned()), date_gmt: Some(stamp(now)), ..Patch::default() },
        None => Patch { status: Some("publish".to_owned()), ..Patch::default() },
    };
    let why = Why::call(target.site.id.as_str(), "cms.content.publish", What::Status, &wordpress::batch(cx));
    let written = wordpress::write(cx, &item, &patch, &why)?;
    let mut degraded = Vec::new();
    let is_live = written.item.fields.status == "publish";
    let verified = if is_live { look(cx, &written.item.link) } else { None };
    if let Some(change) = &written.change {
        cx.records::<Change>().update(change, |it| it.verified = verified)?;
    }
    if is_live && verified.is_none() {
        degraded.push(Degraded::new("verified", "the live page could not be read"));
    }
    let mut next = Vec::new();
    if is_live {
        next.push(Fix::on("audit.page.check", &written.item.link).because("says what is wrong with the live page"));
    }
    if let Some(change) = &written.change {
        let undo = json!({ "site_id": target.site.id, "change_ref": change });
        next.push(Fix::new("cms.change.rollback", undo).because("takes it back"));
    }
    Ok(Published {
        publish_at: if is_live { None } else { moment(&written.item.fields.date_gmt) },
        url: written.item.link,
        status: written.item.fields.status,
        check_results,
        verified,
        change_ref: written.change,
        next,
        degraded,
    })
}

/// Whether a live page is there to be found; none when it could not be read.
fn look(cx: &Cx, url: &str) -> Option<bool> {
    let facts = live::fetch(cx, &url.parse().ok()?, Reach::bytes(1 << 20)).ok()?;
    if facts.status == 0 {
        return None;
    }
    let noindex = facts.meta_robots.iter().chain(&facts.x_robots_tag).any(|it| it == "noindex" || it == "none");
    Some(facts.status == 200 && !noindex && !facts.titles.is_empty())
}
