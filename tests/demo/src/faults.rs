//! The planted faults: the truth that tests go by.

use serde::Serialize;

/// What is wrong at one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// Where, from the root on.
    pub path: &'static str,
    /// A short name; more than one address may have the same fault.
    pub id: &'static str,
    /// What is wrong, in words.
    pub words: &'static str,
    /// The operation that should find it.
    pub check: &'static str,
    /// How it can be seen without any of the product's code.
    #[serde(skip)]
    pub evidence: Evidence,
}

/// What an answer shows when a fault is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The body has this.
    Has(&'static str),
    /// The body lacks this.
    Lacks(&'static str),
    /// The body has this more than once.
    Twice(&'static str),
    /// Another address's body has this.
    At(&'static str, &'static str),
    /// Another address's body lacks this.
    NotAt(&'static str, &'static str),
    /// The status.
    Status(u16),
    /// A header with a value that has this.
    Header(&'static str, &'static str),
    /// A header is not there.
    NoHeader(&'static str),
    /// The body has more bytes than this.
    Bytes(usize),
    /// The main part has fewer bytes than this.
    Short(usize),
    /// The main part is that of another address.
    SameMain(&'static str),
}

const fn fault(
    path: &'static str,
    id: &'static str,
    check: &'static str,
    words: &'static str,
    evidence: Evidence,
) -> Fault {
    Fault { path, id, words, check, evidence }
}

use Evidence::{At, Bytes, Has, Header, Lacks, NoHeader, NotAt, SameMain, Short, Status, Twice};

/// What is wrong with the shop.
// A table stays a table: one fault, one line.
#[rustfmt::skip]
pub const FAULTS: &[Fault] = &[
    // Titles, descriptions, headings.
    fault("/about", "title_missing", "audit.metadata.report", "title is missing", Lacks("<title>")),
    fault("/contact", "description_missing", "audit.metadata.report", "meta description is missing", Lacks("name=\"description\"")),
    fault("/sale", "title_duplicate", "audit.metadata.report", "two pages share one title", At("/products", "<title>All lamps | Lamp shop</title>")),
    fault("/shop/desk-lamp-2", "title_too_long", "audit.metadata.report", "title is cut off in results", Has("at home in ten minutes | Lamp shop</title>")),
    fault("/shop/desk-lamp-3", "title_too_short", "audit.metadata.report", "title says nothing", Has("<title>L | Lamp shop</title>")),
    fault("/shop/desk-lamp-4", "title_multiple", "audit.metadata.report", "two titles", Twice("<title>")),
    fault("/shop/desk-lamp-5", "description_too_long", "audit.metadata.report", "meta description of 500 characters", Has("long story. This desk lamp has a long story. This desk lamp")),
    fault("/shop/desk-lamp-6", "description_duplicate", "audit.metadata.report", "two pages share one description", At("/shop/desk-lamp-7", "content=\"A desk lamp of ours.\"")),
    fault("/shop/desk-lamp-8", "description_empty", "audit.metadata.report", "meta description is empty", Has("name=\"description\" content=\"\"")),
    fault("/products/lamp-9", "h1_multiple", "audit.heading.report", "two first-level headings", Twice("<h1>")),
    fault("/shop/floor-lamp-2", "h1_missing", "audit.heading.report", "no first-level heading", Lacks("<h1>")),
    fault("/shop/floor-lamp-3", "heading_level_skipped", "audit.heading.report", "from the first to the fourth level", Has("<h4>Details</h4>")),
    // Canonicals.
    fault("/products/lamp-3", "canonical_broken", "audit.canonical.report", "canonical points to a page that is gone", Has("rel=\"canonical\" href=\"http://shop.example/products/lamp-3-gone\"")),
    fault("/shop/floor-lamp-4", "canonical_multiple", "audit.canonical.report", "two canonicals", Twice("rel=\"canonical\"")),
    fault("/shop/floor-lamp-5", "canonical_relative", "audit.canonical.report", "canonical without a host", Has("rel=\"canonical\" href=\"/shop")),
    fault("/shop/floor-lamp-6", "canonical_conflict", "audit.canonical.report", "header and page name different canonicals", Header("link", "floor-lamp-1>; rel=\"canonical\"")),
    fault("/shop/floor-lamp-7", "canonical_chain", "audit.canonical.report", "canonical of a canonical", At("/shop/floor-lamp-8", "rel=\"canonical\" href=\"http://shop.example/shop/floor-lamp-9\"")),
    fault("/shop/floor-lamp-10", "canonical_outside_head", "audit.canonical.report", "canonical in the body", Has("<link rel=\"canonical\" href=\"http://shop.example/shop/floor-lamp-10\"></main>")),
    fault("/categories/floor-lamp/page/2", "pagination_canonical_to_first", "audit.canonical.report", "page two says it is page one", Has("rel=\"canonical\" href=\"http://shop.example/categories/floor-lamp\"")),
    // Languages.
    fault("/shop/table-lamp-1", "hreflang_no_return", "indexing.hreflang.validate", "the German page does not point back", NotAt("/de/shop/tischlampe-1", "hreflang=\"en\"")),
    fault("/shop/table-lamp-2", "hreflang_invalid", "indexing.hreflang.validate", "en-UK is no region", Has("hreflang=\"en-UK\"")),
    fault("/shop/table-lamp-3", "hreflang_broken", "indexing.hreflang.validate", "the French page does not exist", Has("hreflang=\"fr\" href=\"http://shop.example/fr/shop/lampe-3\"")),
    fault("/shop/table-lamp-4", "hreflang_no_self", "indexing.hreflang.validate", "the set leaves the page itself out", Lacks("hreflang=\"en\"")),
    fault("/de/shop/tischlampe-5", "language_mismatch", "onpage.language.detect", "German text that says it is English", Has("<html lang=\"en\">")),
    // Redirects and errors.
    fault("/old-catalog", "redirect_chain", "crawl.redirect.list", "a chain of three redirects", Header("location", "/older-catalog")),
    fault("/loop-a", "redirect_loop", "crawl.redirect.list", "a circle of redirects", Header("location", "/loop-b")),
    fault("/summer-sale", "redirect_temporary", "crawl.redirect.list", "moved for good with a temporary redirect", Status(302)),
    fault("/catalog.pdf", "redirect_to_missing", "crawl.redirect.list", "a redirect to a page that is not there", Header("location", "/missing-catalog")),
    fault("/blog/old-news", "redirect_meta_refresh", "crawl.redirect.list", "a redirect inside the page", Has("http-equiv=\"refresh\"")),
    fault("/error", "status_500", "crawl.page.list", "a page answers 500", Status(500)),
    // Links.
    fault("/missing", "link_broken", "links.broken.list", "an internal link leads to a page that is not there", Status(404)),
    fault("/help/returns", "link_to_redirect", "links.leak.report", "an internal link takes a detour", Has("href=\"/old-shipping\"")),
    fault("/blog/brass-learned", "anchor_empty", "links.anchor.report", "a link without words", Has("<a href=\"/guides/bulbs\"></a>")),
    fault("/blog/brass-history", "anchor_generic", "links.anchor.report", "a link that says click here", Has(">click here</a>")),
    fault("/blog/brass-questions", "link_nofollow_internal", "links.leak.report", "an internal link that is not to be followed", Has("rel=\"nofollow\" href=\"/guides/reading\"")),
    fault("/blog/shades-learned", "link_uncrawlable", "onpage.link.check", "a link that only a script can follow", Has("href=\"javascript:void(0)\"")),
    fault("/blog/cords-rules", "fragment_broken", "onpage.link.check", "a link to a place that the page does not have", NotAt("/guides/mending", "id=\"step-nine\"")),
    fault("/orphan", "orphan", "links.orphan.list", "in the sitemap, linked from nowhere", At("/sitemap-pages.xml", "http://shop.example/orphan")),
    fault("/deep/6", "depth", "links.depth.report", "seven clicks from the start", At("/deep/5", "href=\"/deep/6\"")),
    // Pictures.
    fault("/products/lamp-7", "alt_missing", "audit.image.report", "images have no alternative text", Has("<img src=\"/assets/lamp-7-side.png\">")),
    fault("/shop/wall-lamp-1", "image_broken", "audit.image.report", "an image that is not there", Has("src=\"/images/lost.png\"")),
    fault("/shop/wall-lamp-2", "image_dimensions_missing", "audit.image.report", "an image without width and height", Lacks("width=\"640\"")),
    fault("/assets/heavy.png", "image_oversized", "audit.image.report", "an image of more than a megabyte", Bytes(1_000_000)),
    // Structured data.
    fault("/shop/wall-lamp-4", "json_ld_syntax", "schema.page.validate", "JSON-LD with a comma too many", Has("\"Wall lamp 4\",}")),
    fault("/shop/wall-lamp-5", "json_ld_required_missing", "schema.page.validate", "a product without a name", Lacks("\"@type\":\"Product\",\"name\"")),
    fault("/shop/wall-lamp-6", "json_ld_price_mismatch", "schema.page.validate", "the markup's price is not the page's", Has("\"price\":\"9999.00\"")),
    fault("/shop/wall-lamp-7", "json_ld_unknown_type", "schema.page.validate", "a type that schema.org does not know", Has("\"@type\":\"Lampe\"")),
    fault("/shop/wall-lamp-8", "json_ld_invalid_value", "schema.page.validate", "a price with words in it", Has("\"price\":\"49 Euro\"")),
    fault("/locations/leeds", "json_ld_dangling_id", "schema.entity_graph.build", "a parent organisation that nobody describes", Has("/#nobody")),
    // What keeps pages out of an index.
    fault("/products/lamp-5", "noindex_in_sitemap", "indexing.sitemap.audit", "noindex although it is in the sitemap", Has("name=\"robots\" content=\"noindex\"")),
    fault("/shop/pendant-lamp-1", "noindex_header", "audit.indexability.report", "noindex in a header, where nobody looks", Header("x-robots-tag", "noindex")),
    fault("/shop/pendant-lamp-2", "noindex_with_canonical", "audit.indexability.report", "noindex and a canonical to another page", Has("content=\"noindex\"><link rel=\"canonical\" href=\"http://shop.example/shop/pendant-lamp-3\"")),
    fault("/shop/pendant-lamp-3", "page_nofollow", "audit.indexability.report", "no link of the page is followed", Has("content=\"nofollow\"")),
    fault("/private/stock", "robots_disallowed", "audit.indexability.report", "disallowed by robots.txt", At("/robots.txt", "Disallow: /private/")),
    fault("/robots.txt", "robots_unsupported_field", "indexing.robots.lint", "Noindex is no field of robots.txt", Has("Noindex: /help/old-terms")),
    fault("/sitemap-old.xml", "sitemap_missing", "indexing.sitemap.discover", "robots.txt names a sitemap that is not there", Status(404)),
    fault("/sitemap-pages.xml", "sitemap_redirect", "indexing.sitemap.audit", "a redirect in the sitemap", Has("http://shop.example/old-catalog")),
    fault("/sitemap-pages.xml", "sitemap_not_found", "indexing.sitemap.audit", "a missing page in the sitemap", Has("http://shop.example/retired-lamp")),
    fault("/sitemap-pages.xml", "sitemap_foreign_host", "indexing.sitemap.validate", "another host's page in the sitemap", Has("http://lights.example/")),
    fault("/sitemap-blog.xml", "sitemap_lastmod_future", "indexing.sitemap.validate", "changed in the year 2031", Has("<lastmod>2031-01-01</lastmod>")),
    // Content.
    fault("/products/lamp-13", "thin", "audit.thin_content.report", "hardly any text", Short(60)),
    fault("/help/draft", "placeholder_text", "audit.thin_content.report", "lorem ipsum went live", Has("Lorem ipsum dolor")),
    fault("/help/discontinued", "soft_404", "audit.thin_content.report", "says not found and answers 200", Has("could not be found")),
    fault("/categories/clip-lamp/page/9", "pagination_beyond", "audit.thin_content.report", "a page of a list that has no items, answering 200", Has("nothing on this page")),
    fault("/shop/pendant-lamp-4", "duplicate_exact", "audit.duplicate.report", "one text under two addresses", SameMain("/shop/pendant-lamp-5")),
    fault("/shop/pendant-lamp-6", "duplicate_near", "audit.duplicate.report", "two texts that differ in a sentence", At("/shop/pendant-lamp-7", "So much for nearly the same lamp, part 4.")),
    fault("/categories/table-lamp?sort=price", "parameter_duplicate", "crawl.trap.detect", "the same list, sorted, calls itself the original", Has("rel=\"canonical\" href=\"http://shop.example/categories/table-lamp?sort=price\"")),
    fault("/categories/table-lamp?sort=name&session=8f3a", "parameter_session", "crawl.trap.detect", "a session in the address", At("/categories/table-lamp", "session=8f3a")),
    fault("/calendar/2026-01", "trap_calendar", "crawl.trap.detect", "empty months that lead to empty months", Has("href=\"/calendar/2026-02\"")),
    fault("/blog/anonymous", "author_missing", "onpage.eeat.check", "an article without an author or a date", Lacks("rel=\"author\"")),
    fault("/blog/shades-history", "social_tags_missing", "onpage.social.preview", "no Open Graph tags", Lacks("og:image")),
    fault("/app", "render_risk", "onpage.render_risk.check", "nothing to read without a script", Has("<div id=\"root\"></div>")),
    fault("/blog/shades-rules", "markup_meta_in_body", "onpage.markup.validate", "a robots tag in the body, and one id twice", Twice("id=\"same\"")),
    // Addresses.
    fault("/Shop/Clip-Lamp-1", "url_uppercase", "audit.url_hygiene.report", "capitals in the address", Status(200)),
    fault("/shop//clip-lamp-2", "url_double_slash", "audit.url_hygiene.report", "two slashes in a row", Status(200)),
    fault("/help/how_to_order", "url_underscore", "audit.url_hygiene.report", "underscores in the address", Status(200)),
    fault("/help/everything-that-anybody-ever-wanted-to-know-about-ordering-a-lamp-from-us-and-never-dared-to-ask-at-the-counter-on-a-busy-saturday", "url_too_long", "audit.url_hygiene.report", "an address of 130 characters", Status(200)),
    // Safety and speed.
    fault("/products/lamp-11", "mixed_content", "audit.security.report", "a script is loaded over http", Has("src=\"http://cdn.example/lamp.js\"")),
    fault("/help/newsletter", "form_insecure", "audit.security.report", "a form that sends over http to another host", Has("action=\"http://forms.example/newsletter\"")),
    fault("/help/terms", "nosniff_missing", "audit.security.report", "no X-Content-Type-Options", NoHeader("x-content-type-options")),
    fault("/assets/app.js", "cache_missing", "crawl.resource.list", "a script without Cache-Control", NoHeader("cache-control")),
    fault("/help/privacy", "charset_missing", "onpage.markup.validate", "no character encoding, in the header or the page", Lacks("charset")),
];
