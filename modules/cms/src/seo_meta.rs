//! SEO fields of items: what the plugin holds, what the page shows, and how they are written.

pub(crate) mod bulk_update;
pub(crate) mod get;
pub(crate) mod update;

use sdk::json;
use sdk::prelude::*;
use site::live::{self, Reach};
use wordpress::seo::{self, Name, Plugin, Seo, Values};
use wordpress::{Change, Item};

/// What social networks are told.
#[args]
pub(crate) struct SocialFields {
    /// The title.
    title: Option<Text<0, 300>>,
    /// The description.
    description: Option<Text<0, 600>>,
    /// The address of the picture.
    image: Option<Url>,
}

/// SEO fields that are to be set; an empty text takes what is held away.
#[args]
pub(crate) struct SeoChanges {
    /// The title tag. The plugin's variables, such as `%%title%%`, are kept.
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

/// A directive of the robots meta tag.
#[value]
pub(crate) enum Directive {
    #[serde(rename = "index")]
    Index,
    #[serde(rename = "noindex")]
    NoIndex,
    #[serde(rename = "follow")]
    Follow,
    #[serde(rename = "nofollow")]
    NoFollow,
    #[serde(rename = "noarchive")]
    NoArchive,
    #[serde(rename = "nosnippet")]
    NoSnippet,
    #[serde(rename = "noimageindex")]
    NoImageIndex,
}

impl SeoChanges {
    /// The fields of a call that names them beside each other.
    pub(crate) fn new(
        title: Option<Text<0, 300>>,
        description: Option<Text<0, 600>>,
        canonical: Option<Url>,
        robots: Option<List<Directive, 0, 7>>,
        social: Option<SocialFields>,
    ) -> Self {
        Self { title, description, canonical, robots, social }
    }

