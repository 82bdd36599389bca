//! Rules about numbers in structured data: prices, ratings, product numbers.

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};
use crate::rules::structured::node::{named, texts};

rules! {
    "structured.price_invalid" StructuredData Warning Page Low 93 Page(price_invalid);
    title "A price is not a number";
    why "A price with a sign, a word or a comma cannot be compared; the offer is passed over.";
    fix "schema.page.validate" "Write the number with a dot, and the currency into priceCurrency.";
    see "https://developers.google.com/search/docs/appearance/structured-data/merchant-listing";

    "structured.rating_out_of_range" StructuredData Warning Page Low 92 Page(rating_out_of_range);
    title "A rating lies outside its scale";
    why "A value above bestRating (5 when it is not named) or below worstRating cannot be drawn as stars.";
    fix "schema.page.validate" "Name the scale in bestRating and worstRating, or correct the value.";
    see "https://developers.google.com/search/docs/appearance/structured-data/review-snippet";

    "structured.rating_empty" StructuredData Warning Page Low 92 Page(rating_empty);
    title "A rating was given by nobody";
    why "A count of 0 is no rating; such markup can cost the site its richer results.";
    fix "schema.page.validate" "Leave the rating out until there is one.";
    see "https://developers.google.com/search/docs/appearance/structured-data/review-snippet";

    "structured.gtin_invalid" StructuredData Warning Page Low 90 Page(gtin_invalid);
    title "A product number does not check";
    why "The last digit of a GTIN is made from the others; one that does not fit names no product.";
    fix "schema.product_feed.check" "Correct the number, or leave it out where the product has none.";
    see "https://support.google.com/merchants/answer/6324461";
}

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
