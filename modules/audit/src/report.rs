//! `audit.*.report`, what is wrong in one area of a crawl, page by page.
//!
//! A report stands on the newest whole audit of the crawl. Without one, the first pages of the crawl are judged in the
//! call itself, and `degraded` says that it is not everything.

pub(crate) mod canonical;
pub(crate) mod duplicate;
mod findings;
mod ground;
pub(crate) mod heading;
pub(crate) mod image;
pub(crate) mod indexability;
pub(crate) mod metadata;
pub(crate) mod security;
pub(crate) mod thin_content;
pub(crate) mod url_hygiene;

use sdk::Basis;
use sdk::Fix;
use sdk::prelude::*;
use sdk::serde_json::json;

pub(crate) use self::ground::{Finding, Ground};
use crate::evidence::Evidence;
use crate::rule::{Rule, Severity};
use crate::stored::Audit;

/// The crawl that a report rests on, and what of it was judged.
#[value]
pub(crate) struct Judged {
    /// The crawl.
    pub(crate) basis: Basis,
    /// The audit that judged it; null when pages were judged now.
    pub(crate) audit_ref: Option<Id<Audit>>,
    /// Addresses that were judged.
    pub(crate) pages: u32,
}

/// A problem with its number of pages.
#[value]
pub(crate) struct Sum {
    /// The rule.
    pub(crate) problem: String,
    /// The fault in a few words.
    pub(crate) title: String,
    /// What it costs.
    pub(crate) severity: Severity,
    /// Pages at fault.
    pub(crate) urls: u32,
    /// What to do.
    pub(crate) advice: String,
    /// The call that acts on it.
    pub(crate) fix: Fix,
    /// The operation that makes the change in the end; null while the catalog does not serve it.
    pub(crate) fix_operation: Option<String>,
}

/// A page with one problem.
#[value]
pub(crate) struct Row {
    /// The page.
    pub(crate) url: String,
    /// The rule.
    pub(crate) problem: String,
    /// What it costs.
    pub(crate) severity: Severity,
    /// The element, its exact value, and what was expected.
    pub(crate) evidence: Evidence,
}

impl From<Finding> for Row {
    fn from(found: Finding) -> Self {
        Self {
            url: found.url,
            problem: found.rule.id.to_owned(),
            severity: found.rule.severity,
            evidence: found.evidence,
        }
    }
}

/// The rules that a report is about, in the order in which it lists them: the worst first.
pub(crate) fn about(ground: &Ground<'_>, fits: impl Fn(&Rule) -> bool) -> Vec<Rule> {
    let mut rules: Vec<Rule> = ground.choice.rules().copied().filter(fits).collect();
    rules.sort_by_key(|rule| (rule.severity, rule.id));
    rules
}

/// The one rule that `problem` names, or all of them.
pub(crate) fn chosen(rules: &[Rule], problem: Option<&str>) -> Result<Vec<Rule>> {
    let Some(problem) = problem else { return Ok(rules.to_vec()) };
    match rules.iter().find(|rule| rule.id == problem) {
        Some(rule) => Ok(vec![*rule]),
        None => {
            let known = rules.iter().map(|rule| rule.id).collect::<Vec<_>>();
            let message = format!("{problem} is no problem of this report; `problems` names those that are");
            Err(Fault::invalid("/problem", "unknown_problem", message).detail(json!({ "problems": known })))
        }
    }
}

/// The sums of these rules, those without a page left out.
pub(crate) fn sums(ground: &Ground<'_>, rules: &[Rule]) -> Vec<Sum> {
    let counted = rules.iter().map(|rule| (rule, ground.affected(rule)));
    counted
        .filter(|(_, urls)| *urls > 0)
        .map(|(rule, urls)| Sum {
            problem: rule.id.to_owned(),
            title: rule.title.to_owned(),
            severity: rule.severity,
            urls,
            advice: rule.advice.to_owned(),
            fix: ground.act(rule),
            fix_operation: rule.served_operation(),
        })
        .collect()
}

#[cfg(test)]
mod tests;
