//! The features of texts, pictures, works and pages.
//!
//! Compared with copies of Google's pages that were taken on 2026-09-01, each with the day of its last change:
//! breadcrumb, image metadata, site name, speakable and book actions 2025-12-10, math solver 2025-12-18, discussion
//! forum 2026-03-24. The creator of a video stands on Google's list of changes of 2026-09-24.

use super::{Feature, Standing, shown};

pub(super) const FEATURES: &[Feature] = &[
    shown(
        "article",
        "Article",
        &["Article"],
        &[],
        &["headline", "image", "datePublished", "dateModified", "author", "author.name", "author.url"],
    ),
    // Each step's name and position are among the rules; `item` is that of the first step, which is never the last.
    shown("breadcrumb", "Breadcrumb", &["BreadcrumbList"], &["itemListElement", "itemListElement.item"], &[]),
    shown("course_list", "Course list", &["Course"], &["name", "description"], &["provider"]),
    shown(
        "discussion_forum",
        "Discussion forum",
        &["DiscussionForumPosting", "SocialMediaPosting"],
        &["author", "author.name", "datePublished", "text|image|video"],
        &["author.url", "comment", "commentCount", "headline", "interactionStatistic", "url"],
    ),
    shown(
        "education_qa",
        "Education Q&A",
        &["Quiz"],
        &["hasPart", "hasPart.text", "hasPart.acceptedAnswer", "hasPart.eduQuestionType"],
        &["about", "educationalAlignment"],
    ),
    shown(
        "event",
        "Event",
        &["Event"],
        &["name", "startDate", "location", "location.address|location.url"],
        &["description", "endDate", "eventStatus", "image", "offers", "organizer", "performer"],
    ),
    Feature {
        id: "image_metadata",
        title: "Image metadata",
        types: &["ImageObject"],
        required: &["contentUrl|url", "creator|creditText|copyrightNotice|license"],
        // One of the needed four makes the other three recommended; the badge of a licence hangs on `license`.
        recommended: &["acquireLicensePage", "copyrightNotice", "creator.name", "creditText", "license"],
        standing: Standing::Current,
        // Most pictures are a part of something else and want no badge.
        asks: "license",
    },
    shown(
        "math_solver",
        "Math solver",
        &["MathSolver"],
        &[
            "potentialAction",
            "potentialAction.target",
            "potentialAction.mathExpression-input",
            "usageInfo",
            "url",
            "learningResourceType",
        ],
        &["inLanguage", "potentialAction.eduQuestionType"],
    ),
    shown(
        "movie",
        "Movie carousel",
        &["Movie"],
        &["name", "image"],
        &["dateCreated", "director", "aggregateRating", "review"],
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
        "video",
        "Video",
        &["VideoObject"],
        &["name", "thumbnailUrl", "uploadDate"],
        &["contentUrl|embedUrl", "creator|author", "description", "duration", "expires", "interactionStatistic"],
    ),
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
        // The vocabulary writes `xpath`, Google's page `xPath`.
        required: &["speakable.cssSelector|speakable.xpath|speakable.xPath"],
        recommended: &[],
        standing: Standing::Current,
        asks: "speakable",
    },
    Feature {
        id: "book_actions",
        title: "Book actions (feeds of registered providers)",
        types: &["Book"],
        required: &[
            "author",
            "name",
            "url",
            "workExample.bookFormat",
            "workExample.inLanguage",
            "workExample.isbn|workExample.identifier",
        ],
        recommended: &["sameAs"],
        standing: Standing::Current,
        asks: "workExample.potentialAction",
    },
];
