//! The catalog for a person who reads: the same search and the same limits as for a program, without points.

use std::sync::Arc;

use model::contract::{Contract, Kind};
use model::grant::{Access, Grant};
use model::id::GrantId;
use model::refusal::Refusal;
use model::scope::ScopeSet;
use serde_json::Value;
use store::identity::sessions::Session;

use crate::capabilities::search::Goal;
use crate::capabilities::{contract, cost};
use crate::limits::Limits;
use crate::portal::Portal;

/// What a person looks for.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// In words; empty: everything.
    pub words: String,
    /// Only this module.
    pub module: Option<String>,
    /// Only this kind.
    pub kind: Option<Kind>,
}

/// What fits, best first, or by id when no words were given.
#[derive(Clone, Debug)]
pub struct Shelf {
    /// The revision in force.
    pub revision: Arc<str>,
    /// Every module of it.
    pub modules: Vec<String>,
    /// How many operations it has.
    pub size: usize,
    /// What fits.
    pub found: Vec<Arc<Contract>>,
}

/// One operation with what is said of its price, and its contract as `GET /capabilities/{operation_id}` gives it.
#[derive(Clone, Debug)]
pub struct Card {
    /// The revision in force.
    pub revision: Arc<str>,
    /// The contract.
    pub contract: Arc<Contract>,
    /// As a program reads it.
    pub described: Value,
}

impl Portal {
    /// Searches the catalog.
    ///
    /// # Errors
    /// 429 for the enumeration limit.
    pub fn browse(&self, session: &Session, wanted: &Wanted) -> Result<Shelf, Refusal> {
        Limits::of(&self.core).limiter().enumeration(&reader(session), self.core.clock().now())?;
        let generation = self.core.catalog().current();
        let words = wanted.words.trim();
        let goal = Goal {
            query: (!words.is_empty()).then(|| words.to_owned()),
            module: wanted.module.clone(),
            kind: wanted.kind,
        };
        let found = generation.search().find(&goal);
        Ok(Shelf {
            revision: generation.api_version.clone(),
            modules: generation.search().modules().to_vec(),
            size: generation.operations().count(),
            found: found.results.into_iter().map(|hit| hit.contract).collect(),
        })
    }

    /// One operation.
    ///
    /// # Errors
    /// 404 with the nearest ids, 429 for the enumeration limit.
    pub fn card(&self, session: &Session, id: &str) -> Result<Card, Refusal> {
        let reader = reader(session);
        Limits::of(&self.core).limiter().enumeration(&reader, self.core.clock().now())?;
        let generation = self.core.catalog().current();
        let Some(operation) = generation.operation(id) else {
            return Err(generation.not_served(id));
        };
        Ok(Card {
            revision: generation.api_version.clone(),
            contract: operation.contract.clone(),
            described: contract::describe(&generation, operation, &reader, self.core.config(), None),
        })
    }
}

/// What an operation costs, in one line.
pub fn price(contract: &Contract) -> String {
    cost::line(contract)
}

/// The person as the limits know them: a session counts as a grant of its own that may do nothing.
fn reader(session: &Session) -> Grant {
    Grant {
        id: GrantId::from(session.id.as_str()),
        customer: session.customer.clone(),
        client: None,
        scopes: ScopeSet::default(),
        access: Access::Closed,
    }
}
