//! The operation `listings.service.update`.

use sdk::Send;
use sdk::json;
use sdk::prelude::*;
use sdk::serde_json::{Map, Value};

use crate::edit::Edit;
use crate::google;
use crate::location::get::read_attributes;
use crate::place::Place;
use crate::profile::{self, Service};
use crate::stored::{Change, Location};

const OPERATION: &str = "listings.service.update";

/// A price as it is given.
#[value]
pub(crate) struct GivenPrice {
    /// Such as `49.90`.
    pub(crate) amount: Decimal<0, 1_000_000>,
    /// ISO 4217.
    pub(crate) currency: Text<3, 3>,
}

/// A service as it is given.
#[value]
pub(crate) struct GivenService {
    pub(crate) name: Text<1, 120>,
    #[serde(default)]
    pub(crate) description: Option<Text<1, 300>>,
    #[serde(default)]
    pub(crate) price: Option<GivenPrice>,
    /// The category that it belongs to, such as `gcid:bakery`; the primary one when left out.
    #[serde(default)]
    pub(crate) category: Option<Text<2, 80>>,
}

#[args]
pub(crate) struct Update {
    /// The location, as listed.
    location_ref: Id<Location>,
    /// The whole list: a service that is not in it is removed. Left alone when left out.
    services: Option<List<GivenService, 0, 100>>,
    /// Attributes by name, such as `has_in_store_pickup`: true or false, a word, a list of words or of addresses; `null` takes one
    /// away. Others are left alone.
    attributes: Option<Map<String, Value>>,
}

/// Services and attributes afterwards.
#[value]
pub(crate) struct Updated {
    services: Vec<Service>,
    /// Names of services that are no longer offered.
    removed: Vec<String>,
    attributes: Map<String, Value>,
    /// Of the services; null when none of them differs.
    change_ref: Option<Id<Change>>,
    /// Of the attributes; null when none of them differs.
    attribute_change_ref: Option<Id<Change>>,
}

/// Adds, changes or removes service items and attributes offered for the location's categories.
///
/// Services are one list at Google: give all of them. Attributes are checked against those that Google offers for the location.
#[operation(
    write,
    scope = "assets:write",
    cost = live(most = 10),
    side_effects = ["changes the services and attributes that everybody sees on Google"],
    needs = ["store", "connection:google_business_profile"],
    outside = [
        "google_business_profile GET /v1/locations/*",
        "google_business_profile GET /v1/attributes",
        "google_business_profile GET /v1/locations/*/attributes",
        "google_business_profile PATCH /v1/locations/* change",
        "google_business_profile PATCH /v1/locations/*/attributes change",
    ],
    phrasings = ["add a service to my business profile", "set attributes of my google listing", "we are wheelchair accessible", "services and prices on google"],
    examples = [
        { "location_ref": "108800001.4503600001.con_1", "services": [{ "name": "Lamp repair", "description": "A new cord while you wait.", "price": { "amount": 15, "currency": "GBP" } }] },
        { "location_ref": "108800001.4503600001.con_1", "attributes": { "has_in_store_pickup": true } },
    ]
)]
pub(crate) fn update(cx: &Cx, args: Update) -> Result<Updated> {
    if args.services.is_none() && args.attributes.is_none() {
        return Err(Fault::invalid("", "nothing_to_change", "give services, attributes or both"));
    }
    let place = Place::find(cx, &args.location_ref, "/location_ref")?;
    let before = place.read(cx, "/location_ref")?;
    // Both are looked at before either is written.
    let wanted = args.attributes.map(|it| Attributes::of(cx, &place, it)).transpose()?;
    let mut fields = Map::new();
    if let Some(given) = &args.services {
        fields.insert("serviceItems".to_owned(), items(given, &before)?);
    }
    let old = profile::services(&before["serviceItems"]);
    let edit = Edit { place: &place, operation: OPERATION, pointer: "/services", before: &before, fields };
    let made = edit.make(cx, false)?;
    let services = profile::services(&made.after["serviceItems"]);
    let removed = old.into_iter().map(|it| it.name).filter(|name| services.iter().all(|it| it.name != *name)).collect();
    let (attributes, attribute_change_ref) = match wanted {
        Some(wanted) => wanted.set(cx, &place)?,
        None => (crate::location::get::attributes(cx, &place)?, None),
    };
    Ok(Updated { services, removed, attributes, change_ref: made.change_ref, attribute_change_ref })
}

