//! Items of a WordPress as their editors see them: posts, pages and other types; found by address, by reference, listed.

use std::collections::BTreeMap;

use sdk::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Where types of items are, below the version of the REST interface.
const ROOT: &str = "/wp-json/wp/v2";

/// Which item is meant: its connection, the path of its type (`rest_base`), its number. Written `con_1/posts/7`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The connection that it is read through.
    pub connection: String,
    /// The path of its type: `posts`, `pages`, `product`.
    pub base: String,
    /// Its number at that WordPress.
    pub id: u64,
}

impl Reference {
    /// A reference from its text; `None` when it is none.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let mut parts = text.split('/');
        let (connection, base, id) = (parts.next()?, parts.next()?, parts.next()?);
        let plain =
            |it: &str| !it.is_empty() && it.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        if parts.next().is_some() || !plain(base) || connection.is_empty() {
            return None;
        }
        Some(Self { connection: connection.to_owned(), base: base.to_owned(), id: id.parse().ok()? })
    }

    /// The path of the item.
    #[must_use]
    pub fn path(&self) -> String {
        format!("{ROOT}/{}/{}", self.base, self.id)
    }
}

impl std::fmt::Display for Reference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}/{}", self.connection, self.base, self.id)
    }
}

/// What an editor can set, as it is stored.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Fields {
    /// The title, entities as stored.
    pub title: String,
    /// The content, block comments and shortcodes included; empty in a list.
    pub content: String,
    /// The excerpt.
    pub excerpt: String,
    /// The last part of its address.
    pub slug: String,
    /// When it is or was published, UTC, without a zone.
    pub date_gmt: String,
    /// The number of its author.
    pub author: u64,
    /// The number of its picture; 0 without one.
    pub featured_media: u64,
    /// The number of the item above it; 0 without one.
    pub parent: u64,
    /// The template of the theme; empty for the usual one.
    pub template: String,
    /// `publish`, `draft`, `future`, `pending`, `private`, `trash`.
    pub status: String,
}

/// What the user of the connection may do with an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rights {
    /// Whether scripts, forms and frames stay in a content that the user writes.
    pub unfiltered_html: bool,
}

/// An item as its editors see it.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// Which one.
    pub at: Reference,
    /// The address that it is shown at.
    pub link: String,
    /// When it was last changed, UTC, without a zone; whole seconds, so it guards nothing.
    pub modified_gmt: String,
    /// What can be set.
    pub fields: Fields,
    /// Numbers of its terms by taxonomy, as the REST interface names it: `categories`, `tags`.
    pub terms: BTreeMap<String, Vec<u64>>,
    /// Meta keys that are registered for REST.
    pub meta: Map<String, Value>,
    /// What AIOSEO holds; none without that plugin.
    pub aioseo: Option<Map<String, Value>>,
    /// What the user may do.
    pub rights: Rights,
    /// The alternative text, of media.
    pub alt_text: Option<String>,
    /// Where the file is, of media, and the files of its other sizes.
    pub files: Vec<String>,
    /// Bytes of the file, of media.
    pub file_size: Option<u64>,
    /// Whether it has a password.
    pub protected: bool,
    /// The content as the site renders it; empty in a list.
    pub rendered: String,
    /// The name of its author, where it was asked for.
    pub author: Option<String>,
    /// Names of its terms by taxonomy, where they were asked for.
    pub named: BTreeMap<String, Vec<String>>,
    /// The newest revision, where WordPress names it.
    pub revision: Option<u64>,
}

impl Item {
    /// SHA-256 of the content as it is stored, in hex.
    #[must_use]
    pub fn hash(&self) -> String {
        digest(&self.fields.content)
    }

    /// SHA-256 over the canonical JSON (RFC 8785) of all that an editor can set: fields, terms and SEO fields.
    #[must_use]
    pub fn edit_hash(&self) -> String {
        let mut terms = self.terms.clone();
        terms.values_mut().for_each(|it| it.sort_unstable());
        // Members are sorted by their names, numbers are whole: what serde writes is canonical.
        let whole = serde_json::to_value((&self.fields, terms, &self.meta, &self.aioseo)).unwrap_or_default();
        digest(&sorted(whole).to_string())
    }

    /// Whether its content is made by a page builder, whose data stands elsewhere: an edit of the content is lost or
    /// breaks the page. The builder's name.
    #[must_use]
    pub fn page_builder(&self) -> Option<&'static str> {
        let content = &self.fields.content;
        let has = |mark: &str| content.contains(mark);
        match () {
            () if has("elementor-element") || has("data-elementor") || self.meta.contains_key("_elementor_data") => {
                Some("Elementor")
            }
            () if has("[et_pb_section") || has("wp:divi/") => Some("Divi"),
            () if has("[vc_row") => Some("WPBakery"),
            () => None,
        }
    }
}

/// SHA-256 in hex.
pub(crate) fn digest(text: &str) -> String {
    kit::text::hex(&kit::text::sha256(text.as_bytes()))
}

