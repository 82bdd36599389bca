//! Rules about structured data that contradicts itself, the page, or what search engines allow.

use kit::page::{DataNode, PageFacts};

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};
use crate::rules::fact::day;
use crate::rules::structured::node::{BUSINESSES, SCRIPT, named, subjects};

rules! {
    "structured.context_foreign" StructuredData Warning Page Low 92 Page(context_foreign);
    title "JSON-LD that does not speak of schema.org";
    why "Search engines understand the words of https://schema.org alone; a block with another context, or none, says nothing to them.";
    fix "schema.page.validate" "Write \"@context\": \"https://schema.org\".";
    see "https://schema.org/docs/gs.html";

    "structured.type_misspelled" StructuredData Warning Page Low 93 Page(type_misspelled);
    title "A type is written in another way than schema.org writes it";
    why "Types are told apart by capital letters too; one that is misspelled is unknown.";
    fix "schema.type.get" "Write the type as schema.org does.";
    see "https://schema.org/docs/full.html";

    "structured.twice_declared" StructuredData Notice Page Medium 60 Page(twice_declared);
    title "One thing is described in two syntaxes";
    why "JSON-LD and microdata that describe the same thing drift apart, and readers then see two of it.";
    fix "schema.page.extract" "Keep the JSON-LD and remove the attributes from the template.";
    see "https://developers.google.com/search/docs/appearance/structured-data/intro-structured-data";

    "structured.self_review" StructuredData Notice Page Low 78 Page(self_review);
    title "A business rates itself";
    why "Since 2019 Google shows no stars for ratings of a business that stand on its own website.";
    fix "schema.eligibility.check" "Remove the rating of the business; ratings of its products may stay.";
    see "https://developers.google.com/search/docs/appearance/structured-data/review-snippet";

    "structured.offer_expired" StructuredData Warning Page Low 92 Page(offer_expired);
    title "An offer has run out";
    why "priceValidUntil lies before the day the page was read; Google shows the price no more.";
    fix "schema.page.validate" "Move the date on together with the price, or leave it out.";
    see "https://developers.google.com/search/docs/appearance/structured-data/merchant-listing";

    "structured.job_expired" StructuredData Warning Page Low 92 Page(job_expired);
    title "A job that has run out is still marked up";
    why "Jobs must be taken away when they are over; listings that are too old can cost a site its place in the job results.";
    fix "indexing.google_jobs.notify" "Remove the markup or answer 404 or 410, and tell the Indexing API.";
    see "https://developers.google.com/search/docs/appearance/structured-data/job-posting";

    "structured.event_reversed" StructuredData Warning Page Low 96 Page(event_reversed);
    title "An event ends before it begins";
    why "The event is not shown, or with the wrong days.";
    fix "schema.page.validate" "Correct startDate and endDate.";
    see "https://developers.google.com/search/docs/appearance/structured-data/event";
}

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
