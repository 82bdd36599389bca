//! A run of prompts, as it is stored.

use std::collections::BTreeMap;

use sdk::Degraded;
use sdk::prelude::*;

/// Where a run stands.
#[value]
pub(crate) enum State {
    Queued,
    Running,
    Succeeded,
    Failed,
    Cancelled,
}

impl State {
    /// Whether it will change by itself.
    pub(crate) fn moves(self) -> bool {
        matches!(self, Self::Queued | Self::Running)
    }
}

/// What is measured: a model behind its interface, or the product that people use.
#[value]
pub(crate) enum Measured {
    /// The model as programs reach it.
    Api,
    /// The product as people see it, read by a provider.
    Product,
}

/// A model that a run asks.
#[value]
pub(crate) struct Asked {
    /// The connection.
    pub(crate) connection: String,
    /// The model, as it is asked for.
    pub(crate) model: String,
    /// What is measured.
    pub(crate) measured: Measured,
}

/// What one connection came to in a run.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct OfConnection {
    /// The model as it answered; as it was asked for before the first answer.
    pub(crate) model: String,
    /// Stored answers.
    pub(crate) answers: u64,
    /// Of these, answers in which the model declined.
    pub(crate) refused: u64,
    /// Of these, answers that were cut.
    pub(crate) cut: u64,
    /// Of these, answers for which the web was searched.
    pub(crate) searched: u64,
    /// Of these, answers that name the website's brand.
    pub(crate) mentions: u64,
    /// Questions without an answer.
    pub(crate) failed: u64,
    /// Why, by the provider's code.
    pub(crate) failures: BTreeMap<String, u64>,
    /// Tokens of the questions and of what was searched.
    pub(crate) tokens_in: u64,
    /// Tokens of the answers.
    pub(crate) tokens_out: u64,
    /// Millionths of its currency.
    pub(crate) spent_micros: u64,
    /// ISO 4217; none where the price is not known.
    pub(crate) currency: Option<String>,
}

/// Why a run ended.
#[value]
pub(crate) enum EndedBy {
    /// Everything was asked.
    All,
    /// The next answer might have gone beyond `cost_cap`.
    CostCap,
    /// The next answer might have gone beyond `token_cap`.
    TokenCap,
    /// No connection takes questions any more.
    Connections,
}

/// A run of prompts. Health of websites reads `site_id`, `finished_ms` and `mention_rate`.
#[record(
    collection = "runs",
    thing = "visibility run",
    reference = "run_ref",
    index(site_id, finished_ms),
    index(site_id, created_ms)
)]
pub(crate) struct Run {
    /// The website.
    pub(crate) site_id: String,
    /// The job that works on it.
    pub(crate) job_ref: Option<Id<Job>>,
    /// Where it stands.
    pub(crate) state: State,
    /// How many prompts; what is asked is in the blob `prompts/<id>`.
    pub(crate) prompts: u64,
    /// Which models.
    pub(crate) asked: Vec<Asked>,
    /// How often each is asked.
    pub(crate) samples: u32,
    /// Whether models may search the web.
    pub(crate) web_search: bool,
    /// The most that it may cost, in the connections' currency.
    pub(crate) cost_cap: Option<f64>,
    /// The most tokens that it may take.
    pub(crate) token_cap: Option<u64>,
    /// What came of it, in the order of `asked`.
    pub(crate) came: Vec<OfConnection>,
    /// The version of the brands that its answers were read with; none before they were tallied.
    pub(crate) brands_version: Option<u32>,
    /// When it was asked for.
    pub(crate) created_ms: u64,
    /// When it ended.
    pub(crate) finished_ms: Option<u64>,
    /// The share of answers that name the website's brand, mean over prompts; none without answers.
    pub(crate) mention_rate: Option<f64>,
    /// Why it ended.
    pub(crate) ended_by: Option<EndedBy>,
    /// What is missing.
    pub(crate) degraded: Vec<Degraded>,
}

impl Run {
    /// Questions in all.
    pub(crate) fn total(&self) -> u64 {
        self.prompts * self.asked.len() as u64 * u64::from(self.samples)
    }

    /// Stored answers.
    pub(crate) fn answers(&self) -> u64 {
        self.came.iter().map(|it| it.answers).sum()
    }

    /// Questions without an answer.
    pub(crate) fn failed(&self) -> u64 {
        self.came.iter().map(|it| it.failed).sum()
    }
}
