//! The trail as its customer reads it: what ran, how it ended and what it cost.

use std::collections::HashMap;

use model::audit::Audit;
use model::clock::Moment;
use model::contract::Kind;
use sandbox::platform::{ActivityFilter, Untold};
use serde_json::{Value, json};
use store::AuditLine;
use store::trail::activity::{Filter, Lines};

use super::Desk;
use super::paging::{cursor, limit, place, span};

/// Stretches of the trail that one question looks through.
const STRETCHES: u32 = 5;

impl Desk {
    /// Operations that fit, newest first.
    pub(super) async fn activity(&self, asked: &ActivityFilter) -> Result<Value, Untold> {
        let (from, until) = span(&asked.span);
        let event = match asked.outcome.as_deref() {
            Some("ok") => "operation.executed",
            Some("denied") => "operation.refused",
            Some("failed") => "operation.failed",
            _ => "operation.",
        };
        let subject = asked.operation.clone().or_else(|| asked.module.as_ref().map(|module| format!("{module}.")));
        let filter = Filter { event: Some(event.to_owned()), subject, grant: None, outcome: None, from, until };
        let most = limit(&asked.paging);
        let mut below = place(&asked.paging)?.map(|(seq, _)| seq.0.unsigned_abs());
        let (mut found, mut stopped_at) = (Vec::new(), None);
        for _ in 0..STRETCHES {
            let left = most - u32::try_from(found.len()).unwrap_or(most);
            let lines: Lines =
                self.service.core.store().trail.search_trail(&self.customer, &filter, below, left).await?;
            found.extend(lines.lines.into_iter().filter(|line| self.is_of_kind(&line.audit, asked.kind.as_deref())));
            (below, stopped_at) = (lines.next, lines.stopped_at);
            if below.is_none() || found.len() >= most as usize {
                break;
            }
        }
        let next = below.map(|seq| cursor(Moment(i64::try_from(seq).unwrap_or(i64::MAX)), ""));
        let stopped_at = stopped_at.filter(|_| found.len() < most as usize).map(|at| at.0);
        Ok(json!({ "entries": self.entries(&found).await?, "next": next, "stopped_at": stopped_at }))
    }

    fn is_of_kind(&self, line: &Audit, kind: Option<&str>) -> bool {
        kind.is_none_or(|kind| self.kind_of(&line.subject).is_some_and(|known| known.as_str() == kind))
    }

    fn kind_of(&self, operation: &str) -> Option<Kind> {
        Some(self.service.core.catalog().current().operation(operation)?.contract.kind)
    }

    async fn entries(&self, lines: &[AuditLine]) -> Result<Vec<Value>, Untold> {
        let store = self.service.core.store();
        let names: HashMap<String, String> = store
            .identity
            .grants(&self.customer, Moment(0))
            .await?
            .into_iter()
            .map(|grant| (grant.id.as_str().to_owned(), grant.name))
            .collect();
        let starts = |line: &&AuditLine| self.kind_of(&line.audit.subject) != Some(Kind::Read);
        let requests: Vec<&str> =
            lines.iter().filter(starts).filter_map(|line| Some(line.audit.request.as_ref()?.as_str())).collect();
        // A job's part of the price is charged when it ends.
        let mut jobs: HashMap<String, (u64, u64)> = HashMap::new();
        for (request, points, credits) in store.jobs.started_by(&self.customer, &requests).await? {
            let sum = jobs.entry(request).or_default();
            *sum = (sum.0 + points, sum.1 + credits);
        }
        let shown = |line: &AuditLine| {
            let audit = &line.audit;
            let request = audit.request.as_ref().map(|it| it.as_str());
            let (points, credits) = request.and_then(|it| jobs.get(it)).copied().unwrap_or_default();
            let client = audit.grant.as_ref().and_then(|grant| names.get(grant.as_str()));
            json!({
                "seq": line.seq,
                "at": audit.at.0,
                "operation": audit.subject,
                "kind": self.kind_of(&audit.subject).map(Kind::as_str),
                "outcome": outcome(audit),
                "code": audit.outcome,
                "points": audit.points + points,
                "credits_milli": credits,
                "grant_ref": audit.grant,
                "client_name": client,
                "request": request,
                "intent_ref": audit.detail.get("intent"),
                "arguments": audit.detail.get("arguments").cloned().unwrap_or_else(|| json!([])),
            })
        };
        Ok(lines.iter().map(shown).collect())
    }
}

fn outcome(line: &Audit) -> &'static str {
    match line.event.as_str() {
        "operation.executed" => "ok",
        "operation.refused" => "denied",
        _ => "failed",
    }
}
