//! What the routes of the account, the websites and the audit answer. The websites' and the audit's members come from
//! modules, which may add to them: what stands here is what a client can count on.

use serde_json::{Value, json};

use super::schemas::{count, data, envelope, object, strings};

/// Their schemas by name.
pub(super) fn all() -> Value {
    json!({
        "AccountEnvelope": envelope(data(
            json!({
                "account": data(
                    json!({
                        "email": { "type": "string", "nullable": true },
                        "created_at": { "type": "string", "format": "date-time", "nullable": true },
                        "access": { "type": "string", "enum": ["open", "closed"] },
                    }),
                    &["email", "created_at", "access"],
                ),
                "grant": data(
                    json!({
                        "kind": { "type": "string", "enum": ["oauth", "bearer"] },
                        "scopes": strings(),
                        "not_granted": strings(),
                    }),
                    &["kind", "scopes", "not_granted"],
                ),
                "usage": { "$ref": "#/components/schemas/UsageState" },
                "catalog": data(
                    json!({
                        "revision": { "type": "string", "format": "date" },
                        "operations": count("Operations served."),
                        "modules": strings(),
                    }),
                    &["revision", "operations", "modules"],
                ),
            }),
            &["account", "grant", "usage", "catalog"],
        )),
        "UsageState": data(
            json!({
                "activation": data(
                    json!({
                        "state": { "type": "string", "enum": ["active", "inactive"] },
                        "activated_at": { "type": "string", "format": "date-time", "nullable": true },
                        "credits": count("What activation costs, once."),
                    }),
                    &["state", "activated_at", "credits"],
                ),
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
                "paid": data(
                    json!({ "remaining": count("Reusable points."), "points_per_credit": count("Points that one credit buys.") }),
                    &["remaining", "points_per_credit"],
                ),
                "credits": data(
                    json!({ "available": { "type": "string", "description": "Decimal number." } }),
                    &["available"],
                ),
                "limits": data(
                    json!({
                        "window_seconds": count("Seconds of a window."),
                        "request": count("Requests in a window."),
                        "heavy": count("Heavy operations in a window."),
                        "enumeration": count("Reads of the catalog in a window."),
                        "feedback": count("Feedback records in a window."),
                    }),
                    &["window_seconds", "request", "heavy", "enumeration", "feedback"],
                ),
            }),
            &["activation", "included", "paid", "credits"],
        ),
        "UsageEnvelope": envelope(json!({ "$ref": "#/components/schemas/UsageState" })),
        "Website": data(
            json!({
                "site_id": { "type": "string", "description": "Opaque; keep it as a string." },
                "domain": { "type": "string" },
                "name": { "type": "string" },
                "origin": { "type": "string", "description": "Scheme, host and port to begin at." },
                "created_at": { "type": "string", "format": "date-time" },
                "status": { "type": "string", "description": "Where the work on it stands: new, crawling, crawled, audited." },
            }),
            &["site_id", "domain", "name", "origin", "created_at", "status"],
        ),
        "WebsitesEnvelope": envelope(data(
            json!({
                "websites": { "type": "array", "items": { "$ref": "#/components/schemas/Website" } },
                "next_before_site_id": { "type": "string", "nullable": true, "description": "The before_site_id of the next page; null on the last page." },
            }),
            &["websites", "next_before_site_id"],
        )),
        "WebsiteEnvelope": envelope(json!({
            "allOf": [
                { "$ref": "#/components/schemas/Website" },
                data(
                    json!({ "metrics": { "type": "object", "additionalProperties": true, "description": "The latest crawl and audit in numbers." } }),
                    &["metrics"],
                ),
            ],
        })),
        "Fix": data(
            json!({
                "operation_id": { "type": "string", "description": "The operation to call." },
                "arguments": { "type": "object", "additionalProperties": true, "description": "Its arguments, complete and valid." },
            }),
            &["operation_id", "arguments"],
        ),
        "Basis": data(
            json!({
                "run_ref": { "type": "string", "nullable": true, "description": "The crawl; null when only live pages were read." },
                "at": { "type": "string", "format": "date-time", "description": "When it ended." },
                "age_seconds": { "type": "integer", "description": "Seconds since then." },
                "complete": { "type": "boolean", "description": "Whether it covers everything that it set out to cover." },
            }),
            &["run_ref", "at", "age_seconds", "complete"],
        ),
        "AuditEnvelope": envelope(data(
            json!({
                "opportunities": { "type": "array", "items": data(
                    json!({
                        "rule": { "type": "string" },
                        "title": { "type": "string" },
                        "area": { "type": "string" },
                        "severity": { "type": "string" },
                        "evidence": object(),
                        "urls": strings(),
                        "impact": { "type": "number" },
                        "advice": { "type": "string", "description": "What to do." },
                        "fix": { "$ref": "#/components/schemas/Fix" },
                    }),
                    &["rule", "title", "severity", "urls"],
                ) },
                "score": { "type": "number", "nullable": true, "minimum": 0, "maximum": 100 },
                "formula": { "type": "string", "description": "How the impact is made." },
                "checked": { "type": "array", "items": object() },
                "basis": { "$ref": "#/components/schemas/Basis" },
                "audit_ref": { "type": "string", "nullable": true, "description": "The audit of that crawl; null without one." },
                "crawled_pages": { "type": "integer", "description": "Addresses of the crawl that were judged." },
                "live_pages": { "type": "integer", "description": "Pages fetched now." },
                "degraded": { "type": "array", "items": { "$ref": "#/components/schemas/Degraded" }, "description": "What is missing or incomplete." },
            }),
            &["opportunities"],
        )),
    })
}
