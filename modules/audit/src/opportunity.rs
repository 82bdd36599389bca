//! How findings become opportunities, and in which order.
//!
//! `impact = 100 × w(severity) / w(error) × √share`: a fault on every page counts in full, one on a
//! hundredth of the pages a tenth. Opportunities stand in the order of impact × confidence; of two alike the one
//! with less effort comes first. Clicks are not part of it until search data is connected.

use crate::act::Known;
use crate::engine::Hit;
use crate::evidence::Evidence;
use crate::rule::{Area, Rule, Severity};
use crate::score::{Count, weight};
use crate::stored::Opportunity;

/// How the impact is made, as answers print it.
pub const FORMULA: &str = "impact = 100 x w(severity) / w(error) x sqrt(share of pages affected); ranked by impact x confidence, then by effort";

/// The most pages that one opportunity names.
const NAMED: usize = 10;

/// What to look at.
#[sdk::value]
pub enum Focus {
    /// Answers, directives, canonicals, languages, transport, addresses, phones, weight, sitemaps.
    Technical,
    /// Titles, descriptions, headings, text, pictures, share cards.
    Content,
    /// Links inside the site.
    Links,
    /// JSON-LD and its kin.
    StructuredData,
    /// What AI assistants can take from the site.
    Ai,
    /// Everything.
    All,
}

impl Focus {
    /// Whether an area belongs to it.
    #[must_use]
    pub fn holds(self, area: Area) -> bool {
        match area {
            Area::Response
            | Area::Indexability
            | Area::Canonical
            | Area::Hreflang
            | Area::Security
            | Area::Url
            | Area::Mobile
            | Area::Performance
            | Area::Sitemap => matches!(self, Focus::Technical | Focus::All),
            Area::Metadata | Area::Headings | Area::Content | Area::Images | Area::Social | Area::Accessibility => {
                matches!(self, Focus::Content | Focus::All)
            }
            Area::Links => matches!(self, Focus::Links | Focus::All),
            Area::StructuredData => matches!(self, Focus::StructuredData | Focus::All),
            Area::Ai => matches!(self, Focus::Ai | Focus::All),
        }
    }
}

/// What a rule found, brought together.
#[derive(Debug, Clone)]
pub struct Found {
    /// The rule, with the severity in force.
    pub rule: Rule,
    /// How often.
    pub count: Count,
    /// The pages, the first few.
    pub urls: Vec<String>,
    /// The proof, for the first page.
    pub evidence: Evidence,
}

/// Brings the hits of each rule together; `count` says of how many pages.
#[must_use]
pub fn gather(hits: &[Hit], count: impl Fn(&Rule) -> Count) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    for hit in hits {
        match found.iter_mut().find(|it| it.rule.id == hit.rule.id) {
            Some(it) if it.urls.len() < NAMED => it.urls.push(hit.url.clone()),
            Some(_) => {}
            None => found.push(Found {
                rule: hit.rule,
                count: count(&hit.rule),
                urls: vec![hit.url.clone()],
                evidence: hit.evidence.clone(),
            }),
        }
    }
    found
}

/// The opportunities of these findings, the best first.
#[must_use]
pub(crate) fn rank(found: Vec<Found>, known: &Known<'_>) -> Vec<Opportunity> {
    let mut ranked: Vec<Opportunity> = found.into_iter().map(|found| opportunity(found, known)).collect();
    ranked.sort_by(|a, b| {
        let value = |it: &Opportunity| u64::from(it.impact) * u64::from(it.confidence);
        value(b)
            .cmp(&value(a))
            .then(a.effort.cmp(&b.effort))
            .then(a.severity.cmp(&b.severity))
            .then(a.rule.cmp(&b.rule))
    });
    ranked
}

fn opportunity(found: Found, known: &Known<'_>) -> Opportunity {
    let Found { rule, count, urls, evidence } = found;
    Opportunity {
        rule: rule.id.to_owned(),
        title: rule.title.to_owned(),
        area: rule.area,
        severity: rule.severity,
        evidence,
        fix: known.act(&rule, &urls),
        urls,
        affected: count.affected,
        share: (count.share() * 10_000.0).round() / 10_000.0,
        impact: impact(rule.severity, count),
        confidence: u32::from(rule.confidence),
        effort: rule.effort,
        advice: rule.advice.to_owned(),
        fix_operation: rule.served_operation(),
        reference: rule.reference.to_owned(),
    }
}

/// From 0 to 100; a finding never counts as nothing.
#[must_use]
pub fn impact(severity: Severity, count: Count) -> u32 {
    if count.affected == 0 {
        return 0;
    }
    let impact = 100.0 * weight(severity) / weight(Severity::Error) * count.share().sqrt();
    (impact.round() as u32).clamp(1, 100)
}
