//! The operation `listings.location.update`.

use sdk::prelude::*;
use sdk::serde_json::{Map, Value};
use sdk::value::Patch;
use sdk::{Next, json};

use crate::address::{Address, GivenAddress};
use crate::edit::{Edit, unchanged};
use crate::place::Place;
use crate::post::policy;
use crate::profile::{Profile, edit_hash};
use crate::stored::{Change, Location};

const OPERATION: &str = "listings.location.update";

/// Telephone numbers as they are given.
#[value]
pub(crate) struct GivenPhones {
    pub(crate) primary: Text<3, 40>,
    /// At most two.
    #[serde(default)]
    pub(crate) additional: List<Text<3, 40>, 0, 2>,
}

/// An area as it is given.
#[value]
pub(crate) struct GivenArea {
    /// Whether customers are served there alone, and there is no shop.
    pub(crate) is_only: bool,
    /// Google's place identifiers of the places, with their names.
    pub(crate) areas: List<GivenPlace, 1, 20>,
    /// The country, ISO 3166-1 alpha-2.
    pub(crate) country: Country,
}

/// A place of an area.
#[value]
pub(crate) struct GivenPlace {
    pub(crate) place_id: Text<4, 300>,
    pub(crate) name: Text<1, 200>,
}

/// What is changed; what is left out stays as it is, and `null` takes it away.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Changes {
    /// As it stands over the door: no town, no category, no advertising.
    pub(crate) name: Option<Text<1, 125>>,
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub(crate) phones: Patch<GivenPhones>,
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub(crate) website: Patch<Url>,
    /// At most 750 characters, without addresses and telephone numbers.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub(crate) description: Patch<Text<1, 750>>,
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub(crate) address: Patch<GivenAddress>,
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub(crate) service_area: Patch<GivenArea>,
    /// The day of the first opening.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub(crate) opening_date: Patch<Day>,
}

#[args]
pub(crate) struct Update {
    /// The location, as listed.
    location_ref: Id<Location>,
    /// The `edit_hash` of listings.location.get: a profile that was changed since is not written over.
    edit_hash: Text<64, 64>,
    changes: Changes,
    /// The change is only tried at Google.
    #[default(false)]
    validate_only: bool,
}

/// The location afterwards.
#[value]
pub(crate) struct Updated {
    location: Profile,
    /// Null when the change was only tried, or nothing differs.
    change_ref: Option<Id<Change>>,
    /// For the next change.
    #[own]
    edit_hash: String,
    #[own]
    warnings: Vec<String>,
    next: Vec<Next>,
}

/// Updates name, phone, website, description, address or service area with a field mask, first as the provider's validate-only call, then for real, recording before and after.
///
/// Google may put a change of name or address to review, and suspend the profile meanwhile. Closing a business is no change of this operation.
#[operation(
    write,
    scope = "assets:write",
    cost = live(most = 6),
    side_effects = ["changes the business profile that everybody sees on Google"],
    needs = ["store", "web", "connection:google_business_profile"],
    outside = [
        "google_business_profile GET /v1/locations/*",
        "google_business_profile PATCH /v1/locations/* change",
    ],
    phrasings = ["change the phone number of my business profile", "update my google listing", "set the website of a location", "edit my business description"],
    examples = [{
        "location_ref": "108800001.4503600001.con_1",
        "edit_hash": "0f2c1f6d9d1c0b6f0b5d3a1f1b7f5b7a0c2f6f0a9e8d7c6b5a49382716051423",
        "changes": { "description": "Lamps made to be mended, not replaced." },
        "validate_only": true,
    }]
)]
pub(crate) fn update(cx: &Cx, args: Update) -> Result<Updated> {
    let place = Place::find(cx, &args.location_ref, "/location_ref")?;
    let before = place.read(cx, "/location_ref")?;
    unchanged(&before, args.edit_hash.as_str())?;
    let mut warnings = warnings(&args.changes);
    if let Patch::Set(url) = &args.changes.website {
        warnings.extend(about_website(cx, url));
    }
    let fields = fields(args.changes, &before)?;
    if fields.is_empty() {
        return Err(Fault::invalid("/changes", "nothing_to_change", "no change is given"));
    }
    let edit = Edit { place: &place, operation: OPERATION, pointer: "/changes", before: &before, fields };
    let made = edit.make(cx, args.validate_only)?;
    if made.after["metadata"]["hasPendingEdits"] == true {
        warnings.push("Google looks into the change before everybody sees it".to_owned());
    }
    let next = args.validate_only.then(|| {
        let arguments = json!({ "location_ref": args.location_ref });
        Next::new("listings.location.get", arguments, "gives the edit_hash for the change itself")
    });
    Ok(Updated {
        location: Profile::read(cx, &place, &made.after),
        edit_hash: edit_hash(&made.after),
        change_ref: made.change_ref,
        warnings,
        next: next.into_iter().collect(),
    })
}

