//! The operation `cms.content.get`.

use sdk::prelude::*;
use sdk::{Degraded, Fix, Next, Send, json};
use serde::Deserialize;
use site::Site;
use wordpress::seo;

use crate::shown::{SeoFields, Shown, moment, shown, stored};
use crate::target::{ItemRef, Target};

#[args]
pub(crate) struct Get {
    /// The website, as listed.
    site_id: Id<Site>,
    item_ref: ItemRef,
    /// Whether the content is shown, as it is stored and as the site renders it.
    #[default(true)]
    raw: bool,
}

/// A revision of an item.
#[value]
pub(crate) struct Revision {
    /// Its number at WordPress.
    revision: u64,
    saved_at: Option<Moment>,
    /// The number of the user who saved it.
    author: u64,
}

/// An item with its content.
#[value]
pub(crate) struct Got {
    item: Shown,
    /// The content as it is stored, block comments and shortcodes included; null without `raw`.
    content: Option<String>,
    /// The content as the site renders it; null without `raw`.
    rendered: Option<String>,
    excerpt: String,
    /// What the SEO plugin holds; null where it cannot be read over REST.
    seo: Option<SeoFields>,
    /// The newest ten.
    revisions: Vec<Revision>,
    /// What `cms.content.update` is guarded by.
    #[own]
    edit_hash: String,
    /// The page builder that makes the content, which then cannot be edited here; null without one.
    #[own]
    page_builder: Option<String>,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

#[derive(Deserialize)]
struct Kept {
    id: u64,
    #[serde(default)]
    date_gmt: String,
    #[serde(default)]
    author: u64,
}

/// Returns one CMS item with raw and rendered content, SEO fields, revisions and an edit hash for safe updates.
#[operation(
    read,
    scope = "assets:read",
    cost = live(most = 8),
    needs = ["store", "connection:wordpress"],
    outside = [
        "wordpress GET /wp-json",
        "wordpress GET /wp-json/wp/v2",
        "wordpress GET /wp-json/wp/v2/*",
        "wordpress GET /wp-json/wp/v2/*/*",
        "wordpress GET /wp-json/wp/v2/*/*/revisions",
        "wordpress GET /wp-json/rankmath/v1",
    ],
    phrasings = [
        "show the wordpress post behind this address",
        "get the raw content of a page from the cms",
        "who edited this post and when",
        "read the seo title stored for this post",
    ],
    examples = [
        { "site_id": "4503599627370496", "item_ref": "https://shop.example/about" },
        { "site_id": "4503599627370496", "item_ref": "con_4fzzzxjylrxeu7yx2kphqvjzba/posts/7", "raw": false }
    ]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<Got> {
    let target = Target::of(cx, &args.site_id)?;
    let at = &target.installation;
    let item = target.item(cx, args.item_ref.as_str(), "/item_ref")?;
    let seo = seo::detect(cx, at)?;
    let request = Send::get(&at.connection, format!("{}/revisions", item.at.path()))
        .query("per_page", 10)
        .query("_fields", "id,date_gmt,author");
    let answer = cx.connections().send(&request)?;
    let mut degraded: Vec<Degraded> = seo.degraded(&item.at.base).into_iter().collect();
    let kept: Vec<Kept> = if answer.is_success() { answer.json()? } else { Vec::new() };
    if !answer.is_success() {
        degraded.push(Degraded::new("revisions", "WordPress keeps or shows no revisions of this item"));
    }
    let url = item.link.clone();
    let mut next = vec![
        Fix::new("cms.change.list", json!({ "site_id": target.site.id, "item_ref": item.at.to_string() }))
            .because("lists what was changed here before"),
    ];
    if item.fields.status == "publish" {
        next.insert(0, Fix::on("audit.page.check", &url).because("says what is wrong with the page"));
    }
    Ok(Got {
        content: args.raw.then(|| item.fields.content.clone()),
        rendered: args.raw.then(|| item.rendered.clone()),
        excerpt: item.fields.excerpt.clone(),
        seo: stored(&seo, &item),
        revisions: kept
            .into_iter()
            .map(|it| Revision { revision: it.id, saved_at: moment(&it.date_gmt), author: it.author })
            .collect(),
        edit_hash: item.edit_hash(),
        page_builder: item.page_builder().map(str::to_owned),
        item: shown(cx, &seo, &item),
        next,
        degraded,
    })
}
