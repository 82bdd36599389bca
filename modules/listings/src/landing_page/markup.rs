//! The structured data of a landing page: what is there, and what would be right (schema.org LocalBusiness).

use kit::jsonld;
use sdk::prelude::*;
use sdk::serde_json::{Map, Value};
use sdk::{Fix, json};

use super::{Add, NEAR, distance};
use crate::nap::compare::{Grade, Grades, Shown};
use crate::nap::stored::Nap;
use crate::profile::Profile;
use crate::week::Period;

/// The checks of the node that is the business.
pub(super) fn markup_checks(
    record: &Nap,
    profile: Option<&Profile>,
    node: Option<&Map<String, Value>>,
    repair: &Option<Fix>,
    add: &mut Add<'_>,
) {
    let Some(node) = node else {
        add("markup", 3, Some(false), "no structured data with an address or a telephone number".to_owned(), repair);
        for id in ["markup_type", "markup_nap", "markup_hours", "markup_geo", "markup_same_as"] {
            add(id, 1, None, "there is no structured data".to_owned(), repair);
        }
        return;
    };
    add("markup", 3, Some(true), "structured data is there".to_owned(), repair);
    let types: Vec<&str> = jsonld::types(node).map(|it| it.rsplit('/').next().unwrap_or(it)).collect();
    let specific = types.iter().any(|it| !matches!(*it, "LocalBusiness" | "Organization" | "Place" | "Thing"));
    add(
        "markup_type",
        1,
        Some(specific),
        if specific {
            types.join(", ")
        } else {
            format!("{}: a more specific type says what kind of business it is", types.join(", "))
        },
        repair,
    );
    let postal = node.get("address").and_then(|it| it.as_object().or_else(|| it[0].as_object()));
    let text = |node: Option<&Map<String, Value>>, name: &str| node.and_then(|it| it.get(name)).and_then(jsonld::text);
    let shown = Shown {
        name: text(Some(node), "name"),
        street: text(postal, "streetAddress").or_else(|| text(Some(node), "address")),
        postcode: text(postal, "postalCode"),
        city: text(postal, "addressLocality"),
        phone: text(Some(node), "telephone"),
        website: text(Some(node), "url"),
    };
    let Grades { name, address, phone, .. } = record.truth().grades(&shown);
    let right = [name, address].iter().all(|it| matches!(it, Grade::Exact | Grade::Near)) && phone == Grade::Exact;
    let words = format!(
        "{}; {}; {}",
        shown.name.unwrap_or_default(),
        shown.street.unwrap_or_default(),
        shown.phone.unwrap_or_default()
    );
    add("markup_nap", 3, Some(right), words, repair);
    let hours = hours(record, profile);
    let marked = node.get("openingHoursSpecification").map(marked_hours);
    let pass = match (&hours, &marked) {
        (None, _) => None,
        (Some(_), None) => Some(false),
        (Some(hours), Some(marked)) => Some(hours == marked),
    };
    add(
        "markup_hours",
        2,
        pass,
        marked.map_or_else(|| "no openingHoursSpecification".to_owned(), |it| week_words(&it)),
        repair,
    );
    let point = profile.and_then(|it| it.latitude.zip(it.longitude));
    let number = |name: &str| {
        node.get("geo").and_then(|geo| geo.get(name)).and_then(|it| it.as_f64().or_else(|| it.as_str()?.parse().ok()))
    };
    let geo = number("latitude").zip(number("longitude"));
    let metres = point.zip(geo).map(|(a, b)| distance(a, b));
    let pass = match (point, geo, metres) {
        (_, None, _) => Some(false),
        (None, Some(_), _) => None,
        (_, _, metres) => metres.map(|it| it <= NEAR),
    };
    add(
        "markup_geo",
        1,
        pass,
        metres.map_or_else(
            || "no geo, or none of the profile".to_owned(),
            |it| format!("{it:.0} metres from the profile"),
        ),
        repair,
    );
    let same_as = node.get("sameAs").map(Value::to_string).unwrap_or_default();
    let own = [profile.and_then(|it| it.maps_url.clone()), profile.and_then(|it| it.place_id.clone())];
    let pass = profile
        .map(|_| own.iter().flatten().any(|it| same_as.contains(it.as_str())) || same_as.contains("google.com/maps"));
    add(
        "markup_same_as",
        1,
        pass,
        if same_as.is_empty() { "no sameAs".to_owned() } else { kit::text::clip(&same_as, 200).to_owned() },
        repair,
    );
}

