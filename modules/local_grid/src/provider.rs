//! Google Maps results by the customer's DataForSEO account, at exact coordinates.
//!
//! Source: docs.dataforseo.com/v3/serp/google/maps/task_post, tasks_ready, task_get/advanced and appendix/errors. A task is
//! ordered, waits in the standard queue and is collected by its id for up to 30 days; only ordering is charged. The HTTP
//! status is 200 for most refusals; what happened is in `status_code` of the answer and of each task.

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Send, SendFailure, json};

use crate::geodesy::Point;
use crate::recognise::Seen;

const ORDER: &str = "/v3/serp/google/maps/task_post";
const READY: &str = "/v3/serp/google/maps/tasks_ready";
const RESULT: &str = "/v3/serp/google/maps/task_get/advanced";

const DONE: u64 = 20_000;
const CREATED: u64 = 20_100;
/// "No Search Results": the map is empty there.
const EMPTY: u64 = 40_102;
/// "Task Handed" and "Task In Queue".
const UNDER_WAY: [u64; 2] = [40_601, 40_602];

/// One search from one point.
pub(crate) struct Order<'a> {
    pub(crate) keyword: &'a str,
    pub(crate) point: Point,
    /// Metres to the next pin: the part of the map that is looked at is about as wide.
    pub(crate) spacing_m: u32,
    pub(crate) language: &'a str,
    pub(crate) depth: u32,
    pub(crate) tag: String,
}

/// What came of an order.
#[derive(Debug, PartialEq)]
pub(crate) enum Ordered {
    /// For each task its id and price in millionths of a US dollar, or the status that refuses it.
    Taken(Vec<Result<(String, u64), u64>>),
    /// It may have arrived, and nobody knows.
    Nobody,
    /// It was not taken.
    Later(SendFailure),
}

/// What became of a task.
#[derive(Debug, PartialEq)]
pub(crate) enum Looked {
    /// Its results, the best first; none where the map is empty.
    Found(Vec<Item>),
    /// It is not done.
    Waiting,
    /// It will never have any, by this status.
    Nothing(u64),
    /// The provider could not be asked.
    Later(SendFailure),
}

/// A business in the results.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Item {
    pub(crate) rank: u32,
    pub(crate) seen: Seen,
    pub(crate) category: Option<String>,
    pub(crate) rating: Option<f64>,
    pub(crate) votes: Option<u64>,
}

impl Order<'_> {
    /// As the provider documents it. `%` and `+` are written as it wants them; seven digits are a centimetre.
    fn written(&self) -> Value {
        let Point { latitude, longitude } = self.point;
        json!({
            "keyword": self.keyword.replace('%', "%25").replace('+', "%2B"),
            "location_coordinate": format!("{latitude:.7},{longitude:.7},{}z", self.zoom()),
            "language_code": self.language,
            "device": "desktop",
            "depth": self.depth,
            "priority": 1,
            "search_this_area": true,
            // A place that the words may name must not move the map there.
            "search_places": false,
            "tag": self.tag,
        })
    }

    /// How near the map is looked at: at 17 a screen shows some hundred metres, and twice as much for each step less.
    fn zoom(&self) -> u32 {
        match self.spacing_m {
            ..=300 => 17,
            301..=700 => 16,
            701..=1_500 => 15,
            1_501..=3_000 => 14,
            3_001..=6_000 => 13,
            _ => 12,
        }
    }
}

/// Orders up to 100 tasks.
pub(crate) fn order(cx: &Cx, account: &str, orders: &[Order<'_>]) -> Ordered {
    let tasks: Vec<Value> = orders.iter().map(Order::written).collect();
    let answer = match asked(cx, &Send::post(account, ORDER).timeout(45_000).json(&tasks)) {
        Ok(answer) => answer,
        Err(SendFailure::UnknownOutcome) => return Ordered::Nobody,
        Err(failure) => return Ordered::Later(failure),
    };
    let told = answer["tasks"].as_array().map(Vec::as_slice).unwrap_or_default();
    // Tasks are told apart by their tags: nothing says that answers come in the order of the questions.
    let by_tag: BTreeMap<&str, &Value> =
        told.iter().filter_map(|task| Some((task["data"]["tag"].as_str()?, task))).collect();
    let taken = |order: &Order<'_>| {
        let Some(task) = by_tag.get(order.tag.as_str()) else { return Err(0) };
        match (code(task), task["id"].as_str()) {
            (CREATED, Some(id)) => Ok((id.to_owned(), micros(&task["cost"]))),
            (code, _) => Err(code),
        }
    };
    let answers: Vec<Result<(String, u64), u64>> = orders.iter().map(taken).collect();
    // The account is used up, or asked too fast: that is no fault of the tasks.
    if answers.iter().all(|it| matches!(it, Err(40_200..=40_299))) {
        return Ordered::Later(SendFailure::RateLimited(None));
    }
    Ordered::Taken(answers)
}

