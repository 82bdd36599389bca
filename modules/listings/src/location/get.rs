//! The operation `listings.location.get`, and the edits of Google that it shows.

use sdk::prelude::*;
use sdk::serde_json::{Map, Value};
use sdk::{Degraded, Next, Send, json};

use crate::google::{self, READ_MASK};
use crate::place::Place;
use crate::profile::{Profile, edit_hash};
use crate::stored::Location;

#[args]
pub(crate) struct One {
    /// The location, as listed.
    pub(crate) location_ref: Id<Location>,
}

/// What Google changed by itself.
#[value]
pub(crate) struct GoogleEdit {
    /// The member, as listings.google_edit.resolve takes it.
    pub(crate) field: String,
    /// What you had set.
    pub(crate) ours: Value,
    /// What Google shows.
    pub(crate) google: Value,
    /// Whether Google still looks into it.
    pub(crate) is_pending: bool,
}

/// A location.
#[value]
pub(crate) struct Found {
    location: Profile,
    /// Attributes that are set, by name, such as `has_wheelchair_accessible_entrance`; null when they could not be read.
    attributes: Option<Map<String, Value>>,
    google_edits: Vec<GoogleEdit>,
    /// What listings.location.update wants to be told.
    #[own]
    edit_hash: String,
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Returns one location with profile, hours, categories, services, attributes, pending Google edits and an edit hash.
#[operation(
    read,
    scope = "assets:read",
    cost = live(most = 5),
    needs = ["store", "connection:google_business_profile"],
    outside = [
        "google_business_profile GET /v1/locations/*",
        "google_business_profile GET /v1/locations/*/attributes",
        "google_business_profile GET /v1/locations/*:getGoogleUpdated",
    ],
    phrasings = ["show a google business profile", "opening hours of my location", "what did google change on my profile", "details of one location"],
    examples = [{ "location_ref": "108800001.4503600001.con_1" }]
)]
pub(crate) fn get(cx: &Cx, args: One) -> Result<Found> {
    let place = Place::find(cx, &args.location_ref, "/location_ref")?;
    let given = place.read(cx, "/location_ref")?;
    let mut degraded = Vec::new();
    let attributes = match attributes(cx, &place) {
        Ok(attributes) => Some(attributes),
        Err(fault) => {
            degraded.push(Degraded::new("attributes", format!("Google did not show them: {}", fault.message)));
            None
        }
    };
    let google_edits = match google_edits(cx, &place, &given) {
        Ok(edits) => edits,
        Err(fault) => {
            degraded.push(Degraded::new("google_edits", format!("Google did not show them: {}", fault.message)));
            Vec::new()
        }
    };
    let next = (!google_edits.is_empty()).then(|| {
        let decisions: Vec<Value> =
            google_edits.iter().map(|it| json!({ "field": it.field, "keep": "ours" })).collect();
        let arguments = json!({ "location_ref": args.location_ref, "decisions": decisions });
        Next::new("listings.google_edit.resolve", arguments, "sets your own values again")
    });
    Ok(Found {
        edit_hash: edit_hash(&given),
        location: Profile::read(cx, &place, &given),
        attributes,
        google_edits,
        next: next.into_iter().collect(),
        degraded,
    })
}

/// The attributes that are set, by name.
pub(crate) fn attributes(cx: &Cx, place: &Place) -> Result<Map<String, Value>> {
    let request = Send::get(&place.connection, format!("{}/attributes", place.v1()));
    let answer = google::answered(cx.connections().send(&request), "/location_ref")?;
    Ok(read_attributes(&answer))
}

/// The attributes of an answer, by name: a truth value, a word, a list of words or a list of addresses.
pub(crate) fn read_attributes(answer: &Value) -> Map<String, Value> {
    let read = |it: &Value| {
        let name = it["name"].as_str()?.trim_start_matches("attributes/").to_owned();
        let value = match it["valueType"].as_str()? {
            "URL" => {
                let all = it["uriValues"].as_array().into_iter().flatten().filter_map(|it| it["uri"].as_str());
                json!(all.collect::<Vec<_>>())
            }
            "REPEATED_ENUM" => it["repeatedEnumValue"]["setValues"].clone(),
            _ => it["values"][0].clone(),
        };
        Some((name, value))
    };
    answer["attributes"].as_array().into_iter().flatten().filter_map(read).collect()
}

/// What Google changed: where its profile differs from the owner's.
pub(crate) fn google_edits(cx: &Cx, place: &Place, ours: &Value) -> Result<Vec<GoogleEdit>> {
    let request = Send::get(&place.connection, format!("{}:getGoogleUpdated", place.v1())).query("readMask", READ_MASK);
    let answer = google::answered(cx.connections().send(&request), "/location_ref")?;
    let mask = |name: &str| -> Vec<String> {
        let text = answer[name].as_str().unwrap_or_default();
        // A mask may name a part, `phoneNumbers.primaryPhone`; what is shown and written is the whole member.
        let fields = text.split(',').filter_map(|it| it.trim().split('.').next());
        let mut fields: Vec<String> = fields.filter(|it| !it.is_empty()).map(camel).collect();
        fields.dedup();
        fields
    };
    let pending = mask("pendingMask");
    let mut edits: Vec<GoogleEdit> = Vec::new();
    for field in mask("diffMask") {
        if edits.iter().any(|it| it.field == field) {
            continue;
        }
        edits.push(GoogleEdit {
            ours: ours[field.as_str()].clone(),
            google: answer["location"][field.as_str()].clone(),
            is_pending: pending.contains(&field),
            field,
        });
    }
    Ok(edits)
}

/// Masks come as `phone_numbers` or `phoneNumbers`.
fn camel(name: &str) -> String {
    let mut out = String::new();
    let mut up = false;
    for c in name.chars() {
        match c {
            '_' => up = true,
            c if up => {
                out.push(c.to_ascii_uppercase());
                up = false;
            }
            c => out.push(c),
        }
    }
    out
}
