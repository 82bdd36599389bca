//! Posts as Google has them.
//!
//! Source: developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts.

use sdk::Send;
use sdk::prelude::*;
use sdk::serde_json::Value;

use crate::google;
use crate::place::Place;

/// The kinds of post.
#[value]
pub(crate) enum Type {
    Update,
    Offer,
    Event,
}

/// A post that is there.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Post {
    /// `accounts/…/locations/…/localPosts/…`.
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) kind: Type,
    /// As Google writes it: `LIVE`, `REJECTED`, `PROCESSING`.
    pub(crate) state: String,
    pub(crate) created_at: Option<Moment>,
    pub(crate) link: Option<String>,
    pub(crate) start: Option<Day>,
    pub(crate) end: Option<Day>,
}

/// Reads a post.
pub(crate) fn post(given: &Value) -> Option<Post> {
    let text = |value: &Value| value.as_str().filter(|it| !it.is_empty()).map(str::to_owned);
    let schedule = &given["event"]["schedule"];
    Some(Post {
        name: text(&given["name"])?,
        text: text(&given["summary"]).unwrap_or_default(),
        kind: match given["topicType"].as_str() {
            Some("EVENT") => Type::Event,
            Some("OFFER") => Type::Offer,
            _ => Type::Update,
        },
        state: text(&given["state"]).unwrap_or_else(|| "UNKNOWN".to_owned()),
        created_at: text(&given["createTime"]).and_then(|it| moment(&it)),
        link: text(&given["callToAction"]["url"]).or_else(|| text(&given["offer"]["redeemOnlineUrl"])),
        start: crate::week::date(&schedule["startDate"]),
        end: crate::week::date(&schedule["endDate"]),
    })
}

/// An instant of Google, with or without parts of a second.
pub(crate) fn moment(text: &str) -> Option<Moment> {
    let whole = match text.split_once('.') {
        Some((seconds, _)) => format!("{seconds}Z"),
        None => text.to_owned(),
    };
    whole.parse().ok()
}

/// The posts of a location, the newest first, from up to so many answers of 100; whether more are there.
pub(crate) fn posts(cx: &Cx, place: &Place, answers: usize) -> Result<(Vec<Post>, bool)> {
    let (mut all, mut token) = (Vec::new(), String::new());
    for _ in 0..answers {
        let mut request =
            Send::get(&place.connection, format!("{}/localPosts", place.v4())).service("v4").query("pageSize", 100);
        if !token.is_empty() {
            request = request.query("pageToken", &token);
        }
        let answer = google::answered(cx.connections().send(&request), "/location_ref")?;
        all.extend(answer["localPosts"].as_array().into_iter().flatten().filter_map(post));
        match answer["nextPageToken"].as_str().filter(|it| !it.is_empty()) {
            Some(next) => token = next.to_owned(),
            None => {
                token.clear();
                break;
            }
        }
    }
    all.sort_by_key(|it| std::cmp::Reverse(it.created_at));
    Ok((all, !token.is_empty()))
}
