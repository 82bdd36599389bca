//! The nine doors that both transports share: what each takes, which scopes it needs, where it leads.
//!
//! A transport turns its request into an [`Ask`] and an [`Outcome`] or a refusal into its answer; every rule
//! in between is here or deeper, so REST and MCP cannot differ.

pub mod schema;

use model::call::{Call, Outcome};
use model::grant::{Access, Grant};
use model::id::{IntentRef, RequestId};
use model::refusal::Refusal;
use model::scope::{Scope, ScopeSet};
use serde_json::{Map, Value};

use crate::Core;
use crate::account::Account;
use crate::capabilities::Search;
use crate::execute::Spine;

/// The module's export behind `GET /websites`.
pub const WEBSITES_LIST: &str = "websites.list";
/// The module's export behind `GET /websites/{site_id}`.
pub const WEBSITES_GET: &str = "websites.get";
/// The module's export behind `POST /seo/audits`.
pub const AUDIT: &str = "audit.opportunities";

/// One of the nine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Route {
    /// Bounded catalog search.
    Search,
    /// Exact contract of one operation.
    Contract,
    /// Execution of one operation.
    Execute,
    /// Account snapshot.
    Account,
    /// Activation and usage.
    Usage,
    /// Owned websites.
    Websites,
    /// One owned website.
    Website,
    /// Read-only SEO audit.
    Audit,
    /// Record of an outcome.
    Feedback,
}

/// A request through one of the doors.
#[derive(Clone, Debug)]
pub struct Ask {
    /// The request as the client sees it.
    pub request: RequestId,
    /// Which door.
    pub route: Route,
    /// Everything that came with it, by the names of [`schema::of`].
    pub arguments: Map<String, Value>,
}

impl Route {
    /// All nine, in the specification's order of tools.
    pub const ALL: [Route; 9] = [
        Route::Search,
        Route::Contract,
        Route::Execute,
        Route::Account,
        Route::Usage,
        Route::Websites,
        Route::Website,
        Route::Audit,
        Route::Feedback,
    ];

    /// What the trail calls it.
    fn name(self) -> &'static str {
        match self {
            Route::Search => "capabilities.search",
            Route::Contract => "capabilities.get",
            Route::Execute => "operations.run",
            Route::Account => "account.get",
            Route::Usage => "usage.get",
            Route::Websites => WEBSITES_LIST,
            Route::Website => WEBSITES_GET,
            Route::Audit => AUDIT,
            Route::Feedback => "feedback.submit",
        }
    }

    /// The scopes that the door itself needs; an operation's own come on top.
    pub fn scopes(self) -> ScopeSet {
        match self {
            Route::Account | Route::Usage => [Scope::AccountRead].into_iter().collect(),
            Route::Websites | Route::Website => [Scope::WebsitesRead].into_iter().collect(),
            Route::Audit => [Scope::SeoAudit].into_iter().collect(),
            // The catalog is described to every grant, and every grant may say what went wrong.
            Route::Search | Route::Contract | Route::Execute | Route::Feedback => ScopeSet::default(),
        }
    }
}

/// The fixed routes of both transports.
#[derive(Clone)]
pub struct Routes {
    pub(crate) core: Core,
}

impl Routes {
    pub(crate) fn of(core: &Core) -> Self {
        Self { core: core.clone() }
    }

    /// 403 before anything else: whether the grant may pass this door with these arguments. Who may not is in the
    /// trail. An operation that does not exist passes; what follows answers 404.
    ///
    /// # Errors
    /// `access_inactive` or `insufficient_scope`.
    pub async fn authorize(
        &self,
        grant: &Grant,
        request: &RequestId,
        route: Route,
        arguments: &Map<String, Value>,
    ) -> Result<(), Refusal> {
        let permitted = self.permits(grant, route, arguments);
        if let Err(refusal) = &permitted {
            let named = arguments.get("operation_id").and_then(Value::as_str);
            let known = named.filter(|id| Spine::of(&self.core).required_scopes(id).is_some());
            let subject = if route == Route::Execute { known } else { Some(route.name()) };
            Spine::of(&self.core).record_refusal(grant, request, subject, refusal).await;
        }
        permitted
    }

    fn permits(&self, grant: &Grant, route: Route, arguments: &Map<String, Value>) -> Result<(), Refusal> {
        if grant.access == Access::Closed {
            return Err(Refusal::access_inactive());
        }
        let needed = match route {
            Route::Execute => arguments
                .get("operation_id")
                .and_then(Value::as_str)
                .and_then(|id| Spine::of(&self.core).required_scopes(id))
                .unwrap_or_default(),
            other => other.scopes(),
        };
        let missing = needed.missing_from(&grant.scopes);
        if missing.is_empty() { Ok(()) } else { Err(Refusal::insufficient_scope(&needed, &missing)) }
    }

    /// Answers one request of either transport.
    ///
    /// # Errors
    /// Every failure that a client can see.
    pub async fn answer(&self, grant: &Grant, ask: Ask) -> Result<Outcome, Refusal> {
        self.permits(grant, ask.route, &ask.arguments)?;
        let Ask { request, route, mut arguments } = ask;
        schema::strings_stay_strings(&mut arguments);
        schema::check(route, &arguments)?;
        match route {
            Route::Search => Search::of(&self.core).search(grant, request, &arguments).await,
            Route::Contract => {
                let id = text(&arguments, "operation_id").unwrap_or_default();
                Search::of(&self.core).contract(grant, request, &id, &arguments).await
            }
            Route::Execute => Spine::of(&self.core).execute(grant, call(request, arguments)).await,
            Route::Account => Account::of(&self.core).account(grant, request).await,
            Route::Usage => Account::of(&self.core).usage(grant, request).await,
            Route::Websites => Spine::of(&self.core).execute_route(grant, request, WEBSITES_LIST, arguments).await,
            Route::Website => Spine::of(&self.core).execute_route(grant, request, WEBSITES_GET, arguments).await,
            Route::Audit => Spine::of(&self.core).execute_route(grant, request, AUDIT, arguments).await,
            Route::Feedback => Search::of(&self.core).feedback(grant, request, &arguments).await,
        }
    }
}

fn call(request: RequestId, mut arguments: Map<String, Value>) -> Call {
    let operation = text(&arguments, "operation_id").unwrap_or_default();
    let key = text(&arguments, "idempotency_key");
    let intent = text(&arguments, "intent_ref").map(IntentRef::from);
    let contract = text(&arguments, "contract_digest");
    let arguments = match arguments.remove("arguments") {
        Some(Value::Object(members)) => members,
        _ => Map::new(),
    };
    Call { request, operation, arguments, key, intent, contract }
}

pub(crate) fn text(arguments: &Map<String, Value>, name: &str) -> Option<String> {
    arguments.get(name).and_then(Value::as_str).map(str::to_owned)
}

#[cfg(test)]
mod tests;
