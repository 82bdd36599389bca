//! The score of an audit and how it is made.
//!
//! `score = 100 × (1 − Σ over areas of min(cap(area), Σ over rules of w(severity) × share))`, never below 0.
//!
//! `share` is the part of the pages a rule was asked about that it found at fault, so one bad page of a
//! thousand costs a thousandth of what a fault on every page costs. `w` is 0.40 for an error, 0.12 for
//! warning, 0.03 for notice. The cap of an area keeps ten faults of one kind, such as ten ways of having no
//! share card, from hiding everything else; what keeps pages out of the index altogether may take more.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rule::{Area, Rule, Severity};

/// The formula, as answers print it.
pub const FORMULA: &str = "100 x (1 - sum over areas of min(cap(area), sum over rules of w(severity) x share of pages affected)); \
w = error 0.40, warning 0.12, notice 0.03";

/// How many pages a rule was asked about, and how many it found at fault.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Count {
    /// Asked about.
    pub asked: u32,
    /// At fault.
    pub affected: u32,
}

impl Count {
    /// The part at fault, from 0 to 1.
    #[must_use]
    pub fn share(self) -> f64 {
        if self.asked == 0 { 0.0 } else { f64::from(self.affected.min(self.asked)) / f64::from(self.asked) }
    }
}

/// What a severity costs when every page is affected.
#[must_use]
pub fn weight(severity: Severity) -> f64 {
    match severity {
        Severity::Error => 0.40,
        Severity::Warning => 0.12,
        Severity::Notice => 0.03,
    }
}

/// The most that one area can take from the score, as a part of 1.
#[must_use]
pub fn cap(area: Area) -> f64 {
    match area {
        Area::Response | Area::Indexability => 0.60,
        Area::Canonical | Area::Metadata | Area::Content | Area::Links | Area::Security => 0.25,
        Area::Headings | Area::Hreflang | Area::Mobile | Area::Performance | Area::Sitemap | Area::Url => 0.15,
        Area::Images | Area::StructuredData | Area::Social | Area::Ai | Area::Accessibility => 0.10,
    }
}

/// What one area took from the score.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AreaScore {
    /// Rules with at least one affected page.
    pub issues: u32,
    /// Findings, over all rules.
    pub findings: u32,
    /// Points of 100 that the area took.
    pub lost: f64,
}

/// The score of an audit, from 0 to 100 with one decimal, and what each area took from it.
#[must_use]
pub fn score<'a>(counts: impl IntoIterator<Item = (&'a Rule, Count)>) -> (f64, BTreeMap<Area, AreaScore>) {
    let mut areas: BTreeMap<Area, AreaScore> = BTreeMap::new();
    for (rule, count) in counts {
        let area = areas.entry(rule.area).or_default();
        if count.affected > 0 {
            area.issues += 1;
            area.findings += count.affected;
            area.lost += weight(rule.severity) * count.share();
        }
    }
    let mut lost = 0.0;
    for (area, it) in &mut areas {
        it.lost = it.lost.min(cap(*area));
        lost += it.lost;
        it.lost = tenth(100.0 * it.lost);
    }
    (tenth((100.0 * (1.0 - lost)).max(0.0)), areas)
}

/// Rounded to one decimal.
#[must_use]
pub fn tenth(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests;
