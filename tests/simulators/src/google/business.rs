//! Business Profile: accounts, locations, attributes, categories, verifications, and what Google changed by itself.
//!
//! Sources: developers.google.com/my-business/reference (accountmanagement v1, businessinformation v1, verifications v1).

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{error, invalid, not_found, tokened};
use crate::provider::Desk;
use crate::reply::Reply;
use crate::request::Request;
use crate::shop;

pub(super) const ACCOUNT: &str = "accounts/108800001";
/// Identifier and name; the real list has thousands.
const CATEGORIES: [(&str, &str); 8] = [
    ("gcid:lighting_store", "Lighting store"),
    ("gcid:lamp_repair_service", "Lamp repair service"),
    ("gcid:home_goods_store", "Home goods store"),
    ("gcid:furniture_store", "Furniture store"),
    ("gcid:interior_designer", "Interior designer"),
    ("gcid:electrician", "Electrician"),
    ("gcid:gift_shop", "Gift shop"),
    ("gcid:antique_store", "Antique store"),
];
/// Fields of a location that a patch may name.
const WRITABLE: [&str; 15] = [
    "title",
    "storeCode",
    "phoneNumbers",
    "categories",
    "storefrontAddress",
    "websiteUri",
    "regularHours",
    "specialHours",
    "serviceArea",
    "labels",
    "profile",
    "moreHours",
    "serviceItems",
    "openInfo",
    "languageCode",
];

/// The locations as the owner has them, and Google's own changes to them.
pub(crate) struct Locations {
    pub(super) held: BTreeMap<String, Value>,
    google: BTreeMap<String, Value>,
    attributes: BTreeMap<String, Value>,
}

impl Locations {
    pub(super) fn new() -> Self {
        let mut this = Self { held: BTreeMap::new(), google: BTreeMap::new(), attributes: BTreeMap::new() };
        for store in shop::STORES {
            let name = format!("locations/{}", store.id);
            let day = |day: &str| json!({ "openDay": day, "openTime": { "hours": 9 }, "closeDay": day, "closeTime": { "hours": 17, "minutes": 30 } });
            let week: Vec<Value> = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY"].map(day).into();
            let location = json!({
                "name": name, "languageCode": "en", "storeCode": store.city.to_uppercase(), "title": store.name,
                "phoneNumbers": { "primaryPhone": store.phone, "additionalPhones": [] }, "websiteUri": shop::url(store.path),
                "categories": { "primaryCategory": category(CATEGORIES[0]), "additionalCategories": [category(CATEGORIES[1])] },
                "storefrontAddress": { "regionCode": store.country, "languageCode": "en", "postalCode": store.postcode, "locality": store.city, "addressLines": [store.street] },
                "regularHours": { "periods": week }, "specialHours": {}, "labels": [], "serviceItems": [],
                "latlng": { "latitude": store.latitude, "longitude": store.longitude }, "openInfo": { "status": "OPEN", "canReopen": true },
                "profile": { "description": "Lamps made to be mended, not replaced." },
                "metadata": { "hasGoogleUpdated": store.city == "Bristol", "hasPendingEdits": false, "canDelete": true, "canOperateLocalPost": true, "canModifyServiceList": true,
                    "hasVoiceOfMerchant": true, "placeId": format!("ChIJlamp{}", store.id), "mapsUri": format!("https://maps.google.com/maps?cid={}", store.id), "newReviewUri": format!("https://search.google.com/local/writereview?placeid=ChIJlamp{}", store.id) }
            });
            this.held.insert(name.clone(), location);
            let attributes = json!({ "name": format!("{name}/attributes"), "attributes": [{ "name": "attributes/has_wheelchair_accessible_entrance", "valueType": "BOOL", "values": [true] }] });
            this.attributes.insert(name, attributes);
        }
        // Somebody told Google another number for one of them.
        this.google.insert(
            "locations/4503600002".to_owned(),
            json!({ "phoneNumbers": { "primaryPhone": "+44 117 496 0999" } }),
        );
        this
    }
}

fn category((id, name): (&str, &str)) -> Value {
    json!({ "name": format!("categories/{id}"), "displayName": name })
}

