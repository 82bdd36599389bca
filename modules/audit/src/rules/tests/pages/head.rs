//! Cases of what stands in the head: directives, canonicals, titles, languages, data, cards, viewports.

use crate::rules::tests::PageCase;
use crate::rules::tests::base::{CANONICAL, CARD, DATA, DESCRIPTION, HEADING, TITLE, VERSIONS, VIEWPORT, page};

pub(super) fn cases() -> Vec<PageCase> {
    let robots = |content: &str| page().head(&format!("<meta name=\"robots\" content=\"{content}\">"));
    let canonical = |href: &str| page().swap(CANONICAL, &format!("<link rel=\"canonical\" href=\"{href}\">"));
    let title = |text: &str| page().swap(TITLE, &format!("<title>{text}</title>"));
    let described = |text: &str| page().swap(DESCRIPTION, &format!("<meta name=\"description\" content=\"{text}\">"));
    let version =
        |code: &str, href: &str| page().head(&format!("<link rel=\"alternate\" hreflang=\"{code}\" href=\"{href}\">"));
    let viewport = |content: &str| page().swap(VIEWPORT, &format!("<meta name=\"viewport\" content=\"{content}\">"));
    let early = |element: &str| page().swap("<head>", "<head><div>Cookies?</div>").swap(element, element);
    vec![
        ("indexability.noindex", page().header("x-robots-tag", "noindex"), robots("max-image-preview:large")),
        ("indexability.blocked", page().failing("robots"), page().failing("timeout")),
        ("indexability.conflict", robots("index").header("x-robots-tag", "noindex"), robots("noindex, nofollow")),
        ("indexability.nofollow", robots("nofollow"), robots("follow")),
        (
            "indexability.meta_refresh",
            page().head("<meta http-equiv=\"refresh\" content=\"0; url=/new\">"),
            page().head("<meta http-equiv=\"refresh\" content=\"300\">"),
        ),
        (
            "indexability.robots_misplaced",
            page().main("<meta name=\"robots\" content=\"nofollow\">"),
            robots("nofollow"),
        ),
        ("indexability.head_cut", early(CANONICAL), page().swap("<body>", "<body><div>Cookies?</div>")),
        (
            "indexability.noindex_canonical",
            canonical("https://shop.example/other").head("<meta name=\"robots\" content=\"noindex\">"),
            robots("noindex"),
        ),
        ("canonical.missing", page().swap(CANONICAL, ""), page()),
        (
            "canonical.multiple",
            page().head("<link rel=\"canonical\" href=\"https://shop.example/other\">"),
            page().head(CANONICAL),
        ),
        (
            "canonical.header_conflict",
            page().header("link", "<https://shop.example/other>; rel=\"canonical\""),
            page().header("link", "<https://shop.example/lamps>; rel=\"canonical\""),
        ),
        ("canonical.relative", canonical("/lamps"), page()),
        ("canonical.misplaced", page().swap(CANONICAL, "").main(CANONICAL), page()),
        ("canonical.invalid", canonical("https://"), page()),
        ("canonical.fragment", canonical("https://shop.example/lamps#desk"), page()),
        ("canonical.insecure", canonical("http://shop.example/lamps"), page().at("http://shop.example/lamps")),
        ("canonical.other_host", canonical("https://old.example/lamps"), canonical("https://www.shop.example/lamps")),
        ("title.missing", page().swap(TITLE, "<title> </title>"), page().main("<svg><title>A lamp</title></svg>")),
        (
            "title.multiple",
            page().head("<title>Another title</title>"),
            page().main("<svg><title>A lamp</title></svg>"),
        ),
        ("title.too_long", title(&"Wide lamps ".repeat(7)), title(&"illi ".repeat(17))),
        ("title.too_short", title("Lamps"), title("真鍮のランプ")),
        ("title.placeholder", title("Untitled Document"), title("Home lamps for reading")),
        (
            "title.h1_mismatch",
            page().swap(HEADING, "<h1>About our workshop</h1>"),
            page().swap(HEADING, "<h1>The lamp workshop</h1>"),
        ),
        ("title.misplaced", early(TITLE), page()),
        ("description.missing", page().swap(DESCRIPTION, ""), page()),
        (
            "description.multiple",
            page().head("<meta name=\"description\" content=\"Another description.\">"),
            page().head("<meta property=\"og:description\" content=\"Another description.\">"),
        ),
        (
            "description.too_long",
            described(&"A lamp of brass that lasts. ".repeat(7)),
            described(&"A lamp of brass. ".repeat(5)),
        ),
        ("description.too_short", described("Lamps of brass."), described(&"真鍮のランプと電球".repeat(3))),
        (
            "hreflang.invalid_code",
            version("en-UK", "https://shop.example/uk"),
            version("zh-Hant-TW", "https://shop.example/tw"),
        ),
        (
            "hreflang.no_self",
            page().swap(VERSIONS, "<link rel=\"alternate\" hreflang=\"de\" href=\"https://shop.example/de\">"),
            page().swap(VERSIONS, ""),
        ),
        (
            "hreflang.no_default",
            page().swap("hreflang=\"x-default\"", "hreflang=\"fr\""),
            page().swap(VERSIONS, "<link rel=\"alternate\" hreflang=\"en\" href=\"https://shop.example/lamps\">"),
        ),
        ("hreflang.relative", version("fr", "/fr/lampes"), version("fr", "https://shop.example/fr/lampes")),
        (
            "hreflang.ambiguous",
            version("DE", "https://shop.example/at/lampen"),
            version("de-AT", "https://shop.example/at/lampen"),
        ),
        ("hreflang.misplaced", page().swap(VERSIONS, "").main(VERSIONS), page()),
        (
            "hreflang.canonical_conflict",
            canonical("https://shop.example/other"),
            canonical("https://shop.example/other").swap(VERSIONS, ""),
        ),
        (
            "structured.unreadable",
            page().head("<script type=\"application/ld+json\">{\"@type\": \"Product\",}</script>"),
            page().head("<script type=\"application/json\">{broken}</script>"),
        ),
        (
            "structured.untyped",
            page().swap(
                DATA,
                "<script type=\"application/ld+json\">{\"@context\":\"https://schema.org\",\"name\":\"x\"}</script>",
            ),
            page(),
        ),
        ("structured.none", page().swap(DATA, ""), page()),
        ("structured.retired", page().swap("\"@type\":\"Article\"", "\"@type\":\"HowTo\""), page()),
        (
            "structured.breadcrumb_missing",
            page().at("https://shop.example/lamps/desk").swap("\"BreadcrumbList\"", "\"WebPage\""),
            page().swap("\"BreadcrumbList\"", "\"WebPage\""),
        ),
        ("social.no_card", page().swap(CARD, ""), page()),
        (
            "social.incomplete",
            page().swap("<meta property=\"og:type\" content=\"article\">", ""),
            page().swap(CARD, ""),
        ),
        (
            "social.image_relative",
            page().swap("content=\"https://shop.example/lamp.jpg\"", "content=\"/lamp.jpg\""),
            page(),
        ),
        (
            "social.url_differs",
            page()
                .swap("og:url\" content=\"https://shop.example/lamps\"", "og:url\" content=\"https://shop.example/\""),
            page().swap(
                "og:url\" content=\"https://shop.example/lamps\"",
                "og:url\" content=\"https://shop.example/lamps/\"",
            ),
        ),
        ("mobile.viewport_missing", page().swap(VIEWPORT, ""), page()),
        ("mobile.viewport_fixed", viewport("width=1024"), viewport("width=device-width")),
        (
            "mobile.zoom_forbidden",
            viewport("width=device-width, user-scalable=no"),
            viewport("width=device-width, maximum-scale=5"),
        ),
        ("ai.snippet_forbidden", robots("max-snippet:0"), robots("max-snippet:160")),
        ("ai.author_missing", page().swap(",\"author\":{\"@type\":\"Person\",\"name\":\"Ada Lovelace\"}", ""), page()),
        (
            "ai.date_missing",
            page().swap(",\"datePublished\":\"2026-03-01\"", ""),
            page().swap(",\"datePublished\":\"2026-03-01\"", ",\"dateModified\":\"2026-03-01\""),
        ),
    ]
}
