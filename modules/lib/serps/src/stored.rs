//! The newest page of a keyword as a record, of `rankings.serps` and of `keywords.serps`.

use schemars::JsonSchema;
use sdk::prelude::*;
use serde::{Deserialize, Serialize};
use site::Site;

use crate::{Feature, Page};

/// Organic results of a snapshot.
pub const MAX_SHOWN: usize = 20;
/// Characters of a title of a snapshot.
const MAX_TITLE: usize = 80;

/// One organic result of a snapshot.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Shown {
    /// From 1.
    pub position: u32,
    /// The page.
    pub url: String,
    /// Its title, cut to 80 characters.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
}

/// The body of a snapshot: the first 20 organic results of the newest page of one keyword in one market. Its id is
/// [`snapshot_id`]. Fields are only ever added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SnapshotRecord {
    /// The website that the keyword is tracked for.
    pub site_id: String,
    /// The tracker; empty for a page that clustering asked for.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tracker_ref: String,
    /// The keyword, in its normal form.
    pub keyword: String,
    /// Engine, place, language and device as one text, the same for every snapshot of one tracker.
    #[serde(default)]
    pub market: String,
    /// The country of the market, ISO 3166-1 alpha-2.
    #[serde(default)]
    pub country: String,
    /// The day, in UTC.
    pub date: Day,
    /// Searches in a month, when they are known.
    #[serde(default)]
    pub volume: Option<u64>,
    /// How many organic results were asked for.
    #[serde(default)]
    pub depth: u32,
    /// The organic results, the first ones first.
    pub items: Vec<Shown>,
    /// The kinds of the other elements.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<Feature>,
    /// Questions that others ask.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<String>,
    /// Elements above the first organic result.
    #[serde(default)]
    pub above: u32,
}

impl SnapshotRecord {
    /// The snapshot of a page.
    #[must_use]
    pub fn of(page: &Page, site_id: &str, keyword: &str, market: &str, country: &str, date: Day, depth: u32) -> Self {
        let shown = page.results.iter().take(MAX_SHOWN).map(|it| Shown {
            position: it.position,
            url: it.url.clone(),
            title: kit::text::clip(&it.title, MAX_TITLE).to_owned(),
        });
        let first = page.results.first().and_then(|it| it.absolute);
        Self {
            site_id: site_id.to_owned(),
            tracker_ref: String::new(),
            keyword: keyword.to_owned(),
            market: market.to_owned(),
            country: country.to_owned(),
            date,
            volume: None,
            depth,
            items: shown.collect(),
            features: page.features(),
            questions: page.questions().map(str::to_owned).collect(),
            above: first.map_or(0, |it| it.saturating_sub(1)),
        }
    }

    /// The best place of the first 20 that holds.
    #[must_use]
    pub fn best(&self, holds: impl Fn(&str) -> bool) -> Option<&Shown> {
        self.items.iter().find(|it| holds(&it.url))
    }
}

/// The newest page of a tracked keyword, as the module `rankings` keeps it.
#[foreign(
    collection = "rankings.serps",
    thing = "snapshot",
    may_be_missing,
    index(site_id, date),
    index(site_id, keyword)
)]
pub struct Snapshot(pub SnapshotRecord);

/// The id of a snapshot: its tracker or set, and its keyword's normal form.
#[must_use]
pub fn snapshot_id(owner: &str, keyword: &str) -> String {
    format!("{owner}:{}", &kit::text::hex(&kit::text::sha256(keyword.as_bytes()))[..24])
}

/// The newest pages of a website's keywords, by keyword.
pub type Snapshots = std::collections::BTreeMap<String, SnapshotRecord>;

/// The newest page of each keyword of a website that holds: of several markets the newest one.
#[must_use]
pub fn newest(cx: &Cx, site: &Id<Site>, holds: impl Fn(&SnapshotRecord) -> bool) -> Snapshots {
    let mut found = Snapshots::new();
    for snapshot in cx.records::<Snapshot>().by("site_id_date").equals(site).scan() {
        // The index is in the order of days, so a later one replaces an earlier one.
        if holds(&snapshot.0) {
            let snapshot = snapshot.into_inner().0;
            found.insert(snapshot.keyword.clone(), snapshot);
        }
    }
    found
}
