//! The contract says what is served.

use http::StatusCode;
use serde_json::{Value, json};
use service::routes::Route;

use crate::rest::{method, routing::pattern};
use crate::tests::{ADDRESS, NO_TOKEN, World};

async fn document() -> Value {
    let answer = World::new().await.ask(http::Method::GET, "/v1/openapi.json", &[NO_TOKEN], "").await;
    assert_eq!(answer.status, StatusCode::OK);
    answer.json()
}

fn operations(document: &Value) -> Vec<(String, String, Value)> {
    let mut all = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            all.push((path.clone(), method.clone(), operation.clone()));
        }
    }
    all
}

#[tokio::test]
async fn the_contract_has_the_routes_that_are_served_and_no_other() {
    let document = document().await;
    let mut said: Vec<(String, String)> =
        operations(&document).into_iter().map(|(path, method, _)| (path, method.to_uppercase())).collect();
    let mut served: Vec<(String, String)> =
        Route::ALL.into_iter().map(|route| (pattern(route).to_owned(), method(route).to_string())).collect();
    served.push(("/openapi.json".to_owned(), "GET".to_owned()));
    said.sort();
    served.sort();
    assert_eq!(said, served);
    assert_eq!(said.len(), 10);
}

#[tokio::test]
async fn the_version_is_the_revision_and_the_server_the_base() {
    let document = document().await;
    assert_eq!(document["openapi"], "3.0.3");
    assert_eq!(document["info"]["version"], "2026-09-28");
    assert_eq!(document["servers"][0]["url"], format!("{ADDRESS}/v1"));
}

#[tokio::test]
async fn each_route_declares_the_statuses_of_the_specification_and_a_default() {
    for (path, _, operation) in operations(&document().await) {
        let statuses: Vec<&str> = operation["responses"].as_object().unwrap().keys().map(String::as_str).collect();
        let expected: &[&str] = match path.as_str() {
            "/openapi.json" => &["200", "429", "default"],
            "/operations/{operation_id}" => &["200", "401", "402", "403", "409", "422", "429", "default"],
            _ => &["200", "401", "402", "403", "422", "429", "default"],
        };
        assert_eq!(statuses, expected, "{path}");
        assert_eq!(operation["security"] == json!([]), path == "/openapi.json", "{path}");
    }
}

#[tokio::test]
async fn parameters_have_the_bounds_of_the_specification() {
    let document = document().await;
    let schema = |path: &str, method: &str, name: &str| {
        let parameters = document["paths"][path][method]["parameters"].as_array().unwrap();
        parameters.iter().find(|it| it["name"] == name).unwrap_or_else(|| panic!("{path} {name}"))["schema"].clone()
    };
    assert_eq!(schema("/websites", "get", "limit"), json!({ "type": "integer", "minimum": 1, "maximum": 50 }));
    assert_eq!(schema("/websites", "get", "before_site_id"), json!({ "type": "integer", "minimum": 1 }));
    assert_eq!(schema("/websites/{site_id}", "get", "site_id"), json!({ "type": "integer", "minimum": 1 }));
    assert_eq!(schema("/capabilities", "get", "limit"), json!({ "type": "integer", "minimum": 1, "maximum": 20 }));
    let query = schema("/capabilities", "get", "query");
    assert_eq!((&query["minLength"], &query["maxLength"]), (&json!(3), &json!(160)));
    assert_eq!(schema("/capabilities", "get", "module")["maxLength"], 64);
    assert_eq!(schema("/capabilities/{operation_id}", "get", "operation_id")["maxLength"], 128);
    let key = schema("/operations/{operation_id}", "post", "Idempotency-Key");
    assert_eq!((&key["minLength"], &key["maxLength"]), (&json!(8), &json!(200)));
}

