//! What each feature asks, where Google's pages make it depend on something.

use sdk::json;
use serde_json::{Map, Value};

use super::{Standing, all, of_types};
use crate::check::Severity;
use crate::google::check;
use crate::judge;

fn item(value: Value) -> Map<String, Value> {
    serde_json::from_value(value).unwrap()
}

/// What a feature misses of an item; none when the item does not ask for it.
fn missing(id: &str, value: &Value) -> Option<Vec<String>> {
    judge::asked(&item(value.clone()), sdk::value::Day::from_civil(2026, 9, 28).unwrap())
        .into_iter()
        .find(|it| it.feature.id == id)
        .map(|it| it.missing)
}

/// The findings of a severity, each as its place and properties.
fn found(severity: Severity, value: &Value) -> Vec<String> {
    let line = |it: &crate::check::Found| format!("{} {}", it.pointer, it.properties.join("|"));
    check(&item(value.clone()), sdk::value::Day::from_civil(2026, 9, 28).unwrap())
        .iter()
        .filter(|it| it.severity == severity)
        .map(line)
        .collect()
}

fn errors(value: &Value) -> Vec<String> {
    found(Severity::Error, value)
}

fn warns(value: &Value, said: &str) -> bool {
    found(Severity::Warning, value).iter().any(|it| it == said)
}

const NONE: [&str; 0] = [];

#[test]
fn a_trail_whose_first_step_has_no_page_is_blocked() {
    let trail = |first: Value| {
        json!({ "@type": "BreadcrumbList", "itemListElement": [first,
        { "@type": "ListItem", "position": 2, "name": "Brass lamp" }] })
    };
    let linked = json!({ "@type": "ListItem", "position": 1, "name": "Lamps", "item": "https://shop.example/lamps" });
    let bare = json!({ "@type": "ListItem", "position": 1, "name": "Lamps" });
    assert_eq!(missing("breadcrumb", &trail(linked)).unwrap(), NONE);
    assert_eq!(missing("breadcrumb", &trail(bare)).unwrap(), ["itemListElement.item"]);
}

#[test]
fn a_job_needs_a_country_from_its_place_of_work_or_its_applicants() {
    let job = |more: Value| {
        let mut all = json!({ "@type": "JobPosting", "title": "Lamp maker", "description": "Make lamps.",
            "datePosted": "2026-09-28", "hiringOrganization": { "@type": "Organization", "name": "Lampshop" } });
        all.as_object_mut().unwrap().extend(item(more));
        all
    };
    let place = json!({ "@type": "Place", "address": { "@type": "PostalAddress", "addressCountry": "DE" } });
    let country = json!({ "@type": "Country", "name": "DE" });
    let anywhere = "TELECOMMUTE";
    let either = job(json!({ "jobLocation": place, "jobLocationType": anywhere }));
    assert_eq!(errors(&either), NONE, "work at a place or from that place's country");
    assert!(warns(&either, " applicantLocationRequirements"));
    let home = job(json!({ "applicantLocationRequirements": country, "jobLocationType": anywhere }));
    assert_eq!(errors(&home), NONE);
    assert!(!warns(&home, " applicantLocationRequirements"));
    assert_eq!(errors(&job(json!({ "jobLocationType": anywhere }))), [" applicantLocationRequirements"]);
    assert_eq!(errors(&job(json!({ "applicantLocationRequirements": country }))), [" jobLocationType"]);
    assert_eq!(errors(&job(json!({}))), [" jobLocation"]);
    let learned = job(json!({ "jobLocation": place, "experienceInPlaceOfEducation": true }));
    assert!(warns(&learned, " experienceRequirements") && warns(&learned, " educationRequirements"));
}

#[test]
fn an_offer_of_several_sellers_makes_a_snippet_and_no_merchant_listing() {
    let product = |offers: Value| json!({ "@type": "Product", "name": "Brass lamp", "image": "https://shop.example/1.jpg", "offers": offers });
    let several = product(json!({ "@type": "AggregateOffer", "lowPrice": 79, "priceCurrency": "EUR" }));
    assert_eq!(missing("product_snippet", &several).unwrap(), NONE);
    assert_eq!(missing("merchant_listing", &several).unwrap(), ["offers.price|offers.priceSpecification.price"]);
    let free = product(json!({ "@type": "Offer", "price": "0", "priceCurrency": "EUR" }));
    assert!(warns(&free, "/offers price"));
    let sold = product(json!({ "@type": "Offer", "price": "89.00", "priceCurrency": "EUR" }));
    assert!(!warns(&sold, "/offers price"));
}

