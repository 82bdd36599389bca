//! The shapes that routes share: envelopes, answers of the host's own routes, refusals, headers.

use serde_json::{Value, json};
use service::routes::{Route, schema};

/// Every schema by name.
pub(super) fn all() -> Value {
    json!({
        "Usage": {
            "type": "object",
            "description": "What the call cost and what is left.",
            "properties": {
                "points": count("Points charged for this call."),
                "held_points": count("Points held until the started work ends."),
                "held_credits_milli": count("Thousandths of a credit held until the started work ends."),
                "included_remaining": count("Included points left of this UTC day."),
                "paid_remaining": count("Reusable paid points left."),
            },
            "required": ["points", "included_remaining", "paid_remaining"],
        },
        "Meta": {
            "type": "object",
            "properties": {
                "request_id": { "type": "string" },
                "api_version": { "type": "string", "format": "date", "description": "The catalog revision that answered." },
                "usage": { "$ref": "#/components/schemas/Usage" },
                "degraded": {
                    "type": "array",
                    "items": {},
                    "description": "What the result could not consider, as it says itself; absent when nothing is missing.",
                },
            },
            "required": ["request_id", "api_version", "usage"],
        },
        "Envelope": envelope(json!({ "type": "object", "additionalProperties": true })),
        "AccountEnvelope": envelope(data(
            json!({ "account": object(), "grant": object(), "usage": { "$ref": "#/components/schemas/UsageState" }, "catalog": object() }),
            &["account", "grant", "usage", "catalog"],
        )),
        "UsageState": data(
            json!({
                "activation": object(),
                "included": data(
                    json!({
                        "day": { "type": "string", "format": "date" },
                        "allowance": count("Points of a UTC day."),
                        "used": count("Points used today."),
                        "remaining": count("Points left today."),
                        "renews_at": { "type": "string", "format": "date-time" },
                    }),
                    &["day", "allowance", "used", "remaining", "renews_at"],
                ),
                "paid": data(json!({ "remaining": count("Reusable points."), "points_per_credit": count("Points that one credit buys.") }), &["remaining"]),
                "credits": data(json!({ "available": { "type": "string", "description": "Decimal number." } }), &["available"]),
            }),
            &["activation", "included", "paid", "credits"],
        ),
        "UsageEnvelope": envelope(json!({ "$ref": "#/components/schemas/UsageState" })),
        "OperationSummary": data(
            json!({
                "operation_id": { "type": "string", "maxLength": schema::OPERATION_AT_MOST },
                "module": { "type": "string" },
                "kind": kind(),
                "mode": mode(),
                "summary": { "type": "string" },
                "scopes": strings(),
                "granted": { "type": "boolean", "description": "Whether this grant has the scopes." },
                "cost": { "type": "string" },
                "matched": strings(),
            }),
            &["operation_id", "module", "kind", "mode", "summary", "scopes", "granted", "cost"],
        ),
        "SearchEnvelope": envelope(data(
            json!({
                "intent_ref": { "type": "string", "description": "Keep it: it links what follows to this search." },
                "total": count("Operations that fit, before the limit."),
                "results": { "type": "array", "maxItems": schema::RESULTS_AT_MOST, "items": { "$ref": "#/components/schemas/OperationSummary" } },
                "hint": { "type": "string" },
            }),
            &["intent_ref", "total", "results"],
        )),
        "ContractEnvelope": envelope(data(
            json!({
                "operation_id": { "type": "string", "maxLength": schema::OPERATION_AT_MOST },
                "module": { "type": "string" },
                "kind": kind(),
                "mode": mode(),
                "summary": { "type": "string" },
                "description": { "type": "string" },
                "scopes": strings(),
                "granted": { "type": "boolean" },
                "missing_scopes": strings(),
                "cost": object(),
                "native_price": object(),
                "side_effects": strings(),
                "idempotency_key": { "type": "string", "enum": ["required", "not used"] },
                "arguments": object(),
                "result": object(),
                "examples": { "type": "array", "items": object() },
                "example_call": object(),
                "result_operation": { "type": "string" },
                "contract_digest": { "type": "string" },
                "intent_ref": { "type": "string" },
            }),
            &["operation_id", "kind", "mode", "scopes", "granted", "cost", "side_effects", "idempotency_key", "arguments", "result", "examples"],
        )),
        "Feedback": schema::of(Route::Feedback),
        "FeedbackEnvelope": envelope(data(
            json!({
                "feedback_ref": { "type": "string" },
                "category": { "type": "string" },
                "completion_state": { "type": "string" },
                "intent": { "type": "string", "description": "As stored." },
                "recorded_at": { "type": "string", "format": "date-time" },
            }),
            &["feedback_ref", "category", "completion_state", "intent", "recorded_at"],
        )),
        "Error": {
            "type": "object",
            "properties": {
                "error": {
                    "type": "object",
                    "additionalProperties": true,
                    "properties": {
                        "code": { "type": "string", "description": "Stable and machine-readable." },
                        "message": { "type": "string" },
                        "pointer": { "type": "string", "description": "JSON pointer of what is wrong." },
                    },
                    "required": ["code", "message"],
                },
                "request_id": { "type": "string" },
            },
            "required": ["error", "request_id"],
        },
    })
}

