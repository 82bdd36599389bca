//! What search engines want to know of products, offers and ratings, by Google's documents of November 2026.

use crate::rule::rules;
use crate::rules::structured::node::{lacks, lacks_anywhere, lacks_priced, lacks_sold};

rules! {
    "structured.product_incomplete" StructuredData Warning Page Low 92 Page(|page, _| lacks(page, &["Product"], &["name", "offers|review|aggregateRating"]));
    title "A product lacks what its result needs";
    why "A product result needs a name and an offer, a review or a rating; without them Google shows none.";
    fix "schema.markup.generate" "Add the properties named here, from facts that readers see on the page.";
    see "https://developers.google.com/search/docs/appearance/structured-data/product-snippet";

    "structured.product_sparse" StructuredData Notice Page Low 70 Page(|page, _| {
        lacks(
            page,
            &["Product"],
            &["image", "brand|manufacturer", "gtin|gtin8|gtin12|gtin13|gtin14|mpn|sku|isbn|productID"],
        )
    });
    title "A product lacks what tells it apart";
    why "Shop results match products by picture, brand and a number such as the GTIN.";
    fix "schema.markup.generate" "Add the properties named here, from facts that readers see on the page.";
    see "https://developers.google.com/search/docs/appearance/structured-data/merchant-listing";

    "structured.variants_incomplete" StructuredData Warning Page Low 80 Page(|page, _| {
        lacks(
            page,
            &["ProductGroup"],
            &["name", "variesBy", "hasVariant|url", "productGroupID|hasVariant.inProductGroupWithID"],
        )
    });
    title "A group of variants is not fully described";
    why "Sizes and colours are shown as one product only when the group says what varies and which products belong to it.";
    fix "schema.markup.generate" "Add the properties named here, from facts that readers see on the page.";
    see "https://developers.google.com/search/docs/appearance/structured-data/product-variants";

    "structured.offer_incomplete" StructuredData Warning Page Low 88 Page(|page, _| {
        lacks_sold(
            page,
            &["Offer"],
            &["price|priceSpecification.price", "priceCurrency|priceSpecification.priceCurrency"],
        )
    });
    title "An offer names no price";
    why "An offer without a price cannot be shown, compared or filtered.";
    fix "schema.markup.generate" "Add the properties named here, from facts that readers see on the page.";
    see "https://developers.google.com/search/docs/appearance/structured-data/merchant-listing";

    "structured.price_range_incomplete" StructuredData Warning Page Low 88 Page(|page, _| lacks_anywhere(page, &["AggregateOffer"], &["lowPrice", "priceCurrency"]));
    title "A range of prices has no lowest price or no currency";
    why "Google requires both before it shows a range of prices.";
    fix "schema.markup.generate" "Add the properties named here, from facts that readers see on the page.";
    see "https://developers.google.com/search/docs/appearance/structured-data/product-snippet";

    "structured.offer_sparse" StructuredData Notice Page Low 72 Page(|page, _| lacks_priced(page, &["Offer"], &["availability"]));
    title "An offer does not say whether the thing can be had";
    why "Results say \"in stock\" only when the markup does.";
    fix "schema.markup.generate" "Add the properties named here, from facts that readers see on the page.";
    see "https://developers.google.com/search/docs/appearance/structured-data/merchant-listing";

    "structured.offer_terms_missing" StructuredData Notice Page Medium 50 Page(|page, _| lacks_sold(page, &["Offer"], &["shippingDetails", "hasMerchantReturnPolicy"]));
    title "An offer says nothing of delivery and returns";
    why "Shop results show the cost of delivery and how long a thing can be returned.";
    fix "schema.markup.generate" "Add the properties named here, from facts that readers see on the page.";
    see "https://developers.google.com/search/docs/appearance/structured-data/merchant-listing";

    "structured.return_policy_incomplete" StructuredData Notice Page Low 80 Page(|page, _| {
        lacks_anywhere(
            page,
            &["MerchantReturnPolicy"],
            &["applicableCountry|merchantReturnLink", "returnPolicyCategory|merchantReturnLink"],
        )
    });
    title "A return policy does not say where it holds or what it is";
    why "Google requires the country and the kind of the policy, or a link to it.";
    fix "schema.markup.generate" "Add the properties named here, from facts that readers see on the page.";
    see "https://developers.google.com/search/docs/appearance/structured-data/return-policy";

    "structured.review_incomplete" StructuredData Warning Page Low 85 Page(|page, _| {
        lacks_anywhere(page, &["Review", "CriticReview"], &["author", "reviewRating.ratingValue"])
    });
    title "A review lacks its author or its rating";
    why "Both are required; a review without them is not shown.";
    fix "schema.markup.generate" "Add the properties named here, from facts that readers see on the page.";
    see "https://developers.google.com/search/docs/appearance/structured-data/review-snippet";

    "structured.rating_incomplete" StructuredData Warning Page Low 92 Page(|page, _| {
        lacks_anywhere(page, &["AggregateRating"], &["ratingValue", "ratingCount|reviewCount"])
    });
    title "A rating lacks its value or its count";
    why "Stars are shown only when it is told how many people gave them.";
    fix "schema.markup.generate" "Add the properties named here, from facts that readers see on the page.";
    see "https://developers.google.com/search/docs/appearance/structured-data/review-snippet";

    "structured.software_incomplete" StructuredData Warning Page Low 80 Page(|page, _| {
        lacks(
            page,
            &["SoftwareApplication", "MobileApplication", "WebApplication", "VideoGame"],
            &["name", "offers.price", "aggregateRating|review"],
        )
    });
    title "An app lacks what its result needs";
    why "An app result needs a name, a price (0 for a free one) and a rating or a review.";
    fix "schema.markup.generate" "Add the properties named here, from facts that readers see on the page.";
    see "https://developers.google.com/search/docs/appearance/structured-data/software-app";
}
