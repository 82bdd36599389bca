//! The features of trade: products, businesses, work, ratings.
//!
//! Compared with copies of Google's pages that were taken on 2026-09-01, each with the day of its last change: product
//! snippet and loyalty program 2025-12-10, job posting 2025-12-18, product variants 2026-05-20, merchant listing
//! 2026-07-07.

use super::{Feature, Standing, shown};

pub(super) const FEATURES: &[Feature] = &[
    shown(
        "employer_rating",
        "Employer aggregate rating",
        &["EmployerAggregateRating"],
        &["itemReviewed", "ratingValue", "ratingCount|reviewCount"],
        &["bestRating", "worstRating"],
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
        "merchant_listing",
        "Merchant listing",
        &["Product"],
        &[
            "name",
            "image",
            "offers",
            // The shop itself sells: an `AggregateOffer`, the offers of several others, is none here.
            "offers.price|offers.priceSpecification.price",
            "offers.priceCurrency|offers.priceSpecification.priceCurrency",
        ],
        &[
            "aggregateRating",
            "brand.name",
            "category",
            "description",
            "gtin|gtin8|gtin12|gtin13|gtin14|isbn",
            "mpn",
            "review",
            "sku",
            "offers.availability",
            "offers.hasMerchantReturnPolicy",
            "offers.itemCondition",
            "offers.priceValidUntil",
            "offers.shippingDetails",
            "offers.url",
        ],
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
        &["aggregateRating", "offers", "review"],
    ),
    shown(
        "product_variants",
        "Product variants",
        &["ProductGroup"],
        &["name"],
        &["aggregateRating", "brand.name", "description", "hasVariant", "productGroupID", "review", "url", "variesBy"],
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
        "loyalty_program",
        "Loyalty program",
        &["MemberProgram"],
        &["name", "description", "hasTiers", "hasTiers.name", "hasTiers.hasTierBenefit"],
        &["url", "hasTiers.url"],
    ),
    // Google reads a program where it stands: within its organization. What each tier needs is among the rules.
    Feature {
        id: "loyalty_program",
        title: "Loyalty program",
        types: &["Organization"],
        required: &["hasMemberProgram.name", "hasMemberProgram.description", "hasMemberProgram.hasTiers"],
        recommended: &["hasMemberProgram.url"],
        standing: Standing::Current,
        asks: "hasMemberProgram",
    },
];
