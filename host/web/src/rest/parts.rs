//! The parts of a REST request as arguments of a door: query, headers, body.

use axum::body::Body;
use http::request::Parts;
use model::canonical;
use model::refusal::Refusal;
use serde_json::{Map, Value};
use service::routes::Route;

use crate::context::json_body;

/// The names whose values are numbers.
const NUMBERS: [&str; 2] = ["limit", "units"];

/// Adds the query. A route that has a body takes nothing from the address.
pub(super) fn query(parts: &Parts, route: Route, arguments: &mut Map<String, Value>) -> Result<(), Refusal> {
    for pair in parts.uri.query().unwrap_or_default().split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let (Some(name), Some(value)) = (decode(name, true), decode(value, true)) else {
            return Err(Refusal::malformed("the query is not percent-encoded UTF-8"));
        };
        let pointer = format!("/{}", shown(&name).replace('~', "~0").replace('/', "~1"));
        if has_body(route) {
            return Err(Refusal::invalid_arguments(
                pointer,
                "this route takes its arguments in the body, none in the address",
            ));
        }
        let value = match value.parse::<i64>() {
            Ok(number) if NUMBERS.contains(&name.as_str()) => Value::from(number),
            _ => Value::String(value),
        };
        if arguments.insert(name, value).is_some() {
            return Err(Refusal::invalid_arguments(pointer, "this parameter is given twice"));
        }
    }
    Ok(())
}

/// Adds what execution takes from headers.
pub(super) fn headers(parts: &Parts, route: Route, arguments: &mut Map<String, Value>) -> Result<(), Refusal> {
    if route != Route::Execute {
        return Ok(());
    }
    for (header, name) in [
        ("idempotency-key", "idempotency_key"),
        ("service-intent-ref", "intent_ref"),
        ("service-contract-digest", "contract_digest"),
    ] {
        let mut values = parts.headers.get_all(header).iter();
        let Some(value) = values.next() else { continue };
        let value = value.to_str().ok().filter(|_| values.next().is_none()).ok_or_else(|| {
            Refusal::invalid_arguments(
                format!("/{name}"),
                format!("the header {header} is one line of printable ASCII"),
            )
        })?;
        arguments.insert(name.to_owned(), Value::String(value.to_owned()));
    }
    Ok(())
}

/// Adds the body, of at most `most` bytes: an operation's arguments stay one object, the others are the door's own.
pub(super) async fn body(
    parts: &Parts,
    body: Body,
    route: Route,
    most: usize,
    arguments: &mut Map<String, Value>,
) -> Result<(), Refusal> {
    if !has_body(route) {
        return Ok(());
    }
    let bytes = json_body(&parts.headers, body, most).await?;
    let mut members = canonical::read_object(&bytes).map_err(Refusal::malformed)?;
    match route {
        Route::Execute => {
            arguments.insert("arguments".to_owned(), Value::Object(members));
        }
        _ => arguments.append(&mut members),
    }
    Ok(())
}

fn has_body(route: Route) -> bool {
    super::method(route) == http::Method::POST
}

/// Percent-decoding (RFC 3986, section 2.1), and `+` as a space where a form is meant; none when what comes
/// out is not UTF-8 or an escape is broken.
pub(super) fn decode(text: &str, form: bool) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
                let high = digit(rest.next())?;
                u8::try_from(high * 16 + digit(rest.next())?).ok()?
            }
            b'+' if form => b' ',
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

/// A name that a caller made up, cut to a size that fits a sentence.
fn shown(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(64).collect()
}
