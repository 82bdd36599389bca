//! The smallest markup of each type that has no error: its own, that of the nearest type above it, or a name.

use sdk::json;
use serde_json::{Map, Value};

use crate::vocabulary;

/// The example of a type.
pub(super) fn of(kind: &str) -> Map<String, Value> {
    let lineage = vocabulary::get().lineage(kind);
    let known = lineage.iter().find_map(|it| written(it)).unwrap_or_else(|| json!({ "name": "A name" }));
    let mut out = Map::new();
    out.insert("@context".to_owned(), json!("https://schema.org"));
    out.insert("@type".to_owned(), json!(kind));
    if let Value::Object(members) = known {
        out.extend(members);
    }
    out
}

fn written(kind: &str) -> Option<Value> {
    let person = json!({ "@type": "Person", "name": "Ada Byron" });
    let country = json!({ "@type": "PostalAddress", "streetAddress": "Lampstreet 1", "addressLocality": "Berlin", "addressCountry": "DE" });
    let offer = json!({ "@type": "Offer", "price": "89.00", "priceCurrency": "EUR", "availability": "https://schema.org/InStock" });
    let rating = json!({ "@type": "AggregateRating", "ratingValue": 4.5, "ratingCount": 12 });
    let days = |least: u32, most: u32| json!({ "@type": "QuantitativeValue", "minValue": least, "maxValue": most, "unitCode": "DAY" });
    let page = "https://shop.example/brass-lamp";
    let image = json!(["https://shop.example/brass-lamp.jpg"]);
    Some(match kind {
        "3DModel" => {
            json!({ "name": "Brass lamp", "encoding": { "@type": "MediaObject", "contentUrl": "https://shop.example/lamp.glb" } })
        }
        "AggregateOffer" => {
            json!({ "lowPrice": "79.00", "highPrice": "99.00", "offerCount": 3, "priceCurrency": "EUR" })
        }
        "AggregateRating" => {
            json!({ "itemReviewed": { "@type": "Organization", "name": "Lampshop" }, "ratingValue": 4.5, "ratingCount": 12 })
        }
        "Article" => {
            json!({ "headline": "Cleaning brass", "image": image, "datePublished": "2026-09-28", "author": person })
        }
        "BreadcrumbList" => json!({ "itemListElement": [
            { "@type": "ListItem", "position": 1, "name": "Lamps", "item": "https://shop.example/lamps" },
            { "@type": "ListItem", "position": 2, "name": "Brass lamp" }] }),
        "BroadcastEvent" => {
            json!({ "name": "Live", "isLiveBroadcast": true, "startDate": "2026-09-28T18:00:00Z", "endDate": "2026-09-28T19:00:00Z", "location": { "@type": "VirtualLocation", "url": page } })
        }
        "Certification" => {
            json!({ "name": "Energy label", "issuedBy": { "@type": "Organization", "name": "European Commission" } })
        }
        "Clip" => json!({ "name": "Unplug the lamp", "startOffset": 30, "url": "https://shop.example/video?t=30" }),
        "Course" => {
            json!({ "name": "Lamp making", "description": "Make a lamp in a day.", "provider": { "@type": "Organization", "name": "Lampshop" } })
        }
        "DefinedRegion" => json!({ "addressCountry": "DE", "postalCode": "10115" }),
        "DiscussionForumPosting" => {
            json!({ "headline": "Which polish", "text": "Which polish do you use?", "datePublished": "2026-09-28", "author": person })
        }
        "EmployerAggregateRating" => {
            json!({ "itemReviewed": { "@type": "Organization", "name": "Lampshop" }, "ratingValue": 4.5, "ratingCount": 12 })
        }
        "Event" => {
            json!({ "name": "Lamp workshop", "startDate": "2027-01-16T10:00:00+01:00", "location": { "@type": "Place", "name": "Lampshop", "address": country } })
        }
        "HowToDirection" | "HowToTip" => json!({ "text": "Unplug the lamp." }),
        "HowToSection" => {
            json!({ "name": "Cleaning", "position": 1, "itemListElement": [{ "@type": "HowToStep", "text": "Unplug the lamp.", "position": 1, "name": "Unplug" }] })
        }
        "HowToStep" => json!({ "name": "Unplug", "position": 1, "text": "Unplug the lamp." }),
        "ImageObject" => {
            json!({ "contentUrl": "https://shop.example/lamp.jpg", "creditText": "Lampshop", "license": "https://shop.example/license" })
        }
        "JobPosting" => {
            json!({ "title": "Lamp maker", "description": "Make lamps of brass.", "datePosted": "2026-09-28",
            "hiringOrganization": { "@type": "Organization", "name": "Lampshop" }, "jobLocation": { "@type": "Place", "address": country } })
        }
        "ListItem" => json!({ "name": "Lamps", "position": 1, "item": "https://shop.example/lamps" }),
        "LocalBusiness" => json!({ "name": "Lampshop", "address": country, "telephone": "+49 30 1234567" }),
        "MathSolver" => {
            json!({ "name": "Lamp maths", "url": page, "usageInfo": "https://shop.example/terms", "learningResourceType": "Math solver",
            "potentialAction": { "@type": "SolveMathAction", "target": "https://shop.example/solve?q={q}", "mathExpression-input": "required name=q" } })
        }
        "MemberProgram" => {
            json!({ "name": "Lamp club", "description": "Points for lamps.", "hasTiers": [{ "@type": "MemberProgramTier", "name": "Brass", "hasTierBenefit": "https://schema.org/TierBenefitLoyaltyPrice" }] })
        }
        "MerchantReturnPolicy" => {
            json!({ "applicableCountry": "DE", "returnPolicyCategory": "https://schema.org/MerchantReturnFiniteReturnWindow", "merchantReturnDays": 30 })
        }
        "Movie" => json!({ "name": "The lamp", "image": image }),
        "Offer" => json!({ "price": "89.00", "priceCurrency": "EUR", "availability": "https://schema.org/InStock" }),
        "OfferShippingDetails" => {
            json!({ "shippingRate": { "@type": "MonetaryAmount", "value": "4.90", "currency": "EUR" },
            "shippingDestination": { "@type": "DefinedRegion", "addressCountry": "DE" },
            "deliveryTime": { "@type": "ShippingDeliveryTime", "handlingTime": days(0, 1), "transitTime": days(1, 3) } })
        }
        "Organization" => {
            json!({ "name": "Lampshop", "url": "https://shop.example/", "logo": "https://shop.example/logo.png" })
        }
        "Person" => json!({ "name": "Ada Byron" }),
        "PriceSpecification" => json!({ "price": "89.00", "priceCurrency": "EUR" }),
        "Product" => {
            json!({ "name": "Brass lamp", "image": image, "description": "A lamp of brass.", "offers": offer })
        }
        "ProductGroup" => {
            json!({ "name": "Brass lamp", "image": image, "offers": offer, "productGroupID": "lamp", "variesBy": "https://schema.org/color",
            "hasVariant": [{ "@type": "Product", "name": "Brass lamp, green", "image": image, "offers": offer }] })
        }
        "ProfilePage" => json!({ "mainEntity": person }),
        "QAPage" => {
            json!({ "mainEntity": { "@type": "Question", "name": "How is brass cleaned?", "answerCount": 1, "suggestedAnswer": [{ "@type": "Answer", "text": "With soap and water." }] } })
        }
        "Quiz" => {
            json!({ "name": "Lamps", "hasPart": [{ "@type": "Question", "eduQuestionType": "Flashcard", "text": "What is brass made of?", "acceptedAnswer": { "@type": "Answer", "text": "Copper and zinc." } }] })
        }
        "Rating" => json!({ "ratingValue": 4, "bestRating": 5, "worstRating": 1 }),
        "Recipe" => {
            json!({ "name": "Brass polish", "image": image, "recipeIngredient": ["Salt", "Vinegar"], "recipeInstructions": [{ "@type": "HowToStep", "text": "Mix both." }] })
        }
        "Review" => {
            json!({ "itemReviewed": { "@type": "Organization", "name": "Lampshop" }, "author": person, "reviewRating": { "@type": "Rating", "ratingValue": 4 } })
        }
        "SeekToAction" => {
            json!({ "target": "https://shop.example/video?t={seconds}", "startOffset-input": "required name=seconds" })
        }
        "SoftwareApplication" => {
            json!({ "name": "Lamp planner", "operatingSystem": "Android", "applicationCategory": "DesignApplication", "offers": { "@type": "Offer", "price": "0", "priceCurrency": "EUR" }, "aggregateRating": rating })
        }
        "VacationRental" => {
            json!({ "name": "Lamp house", "identifier": "7", "image": image, "latitude": 52.5, "longitude": 13.4, "address": country,
            "containsPlace": { "@type": "Accommodation", "occupancy": { "@type": "QuantitativeValue", "value": 4 } } })
        }
        "VideoObject" => {
            json!({ "name": "Cleaning brass", "thumbnailUrl": image, "uploadDate": "2026-09-28T07:30:00Z", "contentUrl": "https://shop.example/brass.mp4" })
        }
        "WebSite" => json!({ "name": "Lampshop", "url": "https://shop.example/" }),
        _ => return None,
    })
}
