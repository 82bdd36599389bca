//! The findings that a plan is made of, from audits and from work items, and merging those of one root cause.

use sdk::Degraded;
use sdk::Fix;
use sdk::Severity;
use sdk::json;
use sdk::prelude::*;
use sdk::serde_json::{Map, Value};

use super::{Effort, Focus, causes};
use crate::audits::{self, About, Audited};
use crate::search;
use crate::stored::Website;
use crate::task::source::IssueUrl;
use crate::task::state::State;
use crate::task::stored::{Source, Task};

/// Pages of one rule whose clicks are counted.
const PAGES: u64 = 300;
/// Pages named by one step, and the longest address of one: a whole plan is one row of at most 256 KiB.
const NAMED: usize = 5;
const LONGEST: usize = 400;
/// The impact from which on a finding is critical whatever its severity.
const HIDES: u32 = 30;
/// Days of search data that are looked at.
const DAYS: i32 = 28;

/// An opportunity as an audit keeps it.
#[foreign(collection = "audit.opportunities", index(audit, rank))]
pub(crate) struct Opportunity {
    /// The audit.
    pub(crate) audit: String,
    /// Place in the audit's list, from 1.
    pub(crate) rank: u32,
    /// What it says.
    pub(crate) opportunity: Said,
}

/// What is read of an opportunity.
#[value]
pub(crate) struct Said {
    /// The rule behind it.
    pub(crate) rule: String,
    /// The fault in a few words.
    pub(crate) title: String,
    /// Where it belongs.
    pub(crate) area: String,
    /// The first pages at fault.
    pub(crate) urls: Vec<String>,
    /// Pages at fault.
    pub(crate) affected: u32,
    /// The part of the pages asked about that is at fault, from 0 to 1.
    pub(crate) share: f64,
    /// How serious it is.
    pub(crate) severity: Severity,
    /// From 0 to 100.
    pub(crate) impact: u32,
    /// In percent.
    pub(crate) confidence: u32,
    /// How much work the fix is.
    pub(crate) effort: Effort,
    /// The call that acts on it.
    pub(crate) fix: Fix,
}

/// Something worth doing.
#[value]
pub(crate) struct Finding {
    /// Its root cause.
    pub(crate) cause: String,
    /// What is to be done.
    pub(crate) title: String,
    /// What was found.
    pub(crate) why: Vec<String>,
    /// What it belongs to; `all` for what everything stands on.
    pub(crate) focus: Focus,
    /// Whether it comes before everything that is not: an error, or what hides a good part of the website.
    pub(crate) critical: bool,
    /// From 0 to 100.
    pub(crate) impact: f64,
    /// Clicks on the pages at fault.
    pub(crate) clicks: Option<u64>,
    /// In percent.
    pub(crate) confidence: u32,
    /// How much work it is.
    pub(crate) effort: Effort,
    /// The first pages at fault.
    pub(crate) urls: Vec<String>,
    /// Pages at fault.
    pub(crate) affected: u32,
    /// The part of the pages asked about that is at fault.
    pub(crate) share: f64,
    /// The operation.
    pub(crate) operation_id: String,
    /// Its arguments.
    pub(crate) args: Map<String, Value>,
    /// The findings behind it, as `source_ref` of `websites.task.create` takes them.
    pub(crate) sources: Vec<String>,
    /// The audit rules behind it.
    pub(crate) rules: Vec<String>,
}

impl Finding {
    /// What it is worth to have done.
    pub(crate) fn value(&self) -> f64 {
        self.impact * f64::from(self.confidence) / 100.0
    }
}

/// What an audit found, of what is planned for.
pub(super) fn of_audit(cx: &Cx, audit: &Stored<Audited>, focus: Focus) -> Vec<Finding> {
    let rows = cx.records::<Opportunity>().by("audit_rank").equals(&audit.id).scan();
    rows.filter_map(|row| {
        let said = row.into_inner().opportunity;
        let own = area(&said.area, &said.rule);
        if focus != Focus::All && focus != own {
            return None;
        }
        Some(Finding {
            cause: causes::cause(&said.rule).to_owned(),
            why: vec![format!("{}: {} pages ({})", said.title, said.affected, said.rule)],
            title: said.title,
            focus: own,
            critical: said.severity == Severity::Error || said.impact >= HIDES,
            impact: f64::from(said.impact),
            clicks: None,
            confidence: said.confidence,
            effort: said.effort,
            urls: said.urls.into_iter().filter(|it| it.len() <= LONGEST).take(NAMED).collect(),
            affected: said.affected,
            share: said.share,
            operation_id: said.fix.operation_id,
            args: said.fix.arguments,
            sources: vec![format!("{}:{}", audit.id, said.rule)],
            rules: vec![said.rule],
        })
    })
    .collect()
}

