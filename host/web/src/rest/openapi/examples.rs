//! An answer of each route, as a client sees it.

use model::id::RequestId;
use model::refusal::Refusal;
use serde_json::{Value, json};
use service::routes::Route;

use crate::problem::tell;

const REQUEST: &str = "req_06h0fv4a68d7upi1i1obgt0ns0";

/// The success envelope of a route.
pub(super) fn success(route: Route) -> Value {
    let points = match route {
        Route::Usage | Route::Feedback => 0,
        Route::Audit => 26,
        Route::Websites => 2,
        _ => 1,
    };
    let usage = json!({ "points": points, "included_remaining": 100 - points, "paid_remaining": 1_000 });
    json!({
        "data": data(route),
        "meta": { "request_id": REQUEST, "api_version": "2026-09-28", "usage": usage },
    })
}

/// The envelope of a refusal.
pub(super) fn refusal(refusal: &Refusal) -> Value {
    serde_json::from_str(&tell(refusal, &RequestId::from(REQUEST)).body).unwrap_or_default()
}

fn data(route: Route) -> Value {
    let website = json!({
        "site_id": "8258887245239181",
        "domain": "shop.example",
        "name": "shop.example",
        "origin": "https://shop.example",
        "created_at": "2026-11-23T10:38:40.697Z",
        "status": "new",
    });
    match route {
        Route::Account => json!({
            "account": { "email": "ada@shop.example", "created_at": "2026-11-01T08:00:00Z", "access": "open" },
            "grant": { "kind": "oauth", "scopes": ["account:read", "websites:read"], "not_granted": ["seo:audit"] },
            "usage": usage(),
            "catalog": { "revision": "2026-09-28", "operations": 513, "modules": ["account", "audit", "authors"] },
        }),
        Route::Usage => usage(),
        Route::Websites => json!({ "websites": [website], "next_before_site_id": null }),
        Route::Website => {
            let mut shown = website;
            shown["metrics"] = json!({});
            shown
        }
        Route::Audit => json!({
            "opportunities": [{
                "rule": "title.missing",
                "title": "Pages without a title",
                "area": "metadata",
                "severity": "error",
                "evidence": { "observed": "no title" },
                "urls": ["https://shop.example/lamps"],
                "impact": 40,
                "advice": "Write a title of its own for each page.",
                "fix": { "operation_id": "onpage.title.suggest", "arguments": { "url": "https://shop.example/lamps" } },
            }],
            "score": 82.5,
            "basis": {
                "run_ref": "0000000000000001",
                "at": "2026-11-23T10:38:40.697Z",
                "age_seconds": 3_600,
                "complete": true,
            },
            "audit_ref": "0000000000000002",
            "crawled_pages": 120,
            "live_pages": 5,
            "degraded": [],
        }),
        Route::Search => json!({
            "intent_ref": "int_4mcpcr25tffcawctanq2ysstua",
            "total": 1,
            "results": [{
                "operation_id": "authors.list",
                "module": "authors",
                "kind": "read",
                "mode": "immediate",
                "summary": "Lists author profiles.",
                "scopes": ["assets:read"],
                "granted": true,
                "cost": "1 point, and 1 per 50 rows",
            }],
        }),
        Route::Contract => json!({
            "operation_id": "authors.list",
            "module": "authors",
            "kind": "read",
            "mode": "immediate",
            "summary": "Lists author profiles.",
            "scopes": ["assets:read"],
            "granted": true,
            "missing_scopes": [],
            "cost": { "formula": "1 point, and 1 per 50 rows" },
            "side_effects": [],
            "idempotency_key": "not used",
            "arguments": { "type": "object", "properties": { "limit": { "type": "integer" } } },
            "result": { "type": "object" },
            "examples": [{ "limit": 10 }],
            "contract_digest": "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        }),
        Route::Execute => {
            json!({ "authors": [{ "author_ref": "author_06h0fv4", "firstname": "Ada", "lastname": "Lovelace" }] })
        }
        Route::Feedback => json!({
            "feedback_ref": "fbk_06h0fv4a68d7upi1i1obgt0ns0",
            "category": "missing_capability",
            "completion_state": "blocked",
            "intent": "Compare my prices with those of my competitors",
            "recorded_at": "2026-11-23T10:38:40.697Z",
        }),
    }
}

fn usage() -> Value {
    json!({
        "activation": { "state": "active", "activated_at": "2026-11-01T08:00:00Z", "credits": 100 },
        "included": { "day": "2026-11-23", "allowance": 100, "used": 7, "remaining": 93, "renews_at": "2026-11-24T00:00:00Z" },
        "paid": { "remaining": 1_000, "points_per_credit": 1_000 },
        "credits": { "available": "120" },
    })
}
