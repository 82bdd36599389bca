//! DataForSEO v3: result pages, keyword data, Labs and backlinks, live or as tasks.
//!
//! Source: docs.dataforseo.com/v3 and its appendix/errors. The HTTP status is 200 except for 401, 402, 404 and 500; what
//! happened is in `status_code` of the answer and of each task (20000 done, 20100 created, 40xxx refused). Every task
//! costs, from a balance of its own. A task that was posted is in the queue for the first look and done at the second.

mod backlinks;
mod keywords;
mod labs;
mod serp;

use std::collections::BTreeMap;
use std::sync::Mutex;

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::lock;
use crate::provider::{Desk, Provider};
use crate::reply::Reply;
use crate::request::{Auth, Request};
use crate::seed::Seed;

const LOGIN: &str = "api@shop.example";
const PASSWORD: &str = "5imulated0dfs";
/// What the account begins with, in millionths of a US dollar.
const BALANCE: u64 = 100_000_000;
/// The most tasks in one post.
const TASKS: usize = 100;

/// What is left of the balance, and the tasks that were posted.
pub(crate) struct DataForSeo(Mutex<Account>);

struct Account {
    balance: u64,
    tasks: BTreeMap<String, Task>,
    made: u64,
}

struct Task {
    endpoint: String,
    data: Value,
    looked_at: bool,
}

impl DataForSeo {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(Account { balance: BALANCE, tasks: BTreeMap::new(), made: 0 }))
    }
}

/// Why a task has no result.
struct Refused(u32, String);

/// What one endpoint knows how to do: the result of a task.
type Work = fn(&Value, Seed) -> Result<Value, Refused>;

/// The endpoint's work and what a live task of it costs, in millionths of a dollar. A posted task costs a third.
fn work(endpoint: &str) -> Option<(Work, u64)> {
    Some(match endpoint {
        "serp/google/organic" => (serp::google, 2_000),
        "serp/bing/organic" => (serp::bing, 2_000),
        "serp/google/maps" => (serp::maps, 2_000),
        "serp/google/autocomplete" => (serp::autocomplete, 2_000),
        "serp/google/ai_mode" => (serp::ai_mode, 4_000),
        "ai_optimization/chat_gpt/llm_scraper" => (serp::chat_gpt, 4_000),
        "keywords_data/google_ads/search_volume" => (keywords::volume, 75_000),
        "keywords_data/google_ads/keywords_for_keywords" => (keywords::related, 75_000),
        "dataforseo_labs/google/keyword_overview" => (labs::overview, 10_100),
        "dataforseo_labs/google/historical_search_volume" => (labs::history, 10_100),
        "dataforseo_labs/google/related_keywords" => (labs::related, 10_100),
        "dataforseo_labs/google/keyword_suggestions" => (labs::suggestions, 10_100),
        "dataforseo_labs/google/keyword_ideas" => (labs::ideas, 10_100),
        "dataforseo_labs/google/keywords_for_site" => (labs::for_site, 10_100),
        "dataforseo_labs/google/bulk_keyword_difficulty" => (labs::difficulty, 10_100),
        "dataforseo_labs/google/search_intent" => (labs::intent, 1_100),
        "dataforseo_labs/google/ranked_keywords" => (labs::ranked, 10_100),
        "dataforseo_labs/google/domain_intersection" => (labs::intersection, 10_100),
        "dataforseo_labs/google/competitors_domain" => (labs::competitors, 10_100),
        "backlinks/summary" => (backlinks::summary, 20_000),
        "backlinks/backlinks" => (backlinks::list, 20_000),
        "backlinks/referring_domains" => (backlinks::domains, 20_000),
        "backlinks/anchors" => (backlinks::anchors, 20_000),
        "backlinks/domain_intersection" => (backlinks::intersection, 20_000),
        _ => return None,
    })
}

/// The whole answer.
fn envelope(http: u16, code: u32, message: &str, tasks: &[Value]) -> Reply {
    let failed = tasks.iter().filter(|task| task["status_code"].as_u64() >= Some(40_000)).count();
    let cost: f64 = tasks.iter().filter_map(|task| task["cost"].as_f64()).sum();
    Reply::json(http, &json!({ "version": "0.1.20261101", "status_code": code, "status_message": message, "time": "0.1420 sec.", "cost": cost,
        "tasks_count": tasks.len(), "tasks_error": failed, "tasks": if tasks.is_empty() && code >= 40_000 { Value::Null } else { json!(tasks) } }))
        .header("x-ratelimit-limit", 2_000)
        .header("x-ratelimit-remaining", if code == 40_202 { 0 } else { 1_999 })
}

