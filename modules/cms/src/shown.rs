//! An item as results show it.

use sdk::prelude::*;
use wordpress::Item;
use wordpress::seo::{self, Plugin, Seo, Values};

use crate::target::{Thing, reference};

/// An item of WordPress.
#[value]
pub(crate) struct Shown {
    item_ref: Id<Thing>,
    /// Where it is shown, or would be.
    url: String,
    /// The path of its type: `posts`, `pages`, `product`.
    #[own]
    r#type: String,
    title: String,
    slug: String,
    /// As WordPress names it: `publish`, `draft`, `future`, `pending`, `private`, `trash`.
    #[own]
    status: String,
    /// The name of its author; null where WordPress does not show it.
    author: Option<String>,
    /// When it was published, or is to be; null for a draft without a date.
    published_at: Option<Moment>,
    /// When it was last changed.
    modified_at: Option<Moment>,
    terms: Vec<Terms>,
    /// What the SEO plugin holds; null where it cannot be read over REST.
    seo: Option<SeoFields>,
    /// Whether it was to be published more than ten minutes ago and was not: the site's scheduler does not run.
    missed_schedule: bool,
}

/// Terms of an item.
#[value]
pub(crate) struct Terms {
    /// The taxonomy, such as `category` or `post_tag`.
    taxonomy: String,
    names: Vec<String>,
}

/// What an SEO plugin holds, or a page shows: null where there is nothing.
#[value]
pub(crate) struct SeoFields {
    title: Option<String>,
    description: Option<String>,
    canonical: Option<String>,
    /// Directives; empty for the default.
    robots: Vec<String>,
    social: Social,
}

/// What social networks are told.
#[value]
pub(crate) struct Social {
    title: Option<String>,
    description: Option<String>,
    image: Option<String>,
}

impl From<Values> for SeoFields {
    fn from(it: Values) -> Self {
        Self {
            title: it.title,
            description: it.description,
            canonical: it.canonical,
            robots: it.robots.unwrap_or_default(),
            social: Social { title: it.og_title, description: it.og_description, image: it.og_image },
        }
    }
}

/// Minutes after which an item that waits for its moment was forgotten.
const LATE_MS: u64 = 10 * 60_000;

/// An item, as it is shown.
pub(crate) fn shown(cx: &Cx, seo: &Seo, item: &Item) -> Shown {
    let published_at = moment(&item.fields.date_gmt);
    let late = |at: Moment| cx.now().millis() > at.millis() + LATE_MS;
    Shown {
        item_ref: reference(item),
        url: item.link.clone(),
        r#type: item.at.base.clone(),
        title: item.fields.title.clone(),
        slug: item.fields.slug.clone(),
        status: item.fields.status.clone(),
        author: item.author.clone(),
        published_at,
        modified_at: moment(&item.modified_gmt),
        terms: item
            .named
            .iter()
            .map(|(taxonomy, names)| Terms { taxonomy: taxonomy.clone(), names: names.clone() })
            .collect(),
        seo: stored(seo, item),
        missed_schedule: item.fields.status == "future" && published_at.is_some_and(late),
    }
}

/// What the SEO plugin holds of an item; none where it cannot be read.
pub(crate) fn stored(seo: &Seo, item: &Item) -> Option<SeoFields> {
    let _: Plugin = seo.plugin?;
    (!seo.reads(&item.at.base).is_empty()).then(|| seo::stored(seo, item).into())
}

/// A moment as WordPress writes it, UTC without a zone.
pub(crate) fn moment(text: &str) -> Option<Moment> {
    let zoned = format!("{}Z", text.trim_end_matches('Z'));
    serde_json::from_value(serde_json::Value::String(zoned)).ok()
}

/// A moment as WordPress reads it.
pub(crate) fn stamp(at: Moment) -> String {
    let text = at.to_string();
    text.get(..19).unwrap_or(&text).to_owned()
}
