//! Guarded writes: an item is read again, compared, written, compared, and its revisions are looked at, so that nothing
//! that somebody else wrote is lost unnoticed.
//!
//! WordPress has no `If-Match`, and `modified_gmt` has whole seconds. Between the second reading and the write an editor can
//! save; then a revision stands between, and what the editor wrote is put back.

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::{Send, SendFailure, json};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::change::{Field, Kept, Why};
use crate::item::{Item, Reference, Shown};
use crate::{Change, Installation};

/// Milliseconds for a write.
pub(crate) const TIMEOUT: u32 = 20_000;
/// Bytes of an answer.
pub(crate) const MOST_BYTES: u32 = 8 << 20;

/// What is to be set; everything else stays.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Patch {
    /// See [`crate::Fields`].
    pub title: Option<String>,
    /// See [`crate::Fields`].
    pub content: Option<String>,
    /// See [`crate::Fields`].
    pub excerpt: Option<String>,
    /// See [`crate::Fields`].
    pub slug: Option<String>,
    /// See [`crate::Fields`].
    pub status: Option<String>,
    /// See [`crate::Fields`].
    pub date_gmt: Option<String>,
    /// See [`crate::Fields`].
    pub template: Option<String>,
    /// See [`Item`].
    pub alt_text: Option<String>,
    /// See [`crate::Fields`].
    pub author: Option<u64>,
    /// See [`crate::Fields`].
    pub featured_media: Option<u64>,
    /// See [`crate::Fields`].
    pub parent: Option<u64>,
    /// Terms by taxonomy, each list whole.
    pub terms: BTreeMap<String, Vec<u64>>,
    /// Meta keys.
    pub meta: Map<String, Value>,
    /// Members of what AIOSEO holds.
    pub aioseo: Map<String, Value>,
}

/// What a write led to.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    /// The item as WordPress stores it now.
    pub item: Item,
    /// Whether all is stored as it was sent.
    pub exact: bool,
    /// The record of the change; none when nothing had to be written.
    pub change: Option<Id<Change>>,
}

impl Patch {
    /// The members by the names that changes have, with their values.
    #[must_use]
    pub fn members(&self) -> Vec<(String, Value)> {
        let texts = [
            ("title", &self.title),
            ("content", &self.content),
            ("excerpt", &self.excerpt),
            ("slug", &self.slug),
            ("status", &self.status),
            ("date_gmt", &self.date_gmt),
            ("template", &self.template),
            ("alt_text", &self.alt_text),
        ];
        let numbers = [("author", self.author), ("featured_media", self.featured_media), ("parent", self.parent)];
        let texts = texts.into_iter().filter_map(|(name, it)| Some((name.to_owned(), json!(it.as_ref()?))));
        let numbers = numbers.into_iter().filter_map(|(name, it)| Some((name.to_owned(), json!(it?))));
        let terms = self.terms.iter().map(|(name, it)| (format!("terms.{name}"), json!(it)));
        let meta = self.meta.iter().map(|(name, it)| (format!("meta.{name}"), it.clone()));
        let aioseo = self.aioseo.iter().map(|(name, it)| (format!("aioseo.{name}"), it.clone()));
        texts.chain(numbers).chain(terms).chain(meta).chain(aioseo).collect()
    }

    /// Sets a member by the name that changes have.
    pub(crate) fn set(&mut self, name: &str, value: &Value) {
        let text = || value.as_str().map(str::to_owned);
        match name.split_once('.') {
            Some(("terms", name)) => {
                let ids = value.as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
                self.terms.insert(name.to_owned(), ids);
            }
            Some(("meta", name)) => _ = self.meta.insert(name.to_owned(), value.clone()),
            Some(("aioseo", name)) => _ = self.aioseo.insert(name.to_owned(), value.clone()),
            _ => match name {
                "title" => self.title = text(),
                "content" => self.content = text(),
                "excerpt" => self.excerpt = text(),
                "slug" => self.slug = text(),
                "status" => self.status = text(),
                "date_gmt" => self.date_gmt = text(),
                "template" => self.template = text(),
                "alt_text" => self.alt_text = text(),
                "author" => self.author = value.as_u64(),
                "featured_media" => self.featured_media = value.as_u64(),
                "parent" => self.parent = value.as_u64(),
                _ => {}
            },
        }
    }