#[test]
fn a_policy_that_stands_elsewhere_is_not_asked_again_and_a_window_of_days_wants_their_number() {
    let shipping = |more: Value| json!({ "@type": "Offer", "shippingDetails": more });
    let linked =
        json!({ "@type": "OfferShippingDetails", "hasShippingService": { "@id": "https://shop.example/shipping" } });
    assert_eq!(errors(&shipping(linked)), NONE);
    assert_eq!(errors(&shipping(json!({ "@type": "OfferShippingDetails" }))).len(), 5);
    let policy = |category: &str, fees: &str| {
        json!({ "@type": "MerchantReturnPolicy", "applicableCountry": "DE",
            "returnPolicyCategory": format!("https://schema.org/{category}"), "returnFees": format!("https://schema.org/{fees}") })
    };
    let days = policy("MerchantReturnFiniteReturnWindow", "ReturnShippingFees");
    assert!(warns(&days, " merchantReturnDays") && warns(&days, " returnShippingFeesAmount"));
    let ever = policy("MerchantReturnUnlimitedWindow", "FreeReturn");
    assert!(!warns(&ever, " merchantReturnDays") && !warns(&ever, " returnShippingFeesAmount"));
}

#[test]
fn a_group_of_variants_needs_its_name_and_a_variant_on_another_page_only_its_address() {
    let offer = json!({ "@type": "Offer", "price": 89, "priceCurrency": "EUR" });
    let green =
        json!({ "@type": "Product", "name": "Lamp, green", "image": "https://shop.example/1.jpg", "offers": offer });
    let blue = json!({ "@type": "Product", "url": "https://shop.example/lamp/blue" });
    let group = json!({ "@type": "ProductGroup", "name": "Lamp", "hasVariant": [green, blue] });
    assert_eq!(missing("product_variants", &group).unwrap(), NONE);
    assert_eq!(missing("merchant_listing", &group).unwrap(), NONE, "by its first variant");
    let nameless = json!({ "@type": "ProductGroup", "hasVariant": [blue] });
    assert_eq!(missing("product_variants", &nameless).unwrap(), ["name"]);
    let untold =
        json!({ "@type": "ProductGroup", "name": "Lamp", "hasVariant": { "@type": "Product", "color": "red" } });
    assert!(missing("product_variants", &untold).unwrap().contains(&"hasVariant.name".to_owned()));
}

#[test]
fn a_car_is_a_product_only_where_it_says_so_and_a_blog_posting_is_none_of_a_forum() {
    let leads = |names: &[&str], id: &str| of_types(names).any(|it| it.id == id);
    assert!(!leads(&["Car"], "product_snippet") && leads(&["Product", "Car"], "product_snippet"));
    assert!(leads(&["IndividualProduct"], "merchant_listing") && !leads(&["ProductGroup"], "merchant_listing"));
    assert!(
        leads(&["SocialMediaPosting"], "discussion_forum") && leads(&["DiscussionForumPosting"], "discussion_forum")
    );
    assert!(!leads(&["BlogPosting"], "discussion_forum") && leads(&["BlogPosting"], "article"));
}

#[test]
fn a_forum_posting_needs_content_of_its_own_and_whole_comments() {
    let ada = json!({ "@type": "Person", "name": "Ada" });
    let posting = |more: Value| {
        let mut all = json!({ "@type": "DiscussionForumPosting", "author": ada, "datePublished": "2026-09-28" });
        all.as_object_mut().unwrap().extend(item(more));
        all
    };
    let shared = posting(json!({ "sharedContent": { "@type": "WebPage", "url": "https://a.example/" } }));
    assert_eq!(missing("discussion_forum", &shared).unwrap(), ["text|image|video"]);
    let answer = json!({ "@type": "Comment", "text": "Salt.", "author": ada, "datePublished": "2026-09-28",
        "comment": { "@type": "Comment", "text": "And vinegar." } });
    let thread = posting(json!({ "text": "Which polish?", "comment": [answer] }));
    assert_eq!(
        missing("discussion_forum", &thread).unwrap(),
        ["comment.0.comment.author", "comment.0.comment.datePublished"]
    );
    let counted = posting(
        json!({ "text": "Which polish?", "interactionStatistic": { "@type": "InteractionCounter", "userInteractionCount": 3 } }),
    );
    assert_eq!(errors(&counted), ["/interactionStatistic interactionType"]);
    let article =
        json!({ "@type": "Article", "headline": "Polish", "comment": { "@type": "Comment", "text": "Salt." } });
    assert_eq!(errors(&article), NONE, "comments elsewhere are not asked");
}

