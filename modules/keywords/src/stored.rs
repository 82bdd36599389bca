//! What this module stores: sets, their keywords, monthly volumes, clusters, and result pages that it asked for.

use sdk::prelude::*;
use serps::{Device, SnapshotRecord};

/// Keywords of one set, at most.
pub(crate) const MAX_KEYWORDS: u64 = 100_000;
/// Months of volumes that are kept.
pub(crate) const MAX_MONTHS: usize = 48;

/// What somebody who searches wants.
#[value]
pub(crate) enum Intent {
    /// To know.
    Informational,
    /// To compare before buying.
    Commercial,
    /// To buy or do.
    Transactional,
    /// To reach a certain site.
    Navigational,
    /// To find a place nearby.
    Local,
}

impl Intent {
    /// All, in the order of the weights.
    pub(crate) const ALL: [Self; 5] =
        [Self::Informational, Self::Commercial, Self::Transactional, Self::Navigational, Self::Local];

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Informational => "informational",
            Self::Commercial => "commercial",
            Self::Transactional => "transactional",
            Self::Navigational => "navigational",
            Self::Local => "local",
        }
    }

    /// That of a name.
    pub(crate) fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }
}

/// How important a keyword is.
#[value]
pub(crate) enum Priority {
    High,
    Medium,
    Low,
}

impl Priority {
    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
        }
    }
}

/// Counts of a set, kept with every change of its keywords.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Counts {
    pub(crate) keywords: u64,
    pub(crate) excluded: u64,
    /// Of those that are not excluded, with a page.
    pub(crate) mapped: u64,
    /// Searches in a month of those that are not excluded.
    pub(crate) volume: u64,
}

impl Counts {
    /// With a keyword more.
    pub(crate) fn add(&mut self, keyword: &Keyword) {
        let (excluded, mapped, volume) = keyword.counted();
        self.keywords += 1;
        self.excluded += excluded;
        self.mapped += mapped;
        self.volume += volume;
    }

    /// With a keyword less.
    pub(crate) fn remove(&mut self, keyword: &Keyword) {
        let (excluded, mapped, volume) = keyword.counted();
        self.keywords = self.keywords.saturating_sub(1);
        self.excluded = self.excluded.saturating_sub(excluded);
        self.mapped = self.mapped.saturating_sub(mapped);
        self.volume = self.volume.saturating_sub(volume);
    }
}

/// How a set was clustered last.
#[value]
pub(crate) struct Clustered {
    /// `lexical` or `serp`.
    pub(crate) by: String,
    pub(crate) at_ms: u64,
    pub(crate) clusters: u64,
    /// The mean silhouette, of lexical clusters.
    pub(crate) silhouette: Option<f64>,
    /// The clusters' own number: clusters of an earlier one are removed.
    pub(crate) generation: u64,
}

/// What a manual change of clusters holds.
#[value]
pub(crate) enum Constraint {
    /// The keywords belong together.
    Together,
    /// The keywords belong together, and not with the keyword `other`.
    Apart,
    /// The cluster of the first keyword has the name `other`.
    Named,
}

/// A manual change of clusters, applied after every clustering.
#[value]
pub(crate) struct Edit {
    pub(crate) constraint: Constraint,
    /// Normal forms.
    pub(crate) keywords: Vec<String>,
    pub(crate) other: Option<String>,
}

/// A set of keywords for a website, market and language.
#[record(collection = "sets", thing = "set", index(site_id, folded))]
pub(crate) struct Set {
    pub(crate) site_id: String,
    pub(crate) name: String,
    /// The name in lower case with the market: unique for a website.
    pub(crate) folded: String,
    pub(crate) country: Country,
    pub(crate) language: Language,
    pub(crate) device: Device,
    pub(crate) created_ms: u64,
    pub(crate) counts: Counts,
    pub(crate) refreshed_ms: Option<u64>,
    pub(crate) clustered: Option<Clustered>,
    pub(crate) mapped_ms: Option<u64>,
    pub(crate) edits: Vec<Edit>,
    /// The job that works on it, or did so last.
    pub(crate) job_ref: Option<Id<Job>>,
    /// Being deleted in parts.
    pub(crate) deleting: bool,
}

impl Set {
    /// The language's two letters.
    pub(crate) fn language(&self) -> String {
        self.language.primary().to_owned()
    }
}

