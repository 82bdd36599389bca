//! How each kind of provider lists what an account reaches, and pages of it.

use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{ConnectionDetails, Send, json};

use crate::domain::{self, Scope};
use crate::outside::ask;
use crate::test::session;

/// Pages of a provider that are read for one page of ours.
const MOST_PAGES: usize = 4;

/// A property as its provider has it.
pub(super) struct Remote {
    pub(super) remote_id: String,
    pub(super) label: String,
    pub(super) permission: Option<String>,
    pub(super) scope: Scope,
}

/// One page.
pub(super) struct Found {
    pub(super) items: Vec<Remote>,
    pub(super) more: Option<Cursor>,
}

/// One page of a provider: the list, and whether there is another.
type Listed = Result<(Vec<Remote>, bool)>;

/// What the account of a connection reaches.
pub(super) fn list(cx: &Cx, at: &ConnectionDetails, limit: usize, cursor: Option<&Cursor>) -> Result<Found> {
    if at.kind == "google_business_profile" {
        return locations(cx, at, limit, cursor);
    }
    let from = cursor.map_or(Ok(0), sdk::position)?;
    let whole = usize::MAX;
    match at.kind.as_str() {
        "google_search_console" => paged(from, limit, whole, |_| search_console(cx, at)),
        "ga4" => paged(from, limit, whole, |_| analytics(cx, at)),
        "bing_webmaster" => paged(from, limit, whole, |_| bing(cx, at)),
        "wordpress" => paged(from, limit, whole, |_| wordpress(cx, at)),
        "llm" => paged(from, limit, whole, |_| models(cx, at)),
        "gmail" => paged(from, limit, whole, |_| gmail(cx, at)),
        "jmap" => paged(from, limit, whole, |_| jmap(cx, at)),
        "powerdns" => paged(from, limit, whole, |_| powerdns(cx, at)),
        "cloudflare" => paged(from, limit, 50, |page| cloudflare(cx, at, page)),
        "name_com" => paged(from, limit, 1_000, |page| name_com(cx, at, page)),
        "porkbun" => paged(from, limit, 1_000, |page| porkbun(cx, at, page)),
        _ => Ok(Found { items: Vec::new(), more: None }),
    }
}

/// A window of ours over pages of theirs, which have `size` rows each but the last.
fn paged(from: usize, limit: usize, size: usize, mut fetch: impl FnMut(usize) -> Listed) -> Result<Found> {
    let mut items: Vec<Remote> = Vec::new();
    let mut at = from;
    for _ in 0..MOST_PAGES {
        let (page, skipped) = (at / size, at % size);
        let (rows, another) = fetch(page)?;
        let taken = rows.len().saturating_sub(skipped).min(limit - items.len());
        let is_rest = skipped + taken < rows.len();
        items.extend(rows.into_iter().skip(skipped).take(taken));
        at = if is_rest { at + taken } else { (page + 1).saturating_mul(size) };
        if is_rest || !another {
            return Ok(Found { items, more: is_rest.then(|| Cursor::new(at.to_string())) });
        }
        if items.len() >= limit {
            break;
        }
    }
    Ok(Found { items, more: Some(Cursor::new(at.to_string())) })
}

fn text(value: &Value) -> Option<String> {
    value.as_str().filter(|it| !it.is_empty()).map(str::to_owned)
}

/// Rows of a list, each as it is read; what cannot be read is left out.
fn rows(list: &Value, read: impl Fn(&Value) -> Option<Remote>) -> Vec<Remote> {
    list.as_array().into_iter().flatten().filter_map(read).collect()
}

/// developers.google.com/webmaster-tools/v1/sites/list
fn search_console(cx: &Cx, at: &ConnectionDetails) -> Listed {
    let body = ask(cx, &at.kind, Send::get(&at.reference, "/webmasters/v3/sites"), Value::is_object)?;
    let read = |site: &Value| {
        let remote_id = text(&site["siteUrl"])?;
        let label = remote_id.strip_prefix("sc-domain:").unwrap_or(&remote_id).to_owned();
        let (permission, scope) = (text(&site["permissionLevel"]), domain::scope(&at.kind, &remote_id));
        Some(Remote { remote_id, label, permission, scope })
    };
    Ok((rows(&body["siteEntry"], read), false))
}

