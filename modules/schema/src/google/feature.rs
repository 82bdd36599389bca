//! Kept here: the search features, the types that lead to each, what each needs, and which were retired.

use crate::vocabulary;

/// Whether a feature is still shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Shown.
    Current,
    /// No longer shown since this day or month; the markup does no harm.
    Retired(&'static str),
}

/// A search feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Feature {
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    /// The types that lead to it, and those below them.
    pub(crate) types: &'static [&'static str],
    /// Properties that it needs; `a|b` is one of them, `a.b` one of an inner item.
    pub(crate) required: &'static [&'static str],
    pub(crate) recommended: &'static [&'static str],
    pub(crate) standing: Standing,
    /// A property without which an item of the type does not ask for the feature at all; empty for none.
    pub(crate) asks: &'static str,
}

const fn shown(
    id: &'static str,
    title: &'static str,
    types: &'static [&'static str],
    required: &'static [&'static str],
    recommended: &'static [&'static str],
) -> Feature {
    Feature { id, title, types, required, recommended, standing: Standing::Current, asks: "" }
}

const fn retired(
    id: &'static str,
    title: &'static str,
    types: &'static [&'static str],
    since: &'static str,
) -> Feature {
    Feature { id, title, types, required: &[], recommended: &[], standing: Standing::Retired(since), asks: "" }
}

