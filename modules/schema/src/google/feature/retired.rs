//! The features that Google shows no longer, and since when.
//!
//! Compared with a copy of Google's list of changes that was taken on 2026-09-28: it announced the end of several on
//! 2025-06-12 without a day, of special announcements for 2025-07-31, of practice problems for January 2026 and of FAQ
//! for 2026-05-07. Its notice on book actions it took back on 2025-11-05.

use super::{Feature, retired};

pub(super) const FEATURES: &[Feature] = &[
    retired("how_to", "How-to", &["HowTo"], "2023-09-13"),
    retired("faq", "FAQ", &["FAQPage"], "2026-05-07"),
    Feature {
        asks: "potentialAction.query-input",
        ..retired("sitelinks_searchbox", "Sitelinks search box", &["WebSite"], "2024-11-21")
    },
    Feature { asks: "hasCourseInstance", ..retired("course_info", "Course info", &["Course"], "2025-06-12") },
    retired("claim_review", "Fact check", &["ClaimReview"], "2025-06-12"),
    retired("estimated_salary", "Estimated salary", &["Occupation"], "2025-06-12"),
    Feature {
        asks: "learningResourceType",
        ..retired("learning_video", "Learning video", &["VideoObject"], "2025-06-12")
    },
    retired("special_announcement", "Special announcement", &["SpecialAnnouncement"], "2025-07-31"),
    Feature {
        asks: "vehicleIdentificationNumber",
        ..retired("vehicle_listing", "Vehicle listing", &["Vehicle"], "2025-06-12")
    },
    Feature {
        asks: "hasPart.suggestedAnswer",
        ..retired("practice_problem", "Practice problem", &["Quiz"], "2026-01")
    },
];
