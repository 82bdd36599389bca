//! The operation `listings.category.update`.

use sdk::json;
use sdk::prelude::*;
use sdk::serde_json::{Map, Value};

use super::{market, search, searched};
use crate::edit::Edit;
use crate::nap::ratio;
use crate::place::Place;
use crate::profile::{self, Category};
use crate::stored::{Change, Location};

/// A category as it is given: with `gcid:` or without.
type Given = Text<2, 80>;

#[args]
pub(crate) struct Update {
    /// The location, as listed.
    location_ref: Id<Location>,
    /// The identifier of the category that says best what the business is, such as `gcid:bakery`.
    primary: Given,
    /// Identifiers of further ones; left alone when left out.
    additional: Option<List<Given, 0, 9>>,
}

/// The categories afterwards.
#[value]
pub(crate) struct Updated {
    /// The primary one first.
    categories: Vec<Category>,
    /// Null when nothing differs.
    change_ref: Option<Id<Change>>,
    #[own]
    warnings: Vec<String>,
}

/// Sets primary and additional categories after checking them against the provider's list for the country.
#[operation(
    write,
    scope = "assets:write",
    cost = live(most = 14),
    side_effects = ["changes the categories that everybody sees on Google"],
    needs = ["store", "connection:google_business_profile"],
    outside = [
        "google_business_profile GET /v1/locations/*",
        "google_business_profile GET /v1/categories",
        "google_business_profile PATCH /v1/locations/* change",
    ],
    phrasings = ["change the category of my business profile", "set google business categories", "add a category to my listing"],
    examples = [{ "location_ref": "108800001.4503600001.con_1", "primary": "gcid:lighting_store", "additional": ["gcid:lamp_repair_service"] }]
)]
pub(crate) fn update(cx: &Cx, args: Update) -> Result<Updated> {
    let place = Place::find(cx, &args.location_ref, "/location_ref")?;
    let before = place.read(cx, "/location_ref")?;
    let primary = id(args.primary.as_str());
    let held = profile::categories(&before["categories"]).additional.into_iter().map(|it| it.id);
    let additional: Vec<String> = match &args.additional {
        Some(given) => given.iter().map(|it| id(it.as_str())).collect(),
        None => held.filter(|it| *it != primary).collect(),
    };
    for (at, it) in additional.iter().enumerate() {
        if *it == primary || additional[..at].contains(it) {
            let message = "this category is given twice; the primary one is not among the additional ones";
            return Err(Fault::invalid(format!("/additional/{at}"), "category_twice", message));
        }
    }
    let wanted: Vec<(String, String)> = std::iter::once(("/primary".to_owned(), primary))
        .chain(additional.into_iter().enumerate().map(|(at, it)| (format!("/additional/{at}"), it)))
        .collect();
    let categories = known(cx, &place, &before, &wanted)?;
    let name = |it: &Category| json!({ "name": format!("categories/{}", it.id), "displayName": it.name });
    let others: Vec<Value> = categories[1..].iter().map(name).collect();
    let written = json!({ "primaryCategory": name(&categories[0]), "additionalCategories": others });
    let changes_primary = before["categories"]["primaryCategory"]["name"] != written["primaryCategory"]["name"];
    let mut fields = Map::new();
    let same = ids(&before["categories"]) == ids(&written);
    if !same {
        fields.insert("categories".to_owned(), written);
    }
    let edit =
        Edit { place: &place, operation: "listings.category.update", pointer: "/primary", before: &before, fields };
    let made = edit.make(cx, false)?;
    let mut warnings = Vec::new();
    if changes_primary && made.change_ref.is_some() {
        warnings.push(
            "reverification_likely: Google may ask a business to prove itself again after a change of its primary category"
                .to_owned(),
        );
    }
    Ok(Updated { categories, change_ref: made.change_ref, warnings })
}

fn id(given: &str) -> String {
    let bare = given.trim_start_matches("categories/");
    if bare.starts_with("gcid:") { bare.to_owned() } else { format!("gcid:{bare}") }
}

fn ids(categories: &Value) -> Vec<String> {
    let others = categories["additionalCategories"].as_array().into_iter().flatten();
    let all = std::iter::once(&categories["primaryCategory"]).chain(others);
    all.filter_map(|it| it["name"].as_str().map(str::to_owned)).collect()
}

/// The categories by the provider's list, in the order wanted; the nearest ones stand in the refusal of one that is not there.
fn known(cx: &Cx, place: &Place, before: &Value, wanted: &[(String, String)]) -> Result<Vec<Category>> {
    let (country, language) = market(before);
    let spoken = |id: &str| id.trim_start_matches("gcid:").replace('_', " ");
    // The list is searched by names; an English identifier may have another name in its country.
    let held = profile::categories(&before["categories"]);
    let mut known: Vec<Category> = held.primary.into_iter().chain(held.additional).collect();
    let missing: Vec<&(String, String)> = wanted.iter().filter(|(_, id)| known.iter().all(|it| it.id != *id)).collect();
    let mut requests: Vec<sdk::Send> = Vec::new();
    for (_, id) in &missing {
        requests.push(search(place, &country, "en", &spoken(id)));
    }
    let found = if requests.is_empty() { Vec::new() } else { searched(cx, requests)? };
    known.extend(found);
    let mut all = Vec::new();
    for (pointer, id) in wanted {
        match known.iter().find(|it| it.id == *id) {
            Some(it) => all.push(it.clone()),
            None => return Err(unknown(cx, place, &country, &language, pointer, &spoken(id))),
        }
    }
    Ok(all)
}

fn unknown(cx: &Cx, place: &Place, country: &str, language: &str, pointer: &str, spoken: &str) -> Fault {
    let words = spoken.split(' ').filter(|it| it.len() > 2).take(2);
    let requests = words.map(|word| search(place, country, language, word)).collect();
    let mut near = searched(cx, requests).unwrap_or_default();
    let likeness = |it: &Category| ratio::token_sort(spoken, &it.name.to_lowercase());
    near.sort_by(|a, b| likeness(b).total_cmp(&likeness(a)));
    near.truncate(3);
    let names: Vec<String> = near.iter().map(|it| format!("{} ({})", it.id, it.name)).collect();
    let nearest = if names.is_empty() { String::new() } else { format!("; the nearest are {}", names.join(", ")) };
    let message = format!("Google has no category of this identifier for {country}{nearest}");
    Fault::invalid(pointer, "category_unknown", message).detail(json!({ "nearest": near }))
}
