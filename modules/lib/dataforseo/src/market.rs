//! Places and languages as the provider names them, and keywords that it takes.

use sdk::prelude::*;

/// The first code of a country: ISO 3166-1 numeric is added.
const COUNTRIES: u32 = 2_000;
/// Characters that Google Ads refuses in a keyword; one of them fails a whole task.
const REFUSED: &str = ",!@%^()={};~`<>?\\|―";
/// The longest keyword of Google Ads and Labs, in characters and in words.
const MAX_KEYWORD: (usize, usize) = (80, 10);

/// The countries that Labs has keywords of, each with its languages.
///
/// Source: docs.dataforseo.com/v3/dataforseo_labs/locations_and_languages, as of 2026-11.
pub(crate) const LABS: &str = "AE ar en|AM hy|AO pt|AR es|AT de|AU en|AZ az|BA bs|BD bn|BE fr nl de|BF fr|BG bg|BH ar|BO es|BR pt|CA en fr|\
    CH de fr it|CI fr|CL es|CM fr|CO es|CR es|CY el en|CZ cs|DE de|DK da|DZ fr ar|EC es|EE et|EG ar en|ES es|FI fi|FR fr|GB en|GH en|\
    GR el en|GT es|HK en zh-TW|HR hr|HU hu|ID en id|IE en|IL he ar|IN en hi|IT it|JO ar|JP ja|KE en|KH en|KR ko|KZ ru|LK en|LT lt|LV lv|\
    MA ar fr|MC fr|MD ro|MK mk|MM en|MT en|MX es|MY en ms|NG en|NI es|NL nl|NO nb|NZ en|PA es|PE es|PH en tl|PK en ur|PL pl|PT pt|PY es|\
    RO ro|RS sr|SA ar|SE sv|SG en zh-CN|SI sl|SK sk|SN fr|SV es|TH th|TN ar|TR tr|TW zh-TW|UA uk ru|US en es|UY es|VE es|VN en vi|ZA en";

/// A market: a country and a language, as the provider names them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Market {
    /// The code of the country.
    pub location: u32,
    /// The code of the language.
    pub language: String,
}

impl Market {
    /// A market that Labs has keywords of.
    ///
    /// # Errors
    /// 422 `market_not_covered` at `/language`, or at `/country` for a country without any.
    pub fn of_labs(country: Country, language: &Language) -> Result<Self> {
        let code = language_code(language);
        let Some(languages) = covers(country) else {
            let message = format!("DataForSEO has no keyword data of the country {country}");
            return Err(Fault::invalid("/country", "market_not_covered", message));
        };
        if !languages.contains(&code.as_str()) {
            let message = format!("DataForSEO has keyword data of {country} in {}", languages.join(", "));
            return Err(Fault::invalid("/language", "market_not_covered", message));
        }
        Ok(Self { location: location_code(country), language: code })
    }
}

/// The code of a country.
#[must_use]
pub fn location_code(country: Country) -> u32 {
    COUNTRIES + u32::from(country.number())
}

/// The code of a language: its two letters, and for Chinese the script by its region.
#[must_use]
pub fn language_code(language: &Language) -> String {
    match (language.primary(), language.as_str()) {
        ("zh", "zh-TW" | "zh-HK" | "zh-Hant") => "zh-TW".to_owned(),
        ("zh", _) => "zh-CN".to_owned(),
        ("no" | "nn", _) => "nb".to_owned(),
        (primary, _) => primary.to_owned(),
    }
}

/// The languages in which Labs has keywords of a country; `None` for a country without any.
#[must_use]
pub fn covers(country: Country) -> Option<Vec<&'static str>> {
    let country = country.to_string();
    let line = LABS.split('|').find(|line| line.trim_start().starts_with(&country))?;
    Some(line.split_whitespace().skip(1).collect())
}

/// Whether Google Ads and Labs take a keyword: at most 80 characters and 10 words, and none of the characters that they
/// refuse.
#[must_use]
pub fn ads_takes(keyword: &str) -> bool {
    let (characters, words) = MAX_KEYWORD;
    let plain = |letter: char| !REFUSED.contains(letter) && !is_pictogram(letter);
    !keyword.trim().is_empty()
        && keyword.chars().count() <= characters
        && keyword.split_whitespace().count() <= words
        && keyword.chars().all(plain)
}

/// Signs outside the planes of letters, and those among the dingbats.
fn is_pictogram(letter: char) -> bool {
    matches!(u32::from(letter), 0x1_F000..=0x1_FAFF | 0x2600..=0x27BF | 0xFE0F)
}
