//! What this module reads of others: websites, their segments, and the pages of crawls.

use std::collections::BTreeMap;

use kit::page::StructuredData;
use kit::segments::{Address, Rule, Segment as Rules};
use schemars::JsonSchema;
use sdk::Basis;
use sdk::prelude::*;
use sdk::serde_json::Value;
use serde::{Deserialize, Serialize};

/// A website of the customer.
#[foreign(collection = "websites.sites", thing = "website", reference = "site_id")]
pub(crate) struct Site {
    /// Scheme, host and port.
    pub(crate) origin: String,
    /// How it is called.
    pub(crate) name: Option<String>,
    /// Names that mean this website.
    pub(crate) brand_terms: Option<Vec<String>>,
    /// Facts about the business, by name.
    pub(crate) facts: Option<BTreeMap<String, Value>>,
}

impl Site {
    /// Its name, or its host without one.
    pub(crate) fn title(&self) -> String {
        let host = self.origin.split("://").nth(1).unwrap_or(&self.origin);
        self.name.as_deref().filter(|it| !it.trim().is_empty()).unwrap_or(host).to_owned()
    }

    /// Whether an address is one of its own: the same host, `www.` aside.
    pub(crate) fn has(&self, url: &str) -> bool {
        let parsed = |it: &str| kit::url::Url::parse(it).ok();
        match (parsed(&self.origin), parsed(url)) {
            (Some(own), Some(other)) => kit::url::same_site(&own, &other),
            _ => false,
        }
    }

    /// A fact that is a text or a number, under the first of these names that has one; spelled in any case.
    pub(crate) fn fact(&self, names: &[&str]) -> Option<String> {
        let facts = self.facts.as_ref()?;
        let plain = |name: &str| name.to_ascii_lowercase().replace([' ', '-'], "_");
        names.iter().find_map(|wanted| {
            let (_, value) = facts.iter().find(|(name, _)| plain(name) == *wanted)?;
            match value {
                Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
                Value::Number(number) => Some(number.to_string()),
                _ => None,
            }
        })
    }

    /// Addresses among the facts of this name: a list, or texts with commas or spaces between.
    pub(crate) fn links(&self, names: &[&str]) -> Vec<String> {
        let Some(facts) = &self.facts else { return Vec::new() };
        let plain = |name: &str| name.to_ascii_lowercase().replace([' ', '-'], "_");
        let held = facts.iter().filter(|(name, _)| names.contains(&plain(name).as_str()));
        let mut out: Vec<String> = Vec::new();
        for (_, value) in held {
            let texts: Vec<&str> = match value {
                Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
                other => other.as_str().into_iter().collect(),
            };
            let found = texts.into_iter().flat_map(|it| it.split([',', ' ', '\n'])).map(str::trim);
            out.extend(found.filter(|it| it.starts_with("http")).map(str::to_owned));
        }
        out.dedup();
        out
    }
}

/// The website of an argument; 404 for one that is not the customer's.
pub(crate) fn get(cx: &Cx, site: &Id<Site>) -> Result<Stored<Site>> {
    cx.records().get(site).map_err(|fault| fault.at("/site_id"))
}

/// A named group of addresses of a website.
#[foreign(collection = "websites.segments", thing = "segment", index(site_id))]
pub(crate) struct Segment {
    pub(crate) site_id: Id<Site>,
    pub(crate) name: String,
    pub(crate) rules: Vec<Rule>,
}

impl Segment {
    /// Its rules, ready to be asked; none when they can no longer be read.
    pub(crate) fn ready(&self) -> Option<Rules> {
        Rules::new(&self.rules).ok()
    }
}

/// Whether rules hold an address.
pub(crate) fn holds(rules: &Rules, url: &str) -> bool {
    rules.holds(Address { url, content_type: Some("text/html") })
}

/// A crawl.
#[foreign(collection = "crawl.runs", index(site_id))]
pub(crate) struct Run {
    pub(crate) site_id: Id<Site>,
    /// Scheme, host and port that it began at.
    pub(crate) origin: String,
    /// `succeeded` and `cancelled` crawls can be read; the others still change, or broke off.
    pub(crate) state: String,
    /// Why it ended; `completed` when it fetched everything that it knew of.
    #[serde(default)]
    pub(crate) stop_reason: Option<String>,
    /// Milliseconds since 1970 UTC.
    pub(crate) finished_ms: Option<u64>,
}

impl Run {
    /// Whether it fetched everything that it knew of.
    pub(crate) fn is_complete(&self) -> bool {
        self.state == "succeeded" && self.stop_reason.as_deref() == Some("completed")
    }

    /// Whether its pages stay as they are.
    pub(crate) fn has_ended(&self) -> bool {
        matches!(self.state.as_str(), "succeeded" | "cancelled")
    }
}

/// The crawl of an argument: 404 without it, 409 while it runs.
pub(crate) fn run(cx: &Cx, run: &Id<Run>) -> Result<Stored<Run>> {
    let run = cx.records().get(run).map_err(|fault| fault.at("/run_ref"))?;
    if run.has_ended() {
        return Ok(run);
    }
    let message = "the crawl has not ended; follow it with crawl.run.get and ask again then";
    Err(Fault::conflict("run_unfinished", message).at("/run_ref"))
}

/// The newest crawl of a website that has ended.
pub(crate) fn newest(cx: &Cx, site: &Id<Site>) -> Option<Stored<Run>> {
    let runs = cx.records::<Run>().by("site_id").equals(site).descending();
    runs.scan().take(50).find(|it| it.has_ended())
}

/// The structured data of one address of a crawl.
#[foreign(collection = "crawl.pages", thing = "page", index(run, seq))]
pub(crate) struct Crawled {
    pub(crate) run: String,
    pub(crate) seq: u64,
    pub(crate) url: String,
    pub(crate) status: u16,
    pub(crate) facts: Held,
}

/// What is read of a page's facts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Held {
    pub(crate) is_html: bool,
    pub(crate) structured: StructuredData,
}

/// One address of a crawl, flat.
#[foreign(collection = "crawl.rows", thing = "page", index(run, seq))]
#[serde(default)]
#[derive(Default)]
pub(crate) struct Row {
    pub(crate) run: String,
    pub(crate) seq: u64,
    pub(crate) url: String,
    pub(crate) status: u16,
    pub(crate) is_html: bool,
    /// Every type that the structured data declares, with `, ` between them.
    pub(crate) structured_types: String,
}

/// The crawl that a result rests on.
pub(crate) fn basis(cx: &Cx, run: &Stored<Run>) -> Basis {
    let at = run.finished_ms.map_or_else(|| cx.now(), Moment::from_millis);
    Basis::of_run(run.id.as_str(), at, cx.now(), run.is_complete())
}
