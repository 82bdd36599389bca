//! Porkbun: domains, prices, orders and name servers (API v3).
//!
//! Source: porkbun.com/api/json/v3/documentation. Everything is a POST whose JSON body carries both keys; answers have
//! `status` SUCCESS or ERROR, and an error is HTTP 400. A client that is too fast is turned away with 503.

use std::collections::BTreeMap;
use std::sync::Mutex;

use serde_json::{Map, Value, json};

use crate::lock;
use crate::provider::{Desk, Provider};
use crate::registry::{self, Domain};
use crate::reply::Reply;
use crate::request::{Auth, Request};

const KEY: &str = "pk1_simulated_lamp_shop";
const SECRET: &str = "sk1_simulated_lamp_shop";
/// Names on a page of the list.
const PAGE: usize = 1_000;

pub(crate) struct Porkbun(Mutex<Held>);

/// The names of the account, and what is under way.
struct Held {
    domains: BTreeMap<String, Domain>,
    /// States of transfers in.
    transfers: BTreeMap<String, &'static str>,
    /// Answers under the keys of orders: a repeat within a day has the first one again.
    answered: BTreeMap<String, Reply>,
}

impl Porkbun {
    pub(crate) fn new() -> Self {
        let domains = registry::seeded();
        Self(Mutex::new(Held { domains, transfers: BTreeMap::new(), answered: BTreeMap::new() }))
    }
}

fn error(status: u16, message: &str) -> Reply {
    Reply::json(status, &json!({ "status": "ERROR", "message": message }))
}

fn success(mut body: Value) -> Reply {
    body["status"] = json!("SUCCESS");
    Reply::ok(&body)
}

