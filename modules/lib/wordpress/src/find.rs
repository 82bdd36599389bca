//! Items that are looked for: by reference, by address, in lists.

use kit::url::{bare_host, decoded, resolve};
use sdk::Send;
use sdk::prelude::*;

use crate::Installation;
use crate::item::{Item, Reference, Shown};

/// Where types of items are.
const ROOT: &str = "/wp-json/wp/v2";
/// Bytes of an item's answer: its content stands in it twice, and JSON escapes make it longer.
const MOST_BYTES: u32 = 8 << 20;
/// Members of a listed item; its content is left out.
const LISTED: &str = "id,type,link,status,date_gmt,modified_gmt,slug,title,author,parent,featured_media,template,categories,tags,meta,aioseo_meta_data,_links,_embedded";
/// What is shown with an item beside it: the names of its author and terms.
const EMBEDDED: &str = "author,wp:term";

/// The types that an address is looked for in, with the parameter that names one by number.
const TYPES: [(&str, &str); 3] = [("posts", "p"), ("pages", "page_id"), ("product", "")];

/// A list of items that is asked for.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    /// Statuses, as WordPress names them; empty for published ones.
    pub status: Vec<String>,
    /// Words that title, content or excerpt have.
    pub search: Option<String>,
    /// Changed after this, RFC 3339.
    pub modified_after: Option<String>,
    /// Only these numbers.
    pub include: Vec<u64>,
    /// Items on a page, at most 100, and which page, from 1.
    pub per_page: u64,
    /// See `per_page`.
    pub page: u64,
    /// Whether contents are listed too.
    pub with_content: bool,
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// The newest first.
    pub items: Vec<Item>,
    /// Items in all.
    pub total: u64,
}

impl Installation {
    /// The item that a reference or an address means; none when there is none, or when it is in the trash.
    ///
    /// # Errors
    /// What the provider refused; 404 `item_not_found` for a reference of another WordPress.
    pub fn meant(&self, cx: &Cx, text: &str) -> Result<Option<Item>> {
        if text.starts_with("http://") || text.starts_with("https://") {
            return self.find(cx, text);
        }
        match Reference::read(text) {
            Some(reference) if reference.connection == self.connection => self.read(cx, &reference),
            _ => Ok(None),
        }
    }

    /// One item; none when there is no such item, or when it is in the trash.
    ///
    /// # Errors
    /// What the provider refused.
    pub fn read(&self, cx: &Cx, at: &Reference) -> Result<Option<Item>> {
        Ok(self.read_any(cx, at)?.filter(|it| it.fields.status != "trash"))
    }

    /// One item, also one in the trash.
    ///
    /// # Errors
    /// What the provider refused.
    pub fn read_any(&self, cx: &Cx, at: &Reference) -> Result<Option<Item>> {
        let request = Send::get(&self.connection, at.path())
            .query("context", "edit")
            .query("_embed", EMBEDDED)
            .max_bytes(MOST_BYTES);
        let answer = cx.connections().send(&request)?;
        if matches!(answer.status, 404 | 410) {
            return Ok(None);
        }
        let shown: Shown = answer.accepted()?.json()?;
        // What has no title and no content, such as a user, is no item.
        Ok(shown.item(&self.connection, &at.base))
    }

    /// The published item that an address shows.
    ///
    /// # Errors
    /// What the provider refused.
    pub fn find(&self, cx: &Cx, url: &str) -> Result<Option<Item>> {
        let Ok(wanted) = url.parse::<Url>() else { return Ok(None) };
        // Without pretty addresses the number is in the query.
        let number = |name: &str| wanted.query_pairs().find(|(key, _)| key == name).and_then(|(_, it)| it.parse().ok());
        for (base, name) in TYPES {
            if let Some(id) = number(name).filter(|_| !name.is_empty()) {
                return self.read(cx, &Reference { connection: self.connection.clone(), base: base.to_owned(), id });
            }
        }
        let slug = wanted.path().trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned();
        if slug.is_empty() {
            return Ok(None);
        }
        // Slugs are in small letters.
        let slug = decoded(&slug).to_lowercase();
        for (base, _) in TYPES {
            let request = Send::get(&self.connection, format!("{ROOT}/{base}"))
                .query("slug", &slug)
                .query("context", "edit")
                .query("per_page", 20)
                .query("_embed", EMBEDDED)
                .max_bytes(MOST_BYTES);
            let answer = cx.connections().send(&request)?;
            // A site without a shop has no products.
            if answer.status == 404 && base != "posts" {
                continue;
            }
            let shown: Vec<Shown> = answer.accepted()?.json()?;
            let here = |it: &Shown| it.public_link().is_some_and(|link| same_place(link, &wanted));
            if let Some(found) = shown.into_iter().find(here) {
                return Ok(found.item(&self.connection, base));
            }
        }
        Ok(None)
    }

    /// Items of a type. Needs a line for `GET /wp-json/wp/v2/` and the path of the type.
    ///
    /// # Errors
    /// 404 `type_not_found` when there is no such type; what the provider refused.
    pub fn list(&self, cx: &Cx, base: &str, wanted: &Listing) -> Result<Page> {
        let mut request = Send::get(&self.connection, format!("{ROOT}/{base}"))
            .query("context", "edit")
            .query("per_page", wanted.per_page.clamp(1, 100))
            .query("page", wanted.page.max(1))
            .query("_embed", EMBEDDED)
            .max_bytes(MOST_BYTES);
        let fields = if wanted.with_content { format!("{LISTED},content,excerpt") } else { LISTED.to_owned() };
        request = request.query("_fields", fields);
        if !wanted.status.is_empty() {
            request = request.query("status", wanted.status.join(","));
        }
        if let Some(words) = &wanted.search {
            request = request.query("search", words);
        }
        if let Some(moment) = &wanted.modified_after {
            request = request.query("modified_after", moment);
        }
        if !wanted.include.is_empty() {
            let ids: Vec<String> = wanted.include.iter().map(u64::to_string).collect();
            request = request.query("include", ids.join(","));
        }
        let answer = cx.connections().send(&request)?;
        if answer.status == 404 {
            let message = "this WordPress has no type with this path; cms.site.inspect lists its types";
            return Err(Fault::not_found("type_not_found", message).at("/type"));
        }
        // Beyond the last page.
        if answer.status == 400 && String::from_utf8_lossy(&answer.body).contains("rest_post_invalid_page_number") {
            return Ok(Page { items: Vec::new(), total: 0 });
        }
        let answer = answer.accepted()?;
        let total = answer.header("x-wp-total").and_then(|it| it.parse().ok()).unwrap_or_default();
        let shown: Vec<Shown> = answer.json()?;
        Ok(Page { items: shown.into_iter().filter_map(|it| it.item(&self.connection, base)).collect(), total })
    }
}

/// Whether an item's own address is the one that is looked for: host and path, the scheme and a last slash aside.
fn same_place(link: &str, wanted: &Url) -> bool {
    let Some(link) = resolve(wanted, link) else { return false };
    let path = |url: &str| decoded(url.trim_end_matches('/')).to_lowercase();
    bare_host(&link) == bare_host(wanted) && path(link.path()) == path(wanted.path())
}
