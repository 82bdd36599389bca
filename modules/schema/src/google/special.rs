//! The demands that depend on other values of an item, or on where it stands.

use serde_json::{Map, Value};

use super::rule::{Form, Place, any, is_below, one, reached};
use crate::check::{Found, Severity};
use crate::extract::{types, values};

/// The types of postings in a forum or a network.
const FORUM: [&str; 2] = ["DiscussionForumPosting", "SocialMediaPosting"];

/// Asks what `table` cannot write down, for a type that has rules.
pub(super) fn check(kind: &str, item: &Map<String, Value>, place: &Place<'_>, out: &mut Vec<Found>) {
    match kind {
        "Product" => product(item, place, out),
        "Offer" => offer(item, place, out),
        "Rating" | "AggregateRating" => range(item, place, out),
        "PriceSpecification" => price(item, place, out),
        "QuantitativeValue" => quantity(item, place, out),
        "JobPosting" => job(item, place, out),
        "Recipe" => recipe(item, place, out),
        "MerchantReturnPolicy" => returns(item, place, out),
        "BreadcrumbList" => breadcrumbs(item, place, out),
        "OfferShippingDetails" => shipping(item, place, out),
        "Comment" => comment(item, place, out),
        "InteractionCounter" => counter(item, place, out),
        "MemberProgramTier" => tier(item, place, out),
        _ => {}
    }
}

/// Whether an item is a variant that is sold on another page: it is told by its address alone, and asked there.
pub(super) fn is_elsewhere(item: &Map<String, Value>, place: &Place<'_>) -> bool {
    let told = |name: &str| name.starts_with('@') || matches!(name, "url" | "isVariantOf" | "inProductGroupWithID");
    let is_variant = place.property == "hasVariant" || has(item, "isVariantOf");
    types(item) == ["Product"] && is_variant && has(item, "url") && item.keys().all(|name| told(name))
}

fn has(item: &Map<String, Value>, path: &str) -> bool {
    reached(item, path).is_some()
}

fn need(name: &str, form: Form, item: &Map<String, Value>, place: &Place<'_>, out: &mut Vec<Found>) {
    out.extend(one(Severity::Error, name, form, item, place));
}

fn say(severity: Severity, code: &'static str, names: &[&str], message: &str, place: &Place<'_>, out: &mut Vec<Found>) {
    let properties = names.iter().map(|it| (*it).to_owned()).collect();
    out.push(Found { severity, code, pointer: place.pointer.clone(), properties, message: message.to_owned() });
}

fn product(item: &Map<String, Value>, place: &Place<'_>, out: &mut Vec<Found>) {
    let names = ["aggregateRating", "offers", "review"];
    if !names.iter().any(|it| has(item, it)) {
        say(
            Severity::Error,
            "missing_required",
            &names,
            "one of aggregateRating, offers, review is needed",
            place,
            out,
        );
    }
    let codes = ["gtin", "gtin8", "gtin12", "gtin13", "gtin14", "isbn"];
    let offers: Vec<_> = values(item, "offers").iter().filter_map(Value::as_object).collect();
    let coded = |it: &Map<String, Value>| codes.iter().any(|code| has(it, code));
    if !coded(item) && (offers.is_empty() || !offers.iter().all(|it| coded(it))) {
        let message = "a global identifier (gtin, isbn) is recommended on the product or on all of its offers";
        say(Severity::Warning, "missing_recommended", &codes, message, place, out);
    }
}