/// Work items whose fix did not hold.
pub(super) fn of_tasks(cx: &Cx, site: &Stored<Website>) -> Vec<Finding> {
    let tasks = cx.records::<Task>().by("site_id_state").equals(&site.id).equals(State::Regressed).scan();
    tasks
        .take(100)
        .map(|task| {
            let rule = task.source.as_ref().map(|it| it.rule.clone()).unwrap_or_default();
            let Fix { operation_id, arguments: args } = on_task(&task);
            Finding {
                cause: if rule.is_empty() { format!("task.{}", task.id) } else { causes::cause(&rule).to_owned() },
                title: kit::text::collapse_to(&format!("Again: {}", task.title), 160),
                why: vec![format!("a fix did not hold on {} pages: {}", task.urls, task.title)],
                focus: Focus::All,
                critical: false,
                // It was worth doing once, and what is at fault is known.
                impact: 50.0,
                clicks: None,
                confidence: 100,
                effort: Effort::Low,
                urls: Vec::new(),
                affected: task.urls,
                share: 0.0,
                operation_id,
                args,
                sources: task.source.iter().map(|it| it.source_ref.to_string()).collect(),
                rules: Some(rule).filter(|it| !it.is_empty()).into_iter().collect(),
            }
        })
        .collect()
}

/// What acts on a work item whose fix did not hold.
fn on_task(task: &Stored<Task>) -> Fix {
    match &task.source {
        Some(Source { audit_ref: Some(audit), rule, .. }) => {
            Fix::new("audit.issue.get", json!({ "audit_ref": audit, "rule": rule }))
        }
        _ => Fix::new("websites.task.update", json!({ "task_ref": task.id, "state": "doing" })),
    }
}

/// Weighs findings by the clicks on their pages; what could not be considered, in words.
pub(super) fn weigh(
    cx: &Cx,
    site: &Id<Website>,
    audit: Option<&Id<Audited>>,
    findings: &mut [Finding],
) -> Result<Option<Degraded>> {
    let Some(last) = search::last_day(cx, site) else {
        let why = "no search data is stored, so impact is by pages, not by clicks";
        let sync = json!({ "site_id": site });
        return Ok(Some(Degraded::new("clicks", why).supplied_by(search::SYNC, sync)));
    };
    let clicks = search::clicks(cx, site, (last.plus(1 - DAYS), last.plus(1)), "/site_id")?;
    let total: u64 = clicks.values().sum();
    let Some(audit) = audit.filter(|_| total > 0) else { return Ok(None) };
    for finding in findings.iter_mut().filter(|it| it.share > 0.0) {
        let mut most = 0;
        for rule in &finding.rules {
            let pages = cx.records::<IssueUrl>().by("audit_rule_url").equals(audit).equals(rule).page(PAGES, None)?;
            let on = pages.items.iter().filter(|it| !it.suppressed).filter_map(|it| clicks.get(&it.url));
            most = most.max(on.sum());
        }
        finding.clicks = Some(most);
        #[expect(clippy::cast_precision_loss, reason = "clicks of a month are far below 2^52")]
        let share = most as f64 / total as f64;
        // The audit's impact holds the root of the share of pages; the share of clicks takes its place.
        finding.impact = (finding.impact / finding.share.sqrt() * share.sqrt()).clamp(1.0, 100.0);
    }
    Ok(None)
}

/// Findings of one root cause become one: the most valuable leads, and impacts add up as independent parts of 100.
pub(super) fn merge(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.sort_by(|a, b| b.value().total_cmp(&a.value()).then_with(|| a.sources.cmp(&b.sources)));
    let mut merged: Vec<Finding> = Vec::new();
    for finding in findings {
        match merged.iter_mut().find(|it| it.cause == finding.cause) {
            None => merged.push(finding),
            Some(lead) => {
                lead.impact = 100.0 * (1.0 - (1.0 - lead.impact / 100.0) * (1.0 - finding.impact / 100.0));
                lead.critical |= finding.critical;
                lead.clicks = lead.clicks.max(finding.clicks);
                lead.affected = lead.affected.max(finding.affected);
                lead.effort = if finding.effort.hours() > lead.effort.hours() { finding.effort } else { lead.effort };
                if lead.focus != finding.focus {
                    lead.focus = Focus::All;
                }
                lead.why.extend(finding.why);
                for (own, others) in [(&mut lead.sources, finding.sources), (&mut lead.rules, finding.rules)] {
                    own.extend(others.into_iter().filter(|it| !own.contains(it)).collect::<Vec<_>>());
                }
                let urls: Vec<String> = finding.urls.into_iter().filter(|it| !lead.urls.contains(it)).collect();
                lead.urls.extend(urls);
                lead.urls.truncate(NAMED);
                if let Some(title) = causes::title(&lead.cause).filter(|_| lead.rules.len() > 1) {
                    title.clone_into(&mut lead.title);
                }
            }
        }
    }
    merged
}

/// What an area of audits is planned under. Links that lead nowhere are technical; links that are missing are authority.
fn area(area: &str, rule: &str) -> Focus {
    match audits::about(area) {
        About::Content => Focus::Content,
        About::Readable => Focus::Ai,
        About::Links
            if matches!(rule, "links.orphan" | "links.few_inlinks" | "links.deep" | "links.nofollow_internal") =>
        {
            Focus::Authority
        }
        About::Links | About::Technical => Focus::Technical,
    }
}
