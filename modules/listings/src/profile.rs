//! A business profile in our words, read from what Google answers.

use sdk::json;
use sdk::prelude::*;
use sdk::serde_json::{Map, Value};
use site::Site;

use crate::address::Address;
use crate::place::Place;
use crate::stored::Location;
use crate::week::{self, Period, Special};

/// The members that a customer can change, as Google names them: the edit hash is made of these.
const WRITABLE: [&str; 12] = [
    "title",
    "openInfo",
    "phoneNumbers",
    "categories",
    "storefrontAddress",
    "websiteUri",
    "regularHours",
    "specialHours",
    "moreHours",
    "serviceArea",
    "profile",
    "serviceItems",
];

/// Whether a business is open for business at all.
#[value]
pub(crate) enum Opening {
    Open,
    ClosedTemporarily,
    ClosedPermanently,
    Unknown,
}

/// A category of Google.
#[value]
#[derive(Eq)]
pub(crate) struct Category {
    /// Such as `gcid:bakery`.
    pub(crate) id: String,
    pub(crate) name: String,
}

/// The categories of a location.
#[value]
pub(crate) struct Categories {
    pub(crate) primary: Option<Category>,
    pub(crate) additional: Vec<Category>,
}

/// Telephone numbers.
#[value]
#[derive(Eq)]
pub(crate) struct Phones {
    pub(crate) primary: Option<String>,
    pub(crate) additional: Vec<String>,
}

/// Where a business serves its customers.
#[value]
pub(crate) struct ServiceArea {
    /// Whether it serves them there alone, and has no shop.
    pub(crate) is_only: bool,
    pub(crate) areas: Vec<String>,
    pub(crate) region: Option<String>,
}

/// A service that a location offers.
#[value]
pub(crate) struct Service {
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) price: Option<sdk::Money>,
    /// The category that it belongs to; of Google's own services their identifier.
    pub(crate) category: Option<String>,
}

/// Hours.
#[value]
pub(crate) struct Hours {
    pub(crate) regular: Vec<Period>,
    /// In the order of days.
    pub(crate) special: Vec<Special>,
    /// Kinds of further hours that are there, such as `DELIVERY`; they are left as they are.
    pub(crate) more_kinds: Vec<String>,
}

/// A location as its profile has it.
#[value]
pub(crate) struct Profile {
    pub(crate) location_ref: Id<Location>,
    pub(crate) name: String,
    pub(crate) store_code: Option<String>,
    pub(crate) phones: Phones,
    pub(crate) website: Option<String>,
    /// The website of yours that it links to.
    pub(crate) site_id: Option<Id<Site>>,
    pub(crate) address: Option<Address>,
    pub(crate) service_area: Option<ServiceArea>,
    pub(crate) place_id: Option<String>,
    pub(crate) maps_url: Option<String>,
    /// Where a customer writes a review.
    pub(crate) review_url: Option<String>,
    pub(crate) latitude: Option<f64>,
    pub(crate) longitude: Option<f64>,
    pub(crate) categories: Categories,
    pub(crate) hours: Hours,
    pub(crate) services: Vec<Service>,
    pub(crate) description: Option<String>,
    pub(crate) opening_date: Option<String>,
    pub(crate) open: Opening,
    /// Whether Google lets its owner speak for it; null when Google does not say.
    pub(crate) verified: Option<bool>,
    /// Whether edits wait for Google's review.
    pub(crate) pending_edits: bool,
    /// Whether Google has changed something by itself.
    pub(crate) google_edits_waiting: bool,
}

fn text(value: &Value) -> Option<String> {
    value.as_str().filter(|it| !it.is_empty()).map(str::to_owned)
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(text).collect()
}

/// A category as Google has it.
pub(crate) fn category(given: &Value) -> Option<Category> {
    let id = given["name"].as_str()?.trim_start_matches("categories/").to_owned();
    Some(Category { name: text(&given["displayName"]).unwrap_or_else(|| id.clone()), id })
}

/// The categories as Google has them.
pub(crate) fn categories(given: &Value) -> Categories {
    Categories {
        primary: category(&given["primaryCategory"]),
        additional: given["additionalCategories"].as_array().into_iter().flatten().filter_map(category).collect(),
    }
}

/// The telephone numbers as Google has them.
pub(crate) fn phones(given: &Value) -> Phones {
    Phones { primary: text(&given["primaryPhone"]), additional: texts(&given["additionalPhones"]) }
}

fn service(given: &Value) -> Option<Service> {
    let price = &given["price"];
    let units = price["units"].as_str().and_then(|it| it.parse::<i64>().ok()).or_else(|| price["units"].as_i64());
    let cents = price["nanos"].as_i64().unwrap_or(0) / 10_000_000;
    let price = price["currencyCode"].as_str().map(|it| sdk::Money::from_cents(units.unwrap_or(0) * 100 + cents, it));
    let free = &given["freeFormServiceItem"];
    if free.is_object() {
        return Some(Service {
            name: text(&free["label"]["displayName"])?,
            description: text(&free["label"]["description"]),
            price,
            category: free["category"].as_str().map(|it| it.trim_start_matches("categories/").to_owned()),
        });
    }
    let own = &given["structuredServiceItem"];
    let id = text(&own["serviceTypeId"])?;
    Some(Service { name: id.clone(), description: text(&own["description"]), price, category: Some(id) })
}