/// Only the offer of a product is asked: for other things an offer is a part of little weight.
fn offer(item: &Map<String, Value>, place: &Place<'_>, out: &mut Vec<Found>) {
    if !place.around.last().is_some_and(|kind| is_below(&[*kind], "Product")) {
        return;
    }
    let prices = [("price", Form::Number), ("priceSpecification.price", Form::Number)];
    out.extend(any(Severity::Error, &prices, item, place));
    out.extend(one(Severity::Warning, "availability", Form::Any, item, place));
    let currencies = [("priceCurrency", Form::Currency), ("priceSpecification.priceCurrency", Form::Currency)];
    out.extend(any(Severity::Warning, &currencies, item, place));
    out.extend(one(Severity::Warning, "priceValidUntil", Form::Date, item, place));
    let free = |it: &Value| it.as_f64().or_else(|| it.as_str()?.trim().parse().ok()) == Some(0.0);
    let price = reached(item, "price").or_else(|| reached(item, "priceSpecification.price"));
    if price.as_ref().is_some_and(free) {
        let message = "a merchant listing has a price above zero; a product snippet may be of something free";
        say(Severity::Warning, "price_zero", &["price"], message, place, out);
    }
}

/// A rating that is a number lies between `worstRating` (0) and `bestRating` (5).
fn range(item: &Map<String, Value>, place: &Place<'_>, out: &mut Vec<Found>) {
    let number = |name: &str| match item.get(name) {
        Some(Value::String(text)) => text.trim().parse::<f64>().ok(),
        Some(value) => value.as_f64(),
        None => None,
    };
    let Some(value) = item.get("ratingValue").and_then(Value::as_f64) else { return };
    let (worst, best) =
        (number("worstRating").unwrap_or(0.0), number("bestRating").filter(|it| *it != 0.0).unwrap_or(5.0));
    if value < worst || value > best {
        let message = format!("ratingValue {value} is not between {worst} and {best}");
        say(Severity::Error, "rating_out_of_range", &["ratingValue"], &message, place, out);
    }
}

/// One price, or the lowest and the highest.
fn price(item: &Map<String, Value>, place: &Place<'_>, out: &mut Vec<Found>) {
    if !has(item, "price") && has(item, "minPrice") && has(item, "maxPrice") {
        need("minPrice", Form::Number, item, place, out);
        need("maxPrice", Form::Number, item, place, out);
    } else {
        need("price", Form::Number, item, place, out);
    }
}

fn quantity(item: &Map<String, Value>, place: &Place<'_>, out: &mut Vec<Found>) {
    let needed: &[&str] = match place.around.last() {
        Some(&"UnitPriceSpecification") => &["unitCode", "value"],
        Some(&"ShippingDeliveryTime") => &["maxValue", "minValue", "unitCode"],
        _ => &[],
    };
    for name in needed {
        need(name, Form::Any, item, place, out);
    }
}

/// A place of work, or for work from anywhere the places that people may live in; with both, people may choose.
fn job(item: &Map<String, Value>, place: &Place<'_>, out: &mut Vec<Found>) {
    let remote = values(item, "jobLocationType").iter().any(|it| it.as_str() == Some("TELECOMMUTE"));
    let (at_work, at_home) = (has(item, "jobLocation"), has(item, "applicantLocationRequirements"));
    if at_work {
        need("jobLocation.address.addressCountry", Form::Any, item, place, out);
        if remote && !at_home {
            out.extend(one(Severity::Warning, "applicantLocationRequirements", Form::Any, item, place));
        }
    } else if !at_home {
        need(if remote { "applicantLocationRequirements" } else { "jobLocation" }, Form::Any, item, place, out);
    } else if !remote {
        let message = "a job without a place of work has the jobLocationType TELECOMMUTE";
        say(Severity::Error, "missing_required", &["jobLocationType"], message, place, out);
    }
    if item.get("experienceInPlaceOfEducation").is_some_and(|it| it == true || it == "true" || it == "True") {
        for name in ["experienceRequirements", "educationRequirements"] {
            out.extend(one(Severity::Warning, name, Form::Any, item, place));
        }
    }
}

fn recipe(item: &Map<String, Value>, place: &Place<'_>, out: &mut Vec<Found>) {
    let several = item.get("image").is_some_and(Value::is_array);
    need("image", if several { Form::Address } else { Form::Any }, item, place, out);
    // Calories are of one serving, so that the servings must be told.
    let severity = if has(item, "nutrition.calories") { Severity::Error } else { Severity::Warning };
    out.extend(one(severity, "recipeYield", Form::Any, item, place));
}