/// Tasks that are done and were not collected, by their tags.
pub(crate) fn ready(cx: &Cx, account: &str) -> Result<BTreeMap<String, String>, SendFailure> {
    let answer = asked(cx, &Send::get(account, READY).timeout(30_000))?;
    let rows = answer["tasks"][0]["result"].as_array().map(Vec::as_slice).unwrap_or_default();
    let row = |row: &Value| Some((row["tag"].as_str()?.to_owned(), row["id"].as_str()?.to_owned()));
    Ok(rows.iter().filter_map(row).collect())
}

/// Looks after tasks; answers in their order.
pub(crate) fn look(cx: &Cx, account: &str, tasks: &[&str]) -> Vec<Looked> {
    let send = |id: &&str| Send::get(account, format!("{RESULT}/{id}")).timeout(30_000).max_bytes(4 << 20);
    let answers = cx.connections().send_many(tasks.iter().map(send));
    answers.into_iter().map(|answer| answer.and_then(read).map_or_else(Looked::Later, |it| result(&it))).collect()
}

fn asked(cx: &Cx, send: &Send) -> Result<Value, SendFailure> {
    read(cx.connections().send(send)?)
}

/// The answer as JSON; what says that the account is at fault is a failure.
fn read(answer: sdk::Sent) -> Result<Value, SendFailure> {
    if answer.status == 402 {
        return Err(SendFailure::RateLimited(None));
    }
    if answer.status >= 500 {
        return Err(SendFailure::Unreachable);
    }
    let answer: Value = answer.json()?;
    match code(&answer) {
        40_100..=40_101 | 40_103..=40_199 => Err(SendFailure::ExpiredCredential),
        40_200..=40_299 => Err(SendFailure::RateLimited(None)),
        50_000.. => Err(SendFailure::Unreachable),
        _ => Ok(answer),
    }
}

fn result(answer: &Value) -> Looked {
    let task = &answer["tasks"][0];
    match code(task) {
        DONE => Looked::Found(items(&task["result"][0]["items"])),
        EMPTY => Looked::Found(Vec::new()),
        code if UNDER_WAY.contains(&code) => Looked::Waiting,
        code => Looked::Nothing(code),
    }
}

/// Businesses among the elements of a result; advertisements have a type of their own and no rank.
fn items(elements: &Value) -> Vec<Item> {
    let elements = elements.as_array().map(Vec::as_slice).unwrap_or_default();
    let mut items: Vec<Item> = elements.iter().filter(|it| it["type"] == "maps_search").filter_map(item).collect();
    items.sort_by_key(|it| it.rank);
    items
}

fn item(element: &Value) -> Option<Item> {
    let text = |member: &str| element[member].as_str().map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned);
    let point = element["latitude"].as_f64().zip(element["longitude"].as_f64());
    Some(Item {
        rank: u32::try_from(element["rank_group"].as_u64()?).ok().filter(|it| *it > 0)?,
        seen: Seen {
            place_id: text("place_id"),
            name: text("title")?,
            phone: text("phone"),
            domain: text("domain"),
            address: text("address"),
            point: point.map(|(latitude, longitude)| Point { latitude, longitude }),
        },
        category: text("category"),
        rating: element["rating"]["value"].as_f64(),
        votes: element["rating"]["votes_count"].as_u64(),
    })
}

fn code(it: &Value) -> u64 {
    it["status_code"].as_u64().unwrap_or_default()
}

/// Dollars as millionths.
fn micros(cost: &Value) -> u64 {
    (cost.as_f64().unwrap_or_default().clamp(0.0, 1e6) * 1e6).round() as u64
}

#[cfg(test)]
mod tests;
