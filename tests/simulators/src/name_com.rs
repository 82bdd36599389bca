//! Name.com: domains, prices, orders, name servers, locks (Core API v1, and v4 of before for one release).
//!
//! Source: name.com/api-docs (Domains, Transfers, Hello, "Rate limiting": 20 a second). Refusals are
//! `{"message", "details"}`.

use std::collections::BTreeMap;
use std::sync::Mutex;

use serde_json::{Value, json};

use crate::lock;
use crate::provider::{Desk, Provider, page};
use crate::registry::{self, Domain};
use crate::reply::Reply;
use crate::request::{Auth, Request};

const USER: &str = "lampshop";
const TOKEN: &str = "name-com-simulated-token";

pub(crate) struct NameCom(Mutex<Held>);

/// The names of the account, and what is under way.
struct Held {
    domains: BTreeMap<String, Domain>,
    /// States of transfers in.
    transfers: BTreeMap<String, &'static str>,
    /// Answers under the keys of orders: a repeat has the first one again.
    answered: BTreeMap<String, Reply>,
}

impl NameCom {
    pub(crate) fn new() -> Self {
        let domains = registry::seeded();
        Self(Mutex::new(Held { domains, transfers: BTreeMap::new(), answered: BTreeMap::new() }))
    }
}

fn error(status: u16, message: &str, details: &str) -> Reply {
    Reply::json(status, &json!({ "message": message, "details": details }))
}

fn shown(name: &str, domain: &Domain) -> Value {
    json!({ "domainName": name, "nameservers": domain.nameservers, "locked": domain.locked, "autorenewEnabled": domain.autorenew, "privacyEnabled": domain.privacy,
        "createDate": format!("{}T00:00:00Z", domain.created), "expireDate": format!("{}T00:00:00Z", domain.expires), "renewalPrice": dollars(registry::price(name)),
        "contacts": { "registrant": { "firstName": "Ada", "lastName": "Lovelace", "city": "Lampton", "country": "GB", "email": "hello@shop.example" } } })
}

fn dollars(cents: u64) -> f64 {
    cents as f64 / 100.0
}

impl Provider for NameCom {
    fn credentials(&self) -> Value {
        json!({ "username": USER, "token": TOKEN })
    }

    fn auth(&self, request: &Request) -> Auth {
        request.check_basic(USER, TOKEN)
    }

    fn answer(&self, request: &Request, desk: &Desk) -> Reply {
        let held = &mut *lock(&self.0);
        let key = request.header("x-idempotency-key").filter(|_| request.method == "POST").map(str::to_owned);
        if let Some(known) = key.as_ref().and_then(|key| held.answered.get(key)) {
            return known.clone();
        }
        let reply = held.answer(request, desk);
        if let Some(key) = key.filter(|_| reply.status < 300) {
            held.answered.insert(key, reply.clone());
        }
        reply
    }

    fn refused(&self, request: &Request) -> Reply {
        let details =
            if request.header("authorization").is_none() { "No credentials" } else { "Invalid username or token" };
        error(401, "Unauthenticated", details)
    }

    fn rate_limited(&self, _: &Request) -> Reply {
        error(429, "Too Many Requests", "Rate limit of 20 requests per second exceeded")
    }

    fn broken(&self, _: &Request) -> Reply {
        error(500, "Internal Error", "")
    }
}