/// The services as Google has them.
pub(crate) fn services(given: &Value) -> Vec<Service> {
    given.as_array().into_iter().flatten().filter_map(service).collect()
}

fn service_area(given: &Value) -> Option<ServiceArea> {
    let kind = given["businessType"].as_str()?;
    let places = given["places"]["placeInfos"].as_array().into_iter().flatten();
    Some(ServiceArea {
        is_only: kind == "CUSTOMER_LOCATION_ONLY",
        areas: places.filter_map(|it| text(&it["placeName"])).collect(),
        region: text(&given["regionCode"]),
    })
}

fn opening_date(given: &Value) -> Option<String> {
    let part = |name: &str| given[name].as_u64().filter(|it| *it > 0);
    let (year, month) = (part("year")?, part("month")?);
    Some(part("day").map_or_else(|| format!("{year:04}-{month:02}"), |day| format!("{year:04}-{month:02}-{day:02}")))
}

impl Profile {
    /// Reads a location; none without a name of Google's own.
    pub(crate) fn read(cx: &Cx, place: &Place, given: &Value) -> Self {
        let website = text(&given["websiteUri"]);
        let meta = &given["metadata"];
        let open = match given["openInfo"]["status"].as_str() {
            Some("OPEN") => Opening::Open,
            Some("CLOSED_TEMPORARILY") => Opening::ClosedTemporarily,
            Some("CLOSED_PERMANENTLY") => Opening::ClosedPermanently,
            _ => Opening::Unknown,
        };
        Self {
            location_ref: place.reference(),
            name: text(&given["title"]).unwrap_or_default(),
            store_code: text(&given["storeCode"]),
            phones: phones(&given["phoneNumbers"]),
            site_id: website.as_deref().and_then(|it| site::of(cx, it)).map(|it| it.id),
            website,
            address: Address::read(&given["storefrontAddress"]),
            service_area: service_area(&given["serviceArea"]),
            place_id: text(&meta["placeId"]),
            maps_url: text(&meta["mapsUri"]),
            review_url: text(&meta["newReviewUri"]),
            latitude: given["latlng"]["latitude"].as_f64(),
            longitude: given["latlng"]["longitude"].as_f64(),
            categories: categories(&given["categories"]),
            hours: Hours {
                regular: week::read_week(&given["regularHours"]),
                special: week::read_special(&given["specialHours"]),
                more_kinds: given["moreHours"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(|it| text(&it["hoursTypeId"]))
                    .collect(),
            },
            services: services(&given["serviceItems"]),
            description: text(&given["profile"]["description"]),
            opening_date: opening_date(&given["openInfo"]["openingDate"]),
            open,
            verified: meta["hasVoiceOfMerchant"].as_bool(),
            pending_edits: meta["hasPendingEdits"].as_bool().unwrap_or(false),
            google_edits_waiting: meta["hasGoogleUpdated"].as_bool().unwrap_or(false),
        }
    }
}

/// The hash that guards a change: of what can be changed, as Google has it, in canonical form (RFC 8785).
pub(crate) fn edit_hash(given: &Value) -> String {
    // Maps of this JSON library are in the order of their names.
    let writable: Map<String, Value> = WRITABLE
        .iter()
        .filter(|name| !given[**name].is_null())
        .map(|name| ((*name).to_owned(), given[*name].clone()))
        .collect();
    kit::text::hex(&kit::text::sha256(json!(writable).to_string().as_bytes()))
}

/// Keeps what other modules read of a location, and what lists show without asking Google.
pub(crate) fn keep(cx: &Cx, place: &Place, given: &Value) -> Result<()> {
    let address = Address::read(&given["storefrontAddress"]);
    let row = Location {
        connection: place.connection.clone(),
        account: place.account.clone(),
        name: text(&given["title"]).unwrap_or_default(),
        place_id: text(&given["metadata"]["placeId"]),
        address: address.as_ref().map(Address::line),
        latitude: given["latlng"]["latitude"].as_f64(),
        longitude: given["latlng"]["longitude"].as_f64(),
        phone: text(&given["phoneNumbers"]["primaryPhone"]),
        country: address.and_then(|it| json!(it.country).as_str().map(str::to_owned)),
        website: text(&given["websiteUri"]),
        category: categories(&given["categories"]).primary.map(|it| it.name),
        seen_ms: cx.now().millis(),
    };
    let (records, id) = (cx.records::<Location>(), place.reference());
    match records.find(&id) {
        Some(mut before) => {
            before.it = row;
            records.save(before)?;
        }
        None => {
            records.insert_as(id, row)?;
        }
    }
    Ok(())
}
