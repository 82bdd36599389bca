//! What `cms` operations did to pages since the last round.

use std::collections::BTreeMap;

use sdk::prelude::*;
use serde_json::Value;
use site::{Segment, Site};

use crate::stored::AutoSubmit;
use crate::submission::Ready;

/// Changes of one round.
const MOST: usize = 10_000;

/// A change that `cms` made to an item of WordPress.
#[foreign(collection = "cms.wordpress_changes", thing = "change", index(site_id, at_ms), may_be_missing)]
#[serde(default)]
#[derive(Default)]
pub(crate) struct Pushed {
    pub(crate) site_id: String,
    pub(crate) at_ms: u64,
    pub(crate) url: String,
    /// `status`, `fields`, `content`, `seo`, `created`, `redirect`, `media`.
    pub(crate) what: String,
    pub(crate) pending: bool,
    pub(crate) fields: Vec<Value>,
}

impl Pushed {
    /// The status that the item got; none when the change was about something else.
    fn status(&self) -> Option<String> {
        let field = self.fields.iter().find(|it| it["name"] == "status")?;
        serde_json::from_str(field["after"]["json"].as_str()?).ok()
    }
}

/// Pages that were published, changed or taken back since the last round, each once, in its newest state.
///
/// Of a change of words it is not known whether its item is published: a page counts that a visitor can find, which has a path
/// of its own. What an engine is told it looks at itself.
pub(super) fn since(cx: &Cx, site: &Stored<Site>, it: &AutoSubmit) -> Result<Vec<Ready>> {
    let Some(looked) = it.looked_ms else { return Ok(Vec::new()) };
    let segment = it.segment_ref.as_ref().map(|it| Id::<Segment>::new(it.clone()));
    let segment = site::rules(cx, site.id.as_str(), segment.as_ref())?;
    let changes = cx.records::<Pushed>().by("site_id_at_ms").equals(&site.id).at_least(looked).scan().take(MOST);
    let mut newest: BTreeMap<String, Option<Ready>> = BTreeMap::new();
    for change in changes.filter(|it| !it.pending) {
        let Some(url) = kit::url::normalize(&change.url).filter(|url| site.has(url)) else { continue };
        // A draft has no path of its own.
        if url.contains("?p=") || url.contains("?page_id=") || !site::held(segment.as_ref(), &url) {
            continue;
        }
        let ready =
            |removed: bool| Some(Ready { url: url.clone(), text_sha256: format!("cms {}", change.id), removed });
        let state = match (change.what.as_str(), change.status().as_deref()) {
            ("status", Some("publish")) => ready(false),
            ("status", Some("draft" | "trash" | "private")) => ready(true),
            ("fields" | "content" | "seo", _) => ready(false),
            _ => continue,
        };
        newest.insert(url.clone(), state);
    }
    Ok(newest.into_values().flatten().collect())
}
