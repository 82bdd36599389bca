//! The operation `audit.issue.suppress`: findings that a website's owner has looked at and wants out of the score.

use std::collections::BTreeSet;

use kit::scope::fits;
use sdk::prelude::*;

use crate::rule::{Rule, Severity};
use crate::score;
use crate::stored::{Audit, Issue, IssueUrl, LISTED};
use crate::{rules, run};
use site::Site;

/// The most suppressions of one website.
const MOST: u64 = 500;

/// A rule that is hidden for some addresses of a website.
#[record(collection = "suppressions", index(site_id, rule))]
pub(crate) struct Suppression {
    /// The website.
    pub(crate) site_id: String,
    /// The rule.
    pub(crate) rule: String,
    /// The addresses.
    pub(crate) pattern: String,
    /// Why.
    pub(crate) reason: String,
    /// The last day on which it holds.
    pub(crate) until: Option<Day>,
    /// Milliseconds since 1970 UTC.
    pub(crate) created_ms: u64,
}

/// The suppressions of a website that hold today.
#[derive(Default)]
pub(crate) struct Suppressed(Vec<Suppression>);

impl Suppressed {
    /// Those of a website.
    pub(crate) fn of(cx: &Cx, site: &str) -> Self {
        let today = cx.now().day();
        let all = cx.records::<Suppression>().by("site_id_rule").equals(site).scan().map(Stored::into_inner);
        Self(all.filter(|it| it.until.is_none_or(|until| until >= today)).collect())
    }

    /// Whether a finding is hidden.
    pub(crate) fn hides(&self, rule: &str, url: &str) -> bool {
        self.0.iter().any(|it| it.rule == rule && fits(&it.pattern, url))
    }
}

#[args]
pub(crate) struct Suppress {
    /// The website.
    site_id: Id<Site>,
    /// The rule, by id.
    rule: Text<1, 64>,
    /// The addresses: `/archive/` is every path that begins so, `*` stands for anything and `$` for the end; a pattern
    /// with `://` is compared with the whole address.
    pattern: Text<1, 300>,
    /// Why this is no problem here.
    reason: Text<1, 300>,
    /// The last day on which it holds, UTC; for good when left out.
    until: Option<Day>,
}

/// A suppression.
#[value]
pub(crate) struct Hidden {
    /// The suppression.
    suppression_ref: Id<Suppression>,
    /// Pages of the latest audit that it hides.
    hidden_urls: u32,
    /// The score of the latest audit without them; null when there is no audit.
    score: Option<f64>,
}

/// Hides a rule for a URL pattern with a reason and optional expiry; suppressed issues leave the score but stay listed
/// separately.
///
/// It takes effect in the latest audit of the website at once, and in all that come. The same rule and pattern again
/// change reason and expiry.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    side_effects = ["leaves findings out of the score"],
    phrasings = ["ignore this issue for these urls", "hide a rule for my archive pages", "accept this finding", "suppress false positives"],
    examples = [{ "site_id": "4503599627370496", "rule": "content.thin", "pattern": "/tags/", "reason": "Lists are short on purpose." }]
)]
pub(crate) fn suppress(cx: &Cx, args: Suppress) -> Result<Hidden> {
    let site = site::get(cx, &args.site_id)?;
    if rules::find(&args.rule).is_none() {
        let message = format!("there is no rule {}; audit.rule.list names them all", args.rule);
        return Err(Fault::invalid("/rule", "unknown_rule", message));
    }
    if args.until.is_some_and(|until| until < cx.now().day()) {
        return Err(Fault::invalid("/until", "day_passed", "the day has passed; it must be today or later"));
    }
    let known = cx.records::<Suppression>().by("site_id_rule").equals(&site.id);
    let same = known.equals(args.rule.as_str()).scan().find(|it| it.pattern == args.pattern.as_str());
    let it = Suppression {
        site_id: site.id.to_string(),
        rule: args.rule.as_str().to_owned(),
        pattern: args.pattern.as_str().to_owned(),
        reason: args.reason.as_str().to_owned(),
        until: args.until,
        created_ms: cx.now().millis(),
    };
    let stored = match same {
        Some(same) => cx.records().update(&same.id, |old: &mut Suppression| *old = it.clone())?,
        None if cx.records::<Suppression>().by("site_id_rule").equals(&site.id).count() >= MOST => {
            let message = format!("a website has at most {MOST}; a wider pattern can take the place of several");
            return Err(Fault::conflict("too_many_suppressions", message));
        }
        None => cx.records().insert(it)?,
    };
    let (hidden_urls, score) = match run::latest(cx, site.id.as_str()) {
        Some(audit) => {
            let hidden = hide(cx, &audit, &stored)?;
            (hidden, Some(rescore(cx, audit)?))
        }
        None => (0, None),
    };
    Ok(Hidden { suppression_ref: stored.id, hidden_urls, score })
}