/// The services as Google takes them; what it knows by an identifier of its own is kept as that.
fn items(given: &[GivenService], before: &Value) -> Result<Value> {
    let categories = profile::categories(&before["categories"]);
    let known: Vec<&str> = categories.primary.iter().chain(&categories.additional).map(|it| it.id.as_str()).collect();
    let language = before["languageCode"].as_str().unwrap_or("en");
    let mut items = Vec::new();
    for (at, it) in given.iter().enumerate() {
        if given[..at].iter().any(|other| other.name == it.name) {
            return Err(Fault::invalid(format!("/services/{at}/name"), "service_twice", "this service is given twice"));
        }
        let mut item = Map::new();
        if let Some(price) = &it.price {
            item.insert("price".to_owned(), money(price, at)?);
        }
        let category = it.category.as_ref().map(|it| it.as_str().trim_start_matches("categories/"));
        let own = category.filter(|it| it.starts_with("job_type_id:"));
        if let Some(own) = own {
            item.insert(
                "structuredServiceItem".to_owned(),
                json!({ "serviceTypeId": own, "description": it.description }),
            );
            items.push(Value::Object(item));
            continue;
        }
        let category = match category {
            None => known.first().copied().ok_or_else(|| {
                Fault::invalid(
                    format!("/services/{at}/category"),
                    "category_unknown",
                    "the location has no category yet",
                )
            })?,
            Some(wanted) => known.iter().find(|it| **it == wanted).copied().ok_or_else(|| {
                let message = format!("a service belongs to a category of the location: {}", known.join(", "));
                Fault::invalid(format!("/services/{at}/category"), "category_unknown", message)
            })?,
        };
        let label = json!({ "displayName": it.name, "description": it.description, "languageCode": language });
        item.insert(
            "freeFormServiceItem".to_owned(),
            json!({ "category": format!("categories/{category}"), "label": label }),
        );
        items.push(Value::Object(item));
    }
    Ok(json!(items))
}

/// google.type.Money: whole units as a text, and thousand millionths.
fn money(price: &GivenPrice, at: usize) -> Result<Value> {
    let currency = price.currency.as_str();
    if !currency.bytes().all(|it| it.is_ascii_uppercase()) {
        let message = "a currency is three capital letters of ISO 4217, such as EUR";
        return Err(Fault::invalid(format!("/services/{at}/price/currency"), "invalid_currency", message));
    }
    let cents = kit::number::as_count((price.amount.get() * 100.0).round());
    Ok(json!({ "currencyCode": currency, "units": (cents / 100).to_string(), "nanos": (cents % 100) * 10_000_000 }))
}

/// The attributes afterwards, and the change unless nothing differed.
type Set = (Map<String, Value>, Option<Id<Change>>);

/// Attributes that are wanted, as Google takes them.
struct Attributes {
    /// Their names, with `attributes/`.
    mask: Vec<String>,
    values: Vec<Value>,
}

