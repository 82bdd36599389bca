//! The operation `cms.content.update`.

use sdk::prelude::*;
use sdk::{Degraded, Fix, Next, json};
use site::Site;
use wordpress::seo;
use wordpress::{Change, Patch, Reference, What, Why};

use super::create::{Author, user};
use crate::demand::Demand;
use crate::diff::{Difference, differences};
use crate::seo_meta::{SeoChanges, writable};
use crate::shown::{Shown, shown, stamp};
use crate::target::{ItemRef, Target, missing};
use crate::terms::Terms;

/// What is to be changed; everything else stays.
#[args]
pub(crate) struct Changes {
    /// The title.
    title: Option<Text<0, 300>>,
    /// The content as it is to be stored, block comments included.
    content: Option<Text<0, 300_000>>,
    /// The excerpt.
    excerpt: Option<Text<0, 5_000>>,
    /// The last part of the address.
    slug: Option<Text<1, 200>>,
    /// When it was or is to be published.
    date: Option<Moment>,
    /// An author as `authors.list` gives it.
    author_ref: Option<Id<Author>>,
    /// The number of its picture in the media library; 0 for none.
    featured_media: Option<Count<0, 9_007_199_254_740_991>>,
    /// Categories and tags, each list whole.
    terms: Option<Terms>,
    /// The item above it.
    parent: Option<ItemRef>,
    /// The template of the theme; an empty text for the usual one.
    template: Option<Text<0, 200>>,
    /// SEO fields.
    seo: Option<SeoChanges>,
}

#[args]
pub(crate) struct Update {
    /// The website, as listed.
    site_id: Id<Site>,
    item_ref: ItemRef,
    /// The `edit_hash` of `cms.content.get`: what the change was made from.
    edit_hash: Text<1, 128>,
    /// What is to be changed; at least one member.
    changes: Changes,
}