impl Provider for DataForSeo {
    fn credentials(&self) -> Value {
        json!({ "login": LOGIN, "password": PASSWORD })
    }

    fn auth(&self, request: &Request) -> Auth {
        request.check_basic(LOGIN, PASSWORD)
    }

    fn answer(&self, request: &Request, desk: &Desk) -> Reply {
        let account = &mut *lock(&self.0);
        let (method, parts) = request.route();
        let Some(("v3", rest)) = parts.split_first().map(|(first, rest)| (*first, rest)) else { return missing() };
        let path: Vec<&str> = rest.to_vec();
        match (method, path.as_slice()) {
            ("GET", ["appendix", "user_data"]) => user_data(account),
            ("GET", ["serp", "google" | "bing", "locations", country]) => {
                let places = serp::locations(country);
                envelope(200, 20_000, "Ok.", &[told(account, &path, &Value::Null, Ok(places), 0)])
            }
            ("POST", [endpoint @ .., "live"] | [endpoint @ .., "live", "advanced" | "regular"]) => {
                live(account, request, desk, &endpoint.join("/"), &path)
            }
            ("POST", [endpoint @ .., "task_post"]) => posted(account, request, desk, &endpoint.join("/"), &path),
            ("GET", [endpoint @ .., "tasks_ready"]) => {
                let endpoint = endpoint.join("/");
                let ready: Vec<Value> = account.tasks.iter_mut().filter(|(_, task)| task.endpoint == endpoint).filter_map(|(id, task)| {
                    let ready = std::mem::replace(&mut task.looked_at, true);
                    ready.then(|| json!({ "id": id, "se": "google", "endpoint_advanced": format!("/v3/{endpoint}/task_get/advanced/{id}"), "tag": task.data["tag"] }))
                }).collect();
                envelope(200, 20_000, "Ok.", &[told(account, &path, &Value::Null, Ok(json!(ready)), 0)])
            }
            ("GET", [.., "task_get", id] | [.., "task_get", "advanced" | "regular", id]) => {
                collected(account, desk, id, &path)
            }
            _ => missing(),
        }
    }

    fn refused(&self, _: &Request) -> Reply {
        envelope(401, 40_100, "You are not Authorized to Access this resource.", &[])
            .header("www-authenticate", "Basic realm=\"DataForSEO\"")
    }

    fn rate_limited(&self, _: &Request) -> Reply {
        envelope(200, 40_202, "Your request rate limit per minute has been exceeded.", &[])
    }

    fn broken(&self, _: &Request) -> Reply {
        envelope(500, 50_000, "Internal Error.", &[])
    }
}

fn missing() -> Reply {
    envelope(404, 40_400, "Not Found.", &[])
}

/// One task as the answer shows it.
fn told(account: &mut Account, path: &[&str], data: &Value, result: Result<Value, Refused>, cost: u64) -> Value {
    account.made += 1;
    let id = format!("11221200-1535-0139-0000-{:012x}", account.made);
    let (code, message, result) = match result {
        Ok(Value::Null) => (20_100, "Task Created.".to_owned(), Value::Null),
        Ok(result) => (20_000, "Ok.".to_owned(), result),
        Err(Refused(code, message)) => (code, message, Value::Null),
    };
    let cost = if code < 40_000 { cost } else { 0 };
    account.balance = account.balance.saturating_sub(cost);
    let full: Vec<&str> = std::iter::once("v3").chain(path.iter().copied()).collect();
    json!({ "id": id, "status_code": code, "status_message": message, "time": "0.1370 sec.", "cost": cost as f64 / 1e6,
        "result_count": result.as_array().map_or(0, Vec::len), "path": full, "data": data, "result": result })
}

/// The tasks of the body, or the refusal of it.
fn given(account: &Account, request: &Request, most: usize, cost: u64) -> Result<Vec<Value>, Box<Reply>> {
    let Value::Array(tasks) = request.json() else {
        return Err(Box::new(envelope(200, 40_503, "POST Data Is Invalid.", &[])));
    };
    if tasks.is_empty() || tasks.len() > most {
        let message = format!("You can set only {most} task(s) at a time.");
        return Err(Box::new(envelope(200, 40_006, &message, &[])));
    }
    if account.balance < cost * tasks.len() as u64 {
        return Err(Box::new(envelope(402, 40_200, "Payment Required.", &[])));
    }
    Ok(tasks)
}

fn live(account: &mut Account, request: &Request, desk: &Desk, endpoint: &str, path: &[&str]) -> Reply {
    let Some((work, cost)) = work(endpoint) else { return missing() };
    let tasks = match given(account, request, 1, cost) {
        Ok(tasks) => tasks,
        Err(reply) => return *reply,
    };
    desk.effect("task.charged", endpoint, request);
    let done: Vec<Value> = tasks.iter().map(|data| told(account, path, data, work(data, desk.seed), cost)).collect();
    envelope(200, 20_000, "Ok.", &done)
}