/// A value with the members of its objects in the order of their names.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let members: BTreeMap<String, Value> = members.into_iter().map(|(name, it)| (name, sorted(it))).collect();
            Value::Object(members.into_iter().collect())
        }
        Value::Array(all) => Value::Array(all.into_iter().map(sorted).collect()),
        other => other,
    }
}

/// A text as the `edit` context shows it.
#[derive(Deserialize, Default)]
struct Raw {
    #[serde(default)]
    raw: Option<String>,
    #[serde(default)]
    rendered: String,
    #[serde(default)]
    protected: bool,
}

/// An item as the `edit` context shows it.
#[derive(Deserialize)]
pub(crate) struct Shown {
    id: u64,
    #[serde(default)]
    link: String,
    #[serde(default)]
    status: String,
    #[serde(default)]
    date_gmt: Option<String>,
    #[serde(default)]
    modified_gmt: Option<String>,
    #[serde(default)]
    slug: String,
    #[serde(default)]
    title: Raw,
    #[serde(default)]
    content: Raw,
    #[serde(default)]
    excerpt: Raw,
    #[serde(default)]
    author: u64,
    #[serde(default)]
    featured_media: u64,
    #[serde(default)]
    parent: u64,
    #[serde(default)]
    template: String,
    /// An empty object is written as an empty list by PHP.
    #[serde(default)]
    meta: Value,
    #[serde(default)]
    aioseo_meta_data: Option<Value>,
    #[serde(default)]
    alt_text: Option<String>,
    #[serde(default)]
    source_url: Option<String>,
    #[serde(default)]
    media_details: Value,
    #[serde(default, rename = "_links")]
    links: Value,
    #[serde(default, rename = "_embedded")]
    embedded: Value,
    #[serde(flatten)]
    other: Map<String, Value>,
}

impl Shown {
    /// Where it is shown, when every visitor may see it.
    pub(crate) fn public_link(&self) -> Option<&str> {
        (self.status == "publish" && !self.content.protected).then_some(self.link.as_str())
    }

    /// The item; `None` when the user may not see its texts as they are stored.
    pub(crate) fn item(self, connection: &str, base: &str) -> Option<Item> {
        self.title.raw.as_ref().or(self.content.raw.as_ref())?;
        let numbers =
            |value: &Value| value.as_array().and_then(|all| all.iter().map(Value::as_u64).collect::<Option<Vec<_>>>());
        let named = self.links["wp:term"].as_array().into_iter().flatten().filter_map(|it| {
            let path = it["href"].as_str()?.split('?').next()?;
            Some(path.trim_end_matches('/').rsplit('/').next()?.to_owned())
        });
        let names: Vec<String> = ["categories", "tags"].map(str::to_owned).into_iter().chain(named).collect();
        let terms = names.into_iter().filter_map(|name| Some((numbers(self.other.get(&name)?)?, name)));
        let mut named: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for term in self.embedded["wp:term"].as_array().into_iter().flatten().filter_map(Value::as_array).flatten() {
            if let (Some(taxonomy), Some(name)) = (term["taxonomy"].as_str(), term["name"].as_str()) {
                named.entry(taxonomy.to_owned()).or_default().push(name.to_owned());
            }
        }
        let sizes = self.media_details["sizes"].as_object().into_iter().flatten();
        let sizes: Vec<String> = sizes.filter_map(|(_, it)| it["source_url"].as_str().map(str::to_owned)).collect();
        let object = |value: Value| match value {
            Value::Object(members) => members,
            _ => Map::new(),
        };
        Some(Item {
            at: Reference { connection: connection.to_owned(), base: base.to_owned(), id: self.id },
            link: self.link,
            modified_gmt: self.modified_gmt.unwrap_or_default(),
            alt_text: self.alt_text,
            files: self.source_url.into_iter().chain(sizes).collect(),
            file_size: self.media_details["filesize"].as_u64(),
            protected: self.content.protected,
            rendered: self.content.rendered,
            author: self.embedded["author"][0]["name"].as_str().map(str::to_owned),
            named,
            fields: Fields {
                title: self.title.raw.unwrap_or_default(),
                content: self.content.raw.unwrap_or_default(),
                excerpt: self.excerpt.raw.unwrap_or_default(),
                slug: self.slug,
                date_gmt: self.date_gmt.unwrap_or_default(),
                author: self.author,
                featured_media: self.featured_media,
                parent: self.parent,
                template: self.template,
                status: self.status,
            },
            terms: terms.map(|(numbers, name)| (name, numbers)).collect(),
            meta: object(self.meta),
            aioseo: self.aioseo_meta_data.filter(Value::is_object).map(object),
            rights: Rights { unfiltered_html: self.links.get("wp:action-unfiltered-html").is_some() },
            revision: self.links["predecessor-version"][0]["id"].as_u64(),
        })
    }
}

/// The refusal of an edit of a content that a page builder makes.
///
/// # Errors
/// 409 `page_builder`.
pub fn plain(item: &Item) -> Result<()> {
    let Some(builder) = item.page_builder() else { return Ok(()) };
    let message = format!("{builder} makes the content of this item; an edit of it would be lost or break the page");
    Err(Fault::conflict("page_builder", message))
}
