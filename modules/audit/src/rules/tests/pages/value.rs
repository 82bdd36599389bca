//! Cases of what structured data says wrongly.

use super::data::{node, script};
use crate::rules::tests::PageCase;
use crate::rules::tests::base::page;

pub(super) fn cases() -> Vec<PageCase> {
    vec![
        (
            "structured.date_invalid",
            node("'@type':'Event','startDate':'next Friday'"),
            node("'@type':'Event','startDate':'2027-01-01T19:00:00+01:00'"),
        ),
        (
            "structured.duration_invalid",
            node("'@type':'VideoObject','duration':'3 minutes'"),
            node("'@type':'VideoObject','duration':'P1DT2H3.5S'"),
        ),
        ("structured.price_invalid", node("'@type':'Offer','price':'49 Euro'"), node("'@type':'Offer','price':49.5")),
        (
            "structured.currency_invalid",
            node("'@type':'Offer','priceCurrency':'€'"),
            node("'@type':'Offer','priceCurrency':'EUR'"),
        ),
        (
            "structured.availability_invalid",
            node("'@type':'Offer','availability':'in stock'"),
            node("'@type':'Offer','availability':'http://schema.org/InStock'"),
        ),
        (
            "structured.rating_out_of_range",
            node("'@type':'AggregateRating','ratingValue':87"),
            node("'@type':'AggregateRating','ratingValue':87,'bestRating':100"),
        ),
        (
            "structured.rating_empty",
            node("'@type':'AggregateRating','ratingCount':0"),
            node("'@type':'AggregateRating','ratingCount':1"),
        ),
        (
            "structured.gtin_invalid",
            node("'@type':'Product','gtin13':'4006381333932'"),
            node("'@type':'Product','gtin13':'4006381333931'"),
        ),
        (
            "structured.url_relative",
            node("'@type':'Product','image':'/lamp.jpg'"),
            node("'@type':'Product','image':'https://shop.example/lamp.jpg'"),
        ),
        (
            "structured.placeholder",
            node("'@type':'Product','name':'{{ product.name }}'"),
            node("'@type':'Product','name':'Lamp null'"),
        ),
        (
            "structured.context_foreign",
            page().head(&script("{\"@context\":\"https://vocab.example\",\"@type\":\"Thing\"}")),
            page().head(&script("{\"@context\":\"http://www.schema.org/\",\"@type\":\"Thing\"}")),
        ),
        ("structured.type_misspelled", node("'@type':'Breadcrumblist'"), node("'@type':'CreativeWork'")),
        (
            "structured.twice_declared",
            node("'@type':'Product','name':'Lamp'").main("<p itemscope itemtype=\"https://schema.org/Product\">x</p>"),
            node("'@type':'Product','name':'Lamp'").main("<p itemscope itemtype=\"https://schema.org/Offer\">x</p>"),
        ),
        (
            "structured.self_review",
            node("'@type':'Organization','url':'https://shop.example/','aggregateRating':{'@type':'AggregateRating'}"),
            node("'@type':'Organization','url':'https://other.example/','aggregateRating':{'@type':'AggregateRating'}"),
        ),
        (
            "structured.offer_expired",
            node("'@type':'Offer','priceValidUntil':'2025-12-31'"),
            node("'@type':'Offer','priceValidUntil':'2026-12-31'"),
        ),
        (
            "structured.job_expired",
            node("'@type':'JobPosting','validThrough':'2026-11-01T00:00'"),
            node("'@type':'JobPosting','validThrough':'2026-11-22'"),
        ),
        (
            "structured.event_reversed",
            node("'@type':'Event','startDate':'2027-02-01','endDate':'2027-01-01'"),
            node("'@type':'Event','startDate':'2027-02-01','endDate':'2027-02-01'"),
        ),
        (
            "structured.breadcrumb_incomplete",
            node(
                "'@type':'BreadcrumbList','itemListElement':[{'@type':'ListItem','position':1,'name':'Lamps'},{'@type':'ListItem','position':2,'name':'Desk'}]",
            ),
            node(
                "'@type':'BreadcrumbList','itemListElement':[{'@type':'ListItem','position':1,'item':{'@id':'https://shop.example/','name':'Lamps'}},{'@type':'ListItem','position':2,'name':'Desk'}]",
            ),
        ),
        (
            "structured.breadcrumb_order",
            node(
                "'@type':'BreadcrumbList','itemListElement':[{'@type':'ListItem','position':2,'name':'Lamps'},{'@type':'ListItem','position':1,'name':'Desk'}]",
            ),
            node(
                "'@type':'BreadcrumbList','itemListElement':[{'@type':'ListItem','position':'1','name':'Lamps'},{'@type':'ListItem','position':'2','name':'Desk'}]",
            ),
        ),
        (
            "structured.list_incomplete",
            node("'@type':'ItemList','itemListElement':[{'@type':'ListItem','position':1}]"),
            node(
                "'@type':'ItemList','itemListElement':[{'@type':'ListItem','position':1,'url':'https://shop.example/lamps/desk'}]",
            ),
        ),
        (
            "structured.author_plain",
            node("'@type':'BlogPosting','author':'Ada Lovelace'"),
            node("'@type':'BlogPosting','author':{'@type':'Person','name':'Ada Lovelace'}"),
        ),
        (
            "structured.author_decorated",
            node("'@type':'BlogPosting','author':{'@type':'Person','name':'By Ada Lovelace'}"),
            node("'@type':'BlogPosting','author':{'@type':'Person','name':'Byron Ada'}"),
        ),
    ]
}