fn posted(account: &mut Account, request: &Request, desk: &Desk, endpoint: &str, path: &[&str]) -> Reply {
    let Some((work, cost)) = work(endpoint) else { return missing() };
    let tasks = match given(account, request, TASKS, cost / 3) {
        Ok(tasks) => tasks,
        Err(reply) => return *reply,
    };
    let mut created = Vec::new();
    for data in tasks {
        // What is wrong with a task is said at once; that there is nothing to be found, only when it is collected.
        let result = match work(&data, desk.seed) {
            Ok(_) | Err(Refused(40_102, _)) => Ok(Value::Null),
            Err(refused) => Err(refused),
        };
        let task = told(account, path, &data, result, cost / 3);
        if let (Some(id), 20_100) = (task["id"].as_str(), task["status_code"].as_u64().unwrap_or(0)) {
            desk.effect("task.charged", endpoint, request);
            account.tasks.insert(id.to_owned(), Task { endpoint: endpoint.to_owned(), data, looked_at: false });
        }
        created.push(task);
    }
    envelope(200, 20_000, "Ok.", &created)
}

fn collected(account: &mut Account, desk: &Desk, id: &str, path: &[&str]) -> Reply {
    let first = account.tasks.get_mut(id).is_some_and(|task| !std::mem::replace(&mut task.looked_at, true));
    let result = match account.tasks.get(id) {
        None => Err(Refused(40_401, "Task Not Found.".to_owned())),
        Some(_) if first => Err(Refused(40_602, "Task In Queue.".to_owned())),
        Some(task) => work(&task.endpoint).map_or(Ok(json!([])), |(work, _)| work(&task.data, desk.seed)),
    };
    let data = account.tasks.get(id).map_or(Value::Null, |task| task.data.clone());
    let mut task = told(account, path, &data, result, 0);
    task["id"] = json!(id);
    envelope(200, 20_000, "Ok.", &[task])
}

fn user_data(account: &mut Account) -> Reply {
    let left = account.balance as f64 / 1e6;
    let result = json!([{ "login": LOGIN, "timezone": "UTC", "money": { "total": BALANCE as f64 / 1e6, "balance": left }, "rates": { "limits": { "minute": { "total": 2_000 } } } }]);
    envelope(200, 20_000, "Ok.", &[told(account, &["appendix", "user_data"], &Value::Null, Ok(result), 0)])
}

/// A required text of a task.
fn text<'a>(data: &'a Value, name: &str) -> Result<&'a str, Refused> {
    data[name]
        .as_str()
        .filter(|it| !it.trim().is_empty())
        .ok_or_else(|| Refused(40_501, format!("Invalid Field: '{name}'.")))
}

/// A required list of texts of a task.
fn texts(data: &Value, name: &str, most: usize) -> Result<Vec<String>, Refused> {
    let wrong = || Refused(40_501, format!("Invalid Field: '{name}'."));
    let all = data[name].as_array().ok_or_else(wrong)?;
    let texts: Option<Vec<String>> = all.iter().map(|it| it.as_str().map(str::to_owned)).collect();
    texts.filter(|it| (1..=most).contains(&it.len())).ok_or_else(wrong)
}

/// `limit` and `offset` of a task, with the documented default and maximum.
fn window(data: &Value) -> Result<(usize, usize), Refused> {
    let limit = data["limit"].as_u64().unwrap_or(100);
    if !(1..=1_000).contains(&limit) {
        return Err(Refused(40_501, "Invalid Field: 'limit'.".to_owned()));
    }
    let number = |value: u64| usize::try_from(value).unwrap_or(usize::MAX);
    Ok((number(data["offset"].as_u64().unwrap_or(0)), number(limit)))
}

/// `2026-11-22 09:00:00 +00:00`, the form of dates.
fn stamp() -> String {
    Timestamp::now().strftime("%Y-%m-%d %H:%M:%S +00:00").to_string()
}

/// Says that a market was named, by code or by name.
fn market(data: &Value) -> Result<(), Refused> {
    let any = |names: [&str; 2]| names.iter().any(|name| !data[*name].is_null());
    if !any(["location_code", "location_name"]) && data["location_coordinate"].is_null() {
        return Err(Refused(40_501, "Invalid Field: 'location_code'.".to_owned()));
    }
    if !any(["language_code", "language_name"]) {
        return Err(Refused(40_501, "Invalid Field: 'language_code'.".to_owned()));
    }
    Ok(())
}