    /// The values; 422 at `pointer` without any, or for directives that contradict each other.
    pub(crate) fn values(&self, pointer: &str) -> Result<Values> {
        let text = |it: Option<&str>| it.map(str::to_owned);
        let word = |it: &Directive| serde_json::to_value(it).ok().and_then(|it| it.as_str().map(str::to_owned));
        let robots: Option<Vec<String>> = self.robots.as_ref().map(|all| all.iter().filter_map(word).collect());
        if let Some(all) = &robots {
            for pair in [["index", "noindex"], ["follow", "nofollow"]] {
                if pair.iter().all(|it| all.iter().any(|held| held == it)) {
                    let message = format!("`{}` and `{}` contradict each other", pair[0], pair[1]);
                    return Err(Fault::invalid(format!("{pointer}/robots"), "contradiction", message));
                }
            }
        }
        let values = Values {
            title: text(self.title.as_deref()),
            description: text(self.description.as_deref()),
            canonical: self.canonical.as_ref().map(|it| it.to_string()),
            robots,
            og_title: self.social.as_ref().and_then(|it| text(it.title.as_deref())),
            og_description: self.social.as_ref().and_then(|it| text(it.description.as_deref())),
            og_image: self.social.as_ref().and_then(|it| it.image.as_ref()).map(|it| it.to_string()),
        };
        if values.names().is_empty() {
            let message = "name at least one field: title, description, canonical, robots or social";
            return Err(Fault::invalid(pointer, "nothing_to_change", message));
        }
        Ok(values)
    }
}

/// Refuses fields that the plugin does not let write.
pub(crate) fn writable(seo: &Seo, item: &Item, values: &Values, site: &str) -> Result<()> {
    if seo.plugin.is_none() {
        let message =
            "no known SEO plugin is active; WordPress itself prints no description and takes the title from the item";
        return Err(Fault::conflict("no_seo_plugin", message));
    }
    let may = seo.writes(&item.at.base);
    let not: Vec<Name> = values.names().into_iter().filter(|it| !may.contains(it)).collect();
    if not.is_empty() {
        return Ok(());
    }
    let message = "the SEO plugin does not let these fields of this type be written over REST; `bridge` of cms.site.inspect is a plugin that does";
    Err(Fault::conflict("field_not_writable", message).detail(json!({
        "fields": not,
        "how": "bridge",
        "operation_id": "cms.site.inspect",
        "arguments": { "site_id": site },
    })))
}

/// What a live page shows in its head.
pub(crate) struct Rendered {
    pub(crate) values: Values,
    /// Whether the answer says that it came out of a cache.
    pub(crate) cached: bool,
}

/// The head of the live page of a published item; none when it is not published or could not be read.
pub(crate) fn rendered(cx: &Cx, item: &Item) -> Option<Rendered> {
    if item.fields.status != "publish" {
        return None;
    }
    let facts = live::fetch(cx, &item.link.parse().ok()?, Reach::bytes(1 << 20)).ok()?;
    if !(200..300).contains(&facts.status) || !facts.is_html {
        return None;
    }
    Some(of_facts(&facts))
}

/// What the facts of a page say of its head.
pub(crate) fn of_facts(facts: &kit::page::PageFacts) -> Rendered {
    let og = |name: &str| facts.open_graph.iter().find(|(it, _)| it == name).map(|(_, text)| text.clone());
    let canonical = facts.canonicals.first().map(|it| it.url.clone().unwrap_or_else(|| it.href.clone()));
    // Only a cache adds an age (RFC 9111, 5.1).
    let cached = facts.headers.get("age").is_some_and(|it| it.trim() != "0");
    Rendered {
        values: Values {
            title: facts.titles.first().cloned(),
            description: facts.descriptions.first().cloned(),
            canonical,
            robots: Some(facts.meta_robots.clone()),
            og_title: og("og:title"),
            og_description: og("og:description"),
            og_image: og("og:image"),
        },
        cached,
    }
}

/// A field in which the page differs from what is held. Nothing is claimed of texts with variables, or of fields that the page
/// leaves to their defaults.
pub(crate) fn differing(plugin: Plugin, stored: &Values, page: &Values) -> Vec<Name> {
    let folded = |text: &str| kit::text::collapse(text);
    let text = |stored: &Option<String>, page: &Option<String>| match stored.as_deref() {
        None | Some("") => false,
        Some(stored) if seo::is_template(plugin, stored) => false,
        Some(stored) => page.as_deref().is_none_or(|page| folded(page) != folded(stored)),
    };
    let address = |stored: &Option<String>, page: &Option<String>| match stored.as_deref() {
        None | Some("") => false,
        Some(stored) => page.as_deref().and_then(kit::url::normalize) != kit::url::normalize(stored),
    };
    let robots = match (&stored.robots, &page.robots) {
        (Some(stored), Some(page)) => {
            let says = |all: &[String], word: &str| all.iter().any(|it| it == word || it == "none");
            ["noindex", "nofollow"].iter().any(|it| says(stored, it) != says(page, it)) && !stored.is_empty()
        }
        _ => false,
    };
    let all = [
        (Name::Title, text(&stored.title, &page.title)),
        (Name::Description, text(&stored.description, &page.description)),
        (Name::Canonical, address(&stored.canonical, &page.canonical)),
        (Name::Robots, robots),
        (Name::OgTitle, text(&stored.og_title, &page.og_title)),
        (Name::OgDescription, text(&stored.og_description, &page.og_description)),
        (Name::OgImage, address(&stored.og_image, &page.og_image)),
    ];
    all.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name).collect()
}

/// Whether a page can show that values were written: variables and fields that are taken away leave nothing to compare.
fn is_comparable(plugin: Plugin, values: &Values) -> bool {
    let plain = |it: &Option<String>| it.as_deref().is_some_and(|it| !it.is_empty() && !seo::is_template(plugin, it));
    let texts = [
        &values.title,
        &values.description,
        &values.canonical,
        &values.og_title,
        &values.og_description,
        &values.og_image,
    ];
    texts.into_iter().any(plain) || values.robots.as_ref().is_some_and(|it| !it.is_empty())
}

/// Whether the page shows what was written; null when it could not be read or nothing of it can be compared. What was
/// written is kept in the record of the change.
pub(crate) fn verified(
    cx: &Cx,
    seo: &Seo,
    written: &wordpress::Written,
    values: &Values,
) -> Result<(Option<bool>, Option<Rendered>)> {
    let Some(plugin) = seo.plugin else { return Ok((None, None)) };
    let mut page = rendered(cx, &written.item);
    let compared = is_comparable(plugin, values);
    let is = |page: &Option<Rendered>| {
        page.as_ref().filter(|_| compared).map(|it| differing(plugin, values, &it.values).is_empty())
    };
    if is(&page) == Some(false) && page.as_ref().is_some_and(|it| it.cached) {
        // A cache of the site may still be on its way to the new page.
        cx.wait(2_000);
        page = rendered(cx, &written.item);
    }
    let verified = is(&page);
    if let Some(change) = &written.change {
        cx.records::<Change>().update(change, |it| it.verified = verified)?;
    }
    Ok((verified, page))
}
