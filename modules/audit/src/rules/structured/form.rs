//! Rules about the form of values in structured data.

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{Area, Check, Effort, Rule, Scope, Severity, SiteContext};
use crate::rules::structured::node::{named, texts};

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "structured.date_invalid",
        area: Area::StructuredData,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "A date of the structured data cannot be read",
        explanation: "Dates are read in the form of ISO 8601 only; another form is no date, and the property is as good as missing.",
        advice: "Write dates as 2026-03-01, or with time and zone as 2026-03-01T09:00:00+01:00.",
        reference: "https://developers.google.com/search/docs/appearance/structured-data/article",
        operation: "schema.page.validate",
        effort: Effort::Low,
        confidence: 92,
        check: Check::Page(date_invalid),
    },
    Rule {
        id: "structured.duration_invalid",
        area: Area::StructuredData,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "A length of time in the structured data cannot be read",
        explanation: "Lengths of time are read in the form of ISO 8601 only.",
        advice: "Write 90 minutes as PT1H30M.",
        reference: "https://developers.google.com/search/docs/appearance/structured-data/video",
        operation: "schema.page.validate",
        effort: Effort::Low,
        confidence: 92,
        check: Check::Page(duration_invalid),
    },
    Rule {
        id: "structured.currency_invalid",
        area: Area::StructuredData,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "A currency is not a code",
        explanation: "Currencies are three letters of ISO 4217; a sign such as the one for the euro is none.",
        advice: "Write EUR, USD, GBP and so on.",
        reference: "https://developers.google.com/search/docs/appearance/structured-data/merchant-listing",
        operation: "schema.page.validate",
        effort: Effort::Low,
        confidence: 93,
        check: Check::Page(currency_invalid),
    },
    Rule {
        id: "structured.availability_invalid",
        area: Area::StructuredData,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "The availability is a word of its own",
        explanation: "Only the words of schema.org are understood, such as InStock and OutOfStock.",
        advice: "Write https://schema.org/InStock, or another of its words.",
        reference: "https://schema.org/ItemAvailability",
        operation: "schema.page.validate",
        effort: Effort::Low,
        confidence: 92,
        check: Check::Page(availability_invalid),
    },
    Rule {
        id: "structured.url_relative",
        area: Area::StructuredData,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "An address in the structured data is relative",
        explanation: "Structured data is read apart from the page; Google asks for whole addresses of pictures and pages.",
        advice: "Write the whole address, with scheme and host.",
        reference: "https://developers.google.com/search/docs/appearance/structured-data/sd-policies",
        operation: "schema.page.validate",
        effort: Effort::Low,
        confidence: 72,
        check: Check::Page(url_relative),
    },
    Rule {
        id: "structured.placeholder",
        area: Area::StructuredData,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "A value of the structured data was never filled in",
        explanation: "A template left its own words; search engines take them for the fact.",
        advice: "Fill in the value, or leave the property out.",
        reference: "https://developers.google.com/search/docs/appearance/structured-data/sd-policies",
        operation: "schema.template.preview",
        effort: Effort::Low,
        confidence: 90,
        check: Check::Page(placeholder),
    },
];

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
