//! `audit.issue.*`, what an audit found, rule by rule.

pub(crate) mod suppress;
pub(crate) mod url;

use sdk::Fix;
use sdk::json;
use sdk::prelude::*;

use crate::act::Known;
use crate::rule::{Area, Severity};
use crate::rules;
use crate::settings::Settings;
use crate::stored::{Audit, Example, Issue};

#[args(paged)]
pub(crate) struct ListIssues {
    /// The audit.
    audit_ref: Id<Audit>,
    /// Only this severity.
    severity: Option<Severity>,
    /// Only this area.
    area: Option<Area>,
}

/// One rule with findings.
#[value]
pub(crate) struct Listed {
    /// The rule.
    rule: String,
    /// The fault in a few words.
    title: String,
    /// What it costs.
    severity: Severity,
    /// Where it belongs.
    area: Area,
    /// Pages at fault, suppressed ones not counted.
    urls: u32,
    /// Pages at fault that are suppressed; left out when there are none.
    suppressed: Option<u32>,
    /// The part of the pages asked about, from 0 to 1.
    share: f64,
    /// Pages more or fewer than in the baseline; null without one.
    delta: Option<i64>,
    /// The call that acts on it.
    fix: Fix,
    /// The operation that makes the change in the end; null while the catalog does not serve it.
    fix_operation: Option<String>,
}

/// Issues: what takes most from the website comes first, headers that guard visitors last.
#[page]
pub(crate) struct Issues {
    /// One for each rule with findings that count.
    issues: Vec<Listed>,
    /// Rules whose findings are all suppressed.
    suppressed: Vec<Listed>,
}

/// Lists issues grouped by rule with severity, affected URLs and trend.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    phrasings = ["which problems did the audit find", "list critical issues", "show warnings by area"],
    examples = [{ "audit_ref": "audit_01", "severity": "error" }]
)]
pub(crate) fn list(cx: &Cx, args: ListIssues) -> Result<Issues> {
    let audit = cx.records::<Audit>().get(&args.audit_ref)?;
    let after = args.start()?;
    // An audit has one issue a rule at most, so that its whole list is one read.
    let issues = cx.records::<Issue>().by("audit_rank").equals(&audit.id).at_least(after as u64 + 1).scan();
    let mut fitting = issues.filter(|issue| {
        args.severity.is_none_or(|severity| severity == issue.severity)
            && args.area.is_none_or(|area| area == issue.area)
    });
    let rows: Vec<Stored<Issue>> = fitting.by_ref().take(usize::from(args.limit)).collect();
    let next_cursor = match (fitting.next(), rows.last()) {
        (Some(_), Some(last)) => Some(Cursor::new(last.rank.to_string())),
        _ => None,
    };
    let (open, suppressed) = rows.iter().partition::<Vec<_>, _>(|issue| issue.affected > 0);
    let known = Known::of(&audit);
    let all = |issues: Vec<&Stored<Issue>>| issues.into_iter().map(|issue| listed(issue, &known)).collect();
    Ok(Issues { issues: all(open), suppressed: all(suppressed), next_cursor })
}

fn listed(issue: &Issue, known: &Known<'_>) -> Listed {
    let rule = rules::find(&issue.rule);
    let urls: Vec<String> = issue.examples.iter().map(|example| example.url.clone()).collect();
    // A rule that is gone since is still named in `audit.issue.url.list`.
    let gone = || Fix::new("audit.issue.url.list", json!({ "audit_ref": issue.audit, "rule": issue.rule }));
    let share = issue.count().share();
    Listed {
        rule: issue.rule.clone(),
        title: rule.map_or_else(String::new, |rule| rule.title.to_owned()),
        severity: issue.severity,
        area: issue.area,
        urls: issue.affected,
        suppressed: Some(issue.suppressed).filter(|it| *it > 0),
        share: (share * 10_000.0).round() / 10_000.0,
        delta: issue.before.map(|before| i64::from(issue.affected) - i64::from(before)),
        fix: rule.map_or_else(gone, |rule| known.act(rule, &urls)),
        fix_operation: rule.and_then(crate::rule::Rule::served_operation),
    }
}

#[args]
pub(crate) struct Get {
    /// The audit.
    audit_ref: Id<Audit>,
    /// The rule.
    rule: Text<1, 64>,
}

/// One rule, explained for one website.
#[value]
pub(crate) struct Explained {
    /// The issue in numbers.
    issue: Listed,
    /// Why it matters.
    explanation: String,
    /// What to do.
    advice: String,
    /// The number at which the rule speaks, with its unit, such as `580 px`.
    threshold: Option<String>,
    /// The guidelines or standards behind it.
    references: Vec<String>,
    /// The first pages at fault, with their proof.
    examples: Vec<Example>,
    /// The operation that fixes it, or shows where to; null while the catalog does not serve it.
    fix_operation: Option<String>,
}

/// Explains one rule for this website: why it matters, how to fix, the standard behind it, example evidence and the operation that fixes it.
#[operation(
    read,
    scope = "assets:read",
    cost = indexed_read,
    phrasings = ["explain this issue", "why is this a problem and how do I fix it"],
    examples = [{ "audit_ref": "audit_01", "rule": "title.missing" }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<Explained> {
    let audit = cx.records::<Audit>().get(&args.audit_ref)?;
    let (Some(rule), Some(issue)) = (rules::find(&args.rule), find(cx, &audit.id, &args.rule)) else {
        return Err(missing(&args.rule));
    };
    let limits = Settings::of(cx, &Id::new(audit.site_id.as_str())).limits();
    Ok(Explained {
        issue: listed(&issue, &Known::of(&audit)),
        explanation: rule.explanation.to_owned(),
        advice: rule.advice.to_owned(),
        threshold: rule.threshold.map(|it| it.words(&limits)),
        references: vec![rule.reference.to_owned()],
        examples: issue.into_inner().examples,
        fix_operation: rule.served_operation(),
    })
}

pub(crate) fn find(cx: &Cx, audit: &Id<Audit>, rule: &str) -> Option<Stored<Issue>> {
    cx.records::<Issue>().by("audit_rule").equals(audit).equals(rule).first()
}

pub(crate) fn missing(rule: &str) -> Fault {
    Fault::not_found(
        "issue_not_found",
        format!("the audit found nothing for the rule {rule}; audit.issue.list names what it found"),
    )
}

#[cfg(test)]
mod tests;
