//! Postal addresses as Google writes them (google.type.PostalAddress), and in one line.

use sdk::json;
use sdk::prelude::*;
use sdk::serde_json::{Map, Value};

/// A postal address.
#[value]
#[derive(Eq)]
pub(crate) struct Address {
    /// Street and house number, suite, floor: one line each, the street first.
    pub(crate) lines: Vec<String>,
    pub(crate) postcode: Option<String>,
    pub(crate) city: Option<String>,
    /// State, province or county, as the country writes it.
    pub(crate) region: Option<String>,
    pub(crate) country: Country,
}

/// A postal address as it is given.
#[value]
pub(crate) struct GivenAddress {
    /// Street and house number, suite, floor: one line each, the street first.
    pub(crate) lines: List<Text<1, 200>, 1, 5>,
    /// The postal code.
    #[serde(default)]
    pub(crate) postcode: Option<Text<1, 20>>,
    /// The town.
    #[serde(default)]
    pub(crate) city: Option<Text<1, 100>>,
    /// State, province or county, as the country writes it.
    #[serde(default)]
    pub(crate) region: Option<Text<1, 100>>,
    /// The country, ISO 3166-1 alpha-2.
    pub(crate) country: Country,
}

impl Address {
    /// Reads an address of Google; none without a country.
    pub(crate) fn read(given: &Value) -> Option<Self> {
        let text = |name: &str| given[name].as_str().filter(|it| !it.is_empty()).map(str::to_owned);
        let lines = given["addressLines"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
        Some(Self {
            lines: lines.collect(),
            postcode: text("postalCode"),
            city: text("locality"),
            region: text("administrativeArea"),
            country: given["regionCode"].as_str()?.parse().ok()?,
        })
    }

    /// As Google takes it.
    pub(crate) fn written(&self, language: Option<&str>) -> Value {
        let mut address = Map::new();
        address.insert("regionCode".to_owned(), json!(self.country));
        address.insert("addressLines".to_owned(), json!(self.lines));
        let others = [
            ("postalCode", &self.postcode),
            ("locality", &self.city),
            ("administrativeArea", &self.region),
            ("languageCode", &language.map(str::to_owned)),
        ];
        for (name, value) in others {
            if let Some(value) = value {
                address.insert(name.to_owned(), json!(value));
            }
        }
        Value::Object(address)
    }

    /// In one line, the street first.
    pub(crate) fn line(&self) -> String {
        let country = json!(self.country);
        let parts = self.lines.iter().map(String::as_str).chain(self.city.as_deref()).chain(self.region.as_deref());
        let parts: Vec<&str> = parts.chain(self.postcode.as_deref()).chain(country.as_str()).collect();
        parts.join(", ")
    }
}

impl From<GivenAddress> for Address {
    fn from(given: GivenAddress) -> Self {
        Self {
            lines: given.lines.into_vec().into_iter().map(Text::into_string).collect(),
            postcode: given.postcode.map(Text::into_string),
            city: given.city.map(Text::into_string),
            region: given.region.map(Text::into_string),
            country: given.country,
        }
    }
}