/// The hours that are right: those of the record, else of the profile.
pub(super) fn hours(record: &Nap, profile: Option<&Profile>) -> Option<Vec<Period>> {
    let own = record.hours.clone();
    own.or_else(|| profile.map(|it| it.hours.regular.clone())).filter(|it| !it.is_empty())
}

/// Hours of openingHoursSpecification.
fn marked_hours(given: &Value) -> Vec<Period> {
    let mut all = Vec::new();
    let list = given.as_array().cloned().unwrap_or_else(|| vec![given.clone()]);
    for it in &list {
        let days = it["dayOfWeek"].as_array().cloned().unwrap_or_else(|| vec![it["dayOfWeek"].clone()]);
        let clock = |name: &str| it[name].as_str().map(|text| kit::text::clip(text, 5).to_owned());
        let (Some(open), Some(close)) = (clock("opens"), clock("closes")) else { continue };
        for day in days.iter().filter_map(Value::as_str) {
            let short = day.rsplit('/').next().unwrap_or(day).to_lowercase();
            if let Ok(day) = sdk::serde_json::from_value(json!(short)) {
                all.push(Period { day, open: open.clone(), close: close.clone() });
            }
        }
    }
    crate::week::settled(&all).map(|it| it.0).unwrap_or(all)
}

fn week_words(week: &[Period]) -> String {
    let words: Vec<String> = week.iter().take(8).map(|it| format!("{:?} {}-{}", it.day, it.open, it.close)).collect();
    words.join(", ")
}

/// Structured data of the record, and of the profile where it is known (schema.org LocalBusiness).
pub(super) fn markup(record: &Nap, profile: Option<&Profile>, url: &Url) -> Map<String, Value> {
    let address = &record.address;
    let mut node = Map::new();
    let mut set = |name: &str, value: Value| node.insert(name.to_owned(), value);
    set("@context", json!("https://schema.org"));
    set("@type", json!("LocalBusiness"));
    set("@id", json!(format!("{url}#business")));
    set("name", json!(record.name));
    set("url", json!(url));
    set("telephone", json!(record.phone));
    let mut postal = json!({ "@type": "PostalAddress", "streetAddress": address.lines.join(", "), "addressCountry": address.country });
    for (name, value) in
        [("addressLocality", &address.city), ("postalCode", &address.postcode), ("addressRegion", &address.region)]
    {
        if let Some(value) = value {
            postal[name] = json!(value);
        }
    }
    set("address", postal);
    if let Some((latitude, longitude)) = profile.and_then(|it| it.latitude.zip(it.longitude)) {
        set("geo", json!({ "@type": "GeoCoordinates", "latitude": latitude, "longitude": longitude }));
    }
    if let Some(hours) = hours(record, profile) {
        let day = |it: &Period| format!("https://schema.org/{:?}", it.day);
        let rows: Vec<Value> = hours.iter().map(|it| json!({ "@type": "OpeningHoursSpecification", "dayOfWeek": day(it), "opens": it.open, "closes": it.close.replace("24:00", "23:59") })).collect();
        set("openingHoursSpecification", json!(rows));
    }
    if let Some(maps) = profile.and_then(|it| it.maps_url.clone()) {
        set("hasMap", json!(maps));
        set("sameAs", json!([maps]));
    }
    node
}
