//! The operation `audit.run.compare`.

use std::collections::{BTreeMap, BTreeSet};

use sdk::Degraded;
use sdk::prelude::*;

use crate::rule::{Area, Severity};
use crate::rules;
use crate::score::tenth;
use crate::stored::{Audit, AuditState, Issue, IssueUrl, LISTED};

/// Rows of pages at fault that one comparison reads of both audits together; the rest is compared by number.
const ROWS: u64 = 8_000;
/// Earlier audits that are looked through for what was there before.
const EARLIER: u64 = 20;

#[args]
pub(crate) struct Compare {
    /// The earlier audit.
    audit_a: Id<Audit>,
    /// The later audit, of the same website.
    audit_b: Id<Audit>,
}

/// One rule in two audits.
#[value]
pub(crate) struct Compared {
    /// The rule.
    rule: String,
    /// The fault in a few words.
    title: String,
    /// What it costs.
    severity: Severity,
    /// Where it belongs.
    area: Area,
    /// Pages at fault in the earlier audit.
    urls_a: u32,
    /// Pages at fault in the later audit.
    urls_b: u32,
    /// Pages, one by one; left out where there are too many to compare.
    pages: Option<Pages>,
}

/// Pages at fault for one rule, compared by address.
#[value]
#[derive(Default)]
pub(crate) struct Pages {
    /// Only in the later audit.
    new: u32,
    /// Only in the earlier audit.
    fixed: u32,
    /// In both.
    persisting: u32,
}

/// Two audits, rule by rule.
#[value]
pub(crate) struct Comparison {
    /// Rules that find something in the later audit only.
    new: Vec<Compared>,
    /// Rules that find something in the earlier audit only.
    fixed: Vec<Compared>,
    /// Rules that find something in both.
    persisting: Vec<Compared>,
    /// Rules that found something before the earlier audit, nothing in it, and something in the later one.
    reappeared: Vec<Compared>,
    /// Scores, the earlier first, and their difference.
    score: Scores,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Two scores.
#[value]
pub(crate) struct Scores {
    /// Of the earlier audit.
    a: f64,
    /// Of the later audit.
    b: f64,
    /// Points gained, negative when lost.
    delta: f64,
}

/// Compares two audits rule by rule into new, fixed, persisting and reappeared issues with URL counts.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    phrasings = ["what got better since the last audit", "compare two audits", "which seo issues are new", "which problems came back"],
    examples = [{ "audit_a": "audit_01", "audit_b": "audit_02" }]
)]
pub(crate) fn compare(cx: &Cx, args: Compare) -> Result<Comparison> {
    let a = ended(cx, &args.audit_a, "/audit_a")?;
    let b = ended(cx, &args.audit_b, "/audit_b")?;
    if a.site_id != b.site_id {
        let message = "the two audits are of different websites";
        return Err(Fault::conflict("different_websites", message).at("/audit_b"));
    }
    if a.created_ms > b.created_ms {
        let message = "the first audit is the later one; give the earlier one as audit_a";
        return Err(Fault::invalid("/audit_a", "audits_reversed", message));
    }
    let (before, now) = (issues(cx, &a.id), issues(cx, &b.id));
    let earlier = seen_before(cx, &a);
    let mut comparison = Comparison {
        new: Vec::new(),
        fixed: Vec::new(),
        persisting: Vec::new(),
        reappeared: Vec::new(),
        score: Scores {
            a: a.score.unwrap_or_default(),
            b: b.score.unwrap_or_default(),
            delta: tenth(b.score.unwrap_or_default() - a.score.unwrap_or_default()),
        },
        degraded: degraded(&a, &b),
    };
    let mut left = ROWS;
    for rule in rules::all() {
        let (was, is) = (before.get(rule.id), now.get(rule.id));
        let Some(issue) = is.or(was) else { continue };
        let urls = |issue: Option<&Issue>| issue.map_or(0, |it| it.affected);
        let rows = u64::from(urls(was)) + u64::from(urls(is));
        let listed = urls(was) <= LISTED && urls(is) <= LISTED && rows <= left;
        left -= if listed { rows } else { 0 };
        let compared = Compared {
            rule: rule.id.to_owned(),
            title: rule.title.to_owned(),
            severity: issue.severity,
            area: rule.area,
            urls_a: urls(was),
            urls_b: urls(is),
            pages: listed.then(|| pages(cx, &a.id, &b.id, rule.id)),
        };
        match (was, is) {
            (Some(_), Some(_)) => comparison.persisting.push(compared),
            (Some(_), None) => comparison.fixed.push(compared),
            _ if earlier.contains_key(rule.id) => comparison.reappeared.push(compared),
            _ => comparison.new.push(compared),
        }
    }
    for list in [&mut comparison.new, &mut comparison.fixed, &mut comparison.persisting, &mut comparison.reappeared] {
        list.sort_by(|a, b| a.severity.cmp(&b.severity).then(b.urls_b.cmp(&a.urls_b)).then(a.rule.cmp(&b.rule)));
    }
    Ok(comparison)
}

fn ended(cx: &Cx, id: &Id<Audit>, pointer: &str) -> Result<Stored<Audit>> {
    let audit = cx.records::<Audit>().get(id).map_err(|fault| fault.at(pointer))?;
    if audit.state != AuditState::Succeeded {
        let message = "the audit has not ended; follow it with audit.run.get";
        return Err(Fault::conflict("audit_unfinished", message).at(pointer));
    }
    Ok(audit)
}

/// Issues of an audit that count, by rule.
fn issues(cx: &Cx, audit: &Id<Audit>) -> BTreeMap<String, Issue> {
    let issues = cx.records::<Issue>().by("audit_rank").equals(audit).scan().map(Stored::into_inner);
    issues.filter(|issue| issue.affected > 0).map(|issue| (issue.rule.clone(), issue)).collect()
}

/// Rules that found something in an audit before this one.
fn seen_before(cx: &Cx, audit: &Stored<Audit>) -> BTreeMap<String, Issue> {
    let audits = cx.records::<Audit>().by("site_id_created_ms").equals(&audit.site_id);
    let earlier = audits.below(audit.created_ms).descending().page(EARLIER, None);
    let earlier = earlier.map(|page| page.items).unwrap_or_default();
    earlier.iter().flat_map(|audit| issues(cx, &audit.id)).collect()
}

/// Pages at fault, by address.
fn pages(cx: &Cx, a: &Id<Audit>, b: &Id<Audit>, rule: &str) -> Pages {
    let urls = |audit: &Id<Audit>| {
        let rows = cx.records::<IssueUrl>().by("audit_rule_url").equals(audit).equals(rule).scan();
        rows.filter(|row| !row.suppressed).map(|row| row.into_inner().url).collect::<BTreeSet<_>>()
    };
    let (before, now) = (urls(a), urls(b));
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    Pages {
        new: count(now.difference(&before).count()),
        fixed: count(before.difference(&now).count()),
        persisting: count(now.intersection(&before).count()),
    }
}

fn degraded(a: &Audit, b: &Audit) -> Vec<Degraded> {
    let mut degraded = Vec::new();
    if a.rules != b.rules {
        degraded.push(Degraded::new(
            "rules",
            "the audits were asked for different rules; what only one asked counts as new or fixed",
        ));
    }
    if a.max_pages != b.max_pages {
        degraded.push(Degraded::new(
            "pages",
            format!(
                "the audits read up to {} and {} addresses; pages that only one read count as new or fixed",
                a.max_pages, b.max_pages
            ),
        ));
    }
    degraded
}
