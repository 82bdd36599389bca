//! Reviews of a location and the owner's replies (My Business v4).
//!
//! Source: developers.google.com/my-business/reference/rest/v4/accounts.locations.reviews. At most 50 on a page.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::business::ACCOUNT;
use super::{invalid, not_found, tokened};
use crate::provider::Desk;
use crate::reply::Reply;
use crate::request::Request;
use crate::seed::Seed;
use crate::shop;

const STARS: [&str; 5] = ["ONE", "TWO", "THREE", "FOUR", "FIVE"];
const GOOD: [&str; 4] = [
    "They mended my grandmother's lamp while I waited.",
    "Friendly staff and a lamp that lights exactly the book.",
    "Fair price for a new cord, would come again.",
    "Lovely shop, the brass floor lamp is a joy.",
];
const BAD: [&str; 3] = [
    "Waited twenty minutes at the counter and nobody came.",
    "The delivery was a week late and the shade was bent.",
    "The bulb they sold me flickers.",
];

/// Reviews by their name, newest first when listed.
pub(crate) struct Reviews(BTreeMap<String, Value>);

impl Reviews {
    pub(super) fn new(seed: Seed) -> Self {
        let mut all = BTreeMap::new();
        for store in shop::STORES {
            for nth in 0..64_u64 {
                let mut dice = seed.dice(&["review", store.id, &nth.to_string()]);
                let good = dice.below(10) < 8;
                let stars = if good { STARS[3 + dice.below(2) as usize] } else { STARS[dice.below(3) as usize] };
                let age = i64::try_from(nth * 150 + dice.below(100)).unwrap_or(0) + 24;
                let written =
                    (Timestamp::now() - SignedDuration::from_hours(age)).strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
                let id = format!("AbFvOq{}", dice.hex(12));
                let name = format!("{ACCOUNT}/locations/{}/reviews/{id}", store.id);
                let mut review = json!({ "name": name, "reviewId": id, "starRating": stars, "createTime": written, "updateTime": written,
                    "reviewer": { "displayName": format!("Visitor {}", dice.between(10, 99)), "isAnonymous": false } });
                if dice.below(5) > 0 {
                    review["comment"] = json!(if good { *dice.pick(&GOOD) } else { *dice.pick(&BAD) });
                }
                if dice.below(3) == 0 {
                    review["reviewReply"] = json!({ "comment": "Thank you for coming by.", "updateTime": written });
                }
                all.insert(name, review);
            }
        }
        Self(all)
    }
}

pub(super) fn answer(held: &mut Reviews, request: &Request, desk: &Desk) -> Reply {
    let (method, parts) = request.route();
    let parts = &parts[1..];
    match (method, parts) {
        ("GET", [.., "reviews"]) => {
            let under = format!("{}/", parts.join("/"));
            let mut all: Vec<Value> =
                held.0.iter().filter(|(name, _)| name.starts_with(&under)).map(|(_, it)| it.clone()).collect();
            if all.is_empty() {
                return not_found();
            }
            let stars = |review: &Value| STARS.iter().position(|it| review["starRating"] == *it).unwrap_or(0) + 1;
            match request.query("orderBy").unwrap_or("updateTime desc") {
                "rating" => all.sort_by_key(stars),
                "rating desc" => all.sort_by_key(|it| std::cmp::Reverse(stars(it))),
                "updateTime desc" => all.sort_by_key(|it| std::cmp::Reverse(it["updateTime"].to_string())),
                _ => return invalid("Invalid value at 'order_by'."),
            }
            let average = all.iter().map(stars).sum::<usize>() as f64 / all.len() as f64;
            let reply = tokened(&all, request, 50, "reviews");
            let mut body: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
            body["averageRating"] = json!((average * 10.0).round() / 10.0);
            body["totalReviewCount"] = json!(all.len());
            if reply.status == 200 { Reply::ok(&body) } else { reply }
        }
        ("GET", [.., "reviews", _]) => held.0.get(&parts.join("/")).map_or_else(not_found, Reply::ok),
        (method, [before @ .., "reply"]) => {
            let Some(review) = held.0.get_mut(&before.join("/")) else { return not_found() };
            match method {
                "PUT" => {
                    let given = request.json();
                    // 4,096 bytes are the documented bound.
                    let Some(comment) =
                        given["comment"].as_str().filter(|it| !it.trim().is_empty() && it.len() <= 4_096)
                    else {
                        return invalid("Request contains an invalid argument: comment.");
                    };
                    let made = review.get("reviewReply").is_none();
                    review["reviewReply"] = json!({ "comment": comment, "updateTime": Timestamp::now().to_string() });
                    desk.effect(if made { "reply.created" } else { "reply.replaced" }, before.join("/"), request);
                    Reply::ok(&review["reviewReply"])
                }
                "DELETE" => {
                    if let Some(members) = review.as_object_mut() {
                        members.remove("reviewReply");
                    }
                    desk.effect("reply.deleted", before.join("/"), request);
                    Reply::ok(&json!({}))
                }
                _ => not_found(),
            }
        }
        _ => not_found(),
    }
}
