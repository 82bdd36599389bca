//! Posts and pages of a customer's WordPress: the item behind an address, its raw content, and a guarded edit.
//!
//! By the REST interface that WordPress documents (developer.wordpress.org/rest-api/reference/posts and pages). An
//! operation that uses all of it needs these lines of `outside`, for `posts` and for `pages`:
//!
//! ```text
//! wordpress GET /wp-json/wp/v2/posts
//! wordpress GET /wp-json/wp/v2/posts/*
//! wordpress GET /wp-json/wp/v2/posts/*/revisions
//! wordpress POST /wp-json/wp/v2/posts/* change
//! ```

mod edit;

use kit::url::{bare_host, resolve};
use sdk::prelude::*;
use sdk::{Need, Send, SendFailure};
use serde::Deserialize;

pub use edit::{Edited, put_back, write};

/// A WordPress that a customer connected.
pub const NEED: Need = Need::key("wordpress", &["a user with the role Editor"]);

/// What an item is.
#[value]
pub enum Kind {
    /// A post.
    Posts,
    /// A page.
    Pages,
}

impl Kind {
    /// Where items of the kind are, as WordPress documents it.
    const fn path(self) -> &'static str {
        match self {
            Self::Posts => "/wp-json/wp/v2/posts",
            Self::Pages => "/wp-json/wp/v2/pages",
        }
    }
}

/// An item as its editors see it.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// The connection that it is read through.
    pub connection: String,
    /// What it is.
    pub kind: Kind,
    /// Its number at that WordPress.
    pub id: u64,
    /// The address that it is shown at.
    pub link: String,
    /// The content as it is stored, block comments and shortcodes included.
    pub raw: String,
    /// When it was last changed, as WordPress writes it.
    pub modified_gmt: String,
}

impl Item {
    /// SHA-256 of the content as it is stored, in hex: what an edit is guarded by.
    #[must_use]
    pub fn hash(&self) -> String {
        kit::text::hex(&kit::text::sha256(self.raw.as_bytes()))
    }

    fn path(&self) -> String {
        format!("{}/{}", self.kind.path(), self.id)
    }
}

/// An item as the `edit` context shows it.
#[derive(Deserialize)]
struct Shown {
    id: u64,
    link: String,
    #[serde(default)]
    status: String,
    #[serde(default)]
    modified_gmt: String,
    content: Content,
}

#[derive(Deserialize)]
struct Content {
    #[serde(default)]
    raw: Option<String>,
    #[serde(default)]
    protected: bool,
}

impl Shown {
    fn item(self, connection: &str, kind: Kind) -> Option<Item> {
        let Self { id, link, modified_gmt, content, .. } = self;
        let raw = content.raw?;
        Some(Item { connection: connection.to_owned(), kind, id, link, raw, modified_gmt })
    }
}

/// The published item that an address shows, looked for at every WordPress that the customer connected.
///
/// # Errors
/// What a provider that had to be asked refused.
pub fn find(cx: &Cx, url: &str) -> Result<Option<Item>> {
    for connection in cx.connections().of("wordpress") {
        if let Some(item) = find_at(cx, &connection.reference, url)? {
            return Ok(Some(item));
        }
    }
    Ok(None)
}

fn find_at(cx: &Cx, connection: &str, url: &str) -> Result<Option<Item>> {
    let Ok(wanted) = url.parse::<Url>() else { return Ok(None) };
    // Without pretty addresses the number is in the query.
    let number = |name: &str| wanted.query_pairs().find(|(key, _)| key == name).and_then(|(_, it)| it.parse().ok());
    for (kind, name) in [(Kind::Posts, "p"), (Kind::Pages, "page_id")] {
        if let Some(id) = number(name) {
            return read(cx, connection, kind, id);
        }
    }
    let slug = wanted.path().trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned();
    if slug.is_empty() {
        return Ok(None);
    }
    for kind in [Kind::Posts, Kind::Pages] {
        let request = Send::get(connection, kind.path())
            .query("slug", &slug)
            .query("context", "edit")
            .query("per_page", 20)
            .query("_fields", "id,link,status,modified_gmt,content");
        let shown: Vec<Shown> = cx.connections().send(&request)?.accepted()?.json()?;
        let here = |it: &Shown| it.status == "publish" && !it.content.protected && same_place(&it.link, &wanted);
        if let Some(found) = shown.into_iter().find(here) {
            return Ok(found.item(connection, kind));
        }
    }
    Ok(None)
}

/// Whether an item's own address is the one that is looked for: host and path, the scheme and a last slash aside.
fn same_place(link: &str, wanted: &Url) -> bool {
    let Some(link) = resolve(wanted, link) else { return false };
    let path = |url: &str| url.trim_end_matches('/').to_lowercase();
    bare_host(&link) == bare_host(wanted) && path(link.path()) == path(wanted.path())
}

/// One item; none when there is no such item, or when it is in the trash.
///
/// # Errors
/// What the provider refused.
pub fn read(cx: &Cx, connection: &str, kind: Kind, id: u64) -> Result<Option<Item>> {
    let request = Send::get(connection, format!("{}/{id}", kind.path())).query("context", "edit");
    let answer = cx.connections().send(&request)?;
    if matches!(answer.status, 404 | 410) {
        return Ok(None);
    }
    let shown: Shown = answer.accepted()?.json()?;
    if shown.status == "trash" {
        return Ok(None);
    }
    shown.item(connection, kind).map(Some).ok_or_else(|| Fault::from(SendFailure::Malformed))
}

/// The newest revision that WordPress keeps of an item; none where revisions are switched off.
///
/// # Errors
/// What the provider refused.
pub fn revision(cx: &Cx, item: &Item) -> Result<Option<u64>> {
    #[derive(Deserialize)]
    struct Revision {
        id: u64,
    }
    let request =
        Send::get(&item.connection, format!("{}/revisions", item.path())).query("per_page", 1).query("_fields", "id");
    let answer = cx.connections().send(&request)?;
    if matches!(answer.status, 404 | 501) {
        return Ok(None);
    }
    let revisions: Vec<Revision> = answer.accepted()?.json()?;
    Ok(revisions.first().map(|it| it.id))
}

#[cfg(test)]
mod tests;
