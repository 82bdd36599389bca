//! What search engines want to know of businesses, events, jobs and the website itself.
//!
//! By Google's documents of November 2026.

use crate::rule::rules;
use crate::rules::structured::node::{BUSINESSES, lacks};

rules! {
    "structured.business_incomplete" StructuredData Warning Page Low 88 Page(|page, _| lacks(page, BUSINESSES, &["name", "address"]));
    title "A local business lacks its name or its address";
    why "Without what Google requires of this type the page cannot get the richer result; the markup is passed over.";
    fix "schema.markup.generate" "Add the properties named here, from facts that readers see on the page.";
    see "https://developers.google.com/search/docs/appearance/structured-data/local-business";

    "structured.business_sparse" StructuredData Notice Page Low 65 Page(|page, _| {
        lacks(
            page,
            BUSINESSES,
            &[
                "telephone",
                "openingHoursSpecification|openingHours|specialOpeningHoursSpecification",
                "geo|hasMap",
                "url",
            ],
        )
    });
    title "A local business leaves out how and when to reach it";
    why "Hours, telephone, place and address of the website are what people look for in a business result.";
    fix "listings.landing_page.check" "Add the properties named here, from facts that readers see on the page.";
    see "https://developers.google.com/search/docs/appearance/structured-data/local-business";

    "structured.organization_sparse" StructuredData Notice Page Low 62 Page(|page, _| {
        lacks(
            page,
            &[
                "Organization",
                "Corporation",
                "OnlineStore",
                "OnlineBusiness",
                "NGO",
                "NewsMediaOrganization",
                "EducationalOrganization",
            ],
            &["name", "url", "logo", "sameAs"],
        )
    });
    title "The organisation is described in part only";
    why "Name, address, logo and profiles elsewhere tell search engines and assistants which organisation is meant.";
    fix "schema.organization.generate" "Add the properties named here, from facts that readers see on the page.";
    see "https://developers.google.com/search/docs/appearance/structured-data/organization";

    "structured.website_incomplete" StructuredData Notice Page Low 80 Page(|page, _| lacks(page, &["WebSite"], &["name", "url"]));
    title "The website names no name for itself";
    why "Results show the name of a website from this markup on its home page.";
    fix "schema.organization.generate" "Add the properties named here, from facts that readers see on the page.";
    see "https://developers.google.com/search/docs/appearance/site-names";

    "structured.event_incomplete" StructuredData Warning Page Low 92 Page(|page, _| {
        lacks(
            page,
            &[
                "Event",
                "MusicEvent",
                "BusinessEvent",
                "Festival",
                "SportsEvent",
                "TheaterEvent",
                "ComedyEvent",
                "DanceEvent",
                "EducationEvent",
                "ExhibitionEvent",
                "FoodEvent",
                "ScreeningEvent",
                "SocialEvent",
                "ChildrensEvent",
            ],
            &["name", "startDate", "location"],
        )
    });
    title "An event lacks its name, its day or its place";
    why "Without what Google requires of this type the page cannot get the richer result; the markup is passed over.";
    fix "schema.markup.generate" "Add the properties named here, from facts that readers see on the page.";
    see "https://developers.google.com/search/docs/appearance/structured-data/event";

    "structured.event_sparse" StructuredData Notice Page Low 60 Page(|page, _| {
        lacks(
            page,
            &["Event", "MusicEvent", "BusinessEvent", "Festival", "SportsEvent", "TheaterEvent"],
            &["image", "description", "endDate", "offers", "eventStatus"],
        )
    });
    title "An event leaves out much of what people ask";
    why "Google recommends these properties for the type; results show more of what is told.";
    fix "schema.markup.generate" "Add the properties named here, from facts that readers see on the page.";
    see "https://developers.google.com/search/docs/appearance/structured-data/event";

    "structured.job_incomplete" StructuredData Warning Page Low 92 Page(|page, _| {
        lacks(
            page,
            &["JobPosting"],
            &[
                "title",
                "description",
                "datePosted",
                "hiringOrganization",
                "jobLocation|applicantLocationRequirements",
            ],
        )
    });
    title "A job lacks what its result needs";
    why "Title, description, day, employer and place are required; a job without one of them is not listed.";
    fix "schema.markup.generate" "Add the properties named here, from facts that readers see on the page.";
    see "https://developers.google.com/search/docs/appearance/structured-data/job-posting";

    "structured.job_sparse" StructuredData Notice Page Low 70 Page(|page, _| {
        lacks(page, &["JobPosting"], &["validThrough", "baseSalary|estimatedSalary", "employmentType"])
    });
    title "A job leaves out pay, hours or how long it stands";
    why "Jobs are filtered by these, and one without an end stays listed too long.";
    fix "schema.markup.generate" "Add the properties named here, from facts that readers see on the page.";
    see "https://developers.google.com/search/docs/appearance/structured-data/job-posting";
}
