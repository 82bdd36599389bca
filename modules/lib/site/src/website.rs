//! A website of the customer, and which addresses are its own.

use std::collections::BTreeMap;

use kit::url::{Url as Address, same_site};
use sdk::prelude::*;
use serde_json::Value;

/// Websites that are looked at for the one that an address belongs to.
const MOST: usize = 200;

/// A website of the customer, as the websites module keeps it.
#[foreign(collection = "websites.sites", thing = "website", reference = "site_id", index(order))]
#[serde(default)]
#[derive(Default)]
pub struct Site {
    /// The host that it was added by.
    pub domain: String,
    /// Scheme, host and port to begin at.
    pub origin: String,
    /// How it is called.
    pub name: Option<String>,
    /// The country that it is for, ISO 3166-1 alpha-2.
    pub country: Option<String>,
    /// Names that mean this website.
    pub brand_terms: Option<Vec<String>>,
    /// Facts about the business, by name.
    pub facts: Option<BTreeMap<String, Value>>,
    /// Whether its ownership is proven; null until a check has proven it once.
    pub verification: Option<Verification>,
    /// Sorts by age.
    pub order: String,
}

/// The proof of ownership of a website.
#[value]
pub struct Verification {
    /// Whether the token was found when it was looked for last.
    pub verified: bool,
}

impl Site {
    /// Its name, or its host without one.
    #[must_use]
    pub fn title(&self) -> String {
        let host = self.origin.split("://").nth(1).unwrap_or(&self.origin);
        self.name.as_deref().filter(|it| !it.trim().is_empty()).unwrap_or(host).to_owned()
    }

    /// Whether an address is one of its own: the same host, `www.` aside.
    #[must_use]
    pub fn has(&self, url: &str) -> bool {
        match (Address::parse(&self.origin), Address::parse(url)) {
            (Ok(own), Ok(other)) => same_site(&own, &other),
            _ => false,
        }
    }

    /// A fact that is a text or a number, under the first of these names that has one; spelled in any case.
    #[must_use]
    pub fn fact(&self, names: &[&str]) -> Option<String> {
        let facts = self.facts.as_ref()?;
        names.iter().find_map(|wanted| {
            let (_, value) = facts.iter().find(|(name, _)| plain(name) == *wanted)?;
            match value {
                Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
                Value::Number(number) => Some(number.to_string()),
                _ => None,
            }
        })
    }

    /// Addresses among the facts of these names: a list, or texts with commas or spaces between.
    #[must_use]
    pub fn links(&self, names: &[&str]) -> Vec<String> {
        let Some(facts) = &self.facts else { return Vec::new() };
        let held = facts.iter().filter(|(name, _)| names.contains(&plain(name).as_str()));
        let mut out: Vec<String> = Vec::new();
        for (_, value) in held {
            let texts: Vec<&str> = match value {
                Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
                other => other.as_str().into_iter().collect(),
            };
            let found = texts.into_iter().flat_map(|it| it.split([',', ' ', '\n'])).map(str::trim);
            out.extend(found.filter(|it| it.starts_with("http")).map(str::to_owned));
        }
        out.dedup();
        out
    }
}

/// The name of a fact as it is looked up.
fn plain(name: &str) -> String {
    name.to_ascii_lowercase().replace([' ', '-'], "_")
}

/// The website of the argument `site_id`.
///
/// # Errors
/// 404 `website_not_found` for one that is not the customer's.
pub fn get(cx: &Cx, site: &Id<Site>) -> Result<Stored<Site>> {
    cx.records::<Site>().get(site).map_err(|fault| fault.at("/site_id"))
}

/// The customer's website that an address belongs to, among the first 200.
#[must_use]
pub fn of(cx: &Cx, url: &str) -> Option<Stored<Site>> {
    cx.records::<Site>().all().scan().take(MOST).find(|site| site.has(url))
}

/// Refuses addresses of the argument `urls` that are not of the website.
///
/// # Errors
/// 422 `url_not_of_site` with the pointer of the first.
pub fn all_own(site: &Site, urls: &[Url]) -> Result<()> {
    let Some(at) = urls.iter().position(|url| !site.has(url.as_str())) else { return Ok(()) };
    let message = format!("the address is not one of this website, which is at {}", site.origin);
    Err(Fault::invalid(format!("/urls/{at}"), "url_not_of_site", message))
}
