//! The rows of `links.graphs`, `local_grid.runs` and `ai_visibility.runs` that health reads. These rows are the
//! contract that those modules fulfil: among what they keep of a run that has ended are these members, and the index
//! `site_id_finished_ms`. A run that has not ended has no `finished_ms`, so it comes last of all and is not read.

use sdk::prelude::*;

/// A link graph that was built.
#[foreign(collection = "links.graphs", may_be_missing, index(site_id, finished_ms))]
#[serde(default)]
#[derive(Default)]
pub(crate) struct Graph {
    /// The website.
    pub(crate) site_id: String,
    /// When it was built.
    pub(crate) finished_ms: Option<u64>,
    /// From 0 to 100: how much of the authority that links hand on reaches pages that may be indexed.
    pub(crate) score: Option<f64>,
}

/// A scan of a grid of places.
#[foreign(collection = "local_grid.runs", may_be_missing, index(site_id, finished_ms))]
#[serde(default)]
#[derive(Default)]
pub(crate) struct Grid {
    /// The website.
    pub(crate) site_id: String,
    /// When it ended.
    pub(crate) finished_ms: Option<u64>,
    /// The share of places where the business is among the first three, from 0 to 1; null where no place had an answer.
    pub(crate) solv: Option<f64>,
}

/// A run of prompts.
#[foreign(collection = "ai_visibility.runs", may_be_missing, index(site_id, finished_ms))]
#[serde(default)]
#[derive(Default)]
pub(crate) struct Answers {
    /// The website.
    pub(crate) site_id: String,
    /// When it ended.
    pub(crate) finished_ms: Option<u64>,
    /// The share of answers that name the website's brand, from 0 to 1; null where nothing was answered.
    pub(crate) mention_rate: Option<f64>,
}
