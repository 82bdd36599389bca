//! The catalog as a client sees it: found by goal, read one exact contract at a time, linked by an intent.

mod answer;
pub mod budget;
pub mod contract;
pub mod cost;
mod cursor;
pub mod intent;
mod parts;
pub mod search;
mod undo;

use model::call::Outcome;
use model::contract::Kind;
use model::grant::Grant;
use model::id::{IntentRef, RequestId};
use model::refusal::Refusal;
use serde_json::{Map, Value, json};
use store::{Changes, Noted};

use crate::Core;
use crate::execute::Spine;
use crate::limits::Limits;
use crate::routes::text;
use answer::Page;
use search::Goal;

/// Results when the caller names no limit.
pub const DEFAULT_LIMIT: u32 = 10;
/// Points of a search.
const SEARCH_POINTS: u64 = 1;
/// Points of reading a contract.
const CONTRACT_POINTS: u64 = 1;

/// Finds operations by a goal, shows their contracts, and takes what came of them.
#[derive(Clone)]
pub struct Search {
    pub(crate) core: Core,
}

impl Search {
    pub(crate) fn of(core: &Core) -> Self {
        Self { core: core.clone() }
    }

    /// Finds operations by goal, module or kind and begins an intent.
    ///
    /// # Errors
    /// 422 for a cursor of another search, 429 for the enumeration limit, 402 and 503 of metering.
    pub(crate) async fn search(
        &self,
        grant: &Grant,
        request: RequestId,
        arguments: &Map<String, Value>,
    ) -> Result<Outcome, Refusal> {
        Limits::of(&self.core).limiter().enumeration(grant, self.core.clock().now())?;
        let limit = arguments.get("limit").and_then(Value::as_u64).unwrap_or(u64::from(DEFAULT_LIMIT));
        let goal = Goal {
            query: text(arguments, "query"),
            module: text(arguments, "module"),
            kind: text(arguments, "kind").and_then(|kind| kind_of(&kind)),
        };
        let generation = self.core.catalog().current();
        let page = Page {
            from: answer::place(&generation, &goal, text(arguments, "cursor").as_deref())?,
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
        };
        let found = generation.search().find(&goal);
        let intent = IntentRef::new(self.core.entropy());
        let data = answer::data(&generation, grant, &intent, &goal, &found, &page);
        let best = found.results.first().map(|hit| hit.contract.id.clone());
        let noted = Changes::noting(Noted::Search(self.intent(grant, intent, goal.query.as_deref(), best)));
        Spine::of(&self.core).run_noted_read(grant, request, ("capabilities.search", SEARCH_POINTS), data, noted).await
    }

    /// Reads one operation's contract, a page of it when it is long.
    ///
    /// # Errors
    /// 404 with the nearest ids, 422 for an intent that is not the grant's own or a cursor of another
    /// contract, 429, 402, 503.
    pub(crate) async fn contract(
        &self,
        grant: &Grant,
        request: RequestId,
        id: &str,
        arguments: &Map<String, Value>,
    ) -> Result<Outcome, Refusal> {
        let intent = text(arguments, "intent_ref").map(IntentRef::from);
        Limits::of(&self.core).limiter().enumeration(grant, self.core.clock().now())?;
        let generation = self.core.catalog().current();
        let Some(operation) = generation.operation(id) else {
            return Err(generation.not_served(id));
        };
        let units = arguments.get("units").and_then(Value::as_u64);
        let cursor = text(arguments, "cursor");
        // The later parts of a long contract belong to the charge of the first.
        let points = if cursor.is_some() { 0 } else { CONTRACT_POINTS };
        let mut data = contract::page(&generation, operation, grant, self.core.config(), (units, cursor.as_deref()))?;
        contract::with_fresh_key(&mut data, &request);
        let Some(intent) = intent else {
            return Spine::of(&self.core).run_host_read(grant, request, "capabilities.get", points, data).await;
        };
        self.follow_intent(grant, &intent).await?;
        data["intent_ref"] = json!(intent);
        let noted = Changes::noting(Noted::Followed(self.led_to(grant, intent, "contract", id)));
        Spine::of(&self.core).run_noted_read(grant, request, ("capabilities.get", points), data, noted).await
    }
}

fn kind_of(text: &str) -> Option<Kind> {
    [Kind::Read, Kind::Write, Kind::Job, Kind::Destructive].into_iter().find(|kind| kind.as_str() == text)
}