/// Another form of a keyword.
#[value]
pub(crate) struct Variant {
    pub(crate) keyword: String,
    /// Its own searches in a month; volumes of forms are not added, since they are counted together.
    pub(crate) volume: Option<u64>,
}

/// The page that a keyword is mapped to.
#[value]
pub(crate) struct Mapped {
    /// An address, or the path of a new page.
    pub(crate) url: String,
    /// Whether the page is yet to be written.
    pub(crate) new_page: bool,
    pub(crate) score: f64,
}

/// A keyword of a set. Its id is [`keyword_id`].
#[record(collection = "keywords", thing = "keyword", index(set, normal), index(set, order))]
#[serde(default)]
#[derive(Default)]
pub(crate) struct Keyword {
    pub(crate) set: String,
    /// As it was given first.
    pub(crate) keyword: String,
    pub(crate) normal: String,
    /// Its searches in a month, or -1 where they are not known.
    pub(crate) order: i64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) variants: Vec<Variant>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) tags: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) priority: Option<Priority>,
    /// The page that the customer chose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) target_url: Option<String>,
    /// The intent that the customer chose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) chosen_intent: Option<Intent>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) excluded: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) volume: Option<u64>,
    /// In US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cpc: Option<f64>,
    /// Of advertisers, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) competition: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) difficulty: Option<u8>,
    /// The provider's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) intent: Option<Intent>,
    /// When its metrics were asked for or imported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) metrics_ms: Option<u64>,
    /// Whether its metrics come from a file.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) imported: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mapped: Option<Mapped>,
    pub(crate) added_ms: u64,
}

impl Keyword {
    /// Sets its volume.
    pub(crate) fn set_volume(&mut self, volume: Option<u64>) {
        self.volume = volume;
        self.order = volume.and_then(|it| i64::try_from(it).ok()).unwrap_or(-1);
    }

    /// The page that it belongs to: the customer's choice, else the mapped one.
    pub(crate) fn page(&self) -> Option<&str> {
        self.target_url.as_deref().or_else(|| self.mapped.as_ref().map(|it| it.url.as_str()))
    }

    /// The intent: the customer's choice, else the provider's.
    pub(crate) fn known_intent(&self) -> Option<Intent> {
        self.chosen_intent.or(self.intent)
    }

    /// What it adds to excluded, mapped and volume.
    fn counted(&self) -> (u64, u64, u64) {
        if self.excluded {
            return (1, 0, 0);
        }
        (0, u64::from(self.page().is_some()), self.volume.unwrap_or(0))
    }
}

/// The id of a keyword of a set.
pub(crate) fn keyword_id<T>(set: &Id<Set>, normal: &str) -> Id<T> {
    Id::new(serps::snapshot_id(set.as_str(), normal))
}

/// The searches of a keyword by month. Its id is [`keyword_id`].
#[record(collection = "months", thing = "months", index(set))]
pub(crate) struct Months {
    pub(crate) set: String,
    /// The first month, counted from January of the year 0.
    pub(crate) first: u32,
    /// One for each month; `None` where it is not known.
    pub(crate) values: Vec<Option<u64>>,
}

/// A cluster of a set.
#[record(collection = "clusters", thing = "cluster", index(set, generation, order))]
pub(crate) struct Cluster {
    pub(crate) set: String,
    /// Its searches in a month.
    pub(crate) order: i64,
    pub(crate) name: String,
    /// The normal form of its main keyword.
    pub(crate) main: String,
    /// The normal forms of its keywords, the main one first.
    pub(crate) members: Vec<String>,
    /// Whether a manual edit made it or named it.
    pub(crate) pinned: bool,
    pub(crate) generation: u64,
    pub(crate) mapped: Option<Mapped>,
}

/// A result page that clustering asked for, as the module `rankings` keeps its own. Its id is [`keyword_id`].
#[record(collection = "serps", thing = "snapshot", index(set))]
pub(crate) struct Serp {
    pub(crate) set: String,
    pub(crate) it: SnapshotRecord,
}

/// A tracker of the module `rankings` that uses a set.
#[foreign(collection = "rankings.trackers", thing = "tracker", may_be_missing, index(set_ref))]
pub(crate) struct Tracker {
    pub(crate) set_ref: String,
}
