//! `listings.category.*`: what kind of business a location is.

pub(crate) mod suggest;
pub(crate) mod update;

use sdk::Send;
use sdk::prelude::*;
use sdk::serde_json::Value;

use crate::google;
use crate::place::Place;
use crate::profile::{self, Category};

/// Categories of the provider whose name has a text, for a country and language.
///
/// Source: categories.list with `filter=displayName=…` and `view=FULL`.
pub(crate) fn search(place: &Place, country: &str, language: &str, text: &str) -> Send {
    let plain: String =
        text.chars().filter(|it| it.is_alphanumeric() || matches!(it, ' ' | '-' | '&')).take(60).collect();
    Send::get(&place.connection, "/v1/categories")
        .query("regionCode", country)
        .query("languageCode", language)
        .query("filter", format!("displayName={plain}"))
        .query("pageSize", 100)
        .query("view", "FULL")
}

/// The categories of an answer.
pub(crate) fn read(answer: &Value) -> Vec<Category> {
    answer["categories"].as_array().into_iter().flatten().filter_map(profile::category).collect()
}

/// Country and language that a profile's categories are listed in.
pub(crate) fn market(profile: &Value) -> (String, String) {
    let country = profile["storefrontAddress"]["regionCode"].as_str().or(profile["serviceArea"]["regionCode"].as_str());
    let language = profile["languageCode"].as_str().unwrap_or("en");
    (country.unwrap_or("US").to_owned(), kit::language::primary(language))
}

/// Many searches, the found ones without doubles.
pub(crate) fn searched(cx: &Cx, requests: Vec<Send>) -> Result<Vec<Category>> {
    let mut all: Vec<Category> = Vec::new();
    let mut failed = None;
    for answer in cx.connections().send_many(requests) {
        match google::answered(answer, "/location_ref") {
            Ok(answer) => {
                for it in read(&answer) {
                    if all.iter().all(|other| other.id != it.id) {
                        all.push(it);
                    }
                }
            }
            Err(fault) => failed = Some(fault),
        }
    }
    match failed {
        Some(fault) if all.is_empty() => Err(fault),
        _ => Ok(all),
    }
}
