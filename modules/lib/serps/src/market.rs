//! A market as one text: engine, place, language and device.

use sdk::prelude::*;

use crate::SnapshotRecord;

/// A kind of screen.
#[value]
#[derive(Default)]
pub enum Device {
    /// Phones.
    #[default]
    Mobile,
    /// Desktops.
    Desktop,
}

impl Device {
    /// Its name, also at the provider.
    #[must_use]
    pub fn name(self) -> &'static str {
        if self == Self::Mobile { "mobile" } else { "desktop" }
    }
}

/// The text of a market: `google|London,England,United Kingdom|en|mobile`.
#[must_use]
pub fn market(engine: &str, place: &str, language: &str, device: Device) -> String {
    format!("{engine}|{place}|{language}|{}", device.name())
}

impl SnapshotRecord {
    /// Whether a page is of a country (ISO 3166-1 alpha-2) and a language (two letters), as far as it says.
    #[must_use]
    pub fn is_of(&self, country: &str, language: &str) -> bool {
        let told = self.market.split('|').nth(2);
        (self.country.is_empty() || self.country == country)
            && told.is_none_or(|it| it.split('-').next() == Some(language))
    }
}
