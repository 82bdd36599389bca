//! Rules about structured data.

pub(super) mod author;
pub(super) mod commerce;
pub(super) mod creative;
pub(super) mod form;
pub(super) mod list;
mod node;
pub(super) mod number;
pub(super) mod organisation;
pub(super) mod sense;

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};

rules! {
    "structured.unreadable" StructuredData Warning Page Low 97 Page(unreadable);
    title "A JSON-LD block cannot be read";
    why "A block with a fault in its JSON (RFC 8259) is skipped as a whole.";
    fix "schema.page.validate" "Correct the JSON at the place named here.";
    see "https://www.rfc-editor.org/rfc/rfc8259";

    "structured.untyped" StructuredData Warning Page Low 90 Page(untyped);
    title "A JSON-LD block names no type";
    why "Without @type nobody can tell what the properties describe.";
    fix "schema.type.suggest" "Add the @type of schema.org that fits.";
    see "https://www.w3.org/TR/json-ld11/#specifying-the-type";

    "structured.none" StructuredData Notice Indexable Medium 55 Page(none);
    title "The page has no structured data";
    why "Richer results and assistants read what a page states about itself in schema.org terms.";
    fix "schema.markup.generate" "Add the type that fits the page, from facts that are visible on it.";
    see "https://developers.google.com/search/docs/appearance/structured-data/intro-structured-data";

    "structured.retired" StructuredData Notice Page Low 80 Page(retired);
    title "Structured data of a retired kind";
    why "Search engines show nothing for this type any more; it costs weight and care for nothing.";
    fix "schema.eligibility.check" "Remove it, or keep it only for other readers.";
    see "https://developers.google.com/search/docs/appearance/structured-data/search-gallery";

    "structured.breadcrumb_missing" StructuredData Notice Indexable Low 50 Page(breadcrumb_missing);
    title "A deep page has no breadcrumb markup";
    why "Results show where a page stands in the site when it says so.";
    fix "schema.markup.generate" "Add a BreadcrumbList.";
    see "https://developers.google.com/search/docs/appearance/structured-data/breadcrumb";
}

fn unreadable(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let errors = &page.structured.errors;
    let first = errors.first()?;
    Some(Evidence::at("<script type=\"application/ld+json\">", first).expected("valid JSON").count(errors.len()))
}

fn untyped(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let data = &page.structured;
    (data.blocks > 0 && data.errors.is_empty() && data.json_ld.is_empty()).then(|| {
        Evidence::at("<script type=\"application/ld+json\">", "no @type").expected("@type").count(data.blocks as usize)
    })
}

fn none(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let data = &page.structured;
    let absent = data.blocks == 0 && data.microdata.is_empty() && data.rdfa.is_empty();
    absent.then(|| Evidence::absent("structured data").expected("the schema.org type that fits the page"))
}

/// Types for which Google has stopped showing anything, by its documentation of structured data, as of November 2026.
const RETIRED: [&str; 6] = [
    "HowTo",
    "ClaimReview",
    "SpecialAnnouncement",
    "LearningResource",
    "EmployerAggregateRating",
    "OccupationAggregation",
];

fn retired(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let found =
        page.structured.json_ld.iter().chain(&page.structured.microdata).find(|it| RETIRED.contains(&it.as_str()))?;
    Some(Evidence::at("@type", found).expected("a type that results still show"))
}

fn breadcrumb_missing(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let path = page.final_url.split_once("://")?.1.split(['?', '#']).next()?;
    let segments = path.split('/').skip(1).filter(|it| !it.is_empty()).count();
    let data = &page.structured;
    let mut types = data.json_ld.iter().chain(&data.microdata).chain(&data.rdfa);
    // A page without any structured data has a rule of its own.
    let some = data.blocks > 0 || !data.microdata.is_empty() || !data.rdfa.is_empty();
    (segments > 1 && some && !types.any(|it| it == "BreadcrumbList"))
        .then(|| Evidence::absent("BreadcrumbList").expected(format!("a trail of {segments} steps")))
}
