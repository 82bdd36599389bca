//! Every refusal and every header by name.

use model::refusal::{About, Refusal, codes};
use model::scope::{Scope, ScopeSet};
use serde_json::{Value, json};

use super::examples;

/// Every refusal, with one as an example.
pub(super) fn all() -> Value {
    let audit: ScopeSet = [Scope::SeoAudit].into_iter().collect();
    let points = "this call needs 12 points and 5 are missing; the daily allowance renews at 2026-11-24T00:00:00Z, or buy points (1 credit is 1,000)";
    let points = Refusal::of(&codes::POINTS_EXHAUSTED, points)
        .with("needed", 12)
        .with("short", 5)
        .with("included_remaining", 7)
        .with("paid_remaining", 0)
        .with("renews_at", "2026-11-24T00:00:00Z");
    let conflict = "this key was used with other arguments; use a new key for a new request";
    let conflict = Refusal::of(&codes::IDEMPOTENCY_KEY_CONFLICT, conflict).with("first_request_id", "req_06h0ft4oc8");
    let limited = "the request limit of 120 in 60 seconds is reached; wait 12 seconds";
    let limited = Refusal::of(&codes::RATE_LIMITED, limited).about(About::Limit {
        limit: "request".into(),
        quota: 120,
        window_seconds: 60,
    });
    json!({
        "Unauthenticated": refusal(
            "The bearer token is missing, expired or invalid.",
            &["WWW-Authenticate"],
            &Refusal::unauthenticated(),
        ),
        "Payment": refusal("More credits are required for external usage.", &[], &points),
        "Forbidden": refusal(
            "The grant lacks a needed scope, or access is inactive.",
            &["WWW-Authenticate"],
            &Refusal::insufficient_scope(&audit, &audit),
        ),
        "Conflict": refusal(
            "The idempotency key conflicts with an earlier request, the contract is another one by now, or the operation does not fit what is stored.",
            &["Retry-After", "Idempotent-Replayed"],
            &conflict,
        ),
        "Invalid": refusal(
            "Query, body or operation arguments violate the contract.",
            &["Idempotent-Replayed"],
            &Refusal::invalid_arguments("/limit", "must be at most 50"),
        ),
        "Limited": refusal(
            "A request, heavy-operation or catalog-enumeration limit is reached.",
            &["Retry-After", "RateLimit", "RateLimit-Policy"],
            &limited,
        ),
        "Problem": refusal(
            "Any other failure: 400, 404, 405, 413, 415, 500, 503.",
            &["Retry-After", "Allow", "Idempotent-Replayed"],
            &Refusal::operation_not_found(),
        ),
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

fn refusal(description: &str, more: &[&str], example: &Refusal) -> Value {
    let mut headers = json!({ "X-Request-Id": { "$ref": "#/components/headers/X-Request-Id" } });
    for name in more {
        headers[*name] = json!({ "$ref": format!("#/components/headers/{name}") });
    }
    json!({
        "description": description,
        "headers": headers,
        "content": { "application/json": {
            "schema": { "$ref": "#/components/schemas/Error" },
            "example": examples::refusal(example),
        } },
    })
}