fn dollars(cents: u64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

impl Provider for Porkbun {
    fn credentials(&self) -> Value {
        json!({ "api_key": KEY, "secret_api_key": SECRET })
    }

    fn auth(&self, request: &Request) -> Auth {
        if request.path == "/api/json/v3/pricing/get" {
            return Auth::NotNeeded;
        }
        let given = request.json();
        match (given["apikey"].as_str(), given["secretapikey"].as_str()) {
            (Some(KEY), Some(SECRET)) => Auth::Right,
            (None, None) => Auth::Missing,
            _ => Auth::Wrong,
        }
    }

    fn answer(&self, request: &Request, desk: &Desk) -> Reply {
        let held = &mut *lock(&self.0);
        let key = request.header("idempotency-key").map(str::to_owned);
        if let Some(known) = key.as_ref().and_then(|key| held.answered.get(key)) {
            return known.clone();
        }
        let reply = held.answer(request, desk);
        if let Some(key) = key.filter(|_| reply.status < 300) {
            held.answered.insert(key, reply.clone());
        }
        reply
    }

    fn refused(&self, _: &Request) -> Reply {
        error(400, "Invalid API key. (001)")
    }

    fn rate_limited(&self, _: &Request) -> Reply {
        error(503, "Too many requests. Please slow down.")
    }

    fn broken(&self, _: &Request) -> Reply {
        error(500, "Something went wrong.")
    }
}

impl Held {
    fn answer(&mut self, request: &Request, desk: &Desk) -> Reply {
        let Self { domains, transfers, .. } = self;
        let (method, parts) = request.route();
        let ["api", "json", "v3", rest @ ..] = parts.as_slice() else { return error(404, "Not found.") };
        if method != "POST" {
            return error(405, "Method not allowed.");
        }
        let given = request.json();
        match rest {
            ["ping"] => success(json!({ "yourIp": "192.0.2.1" })),
            ["pricing", "get"] => {
                let of = |tld: &str| {
                    (
                        tld.to_owned(),
                        json!({ "registration": dollars(registry::price(&format!("lampshop.{tld}"))), "renewal": dollars(registry::price(&format!("lampshop.{tld}"))), "transfer": dollars(registry::price(&format!("lampshop.{tld}"))) }),
                    )
                };
                let prices: Map<String, Value> = ["com", "net", "org", "io", "example"].map(of).into_iter().collect();
                success(json!({ "pricing": prices }))
            }
            ["domain", "listAll"] => {
                let start = given["start"].as_u64().or_else(|| given["start"].as_str()?.parse().ok()).unwrap_or(0);
                let on = |flag: bool| if flag { "1" } else { "0" };
                let shown = |(name, domain): (&String, &Domain)| {
                    json!({ "domain": name, "status": "ACTIVE", "tld": registry::tld(name), "createDate": format!("{} 00:00:00", domain.created), "expireDate": format!("{} 23:59:59", domain.expires),
                        "securityLock": on(domain.locked), "whoisPrivacy": on(domain.privacy), "autoRenew": u8::from(domain.autorenew), "notLocal": 0 })
                };
                success(
                    json!({ "domains": domains.iter().skip(usize::try_from(start).unwrap_or(usize::MAX)).take(PAGE).map(shown).collect::<Vec<_>>() }),
                )
            }
            ["domain", "checkDomain", name] => {
                let free = !domains.contains_key(*name) && registry::free(name);
                let price = dollars(registry::price(name));
                let yes = |flag: bool| if flag { "yes" } else { "no" };
                success(
                    json!({ "response": { "avail": yes(free), "type": "registration", "price": price, "firstYearPromo": "no", "regularPrice": price, "premium": yes(registry::premium(name)),
                    "additional": { "renewal": { "type": "renewal", "price": price, "regularPrice": price }, "transfer": { "type": "transfer", "price": price, "regularPrice": price } } },
                    "limits": { "TTL": "10", "limit": "1", "used": 1, "naturalLanguage": "1 out of 1 checks within 10 seconds used." } }),
                )
            }
            ["domain", "create", name] => {
                if given["agreeToTerms"] != "yes" && given["agreeToTerms"] != "1" {
                    return error(400, "You must agree to the terms.");
                }
                if domains.contains_key(*name) || !registry::free(name) {
                    return error(400, "Domain is not available.");
                }
                // In cents, and it must be the price that was quoted.
                if given["cost"].as_u64() != Some(registry::price(name)) {
                    return error(400, "The cost does not match the price of the domain.");
                }
                domains.insert((*name).to_owned(), Domain::new(1));
                desk.effect("domain.registered", name, request);
                success(
                    json!({ "domain": name, "cost": registry::price(name), "orderId": 40_000 + domains.len(), "limits": {}, "balance": 10_000 }),
                )
            }
            ["domain", "renew", name] => {
                let Some(domain) = domains.get_mut(*name) else { return error(400, "Invalid domain.") };
                if given["cost"].as_u64() != Some(registry::price(name)) {
                    return error(400, "The cost does not match the price of the renewal.");
                }
                if !domain.renew(1) {
                    return error(400, "The domain cannot be renewed any further.");
                }
                desk.effect("domain.renewed", name, request);
                success(json!({ "domain": name, "cost": registry::price(name), "orderId": 50_000, "balance": 10_000 }))
            }
            ["domain", "transfer", name] => {
                if given["authCode"].as_str().is_none_or(|it| it.is_empty() || it == "wrong") {
                    return error(400, "The auth code is not valid.");
                }
                if given["cost"].as_u64() != Some(registry::price(name)) {
                    return error(400, "The cost does not match the price of the transfer.");
                }
                transfers.insert((*name).to_owned(), "PENDINGTRANSFER");
                desk.effect("domain.transferred", name, request);
                success(json!({ "domain": name, "cost": registry::price(name), "transferId": 60_000 }))
            }
            // A transfer is done when it is asked for the second time.
            ["domain", "getTransfer", name] => match transfers.get_mut(*name) {
                Some(status) => {
                    let shown = json!({ "transfer": { "domain": name, "status": status } });
                    if *status == "PENDINGTRANSFER" {
                        *status = "DONE";
                        domains.insert((*name).to_owned(), Domain::new(1));
                    }
                    success(shown)
                }
                None => error(400, "There is no such transfer."),
            },
            [kind @ ("domain" | "dns"), verb, name, ..] => match domains.get_mut(*name) {
                Some(domain) => one(domain, request, desk, kind, verb, name, &rest[3..]),
                None => error(400, "Invalid domain."),
            },
            _ => error(404, "Not found."),
        }
    }
}

fn one(
    domain: &mut Domain,
    request: &Request,
    desk: &Desk,
    kind: &str,
    verb: &str,
    name: &str,
    rest: &[&str],
) -> Reply {
    let given = request.json();
    match (kind, verb, rest) {
        ("domain", "getNs", []) => return success(json!({ "ns": domain.nameservers })),
        ("domain", "updateNs", []) => match registry::servers(&given["ns"]) {
            Some(servers) => domain.nameservers = servers,
            None => return error(400, "Invalid nameservers."),
        },
        ("domain", "updateAutoRenew", []) => match given["status"].as_str() {
            Some("on") => domain.autorenew = true,
            Some("off") => domain.autorenew = false,
            _ => return error(400, "Invalid status."),
        },
        ("dns", "getDnssecRecords", []) => {
            let records: Map<String, Value> =
                domain.ds.iter().map(|it| (it["keyTag"].as_str().unwrap_or_default().to_owned(), it.clone())).collect();
            return success(json!({ "records": records }));
        }
        ("dns", "createDnssecRecord", []) => {
            if given["keyTag"].as_str().is_none_or(str::is_empty)
                || given["digest"].as_str().is_none_or(|it| it.len() < 40)
            {
                return error(400, "Invalid DNSSEC record.");
            }
            domain.ds.push(json!({ "keyTag": given["keyTag"], "alg": given["alg"], "digestType": given["digestType"], "digest": given["digest"] }));
        }
        ("dns", "deleteDnssecRecord", [tag]) => domain.ds.retain(|it| it["keyTag"] != *tag),
        _ => return error(404, "Not found."),
    }
    desk.effect("domain.updated", format!("{name} {verb}"), request);
    success(json!({}))
}
