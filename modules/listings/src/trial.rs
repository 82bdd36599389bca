//! A Google with profiles, for native tests: what is sent changes it, and what it changed by itself is shown.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use sdk::prelude::*;
use sdk::serde_json::{self, Value};
use sdk::{Fake, ProviderAsked, ProviderSaid, SendFailure, json};
use site::Site;

/// The location of the tests.
pub(crate) const LOCATION: &str = "108800001.4503600001.con_1";
/// The website that it links to.
pub(crate) const SHOP: &str = "https://shop.example/locations/lampton";

/// What Google holds.
#[derive(Clone)]
pub(crate) struct Google {
    pub(crate) profile: Rc<RefCell<Value>>,
    pub(crate) edited: Rc<RefCell<Value>>,
    pub(crate) attributes: Rc<RefCell<Vec<Value>>>,
    /// Posts and media by their path.
    pub(crate) held: Rc<RefCell<BTreeMap<String, Value>>>,
    pub(crate) reviews: Rc<RefCell<Vec<Value>>>,
    /// Lists of reviews break off at this page.
    pub(crate) breaks_at: Rc<Cell<Option<usize>>>,
    /// The next change is made and its answer lost.
    pub(crate) loses_answer: Rc<Cell<bool>>,
    /// Changes that were made.
    pub(crate) changes: Rc<RefCell<Vec<String>>>,
}

const CATEGORIES: [(&str, &str); 4] = [
    ("gcid:lighting_store", "Lighting store"),
    ("gcid:lamp_repair_service", "Lamp repair service"),
    ("gcid:furniture_store", "Furniture store"),
    ("gcid:gift_shop", "Gift shop"),
];

fn named((id, name): (&str, &str)) -> Value {
    json!({ "name": format!("categories/{id}"), "displayName": name })
}

/// A review as Google writes it.
pub(crate) fn review(id: &str, stars: &str, day: &str, text: Option<&str>) -> Value {
    let mut review = json!({
        "reviewId": id, "starRating": stars, "createTime": format!("{day}T09:00:00.123Z"), "updateTime": format!("{day}T09:00:00Z"),
        "reviewer": { "displayName": "Ada Lovelace", "profilePhotoUrl": "https://lh3.example/photo" },
    });
    if let Some(text) = text {
        review["comment"] = json!(text);
    }
    review
}

impl Google {
    /// A shop in good order.
    pub(crate) fn shop() -> Self {
        let week: Vec<Value> = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY"]
            .iter()
            .map(|day| json!({ "openDay": day, "openTime": { "hours": 9 }, "closeDay": day, "closeTime": { "hours": 17, "minutes": 30 } }))
            .collect();
        let profile = json!({
            "name": "locations/4503600001", "languageCode": "en", "storeCode": "LAMPTON", "title": "Lamp shop Lampton",
            "phoneNumbers": { "primaryPhone": "+44 20 7946 0101", "additionalPhones": [] }, "websiteUri": SHOP,
            "categories": { "primaryCategory": named(CATEGORIES[0]), "additionalCategories": [named(CATEGORIES[1])] },
            "storefrontAddress": { "regionCode": "GB", "languageCode": "en", "postalCode": "TW3 4EW", "locality": "Lampton", "addressLines": ["1 Lamp Lane"] },
            "regularHours": { "periods": week }, "specialHours": {}, "serviceItems": [],
            "latlng": { "latitude": 51.475, "longitude": -0.364 }, "openInfo": { "status": "OPEN", "canReopen": true },
            "profile": { "description": "Lamps made to be mended, not replaced." },
            "metadata": { "hasGoogleUpdated": false, "hasPendingEdits": false, "hasVoiceOfMerchant": true, "placeId": "ChIJlamp", "mapsUri": "https://maps.google.com/maps?cid=1", "newReviewUri": "https://search.google.com/local/writereview?placeid=ChIJlamp" },
        });
        Self {
            profile: Rc::new(RefCell::new(profile)),
            edited: Rc::new(RefCell::new(json!({}))),
            attributes: Rc::default(),
            held: Rc::default(),
            reviews: Rc::default(),
            breaks_at: Rc::default(),
            loses_answer: Rc::default(),
            changes: Rc::default(),
        }
    }

    /// A customer with this Google, and a website.
    pub(crate) fn fake(&self) -> Fake {
        let fake = crate::fake().connected("con_1", "google_business_profile");
        let site = Site {
            domain: "shop.example".to_owned(),
            origin: "https://shop.example".to_owned(),
            name: Some("Lamp shop".to_owned()),
            ..Site::default()
        };
        fake.put_as("81", site);
        let own = self.clone();
        fake.provider_plays(move |asked| own.answer(asked));
        fake
    }