pub(super) fn answer(held: &mut Locations, request: &Request, desk: &Desk) -> Reply {
    let (method, parts) = request.route();
    match (method, &parts[1..]) {
        ("GET", ["accounts"]) => {
            let account = json!({ "name": ACCOUNT, "accountName": shop::BRAND, "type": "PERSONAL", "role": "PRIMARY_OWNER", "verificationState": "VERIFIED", "vettedState": "NOT_VETTED" });
            tokened(&[account], request, 20, "accounts")
        }
        ("GET", ["accounts", id, "locations"]) if *id == ACCOUNT.trim_start_matches("accounts/") || *id == "-" => {
            let all: Vec<Value> = held.held.values().cloned().collect();
            match masked(request, &all) {
                Ok(all) => tokened(&all, request, 100, "locations"),
                Err(reply) => *reply,
            }
        }
        ("GET", ["categories"]) => categories(request),
        ("GET", ["attributes"]) => Reply::ok(&json!({ "attributeMetadata": [
            { "parent": "attributes/has_wheelchair_accessible_entrance", "valueType": "BOOL", "displayName": "Wheelchair accessible entrance", "groupDisplayName": "Accessibility" },
            { "parent": "attributes/has_in_store_pickup", "valueType": "BOOL", "displayName": "In-store pickup", "groupDisplayName": "Service options" }] })),
        (_, ["locations", rest @ ..]) => location(held, request, desk, method, rest),
        _ => not_found(),
    }
}

fn location(held: &mut Locations, request: &Request, desk: &Desk, method: &str, rest: &[&str]) -> Reply {
    let (id, verb) = rest[0].split_once(':').unwrap_or((rest[0], ""));
    let name = format!("locations/{id}");
    let Some(location) = held.held.get(&name) else { return not_found() };
    match (method, verb, &rest[1..]) {
        ("GET", "", []) => match masked(request, std::slice::from_ref(location)) {
            Ok(shown) => Reply::ok(&shown[0]),
            Err(reply) => *reply,
        },
        ("PATCH", "", []) => patch(held, request, desk, &name),
        ("GET", "getGoogleUpdated", []) => {
            let mut shown = location.clone();
            let changes = held.google.get(&name).and_then(Value::as_object).cloned().unwrap_or_default();
            let fields: Vec<&String> = changes.keys().collect();
            let mask = fields.iter().map(|it| it.as_str()).collect::<Vec<_>>().join(",");
            for (field, value) in &changes {
                shown[field] = value.clone();
            }
            match masked(request, &[shown]) {
                Ok(shown) => Reply::ok(&json!({ "location": shown[0], "diffMask": mask, "pendingMask": "" })),
                Err(reply) => *reply,
            }
        }
        ("GET", "", ["attributes"]) => Reply::ok(&held.attributes[&name]),
        ("PATCH", "", ["attributes"]) => {
            let Some(mask) = request.query("attributeMask") else { return invalid("attribute_mask is required.") };
            let named: Vec<&str> = mask.split(',').collect();
            let given = request.json()["attributes"].as_array().cloned().unwrap_or_default();
            let Some(kept) = held.attributes.get_mut(&name).and_then(|it| it["attributes"].as_array_mut()) else {
                return not_found();
            };
            kept.retain(|it| !named.iter().any(|name| it["name"] == *name));
            kept.extend(given.into_iter().filter(|it| named.iter().any(|name| it["name"] == *name)));
            desk.effect("attributes.updated", &name, request);
            Reply::ok(&held.attributes[&name])
        }
        ("GET", "", ["verifications"]) => Reply::ok(
            &json!({ "verifications": [{ "name": format!("{name}/verifications/1"), "method": "PHONE_CALL", "state": "COMPLETED", "createTime": "2025-03-01T09:00:00Z" }] }),
        ),
        ("GET", "", ["VoiceOfMerchantState"]) => {
            Reply::ok(&json!({ "hasVoiceOfMerchant": true, "hasBusinessAuthority": true }))
        }
        ("POST", "fetchVerificationOptions", []) => Reply::ok(
            &json!({ "options": [{ "verificationMethod": "PHONE_CALL", "phoneNumber": location["phoneNumbers"]["primaryPhone"] }] }),
        ),
        _ => not_found(),
    }
}

/// Only the fields of `readMask`, which is required.
fn masked(request: &Request, all: &[Value]) -> Result<Vec<Value>, Box<Reply>> {
    let Some(mask) = request.query("readMask").filter(|mask| !mask.is_empty()) else {
        return Err(Box::new(invalid("Request contains an invalid argument: read_mask is required.")));
    };
    let fields: Vec<&str> = mask.split(',').map(|field| field.trim().split('.').next().unwrap_or(field)).collect();
    let known = |field: &&str| {
        *field == "*" || *field == "name" || *field == "metadata" || *field == "latlng" || WRITABLE.contains(field)
    };
    if let Some(wrong) = fields.iter().find(|field| !known(field)) {
        return Err(Box::new(invalid(&format!("Request contains an invalid argument: read_mask: {wrong}"))));
    }
    let pick = |location: &Value| -> Value {
        let members = location.as_object().cloned().unwrap_or_default();
        Value::Object(
            members
                .into_iter()
                .filter(|(name, _)| fields.contains(&"*") || fields.contains(&name.as_str()))
                .collect::<Map<_, _>>(),
        )
    };
    Ok(all.iter().map(pick).collect())
}

