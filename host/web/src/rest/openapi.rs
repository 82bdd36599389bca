//! The public contract as OpenAPI 3.0: written by hand, so that it says what the specification says.
//!
//! Quirks we follow: `site_id` and `before_site_id` are integers here and opaque strings in truth; the header
//! `Idempotency-Key` is optional here because reads do not need it.

mod examples;
mod operations;
mod owned;
mod parameters;
mod responses;
mod schemas;

use model::scope::Scope;
use serde_json::{Map, Value, json};
use service::config::Config;

/// The whole document for the revision in force.
pub(crate) fn document(config: &Config, api_version: &str) -> Value {
    json!({
        "openapi": "3.0.3",
        "info": {
            "title": "Espalier",
            "version": api_version,
            "description": DESCRIPTION,
            "contact": { "name": "Espalier", "url": &*config.public_url },
            "license": { "name": "Apache-2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0" },
        },
        "servers": [{ "url": config.base_url(), "description": "REST base" }],
        "security": [{ "oauth": [] }, { "bearer": [] }],
        "tags": tags(),
        "paths": operations::paths(),
        "components": {
            "schemas": schemas::all(),
            "responses": responses::all(),
            "headers": responses::headers(),
            "securitySchemes": security_schemes(config),
        },
    })
}

const DESCRIPTION: &str = "Hosted SEO actions over one catalog of reviewed operations.\n\n\
    Search with the real goal, read one exact contract, execute with arguments that fit it. \
    Every write, job or destructive operation needs an `Idempotency-Key`. \
    Website, campaign and other asset identifiers are opaque strings: list, then pass them back as they came.\n\n\
    The same operations, grants, prices and answers are offered to agents over MCP.";

fn tags() -> Value {
    json!([
        { "name": "account", "description": "Account, activation and usage" },
        { "name": "websites", "description": "Owned websites" },
        { "name": "audits", "description": "The dedicated read-only SEO audit" },
        { "name": "catalog", "description": "Search, exact contracts and execution" },
        { "name": "feedback", "description": "Outcomes of goals, missing capabilities, access problems" },
        { "name": "contract", "description": "This document" },
    ])
}

fn security_schemes(config: &Config) -> Value {
    let scopes: Map<String, Value> =
        Scope::ALL.into_iter().map(|scope| (scope.as_str().to_owned(), Value::from(scope.words()))).collect();
    json!({
        "oauth": {
            "type": "oauth2",
            "description": "Public clients, authorization code with PKCE S256.",
            "flows": {
                "authorizationCode": {
                    "authorizationUrl": format!("{}/oauth/authorize", config.public_url),
                    "tokenUrl": format!("{}/oauth/token", config.public_url),
                    "refreshUrl": format!("{}/oauth/token", config.public_url),
                    "scopes": scopes,
                },
            },
        },
        "bearer": {
            "type": "http",
            "scheme": "bearer",
            "description": "An access token of an OAuth grant, or a bearer token made in the portal.",
        },
    })
}

#[cfg(test)]
mod tests;
