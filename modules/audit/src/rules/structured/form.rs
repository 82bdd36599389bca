//! Rules about the form of values in structured data.

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};
use crate::rules::structured::node::{named, texts};

rules! {
    "structured.date_invalid" StructuredData Warning Page Low 92 Page(date_invalid);
    title "A date of the structured data cannot be read";
    why "Dates are read in the form of ISO 8601 only; another form is no date, and the property is as good as missing.";
    fix "schema.page.validate" "Write dates as 2026-03-01, or with time and zone as 2026-03-01T09:00:00+01:00.";
    see "https://developers.google.com/search/docs/appearance/structured-data/article";

    "structured.duration_invalid" StructuredData Warning Page Low 92 Page(duration_invalid);
    title "A length of time in the structured data cannot be read";
    why "Lengths of time are read in the form of ISO 8601 only.";
    fix "schema.page.validate" "Write 90 minutes as PT1H30M.";
    see "https://developers.google.com/search/docs/appearance/structured-data/video";

    "structured.currency_invalid" StructuredData Warning Page Low 93 Page(currency_invalid);
    title "A currency is not a code";
    why "Currencies are three letters of ISO 4217; a sign such as the one for the euro is none.";
    fix "schema.page.validate" "Write EUR, USD, GBP and so on.";
    see "https://developers.google.com/search/docs/appearance/structured-data/merchant-listing";

    "structured.availability_invalid" StructuredData Warning Page Low 92 Page(availability_invalid);
    title "The availability is a word of its own";
    why "Only the words of schema.org are understood, such as InStock and OutOfStock.";
    fix "schema.page.validate" "Write https://schema.org/InStock, or another of its words.";
    see "https://schema.org/ItemAvailability";

    "structured.url_relative" StructuredData Notice Page Low 72 Page(url_relative);
    title "An address in the structured data is relative";
    why "Structured data is read apart from the page; Google asks for whole addresses of pictures and pages.";
    fix "schema.page.validate" "Write the whole address, with scheme and host.";
    see "https://developers.google.com/search/docs/appearance/structured-data/sd-policies";

    "structured.placeholder" StructuredData Warning Page Low 90 Page(placeholder);
    title "A value of the structured data was never filled in";
    why "A template left its own words; search engines take them for the fact.";
    fix "schema.template.preview" "Fill in the value, or leave the property out.";
    see "https://developers.google.com/search/docs/appearance/structured-data/sd-policies";
}

/// Whether a text begins with a day in the form of ISO 8601: a year, a month or a day, then perhaps a time.
fn is_date(text: &str) -> bool {
    let (day, time) = text.split_once(['T', ' ']).map_or((text, None), |(day, time)| (day, Some(time)));
    let mut parts = day.split('-');
    let mut number = |digits: usize, most: u32| {
        parts.next().map(|part| {
            part.len() == digits
                && part.bytes().all(|it| it.is_ascii_digit())
                && part.parse::<u32>().is_ok_and(|it| (1..=most).contains(&it))
        })
    };
    let (year, month, day) = (number(4, 9_999), number(2, 12), number(2, 31));
    let compact = text.len() == 8 && text.bytes().all(|it| it.is_ascii_digit());
    let timed = time.is_none_or(|time| {
        day == Some(true)
            && time.get(..2).is_some_and(|hour| hour.parse::<u32>().is_ok_and(|it| it <= 24))
            && time.bytes().all(|it| it.is_ascii_digit() || b":.,+-Z ".contains(&it))
    });
    compact || (year == Some(true) && month != Some(false) && day != Some(false) && parts.next().is_none() && timed)
}

fn date_invalid(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    const DATES: &[&str] = &[
        "datePublished",
        "dateModified",
        "dateCreated",
        "datePosted",
        "uploadDate",
        "startDate",
        "endDate",
        "validThrough",
        "validFrom",
        "priceValidUntil",
        "birthDate",
    ];
    let (node, property, text) = texts(page, DATES).find(|(_, _, text)| !is_date(text))?;
    Some(Evidence::at(named(node, property), text).expected("a date such as 2026-03-01"))
}

/// `PnYnMnWnDTnHnMnS` with at least one part (ISO 8601).
fn is_duration(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('P') else { return false };
    let (days, time) = rest.split_once('T').map_or((rest, None), |(days, time)| (days, Some(time)));
    let parts = |text: &str, units: &str| {
        let mut left = units;
        text.split_inclusive(|it: char| it.is_ascii_alphabetic()).all(|part| {
            let Some(unit) = part.chars().last() else { return false };
            let number = &part[..part.len() - unit.len_utf8()];
            let Some(at) = left.find(unit) else { return false };
            left = &left[at + 1..];
            !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit() || it == b'.' || it == b',')
        })
    };
    !rest.is_empty() && parts(days, "YMWD") && time.is_none_or(|time| !time.is_empty() && parts(time, "HMS"))
}

fn duration_invalid(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let (node, property, text) =
        texts(page, &["duration", "totalTime", "cookTime", "prepTime"]).find(|(_, _, text)| !is_duration(text))?;
    Some(Evidence::at(named(node, property), text).expected("a length such as PT1H30M"))
}

fn currency_invalid(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let code = |text: &str| text.len() == 3 && text.bytes().all(|it| it.is_ascii_uppercase());
    let (node, property, text) =
        texts(page, &["priceCurrency", "salaryCurrency"]).find(|(_, _, text)| !code(text.trim()))?;
    Some(Evidence::at(named(node, property), text).expected("a code such as EUR"))
}

/// The words of schema.org's `ItemAvailability`.
const AVAILABILITIES: [&str; 13] = [
    "BackOrder",
    "Discontinued",
    "InStock",
    "InStoreOnly",
    "LimitedAvailability",
    "MadeToOrder",
    "OnlineOnly",
    "OutOfStock",
    "PreOrder",
    "PreSale",
    "Reserved",
    "SoldOut",
    "Preorder",
];

fn availability_invalid(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let known = |text: &str| AVAILABILITIES.contains(&text.trim().rsplit('/').next().unwrap_or_default());
    let (node, property, text) = texts(page, &["availability"]).find(|(_, _, text)| !known(text))?;
    Some(Evidence::at(named(node, property), text).expected("a word of schema.org such as https://schema.org/InStock"))
}

fn url_relative(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    const ADDRESSES: &[&str] = &["url", "image", "logo", "thumbnailUrl", "contentUrl", "embedUrl", "sameAs"];
    let relative = |text: &str| {
        let text = text.trim();
        text.starts_with(['/', '.']) || (!text.contains(':') && text.contains('/') && !text.contains(' '))
    };
    let (node, property, text) = texts(page, ADDRESSES).find(|(_, _, text)| relative(text))?;
    Some(Evidence::at(named(node, property), text).expected("an address with scheme and host"))
}

fn placeholder(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let left = |text: &str| {
        let bare = text.trim();
        ["null", "undefined", "NaN", "[object Object]", concat!("TO", "DO"), "your-name-here"].contains(&bare)
            || bare.contains("{{")
            || bare.contains("{%")
            || (bare.starts_with("%%") && bare.ends_with("%%"))
    };
    page.structured.nodes.iter().find_map(|node| {
        let (property, text) =
            node.holds.keys().find_map(|key| Some((key, node.text(key).filter(|text| left(text))?)))?;
        Some(Evidence::at(named(node, property), text).expected("a value, or no such property"))
    })
}