/// What was changed.
#[value]
pub(crate) struct Updated {
    item: Shown,
    /// The record of the change; null when all was already so.
    change_ref: Option<Id<Change>>,
    /// The hash of the item as it is now.
    #[own]
    edit_hash: String,
    diff: Vec<Difference>,
    /// Links of the newest crawl that lead to the address that it had before; null when the address stays, or nothing is known.
    inlinks_affected: Option<u64>,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Updates chosen fields of a CMS item only if its edit hash still matches and records before and after for rollback.
///
/// 409 `edit_conflict` with the hash of now when somebody changed the item since. The status is changed by
/// `cms.content.publish` and `cms.content.unpublish`.
#[operation(
    write,
    scope = "assets:write",
    cost = live(most = 40),
    side_effects = ["changes a post or page in your WordPress"],
    needs = ["store", "connection:wordpress"],
    outside = [
        "wordpress GET /wp-json",
        "wordpress GET /wp-json/wp/v2",
        "wordpress GET /wp-json/wp/v2/users",
        "wordpress GET /wp-json/wp/v2/categories",
        "wordpress POST /wp-json/wp/v2/categories change",
        "wordpress GET /wp-json/wp/v2/tags",
        "wordpress POST /wp-json/wp/v2/tags change",
        "wordpress GET /wp-json/wp/v2/posts",
        "wordpress GET /wp-json/wp/v2/posts/*",
        "wordpress GET /wp-json/wp/v2/posts/*/revisions",
        "wordpress POST /wp-json/wp/v2/posts/* change",
        "wordpress GET /wp-json/wp/v2/pages",
        "wordpress GET /wp-json/wp/v2/pages/*",
        "wordpress GET /wp-json/wp/v2/pages/*/revisions",
        "wordpress POST /wp-json/wp/v2/pages/* change",
        "wordpress GET /wp-json/wp/v2/product",
        "wordpress GET /wp-json/wp/v2/product/*",
        "wordpress GET /wp-json/wp/v2/product/*/revisions",
        "wordpress POST /wp-json/wp/v2/product/* change",
        "wordpress GET /wp-json/rankmath/v1",
        "wordpress POST /wp-json/rankmath/v1/updateMeta change",
    ],
    phrasings = [
        "change the title of a wordpress post",
        "update the content of this page in the cms",
        "change the slug of a post",
        "add tags to my wordpress post",
    ],
    examples = [
        { "site_id": "4503599627370496", "item_ref": "https://shop.example/about", "edit_hash": "0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d", "changes": { "title": "About our lamps", "terms": { "tags": ["brass"] } } }
    ]
)]
pub(crate) fn update(cx: &Cx, args: Update) -> Result<Updated> {
    let target = Target::of(cx, &args.site_id)?;
    let at = &target.installation;
    let wanted = args.changes;
    let values = wanted.seo.as_ref().map(|it| it.values("/changes/seo")).transpose()?;
    let before = target.item(cx, args.item_ref.as_str(), "/item_ref")?;
    let hash = before.edit_hash();
    if hash != args.edit_hash.as_str() {
        let message = "the item is not what the edit hash was made of; read it again with cms.content.get";
        let detail = json!({ "edit_hash": hash, "modified_gmt": before.modified_gmt });
        return Err(Fault::conflict("edit_conflict", message).at("/edit_hash").detail(detail));
    }
    if wanted.content.is_some() {
        wordpress::plain(&before)?;
    }
    let seo = seo::detect(cx, at)?;
    if let Some(values) = &values {
        writable(&seo, &before, values, target.site.id.as_str()).map_err(|it| it.at("/changes/seo"))?;
    }
    let patch = patch(cx, &target, &before.at, wanted)?;
    if patch == Patch::default() && values.is_none() {
        return Err(Fault::invalid("/changes", "nothing_to_change", "name at least one member to change"));
    }
    let why = Why::call(target.site.id.as_str(), "cms.content.update", What::Fields, &wordpress::batch(cx));
    let mut written = wordpress::write(cx, &before, &patch, &why)?;
    let mut degraded = Vec::new();
    let mut fields = fields(cx, written.change.as_ref());
    if let Some(values) = &values {
        match seo::put(cx, &seo, &written.item, values, &Why { what: What::Seo, seq: 1, ..why }) {
            Ok(put) => {
                fields.extend(self::fields(cx, put.change.as_ref()));
                written.change = written.change.or(put.change);
                written.item = put.item;
            }
            Err(fault) if written.change.is_none() => return Err(fault),
            // What was written before stands, with its record.
            Err(fault) => {
                degraded.push(Degraded::new("seo", format!("not written: {}: {}", fault.code, fault.message)))
            }
        }
    }
    let moved = written.item.link != before.link && before.fields.status == "publish";
    let inlinks_affected = moved.then(|| Demand::of(cx, &target.site, &before.link)).and_then(|it| {
        degraded.extend(it.degraded.into_iter().filter(|it| it.what == "inlinks"));
        it.inlinks
    });
    let mut next = Vec::new();
    if moved && inlinks_affected != Some(0) {
        let pairs = json!([{ "from": before.link, "to": written.item.link }]);
        let replace =
            Fix::new("cms.link.replace", json!({ "site_id": target.site.id, "pairs": pairs, "dry_run": true }));
        next.extend(replace.if_served().map(|it| it.because("shows the links that lead to the address of before")));
    }
    if let Some(change) = &written.change {
        let undo = json!({ "site_id": target.site.id, "change_ref": change });
        next.push(Fix::new("cms.change.rollback", undo).because("takes the change back"));
    }
    Ok(Updated {
        edit_hash: written.item.edit_hash(),
        item: shown(cx, &seo, &written.item),
        change_ref: written.change,
        diff: fields,
        inlinks_affected,
        next,
        degraded,
    })
}

/// What a change wrote.
fn fields(cx: &Cx, change: Option<&Id<Change>>) -> Vec<Difference> {
    let record = change.and_then(|id| cx.records::<Change>().find(id));
    record.map(|it| differences(cx, &it.fields, None)).unwrap_or_default()
}

/// The members of a call, as WordPress takes them.
fn patch(cx: &Cx, target: &Target, at: &Reference, wanted: Changes) -> Result<Patch> {
    let author = wanted
        .author_ref
        .as_ref()
        .map(|id| cx.records::<Author>().get(id).map_err(|it| it.at("/changes/author_ref")))
        .transpose()?;
    let author = match &author {
        Some(author) => Some(user(cx, target, author)?.ok_or_else(|| {
            let message = "no user of this WordPress has the name of the author";
            Fault::conflict("author_unmapped", message).at("/changes/author_ref")
        })?),
        None => None,
    };
    let parent = match &wanted.parent {
        Some(text) => {
            let parent = target.item(cx, text.as_str(), "/changes/parent")?;
            if parent.at.base != at.base || parent.at.id == at.id {
                return Err(missing("/changes/parent"));
            }
            Some(parent.at.id)
        }
        None => None,
    };
    let terms = wanted.terms.as_ref().map(|it| it.resolved(cx, &target.installation)).transpose()?.unwrap_or_default();
    Ok(Patch {
        title: wanted.title.map(Text::into_string),
        content: wanted.content.map(Text::into_string),
        excerpt: wanted.excerpt.map(Text::into_string),
        slug: wanted.slug.map(Text::into_string),
        date_gmt: wanted.date.map(stamp),
        template: wanted.template.map(Text::into_string),
        author,
        featured_media: wanted.featured_media.map(u64::from),
        parent,
        terms,
        ..Patch::default()
    })
}