/// Every feature, as of [`super::CHECKED`].
pub(crate) const FEATURES: &[Feature] = &[
    shown(
        "article",
        "Article",
        &["Article"],
        &[],
        &["headline", "image", "datePublished", "dateModified", "author", "author.name", "author.url"],
    ),
    shown("breadcrumb", "Breadcrumb", &["BreadcrumbList"], &["itemListElement"], &[]),
    shown("course_list", "Course list", &["Course"], &["name", "description"], &["provider"]),
    shown(
        "discussion_forum",
        "Discussion forum",
        &["DiscussionForumPosting"],
        &["author", "author.name", "datePublished", "text|image|video|sharedContent"],
        &["headline", "url", "comment", "interactionStatistic"],
    ),
    shown(
        "education_qa",
        "Education Q&A",
        &["Quiz"],
        &["hasPart", "hasPart.text", "hasPart.acceptedAnswer", "hasPart.eduQuestionType"],
        &["about", "educationalAlignment"],
    ),
    shown(
        "employer_rating",
        "Employer aggregate rating",
        &["EmployerAggregateRating"],
        &["itemReviewed", "ratingValue", "ratingCount|reviewCount"],
        &["bestRating", "worstRating"],
    ),
    shown(
        "event",
        "Event",
        &["Event"],
        &["name", "startDate", "location", "location.address|location.url"],
        &["description", "endDate", "eventStatus", "image", "offers", "organizer", "performer"],
    ),
    shown(
        "image_metadata",
        "Image metadata",
        &["ImageObject"],
        &["contentUrl|url", "creator|creditText|copyrightNotice|license"],
        &["acquireLicensePage", "license"],
    ),
    shown(
        "job_posting",
        "Job posting",
        &["JobPosting"],
        &["title", "description", "datePosted", "hiringOrganization", "jobLocation|applicantLocationRequirements"],
        &["baseSalary", "directApply", "employmentType", "identifier", "validThrough"],
    ),
    shown(
        "local_business",
        "Local business",
        &["LocalBusiness"],
        &["name", "address"],
        &["telephone", "url", "geo", "openingHoursSpecification", "priceRange"],
    ),
    shown(
        "math_solver",
        "Math solver",
        &["MathSolver"],
        &["potentialAction", "usageInfo", "url"],
        &["inLanguage", "assesses"],
    ),
    shown(
        "merchant_listing",
        "Merchant listing",
        &["Product"],
        &[
            "name",
            "image",
            "offers",
            "offers.price|offers.priceSpecification.price|offers.lowPrice",
            "offers.priceCurrency|offers.priceSpecification.priceCurrency",
        ],
        &[
            "brand",
            "description",
            "gtin|gtin8|gtin12|gtin13|gtin14|isbn",
            "sku",
            "offers.availability",
            "offers.shippingDetails",
            "offers.hasMerchantReturnPolicy",
        ],
    ),
    shown(
        "movie",
        "Movie carousel",
        &["Movie"],
        &["name", "image"],
        &["dateCreated", "director", "aggregateRating", "review"],
    ),
    shown(
        "organization",
        "Organization details",
        &["Organization"],
        &[],
        &["name", "url", "logo", "sameAs", "contactPoint", "address"],
    ),
    shown(
        "product_snippet",
        "Product snippet",
        &["Product"],
        &["name", "aggregateRating|offers|review"],
        &["brand", "description"],
    ),
    shown(
        "product_variants",
        "Product variants",
        &["ProductGroup"],
        &["name", "hasVariant|url"],
        &["productGroupID", "variesBy", "brand"],
    ),
    shown(
        "profile_page",
        "Profile page",
        &["ProfilePage"],
        &["mainEntity", "mainEntity.name|mainEntity.alternateName"],
        &["dateCreated", "dateModified", "mainEntity.image", "mainEntity.sameAs"],
    ),
    shown(
        "qa",
        "Q&A",
        &["QAPage"],
        &[
            "mainEntity",
            "mainEntity.name",
            "mainEntity.answerCount",
            "mainEntity.acceptedAnswer|mainEntity.suggestedAnswer",
        ],
        &["mainEntity.author", "mainEntity.datePublished", "mainEntity.text", "mainEntity.upvoteCount"],
    ),
    shown(
        "recipe",
        "Recipe",
        &["Recipe"],
        &["name", "image"],
        &[
            "aggregateRating",
            "author",
            "cookTime",
            "datePublished",
            "description",
            "keywords",
            "nutrition.calories",
            "prepTime",
            "recipeCategory",
            "recipeCuisine",
            "recipeIngredient",
            "recipeInstructions",
            "recipeYield",
            "totalTime",
            "video",
        ],
    ),
    shown(
        "review",
        "Review snippet",
        &["Review"],
        &["author", "reviewRating", "reviewRating.ratingValue", "itemReviewed", "itemReviewed.name"],
        &["datePublished", "reviewRating.bestRating", "reviewRating.worstRating"],
    ),
    shown(
        "aggregate_rating",
        "Rating snippet",
        &["AggregateRating"],
        &["ratingValue", "ratingCount|reviewCount", "itemReviewed", "itemReviewed.name"],
        &["bestRating", "worstRating"],
    ),
    shown(
        "software_app",
        "Software app",
        &["SoftwareApplication"],
        &["name", "offers.price|offers.lowPrice|offers.priceSpecification.price", "aggregateRating|review"],
        &["applicationCategory", "operatingSystem"],
    ),
    shown(
        "vacation_rental",
        "Vacation rental",
        &["VacationRental"],
        &[
            "containsPlace",
            "containsPlace.occupancy",
            "containsPlace.occupancy.value",
            "identifier",
            "image",
            "latitude|geo.latitude",
            "longitude|geo.longitude",
            "name",
        ],
        &["address", "aggregateRating", "review"],
    ),
    shown(
        "video",
        "Video",
        &["VideoObject"],
        &["name", "thumbnailUrl", "uploadDate"],
        &["contentUrl|embedUrl", "description", "duration", "expires", "interactionStatistic"],
    ),
    shown("loyalty_program", "Loyalty program", &["MemberProgram"], &["name", "description", "hasTiers"], &["url"]),
    Feature {
        id: "site_name",
        title: "Site name",
        types: &["WebSite"],
        required: &["name", "url"],
        recommended: &["alternateName"],
        standing: Standing::Current,
        asks: "name",
    },
    Feature {
        id: "paywalled",
        title: "Subscription and paywalled content",
        types: &["CreativeWork"],
        required: &["isAccessibleForFree"],
        recommended: &["hasPart.cssSelector", "hasPart.isAccessibleForFree"],
        standing: Standing::Current,
        asks: "hasPart.isAccessibleForFree",
    },
    Feature {
        id: "speakable",
        title: "Speakable (beta)",
        types: &["Article", "WebPage"],
        required: &["speakable.cssSelector|speakable.xpath"],
        recommended: &[],
        standing: Standing::Current,
        asks: "speakable",
    },
    retired("how_to", "How-to", &["HowTo"], "2023-09-13"),
    retired("faq", "FAQ", &["FAQPage"], "2026-05-07"),
    Feature {
        asks: "potentialAction.query-input",
        ..retired("sitelinks_searchbox", "Sitelinks search box", &["WebSite"], "2024-11-21")
    },
    Feature { asks: "potentialAction", ..retired("book_actions", "Book actions", &["Book"], "2025-06-12") },
    Feature { asks: "hasCourseInstance", ..retired("course_info", "Course info", &["Course"], "2025-06-12") },
    retired("claim_review", "Fact check", &["ClaimReview"], "2025-06-12"),
    retired("estimated_salary", "Estimated salary", &["Occupation"], "2025-06-12"),
    Feature {
        asks: "learningResourceType",
        ..retired("learning_video", "Learning video", &["VideoObject"], "2025-06-12")
    },
    retired("special_announcement", "Special announcement", &["SpecialAnnouncement"], "2025-06-12"),
    Feature {
        asks: "vehicleIdentificationNumber",
        ..retired("vehicle_listing", "Vehicle listing", &["Vehicle"], "2025-06-12")
    },
    Feature {
        asks: "hasPart.suggestedAnswer",
        ..retired("practice_problem", "Practice problem", &["Quiz"], "2026-01")
    },
];

/// The features that a type leads to, by itself or by one above it.
pub(crate) fn of_types<'a>(names: &'a [&'a str]) -> impl Iterator<Item = &'static Feature> + 'a {
    let all = vocabulary::get();
    FEATURES.iter().filter(move |it| names.iter().any(|name| it.types.iter().any(|kind| all.is_a(name, kind))))
}
