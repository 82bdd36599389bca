//! Who bots are: families by user agent, and the address ranges and names that their operators publish.
//!
//! A user agent is a claim. Whether it is true is told by the ranges that the operator publishes, or by the name of the address
//! (RFC 1912 section 2.1: the name leads back to the address), as Google, Microsoft, Apple and others document it.

mod agents;
mod names;
mod ranges;
mod tell;

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

pub use agents::{Obeys, RobotsAgent, Use, agents};
pub use names::{is_of, network, reverse};
pub use ranges::{Malformed, Ranges};
pub use tell::{Agent, tell};

/// The day on which the table was looked over, as `YYYY-MM-DD`.
pub const AS_OF: &str = "2026-11-29";

/// What a bot comes for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// The index of a search engine.
    Search,
    /// Material that models are trained with.
    AiTraining,
    /// The index that an assistant answers and cites from.
    AiSearch,
    /// A page that somebody asked an assistant about.
    UserFetch,
    /// Links and rankings for search professionals.
    SeoTool,
    /// Whether a site is up, and how fast.
    Monitor,
    /// A card for a link that was shared.
    Preview,
    /// Feeds for readers.
    Feed,
    /// Landing pages of advertisements.
    Ads,
    /// Keeping pages.
    Archive,
    /// Programs and libraries that anybody runs.
    Tool,
    /// Nobody knows.
    Unknown,
}

impl Purpose {
    /// Its name in snake case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::AiTraining => "ai_training",
            Self::AiSearch => "ai_search",
            Self::UserFetch => "user_fetch",
            Self::SeoTool => "seo_tool",
            Self::Monitor => "monitor",
            Self::Preview => "preview",
            Self::Feed => "feed",
            Self::Ads => "ads",
            Self::Archive => "archive",
            Self::Tool => "tool",
            Self::Unknown => "unknown",
        }
    }

    fn of(name: &str) -> Option<Self> {
        const ALL: [Purpose; 11] = [
            Purpose::Search,
            Purpose::AiTraining,
            Purpose::AiSearch,
            Purpose::UserFetch,
            Purpose::SeoTool,
            Purpose::Monitor,
            Purpose::Preview,
            Purpose::Feed,
            Purpose::Ads,
            Purpose::Archive,
            Purpose::Tool,
        ];
        ALL.into_iter().find(|it| it.name() == name)
    }
}

/// A family of bots: one product of one operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bot {
    /// Its name in lower case, such as `googlebot`.
    pub family: &'static str,
    /// Who runs it.
    pub operator: &'static str,
    /// What it comes for.
    pub purpose: Purpose,
    /// Words of which its user agents have one, in lower case.
    pub words: Vec<&'static str>,
    /// Where its operator publishes the ranges of its addresses.
    pub lists: Vec<&'static str>,
    /// What the names of its addresses end in.
    pub suffixes: Vec<&'static str>,
}

impl Bot {
    /// Whether anything that its operator publishes tells its addresses from others.
    #[must_use]
    pub fn is_verifiable(&self) -> bool {
        !self.lists.is_empty() || !self.suffixes.is_empty()
    }
}

/// All families, in the order of the table.
#[must_use]
pub fn all() -> &'static [Bot] {
    static ALL: OnceLock<Vec<Bot>> = OnceLock::new();
    ALL.get_or_init(|| {
        let lines = include_str!("../data/bots.tsv").lines().filter(|line| !line.starts_with('#'));
        lines.filter_map(read).collect()
    })
}

/// The family of this name.
#[must_use]
pub fn family(name: &str) -> Option<&'static Bot> {
    all().iter().find(|it| it.family == name)
}

/// The addresses of all lists of ranges, each once.
#[must_use]
pub fn lists() -> Vec<&'static str> {
    let mut out: Vec<&'static str> = Vec::new();
    for list in all().iter().flat_map(|it| &it.lists) {
        if !out.contains(list) {
            out.push(list);
        }
    }
    out
}

fn read(line: &'static str) -> Option<Bot> {
    let mut cells = line.split('\t');
    let (family, operator) = (cells.next()?, cells.next()?);
    let purpose = Purpose::of(cells.next()?)?;
    let many = |cell: Option<&'static str>| {
        cell.unwrap_or_default().split(',').filter(|it| !it.is_empty()).collect::<Vec<_>>()
    };
    let (words, lists, suffixes) = (many(cells.next()), many(cells.next()), many(cells.next()));
    Some(Bot { family, operator, purpose, words, lists, suffixes })
}