/// Every refusal by name.
pub(super) fn responses() -> Value {
    json!({
        "Unauthenticated": refusal("The bearer token is missing, expired or invalid.", &["WWW-Authenticate"]),
        "Payment": refusal("More credits are required for external usage.", &[]),
        "Forbidden": refusal("The grant lacks a needed scope, or access is inactive.", &["WWW-Authenticate"]),
        "Conflict": refusal("The idempotency key conflicts with an earlier request, the contract is another one by now, or the operation does not fit what is stored.", &["Retry-After", "Idempotent-Replayed"]),
        "Invalid": refusal("Query, body or operation arguments violate the contract.", &["Idempotent-Replayed"]),
        "Limited": refusal("A request, heavy-operation or catalog-enumeration limit is reached.", &["Retry-After", "RateLimit", "RateLimit-Policy"]),
        "Problem": refusal("Any other failure: 400, 404, 405, 413, 415, 500, 503.", &["Retry-After", "Allow", "Idempotent-Replayed"]),
    })
}

/// Every header by name. None is required of all answers but the request's id.
pub(super) fn headers() -> Value {
    let text = |description: &str| json!({ "description": description, "schema": { "type": "string" } });
    json!({
        "X-Request-Id": { "description": "This request, also when the answer is an earlier one's.", "required": true, "schema": { "type": "string" } },
        "Service-Catalog-Digest": text("The catalog that answered: the hash over all its locks."),
        "Idempotent-Replayed": { "description": "This is the answer of an earlier request with the same key.", "schema": { "type": "string", "enum": ["true"] } },
        "RateLimit": text("The limit, what remains of it and when it ends."),
        "RateLimit-Policy": text("The limit, its quota and its window in seconds."),
        "Retry-After": { "description": "Seconds to wait.", "schema": { "type": "integer", "minimum": 0 } },
        "WWW-Authenticate": text("One Bearer challenge that names the metadata and the scopes."),
        "Allow": text("The method of this route."),
    })
}

fn refusal(description: &str, more: &[&str]) -> Value {
    let mut headers = json!({ "X-Request-Id": { "$ref": "#/components/headers/X-Request-Id" } });
    for name in more {
        headers[*name] = json!({ "$ref": format!("#/components/headers/{name}") });
    }
    json!({
        "description": description,
        "headers": headers,
        "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Error" } } },
    })
}

fn envelope(data: Value) -> Value {
    json!({
        "type": "object",
        "properties": { "data": data, "meta": { "$ref": "#/components/schemas/Meta" } },
        "required": ["data", "meta"],
    })
}

fn data(properties: Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": properties, "required": required })
}

fn object() -> Value {
    json!({ "type": "object", "additionalProperties": true })
}

fn strings() -> Value {
    json!({ "type": "array", "items": { "type": "string" } })
}

fn count(description: &str) -> Value {
    json!({ "type": "integer", "format": "int64", "minimum": 0, "description": description })
}

fn kind() -> Value {
    json!({ "type": "string", "enum": ["read", "write", "job", "destructive"] })
}

fn mode() -> Value {
    json!({ "type": "string", "enum": ["immediate", "queued"] })
}
