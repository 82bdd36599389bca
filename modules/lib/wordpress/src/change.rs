//! The record of a change to an item: what was there before, and what is there now.
//!
//! WordPress cannot give the state before the first edit back: a revision holds the new state. This record is the only way
//! back. A module writes only its own collections, so each module that changes items lists [`Change`] among them, and reads
//! those of the others as foreign ones.

use sdk::prelude::*;
use serde_json::Value;

use crate::item::{Reference, digest};

/// Bytes of a value that stands in the record itself; a longer one is a blob.
const INLINE: usize = 1_024;
/// Where blobs of values are.
const BLOBS: &str = "wordpress/";

/// What was changed.
#[value]
pub enum What {
    /// The item was made.
    Created,
    /// Fields, terms or texts.
    Fields,
    /// The content by a local edit: a link, a block, an attribute.
    Content,
    /// What the SEO plugin holds.
    Seo,
    /// Its status: published, taken back, moved to the trash.
    Status,
    /// A redirect was made, changed or removed.
    Redirect,
    /// A picture was handed over.
    Media,
}

/// How a change can be taken back.
#[value]
pub enum Rollback {
    /// The values before are known.
    Exact,
    /// They are not.
    None,
}

/// A value that is kept: itself, or the blob that it is in.
#[value]
pub struct Kept {
    /// SHA-256 of its JSON, in hex.
    pub sha256: String,
    /// The value as JSON; null when it is in a blob.
    pub json: Option<String>,
}

/// A member of an item that was changed.
#[value]
pub struct Field {
    /// `title`, `content`, `terms.tags`, `meta._yoast_wpseo_title`.
    pub name: String,
    /// What it was.
    pub before: Kept,
    /// What WordPress stored.
    pub after: Kept,
}

/// A change to an item.
#[record(collection = "wordpress_changes", index(site_id, at_ms), index(site_id, item, at_ms), index(batch, seq))]
pub struct Change {
    /// The website.
    pub site_id: String,
    /// When, in milliseconds since 1970 UTC.
    pub at_ms: u64,
    /// The item: `con_1/posts/7`.
    pub item: String,
    /// Where it is shown.
    pub url: String,
    /// What was changed.
    pub what: What,
    /// The operation that did it.
    pub operation: String,
    /// Changes of one call or job.
    pub batch: String,
    /// Its place in the batch.
    pub seq: u64,
    /// The members.
    pub fields: Vec<Field>,
    /// Whether all is stored as it was sent.
    pub exact: bool,
    /// Whether the live page showed it right after; none when nobody looked.
    pub verified: Option<bool>,
    /// How it can be taken back.
    pub rollback: Rollback,
    /// The change that this one takes back, with its module: `links.chg_1`.
    pub undoes: Option<String>,
    /// Whether it is only intended: a job keeps what was there before in one step, and writes in the next, so that no lost
    /// answer loses the way back.
    #[serde(default)]
    pub pending: bool,
}

/// Why a change is made: what its record says beside the values.
#[derive(Debug, Clone)]
pub struct Why {
    /// The website.
    pub site_id: String,
    /// The operation.
    pub operation: &'static str,
    /// What is changed.
    pub what: What,
    /// The batch.
    pub batch: String,
    /// The place in it.
    pub seq: u64,
    /// The change that is taken back.
    pub undoes: Option<String>,
    /// The record that an earlier step of the job made of this change.
    pub intent: Option<Id<Change>>,
}

impl Kept {
    fn of(cx: &Cx, value: &Value) -> Result<Self> {
        let json = value.to_string();
        let sha256 = digest(&json);
        if json.len() <= INLINE {
            return Ok(Self { sha256, json: Some(json) });
        }
        cx.blobs().write(&format!("{BLOBS}{sha256}"), json.as_bytes())?;
        Ok(Self { sha256, json: None })
    }

    /// The value; none when its blob is gone. `owner` is the module that keeps the record, none for the one that asks.
    pub fn value(&self, cx: &Cx, owner: Option<&str>) -> Option<Value> {
        if let Some(json) = &self.json {
            return serde_json::from_str(json).ok();
        }
        let prefix = owner.map(|it| format!("{it}.")).unwrap_or_default();
        let bytes = cx.blobs().read(&format!("{prefix}{BLOBS}{}", self.sha256), 0, u32::MAX)?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Whether this is the value that is kept.
    #[must_use]
    pub fn is(&self, value: &Value) -> bool {
        digest(&value.to_string()) == self.sha256
    }
}

impl Field {
    /// A member with both values.
    ///
    /// # Errors
    /// What the host refused.
    pub fn of(cx: &Cx, name: &str, before: &Value, after: &Value) -> Result<Self> {
        Ok(Self { name: name.to_owned(), before: Kept::of(cx, before)?, after: Kept::of(cx, after)? })
    }
}

/// A fresh reference of a batch.
#[must_use]
pub fn batch(cx: &Cx) -> String {
    format!("bat_{}", kit::text::hex(&cx.random::<8>()))
}

impl Why {
    /// A change of a call of its own.
    #[must_use]
    pub fn call(site: &str, operation: &'static str, what: What, batch: &str) -> Self {
        Self { site_id: site.to_owned(), operation, what, batch: batch.to_owned(), seq: 0, undoes: None, intent: None }
    }

    /// Keeps a change of what is no item: `item` says of what, `url` where it is seen.
    ///
    /// # Errors
    /// What the host refused.
    pub fn keep(&self, cx: &Cx, item: &str, url: &str, fields: Vec<Field>, rollback: Rollback) -> Result<Id<Change>> {
        let at = Reference { connection: String::new(), base: String::new(), id: 0 };
        let change = Change { item: item.to_owned(), rollback, ..self.change(cx, &at, url, fields, true) };
        Ok(cx.records::<Change>().insert(change)?.id)
    }

    /// Keeps a change, or ends the one that was intended; that keeps the values of before.
    pub(crate) fn record(
        &self,
        cx: &Cx,
        at: &Reference,
        url: &str,
        fields: Vec<Field>,
        exact: bool,
    ) -> Result<Id<Change>> {
        if let Some(id) = &self.intent {
            let ended = cx.records::<Change>().update(id, |it| {
                for field in &mut it.fields {
                    if let Some(written) = fields.iter().find(|one| one.name == field.name) {
                        field.after = written.after.clone();
                    }
                }
                it.at_ms = cx.now().millis();
                it.exact = exact;
                it.pending = false;
            })?;
            return Ok(ended.id);
        }
        Ok(cx.records::<Change>().insert(self.change(cx, at, url, fields, exact))?.id)
    }

    /// Keeps what a change will find, before anything is sent.
    pub(crate) fn intend(&self, cx: &Cx, at: &Reference, url: &str, fields: Vec<Field>) -> Result<Id<Change>> {
        let change = Change { pending: true, ..self.change(cx, at, url, fields, false) };
        Ok(cx.records::<Change>().insert(change)?.id)
    }

    fn change(&self, cx: &Cx, at: &Reference, url: &str, fields: Vec<Field>, exact: bool) -> Change {
        Change {
            site_id: self.site_id.clone(),
            at_ms: cx.now().millis(),
            item: at.to_string(),
            url: url.to_owned(),
            what: self.what,
            operation: self.operation.to_owned(),
            batch: self.batch.clone(),
            seq: self.seq,
            fields,
            exact,
            verified: None,
            rollback: Rollback::Exact,
            undoes: self.undoes.clone(),
            pending: false,
        }
    }
}
