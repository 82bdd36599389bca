//! The properties that each type needs and wants, as data.

use super::rule::Form::{Address, Any, Currency, Date, Duration, Node, Number, Text};
use super::rule::Rule::{self, Need, NeedAlone, NeedOne, NeedOneAlone, Want, WantOne};

/// The rules of a type; none for a type without.
#[expect(clippy::too_many_lines, reason = "one row for each type reads better than parts of a table")]
pub(super) fn rules(name: &str) -> Option<&'static [Rule]> {
    Some(match name {
        "3DModel" => &[Need("encoding", Any), Need("encoding.contentUrl", Address)],
        "AggregateOffer" => &[
            Need("lowPrice", Number),
            Need("priceCurrency", Currency),
            Want("highPrice", Number),
            Want("offerCount", Number),
        ],
        "AggregateRating" => &[
            Need("ratingValue", Any),
            NeedOne(&[("ratingCount", Number), ("reviewCount", Number)]),
            NeedAlone("itemReviewed"),
            NeedAlone("itemReviewed.name"),
        ],
        "Article" => &[
            Want("headline", Text),
            Want("image", Any),
            Want("datePublished", Date),
            Want("dateModified", Date),
            Want("author", Any),
            Want("author.name", Text),
        ],
        "Brand" | "Organization" | "Person" => &[Need("name", Any)],
        "BreadcrumbList" => &[Need("itemListElement", Node)],
        "BroadcastEvent" => &[Need("startDate", Date), Need("endDate", Date), Need("isLiveBroadcast", Any)],
        "Certification" => &[
            Need("issuedBy", Any),
            Need("name", Any),
            WantOne(&[("certificationIdentification", Any), ("certificationRating", Any)]),
        ],
        "Clip" => &[Need("name", Text), Need("startOffset", Number), Need("url", Address), Want("endOffset", Number)],
        "DefinedRegion" => &[Need("addressCountry", Text), WantOne(&[("addressRegion", Any), ("postalCode", Any)])],
        "HowToDirection" | "HowToTip" => &[Need("text", Text)],
        "HowToSection" => &[Need("itemListElement", Any), Need("name", Text)],
        "HowToStep" => &[
            NeedOne(&[("text", Any), ("itemListElement", Any)]),
            Want("image", Any),
            Want("name", Text),
            Want("url", Address),
        ],
        "ImageObject" => &[
            NeedOne(&[("contentUrl", Address), ("url", Address)]),
            NeedOneAlone(&[("creator", Any), ("creditText", Any), ("copyrightNotice", Any), ("license", Any)]),
        ],
        "JobPosting" => &[
            Need("title", Text),
            Need("description", Text),
            Need("datePosted", Date),
            Need("hiringOrganization", Any),
            Want("baseSalary", Any),
            Want("directApply", Any),
            Want("employmentType", Any),
            Want("identifier", Any),
            Want("validThrough", Date),
        ],
        "ListItem" => &[NeedOne(&[("name", Text), ("item.name", Text)]), Need("position", Any)],
        "Product" => &[
            Need("name", Any),
            Need("image", Any),
            Need("offers", Any),
            Want("aggregateRating", Any),
            Want("brand", Any),
            Want("description", Text),
            Want("review", Any),
            Want("sku", Text),
        ],
        "ProductGroup" => &[
            Need("name", Any),
            Want("brand.name", Any),
            Want("description", Any),
            Want("productGroupID", Text),
            Want("variesBy", Any),
        ],
        "Rating" => &[Need("ratingValue", Any)],
        "Recipe" => &[
            Need("name", Text),
            Want("aggregateRating", Any),
            Want("author", Any),
            Want("datePublished", Date),
            Want("description", Text),
            Want("keywords", Text),
            Want("recipeCategory", Text),
            Want("recipeCuisine", Text),
            Want("recipeIngredient", Any),
            Want("recipeInstructions", Any),
            Want("totalTime", Duration),
        ],
        "Review" => &[
            Need("author", Any),
            Need("reviewRating", Any),
            Want("datePublished", Date),
            NeedAlone("itemReviewed"),
            NeedAlone("itemReviewed.name"),
        ],
        "SeekToAction" => &[Need("target", Any), Need("startOffset-input", Any)],
        "ShippingDeliveryTime" => &[Want("handlingTime", Any), Want("transitTime", Any)],
        "SizeSpecification" => &[Want("name", Any), Want("sizeGroup", Any), Want("sizeSystem", Any)],
        "VideoObject" => &[
            Need("name", Text),
            Need("thumbnailUrl", Any),
            Need("uploadDate", Date),
            Want("description", Text),
            Want("duration", Duration),
            WantOne(&[("contentUrl", Address), ("embedUrl", Address)]),
        ],
        // Rules that depend on other values are all that these have.
        "Comment"
        | "InteractionCounter"
        | "MemberProgramTier"
        | "MerchantReturnPolicy"
        | "Offer"
        | "OfferShippingDetails"
        | "PriceSpecification"
        | "QuantitativeValue" => &[],
        _ => return None,
    })
}
