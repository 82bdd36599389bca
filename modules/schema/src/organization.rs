//! The operation `schema.organization.generate`: the markup of who stands behind a website.

use sdk::Degraded;
use sdk::Fix;
use sdk::Next;
use sdk::json;
use sdk::prelude::*;
use serde_json::{Map, Value};

use crate::extract::{Format, Item};
use crate::judge::{self, Problem, Profile};
use crate::same_as;
use site::Site;

/// A business location. The module that keeps them is not there yet.
pub(crate) struct Location;

#[args]
pub(crate) struct Generate {
    site_id: Id<Site>,
    /// A location of the business, as listed.
    location_ref: Option<Id<Location>>,
}

/// The markup of a website's owner.
#[value]
pub(crate) struct Generated {
    /// The markup, for the home page.
    jsonld: Map<String, Value>,
    /// Facts that would make it say more, by the name that `websites.profile.update` takes under `facts`.
    missing: Vec<String>,
    errors: Vec<Problem>,
    valid: bool,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// A property, and the names of facts that give it.
const PLAIN: &[(&str, &[&str])] = &[
    ("legalName", &["legal_name", "company", "company_name"]),
    ("description", &["description", "about"]),
    ("telephone", &["telephone", "phone", "phone_number"]),
    ("email", &["email", "contact_email"]),
    ("foundingDate", &["founding_date", "founded", "founded_year"]),
    ("vatID", &["vat_id", "vat"]),
    ("logo", &["logo", "logo_url"]),
    ("image", &["image", "photo"]),
];
/// The parts of a postal address.
const ADDRESS: &[(&str, &[&str])] = &[
    ("streetAddress", &["street_address", "street", "address"]),
    ("postalCode", &["postal_code", "zip", "zip_code", "postcode"]),
    ("addressLocality", &["city", "locality", "town"]),
    ("addressRegion", &["region", "state"]),
    ("addressCountry", &["country", "country_code"]),
];

/// Generates Organization, WebSite and LocalBusiness markup from the website profile, business locations and verified profile links with stable @ids.
///
/// Facts come from `websites.profile.update`. A street and a city make the organization a LocalBusiness. Profile links are
/// those that `schema.sameas.verify` found to be reachable under the right name within the last week, else those of the facts.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    phrasings = [
        "organization schema for my company",
        "local business markup for my shop",
        "structured data for my home page",
        "tell google my site's name and logo",
    ],
    examples = [{ "site_id": "4503599627370496" }]
)]
pub(crate) fn generate(cx: &Cx, args: Generate) -> Result<Generated> {
    let site = site::get(cx, &args.site_id)?;
    if args.location_ref.is_some() {
        let message =
            "there is no such location: no locations are kept yet; leave location_ref out to use the website's facts";
        return Err(Fault::not_found("location_not_found", message).at("/location_ref"));
    }
    let mut degraded = vec![Degraded::new(
        "locations",
        "business locations are kept by the module listings, which is not there yet; the website's facts are used",
    )];
    let (organization, website) = (format!("{}/#organization", site.origin), format!("{}/#website", site.origin));
    let (name, home) = (site.title(), format!("{}/", site.origin));
    let mut missing = Vec::new();
    let mut node = json!({ "@id": organization, "name": name, "url": home });
    for (property, names) in PLAIN {
        match site.fact(names) {
            Some(text) => node[*property] = json!(text),
            None => missing.push(names[0].to_owned()),
        }
    }
    let mut address = Map::new();
    for (property, names) in ADDRESS {
        match site.fact(names) {
            Some(text) => {
                address.insert((*property).to_owned(), json!(text));
            }
            None => missing.push(names[0].to_owned()),
        }
    }
    let is_local = address.contains_key("streetAddress") && address.contains_key("addressLocality");
    node["@type"] = json!(if is_local {
        site.fact(&["business_type", "schema_type"])
            .filter(|it| crate::vocabulary::get().is_a(it, "LocalBusiness"))
            .unwrap_or_else(|| "LocalBusiness".to_owned())
    } else {
        "Organization".to_owned()
    });
    if !address.is_empty() {
        address.insert("@type".to_owned(), json!("PostalAddress"));
        node["address"] = Value::Object(address);
    }
    if is_local {
        for (property, names) in [("priceRange", &["price_range"][..]), ("openingHours", &["opening_hours", "hours"])] {
            match site.fact(names) {
                Some(text) => node[property] = json!(text),
                None => missing.push(names[0].to_owned()),
            }
        }
    }
    let profiles = profiles(cx, &site, &mut degraded);
    if profiles.is_empty() {
        missing.push("same_as".to_owned());
    } else {
        node["sameAs"] = json!(profiles);
    }
    let mut about =
        json!({ "@type": "WebSite", "@id": website, "name": name, "url": home, "publisher": { "@id": organization } });
    let others: Vec<&String> = site.brand_terms.iter().flatten().filter(|it| **it != name).take(5).collect();
    if !others.is_empty() {
        about["alternateName"] = json!(others);
    }
    let nodes = [node, about];
    let item = |it: &Value| Item {
        format: Format::JsonLd,
        line: 1,
        pointer: String::new(),
        value: it.as_object().cloned().unwrap_or_default(),
    };
    let items: Vec<Item> = nodes.iter().map(item).collect();
    let errors: Vec<Problem> = judge::judge(&items, Profile::Both, cx.now().day(), None, |_| None)
        .into_iter()
        .flat_map(|it| it.errors)
        .collect();
    let jsonld = json!({ "@context": "https://schema.org", "@graph": nodes });
    let mut next = vec![
        Fix::new("schema.sameas.verify", json!({ "site_id": site.id }))
            .because("checks the profile links that the markup names"),
    ];
    if errors.is_empty() {
        let items = json!([{ "url": home, "jsonld": jsonld.to_string() }]);
        next.push(
            Fix::new("schema.deploy", json!({ "site_id": site.id, "items": items }))
                .because("puts the markup on the home page"),
        );
    } else {
        next.push(
            Fix::new("websites.profile.get", json!({ "site_id": site.id }))
                .because("shows the facts that the markup is made from"),
        );
    }
    let Value::Object(jsonld) = jsonld else { return Err(Fault::refused("no_markup", "there is no markup")) };
    Ok(Generated { jsonld, missing, valid: errors.is_empty(), errors, next, degraded })
}

/// Profile links: those that the customer has entered, whatever came of verifying them, then others that were verified lately.
fn profiles(cx: &Cx, site: &Stored<Site>, degraded: &mut Vec<Degraded>) -> Vec<String> {
    let mut links = site.links(&["same_as", "sameas", "profiles", "social_profiles", "social"]);
    let verified = same_as::remembered(cx, &site.id).unwrap_or_default();
    let is_verified = |url: &&String| verified.iter().any(|it| same_as::plain(it) == same_as::plain(url));
    let open: Vec<&str> = links.iter().filter(|it| !is_verified(it)).map(String::as_str).collect();
    if !open.is_empty() {
        let why = format!(
            "{} of the profile links that you entered were not verified within the last week, such as {}; they are kept",
            open.len(),
            kit::text::clip(open[0], 200)
        );
        degraded.push(
            Degraded::new("verified_profiles", why).supplied_by("schema.sameas.verify", json!({ "site_id": site.id })),
        );
    }
    let more = verified.into_iter().filter(|url| !links.iter().any(|it| same_as::plain(it) == same_as::plain(url)));
    links.extend(more.collect::<Vec<_>>());
    links
}

#[cfg(test)]
mod tests;
