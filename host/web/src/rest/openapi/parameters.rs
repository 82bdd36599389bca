//! What stands in paths, queries and headers.

use serde_json::{Value, json};
use service::routes::schema;

/// The schema of a website's reference.
pub(super) fn site_id() -> Value {
    json!({ "type": "integer", "minimum": 1 })
}

/// The schema of an intent reference.
pub(super) fn intent_ref() -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": schema::INTENT_REF_AT_MOST, "pattern": "^[!-~]+$" })
}

/// The schema of where a list goes on.
pub(super) fn cursor() -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": schema::CURSOR_AT_MOST })
}

/// The parameter that names an operation.
pub(super) fn operation_id() -> Value {
    let schema = json!({ "type": "string", "minLength": 1, "maxLength": schema::OPERATION_AT_MOST });
    path("operation_id", schema, "As found by search.", json!("authors.list"))
}

/// A parameter in the path.
pub(super) fn path(name: &str, schema: Value, description: &str, example: Value) -> Value {
    let mut parameter = parameter(name, "path", schema, description, example);
    parameter["required"] = json!(true);
    parameter
}

/// A parameter in the query.
pub(super) fn query(name: &str, schema: Value, description: &str, example: Value) -> Value {
    parameter(name, "query", schema, description, example)
}

/// A parameter in a header.
pub(super) fn header(name: &str, schema: Value, description: &str) -> Value {
    parameter(name, "header", schema, description, Value::Null)
}

fn parameter(name: &str, place: &str, schema: Value, description: &str, example: Value) -> Value {
    let mut parameter = json!({ "name": name, "in": place, "description": description, "schema": schema });
    if !example.is_null() {
        parameter["example"] = example;
    }
    parameter
}