fn patch(held: &mut Locations, request: &Request, desk: &Desk, name: &str) -> Reply {
    let Some(mask) = request.query("updateMask").filter(|mask| !mask.is_empty()) else {
        return invalid("update_mask is required.");
    };
    let given = request.json();
    let Some(location) = held.held.get(name) else { return not_found() };
    let mut changed = location.clone();
    let mut fields = Vec::new();
    for path in mask.split(',').map(str::trim) {
        let field = path.split('.').next().unwrap_or(path);
        if !WRITABLE.contains(&field) {
            return invalid(&format!("Request contains an invalid argument: update_mask: {path}"));
        }
        let pointer = format!("/{}", path.replace('.', "/"));
        let value = given.pointer(&pointer).cloned().unwrap_or_default();
        match changed.pointer_mut(&pointer) {
            Some(place) => *place = value,
            None => changed[field] = given[field].clone(),
        }
        fields.push(field);
    }
    if let Some(problem) = problem(&changed) {
        let details = json!([{ "@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": [{ "field": problem.0, "description": problem.1 }] }]);
        let body = json!({ "error": { "code": 400, "message": "Request contains an invalid argument.", "status": "INVALID_ARGUMENT", "details": details } });
        return Reply::json(400, &body);
    }
    if request.query("validateOnly") == Some("true") {
        return Reply::ok(&changed);
    }
    if let Some(Value::Object(google)) = held.google.get_mut(name) {
        google.retain(|field, _| !fields.contains(&field.as_str()));
        changed["metadata"]["hasGoogleUpdated"] = json!(!google.is_empty());
    }
    held.held.insert(name.to_owned(), changed.clone());
    desk.effect("location.updated", name, request);
    Reply::ok(&changed)
}

/// The first thing that Google would refuse about a location: the field and why.
fn problem(location: &Value) -> Option<(&'static str, &'static str)> {
    let text = |pointer: &str| location.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
    if text("/title").trim().is_empty() {
        return Some(("title", "REQUIRED_FIELD"));
    }
    if !text("/websiteUri").is_empty() && url::Url::parse(&text("/websiteUri")).is_err() {
        return Some(("website_uri", "INVALID_URL"));
    }
    if text("/profile/description").chars().count() > 750 {
        return Some(("profile.description", "STRING_TOO_LONG"));
    }
    if text("/profile/description").contains("http") {
        return Some(("profile.description", "INVALID_CHARACTERS"));
    }
    if !text("/phoneNumbers/primaryPhone").chars().filter(char::is_ascii_digit).count().clamp(0, 20).gt(&5) {
        return Some(("phone_numbers.primary_phone", "INVALID_PHONE_NUMBER"));
    }
    let known = |category: &Value| CATEGORIES.iter().any(|(id, _)| category["name"] == format!("categories/{id}"));
    let categories = &location["categories"];
    let others = categories["additionalCategories"].as_array().cloned().unwrap_or_default();
    if !known(&categories["primaryCategory"]) || !others.iter().all(known) {
        return Some(("categories", "INVALID_CATEGORY"));
    }
    (others.len() > 9).then_some(("categories.additional_categories", "TOO_MANY_VALUES"))
}

fn categories(request: &Request) -> Reply {
    if request.query("regionCode").is_none() || request.query("languageCode").is_none() {
        return error(400, "INVALID_ARGUMENT", "badRequest", "region_code and language_code are required.");
    }
    let wanted = request
        .query("filter")
        .and_then(|filter| filter.strip_prefix("displayName="))
        .map(|it| it.trim_matches('"').to_lowercase());
    let fits = |it: &&(&str, &str)| wanted.as_ref().is_none_or(|part| it.1.to_lowercase().contains(part.as_str()));
    let all: Vec<Value> = CATEGORIES.iter().filter(fits).map(|it| {
        let mut shown = category(*it);
        shown["serviceTypes"] = json!([{ "serviceTypeId": format!("job_type_id:{}", it.0.trim_start_matches("gcid:")), "displayName": it.1 }]);
        shown
    }).collect();
    tokened(&all, request, 100, "categories")
}