/// developers.google.com/analytics/devguides/config/admin/v1: accountSummaries.list
fn analytics(cx: &Cx, at: &ConnectionDetails) -> Listed {
    let send = Send::get(&at.reference, "/v1beta/accountSummaries").service("admin").query("pageSize", 200);
    let body = ask(cx, &at.kind, send, Value::is_object)?;
    let accounts = body["accountSummaries"].as_array().into_iter().flatten();
    let properties = accounts.filter_map(|it| it["propertySummaries"].as_array()).flatten();
    let read = |property: &Value| {
        let remote_id = text(&property["property"])?;
        let label = text(&property["displayName"]).unwrap_or_else(|| remote_id.clone());
        Some(Remote { remote_id, label, permission: None, scope: domain::scope(&at.kind, "") })
    };
    Ok((properties.filter_map(read).collect(), false))
}

/// learn.microsoft.com: IWebmasterApi.GetUserSites
fn bing(cx: &Cx, at: &ConnectionDetails) -> Listed {
    let path = "/webmaster/api.svc/json/GetUserSites";
    let body = ask(cx, &at.kind, Send::get(&at.reference, path), |body| body.get("d").is_some())?;
    let read = |site: &Value| {
        let remote_id = text(&site["Url"])?;
        let permission = if site["IsVerified"] == true { "verified" } else { "unverified" };
        let scope = domain::scope(&at.kind, &remote_id);
        Some(Remote { label: remote_id.clone(), permission: Some(permission.to_owned()), scope, remote_id })
    };
    Ok((rows(&body["d"], read), false))
}

/// developer.wordpress.org/rest-api: the index of a site
fn wordpress(cx: &Cx, at: &ConnectionDetails) -> Listed {
    let index = |body: &Value| body["namespaces"].is_array() && body["home"].is_string();
    let body = ask(cx, &at.kind, Send::get(&at.reference, "/wp-json"), index)?;
    let remote_id = text(&body["home"]).unwrap_or_default();
    let scope = domain::scope(&at.kind, &remote_id);
    let label = text(&body["name"]).unwrap_or_else(|| remote_id.clone());
    Ok((vec![Remote { remote_id, label, permission: None, scope }], false))
}

/// platform.openai.com/docs/api-reference/models/list
fn models(cx: &Cx, at: &ConnectionDetails) -> Listed {
    let body = ask(cx, &at.kind, Send::get(&at.reference, "/models"), |body| body["data"].is_array())?;
    let read = |model: &Value| {
        let remote_id = text(&model["id"])?;
        Some(Remote { label: remote_id.clone(), permission: None, scope: Scope::Nothing, remote_id })
    };
    Ok((rows(&body["data"], read), false))
}

/// developers.google.com/workspace/gmail/api: users.getProfile
fn gmail(cx: &Cx, at: &ConnectionDetails) -> Listed {
    let path = "/gmail/v1/users/me/profile";
    let body = ask(cx, &at.kind, Send::get(&at.reference, path), |body| body["emailAddress"].is_string())?;
    Ok((text(&body["emailAddress"]).into_iter().map(|address| mailbox(at, address, None)).collect(), false))
}

/// RFC 8620, 2: the accounts of a session
fn jmap(cx: &Cx, at: &ConnectionDetails) -> Listed {
    let well_known = Send::get(&at.reference, "/.well-known/jmap");
    let answer = cx.connections().send(&well_known);
    let moved = answer.as_ref().ok().filter(|it| (300..400).contains(&it.status));
    let path = moved.and_then(|it| session(at, it.header("location")?)).unwrap_or("/.well-known/jmap");
    let body = ask(cx, &at.kind, Send::get(&at.reference, path), |body| body["accounts"].is_object())?;
    let account = |it: &Value| {
        let permission = if it["isReadOnly"] == true { "read" } else { "write" };
        Some(mailbox(at, text(&it["name"])?, Some(permission.to_owned())))
    };
    Ok((body["accounts"].as_object().into_iter().flat_map(|it| it.values()).filter_map(account).collect(), false))
}

fn mailbox(at: &ConnectionDetails, address: String, permission: Option<String>) -> Remote {
    let scope = domain::scope(&at.kind, &address);
    Remote { remote_id: address.clone(), label: address, permission, scope }
}

/// doc.powerdns.com/authoritative/http-api/zone.html
fn powerdns(cx: &Cx, at: &ConnectionDetails) -> Listed {
    let path = "/api/v1/servers/localhost/zones";
    let body = ask(cx, &at.kind, Send::get(&at.reference, path), Value::is_array)?;
    Ok((rows(&body, |zone| named(at, &zone["name"], text(&zone["kind"]))), false))
}

