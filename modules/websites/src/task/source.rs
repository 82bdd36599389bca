//! The findings that work items come from, those of audits and the steps of plans, and freezing one.

use std::collections::BTreeMap;

use sdk::prelude::*;

use super::checks;
use super::stored::{At, Evidence, MOST_URLS, Source};
use crate::plan::{self, PlanStep};
use crate::stored::{Audit, Website};

/// One rule with findings in one audit.
#[foreign(collection = "audit.issues", index(audit, rule))]
pub(crate) struct Issue {
    /// The audit.
    pub(crate) audit: String,
    /// The rule.
    pub(crate) rule: String,
    /// Pages at fault.
    pub(crate) affected: u32,
}

/// One page at fault for one rule.
#[foreign(collection = "audit.issue_urls", index(audit, rule, url))]
pub(crate) struct IssueUrl {
    /// The audit.
    pub(crate) audit: String,
    /// The rule.
    pub(crate) rule: String,
    /// The page.
    pub(crate) url: String,
    /// The proof.
    pub(crate) evidence: Evidence,
    /// The website's owner has suppressed it.
    #[serde(default)]
    pub(crate) suppressed: bool,
}

/// An opportunity as an audit keeps it.
#[foreign(collection = "audit.opportunities")]
pub(crate) struct Opportunity {
    /// The audit.
    pub(crate) audit: String,
    /// What it says.
    pub(crate) opportunity: Behind,
}

/// What is read of an opportunity.
#[value]
pub(crate) struct Behind {
    /// The rule behind it.
    pub(crate) rule: String,
}

/// The rules of a website as its owner wants them, under the website's id.
#[foreign(collection = "audit.rule_settings")]
pub(crate) struct RuleSettings {
    /// By rule.
    pub(crate) rules: BTreeMap<String, Moved>,
}

/// What is read of a rule's settings.
#[value]
pub(crate) struct Moved {
    /// Another number at which it speaks.
    #[serde(default)]
    pub(crate) threshold: Option<u32>,
}

/// What a work item begins with.
pub(super) struct Frozen {
    pub(super) source: Option<Source>,
    pub(super) pages: Vec<At>,
    pub(super) threshold: Option<u32>,
    /// Why no check can tell that it is done; none when one can.
    pub(super) unverifiable: Option<String>,
}

/// A work item without a finding.
pub(super) fn plain(given: Vec<(usize, String)>) -> Frozen {
    let pages = given.into_iter().map(|(_, url)| At { url, before: None, after: None }).collect();
    let why = "no check stands behind a task without a finding; name one in `source_ref`";
    Frozen { source: None, pages, threshold: None, unverifiable: Some(why.to_owned()) }
}

/// Freezes a finding of this website; 404 when there is none, 422 for a page that it does not have.
pub(super) fn freeze(cx: &Cx, site: &Stored<Website>, source_ref: &str, given: &[(usize, String)]) -> Result<Frozen> {
    if !source_ref.contains('#') {
        return finding(cx, site, source_ref, given);
    }
    let step = plan::find_step(cx, &site.id, source_ref.trim()).ok_or_else(missing)?;
    // The first finding behind a step is the one that leads it.
    let lead = step.sources.iter().find(|it| it.contains(':'));
    let mut frozen = match lead {
        Some(lead) => finding(cx, site, lead, given)?,
        None => of_step(&step, given),
    };
    if let Some(source) = &mut frozen.source {
        source.source_ref = source_ref.trim().into();
    }
    Ok(frozen)
}

/// A step that no finding of an audit stands behind.
fn of_step(step: &PlanStep, given: &[(usize, String)]) -> Frozen {
    let why = "no check of a page stands behind this step; websites.plan.get says when it is done";
    let source =
        Source { source_ref: Id::new(""), audit_ref: None, rule: step.root_cause.clone(), affected: step.affected };
    Frozen { source: Some(source), unverifiable: Some(why.to_owned()), ..plain(given.to_vec()) }
}

fn missing() -> Fault {
    let message =
        "this website has no such finding; give an opportunity_ref, <audit_ref>:<rule>, or a step_ref of a plan";
    Fault::not_found("source_not_found", message).at("/source_ref")
}

fn finding(cx: &Cx, site: &Stored<Website>, source_ref: &str, given: &[(usize, String)]) -> Result<Frozen> {
    let (audit, rule) = match source_ref.trim().split_once(':') {
        Some((audit, rule)) => (audit.to_owned(), rule.to_owned()),
        None => {
            let kept = cx.records::<Opportunity>().find(&Id::new(source_ref.trim())).ok_or_else(missing)?.into_inner();
            (kept.audit, kept.opportunity.rule)
        }
    };
    let own = |it: &Stored<Audit>| it.site_id == site.id.as_str();
    cx.records::<Audit>().find(&Id::new(audit.as_str())).filter(own).ok_or_else(missing)?;
    let issue = cx.records::<Issue>().by("audit_rule").equals(&audit).equals(&rule).first();
    let affected = issue.filter(|issue| issue.affected > 0).ok_or_else(missing)?.affected;
    let of_rule = || cx.records::<IssueUrl>().by("audit_rule_url").equals(&audit).equals(&rule);
    let pages: Vec<At> = if given.is_empty() {
        // A write may read 2,000 rows in all.
        let listed = of_rule().page(1_000u64, None)?.items;
        listed.into_iter().filter(|it| !it.suppressed).take(MOST_URLS).map(at).collect()
    } else {
        let each = given.iter().map(|(position, url)| {
            let unknown = || {
                let message = format!("the audit did not find {rule} on this page");
                Fault::invalid(format!("/urls/{position}"), "not_in_finding", message)
            };
            of_rule().equals(url).first().map(at).ok_or_else(unknown)
        });
        each.collect::<Result<_>>()?
    };
    let check = checks::find(&rule);
    let moved = || {
        let settings = cx.records::<RuleSettings>().find(&site.id.cast())?;
        settings.rules.get(&rule)?.threshold
    };
    let threshold = check.and_then(|check| check.threshold).map(|usual| moved().unwrap_or(usual));
    let unverifiable = match check {
        None => Some(format!("one page alone does not show whether {rule} is fixed; run a new audit and compare")),
        Some(_) if pages.is_empty() => Some("the audit keeps no page of this finding".to_owned()),
        Some(_) => None,
    };
    let source = Source { source_ref: source_ref.trim().into(), audit_ref: Some(audit.into()), rule, affected };
    Ok(Frozen { source: Some(source), pages, threshold, unverifiable })
}

fn at(it: Stored<IssueUrl>) -> At {
    let it = it.into_inner();
    At { url: it.url, before: Some(it.evidence), after: None }
}

#[cfg(test)]
mod tests;
