//! Rules about numbers in structured data: prices, ratings, product numbers.

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{Area, Check, Effort, Rule, Scope, Severity, SiteContext};
use crate::rules::structured::node::{named, texts};

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "structured.price_invalid",
        area: Area::StructuredData,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "A price is not a number",
        explanation: "A price with a sign, a word or a comma cannot be compared; the offer is passed over.",
        advice: "Write the number with a dot, and the currency into priceCurrency.",
        reference: "https://developers.google.com/search/docs/appearance/structured-data/merchant-listing",
        operation: "schema.page.validate",
        effort: Effort::Low,
        confidence: 93,
        check: Check::Page(price_invalid),
    },
    Rule {
        id: "structured.rating_out_of_range",
        area: Area::StructuredData,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "A rating lies outside its scale",
        explanation: "A value above bestRating (5 when it is not named) or below worstRating cannot be drawn as stars.",
        advice: "Name the scale in bestRating and worstRating, or correct the value.",
        reference: "https://developers.google.com/search/docs/appearance/structured-data/review-snippet",
        operation: "schema.page.validate",
        effort: Effort::Low,
        confidence: 92,
        check: Check::Page(rating_out_of_range),
    },
    Rule {
        id: "structured.rating_empty",
        area: Area::StructuredData,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "A rating was given by nobody",
        explanation: "A count of 0 is no rating; such markup can cost the site its richer results.",
        advice: "Leave the rating out until there is one.",
        reference: "https://developers.google.com/search/docs/appearance/structured-data/review-snippet",
        operation: "schema.page.validate",
        effort: Effort::Low,
        confidence: 92,
        check: Check::Page(rating_empty),
    },
    Rule {
        id: "structured.gtin_invalid",
        area: Area::StructuredData,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "A product number does not check",
        explanation: "The last digit of a GTIN is made from the others; one that does not fit names no product.",
        advice: "Correct the number, or leave it out where the product has none.",
        reference: "https://support.google.com/merchants/answer/6324461",
        operation: "schema.product_feed.check",
        effort: Effort::Low,
        confidence: 90,
        check: Check::Page(gtin_invalid),
    },
];

fn price_invalid(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let number = |text: &str| text.parse::<f64>().is_ok_and(|it| it.is_finite() && it >= 0.0);
    let (node, property, text) =
        texts(page, &["price", "lowPrice", "highPrice"]).find(|(_, _, text)| !number(text.trim()))?;
    Some(Evidence::at(named(node, property), text).expected("a number such as 49.90"))
}

fn rating_out_of_range(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    page.structured.nodes.iter().filter(|it| it.is("AggregateRating") || it.is("Rating")).find_map(|node| {
        let number = |property: &str| node.text(property)?.trim().replace(',', ".").parse::<f64>().ok();
        let text = node.text("ratingValue").filter(|text| !text.contains(['%', '/']))?;
        let (value, best, worst) = (
            number("ratingValue")?,
            number("bestRating").unwrap_or(5.0),
            number("worstRating").unwrap_or(if node.has("bestRating") { 0.0 } else { 1.0 }),
        );
        (value > best || value < worst).then(|| {
            Evidence::at(named(node, "ratingValue"), text).expected(format!("a number from {worst} to {best}"))
        })
    })
}

fn rating_empty(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let none = |text: &str| text.trim().parse::<f64>().is_ok_and(|it| it < 1.0);
    let mut counts = texts(page, &["ratingCount", "reviewCount"]).filter(|(node, _, _)| node.is("AggregateRating"));
    let (node, property, text) = counts.find(|(_, _, text)| none(text))?;
    Some(Evidence::at(named(node, property), text).expected("1 or more"))
}

fn gtin_invalid(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let wrong = |text: &str| {
        let digits: Vec<u32> =
            text.chars().filter(|it| !matches!(it, '-' | ' ')).filter_map(|it| it.to_digit(10)).collect();
        let all = text.chars().all(|it| it.is_ascii_digit() || matches!(it, '-' | ' '));
        // GS1, check digit: from the right, every second digit counts three times; the sum is a multiple of ten.
        let sum: u32 = digits.iter().rev().zip([1, 3].into_iter().cycle()).map(|(digit, weight)| digit * weight).sum();
        !all || !matches!(digits.len(), 8 | 12 | 13 | 14) || !sum.is_multiple_of(10)
    };
    let (node, property, text) =
        texts(page, &["gtin", "gtin8", "gtin12", "gtin13", "gtin14"]).find(|(_, _, text)| wrong(text))?;
    Some(Evidence::at(named(node, property), text).expected("8, 12, 13 or 14 digits of which the last one checks"))
}
