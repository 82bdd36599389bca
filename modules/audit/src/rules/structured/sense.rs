//! Rules about structured data that contradicts itself, the page, or what search engines allow.

use kit::page::{DataNode, PageFacts};

use crate::evidence::Evidence;
use crate::rule::{Area, Check, Effort, Rule, Scope, Severity, SiteContext};
use crate::rules::fact::day;
use crate::rules::structured::node::{BUSINESSES, SCRIPT, named, subjects};

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "structured.context_foreign",
        area: Area::StructuredData,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "JSON-LD that does not speak of schema.org",
        explanation: "Search engines understand the words of https://schema.org alone; a block with another context, or none, says nothing to them.",
        advice: "Write \"@context\": \"https://schema.org\".",
        reference: "https://schema.org/docs/gs.html",
        operation: "schema.page.validate",
        effort: Effort::Low,
        confidence: 92,
        check: Check::Page(context_foreign),
    },
    Rule {
        id: "structured.type_misspelled",
        area: Area::StructuredData,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "A type is written in another way than schema.org writes it",
        explanation: "Types are told apart by capital letters too; one that is misspelled is unknown.",
        advice: "Write the type as schema.org does.",
        reference: "https://schema.org/docs/full.html",
        operation: "schema.type.get",
        effort: Effort::Low,
        confidence: 93,
        check: Check::Page(type_misspelled),
    },
    Rule {
        id: "structured.twice_declared",
        area: Area::StructuredData,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "One thing is described in two syntaxes",
        explanation: "JSON-LD and microdata that describe the same thing drift apart, and readers then see two of it.",
        advice: "Keep the JSON-LD and remove the attributes from the template.",
        reference: "https://developers.google.com/search/docs/appearance/structured-data/intro-structured-data",
        operation: "schema.page.extract",
        effort: Effort::Medium,
        confidence: 60,
        check: Check::Page(twice_declared),
    },
    Rule {
        id: "structured.self_review",
        area: Area::StructuredData,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "A business rates itself",
        explanation: "Since 2019 Google shows no stars for ratings of a business that stand on its own website.",
        advice: "Remove the rating of the business; ratings of its products may stay.",
        reference: "https://developers.google.com/search/docs/appearance/structured-data/review-snippet",
        operation: "schema.eligibility.check",
        effort: Effort::Low,
        confidence: 78,
        check: Check::Page(self_review),
    },
    Rule {
        id: "structured.offer_expired",
        area: Area::StructuredData,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "An offer has run out",
        explanation: "priceValidUntil lies before the day the page was read; Google shows the price no more.",
        advice: "Move the date on together with the price, or leave it out.",
        reference: "https://developers.google.com/search/docs/appearance/structured-data/merchant-listing",
        operation: "schema.page.validate",
        effort: Effort::Low,
        confidence: 92,
        check: Check::Page(offer_expired),
    },
    Rule {
        id: "structured.job_expired",
        area: Area::StructuredData,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "A job that has run out is still marked up",
        explanation: "Jobs must be taken away when they are over; listings that are too old can cost a site its place in the job results.",
        advice: "Remove the markup or answer 404 or 410, and tell the Indexing API.",
        reference: "https://developers.google.com/search/docs/appearance/structured-data/job-posting",
        operation: "indexing.google_jobs.notify",
        effort: Effort::Low,
        confidence: 92,
        check: Check::Page(job_expired),
    },
    Rule {
        id: "structured.event_reversed",
        area: Area::StructuredData,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "An event ends before it begins",
        explanation: "The event is not shown, or with the wrong days.",
        advice: "Correct startDate and endDate.",
        reference: "https://developers.google.com/search/docs/appearance/structured-data/event",
        operation: "schema.page.validate",
        effort: Effort::Low,
        confidence: 96,
        check: Check::Page(event_reversed),
    },
];

fn context_foreign(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let ours = |context: &str| {
        let bare = context.trim_start_matches("https://").trim_start_matches("http://").trim_start_matches("www.");
        bare.split(['/', '#']).next().is_some_and(|host| host.eq_ignore_ascii_case("schema.org"))
    };
    // A block without a type has a rule of its own.
    let contexts = &page.structured.contexts;
    let context = contexts.iter().find(|context| !ours(context)).filter(|_| !page.structured.json_ld.is_empty())?;
    Some(Evidence::at(format!("@context in {SCRIPT}"), context).expected("https://schema.org"))
}