    /// Whether it sets texts of which WordPress keeps revisions.
    fn is_revised(&self) -> bool {
        self.title.is_some() || self.content.is_some() || self.excerpt.is_some()
    }

    /// The body of the request.
    pub(crate) fn body(&self) -> Value {
        let mut body = Map::new();
        for (name, value) in self.members() {
            match name.split_once('.') {
                Some(("terms", name)) => _ = body.insert(name.to_owned(), value),
                Some(_) => {}
                None => _ = body.insert(name, value),
            }
        }
        if !self.meta.is_empty() {
            body.insert("meta".to_owned(), Value::Object(self.meta.clone()));
        }
        if !self.aioseo.is_empty() {
            body.insert("aioseo_meta_data".to_owned(), Value::Object(self.aioseo.clone()));
        }
        Value::Object(body)
    }
}

impl Item {
    /// The value of a member by the name that changes have; none where it is not known.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<Value> {
        match name.split_once('.') {
            Some(("terms", name)) => Some(json!(self.terms.get(name).cloned().unwrap_or_default())),
            Some(("meta", name)) => self.meta.get(name).cloned(),
            Some(("aioseo", name)) => self.aioseo.as_ref()?.get(name).cloned(),
            _ if name == "alt_text" => self.alt_text.as_ref().map(|it| json!(it)),
            _ => serde_json::to_value(&self.fields).ok()?.get(name).cloned(),
        }
    }

    /// Whether a member is, for WordPress, what was sent: it orders terms anew.
    pub(crate) fn holds(&self, name: &str, sent: &Value) -> bool {
        let set = |value: &Value| {
            let mut all: Vec<u64> = value.as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
            all.sort_unstable();
            all
        };
        match self.value(name) {
            Some(held) if name.starts_with("terms.") => set(&held) == set(sent),
            Some(held) => held == *sent,
            None => false,
        }
    }
}

/// Writes members of an item that was read before.
///
/// Members that are already so are not sent; nothing is sent when all are. A text that the site did not store byte for byte
/// is put back.
///
/// # Errors
/// 409 `edit_conflict` when a member is no longer what was read, or somebody saved meanwhile (what they wrote stands then);
/// 409 `item_gone`; 409 `stored_otherwise`; 503 `unknown_outcome` when nobody knows what was stored; else what the provider
/// refused.
pub fn write(cx: &Cx, before: &Item, patch: &Patch, why: &Why) -> Result<Written> {
    can_be_written(&before.at.base, "/item_ref")?;
    let now = again(cx, before)?;
    let mut wanted = Patch::default();
    let mut differs = Vec::new();
    for (name, value) in patch.members() {
        if now.value(&name) != before.value(&name) {
            differs.push(name.clone());
        }
        if !now.holds(&name, &value) {
            wanted.set(&name, &value);
        }
    }
    if !differs.is_empty() {
        let message = "somebody else changed the item since it was read; nothing was written";
        let detail = json!({ "differs": differs, "modified_gmt": now.modified_gmt });
        return Err(Fault::conflict("edit_conflict", message).detail(detail));
    }
    if wanted.members().is_empty() {
        if let Some(id) = &why.intent {
            // An attempt whose answer was lost has written it; else somebody else changed what it was to change.
            unchanged_since(cx, id, &now, |it| &it.after)?;
        }
        let change =
            why.intent.as_ref().map(|_| why.record(cx, &before.at, &now.link, Vec::new(), true)).transpose()?;
        return Ok(Written { item: now, exact: true, change });
    }
    if let Some(id) = &why.intent {
        unchanged_since(cx, id, &now, |it| &it.before)?;
    }
    let item = sent(cx, &before.at, &wanted)?;
    // Media have no revisions.
    if wanted.is_revised() && before.at.base != "media" {
        undisturbed(cx, &now, &item, &wanted)?;
    }
    let unlike =
        |name: &str, value: &Value| matches!(name, "title" | "content" | "excerpt") && !item.holds(name, value);
    if wanted.members().iter().any(|(name, value)| unlike(name, value)) {
        return Err(spoiled(cx, &now, &item, &wanted));
    }
    let exact = wanted.members().iter().all(|(name, value)| item.holds(name, value));
    let fields = wanted.members().into_iter().map(|(name, _)| {
        let of = |item: &Item| item.value(&name).unwrap_or_default();
        Field::of(cx, &name, &of(&now), &of(&item))
    });
    let fields = fields.collect::<Result<Vec<_>>>()?;
    // A draft has no address of its own: one that was published is known by the address that it had.
    let was_public = now.fields.status == "publish" && item.fields.status != "publish";
    let url = if was_public { &now.link } else { &item.link };
    let change = why.record(cx, &before.at, url, fields, exact)?;
    Ok(Written { item, exact, change: Some(change) })
}

