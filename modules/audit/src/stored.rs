//! What an audit keeps, and what it reads of a crawl.

use std::collections::BTreeMap;

use sdk::Fix;
use sdk::Job;
use sdk::prelude::*;

use crate::evidence::Evidence;
use crate::index::Entry;
use crate::rule::{Area, Effort, Severity};
use crate::score::{AreaScore, Count};

/// Where an audit stands.
#[value]
pub enum AuditState {
    /// Accepted, no page read.
    Queued,
    /// Reading pages.
    Running,
    /// Ended with a score.
    Succeeded,
}

/// One audit of one crawl.
#[record(collection = "audits", index(site_id, created_ms), index(run_ref))]
pub struct Audit {
    /// The website.
    pub site_id: String,
    /// The crawl.
    pub run_ref: String,
    /// Scheme, host and port of the site.
    pub origin: String,
    /// Where it stands.
    pub state: AuditState,
    /// Milliseconds since 1970 UTC: when it was asked for.
    pub created_ms: u64,
    /// When it ended.
    pub finished_ms: Option<u64>,
    /// The job that works on it.
    pub job_ref: Option<Id<Job>>,
    /// The rules asked for; empty means all.
    #[serde(default)]
    pub rules: Vec<String>,
    /// The most addresses that it reads.
    pub max_pages: u32,
    /// The audit it is compared with.
    pub baseline: Option<String>,
    /// Addresses read.
    #[serde(default)]
    pub pages: u32,
    /// From 0 to 100; null until it has ended.
    pub score: Option<f64>,
    /// Rules with findings, by severity.
    #[serde(default)]
    pub by_severity: BTreeMap<Severity, u32>,
    /// What each area took from the score.
    #[serde(default)]
    pub by_area: BTreeMap<Area, AreaScore>,
    /// The change since the baseline.
    pub delta: Option<Delta>,
    /// Whether the worth of pages counts their clicks.
    #[serde(default)]
    pub by_clicks: bool,
}

/// What changed since the baseline.
#[value]
pub struct Delta {
    /// The audit compared with.
    pub baseline_audit: String,
    /// Points gained, negative when lost.
    pub score: f64,
    /// Rules that find something now and found nothing then.
    pub new: Vec<String>,
    /// Rules that found something then and find nothing now.
    pub fixed: Vec<String>,
    /// Rules that find something both times.
    pub persisting: Vec<String>,
}

/// One rule with findings in one audit.
#[record(collection = "issues", index(audit, rank), index(audit, rule))]
pub struct Issue {
    /// The audit.
    pub audit: String,
    /// Place in the audit's list, from 1: by what is at stake and how sure that is.
    pub rank: u32,
    /// The rule.
    pub rule: String,
    /// Its area.
    pub area: Area,
    /// Its severity.
    pub severity: Severity,
    /// Pages at fault, those that are suppressed not counted.
    pub affected: u32,
    /// Pages at fault that the website's owner has suppressed.
    #[serde(default)]
    pub suppressed: u32,
    /// Pages the rule was asked about.
    pub asked: u32,
    /// The part of the website's worth on the pages at fault, from 0 to 1; null in audits of before that was known.
    #[serde(default)]
    pub worth: Option<f64>,
    /// Whether the home page is at fault.
    #[serde(default)]
    pub home: bool,
    /// Pages at fault in the baseline.
    pub before: Option<u32>,
    /// The first few, with their proof.
    pub examples: Vec<Example>,
}

impl Issue {
    /// How many pages the rule was asked about and found at fault, and what those are worth.
    #[must_use]
    pub fn count(&self) -> Count {
        Count { asked: self.asked, affected: self.affected, worth: self.worth }
    }
}

/// One page at fault.
#[value]
pub struct Example {
    /// The page.
    pub url: String,
    /// The proof.
    pub evidence: Evidence,
}

/// One page at fault for one rule, kept for at most [`LISTED`] pages a rule.
#[record(collection = "issue_urls", index(audit, rule, url))]
pub struct IssueUrl {
    /// The audit.
    pub audit: String,
    /// The rule.
    pub rule: String,
    /// The page.
    pub url: String,
    /// The proof.
    pub evidence: Evidence,
    /// The website's owner has suppressed it.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub suppressed: bool,
}

/// The most pages listed for one rule; past it only the number is kept.
pub const LISTED: u32 = 5_000;

/// Whether an opportunity is older than its audit.
#[value]
pub enum Trend {
    /// The audit before did not have it.
    New,
    /// More pages than in the audit before.
    Growing,
    /// As many pages as in the audit before.
    Unchanged,
    /// Fewer pages than in the audit before.
    Shrinking,
}

/// One thing worth doing.
#[value]
pub struct Opportunity {
    /// The rule behind it.
    pub rule: String,
    /// The fault in a few words.
    pub title: String,
    /// Where it belongs.
    pub area: Area,
    /// What it costs.
    pub severity: Severity,
    /// The proof, for the first page.
    pub evidence: Evidence,
    /// The first pages at fault.
    pub urls: Vec<String>,
    /// Pages at fault.
    pub affected: u32,
    /// The part of the pages asked about that is at fault, from 0 to 1.
    pub share: f64,
    /// From 0 to 100: what the fault takes of a page, and what the pages at fault are worth, together.
    pub impact: u32,
    /// How sure it is that this is a real fault, in percent.
    pub confidence: u32,
    /// Whether a template brings it to nearly every page: it is one fault, mended once. False in audits of before
    /// that was known.
    #[serde(default)]
    pub template: bool,
    /// How much work the fix is.
    pub effort: Effort,
    /// What to do.
    pub advice: String,
    /// The call that acts on it.
    pub fix: Fix,
    /// The operation that makes the change in the end; null while the catalog does not serve it.
    pub fix_operation: Option<String>,
    /// The guideline or standard behind it.
    pub reference: String,
}

/// An opportunity as an audit keeps it.
#[record(collection = "opportunities", index(audit, rank))]
pub struct Kept {
    /// The audit.
    pub audit: String,
    /// Place in the audit's list, from 1.
    pub rank: u32,
    /// The change since the audit before.
    pub trend: Trend,
    /// The opportunity.
    pub opportunity: Opportunity,
}

/// The compact index of an audited crawl, some hundred addresses a row: what the set rules and the reports read,
/// so that they hold when the crawl itself is gone.
#[record(collection = "parts", index(audit, number))]
pub struct Part {
    /// The audit.
    pub audit: String,
    /// Counts up from 0.
    pub number: u32,
    /// The addresses.
    pub entries: Vec<Entry>,
}

/// A link that leads to an address which fails or redirects.
#[record(collection = "bad_links", index(audit))]
pub struct BadLink {
    /// The audit.
    pub audit: String,
    /// Where it leads.
    pub target: String,
    /// The page that has it.
    pub source: String,
    /// Its text.
    pub anchor: String,
}
