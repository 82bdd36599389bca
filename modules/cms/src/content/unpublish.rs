//! The operation `cms.content.unpublish`.

use sdk::prelude::*;
use sdk::{Degraded, Fix, Next, Send, json};
use serde_json::Value;
use site::Site;
use wordpress::seo;
use wordpress::{Change, Patch, What, Why};

use crate::demand::Demand;
use crate::target::{ItemRef, Target};

#[args]
pub(crate) struct Unpublish {
    /// The website, as listed.
    site_id: Id<Site>,
    item_ref: ItemRef,
    /// A page of the website that takes over the links that lead here. Needs the Redirection plugin.
    redirect_to: Option<Url>,
}

/// The marker of references to redirects.
pub(crate) enum Redirect {}

/// An item that was taken back.
#[value]
pub(crate) struct Unpublished {
    /// As WordPress has it now.
    #[own]
    status: String,
    /// Where it was shown.
    url: String,
    /// The redirect; null when none was asked for, or nothing holds redirects.
    redirect_ref: Option<Id<Redirect>>,
    /// Links of the newest crawl that lead to it; null when nothing is known.
    inlinks_affected: Option<u64>,
    /// Its clicks in the last 28 days; null when nothing is known.
    clicks_28d: Option<u64>,
    /// The record of the change; null when it was no longer published.
    change_ref: Option<Id<Change>>,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Returns a published item to draft and, when asked, sets a redirect so links keep working.
///
/// The draft comes first: a redirect over a live page would hide it. Where no plugin holds redirects, the item is a draft, and
/// `degraded` says so.
#[operation(
    write,
    scope = "assets:write",
    cost = live(most = 12),
    side_effects = ["takes a post or page of your WordPress off the web", "makes a redirect there, when it is asked for"],
    needs = ["store", "connection:wordpress"],
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
        "wordpress GET /wp-json/redirection/v1/redirect",
        "wordpress GET /wp-json/redirection/v1/group",
        "wordpress POST /wp-json/redirection/v1/redirect change",
    ],
    phrasings = [
        "take this post offline",
        "unpublish a page and redirect it",
        "turn the wordpress page back into a draft",
        "hide this page but keep its links working",
    ],
    examples = [
        { "site_id": "4503599627370496", "item_ref": "https://shop.example/old-lamp", "redirect_to": "https://shop.example/lamps" }
    ]
)]
pub(crate) fn unpublish(cx: &Cx, args: Unpublish) -> Result<Unpublished> {
    let target = Target::of(cx, &args.site_id)?;
    let item = target.item(cx, args.item_ref.as_str(), "/item_ref")?;
    let url = item.link.clone();
    if let Some(to) = &args.redirect_to {
        if !target.site.has(to.as_str()) {
            let message = "the address is not one of this website";
            return Err(Fault::invalid("/redirect_to", "url_not_of_site", message));
        }
        let plain = |it: &str| kit::url::normalize(it).map(|it| it.trim_end_matches('/').to_owned());
        if plain(to.as_str()) == plain(&url) {
            let message = "a page cannot be redirected to itself";
            return Err(Fault::invalid("/redirect_to", "self", message));
        }
    }
    let demand = Demand::of(cx, &target.site, &url);
    let why = Why::call(target.site.id.as_str(), "cms.content.unpublish", What::Status, &wordpress::batch(cx));
    let patch = Patch { status: Some("draft".to_owned()), ..Patch::default() };
    let written = wordpress::write(cx, &item, &patch, &why)?;
    let mut degraded = demand.degraded;
    let redirect_ref = match &args.redirect_to {
        Some(to) => redirect(cx, &target, &url, to, &mut degraded),
        None => None,
    };
    let mut next = Vec::new();
    if let Some(change) = &written.change {
        let undo = json!({ "site_id": target.site.id, "change_ref": change });
        next.push(Fix::new("cms.change.rollback", undo).because("publishes it again"));
    }
    Ok(Unpublished {
        status: written.item.fields.status,
        url,
        redirect_ref,
        inlinks_affected: demand.inlinks,
        clicks_28d: demand.clicks_28d,
        change_ref: written.change,
        next,
        degraded,
    })
}

/// Makes a redirect; none when nothing holds redirects, or it was refused. The item is a draft already, so nothing is thrown
/// away because of it.
fn redirect(cx: &Cx, target: &Target, from: &str, to: &Url, degraded: &mut Vec<Degraded>) -> Option<Id<Redirect>> {
    let mut say = |why: String| degraded.push(Degraded::new("redirect_ref", why));
    match made(cx, target, from, to) {
        Ok(Some(id)) => Some(Id::new(id)),
        Ok(None) => {
            say("no plugin holds redirects: install Redirection, or add the redirect to your server".to_owned());
            None
        }
        Err(fault) => {
            say(format!("the redirect was not made: {}: {}", fault.code, fault.message));
            None
        }
    }
}

fn made(cx: &Cx, target: &Target, from: &str, to: &Url) -> Result<Option<String>> {
    let at = &target.installation;
    let seo = seo::detect(cx, at)?;
    if !seo.namespaces.iter().any(|it| it == "redirection/v1") {
        return Ok(None);
    }
    let path = |url: &str| {
        let url = url.parse::<Url>().ok()?;
        Some(url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path())))
    };
    let (Some(from), Some(to)) = (path(from), path(to.as_str())) else { return Ok(None) };
    // The plugin takes two redirects of one source without a word.
    let known = Send::get(&at.connection, "/wp-json/redirection/v1/redirect")
        .query("filterBy[url]", &from)
        .query("per_page", 200);
    let known: Value = cx.connections().send(&known)?.accepted()?.json()?;
    if let Some(same) = known["items"].as_array().into_iter().flatten().find(|it| it["url"] == from.as_str()) {
        let message = format!("the plugin has a redirect of this address already, to {}", same["action_data"]["url"]);
        return Err(Fault::conflict("redirect_exists", message));
    }
    let groups = Send::get(&at.connection, "/wp-json/redirection/v1/group").query("per_page", 200);
    let groups: Value = cx.connections().send(&groups)?.accepted()?.json()?;
    let usable = |it: &&Value| it["enabled"] == true && it["module_id"] == 1;
    let Some(group) = groups["items"].as_array().into_iter().flatten().find(usable) else { return Ok(None) };
    let body = json!({ "url": from, "match_type": "url", "action_type": "url", "action_code": 301,
        "action_data": { "url": to }, "group_id": group["id"], "title": "" });
    let request = Send::post(&at.connection, "/wp-json/redirection/v1/redirect").json(&body);
    let answer: Value = cx.connections().send(&request)?.accepted()?.json()?;
    let made = answer["items"].as_array().into_iter().flatten().find(|it| it["url"] == from.as_str());
    Ok(made.and_then(|it| it["id"].as_u64()).map(|it| it.to_string()))
}