/// The types that are written here, beside media. Others are read.
const WRITTEN: [&str; 4] = ["posts", "pages", "product", "media"];

/// Refuses a type that is only read here.
///
/// # Errors
/// 409 `type_read_only` at `pointer`.
pub(crate) fn can_be_written(base: &str, pointer: &str) -> Result<()> {
    if WRITTEN.contains(&base) {
        return Ok(());
    }
    let message = format!("items of the type `{base}` can be read, and not written; posts, pages and products can");
    Err(Fault::conflict("type_read_only", message).at(pointer))
}

/// Keeps what a write will find, for a later step that writes it. `None` when all is already so.
///
/// # Errors
/// What the host refused.
pub fn intend(cx: &Cx, item: &Item, patch: &Patch, why: &Why) -> Result<Option<Id<Change>>> {
    let differing = patch.members().into_iter().filter(|(name, value)| !item.holds(name, value));
    let fields = differing.map(|(name, value)| Field::of(cx, &name, &item.value(&name).unwrap_or_default(), &value));
    let fields = fields.collect::<Result<Vec<_>>>()?;
    if fields.is_empty() {
        return Ok(None);
    }
    why.intend(cx, &item.at, &item.link, fields).map(Some)
}

/// Refuses an item that holds other values than a side of an intended change.
fn unchanged_since(cx: &Cx, id: &Id<Change>, now: &Item, side: impl Fn(&Field) -> &Kept) -> Result<()> {
    let change = cx.records::<Change>().get(id)?;
    let differs = |it: &&Field| !side(it).is(&now.value(&it.name).unwrap_or_default());
    let differs: Vec<&str> = change.fields.iter().filter(differs).map(|it| it.name.as_str()).collect();
    if differs.is_empty() {
        return Ok(());
    }
    let message = "somebody else changed the item since it was read; nothing was written";
    Err(Fault::conflict("edit_conflict", message)
        .detail(json!({ "differs": differs, "modified_gmt": now.modified_gmt })))
}

/// Sends a patch, and reads the item where nobody knows what became of it.
pub(crate) fn sent(cx: &Cx, at: &Reference, patch: &Patch) -> Result<Item> {
    let request = Send::post(&at.connection, at.path())
        .query("context", "edit")
        .json(&patch.body())
        .max_bytes(MOST_BYTES)
        .timeout(TIMEOUT);
    match cx.connections().send(&request) {
        Ok(answer) => {
            let shown: Shown = answer.accepted()?.json()?;
            shown.item(&at.connection, &at.base).ok_or_else(|| Fault::from(SendFailure::Malformed))
        }
        // What is stored says what happened.
        Err(SendFailure::UnknownOutcome) => {
            let installation = Installation { connection: at.connection.clone() };
            let item = installation.read_any(cx, at)?.ok_or_else(gone)?;
            if patch.members().iter().all(|(name, value)| item.holds(name, value)) {
                return Ok(item);
            }
            let message = "WordPress did not confirm the write; read the item before you try again";
            Err(Fault::unavailable("unknown_outcome", message))
        }
        Err(failure) => Err(failure.into()),
    }
}

/// A revision of an item's texts.
#[derive(Deserialize)]
struct Revision {
    id: u64,
    #[serde(default)]
    slug: String,
    #[serde(default)]
    title: RawText,
    #[serde(default)]
    content: RawText,
    #[serde(default)]
    excerpt: RawText,
}

#[derive(Deserialize, Default, PartialEq)]
struct RawText {
    #[serde(default)]
    raw: String,
}

