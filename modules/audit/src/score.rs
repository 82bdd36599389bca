//! The score of an audit and how it is made.
//!
//! `score = 100 × Π over areas of (1 − min(cap(area), Σ over rules of loss(rule) × part))`.
//!
//! `part` is the part of the website's worth on the pages at fault (`worth.rs`), so one bad page of a thousand costs little
//! unless it is the home page. `loss` is what the fault takes of such a page (`stake.rs`). A fault that a template brings to
//! nearly every page is one fault, mended once: it counts as if a quarter of the website had it, unless it keeps pages out
//! of the results or is an error. The cap of an area keeps ten faults of one kind, such as ten ways of having no share card,
//! from hiding everything else; what keeps pages out of the results altogether may take nearly all.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rule::{Area, Rule, Severity};
use crate::stake::{Stake, loss};

/// The formula, as answers print it.
pub const FORMULA: &str = "100 x product over areas of (1 - min(cap(area), sum over rules of loss x part)); \
part = part of the website's worth on the pages at fault, at most 0.25 for what a template does on nearly every page; \
loss = 1.00, 0.80, 0.40 (error, warning, notice) where the page cannot be found, else 0.35, 0.12, 0.03; headers that guard \
visitors cost nothing";

/// From so many pages on a fault of nearly all of them is one of the template.
const TEMPLATE_PAGES: u32 = 10;
/// The part of the pages from which on it is.
const TEMPLATE_SHARE: f64 = 0.8;
/// What a fault of the template counts as, at most.
const TEMPLATE_PART: f64 = 0.25;

/// How many pages a rule was asked about, and how many it found at fault.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Count {
    /// Asked about.
    pub asked: u32,
    /// At fault.
    pub affected: u32,
    /// The part of the website's worth on the pages at fault, from 0 to 1; none where the website is not known as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worth: Option<f64>,
}

impl Count {
    /// The part at fault, from 0 to 1.
    #[must_use]
    pub fn share(self) -> f64 {
        if self.asked == 0 { 0.0 } else { f64::from(self.affected.min(self.asked)) / f64::from(self.asked) }
    }

    /// The part of the website that is at stake, from 0 to 1: by worth where that is known, else by pages.
    #[must_use]
    pub fn at_stake(self) -> f64 {
        self.worth.unwrap_or_else(|| self.share())
    }

    /// Whether a template brings the fault to nearly every page: it is mended once.
    #[must_use]
    pub fn is_of_template(self) -> bool {
        self.affected >= TEMPLATE_PAGES && self.share() >= TEMPLATE_SHARE
    }
}

/// What a rule's findings take, as a part of 1 and before the cap of its area.
#[must_use]
pub fn cost(rule: &Rule, count: Count) -> f64 {
    let once = count.is_of_template() && Stake::of(rule) != Stake::Presence && rule.severity != Severity::Error;
    loss(rule) * if once { count.at_stake().min(TEMPLATE_PART) } else { count.at_stake() }
}

/// The most that one area can take from the score, as a part of 1.
#[must_use]
pub fn cap(area: Area) -> f64 {
    match area {
        Area::Response | Area::Indexability => 0.90,
        Area::Canonical => 0.60,
        Area::Metadata | Area::Content | Area::Links | Area::Security => 0.25,
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
    /// What the area alone took of 100 points. Areas multiply: two that took 10 each leave 81.
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
            area.lost += cost(rule, count);
        }
    }
    let mut kept = 1.0;
    for (area, it) in &mut areas {
        it.lost = it.lost.min(cap(*area));
        kept *= 1.0 - it.lost;
        it.lost = tenth(100.0 * it.lost);
    }
    (tenth(100.0 * kept), areas)
}

/// Rounded to one decimal.
#[must_use]
pub fn tenth(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests;
