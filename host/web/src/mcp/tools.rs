//! The nine tools as a client sees them: the same for everyone, in the same order, in few tokens.

use std::sync::{Arc, LazyLock};

use rmcp::model::{CacheScope, JsonObject, ListToolsResult, MetaObject, Tool, ToolAnnotations};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use service::routes::{Route, schema};

use super::fault::Fault;
use super::hello::FRESH_MS;
use super::product::server_info;
use super::raw;
use super::revision::Era;

/// What a tool does to the world.
#[derive(Clone, Copy)]
enum Effect {
    /// Looks at what the service has.
    Look,
    /// Looks, at the open web too.
    LookAround,
    /// Adds something of the customer's own.
    Add,
    /// Whatever the operation does.
    Act,
}

struct Card {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    effect: Effect,
}

/// The card of each door. The names are the specification's.
fn card(route: Route) -> Card {
    let card = |name, title, description, effect| Card { name, title, description, effect };
    match route {
        Route::Search => card(
            "service_capabilities_search",
            "Search operations",
            "Finds operations by the user's real goal; give at least one of query, module and kind. Keep intent_ref from the answer. 1 point.",
            Effect::Look,
        ),
        Route::Contract => card(
            "service_capability_get",
            "Read one contract",
            "The exact contract of one operation: arguments, scopes and whether they are granted, cost, side effects, mode, an example call. 1 point.",
            Effect::Look,
        ),
        Route::Execute => card(
            "service_action_execute",
            "Execute an operation",
            "Runs one operation with arguments that fit its contract. A queued answer is a beginning, not a result. Costs what the contract says.",
            Effect::Act,
        ),
        Route::Account => card(
            "service_account_snapshot",
            "Account snapshot",
            "The account, this grant's scopes, points and credits, the catalog in force. 1 point.",
            Effect::Look,
        ),
        Route::Usage => card(
            "service_mcp_usage_get",
            "Usage",
            "Activation, the day's included points, paid points, credits, rate limits. Free.",
            Effect::Look,
        ),
        Route::Websites => card(
            "service_websites_list",
            "List websites",
            "Owned websites, a page at a time; site_id is an opaque string.",
            Effect::Look,
        ),
        Route::Website => {
            card("service_website_get", "Get a website", "One owned website with status and metrics.", Effect::Look)
        }
        Route::Audit => card(
            "service_seo_opportunities_analyze",
            "Analyze SEO opportunities",
            "Read-only SEO opportunity audit of an owned website; changes nothing.",
            Effect::LookAround,
        ),
        Route::Feedback => card(
            "service_feedback_submit",
            "Send feedback",
            "Reports a blocked, failed, partial or wrong outcome, or a missing capability. Free.",
            Effect::Add,
        ),
    }
}

/// The door that a tool is.
pub(super) fn route_of(name: &str) -> Option<Route> {
    Route::ALL.into_iter().find(|route| card(*route).name == name)
}

static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| Route::ALL.map(tool).into());

/// Answers `tools/list`: one page, whatever the grant.
pub(super) fn list(era: &Era, params: &Map<String, Value>) -> Result<Box<RawValue>, Fault> {
    if params.contains_key("cursor") {
        return Err(Fault::wrong_params("there is one page of tools, so no cursor is ours"));
    }
    let mut result = ListToolsResult::with_all_items(TOOLS.clone());
    match era {
        Era::Modern => {
            let mut meta = MetaObject::default();
            meta.insert(SERVER_INFO.to_owned(), json!(server_info()));
            result.meta = Some(meta);
            result.ttl_ms = Some(FRESH_MS);
            result.cache_scope = Some(CacheScope::Public);
        }
        Era::Handshake | Era::Legacy(_) => result.result_type = None,
    }
    Ok(raw(&result))
}

/// Where a result says who made it, since 2026-07-28.
pub(super) const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

fn tool(route: Route) -> Tool {
    let Card { name, title, description, effect } = card(route);
    Tool::new(name, description, object(schema::of(route)))
        .with_title(title)
        .with_raw_output_schema(OUTPUT.clone())
        .with_annotations(annotations(effect))
}

/// All four hints, though two mean nothing of a tool that only looks: directories ask for them.
fn annotations(effect: Effect) -> ToolAnnotations {
    let hints = |read_only, destructive, idempotent, open| {
        ToolAnnotations::new().read_only(read_only).destructive(destructive).idempotent(idempotent).open_world(open)
    };
    match effect {
        Effect::Look => hints(true, false, true, false),
        Effect::LookAround => hints(true, false, true, true),
        Effect::Add => hints(false, false, false, false),
        Effect::Act => hints(false, true, false, true),
    }
}

/// Every result is the envelope that REST answers with. Nothing is required: one agent holds an error's JSON against this.
static OUTPUT: LazyLock<Arc<JsonObject>> = LazyLock::new(|| {
    object(&json!({
        "type": "object",
        "properties": { "data": { "type": "object" }, "meta": { "type": "object" } },
    }))
});

fn object(schema: &Value) -> Arc<JsonObject> {
    Arc::new(schema.as_object().expect("the schemas of the doors have an object at their root").clone())
}
