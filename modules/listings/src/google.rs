//! Requests to the Business Profile APIs and their refusals.
//!
//! Source: developers.google.com/my-business/reference: accountmanagement v1, businessinformation v1, performance v1, and
//! version 4 for reviews, posts and media, which have no newer address.

use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Connection, ConnectionState, Need, Send, SendFailure, Sent, json};

/// The kind of connection.
pub(crate) const KIND: &str = "google_business_profile";
const NEED: Need =
    Need::consent(KIND, &["manager of the location", "the project has access to the Business Profile APIs"]);
/// The members of a location that are asked for.
pub(crate) const READ_MASK: &str = "name,languageCode,storeCode,title,phoneNumbers,categories,storefrontAddress,websiteUri,\
     regularHours,specialHours,moreHours,serviceArea,labels,latlng,openInfo,metadata,profile,serviceItems";

/// The connections of the customer, the one named or all that may work.
pub(crate) fn connections(cx: &Cx, named: Option<&str>) -> Result<Vec<Connection>> {
    let reason = "locations are read from Google Business Profile";
    let all = cx.connections().of(KIND);
    match named {
        Some(named) => match all.into_iter().find(|it| it.reference == named) {
            Some(it) => Ok(vec![it]),
            None => {
                let message = "there is no connection to Google Business Profile of this reference";
                Err(Fault::not_found("connection_not_found", message).at("/connection_ref"))
            }
        },
        None => {
            cx.connections().required(NEED, "", reason)?;
            Ok(all.into_iter().filter(|it| it.state != ConnectionState::Expired).collect())
        }
    }
}

/// The body of an answer, or the refusal in words of ours. `pointer` is the argument that the request is about.
pub(crate) fn answered(answer: std::result::Result<Sent, SendFailure>, pointer: &str) -> Result<Value> {
    let sent = answer?;
    if sent.is_success() {
        // A removal answers with nothing.
        return if sent.body.is_empty() { Ok(Value::Null) } else { Ok(sent.json()?) };
    }
    let error: Value = sent.json::<Value>().map(|it| it["error"].clone()).unwrap_or_default();
    match sent.status {
        404 => {
            let message = "Google knows no such location, post or review; listings.location.list shows the locations";
            Err(Fault::not_found("not_found_at_google", message).at(pointer))
        }
        400 => {
            let violations = violations(&error);
            let first =
                violations.first().map_or_else(String::new, |it| format!(": {} ({})", it["field"], it["reason"]));
            let message = format!("Google refuses the value{first}");
            Err(Fault::invalid(pointer, "refused_by_google", message).detail(json!({ "violations": violations })))
        }
        403 if is_pending(&error) => {
            let message = "the operator's Google project has no access to the Business Profile APIs yet: Google grants it on \
                           request (support.google.com/business/workflow/16726127)";
            Err(Fault::conflict("provider_access_pending", message))
        }
        _ => Err(sent.accepted().err().unwrap_or_else(|| SendFailure::Malformed.into())),
    }
}

/// The fields that Google names as wrong (google.rpc.BadRequest).
fn violations(error: &Value) -> Vec<Value> {
    let details = error["details"].as_array().into_iter().flatten();
    let all = details.flat_map(|it| it["fieldViolations"].as_array().into_iter().flatten());
    all.take(10).map(|it| json!({ "field": it["field"], "reason": it["description"] })).collect()
}

/// Whether a project is refused that Google has not admitted: the API is off for it, or its quota is 0.
fn is_pending(error: &Value) -> bool {
    let details = error["details"].as_array().into_iter().flatten();
    let mut infos = details.map(|it| (&it["reason"], &it["metadata"]["quota_limit_value"]));
    infos.any(|(reason, quota)| reason == "SERVICE_DISABLED" || quota == "0")
}

/// The accounts of a connection.
pub(crate) fn accounts(connection: &str) -> Send {
    Send::get(connection, "/v1/accounts").service("accounts").query("pageSize", 20)
}

/// `accounts/` or `locations/` and an identifier: nothing else can stand in a path.
pub(crate) fn identifier<'n>(name: &'n str, under: &str) -> Option<&'n str> {
    let id = name.strip_prefix(under)?.strip_prefix('/')?;
    (!id.is_empty() && id.len() <= 40 && id.bytes().all(|it| it.is_ascii_alphanumeric() || b"-_".contains(&it)))
        .then_some(id)
}
