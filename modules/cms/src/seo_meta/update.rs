//! The operation `cms.seo_meta.update`.

use sdk::prelude::*;
use sdk::{Degraded, Fix, Next, json};
use site::Site;
use wordpress::{Change, What, Why, seo};

use super::{Directive, SeoChanges, SocialFields, verified, writable};
use crate::diff::{Difference, differences};
use crate::shown::SeoFields;
use crate::target::{ItemRef, Target};

#[args]
pub(crate) struct Update {
    /// The website, as listed.
    site_id: Id<Site>,
    item_ref: ItemRef,
    /// The title tag. The plugin's variables, such as `%%title%%`, are kept; an empty text takes it away.
    title: Option<Text<0, 300>>,
    /// The meta description.
    description: Option<Text<0, 600>>,
    /// The canonical address.
    canonical: Option<Url>,
    /// Directives of the robots meta tag; an empty list is the site's default.
    robots: Option<List<Directive, 0, 7>>,
    /// What social networks are told.
    social: Option<SocialFields>,
}

/// What was written.
#[value]
pub(crate) struct Updated {
    /// The record of the change; null when the plugin held all of it already.
    change_ref: Option<Id<Change>>,
    /// Whether the live page shows what was written; null when it could not be read, or only variables were written.
    verified: Option<bool>,
    /// Whether the page came out of a cache, which may show the page of before for a while.
    served_from_cache: bool,
    /// What the head of the live page shows; null when it could not be read.
    rendered: Option<SeoFields>,
    /// What was changed.
    diff: Vec<Difference>,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Writes SEO title, description, canonical, robots or social fields of one item in the plugin's own keys and verifies the rendered page.
///
/// Fields that the plugin does not let write are refused with 409 `field_not_writable` before anything is sent. Each write is
/// a change that `cms.change.rollback` takes back.
#[operation(
    write,
    scope = "assets:write",
    cost = live(most = 12),
    side_effects = ["changes SEO fields of a post or page in your WordPress"],
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
        "wordpress POST /wp-json/rankmath/v1/updateMeta change",
    ],
    phrasings = [
        "change the seo title of this page in wordpress",
        "set the meta description of my post",
        "set this page to noindex in yoast",
        "fix the canonical in rank math",
    ],
    examples = [
        { "site_id": "4503599627370496", "item_ref": "https://shop.example/about", "title": "About the lamp shop", "description": "Who we are, where our lamps come from and how we mend them." },
        { "site_id": "4503599627370496", "item_ref": "https://shop.example/thanks", "robots": ["noindex"] }
    ]
)]
pub(crate) fn update(cx: &Cx, args: Update) -> Result<Updated> {
    let values = SeoChanges::new(args.title, args.description, args.canonical, args.robots, args.social).values("")?;
    let target = Target::of(cx, &args.site_id)?;
    let item = target.item(cx, args.item_ref.as_str(), "/item_ref")?;
    let seo = seo::detect(cx, &target.installation)?;
    writable(&seo, &item, &values, target.site.id.as_str())?;
    let why = Why::call(target.site.id.as_str(), "cms.seo_meta.update", What::Seo, &wordpress::batch(cx));
    let written = seo::put(cx, &seo, &item, &values, &why)?;
    let (verified, page) = verified(cx, &seo, &written, &values)?;
    let mut degraded = Vec::new();
    if page.is_none() {
        degraded.push(Degraded::new("rendered", "the item is not published, or its page could not be read"));
    }
    let record = written.change.as_ref().and_then(|id| cx.records::<Change>().find(id));
    let diff = record.map(|it| differences(cx, &it.fields, None)).unwrap_or_default();
    let mut next = Vec::new();
    if let Some(change) = &written.change {
        let undo = json!({ "site_id": target.site.id, "change_ref": change });
        next.push(Fix::new("cms.change.rollback", undo).because("takes the change back"));
    }
    if verified == Some(false) {
        next.insert(
            0,
            Fix::on("crawl.url.fetch", &item.link).because("shows whether a cache answers with the page of before"),
        );
    }
    Ok(Updated {
        change_ref: written.change,
        verified,
        served_from_cache: page.as_ref().is_some_and(|it| it.cached),
        rendered: page.map(|it| it.values.into()),
        diff,
        next,
        degraded,
    })
}
