//! The reference of the REST interface, made from the same document as `openapi.json`.

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde_json::Value;
use service::Service;

use super::frame::Frame;
use super::page::{Leads, page};
use super::prose::Prose;
use super::schema::{Field, fields};
use super::{either, enter};
use crate::rest::openapi;

#[derive(Template)]
#[template(path = "reference.html")]
struct Page {
    frame: Frame,
    base: String,
    version: String,
    tags: Vec<Tag>,
    errors: Vec<Field>,
}

/// Routes that belong together.
struct Tag {
    name: String,
    words: String,
    routes: Vec<Route>,
}

struct Route {
    anchor: String,
    method: String,
    path: String,
    summary: String,
    description: Prose,
    scopes: Vec<String>,
    is_public: bool,
    parameters: Vec<Field>,
    body: Vec<Field>,
    has_body: bool,
    answer: Vec<Field>,
    statuses: Vec<(String, String)>,
    curl: String,
}

pub(super) async fn get(State(service): State<Service>, headers: HeaderMap) -> Response {
    let shown = async {
        let inside = enter(service.core.authority(), &headers, "/reference").await?;
        let version = service.core.catalog().current().api_version.clone();
        let document = openapi::document(service.core.config(), &version);
        let template = Page {
            frame: inside.frame("/reference"),
            base: service.core.config().base_url(),
            version: version.to_string(),
            errors: fields(&document, &document["components"]["schemas"]["Problem"]),
            tags: tags(&document, &service.core.config().base_url()),
        };
        Ok(page(StatusCode::OK, &template, &Leads::Inside))
    };
    either(shown.await)
}

fn tags(document: &Value, base: &str) -> Vec<Tag> {
    let tags = document["tags"].as_array().into_iter().flatten();
    tags.map(|tag| {
        let name = text(&tag["name"]);
        let routes = document["paths"].as_object().into_iter().flatten().flat_map(|(path, methods)| {
            methods.as_object().into_iter().flatten().map(move |(method, route)| (path, method, route))
        });
        let routes = routes.filter(|(_, _, route)| route["tags"][0] == name.as_str());
        Tag {
            routes: routes.map(|(path, method, written)| route(document, base, path, method, written)).collect(),
            words: text(&tag["description"]),
            name,
        }
    })
    .collect()
}

fn route(document: &Value, base: &str, path: &str, method: &str, route: &Value) -> Route {
    let security = route["security"].as_array();
    let scopes = security.into_iter().flatten().filter_map(|one| one["oauth"].as_array()).flatten().map(text).collect();
    let body = &route["requestBody"]["content"]["application/json"]["schema"];
    let answer = &route["responses"]["200"]["content"]["application/json"]["schema"];
    let is_public = security.is_some_and(Vec::is_empty);
    let statuses = route["responses"].as_object().into_iter().flatten().map(|(status, response)| {
        let response = match response["$ref"].as_str() {
            Some(target) => document.pointer(target.trim_start_matches('#')).unwrap_or(response),
            None => response,
        };
        (status.clone(), text(&response["description"]))
    });
    Route {
        anchor: text(&route["operationId"]),
        method: method.to_uppercase(),
        path: path.to_owned(),
        summary: text(&route["summary"]),
        description: Prose::new(&text(&route["description"])),
        scopes,
        is_public,
        parameters: parameters(document, route),
        has_body: !body.is_null(),
        body: fields(document, body),
        answer: fields(document, answer),
        statuses: statuses.collect(),
        curl: curl(base, path, method, is_public, !body.is_null()),
    }
}

/// Parameters as if they were the members of an object; where each goes is a note.
fn parameters(document: &Value, route: &Value) -> Vec<Field> {
    let one = |parameter: &Value| {
        let name = text(&parameter["name"]);
        let object = serde_json::json!({
            "properties": { name: parameter["schema"].clone() },
            "required": if parameter["required"] == true { vec![text(&parameter["name"])] } else { Vec::new() },
        });
        let mut row = fields(document, &object).into_iter().next()?;
        row.notes.insert(0, format!("in {}", text(&parameter["in"])));
        row.description = Prose::new(&text(&parameter["description"]));
        Some(row)
    };
    route["parameters"].as_array().into_iter().flatten().filter_map(one).collect()
}

fn curl(base: &str, path: &str, method: &str, is_public: bool, has_body: bool) -> String {
    let mut lines = vec![format!("curl {base}{path}")];
    if method != "get" {
        lines[0] = format!("curl -X {} {base}{path}", method.to_uppercase());
    }
    if !is_public {
        lines.push("-H \"Authorization: Bearer $ESPALIER_TOKEN\"".to_owned());
    }
    if has_body {
        lines.push("-H \"Content-Type: application/json\"".to_owned());
        lines.push("-d '{}'".to_owned());
    }
    lines.join(" \\\n  ")
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