impl Held {
    fn answer(&mut self, request: &Request, desk: &Desk) -> Reply {
        let Self { domains, transfers, .. } = self;
        let (method, parts) = request.route();
        let (["core", "v1", rest @ ..] | ["v4", rest @ ..]) = parts.as_slice() else {
            return error(404, "Not Found", "");
        };
        match (method, rest) {
            ("GET", ["hello"]) => Reply::ok(
                &json!({ "serverName": "simulator", "motd": "Hello!", "username": USER, "serverTime": jiff::Timestamp::now().to_string() }),
            ),
            ("GET", ["domains"]) => {
                let all: Vec<Value> = domains.iter().map(|(name, domain)| shown(name, domain)).collect();
                let number = request.number("page").unwrap_or(1).max(1);
                let (slice, pages) = page(&all, number, request.number("perPage").unwrap_or(1_000).clamp(1, 1_000));
                let mut body = json!({ "domains": slice, "lastPage": pages });
                if number < pages {
                    body["nextPage"] = json!(number + 1);
                }
                Reply::ok(&body)
            }
            ("POST", ["domains:checkAvailability"]) => {
                let given = request.json();
                let names: Vec<&str> =
                    given["domainNames"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
                if names.is_empty() || names.len() > 50 {
                    return error(400, "Invalid Argument", "domainNames must have 1 to 50 names");
                }
                let result = |name: &&str| {
                    let free = !domains.contains_key(*name) && registry::free(name);
                    let mut result = json!({ "domainName": name, "sld": name.split('.').next(), "tld": registry::tld(name), "purchasable": free });
                    if free {
                        result["purchasePrice"] = json!(dollars(registry::price(name)));
                        result["purchaseType"] = json!("registration");
                        result["renewalPrice"] = json!(dollars(registry::price(name)));
                        result["premium"] = json!(registry::premium(name));
                    }
                    result
                };
                Reply::ok(&json!({ "results": names.iter().map(result).collect::<Vec<_>>() }))
            }
            ("POST", ["domains"]) => {
                let given = request.json();
                let name = given["domain"]["domainName"].as_str().unwrap_or_default().to_lowercase();
                if domains.contains_key(&name) || !registry::free(&name) {
                    return error(400, "Invalid Argument", "Domain is not available");
                }
                let years = given["years"].as_i64().unwrap_or(1);
                let total = registry::price(&name) * u64::try_from(years).unwrap_or(1);
                if !(1..=10).contains(&years) {
                    return error(400, "Invalid Argument", "years must be between 1 and 10");
                }
                // A price that is named has to be the price; of premium names one has to be named.
                let agrees = given["purchasePrice"].as_f64().is_none_or(|it| (it - dollars(total)).abs() < 0.005);
                if !agrees || registry::premium(&name) && given["purchasePrice"].is_null() {
                    return error(400, "Invalid Argument", "The purchase price does not match");
                }
                domains.insert(name.clone(), Domain::new(years));
                desk.effect("domain.registered", &name, request);
                Reply::ok(
                    &json!({ "domain": shown(&name, &domains[&name]), "order": 10_000 + domains.len(), "totalPaid": dollars(total) }),
                )
            }
            ("GET", ["transfers"]) => {
                let all: Vec<Value> =
                    transfers.iter().map(|(name, status)| json!({ "domainName": name, "status": status })).collect();
                Reply::ok(&json!({ "transfers": all }))
            }
            // A transfer is done when it is asked for the second time.
            ("GET", ["transfers", name]) => match transfers.get_mut(*name) {
                Some(status) => {
                    let shown = json!({ "domainName": name, "status": status });
                    if *status == "pending_transfer" {
                        *status = "completed";
                        domains.insert((*name).to_owned(), Domain::new(1));
                    }
                    Reply::ok(&shown)
                }
                None => error(404, "Not Found", ""),
            },
            ("POST", ["transfers"]) => {
                let given = request.json();
                let (name, code) =
                    (given["domainName"].as_str().unwrap_or_default(), given["authCode"].as_str().unwrap_or_default());
                if name.is_empty() || code.is_empty() {
                    return error(400, "Invalid Argument", "domainName and authCode are required");
                }
                if code == "wrong" {
                    return error(400, "Invalid Argument", "The auth code is not right");
                }
                transfers.insert(name.to_owned(), "pending_transfer");
                desk.effect("domain.transferred", name, request);
                Reply::ok(
                    &json!({ "transfer": { "domainName": name, "status": "pending_transfer" }, "order": 20_000, "totalPaid": dollars(registry::price(name)) }),
                )
            }
            (method, ["domains", named, below @ ..]) => one(domains, request, desk, method, named, below),
            _ => error(404, "Not Found", ""),
        }
    }
}

fn one(
    domains: &mut BTreeMap<String, Domain>,
    request: &Request,
    desk: &Desk,
    method: &str,
    named: &str,
    below: &[&str],
) -> Reply {
    let (name, verb) = named.split_once(':').unwrap_or((named, ""));
    if (method, verb) == ("GET", "getPricing") {
        let price = dollars(registry::price(name));
        return Reply::ok(
            &json!({ "purchasePrice": price, "renewalPrice": price, "transferPrice": price, "premium": registry::premium(name) }),
        );
    }
    let Some(domain) = domains.get_mut(name) else { return error(404, "Not Found", "Domain is not in your account") };
    let given = request.json();
    match (method, verb, below) {
        ("GET", "", []) => return Reply::ok(&shown(name, domain)),
        ("GET", "getAuthCode", []) => return Reply::ok(&json!({ "authCode": "s1mul4ted" })),
        ("GET", "", ["dnssec"]) => return Reply::ok(&json!({ "dnssec": domain.ds })),
        ("PATCH", "", []) => {
            let flag = |name: &str, is: bool| given[name].as_bool().unwrap_or(is);
            domain.autorenew = flag("autorenewEnabled", domain.autorenew);
            domain.locked = flag("locked", domain.locked);
            domain.privacy = flag("privacyEnabled", domain.privacy);
        }
        ("POST", "enableAutorenew", []) => domain.autorenew = true,
        ("POST", "disableAutorenew", []) => domain.autorenew = false,
        ("POST", "lock", []) => domain.locked = true,
        ("POST", "unlock", []) => domain.locked = false,
        ("POST", "enableWhoisPrivacy", []) => domain.privacy = true,
        ("POST", "disableWhoisPrivacy", []) => domain.privacy = false,
        ("POST", "setNameservers", []) => match registry::servers(&given["nameservers"]) {
            Some(servers) => domain.nameservers = servers,
            None => return error(400, "Invalid Argument", "nameservers must be 2 to 13 host names"),
        },
        ("POST", "renew", []) => {
            let years = given["years"].as_i64().unwrap_or(1);
            let total = registry::price(name) * u64::try_from(years).unwrap_or(1);
            if given["purchasePrice"].as_f64().is_some_and(|it| (it - dollars(total)).abs() > 0.005) {
                return error(400, "Invalid Argument", "The purchase price does not match");
            }
            if !domain.renew(years) {
                return error(400, "Invalid Argument", "years is out of range");
            }
            desk.effect("domain.renewed", name, request);
            return Reply::ok(&json!({ "domain": shown(name, domain), "order": 30_000, "totalPaid": dollars(total) }));
        }
        ("POST", "", ["dnssec"]) => {
            if given["digest"].as_str().is_none_or(|it| it.len() < 40) || given["keyTag"].as_u64().is_none() {
                return error(400, "Invalid Argument", "keyTag and digest are required");
            }
            domain.ds.push(given.clone());
            desk.effect("ds.created", name, request);
            return Reply::ok(&given);
        }
        ("DELETE", "", ["dnssec", digest]) => {
            domain.ds.retain(|it| it["digest"] != *digest);
            desk.effect("ds.deleted", name, request);
            return Reply::ok(&json!({}));
        }
        _ => return error(404, "Not Found", ""),
    }
    desk.effect("domain.updated", format!("{name} {verb}"), request);
    Reply::ok(&shown(name, domain))
}