#[tokio::test]
async fn every_reference_leads_somewhere_and_every_operation_has_its_own_name() {
    let document = document().await;
    let mut names: Vec<String> = operations(&document)
        .iter()
        .map(|(_, _, operation)| operation["operationId"].as_str().unwrap().to_owned())
        .collect();
    names.sort();
    let all = names.len();
    names.dedup();
    assert_eq!(names.len(), all);

    let mut open = vec![&document];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(members) => {
                if let Some(Value::String(reference)) = members.get("$ref") {
                    assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference}");
                }
                open.extend(members.values());
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
}

#[tokio::test]
async fn search_leads_to_the_contract_and_the_contract_to_execution() {
    let document = document().await;
    let link = &document["paths"]["/capabilities"]["get"]["responses"]["200"]["links"]["contractOfTheFirst"];
    assert_eq!(link["operationId"], "getCapability");
    let link = &document["paths"]["/capabilities/{operation_id}"]["get"]["responses"]["200"]["links"]["execute"];
    assert_eq!(link["operationId"], "executeOperation");
}

#[tokio::test]
async fn every_example_fits_its_schema() {
    let document = document().await;
    let mut examples = Vec::new();
    media(&document["paths"], "", &mut examples);
    media(&document["components"], "", &mut examples);
    assert!(examples.len() >= 10, "{}", examples.len());
    for (at, schema, example) in examples {
        let mut whole = json!({ "allOf": [schema], "components": document["components"] });
        allow_null(&mut whole);
        let validator = jsonschema::draft4::new(&whole).unwrap();
        let faults: Vec<String> =
            validator.iter_errors(&example).map(|fault| format!("{}: {fault}", fault.instance_path())).collect();
        assert_eq!(faults, Vec::<String>::new(), "{at}");
    }
}

/// Every schema with an example beside it, and where it is.
fn media(value: &Value, at: &str, found: &mut Vec<(String, Value, Value)>) {
    let members: Vec<(String, &Value)> = match value {
        Value::Object(members) => members.iter().map(|(name, inner)| (name.clone(), inner)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(place, inner)| (place.to_string(), inner)).collect(),
        _ => return,
    };
    if let (Some(schema), Some(example)) = (value.get("schema"), value.get("example")) {
        found.push((at.to_owned(), schema.clone(), example.clone()));
    }
    for (name, inner) in members.iter().filter(|(name, _)| name != "example") {
        media(inner, &format!("{at}/{name}"), found);
    }
}

/// Writes `nullable` of `OpenAPI` 3.0 as JSON Schema does.
fn allow_null(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            if members.remove("nullable") == Some(json!(true))
                && let Some(Value::String(one)) = members.get("type").cloned()
            {
                members.insert("type".to_owned(), json!([one, "null"]));
            }
            members.values_mut().for_each(allow_null);
        }
        Value::Array(items) => items.iter_mut().for_each(allow_null),
        _ => {}
    }
}

#[tokio::test]
async fn who_has_the_contract_is_not_sent_it_again_and_who_takes_it_packed_gets_it_so() {
    let world = World::new().await;
    let ask = async |headers: &[(&str, &str)]| {
        let headers: Vec<(&str, &str)> = headers.iter().copied().chain([NO_TOKEN]).collect();
        world.ask(http::Method::GET, "/v1/openapi.json", &headers, "").await
    };
    let whole = ask(&[]).await;
    let tag = whole.header("etag").to_owned();
    assert_eq!((whole.status, whole.header("vary")), (StatusCode::OK, "accept-encoding"));
    for known in [tag.as_str(), "*", &format!("\"other\", {tag}")] {
        let answer = ask(&[("if-none-match", known)]).await;
        assert_eq!((answer.status, answer.header("etag")), (StatusCode::NOT_MODIFIED, tag.as_str()), "{known}");
    }
    assert_eq!(ask(&[("if-none-match", "\"other\"")]).await.status, StatusCode::OK);
    let packed = ask(&[("accept-encoding", "br, gzip;q=0.8")]).await;
    assert_eq!((packed.header("content-encoding"), packed.header("etag")), ("gzip", tag.as_str()));
    assert_eq!(ask(&[("accept-encoding", "gzip;q=0")]).await.json()["openapi"], "3.0.3");
}
