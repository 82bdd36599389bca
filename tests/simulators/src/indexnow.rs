//! IndexNow: notices of changed addresses, trusted when the site shows the key.
//!
//! Source: indexnow.org/documentation. 200 taken, 202 taken while the key is still to be checked, 400 bad format,
//! 403 the key file is not there or has another key, 422 an address of another host, 429 too many. The first notice of
//! a key is answered 202 and the key file is looked up; notices after that know what came of it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use url::Url;

use crate::provider::{Desk, Provider};
use crate::reply::Reply;
use crate::request::{Auth, Request};
use crate::{lock, outcall};

/// The key that the demo shop shows at `/{key}.txt`.
const KEY: &str = "0c1a57b9lampshop4f2e8d7136a5b0c9";
/// The most addresses in one notice.
const MOST: usize = 10_000;

/// By host and key: `None` while the key file is looked up.
type Checked = Arc<Mutex<BTreeMap<(String, String), Option<bool>>>>;

#[derive(Default)]
pub(crate) struct IndexNow(Checked);

impl Provider for IndexNow {
    fn credentials(&self) -> Value {
        json!({ "key": KEY })
    }

    fn auth(&self, _: &Request) -> Auth {
        Auth::NotNeeded
    }

    fn answer(&self, request: &Request, desk: &Desk) -> Reply {
        let (method, parts) = request.route();
        let (given, urls) = match (method, parts.as_slice()) {
            ("POST", ["indexnow"]) => {
                let given = request.json();
                let urls = given["urlList"]
                    .as_array()
                    .map(|all| all.iter().map(|it| it.as_str().map(str::to_owned)).collect());
                (given, urls)
            }
            ("GET", ["indexnow"]) => {
                let url = request.query("url").unwrap_or_default();
                let host = Url::parse(url).ok().and_then(|it| it.host_str().map(str::to_owned));
                let given =
                    json!({ "host": host, "key": request.query("key"), "keyLocation": request.query("keyLocation") });
                (given, Some(vec![Some(url.to_owned())]))
            }
            _ => return Reply::empty(404),
        };
        let text = |name: &str| given[name].as_str().map(str::to_owned);
        let (Some(host), Some(key), Some(urls)) = (text("host"), text("key"), urls) else {
            return said(400, "Invalid request");
        };
        let Some(urls) =
            urls.into_iter().collect::<Option<Vec<String>>>().filter(|all| (1..=MOST).contains(&all.len()))
        else {
            return said(400, "urlList must have 1 to 10000 addresses");
        };
        if !(8..=128).contains(&key.len()) || !key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
            return said(422, "The key does not match the schema of the protocol");
        }
        let place = text("keyLocation").unwrap_or_else(|| format!("http://{host}/{key}.txt"));
        let of_host = |url: &str| Url::parse(url).is_ok_and(|it| it.host_str() == Some(host.as_str()));
        if !of_host(&place) || !urls.iter().all(|url| of_host(url)) {
            return said(422, "An address does not belong to the host");
        }
        let known = lock(&self.0).get(&(host.clone(), key.clone())).copied();
        let status = match known {
            Some(Some(false)) => return said(403, "The key is not valid: its file is not there or holds another key"),
            Some(Some(true)) => 200,
            Some(None) => 202,
            None => {
                self.look_up(desk, place, host, key);
                202
            }
        };
        for url in &urls {
            desk.effect("url.submitted", url, request);
        }
        Reply::empty(status)
    }

    fn refused(&self, _: &Request) -> Reply {
        said(403, "The key is not valid: its file is not there or holds another key")
    }

    fn rate_limited(&self, _: &Request) -> Reply {
        said(429, "Too many requests").header("retry-after", 60)
    }

    fn broken(&self, _: &Request) -> Reply {
        said(500, "Internal error")
    }
}

impl IndexNow {
    fn look_up(&self, desk: &Desk, place: String, host: String, key: String) {
        let (checked, sites) = (self.0.clone(), desk.sites.clone());
        lock(&checked).insert((host.clone(), key.clone()), None);
        tokio::spawn(async move {
            let found = outcall::send(&sites, "GET", &place, &[], b"").await;
            let mut checked = lock(&checked);
            match found {
                Some((status, body)) => checked.insert((host, key.clone()), Some(status == 200 && body.trim() == key)),
                // Nobody there: the next notice tries again.
                None => checked.remove(&(host, key)),
            };
        });
    }
}

fn said(status: u16, message: &str) -> Reply {
    let code = match status {
        403 => "SiteVerificationNotCompleted",
        422 => "InvalidUrlOrKey",
        429 => "TooManyRequests",
        500 => "InternalError",
        _ => "InvalidRequestParameters",
    };
    Reply::json(status, &json!({ "code": code, "message": message, "details": null }))
}
