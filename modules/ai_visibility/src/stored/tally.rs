//! What the samples of a prompt came to: what reports read instead of answers.

use sdk::prelude::*;

use super::{Measured, Stage};

/// What the samples of one prompt at one connection came to in a run: what reports read.
#[record(
    collection = "tallies",
    thing = "tally",
    reference = "tally_ref",
    index(run, n),
    index(site_id, at_ms),
    index(site_id, prompt)
)]
#[derive(Default)]
pub(crate) struct Tally {
    /// The website.
    pub(crate) site_id: String,
    /// The run.
    pub(crate) run: String,
    /// Its place in the run: by prompt and connection.
    pub(crate) n: u32,
    /// When the run was asked for.
    pub(crate) at_ms: u64,
    /// The prompt.
    pub(crate) prompt: String,
    /// The version of the prompt.
    pub(crate) prompt_version: u32,
    /// What it is about.
    pub(crate) topic: String,
    /// Where somebody stands who asks it.
    pub(crate) stage: Option<Stage>,
    /// The country that was asked from.
    pub(crate) country: Option<String>,
    /// The model, as it answered.
    pub(crate) model: String,
    /// What is measured.
    pub(crate) measured: Option<Measured>,
    /// The version of the brands that the answers were read with.
    pub(crate) brands_version: u32,
    /// The way of reading.
    pub(crate) detection: u32,
    /// Answers.
    pub(crate) answers: u32,
    /// Of these, answers for which the web was searched.
    pub(crate) searched: u32,
    /// Of these, answers that cite a page of the website.
    pub(crate) cite_own: u32,
    /// Of these, answers with any source.
    pub(crate) with_sources: u32,
    /// Of these, answers that name any brand.
    pub(crate) with_brands: u32,
    /// What each brand came to; brands that no answer names are left out.
    pub(crate) brands: Vec<OfBrand>,
    /// The brands that each answer names, by their places in `brands`.
    pub(crate) sets: Vec<Vec<u32>>,
    /// Names that are no configured brand, with the answers that have them; the twenty with the most.
    pub(crate) unknown: Vec<(String, u32)>,
}

/// What a brand came to in the samples of a prompt.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct OfBrand {
    /// The brand.
    pub(crate) brand: String,
    /// Answers that name it.
    pub(crate) answers: u32,
    /// The sum of its ranks in these.
    pub(crate) ranks: u32,
    /// The sum of its prominence in these.
    pub(crate) prominence: f64,
    /// The sum of its shares of all brands, weighted by order.
    pub(crate) share: f64,
    /// The sum of tones.
    pub(crate) tone: f64,
    /// Answers that have a tone of it.
    pub(crate) toned: u32,
}

/// The id of a tally.
pub(crate) fn tally_id(run: &str, n: u32) -> Id<Tally> {
    Id::new(format!("{run}-{n}"))
}
