//! The operation `cms.seo_meta.get`.

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::{Degraded, Fix, Next, json};
use site::Site;
use site::live::{self, Reach};
use wordpress::seo::{self, Name};
use wordpress::{Item, Listing, Reference};

use super::{differing, of_facts};
use crate::shown::{SeoFields, stored};
use crate::target::{ItemRef, Target, Thing, missing, reference};

#[args]
pub(crate) struct Get {
    /// The website, as listed.
    site_id: Id<Site>,
    /// Items as `cms.content.list` gives them, or the addresses that they are shown at.
    item_refs: List<ItemRef, 1, 50>,
}

/// What is held of an item, and what its page shows.
#[value]
pub(crate) struct Row {
    item_ref: Id<Thing>,
    url: String,
    /// What the SEO plugin holds; null where it cannot be read over REST.
    stored: Option<SeoFields>,
    /// Whether a stored title or description has variables of the plugin, such as `%%title%%`; it is not compared then.
    stored_is_template: bool,
    /// What the head of the live page shows; null when the item is not published or its page could not be read.
    rendered: Option<SeoFields>,
    /// Fields that are held and that the page shows otherwise.
    differs: Vec<Name>,
}

/// SEO fields of items.
#[value]
pub(crate) struct Got {
    /// In the order of the arguments.
    rows: Vec<Row>,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Reads SEO title, description, canonical, robots and social fields as the plugin (Yoast, Rank Math, AIOSEO) stores them and as the live page renders them.
#[operation(
    read,
    scope = "assets:read",
    cost = live(most = 60),
    needs = ["store", "web", "connection:wordpress"],
    outside = [
        "wordpress GET /wp-json",
        "wordpress GET /wp-json/wp/v2",
        "wordpress GET /wp-json/wp/v2/*",
        "wordpress GET /wp-json/rankmath/v1",
    ],
    phrasings = [
        "which seo title is stored for this post and which is shown",
        "compare yoast fields with the live page",
        "read the meta description from rank math",
        "is the canonical in wordpress the one on the page",
    ],
    examples = [{ "site_id": "4503599627370496", "item_refs": ["https://shop.example/about"] }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<Got> {
    let target = Target::of(cx, &args.site_id)?;
    let seo = seo::detect(cx, &target.installation)?;
    let items = items(cx, &target, &args.item_refs)?;
    let mut degraded: Vec<Degraded> = Vec::new();
    let bases: std::collections::BTreeSet<&str> = items.iter().map(|it| it.at.base.as_str()).collect();
    degraded.extend(bases.iter().filter_map(|base| seo.degraded(base)).next());
    let live_items = |it: &&Item| it.fields.status == "publish";
    let urls: Vec<Url> = items.iter().filter(live_items).filter_map(|it| it.link.parse().ok()).collect();
    let requests = urls.iter().map(|url| live::request(url, Reach::bytes(1 << 20)));
    let answers = cx.web().fetch_many(requests);
    let mut pages = BTreeMap::new();
    for (url, answer) in urls.iter().zip(&answers) {
        let facts = live::facts(url.as_str(), answer);
        if (200..300).contains(&facts.status) && facts.is_html {
            pages.insert(url.to_string(), of_facts(&facts).values);
        }
    }
    if pages.len() < urls.len() {
        degraded.push(Degraded::new(
            "rendered",
            format!("{} of {} pages could not be read", urls.len() - pages.len(), urls.len()),
        ));
    }
    let row = |item: &Item| {
        let page = item.link.parse::<Url>().ok().and_then(|url| pages.get(&url.to_string()));
        let held = seo::stored(&seo, item);
        let is_template = |it: &Option<String>| {
            it.as_deref().zip(seo.plugin).is_some_and(|(text, plugin)| seo::is_template(plugin, text))
        };
        Row {
            item_ref: reference(item),
            url: item.link.clone(),
            stored: stored(&seo, item),
            stored_is_template: is_template(&held.title) || is_template(&held.description),
            differs: seo.plugin.zip(page).map(|(plugin, page)| differing(plugin, &held, page)).unwrap_or_default(),
            rendered: page.cloned().map(SeoFields::from),
        }
    };
    let rows: Vec<Row> = items.iter().map(row).collect();
    let next = match (rows.iter().find(|it| !it.differs.is_empty()), items.first()) {
        (Some(row), _) => {
            Fix::on("crawl.url.fetch", &row.url).because("shows whether a cache answers with the page of before")
        }
        (None, Some(item)) => Fix::on("onpage.title.suggest", &item.link).because("proposes titles for the page"),
        (None, None) => Fix::new("cms.content.list", json!({ "site_id": target.site.id })).because("lists the items"),
    };
    Ok(Got { rows, next: vec![next], degraded })
}

/// The items that are meant, in their order: those that are named by reference in one request for each type.
fn items(cx: &Cx, target: &Target, texts: &[ItemRef]) -> Result<Vec<Item>> {
    let at = &target.installation;
    let mut by_base: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for reference in
        texts.iter().filter_map(|it| Reference::read(it.as_str())).filter(|it| it.connection == at.connection)
    {
        by_base.entry(reference.base).or_default().push(reference.id);
    }
    let mut known: BTreeMap<String, Item> = BTreeMap::new();
    for (base, ids) in by_base {
        let all = ["publish", "draft", "future", "private", "pending"].map(str::to_owned).to_vec();
        let page = at.list(cx, &base, &Listing { status: all, include: ids, per_page: 100, ..Listing::default() })?;
        known.extend(page.items.into_iter().map(|it| (it.at.to_string(), it)));
    }
    let mut items = Vec::new();
    for (place, text) in texts.iter().enumerate() {
        let pointer = format!("/item_refs/{place}");
        let item = match known.get(text.as_str()) {
            Some(item) => item.clone(),
            None if text.as_str().starts_with("http") => target.item(cx, text.as_str(), &pointer)?,
            None => return Err(missing(&pointer)),
        };
        items.push(item);
    }
    Ok(items)
}