    fn answer(&self, asked: &ProviderAsked<'_>) -> Option<std::result::Result<ProviderSaid, SendFailure>> {
        let changes = asked.method != "GET" && !asked.query.iter().any(|it| it.0 == "validateOnly");
        let (status, body) = self.reply(asked)?;
        if changes && status == 200 {
            self.changes.borrow_mut().push(format!("{} {}", asked.method, asked.path));
            if self.loses_answer.take() {
                return Some(Err(SendFailure::UnknownOutcome));
            }
        }
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        Some(Ok((status, headers, body.to_string().into_bytes())))
    }

    fn reply(&self, asked: &ProviderAsked<'_>) -> Option<(u16, Value)> {
        let query = |name: &str| asked.query.iter().find(|it| it.0 == name).map(|it| it.1.as_str());
        let body = || serde_json::from_slice::<Value>(asked.body).expect("JSON");
        let v4 = "/v4/accounts/108800001/locations/4503600001";
        let ok = |body: Value| Some((200, body));
        match (asked.method, asked.path) {
            ("GET", "/v1/accounts") => ok(json!({ "accounts": [{ "name": "accounts/108800001" }] })),
            ("GET", "/v1/accounts/108800001/locations") => ok(json!({ "locations": [*self.profile.borrow()] })),
            ("GET", "/v1/locations/4503600001") => ok(self.profile.borrow().clone()),
            ("GET", "/v1/locations/4503600001:getGoogleUpdated") => {
                let mut shown = self.profile.borrow().clone();
                let edited = self.edited.borrow();
                let fields: Vec<&String> = edited.as_object().into_iter().flat_map(|it| it.keys()).collect();
                for field in &fields {
                    shown[field.as_str()] = edited[field.as_str()].clone();
                }
                let mask = fields.iter().map(|it| it.as_str()).collect::<Vec<_>>().join(",");
                ok(json!({ "location": shown, "diffMask": mask, "pendingMask": "" }))
            }
            ("PATCH", "/v1/locations/4503600001") => {
                self.patch(query("updateMask")?, &body(), query("validateOnly").is_some())
            }
            ("GET", "/v1/attributes") => ok(json!({ "attributeMetadata": [
                { "parent": "attributes/has_in_store_pickup", "valueType": "BOOL" },
                { "parent": "attributes/pay_credit_card_types_accepted", "valueType": "REPEATED_ENUM", "valueMetadata": [{ "value": "visa" }, { "value": "mastercard" }] },
            ] })),
            ("GET", "/v1/locations/4503600001/attributes") => ok(json!({ "attributes": *self.attributes.borrow() })),
            ("PATCH", "/v1/locations/4503600001/attributes") => {
                let mask: Vec<&str> = query("attributeMask")?.split(',').collect();
                let mut all = self.attributes.borrow_mut();
                all.retain(|it| !mask.iter().any(|name| it["name"] == *name));
                all.extend(body()["attributes"].as_array().cloned().unwrap_or_default());
                ok(json!({ "attributes": *all }))
            }
            ("GET", "/v1/categories") => {
                let wanted = query("filter")?.trim_start_matches("displayName=").to_lowercase();
                let all = CATEGORIES.iter().filter(|it| it.1.to_lowercase().contains(&wanted));
                ok(json!({ "categories": all.map(|it| named(*it)).collect::<Vec<_>>() }))
            }
            (method, path) if path.starts_with(v4) => {
                self.version_4(method, &path[v4.len()..], &body, query("pageToken"))
            }
            (_, path) if path.ends_with(":fetchMultiDailyMetricsTimeSeries") => ok(self.performance(asked)),
            (_, path) if path.ends_with("/searchkeywords/impressions/monthly") => ok(json!({ "searchKeywordsCounts": [
                { "searchKeyword": "lamp shop", "insightsValue": { "value": "300" } },
                { "searchKeyword": "lampshop lampton", "insightsValue": { "value": "40" } },
                { "searchKeyword": "lamp repair", "insightsValue": { "value": "100" } },
                { "searchKeyword": "antique clock", "insightsValue": { "value": "60" } },
                { "searchKeyword": "oil wick", "insightsValue": { "threshold": "15" } },
            ] })),
            _ => Some((404, json!({ "error": { "code": 404 } }))),
        }
    }

