//! The fingerprints of services that people build websites with.

use super::super::mark::Category::SiteBuilder;
use super::super::mark::{Mark, attribute, class, embed, generator, header, id, inline, link, mark, meta, script};

pub(super) const MARKS: &[Mark] = &[
    mark(
        "Tilda",
        SiteBuilder,
        &[id("allrecords", 40), class("t-records", 75), script("tildacdn.", 90), link("tildacdn.", 90)],
    ),
    mark(
        "Wix",
        SiteBuilder,
        &[
            generator("Wix.com"),
            header("x-wix-request-id", "", 98),
            script("static.parastorage.com", 90),
            embed("static.wixstatic.com/media", 70),
        ],
    ),
    mark(
        "Squarespace",
        SiteBuilder,
        &[
            generator("Squarespace"),
            header("server", "squarespace", 98),
            script("static1.squarespace.com", 85),
            link("static1.squarespace.com", 80),
            inline("Static.SQUARESPACE_CONTEXT", 98),
        ],
    ),
    mark(
        "Webflow",
        SiteBuilder,
        &[
            generator("Webflow"),
            attribute("data-wf-site", 97),
            attribute("data-wf-page", 95),
            link("website-files.com", 70),
        ],
    ),
    mark(
        "Weebly",
        SiteBuilder,
        &[
            generator("Weebly"),
            link("cdn2.editmysite.com", 85),
            script("cdn2.editmysite.com", 85),
            id("wsite-content", 85),
        ],
    ),
    mark(
        "Jimdo",
        SiteBuilder,
        &[generator("Jimdo"), link("assets.jimstatic.com", 90), script("assets.jimstatic.com", 90)],
    ),
    mark(
        "Framer",
        SiteBuilder,
        &[generator("Framer"), attribute("data-framer-name", 90), script("framerusercontent.com", 85)],
    ),
    mark("Duda", SiteBuilder, &[script("irp.cdn-website.com", 75), link("irp.cdn-website.com", 80), id("dmRoot", 85)]),
    mark(
        "GoDaddy Website Builder",
        SiteBuilder,
        &[generator("Starfield Technologies; Go Daddy Website Builder"), embed("img1.wsimg.com/isteam", 80)],
    ),
    mark("IONOS MyWebsite", SiteBuilder, &[meta("generator", "IONOS", 98), script("mywebsite-editor.com", 80)]),
    mark("Carrd", SiteBuilder, &[meta("generator", "Carrd", 95), class("site-wrapper-carrd", 60)]),
    mark(
        "Blogger",
        SiteBuilder,
        &[generator("blogger"), link("www.blogger.com/feeds", 90), script("www.blogger.com/static", 85)],
    ),
    mark("Tumblr", SiteBuilder, &[header("x-tumblr-user", "", 98), script("assets.tumblr.com", 75)]),
    mark(
        "Substack",
        SiteBuilder,
        &[header("x-served-by", "substack", 90), script("substackcdn.com", 85), link("substackcdn.com", 80)],
    ),
    mark(
        "Medium",
        SiteBuilder,
        &[meta("al:android:package", "com.medium.reader", 90), script("cdn-client.medium.com", 85)],
    ),
];
