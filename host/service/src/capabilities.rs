//! The catalog as a client sees it: found by goal, read one exact contract at a time, linked by an intent.

pub mod contract;
pub mod cost;
pub mod intent;
pub mod search;

use model::call::Outcome;
use model::contract::Kind;
use model::grant::Grant;
use model::id::{IntentRef, RequestId};
use model::refusal::Refusal;
use serde_json::{Map, Value, json};

use crate::Service;
use crate::generation::Generation;
use crate::routes::text;
use search::{Found, Goal};

/// Results when the caller names no limit.
pub const DEFAULT_LIMIT: u32 = 10;
/// Points of a search.
const SEARCH_POINTS: u64 = 1;
/// Points of reading a contract.
const CONTRACT_POINTS: u64 = 1;

impl Service {
    /// Finds operations by goal, module or kind and begins an intent.
    ///
    /// # Errors
    /// 429 for the enumeration limit, 402 and 503 of metering.
    pub(crate) async fn search(
        &self,
        grant: &Grant,
        request: RequestId,
        arguments: &Map<String, Value>,
    ) -> Result<Outcome, Refusal> {
        self.limiter().enumeration(grant, self.clock().now())?;
        let limit = arguments.get("limit").and_then(Value::as_u64).unwrap_or(u64::from(DEFAULT_LIMIT));
        let goal = Goal {
            query: text(arguments, "query"),
            module: text(arguments, "module"),
            kind: text(arguments, "kind").and_then(|kind| kind_of(&kind)),
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
        };
        let generation = self.catalog().current();
        let found = generation.search.find(&goal);
        let intent = IntentRef::new(self.entropy());
        let data = found_data(&generation, grant, &intent, &goal, &found);
        let best = found.results.first().map(|hit| hit.operation.contract.id.clone());
        // Side by side, so that both are in one commit of the writer.
        let ((), outcome) = tokio::try_join!(
            self.begin_intent(grant, &intent, goal.query.as_deref(), best),
            self.run_host_read(grant, request, "capabilities.search", SEARCH_POINTS, data),
        )?;
        Ok(outcome)
    }

    /// Reads one operation's contract in full.
    ///
    /// # Errors
    /// 404 with the nearest ids, 422 for an intent that is not the grant's own, 429, 402, 503.
    pub(crate) async fn contract(
        &self,
        grant: &Grant,
        request: RequestId,
        id: &str,
        intent: Option<IntentRef>,
    ) -> Result<Outcome, Refusal> {
        self.limiter().enumeration(grant, self.clock().now())?;
        let generation = self.catalog().current();
        let Some(operation) = generation.operation(id) else {
            return Err(Refusal::operation_not_found().with("nearest", json!(generation.search.nearest(id))));
        };
        let mut data = contract::describe(operation, grant, self.config());
        let Some(intent) = intent else {
            return self.run_host_read(grant, request, "capabilities.get", CONTRACT_POINTS, data).await;
        };
        self.follow_intent(grant, &intent).await?;
        data["intent_ref"] = json!(intent);
        let ((), outcome) = tokio::try_join!(
            self.link_intent(grant, &intent, "contract", id),
            self.run_host_read(grant, request, "capabilities.get", CONTRACT_POINTS, data),
        )?;
        Ok(outcome)
    }
}

fn kind_of(text: &str) -> Option<Kind> {
    [Kind::Read, Kind::Write, Kind::Job, Kind::Destructive].into_iter().find(|kind| kind.as_str() == text)
}

fn found_data(generation: &Generation, grant: &Grant, intent: &IntentRef, goal: &Goal, found: &Found) -> Value {
    let results: Vec<Value> = found
        .results
        .iter()
        .map(|hit| {
            let contract = &hit.operation.contract;
            let mut summary = json!({
                "operation_id": contract.id,
                "module": contract.module(),
                "kind": contract.kind.as_str(),
                "mode": contract.mode.as_str(),
                "summary": shortened(&contract.summary),
                "scopes": contract.scopes,
                "granted": grant.scopes.covers(&contract.scopes),
                "cost": cost::line(contract),
            });
            if !hit.matched.is_empty() {
                summary["matched"] = json!(hit.matched);
            }
            summary
        })
        .collect();
    let mut data = json!({
        "intent_ref": intent,
        "total": found.total,
        "results": results,
    });
    if let Some(hint) = hint(generation, goal, found) {
        data["hint"] = json!(hint);
    }
    data
}

/// What to do when nothing fits, or nothing fits well.
fn hint(generation: &Generation, goal: &Goal, found: &Found) -> Option<String> {
    if let Some(module) = &goal.module
        && !generation.operations().any(|operation| operation.contract.module() == module)
    {
        let modules = generation.search.modules();
        return Some(match generation.search.nearest_module(module) {
            Some(near) => format!("there is no module of that name; did you mean {near}?"),
            None => format!("there is no module of that name; the modules are {}", modules.join(", ")),
        });
    }
    if found.total == 0 {
        return Some(
            "nothing fits; say the goal in other words, or leave out module and kind; if the service lacks it, \
             send feedback with category missing_capability and this intent_ref"
                .to_owned(),
        );
    }
    (goal.query.is_some() && found.weak).then(|| {
        "these are near misses: no operation speaks of most of the goal; if none serves, send feedback with \
         category missing_capability and this intent_ref"
            .to_owned()
    })
}

/// Characters of a summary in a list of results.
const SUMMARY_AT_MOST: usize = 200;

fn shortened(summary: &str) -> String {
    match summary.char_indices().nth(SUMMARY_AT_MOST) {
        None => summary.to_owned(),
        Some((end, _)) => {
            let cut = summary[..end].rfind(' ').unwrap_or(end);
            format!("{}…", &summary[..cut])
        }
    }
}
