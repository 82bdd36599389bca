//! Cases of what structured data lacks.

use crate::rules::tests::PageCase;
use crate::rules::tests::base::{Page, page};

pub(super) fn script(json: &str) -> String {
    format!("<script type=\"application/ld+json\">{json}</script>")
}

/// The page with one more node of structured data; single quotes stand for double ones.
pub(super) fn node(members: &str) -> Page {
    page().head(&script(&format!("{{'@context':'https://schema.org',{members}}}").replace('\'', "\"")))
}

pub(super) fn cases() -> Vec<PageCase> {
    vec![
        (
            "structured.product_incomplete",
            node("'@type':'Product','name':'Lamp'"),
            node(
                "'@type':'Product','name':'Lamp','offers':{'@type':'Offer','price':'9.50','priceCurrency':'EUR','availability':'https://schema.org/InStock'}",
            ),
        ),
        (
            "structured.product_sparse",
            node(
                "'@type':'Product','name':'Lamp','offers':{'@type':'Offer','price':'9.50','priceCurrency':'EUR','availability':'https://schema.org/InStock'}",
            ),
            node(
                "'@type':'Product','name':'Lamp','image':'https://shop.example/a.jpg','brand':'Ada','mpn':'7','offers':{'@type':'Offer','price':'9.50','priceCurrency':'EUR','availability':'https://schema.org/InStock'}",
            ),
        ),
        (
            "structured.variants_incomplete",
            node("'@type':'ProductGroup','name':'Lamp','hasVariant':[]"),
            node(
                "'@type':'ProductGroup','name':'Lamp','variesBy':'https://schema.org/size','productGroupID':'7','hasVariant':[{'@type':'Product','name':'Small lamp'}]",
            ),
        ),
        (
            "structured.offer_incomplete",
            node("'@type':'Product','offers':{'@type':'Offer','availability':'InStock'}"),
            node("'@type':'Product','offers':{'@type':'Offer','priceSpecification':{'price':9,'priceCurrency':'EUR'}}"),
        ),
        (
            "structured.price_range_incomplete",
            node("'@type':'Product','offers':{'@type':'AggregateOffer','highPrice':'9'}"),
            node("'@type':'Product','offers':{'@type':'AggregateOffer','lowPrice':'9','priceCurrency':'EUR'}"),
        ),
        (
            "structured.offer_sparse",
            node("'@type':'Offer','price':'9'"),
            node("'@type':'Offer','price':'9','availability':'InStock'"),
        ),
        (
            "structured.offer_terms_missing",
            node("'@type':'Product','offers':{'@type':'Offer','price':'9','shippingDetails':{'@id':'#s'}}"),
            node("'@type':'Offer','price':'9','shippingDetails':{'@id':'#s'}"),
        ),
        (
            "structured.return_policy_incomplete",
            node("'@type':'MerchantReturnPolicy','applicableCountry':'DE'"),
            node("'@type':'MerchantReturnPolicy','merchantReturnLink':'https://shop.example/returns'"),
        ),
        (
            "structured.review_incomplete",
            node("'@type':'Review','author':'Ada'"),
            node("'@type':'Review','author':'Ada','reviewRating':{'@type':'Rating','ratingValue':4}"),
        ),
        (
            "structured.rating_incomplete",
            node("'@type':'Product','aggregateRating':{'@type':'AggregateRating','ratingValue':4}"),
            node("'@type':'Product','aggregateRating':{'@type':'AggregateRating','ratingValue':4,'reviewCount':7}"),
        ),
        (
            "structured.software_incomplete",
            node("'@type':'MobileApplication','name':'Lamp'"),
            node("'@type':'MobileApplication','name':'Lamp','offers':{'price':0},'aggregateRating':{'@id':'#a'}"),
        ),
        (
            "structured.article_sparse",
            node("'@type':'BlogPosting','headline':'Lamps'"),
            node("'@type':'BlogPosting','headline':'Lamps','image':'https://shop.example/a.jpg'"),
        ),
        (
            "structured.recipe_incomplete",
            node("'@type':'Recipe','name':'Cake'"),
            node("'@type':'Recipe','name':'Cake','image':['https://shop.example/a.jpg']"),
        ),
        (
            "structured.recipe_sparse",
            node("'@type':'Recipe','recipeIngredient':'Flour'"),
            node(
                "'@type':'Recipe','recipeIngredient':'Flour','recipeInstructions':'Bake.','totalTime':'PT1H','author':'Ada'",
            ),
        ),
        (
            "structured.video_incomplete",
            node("'@type':'VideoObject','name':'Lamp','thumbnailUrl':'https://shop.example/a.jpg'"),
            node(
                "'@type':'VideoObject','name':'Lamp','thumbnailUrl':'https://shop.example/a.jpg','uploadDate':'2026-01-01'",
            ),
        ),
        (
            "structured.video_sparse",
            node("'@type':'VideoObject','duration':'PT1M'"),
            node("'@type':'VideoObject','description':'A lamp','duration':'PT1M','embedUrl':'https://shop.example/v'"),
        ),
        (
            "structured.course_incomplete",
            node("'@type':'Course','name':'Lamps'"),
            node("'@type':'Course','name':'Lamps','description':'All of them'"),
        ),
        (
            "structured.dataset_incomplete",
            node("'@type':'Dataset','name':'Lamps'"),
            node("'@type':'Dataset','name':'Lamps','description':'All of them'"),
        ),
        (
            "structured.movie_incomplete",
            node("'@type':'Movie','name':'Lamps'"),
            node("'@type':'Movie','name':'Lamps','image':'https://shop.example/a.jpg'"),
        ),
        (
            "structured.faq_incomplete",
            node("'@type':'FAQPage','mainEntity':[{'@type':'Question','name':'Why?'}]"),
            node(
                "'@type':'FAQPage','mainEntity':[{'@type':'Question','name':'Why?','acceptedAnswer':{'@type':'Answer','text':'So.'}}]",
            ),
        ),
        (
            "structured.question_incomplete",
            node("'@type':'QAPage','mainEntity':{'@type':'Question','name':'Why?'}"),
            node(
                "'@type':'QAPage','mainEntity':{'@type':'Question','name':'Why?','suggestedAnswer':{'@type':'Answer','text':'So.'}}",
            ),
        ),
        (
            "structured.forum_incomplete",
            node("'@type':'DiscussionForumPosting','text':'So.'"),
            node(
                "'@type':'DiscussionForumPosting','text':'So.','datePublished':'2026-01-01','author':{'@type':'Person','name':'Ada'}",
            ),
        ),
        (
            "structured.profile_incomplete",
            node("'@type':'ProfilePage','mainEntity':{'@type':'Person'}"),
            node("'@type':'ProfilePage','mainEntity':{'@type':'Person','alternateName':'ada'}"),
        ),
        (
            "structured.business_incomplete",
            node("'@type':'Restaurant','name':'Lamp'"),
            node("'@type':'Restaurant','name':'Lamp','address':'1 Lamp Street'"),
        ),
        (
            "structured.business_sparse",
            node("'@type':'Store','name':'Lamp','address':'1 Lamp Street'"),
            node(
                "'@type':'Store','telephone':'1','openingHours':'Mo 9','geo':{'@type':'GeoCoordinates'},'url':'https://shop.example/'",
            ),
        ),
        (
            "structured.organization_sparse",
            node("'@type':'Organization','name':'Lamp shop'"),
            node(
                "'@type':'Organization','name':'Lamp shop','url':'https://shop.example/','logo':'https://shop.example/l.png','sameAs':'https://social.example/lamp'",
            ),
        ),
        (
            "structured.website_incomplete",
            node("'@type':'WebSite','url':'https://shop.example/'"),
            node("'@type':'WebSite','url':'https://shop.example/','name':'Lamp shop'"),
        ),
        (
            "structured.event_incomplete",
            node("'@type':'MusicEvent','name':'Lamps','startDate':'2027-01-01'"),
            node("'@type':'MusicEvent','name':'Lamps','startDate':'2027-01-01','location':'Here'"),
        ),
        (
            "structured.event_sparse",
            node("'@type':'Event','image':'https://shop.example/a.jpg'"),
            node(
                "'@type':'Event','image':'https://shop.example/a.jpg','description':'x','endDate':'2027-01-01','offers':{'@id':'#o'},'eventStatus':'EventScheduled'",
            ),
        ),
        (
            "structured.job_incomplete",
            node("'@type':'JobPosting','title':'Lamp maker'"),
            node(
                "'@type':'JobPosting','title':'Lamp maker','description':'x','datePosted':'2026-11-01','hiringOrganization':'Ada','jobLocation':'Here'",
            ),
        ),
        (
            "structured.job_sparse",
            node("'@type':'JobPosting','validThrough':'2027-01-01'"),
            node(
                "'@type':'JobPosting','validThrough':'2027-01-01','baseSalary':{'@type':'MonetaryAmount'},'employmentType':'FULL_TIME'",
            ),
        ),
    ]
}