/// Types with a result of their own, as schema.org writes them.
const TYPES: [&str; 32] = [
    "AggregateRating",
    "Article",
    "BlogPosting",
    "BreadcrumbList",
    "Course",
    "Dataset",
    "DiscussionForumPosting",
    "Event",
    "FAQPage",
    "HowTo",
    "ImageObject",
    "ItemList",
    "JobPosting",
    "ListItem",
    "LocalBusiness",
    "Movie",
    "NewsArticle",
    "Offer",
    "Organization",
    "Person",
    "PostalAddress",
    "Product",
    "ProductGroup",
    "ProfilePage",
    "QAPage",
    "Question",
    "Recipe",
    "Review",
    "SoftwareApplication",
    "VideoObject",
    "WebPage",
    "WebSite",
];

fn type_misspelled(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let plain = |name: &str| name.chars().filter(|it| it.is_alphanumeric()).collect::<String>().to_lowercase();
    page.structured.json_ld.iter().chain(&page.structured.microdata).find_map(|found| {
        if TYPES.contains(&found.as_str()) {
            return None;
        }
        let folded = plain(found);
        let meant = TYPES.iter().find(|known| known.to_lowercase() == folded)?;
        Some(Evidence::at("@type", found).expected(meant))
    })
}

fn twice_declared(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    const WHOLE: [&str; 8] =
        ["Product", "Recipe", "Article", "BlogPosting", "Event", "JobPosting", "BreadcrumbList", "LocalBusiness"];
    let data = &page.structured;
    let both = |kind: &&str| {
        data.json_ld.iter().any(|it| it == kind) && data.microdata.iter().chain(&data.rdfa).any(|it| it == kind)
    };
    let kind = WHOLE.iter().find(|kind| both(kind))?;
    Some(Evidence::at(format!("itemtype {kind}"), "JSON-LD and attributes").expected("one syntax"))
}

fn self_review(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    let business =
        |node: &&DataNode| node.is("Organization") || node.types.iter().any(|kind| BUSINESSES.contains(&kind.as_str()));
    // A directory rates others: only a business that names this website as its own rates itself.
    let own = |node: &DataNode| node.text("url").is_some_and(|url| url.starts_with(site.origin.as_str()));
    let rated = |node: &&DataNode| node.has("aggregateRating") || node.has("review");
    let node = subjects(page).filter(business).filter(rated).find(|node| own(node) && !site.origin.is_empty())?;
    let property = if node.has("aggregateRating") { "aggregateRating" } else { "review" };
    Some(Evidence::at(named(node, property), node.text("name").unwrap_or_default()).expected("no rating of itself"))
}

/// The text of a property that names a day before the page was read.
fn past<'a>(page: &PageFacts, node: &'a DataNode, property: &str) -> Option<&'a str> {
    let text = node.text(property)?;
    (kit::dates::parse(text)? < day(page)?).then_some(text)
}

fn offer_expired(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let mut offers = page.structured.nodes.iter().filter(|it| it.is("Offer") || it.is("AggregateOffer"));
    let (node, text) = offers.find_map(|node| Some((node, past(page, node, "priceValidUntil")?)))?;
    Some(Evidence::at(named(node, "priceValidUntil"), text).expected("a day to come"))
}

fn job_expired(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let mut jobs = page.structured.nodes.iter().filter(|it| it.is("JobPosting"));
    let (node, text) = jobs.find_map(|node| Some((node, past(page, node, "validThrough")?)))?;
    Some(Evidence::at(named(node, "validThrough"), text).expected("a day to come, or no JobPosting"))
}

fn event_reversed(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    page.structured.nodes.iter().find_map(|node| {
        let (start, end) = (node.text("startDate")?, node.text("endDate")?);
        (kit::dates::parse(end)? < kit::dates::parse(start)?)
            .then(|| Evidence::at(named(node, "endDate"), end).expected(format!("{start} or later")))
    })
}