/// Hides findings of an audit that has ended; says how many the suppression covers.
fn hide(cx: &Cx, audit: &Stored<Audit>, it: &Suppression) -> Result<u32> {
    let rows = cx.records::<IssueUrl>().by("audit_rule_url").equals(&audit.id).equals(&it.rule);
    let covered: Vec<Stored<IssueUrl>> = rows.scan().filter(|row| fits(&it.pattern, &row.url)).collect();
    let seen: BTreeSet<&str> = covered.iter().map(|row| row.url.as_str()).collect();
    let count = u32::try_from(seen.len()).unwrap_or(u32::MAX);
    let fresh: Vec<(Id<IssueUrl>, IssueUrl)> = covered
        .into_iter()
        .filter(|row| !row.suppressed)
        .map(|row| (row.id.clone(), IssueUrl { suppressed: true, ..row.into_inner() }))
        .collect();
    let Some(issue) = super::find(cx, &audit.id, &it.rule) else { return Ok(count) };
    let more = u32::try_from(fresh.len()).unwrap_or(u32::MAX);
    if more > 0 {
        cx.records().put_many_as(fresh.iter().map(|(id, row)| (id, row)))?;
        let gone: BTreeSet<&str> = fresh.iter().map(|(_, row)| row.url.as_str()).collect();
        cx.records().update(&issue.id, |issue: &mut Issue| {
            let left = issue.affected.saturating_sub(more);
            let part = f64::from(left) / f64::from(issue.affected.max(1));
            issue.worth = issue.worth.map(|worth| worth * part);
            issue.affected = left;
            issue.suppressed += more;
            issue.examples.retain(|example| !gone.contains(example.url.as_str()));
        })?;
    }
    Ok(count)
}

/// Makes the score of an audit anew from its issues.
fn rescore(cx: &Cx, mut audit: Stored<Audit>) -> Result<f64> {
    let issues = cx.records::<Issue>().by("audit_rank").equals(&audit.id).scan();
    let issues: Vec<Issue> = issues.map(Stored::into_inner).collect();
    // What an audit asked it asked with the severities of its day.
    let counted = issues.iter().filter_map(|issue| {
        let rule = rules::find(&issue.rule)?;
        let count = issue.count();
        Some((Rule { severity: issue.severity, ..*rule }, count))
    });
    let counted: Vec<_> = counted.collect();
    let (score, by_area) = score::score(counted.iter().map(|(rule, count)| (rule, *count)));
    for severity in Severity::ALL {
        let open = counted.iter().filter(|(rule, count)| rule.severity == severity && count.affected > 0).count();
        audit.it.by_severity.insert(severity, u32::try_from(open).unwrap_or(u32::MAX));
    }
    audit.it.score = Some(score);
    audit.it.by_area = by_area;
    cx.records::<Audit>().save(audit)?;
    Ok(score)
}

const _: () = assert!(LISTED <= 5_000, "a call reads and writes as many rows; the lock allows 6,000");