/// developers.cloudflare.com/api/resources/zones/methods/list
fn cloudflare(cx: &Cx, at: &ConnectionDetails, page: usize) -> Listed {
    let zones = Send::get(&at.reference, "/client/v4/zones").query("per_page", 50).query("page", page + 1);
    let body = ask(cx, &at.kind, zones, |body| body["success"] == true && body["result"].is_array())?;
    let read = |zone: &Value| {
        let may: Vec<_> = zone["permissions"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        named(at, &zone["name"], (!may.is_empty()).then(|| may.join(", ")))
    };
    let pages = body["result_info"]["total_pages"].as_u64().unwrap_or(1);
    Ok((rows(&body["result"], read), (page as u64) + 1 < pages))
}

/// www.name.com/api-docs/Domains#ListDomains
fn name_com(cx: &Cx, at: &ConnectionDetails, page: usize) -> Listed {
    let domains = Send::get(&at.reference, "/core/v1/domains").query("perPage", 1_000).query("page", page + 1);
    let body = ask(cx, &at.kind, domains, |body| {
        body["domains"].is_array() || body.as_object().is_some_and(|it| it.is_empty())
    })?;
    let another = body["nextPage"].as_u64().is_some_and(|next| next > page as u64 + 1);
    Ok((rows(&body["domains"], |it| named(at, &it["domainName"], None)), another))
}

/// porkbun.com/api/json/v3/documentation: Domain List All
fn porkbun(cx: &Cx, at: &ConnectionDetails, page: usize) -> Listed {
    let start = json!({ "start": (page * 1_000).to_string() });
    let list = Send::post(&at.reference, "/api/json/v3/domain/listAll").json(&start);
    let body = ask(cx, &at.kind, list, |body| body["domains"].is_array())?;
    let another = body["domains"].as_array().is_some_and(|it| it.len() >= 1_000);
    Ok((rows(&body["domains"], |it| named(at, &it["domain"], None)), another))
}

/// A zone or a registered domain: known by its name, without the dot at its end.
fn named(at: &ConnectionDetails, name: &Value, permission: Option<String>) -> Option<Remote> {
    let name = text(name)?;
    let name = name.trim_end_matches('.').to_owned();
    Some(Remote { label: name.clone(), permission, scope: domain::scope(&at.kind, &name), remote_id: name })
}

/// developers.google.com/my-business: accounts.list, then accounts.locations.list of each account in turn.
fn locations(cx: &Cx, at: &ConnectionDetails, limit: usize, cursor: Option<&Cursor>) -> Result<Found> {
    let (mut number, mut token) = match cursor {
        None => (0, String::new()),
        Some(cursor) => cursor
            .as_str()
            .split_once('~')
            .and_then(|(number, token)| Some((number.parse::<usize>().ok()?, token.to_owned())))
            .ok_or_else(sdk::invalid_cursor)?,
    };
    let accounts = Send::get(&at.reference, "/v1/accounts").service("accounts").query("pageSize", 20);
    let accounts = ask(cx, &at.kind, accounts, Value::is_object)?;
    let names = accounts["accounts"].as_array().into_iter().flatten().filter_map(|it| text(&it["name"]));
    // `accounts/` and a number: nothing else can stand in the path.
    let is_plain = |name: &String| {
        name.strip_prefix("accounts/")
            .is_some_and(|id| !id.is_empty() && id.bytes().all(|it| it.is_ascii_alphanumeric()))
    };
    let names: Vec<String> = names.filter(is_plain).collect();
    let mut items: Vec<Remote> = Vec::new();
    for _ in 0..MOST_PAGES {
        let Some(name) = names.get(number) else { return Ok(Found { items, more: None }) };
        let mut locations = Send::get(&at.reference, format!("/v1/{name}/locations"))
            .query("readMask", "name,title,websiteUri,storefrontAddress")
            .query("pageSize", limit - items.len());
        if !token.is_empty() {
            locations = locations.query("pageToken", &token);
        }
        let body = ask(cx, &at.kind, locations, Value::is_object)?;
        items.extend(rows(&body["locations"], location));
        token = text(&body["nextPageToken"]).unwrap_or_default();
        if token.is_empty() {
            number += 1;
        }
        if items.len() >= limit {
            break;
        }
    }
    let more = (number < names.len()).then(|| Cursor::new(format!("{number}~{token}")));
    Ok(Found { items, more })
}

fn location(it: &Value) -> Option<Remote> {
    let remote_id = text(&it["name"])?;
    let place = text(&it["storefrontAddress"]["locality"]);
    let title = text(&it["title"]).unwrap_or_else(|| remote_id.clone());
    let label = place.map_or_else(|| title.clone(), |place| format!("{title}, {place}"));
    let scope = text(&it["websiteUri"]).map_or(Scope::Unknown, |address| domain::address(&address));
    Some(Remote { remote_id, label, permission: None, scope })
}