/// Looks at the revisions that came with a write. One is the write's own. One before it is what somebody saved between the
/// second reading and the write: it is put back, and the write is refused. One after it stands as it is.
fn undisturbed(cx: &Cx, before: &Item, item: &Item, patch: &Patch) -> Result<()> {
    let request = Send::get(&item.at.connection, format!("{}/revisions", item.at.path()))
        .query("context", "edit")
        .query("per_page", 4)
        .query("_fields", "id,slug,title,content,excerpt")
        .max_bytes(MOST_BYTES);
    let answer = cx.connections().send(&request)?;
    // Revisions are switched off: nobody can tell.
    if matches!(answer.status, 404 | 501) {
        return Ok(());
    }
    let all: Vec<Revision> = answer.accepted()?.json()?;
    let newer = |it: &&Revision| before.revision.is_none_or(|last| it.id > last) && !it.slug.contains("autosave");
    let new: Vec<&Revision> = all.iter().filter(newer).collect();
    let own = |it: &Revision| {
        let is = |held: &RawText, wanted: &str| held.raw == wanted;
        is(&it.title, &item.fields.title)
            && is(&it.content, &item.fields.content)
            && is(&it.excerpt, &item.fields.excerpt)
    };
    let read = |it: &Revision| {
        it.title.raw == before.fields.title
            && it.content.raw == before.fields.content
            && it.excerpt.raw == before.fields.excerpt
    };
    // Newest first: what is behind the write's own revision was saved before it. A site that keeps no revision of what was
    // there before the first edit makes one of it then, which is nobody's.
    let Some(at) = new.iter().position(|it| own(it)) else { return Ok(()) };
    let Some(lost) = new[at + 1..].iter().find(|it| !read(it)) else { return Ok(()) };
    let put = Patch {
        title: patch.title.as_ref().map(|_| lost.title.raw.clone()),
        content: patch.content.as_ref().map(|_| lost.content.raw.clone()),
        excerpt: patch.excerpt.as_ref().map(|_| lost.excerpt.raw.clone()),
        ..Patch::default()
    };
    let back = sent(cx, &item.at, &put);
    let message = "somebody else saved the item at the same moment; what they wrote stands again";
    let message = if back.is_ok() {
        message
    } else {
        "somebody else saved the item at the same moment, and it could not be put back; restore the revision"
    };
    Err(Fault::conflict("edit_conflict", message).detail(json!({ "revision": lost.id, "put_back": back.is_ok() })))
}

/// Puts back what a patch changed in an item; whether all is as it was.
pub(crate) fn take_back(cx: &Cx, before: &Item, item: &Item, patch: &Patch) -> bool {
    let mut put = Patch::default();
    for (name, _) in patch.members() {
        if let Some(value) = before.value(&name).filter(|value| !item.holds(&name, value)) {
            put.set(&name, &value);
        }
    }
    put.members().is_empty()
        || sent(cx, &item.at, &put).is_ok_and(|it| put.members().iter().all(|(name, value)| it.holds(name, value)))
}

/// Puts the texts back that a filter of the site changed while it stored them.
fn spoiled(cx: &Cx, before: &Item, item: &Item, patch: &Patch) -> Fault {
    let back = take_back(cx, before, item, patch);
    if !before.rights.unfiltered_html && patch.content.is_some() {
        let message = "the connection's user lacks the right `unfiltered_html`, so WordPress changed the content; it was put back";
        return Fault::conflict("unfiltered_html_missing", message).detail(json!({ "put_back": back }));
    }
    let message = "the site stored another text than the one that was sent; it was put back";
    let message = if back {
        message
    } else {
        "the site stored another text than the one that was sent, and it could not be put back"
    };
    Fault::conflict(if back { "stored_otherwise" } else { "stored_otherwise_and_not_put_back" }, message)
}

pub(crate) fn again(cx: &Cx, item: &Item) -> Result<Item> {
    let installation = Installation { connection: item.at.connection.clone() };
    installation.read_any(cx, &item.at)?.ok_or_else(gone)
}

pub(crate) fn gone() -> Fault {
    Fault::conflict("item_gone", "the item is no longer there")
}
