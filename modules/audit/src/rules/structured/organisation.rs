//! What search engines want to know of businesses, events, jobs and the website itself.
//!
//! By Google's documents of November 2026.

use crate::rule::{Area, Check, Effort, Rule, Scope, Severity};
use crate::rules::structured::node::{BUSINESSES, lacks};

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "structured.business_incomplete",
        area: Area::StructuredData,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "A local business lacks its name or its address",
        explanation: "Without what Google requires of this type the page cannot get the richer result; the markup is passed over.",
        advice: "Add the properties named here, from facts that readers see on the page.",
        reference: "https://developers.google.com/search/docs/appearance/structured-data/local-business",
        operation: "schema.markup.generate",
        effort: Effort::Low,
        confidence: 88,
        check: Check::Page(|page, _| lacks(page, BUSINESSES, &["name", "address"])),
    },
    Rule {
        id: "structured.business_sparse",
        area: Area::StructuredData,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "A local business leaves out how and when to reach it",
        explanation: "Hours, telephone, place and address of the website are what people look for in a business result.",
        advice: "Add the properties named here, from facts that readers see on the page.",
        reference: "https://developers.google.com/search/docs/appearance/structured-data/local-business",
        operation: "listings.landing_page.check",
        effort: Effort::Low,
        confidence: 65,
        check: Check::Page(|page, _| {
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
        }),
    },
    Rule {
        id: "structured.organization_sparse",
        area: Area::StructuredData,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The organisation is described in part only",
        explanation: "Name, address, logo and profiles elsewhere tell search engines and assistants which organisation is meant.",
        advice: "Add the properties named here, from facts that readers see on the page.",
        reference: "https://developers.google.com/search/docs/appearance/structured-data/organization",
        operation: "schema.organization.generate",
        effort: Effort::Low,
        confidence: 62,
        check: Check::Page(|page, _| {
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
        }),
    },
    Rule {
        id: "structured.website_incomplete",
        area: Area::StructuredData,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The website names no name for itself",
        explanation: "Results show the name of a website from this markup on its home page.",
        advice: "Add the properties named here, from facts that readers see on the page.",
        reference: "https://developers.google.com/search/docs/appearance/site-names",
        operation: "schema.organization.generate",
        effort: Effort::Low,
        confidence: 80,
        check: Check::Page(|page, _| lacks(page, &["WebSite"], &["name", "url"])),
    },
    Rule {
        id: "structured.event_incomplete",
        area: Area::StructuredData,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "An event lacks its name, its day or its place",
        explanation: "Without what Google requires of this type the page cannot get the richer result; the markup is passed over.",
        advice: "Add the properties named here, from facts that readers see on the page.",
        reference: "https://developers.google.com/search/docs/appearance/structured-data/event",
        operation: "schema.markup.generate",
        effort: Effort::Low,
        confidence: 92,
        check: Check::Page(|page, _| {
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
        }),
    },
    Rule {
        id: "structured.event_sparse",
        area: Area::StructuredData,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "An event leaves out much of what people ask",
        explanation: "Google recommends these properties for the type; results show more of what is told.",
        advice: "Add the properties named here, from facts that readers see on the page.",
        reference: "https://developers.google.com/search/docs/appearance/structured-data/event",
        operation: "schema.markup.generate",
        effort: Effort::Low,
        confidence: 60,
        check: Check::Page(|page, _| {
            lacks(
                page,
                &["Event", "MusicEvent", "BusinessEvent", "Festival", "SportsEvent", "TheaterEvent"],
                &["image", "description", "endDate", "offers", "eventStatus"],
            )
        }),
    },
    Rule {
        id: "structured.job_incomplete",
        area: Area::StructuredData,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "A job lacks what its result needs",
        explanation: "Title, description, day, employer and place are required; a job without one of them is not listed.",
        advice: "Add the properties named here, from facts that readers see on the page.",
        reference: "https://developers.google.com/search/docs/appearance/structured-data/job-posting",
        operation: "schema.markup.generate",
        effort: Effort::Low,
        confidence: 92,
        check: Check::Page(|page, _| {
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
        }),
    },
    Rule {
        id: "structured.job_sparse",
        area: Area::StructuredData,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "A job leaves out pay, hours or how long it stands",
        explanation: "Jobs are filtered by these, and one without an end stays listed too long.",
        advice: "Add the properties named here, from facts that readers see on the page.",
        reference: "https://developers.google.com/search/docs/appearance/structured-data/job-posting",
        operation: "schema.markup.generate",
        effort: Effort::Low,
        confidence: 70,
        check: Check::Page(|page, _| {
            lacks(page, &["JobPosting"], &["validThrough", "baseSalary|estimatedSalary", "employmentType"])
        }),
    },
];