/// What the change may bring with it.
fn warnings(changes: &Changes) -> Vec<String> {
    let mut all = Vec::new();
    if changes.name.is_some() || !changes.address.is_keep() {
        all.push(
            "reverification_likely: Google often asks a business to prove itself again after a change of name or address"
                .to_owned(),
        );
    }
    all
}

/// Whether the address answers, and is on a website of the customer.
fn about_website(cx: &Cx, url: &Url) -> Vec<String> {
    let mut all = Vec::new();

    match cx.web().fetch(&Request::get(url).follow(5).max_bytes(65_536).timeout(10_000)) {
        Ok(answer) if answer.is_success() => {}
        Ok(answer) => all.push(format!("the website answers with status {}", answer.status)),
        Err(failure) => all.push(format!("the website was not reached: {}", failure.name())),
    }
    if site::of(cx, url.as_str()).is_none() {
        all.push("the website is none of yours that websites.list shows".to_owned());
    }
    all
}

/// The members as Google takes them.
fn fields(changes: Changes, before: &Value) -> Result<Map<String, Value>> {
    let mut fields = Map::new();
    let mut set = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    if let Some(name) = changes.name {
        set("title", json!(name));
    }
    match changes.phones {
        Patch::Keep => {}
        Patch::Clear => {
            set("phoneNumbers", Value::Null);
        }
        Patch::Set(phones) => {
            set("phoneNumbers", json!({ "primaryPhone": phones.primary, "additionalPhones": phones.additional }));
        }
    }
    match changes.website {
        Patch::Keep => {}
        Patch::Clear => {
            set("websiteUri", json!(""));
        }
        Patch::Set(url) => {
            set("websiteUri", json!(url));
        }
    }
    match changes.description {
        Patch::Keep => {}
        Patch::Clear => {
            set("profile", json!({}));
        }
        Patch::Set(text) => {
            if let Some(problem) = policy::in_description(text.as_str()) {
                let message = format!("Google takes no such description: {problem}");
                return Err(Fault::invalid("/changes/description", "description_refused", message));
            }
            set("profile", json!({ "description": text }));
        }
    }
    match changes.address {
        Patch::Keep => {}
        Patch::Clear => {
            set("storefrontAddress", Value::Null);
        }
        Patch::Set(given) => {
            let language = before["storefrontAddress"]["languageCode"].as_str();
            set("storefrontAddress", Address::from(given).written(language));
        }
    }
    match changes.service_area {
        Patch::Keep => {}
        Patch::Clear => {
            set("serviceArea", Value::Null);
        }
        Patch::Set(area) => {
            let kind = if area.is_only { "CUSTOMER_LOCATION_ONLY" } else { "CUSTOMER_AND_BUSINESS_LOCATION" };
            let places = area.areas.iter().map(|it| json!({ "placeId": it.place_id, "placeName": it.name }));
            let places: Vec<Value> = places.collect();
            set(
                "serviceArea",
                json!({ "businessType": kind, "places": { "placeInfos": places }, "regionCode": area.country }),
            );
        }
    }
    match changes.opening_date {
        Patch::Keep => {}
        Patch::Clear => {
            set("openInfo", without_date(before));
        }
        Patch::Set(day) => {
            let mut open = without_date(before);
            open["openingDate"] = crate::week::date_written(day);
            set("openInfo", open);
        }
    }
    Ok(fields)
}

/// Whether a business is open stays as it is.
fn without_date(before: &Value) -> Value {
    let mut open = before["openInfo"].clone();
    if let Some(members) = open.as_object_mut() {
        members.remove("openingDate");
        // What Google alone writes.
        members.remove("canReopen");
    }
    open
}
