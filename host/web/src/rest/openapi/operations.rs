//! What each route takes, answers and leads to.

use http::Method;
use serde_json::{Map, Value, json};
use service::routes::{Route, schema};

use super::examples;
use super::parameters::{cursor, header, intent_ref, operation_id, path, query, site_id};
use crate::rest::{method, routing::pattern};

/// One route in the contract.
struct Operation {
    id: &'static str,
    tag: &'static str,
    summary: &'static str,
    description: &'static str,
    parameters: Vec<Value>,
    body: Option<Value>,
    /// The schema of the answer, by name.
    answer: &'static str,
    links: Value,
}

/// Every path with its one method.
pub(super) fn paths() -> Value {
    let mut paths = Map::new();
    paths.insert("/openapi.json".to_owned(), json!({ "get": contract() }));
    for route in Route::ALL {
        let name = match method(route) {
            Method::GET => "get",
            _ => "post",
        };
        paths.insert(pattern(route).to_owned(), json!({ name: written(route) }));
    }
    Value::Object(paths)
}

fn contract() -> Value {
    json!({
        "operationId": "getContract",
        "tags": ["contract"],
        "summary": "This contract",
        "description": "Public: no token, no usage charge.",
        "security": [],
        "responses": {
            "200": {
                "description": "The contract of the revision in force.",
                "headers": { "X-Request-Id": { "$ref": "#/components/headers/X-Request-Id" } },
                "content": { "application/json": {
                    "schema": { "type": "object", "additionalProperties": true },
                    "example": { "openapi": "3.0.3", "info": { "title": "Espalier", "version": "2026-09-28" } },
                } },
            },
            "429": { "$ref": "#/components/responses/Limited" },
            "default": { "$ref": "#/components/responses/Problem" },
        },
    })
}

fn written(route: Route) -> Value {
    let operation = operation(route);
    let needed: Vec<&str> = route.scopes().iter().map(|scope| scope.as_str()).collect();
    let mut responses = json!({
        "200": {
            "description": "The result with its usage.",
            "headers": {
                "X-Request-Id": { "$ref": "#/components/headers/X-Request-Id" },
                "Service-Catalog-Digest": { "$ref": "#/components/headers/Service-Catalog-Digest" },
                "RateLimit": { "$ref": "#/components/headers/RateLimit" },
                "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
            },
            "content": { "application/json": {
                "schema": { "$ref": format!("#/components/schemas/{}", operation.answer) },
                "example": examples::success(route),
            } },
        },
        "401": { "$ref": "#/components/responses/Unauthenticated" },
        "402": { "$ref": "#/components/responses/Payment" },
        "403": { "$ref": "#/components/responses/Forbidden" },
        "422": { "$ref": "#/components/responses/Invalid" },
        "429": { "$ref": "#/components/responses/Limited" },
        "default": { "$ref": "#/components/responses/Problem" },
    });
    if route == Route::Execute {
        responses["409"] = json!({ "$ref": "#/components/responses/Conflict" });
        responses["200"]["headers"]["Idempotent-Replayed"] =
            json!({ "$ref": "#/components/headers/Idempotent-Replayed" });
    }
    if !operation.links.is_null() {
        responses["200"]["links"] = operation.links;
    }
    let mut written = json!({
        "operationId": operation.id,
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": operation.description,
        "security": [{ "oauth": needed }, { "bearer": [] }],
        "responses": responses,
    });
    if !operation.parameters.is_empty() {
        written["parameters"] = Value::Array(operation.parameters);
    }
    if let Some(body) = operation.body {
        written["requestBody"] = json!({ "required": true, "content": { "application/json": body } });
    }
    written
}