    fn patch(&self, mask: &str, body: &Value, only_tried: bool) -> Option<(u16, Value)> {
        if body["title"] == "refused" {
            let details = json!([{ "fieldViolations": [{ "field": "title", "description": "REQUIRED_FIELD" }] }]);
            return Some((400, json!({ "error": { "code": 400, "details": details } })));
        }
        let mut profile = self.profile.borrow().clone();
        for field in mask.split(',') {
            profile[field] = body[field].clone();
        }
        if !only_tried {
            if let Some(edited) = self.edited.borrow_mut().as_object_mut() {
                edited.retain(|name, _| !mask.split(',').any(|field| field == name));
            }
            *self.profile.borrow_mut() = profile.clone();
        }
        Some((200, profile))
    }

    fn version_4(
        &self,
        method: &str,
        path: &str,
        body: &dyn Fn() -> Value,
        token: Option<&str>,
    ) -> Option<(u16, Value)> {
        let mut held = self.held.borrow_mut();
        let named = format!("accounts/108800001/locations/4503600001{path}");
        match (method, path) {
            ("GET", "/localPosts") | ("GET", "/media") => {
                let all: Vec<Value> =
                    held.iter().filter(|it| it.0.starts_with(&named)).map(|it| it.1.clone()).collect();
                Some((200, if path == "/media" { json!({ "mediaItems": all }) } else { json!({ "localPosts": all }) }))
            }
            ("POST", "/localPosts") | ("POST", "/media") => {
                let name = format!("{named}/{}", 3_000 + held.len());
                let mut it = body();
                it["name"] = json!(name);
                it["state"] = json!("LIVE");
                it["createTime"] = json!("2026-09-28T00:00:00Z");
                held.insert(name, it.clone());
                Some((200, it))
            }
            ("GET", "/reviews") => {
                let at: usize = token.map_or(0, |it| it.parse().unwrap());
                if self.breaks_at.get() == Some(at) {
                    return Some((503, json!({})));
                }
                let all = self.reviews.borrow();
                let page: Vec<Value> = all.iter().skip(at * 50).take(50).cloned().collect();
                let mut answer = json!({ "reviews": page, "totalReviewCount": all.len(), "averageRating": 4.2 });
                if (at + 1) * 50 < all.len() {
                    answer["nextPageToken"] = json!((at + 1).to_string());
                }
                Some((200, answer))
            }
            (method, path) if path.starts_with("/reviews/") => {
                let mut all = self.reviews.borrow_mut();
                let id = path.trim_start_matches("/reviews/").trim_end_matches("/reply");
                let review = all.iter_mut().find(|it| it["reviewId"] == id);
                match (method, review) {
                    (_, None) => Some((404, json!({}))),
                    ("PUT", Some(review)) => {
                        review["reviewReply"] =
                            json!({ "comment": body()["comment"], "updateTime": "2026-09-28T00:00:00Z" });
                        Some((200, review["reviewReply"].clone()))
                    }
                    (_, Some(review)) => Some((200, review.clone())),
                }
            }
            ("DELETE", _) => Some(held.remove(&named).map_or((404, json!({})), |_| (200, json!({})))),
            ("GET", _) => Some(held.get(&named).map_or((404, json!({})), |it| (200, it.clone()))),
            _ => None,
        }
    }

    /// Ten calls a day, twelve from 2026 on; nothing of the last three days, and none on Sundays.
    fn performance(&self, asked: &ProviderAsked<'_>) -> Value {
        let part = |end: &str, name: &str| -> u32 {
            let wanted = format!("dailyRange.{end}.{name}");
            asked.query.iter().find(|it| it.0 == wanted).map_or(0, |it| it.1.parse().unwrap())
        };
        let day = |end: &str| Day::from_civil(part(end, "year") as i32, part(end, "month"), part(end, "day")).unwrap();
        let (first, last) = (day("startDate"), day("endDate"));
        let mut values = Vec::new();
        for at in 0..=last.since_epoch() - first.since_epoch() {
            let day = first.plus(at);
            let (year, month, date) = day.civil();
            let mut value = json!({ "date": { "year": year, "month": month, "day": date } });
            let sunday = day.since_epoch().rem_euclid(7) == 3;
            if day < "2026-09-25".parse().unwrap() && !sunday {
                value["value"] = json!(if year == 2026 { "12" } else { "10" });
            }
            values.push(value);
        }
        json!({ "multiDailyMetricTimeSeries": [{ "dailyMetricTimeSeries": [{ "dailyMetric": "CALL_CLICKS", "timeSeries": { "datedValues": values } }] }] })
    }
}

/// The record of the shop.
pub(crate) fn record(fake: &Fake) -> Value {
    let arguments = json!({
        "location_ref": LOCATION, "name": "Lamp shop Lampton", "phone": "020 7946 0101", "website": SHOP,
        "address": { "lines": ["1 Lamp Lane"], "city": "Lampton", "postcode": "TW3 4EW", "country": "GB" },
    });
    fake.call("listings.nap.set", arguments).expect("a record")
}
