//! The end of an audit: issues, opportunities, score, and what changed since the baseline.

use std::collections::BTreeMap;

use sdk::prelude::*;

use super::{Checkpoint, Outcome};
use crate::act::Known;
use crate::engine::Choice;
use crate::opportunity::{self, Found};
use crate::rule::Rule;
use crate::score::{Count, tenth};
use crate::stake::{Stake, is_of_the_site};
use crate::stored::{Audit, AuditState, Delta, Issue, Kept, Trend};

/// Stores the result.
pub(super) fn store(cx: &Cx, mut audit: Stored<Audit>, mut state: Checkpoint, choice: &Choice) -> Result<Outcome> {
    let state = {
        weigh(&mut state, choice);
        &state
    };
    let before = audit.baseline.as_ref().map(|baseline| earlier(cx, baseline));
    let found = found(state, choice);
    issues(cx, &audit, state, choice, before.as_ref())?;
    opportunities(cx, &audit, found, before.as_ref())?;
    let (score, by_area) = state.tally.score(choice);
    audit.it.delta = match (&audit.it.baseline, before) {
        (Some(baseline), Some(before)) => Some(delta(cx, baseline, &before, &open(state, choice), score)),
        _ => None,
    };
    let issues = open(state, choice).len();
    audit.it.state = AuditState::Succeeded;
    audit.it.finished_ms = Some(cx.now().millis());
    audit.it.pages = state.pages;
    audit.it.by_clicks = state.by_clicks;
    audit.it.score = Some(score);
    audit.it.by_severity = state.tally.by_severity(choice);
    audit.it.by_area = by_area;
    let audit = cx.records::<Audit>().save(audit)?;
    Ok(Outcome { audit_ref: audit.id, score, issues: u32::try_from(issues).unwrap_or(u32::MAX) })
}

/// Writes what is at stake into the counts.
fn weigh(state: &mut Checkpoint, choice: &Choice) {
    for rule in choice.rules() {
        let count = state.tally.count(rule);
        if count.affected > 0 {
            let worth = if is_of_the_site(rule) { 1.0 } else { state.worth.get(rule.id).copied().unwrap_or_default() };
            state.tally.set(rule, Count { worth: Some(worth.clamp(0.0, 1.0)), ..count });
        }
    }
}

/// Pages at fault in an earlier audit, by rule.
fn earlier(cx: &Cx, audit: &str) -> BTreeMap<String, u32> {
    let issues = cx.records::<Issue>().by("audit_rank").equals(audit).scan().filter(|issue| issue.affected > 0);
    issues.map(|issue| (issue.rule.clone(), issue.affected)).collect()
}

/// Rules with findings that count.
fn open(state: &Checkpoint, choice: &Choice) -> Vec<&'static str> {
    state.tally.counts(choice).filter(|(_, count)| count.affected > 0).map(|(rule, _)| rule.id).collect()
}

fn found(state: &Checkpoint, choice: &Choice) -> Vec<Found> {
    let affected = state.tally.counts(choice).filter(|(_, count)| count.affected > 0);
    affected
        .filter_map(|(rule, count)| {
            let examples = state.examples.get(rule.id)?;
            let urls = examples.iter().map(|example| example.url.clone()).collect();
            let home = state.home.contains(rule.id);
            Some(Found { rule: *rule, count, urls, evidence: examples.first()?.evidence.clone(), home })
        })
        .collect()
}

fn issues(
    cx: &Cx,
    audit: &Stored<Audit>,
    state: &Checkpoint,
    choice: &Choice,
    before: Option<&BTreeMap<String, u32>>,
) -> Result<()> {
    let hidden = |rule: &Rule| state.suppressed.get(rule.id).copied().unwrap_or(0);
    let counted = choice.rules().map(|rule| (rule, state.tally.count(rule)));
    let mut ordered: Vec<(&Rule, Count)> =
        counted.filter(|(rule, count)| count.affected > 0 || hidden(rule) > 0).collect();
    let value = |rule: &Rule, count: Count| {
        opportunity::impact(rule, count) * opportunity::confidence(rule, state.home.contains(rule.id))
    };
    // What is wholly suppressed comes last, and what takes nothing from the website before it.
    ordered.sort_by(|(a, x), (b, y)| {
        let kept = (x.affected == 0).cmp(&(y.affected == 0));
        let hygiene = |rule: &Rule| Stake::of(rule) == Stake::Hygiene;
        kept.then(hygiene(a).cmp(&hygiene(b)))
            .then(value(b, *y).cmp(&value(a, *x)))
            .then(a.severity.cmp(&b.severity))
            .then(a.id.cmp(b.id))
    });
    let rows: Vec<Issue> = (1..)
        .zip(ordered)
        .map(|(rank, (rule, count))| Issue {
            audit: audit.id.as_str().to_owned(),
            rank,
            rule: rule.id.to_owned(),
            area: rule.area,
            severity: rule.severity,
            affected: count.affected,
            suppressed: hidden(rule),
            asked: count.asked,
            worth: count.worth,
            home: state.home.contains(rule.id),
            before: before.map(|before| before.get(rule.id).copied().unwrap_or(0)),
            examples: state.examples.get(rule.id).cloned().unwrap_or_default(),
        })
        .collect();
    cx.records::<Issue>().put_many(&rows)?;
    Ok(())
}

fn opportunities(
    cx: &Cx,
    audit: &Stored<Audit>,
    found: Vec<Found>,
    before: Option<&BTreeMap<String, u32>>,
) -> Result<()> {
    let rows: Vec<Kept> = (1..)
        .zip(opportunity::rank(found, &Known::of(audit)))
        .map(|(rank, opportunity)| {
            let earlier = before.and_then(|before| before.get(&opportunity.rule)).copied().unwrap_or(0);
            let trend = match (earlier, opportunity.affected) {
                (0, _) => Trend::New,
                (then, now) if now > then => Trend::Growing,
                (then, now) if now < then => Trend::Shrinking,
                _ => Trend::Unchanged,
            };
            Kept { audit: audit.id.as_str().to_owned(), rank, trend, opportunity }
        })
        .collect();
    cx.records::<Kept>().put_many(&rows)?;
    Ok(())
}

fn delta(cx: &Cx, baseline: &str, before: &BTreeMap<String, u32>, now: &[&str], score: f64) -> Delta {
    let then = cx.records::<Audit>().find(&Id::new(baseline)).and_then(|audit| audit.score).unwrap_or(score);
    let (persisting, new): (Vec<&str>, Vec<&str>) = now.iter().copied().partition(|rule| before.contains_key(*rule));
    let fixed = before.keys().filter(|rule| !now.contains(&rule.as_str())).cloned().collect();
    let owned = |rules: Vec<&str>| rules.into_iter().map(str::to_owned).collect();
    Delta {
        baseline_audit: baseline.to_owned(),
        score: tenth(score - then),
        new: owned(new),
        fixed,
        persisting: owned(persisting),
    }
}