/// The whole policy, or the address of the organization's service that has it.
fn shipping(item: &Map<String, Value>, place: &Place<'_>, out: &mut Vec<Found>) {
    if has(item, "hasShippingService") {
        return;
    }
    for name in ["deliveryTime", "shippingDestination", "shippingRate", "shippingRate.currency"] {
        need(name, Form::Any, item, place, out);
    }
    let rates = [("shippingRate.value", Form::Any), ("shippingRate.maxValue", Form::Any)];
    out.extend(any(Severity::Error, &rates, item, place));
}

/// A comment on a forum's posting, or on another comment there.
fn comment(item: &Map<String, Value>, place: &Place<'_>, out: &mut Vec<Found>) {
    let on = place.around.iter().rev().find(|it| **it != "Comment");
    if place.property == "comment" && on.is_some_and(|it| FORUM.contains(it)) {
        need("author", Form::Any, item, place, out);
        need("datePublished", Form::Date, item, place, out);
        let content = [("text", Form::Any), ("image", Form::Any), ("video", Form::Any)];
        out.extend(any(Severity::Error, &content, item, place));
    }
}

/// What is counted, and how many, on a forum or a profile page.
fn counter(item: &Map<String, Value>, place: &Place<'_>, out: &mut Vec<Found>) {
    if place.around.iter().any(|it| FORUM.contains(it) || *it == "ProfilePage") {
        need("userInteractionCount", Form::Number, item, place, out);
        need("interactionType", Form::Any, item, place, out);
    }
}

/// A tier of an organization's loyalty program.
fn tier(item: &Map<String, Value>, place: &Place<'_>, out: &mut Vec<Found>) {
    if place.property != "hasTiers" || place.around.len() < 2 {
        return;
    }
    need("name", Form::Text, item, place, out);
    need("hasTierBenefit", Form::Any, item, place, out);
    let mut benefits = values(item, "hasTierBenefit").iter().filter_map(Value::as_str);
    if benefits.any(|it| it.ends_with("TierBenefitLoyaltyPoints")) {
        out.extend(one(Severity::Warning, "membershipPointsEarned", Form::Any, item, place));
    }
}

/// Country and category; within an organisation a link to the policy is enough.
fn returns(item: &Map<String, Value>, place: &Place<'_>, out: &mut Vec<Found>) {
    let of_organisation = place.property == "hasMerchantReturnPolicy" && place.around.last() == Some(&"Organization");
    let linked = of_organisation && has(item, "merchantReturnLink");
    let whole = has(item, "applicableCountry") && has(item, "returnPolicyCategory");
    if !linked && !whole {
        let names = ["applicableCountry", "returnPolicyCategory", "merchantReturnLink"];
        let message =
            "applicableCountry and returnPolicyCategory are needed, or merchantReturnLink within an Organization";
        say(Severity::Error, "missing_required", &names, message, place, out);
    }
    // Google needs these two where the policy speaks of them; the reference validator does not.
    let says =
        |name: &str, word: &str| values(item, name).iter().any(|it| it.as_str().is_some_and(|it| it.ends_with(word)));
    if says("returnPolicyCategory", "MerchantReturnFiniteReturnWindow") {
        out.extend(one(Severity::Warning, "merchantReturnDays", Form::Number, item, place));
    }
    if says("returnFees", "ReturnShippingFees") {
        out.extend(one(Severity::Warning, "returnShippingFeesAmount", Form::Node, item, place));
    }
}

/// At least two steps; `worth` asks for their addresses.
fn breadcrumbs(item: &Map<String, Value>, place: &Place<'_>, out: &mut Vec<Found>) {
    if values(item, "itemListElement").len() == 1 {
        say(Severity::Warning, "too_few_items", &["itemListElement"], "a trail has at least two steps", place, out);
    }
}