#[test]
fn a_loyalty_program_is_found_within_its_organization_and_each_tier_is_asked() {
    let shop = |tiers: Value| {
        json!({ "@type": "OnlineStore", "name": "Lampshop", "hasMemberProgram": { "@type": "MemberProgram",
            "name": "Lamp club", "description": "Points for lamps.", "hasTiers": tiers } })
    };
    let brass = json!({ "@type": "MemberProgramTier", "name": "Brass", "hasTierBenefit": "https://schema.org/TierBenefitLoyaltyPoints" });
    let gold = json!({ "@type": "MemberProgramTier", "hasTierBenefit": "TierBenefitLoyaltyPrice" });
    assert_eq!(missing("loyalty_program", &shop(json!([brass]))).unwrap(), NONE);
    assert!(warns(&shop(json!([brass])), "/hasMemberProgram/hasTiers/0 membershipPointsEarned"));
    assert_eq!(missing("loyalty_program", &shop(json!([brass, gold]))).unwrap(), ["hasMemberProgram.hasTiers.1.name"]);
    assert!(!warns(&shop(json!([gold])), "/hasMemberProgram/hasTiers/0 membershipPointsEarned"));
    assert_eq!(missing("loyalty_program", &json!({ "@type": "OnlineStore", "name": "Lampshop" })), None);
}

#[test]
fn the_parts_to_speak_are_found_in_googles_spelling_and_in_the_vocabularys() {
    let page = |by: &str| json!({ "@type": "WebPage", "name": "A", "speakable": { "@type": "SpeakableSpecification", by: ["/html/head/title"] } });
    for by in ["cssSelector", "xPath", "xpath"] {
        assert_eq!(missing("speakable", &page(by)).unwrap(), NONE, "{by}");
    }
    assert_eq!(missing("speakable", &page("name")).unwrap().len(), 1);
}

#[test]
fn a_math_solver_needs_the_address_that_solves() {
    let solver = |action: Value| {
        json!({ "@type": ["MathSolver", "LearningResource"], "url": "https://m.example/", "usageInfo": "https://m.example/privacy",
            "learningResourceType": "Math solver", "potentialAction": action })
    };
    let whole = json!([{ "@type": "SolveMathAction", "target": "https://m.example/?q={q}", "mathExpression-input": "required name=q" }]);
    assert_eq!(missing("math_solver", &solver(whole)).unwrap(), NONE);
    assert_eq!(
        missing("math_solver", &solver(json!([{ "@type": "SolveMathAction" }]))).unwrap(),
        ["potentialAction.target", "potentialAction.mathExpression-input"]
    );
}

#[test]
fn book_actions_are_shown_again_and_asked_of_an_edition_with_an_action() {
    let book = |edition: Value| {
        json!({ "@type": "Book", "name": "Lamps", "url": "https://b.example/lamps",
        "author": { "@type": "Person", "name": "Ada" }, "workExample": [edition] })
    };
    let action = json!({ "@type": "ReadAction", "target": "https://b.example/buy" });
    let sold = json!({ "@type": "Book", "bookFormat": "https://schema.org/EBook", "inLanguage": "en", "isbn": "9787543321724", "potentialAction": action });
    assert_eq!(missing("book_actions", &book(sold)).unwrap(), NONE);
    let unnumbered = json!({ "@type": "Book", "bookFormat": "https://schema.org/EBook", "inLanguage": "en", "potentialAction": action });
    assert_eq!(missing("book_actions", &book(unnumbered)).unwrap(), ["workExample.isbn|workExample.identifier"]);
    assert_eq!(missing("book_actions", &book(json!({ "@type": "Book", "isbn": "9787543321724" }))), None);
}

#[test]
fn the_days_on_which_features_ended_are_those_that_google_named() {
    let since = |id: &str| all().find(|it| it.id == id).map(|it| it.standing);
    for (id, day) in [("special_announcement", "2025-07-31"), ("practice_problem", "2026-01"), ("faq", "2026-05-07")] {
        assert_eq!(since(id), Some(Standing::Retired(day)), "{id}");
    }
}