impl Attributes {
    /// Checks them against those that Google offers for the location.
    fn of(cx: &Cx, place: &Place, given: Map<String, Value>) -> Result<Self> {
        let request = Send::get(&place.connection, "/v1/attributes")
            .query("parent", format!("locations/{}", place.location))
            .query("pageSize", 200);
        let offered = google::answered(cx.connections().send(&request), "/attributes")?;
        let offered = offered["attributeMetadata"].as_array().cloned().unwrap_or_default();
        let (mut mask, mut values) = (Vec::new(), Vec::new());
        for (name, value) in given {
            let full = format!("attributes/{}", name.trim_start_matches("attributes/"));
            let pointer = format!("/attributes/{name}");
            let Some(about) = offered.iter().find(|it| it["parent"] == full) else {
                let names: Vec<&str> = offered
                    .iter()
                    .filter_map(|it| it["parent"].as_str()?.strip_prefix("attributes/"))
                    .take(20)
                    .collect();
                let message =
                    format!("Google does not offer this attribute for the location; it offers {}", names.join(", "));
                return Err(Fault::invalid(pointer, "attribute_unknown", message).detail(json!({ "offered": names })));
            };
            if !value.is_null() {
                values.push(attribute(about, &full, &value, &pointer)?);
            }
            mask.push(full);
        }
        Ok(Self { mask, values })
    }

    fn set(self, cx: &Cx, place: &Place) -> Result<Set> {
        let path = format!("{}/attributes", place.v1());
        let before =
            google::answered(cx.connections().send(&Send::get(&place.connection, path.clone())), "/attributes")?;
        let named = |all: &Value| -> Map<String, Value> {
            let short = |name: &String| name.trim_start_matches("attributes/").to_owned();
            let read = read_attributes(all);
            self.mask.iter().map(|name| (short(name), read.get(&short(name)).cloned().unwrap_or_default())).collect()
        };
        let wanted = named(&json!({ "attributes": self.values }));
        if named(&before) == wanted {
            return Ok((read_attributes(&before), None));
        }
        let body = json!({ "name": format!("locations/{}/attributes", place.location), "attributes": self.values });
        let request = Send::patch(&place.connection, path).query("attributeMask", self.mask.join(",")).json(&body);
        let after = google::answered(cx.connections().send(&request), "/attributes")?;
        let change = Change {
            location: place.reference().to_string(),
            at_ms: cx.now().millis(),
            operation: OPERATION.to_owned(),
            fields: self.mask.clone(),
            before: Value::Object(named(&before)),
            after: Value::Object(named(&after)),
        };
        let change_ref = cx.records::<Change>().insert(change)?.id;
        Ok((read_attributes(&after), Some(change_ref)))
    }
}

/// One attribute as Google takes it, by the kind of value that it has.
fn attribute(about: &Value, name: &str, value: &Value, pointer: &str) -> Result<Value> {
    let kind = about["valueType"].as_str().unwrap_or("BOOL");
    let allowed: Vec<&Value> = about["valueMetadata"].as_array().into_iter().flatten().map(|it| &it["value"]).collect();
    let wrong = |wanted: String| Fault::invalid(pointer, "attribute_value", format!("this attribute is {wanted}"));
    let words = || {
        let words: Vec<&str> = allowed.iter().filter_map(|it| it.as_str()).collect();
        words.join(", ")
    };
    match kind {
        "BOOL" if value.is_boolean() => Ok(json!({ "name": name, "valueType": kind, "values": [value] })),
        "BOOL" => Err(wrong("true or false".to_owned())),
        "ENUM" if allowed.contains(&value) => Ok(json!({ "name": name, "valueType": kind, "values": [value] })),
        "ENUM" => Err(wrong(format!("one of {}", words()))),
        "REPEATED_ENUM" => match value.as_array() {
            Some(all) if all.iter().all(|it| allowed.contains(&it)) => {
                Ok(json!({ "name": name, "valueType": kind, "repeatedEnumValue": { "setValues": all } }))
            }
            _ => Err(wrong(format!("a list of {}", words()))),
        },
        _ => {
            let all: Vec<Url> =
                sdk::serde_json::from_value(value.clone()).map_err(|_| wrong("a list of addresses".to_owned()))?;
            let uris: Vec<Value> = all.iter().map(|it| json!({ "uri": it })).collect();
            Ok(json!({ "name": name, "valueType": "URL", "uriValues": uris }))
        }
    }
}