fn operation(route: Route) -> Operation {
    let plain = |id, tag, summary, description, answer| Operation {
        id,
        tag,
        summary,
        description,
        parameters: Vec::new(),
        body: None,
        answer,
        links: Value::Null,
    };
    match route {
        Route::Account => plain("getAccount", "account", "Account snapshot", "Costs 1 point.", "AccountEnvelope"),
        Route::Usage => plain(
            "getUsage",
            "account",
            "Activation, included usage, reusable paid points",
            "Costs nothing, so that an exhausted allowance can be seen.",
            "UsageEnvelope",
        ),
        Route::Websites => Operation {
            parameters: vec![
                query(
                    "limit",
                    json!({ "type": "integer", "minimum": 1, "maximum": schema::WEBSITES_AT_MOST }),
                    "Websites on one page.",
                    json!(25),
                ),
                query(
                    "before_site_id",
                    site_id(),
                    "The cursor of the page before, as it came. In truth an opaque string.",
                    Value::Null,
                ),
            ],
            links: json!({
                "theFirst": {
                    "operationId": "getWebsite",
                    "description": "The newest website.",
                    "parameters": { "site_id": "$response.body#/data/websites/0/site_id" },
                },
                "nextPage": {
                    "operationId": "listWebsites",
                    "description": "The page after this one, unless it is the last.",
                    "parameters": { "before_site_id": "$response.body#/data/next_before_site_id" },
                },
            }),
            ..plain("listWebsites", "websites", "Paginated list of owned websites", "Newest first.", "WebsitesEnvelope")
        },
        Route::Website => Operation {
            parameters: vec![path("site_id", site_id(), "As listed. In truth an opaque string.", Value::Null)],
            ..plain(
                "getWebsite",
                "websites",
                "One owned website's status and metrics",
                "404 for a website that is not the customer's own.",
                "WebsiteEnvelope",
            )
        },
        Route::Audit => Operation {
            body: Some(json!({
                "schema": { "type": "object", "additionalProperties": true },
                "example": { "url": "https://shop.example/", "max_pages": 1 },
            })),
            ..plain(
                "createAudit",
                "audits",
                "Read-only SEO opportunity audit",
                "Give `site_id`, `url` or both. It reads at most eight live pages and changes nothing.",
                "AuditEnvelope",
            )
        },
        Route::Search => Operation {
            parameters: vec![
                query(
                    "query",
                    json!({ "type": "string", "minLength": schema::QUERY.0, "maxLength": schema::QUERY.1 }),
                    "The real goal, not a short keyword.",
                    json!("list the authors of my website"),
                ),
                query(
                    "module",
                    json!({ "type": "string", "minLength": 1, "maxLength": schema::MODULE_AT_MOST }),
                    "One product module.",
                    Value::Null,
                ),
                query(
                    "kind",
                    json!({ "type": "string", "enum": ["read", "write", "job", "destructive"] }),
                    "One kind of operation.",
                    Value::Null,
                ),
                query(
                    "limit",
                    json!({ "type": "integer", "minimum": 1, "maximum": schema::RESULTS_AT_MOST }),
                    "Results at most; fewer when they are long.",
                    json!(5),
                ),
                query("cursor", cursor(), "The `next_cursor` of the page before, with the same question.", Value::Null),
            ],
            links: json!({
                "contractOfTheFirst": {
                    "operationId": "getCapability",
                    "description": "The contract of the best result.",
                    "parameters": {
                        "operation_id": "$response.body#/data/results/0/operation_id",
                        "intent_ref": "$response.body#/data/intent_ref",
                    },
                },
            }),
            ..plain(
                "searchCapabilities",
                "catalog",
                "Bounded catalog search",
                "Give at least one of `query`, `module` and `kind`. Keep `data.intent_ref`. Costs 1 point.",
                "SearchEnvelope",
            )
        },
        Route::Contract => Operation {
            parameters: vec![
                operation_id(),
                query("intent_ref", intent_ref(), "From the search.", Value::Null),
                query(
                    "units",
                    json!({ "type": "integer", "format": "int64", "minimum": 0, "maximum": schema::UNITS_AT_MOST }),
                    "Estimate the cost for so many of its units; without it, for the example.",
                    Value::Null,
                ),
                query(
                    "cursor",
                    cursor(),
                    "The `next_cursor` of the page before: the rest of a long result schema.",
                    Value::Null,
                ),
            ],
            links: json!({
                "execute": {
                    "operationId": "executeOperation",
                    "description": "A call with the contract's example, for the same search.",
                    "parameters": { "operation_id": "$response.body#/data/operation_id" },
                    "requestBody": "$response.body#/data/examples/0",
                },
            }),
            ..plain(
                "getCapability",
                "catalog",
                "Exact contract of one operation",
                "Arguments, scopes, cost, side effects, mode and an example call. Costs 1 point.",
                "ContractEnvelope",
            )
        },
        Route::Execute => Operation {
            parameters: vec![
                operation_id(),
                header(
                    "Idempotency-Key",
                    json!({ "type": "string", "minLength": schema::KEY.0, "maxLength": schema::KEY.1, "pattern": "^[!-~][ -~]*[!-~]$" }),
                    "Mandatory for every write, job or destructive operation: new for a new request, the same to repeat it.",
                ),
                header("Service-Intent-Ref", intent_ref(), "The `intent_ref` of the search."),
                header(
                    "Service-Contract-Digest",
                    json!({ "type": "string", "pattern": "^sha256:[0-9a-f]{64}$" }),
                    "The `contract_digest` of the contract that was read; 409 `contract_changed` when it is another one by now.",
                ),
            ],
            body: Some(
                json!({ "schema": { "type": "object", "additionalProperties": true }, "example": { "limit": 10 } }),
            ),
            ..plain(
                "executeOperation",
                "catalog",
                "Execute one allowlisted operation",
                "The body holds the operation's arguments and nothing else. For queued work the answer reports the queued state only.",
                "Envelope",
            )
        },
        Route::Feedback => Operation {
            body: Some(json!({
                "schema": { "$ref": "#/components/schemas/Feedback" },
                "example": {
                    "category": "missing_capability",
                    "completion_state": "blocked",
                    "intent": "Compare my prices with those of my competitors",
                },
            })),
            ..plain(
                "submitFeedback",
                "feedback",
                "Record an intent outcome, missing capability or external-access problem",
                "Costs nothing and has a rate limit of its own. Obvious credentials are replaced by `[redacted]`.",
                "FeedbackEnvelope",
            )
        },
    }
}
