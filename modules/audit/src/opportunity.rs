//! How findings become opportunities, and in which order.
//!
//! `impact = 100 × loss × √part`: what the fault takes of a page (`stake.rs`), and the part of the website's worth that is on
//! the pages at fault (`worth.rs`). A fault on everything counts in full, one on a hundredth of the worth a tenth.
//! Opportunities stand in the order of impact × confidence; of two alike the one with less effort comes first. Headers that
//! guard visitors are none: `audit.security.report` has them.

use crate::act::Known;
use crate::engine::Hit;
use crate::evidence::Evidence;
use crate::rule::{Area, Effort, Rule};
use crate::score::Count;
use crate::stake::{Stake, loss};
use crate::stored::Opportunity;

/// How the impact is made, as answers print it.
pub const FORMULA: &str = "impact = 100 x loss x sqrt(part of the website's worth on the pages at fault); worth = links and depth, and half of it clicks where Search Console has told at least 100; ranked by impact x confidence, then by effort";

/// How sure it is, at least, that a home page that cannot be found is a mistake.
const HOME_IS_MEANT: u32 = 95;

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
    /// Whether the home page is among the pages at fault.
    pub home: bool,
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
                home: false,
            }),
        }
    }
    found
}

/// The opportunities of these findings, the best first.
#[must_use]
pub(crate) fn rank(found: Vec<Found>, known: &Known<'_>) -> Vec<Opportunity> {
    let counted = found.into_iter().filter(|found| Stake::of(&found.rule) != Stake::Hygiene);
    let mut ranked: Vec<Opportunity> = counted.map(|found| opportunity(found, known)).collect();
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
    let confidence = confidence(&found.rule, found.home);
    let Found { rule, count, urls, evidence, .. } = found;
    let template = count.is_of_template();
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
        impact: impact(&rule, count),
        confidence,
        template,
        effort: if template { Effort::Low } else { rule.effort },
        advice: rule.advice.to_owned(),
        fix_operation: rule.served_operation(),
        reference: rule.reference.to_owned(),
    }
}

/// How sure it is that a finding is a real fault, in percent: pages may be hidden on purpose, a home page is not.
#[must_use]
pub fn confidence(rule: &Rule, home: bool) -> u32 {
    let own = u32::from(rule.confidence);
    if home && Stake::of(rule) == Stake::Presence { own.max(HOME_IS_MEANT) } else { own }
}

/// From 0 to 100; a finding never counts as nothing.
#[must_use]
pub fn impact(rule: &Rule, count: Count) -> u32 {
    if count.affected == 0 {
        return 0;
    }
    let impact = 100.0 * loss(rule) * count.at_stake().sqrt();
    (impact.round() as u32).clamp(1, 100)
}
