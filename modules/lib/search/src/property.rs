//! The Search Console property of a website.
//!
//! Source: developers.google.com/webmaster-tools/v1/sites/list.

use sdk::prelude::*;
use sdk::{Need, Send};
use serde::Deserialize;
use site::{Property, Site};

/// The connection that a property needs.
pub const NEED: Need = Need::consent("google_search_console", &["full user of the property"]);

/// A property that a connection can reach.
#[value]
pub struct Reached {
    /// The connection.
    pub connection: String,
    /// As Search Console names it: `sc-domain:shop.example` or `https://shop.example/`.
    pub property: String,
}

#[derive(Deserialize)]
struct Sites {
    #[serde(rename = "siteEntry", default)]
    entries: Vec<SiteEntry>,
}

#[derive(Deserialize)]
struct SiteEntry {
    #[serde(rename = "siteUrl")]
    url: String,
    #[serde(rename = "permissionLevel", default)]
    permission: String,
}

/// The property of a website: the one that is mapped to it, else the best of those that a connection lists. `why` says what
/// the property is needed for.
///
/// # Errors
/// 422 `connection_required`; 409 `property_not_found` when no property covers the website.
pub fn property(cx: &Cx, site: &Stored<Site>, why: &str) -> Result<Reached> {
    let best = cx.connections().required(NEED, "/site_id", why)?;
    let mapped = cx.records::<Property>().by("site_id_kind").equals(&site.id).equals("google_search_console").first();
    let held = cx.connections().of("google_search_console");
    if let Some(mapped) = mapped.filter(|it| held.iter().any(|one| one.reference == it.connection_ref)) {
        let Property { connection_ref, remote_id, .. } = mapped.it;
        return Ok(Reached { connection: connection_ref, property: remote_id });
    }
    let listed: Sites =
        cx.connections().send(&Send::get(&best.reference, "/webmasters/v3/sites"))?.accepted()?.json()?;
    let usable = listed.entries.into_iter().filter(|it| it.permission != "siteUnverifiedUser");
    let ranked = usable.filter_map(|it| Some((rank(&it.url, &site.origin)?, it.url)));
    let best_property = ranked.max_by_key(|(rank, _)| *rank).map(|(_, url)| url);
    best_property.map(|property| Reached { connection: best.reference, property }).ok_or_else(|| {
        let message =
            "no property of the connected Search Console covers this website; connections.property.list shows them";
        Fault::conflict("property_not_found", message).at("/site_id")
    })
}

/// How well a property covers an origin; `None` when it does not.
fn rank(property: &str, origin: &str) -> Option<usize> {
    let origin = kit::url::Url::parse(origin).ok()?;
    let host = origin.host_str()?;
    if let Some(domain) = property.strip_prefix("sc-domain:") {
        let covers = host == domain || host.ends_with(&format!(".{domain}"));
        return covers.then_some(1_000 + domain.len());
    }
    let prefix = kit::url::Url::parse(property).ok()?;
    (kit::url::origin(&prefix) == kit::url::origin(&origin) && prefix.path() == "/").then_some(500)
}

/// Whether a property covers an address.
#[must_use]
pub fn covers(property: &str, url: &str) -> bool {
    match property.strip_prefix("sc-domain:") {
        Some(_) => rank(property, url).is_some(),
        None => url.starts_with(property),
    }
}
