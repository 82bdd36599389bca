//! Places as the provider names them: a country of two letters, a code, or a full name.
//!
//! Source: docs.dataforseo.com/v3/serp/google/locations and serp/bing/locations.

use dataforseo::{Account, location_code};
use kit::similarity::{jaccard, shingles};
use sdk::json;
use sdk::prelude::*;
use sdk::serde_json::Value;

use crate::stored::Engine;

/// Seconds that a place that was found is remembered: 7 days.
const KEPT_SECONDS: u32 = 7 * 86_400;
/// Names that a refusal proposes.
const NEAREST: usize = 5;

/// A place.
#[value]
pub(crate) struct Place {
    pub(crate) code: u32,
    /// Two letters for a country, else the provider's full name.
    pub(crate) name: String,
}

/// A place as a caller names it, and its code where that needs no question: of a country, or given.
///
/// # Errors
/// 422 `unknown_location` at `/location` for two letters that are no country.
pub(crate) fn given(text: &str) -> Result<(String, Option<u32>)> {
    let text = kit::text::collapse(text);
    if text.len() != 2 {
        let code = text.parse().ok();
        return Ok((text, code));
    }
    let country: Country = text.to_uppercase().parse().map_err(|_| {
        let message = "two letters are a country of ISO 3166-1, such as GB";
        Fault::invalid("/location", "unknown_location", message)
    })?;
    Ok((country.to_string(), Some(location_code(country))))
}

/// The place of the argument `location`, in a country.
///
/// # Errors
/// 422 `unknown_location` at `/location` with the nearest names; 422 `connection_required`; 503 for a provider that does not
/// answer.
pub(crate) fn find(cx: &Cx, engine: Engine, country: &str, given: &str) -> Result<Place> {
    let (given, code) = self::given(given)?;
    if let Some(code) = code.filter(|_| given.len() == 2) {
        return Ok(Place { code, name: given });
    }
    let unknown = |message: String| Fault::invalid("/location", "unknown_location", message);
    let whole: Country = country.parse().map_err(|_| unknown("the country of the set is not known".to_owned()))?;
    if code == Some(location_code(whole)) {
        return Ok(Place { code: location_code(whole), name: whole.to_string() });
    }
    let key = format!("place/{}/{country}/{}", engine.name(), given.to_lowercase());
    if let Some(place) = cx.cache().get::<Place>(&key) {
        return Ok(place);
    }
    let account = Account::required(cx, "/location", "places are looked up at DataForSEO")?;
    let path = format!("serp/{}/locations/{}", engine.name(), country.to_lowercase());
    let answer = account.read(&path).map_err(|refusal| refusal.fault("/location"))?;
    let place = |row: &Value| {
        let code = u32::try_from(row["location_code"].as_u64()?).ok()?;
        Some(Place { code, name: row["location_name"].as_str()?.to_owned() })
    };
    let is_it = |it: &Place| it.name.eq_ignore_ascii_case(&given) || code == Some(it.code);
    let places: Vec<Place> = answer.results.iter().filter_map(place).collect();
    if let Some(found) = places.iter().find(|it| is_it(it)) {
        cx.cache().put(&key, found, KEPT_SECONDS);
        return Ok(found.clone());
    }
    let message = format!(
        "the provider knows no place of this name in {country}; a place is two letters, a code, or a full name such as \
         `London,England,United Kingdom`"
    );
    Err(unknown(message).detail(json!({ "nearest": nearest(&given, &places) })))
}

/// The names that share the most letters in a row with the given one.
fn nearest(given: &str, places: &[Place]) -> Vec<String> {
    let triples = |text: &str| {
        let letters: Vec<String> =
            text.to_lowercase().chars().filter(|it| it.is_alphanumeric()).map(String::from).collect();
        shingles(&letters, 3)
    };
    let wanted = triples(given);
    // The first part names the place itself: "london" is near "London,England,United Kingdom".
    let like = |it: &Place| {
        let own = it.name.split(',').next().unwrap_or_default();
        jaccard(&wanted, &triples(own)).max(jaccard(&wanted, &triples(&it.name)))
    };
    let mut all: Vec<(f64, &str)> =
        places.iter().map(|it| (like(it), it.name.as_str())).filter(|it| it.0 > 0.1).collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.len().cmp(&b.1.len())).then_with(|| a.1.cmp(b.1)));
    all.into_iter().take(NEAREST).map(|it| it.1.to_owned()).collect()
}
