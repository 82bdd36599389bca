//! Google Maps results by the customer's DataForSEO account, at exact coordinates.
//!
//! Source: docs.dataforseo.com/v3/serp/google/maps/task_post, tasks_ready and task_get/advanced.

use dataforseo::{Collected, Ordered, Refusal};
use sdk::json;
use sdk::prelude::*;
use sdk::serde_json::Value;

use crate::geodesy::Point;
use crate::recognise::Seen;

const ENDPOINT: &str = "serp/google/maps";
const RESULTS: &str = "serp/google/maps/task_get/advanced";

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
    Later(Refusal),
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
    /// As the provider documents it; seven digits are a centimetre.
    fn written(&self) -> Value {
        let Point { latitude, longitude } = self.point;
        json!({
            "keyword": dataforseo::escaped(self.keyword),
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
    dataforseo::order(cx, account, ENDPOINT, &orders.iter().map(Order::written).collect::<Vec<Value>>())
}

/// Tasks that are done and were not collected, by their tags.
pub(crate) fn ready(cx: &Cx, account: &str) -> Result<std::collections::BTreeMap<String, String>, Refusal> {
    dataforseo::ready(cx, account, ENDPOINT)
}

/// Looks after tasks; answers in their order.
pub(crate) fn look(cx: &Cx, account: &str, tasks: &[&str]) -> Vec<Looked> {
    let looked = |collected| match collected {
        Collected::Done(results) => Looked::Found(results.first().map_or_else(Vec::new, |it| items(&it["items"]))),
        Collected::Waiting => Looked::Waiting,
        Collected::Failed(code) => Looked::Nothing(code),
        Collected::NotAsked(refusal) => Looked::Later(refusal),
    };
    dataforseo::collect(cx, account, RESULTS, tasks).into_iter().map(looked).collect()
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

#[cfg(test)]
mod tests;
