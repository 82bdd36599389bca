//! Cases of directives, canonicals and words that say something else than was meant.

use crate::rules::tests::PageCase;
use crate::rules::tests::base::{CANONICAL, DESCRIPTION, HEADING, TEXT, TITLE, page};

const GERMAN: &str = "Diese Lampen werden von Hand gemacht und halten länger als ein Leben. Wer eine von ihnen kauft, bekommt \
jedes Teil auch einzeln, und wir zeigen in der Werkstatt, wie man das Kabel wechselt und den Schirm erneuert. TEXT";

pub(super) fn cases() -> Vec<PageCase> {
    vec![
        ("indexability.directive_unknown", page().head("<meta name=\"robots\" content=\"no-index\">"), page().head("<meta name=\"robots\" content=\"noarchive, max-snippet:20\">")),
        ("indexability.directive_value", page().head("<meta name=\"robots\" content=\"max-image-preview:big\">"), page().head("<meta name=\"robots\" content=\"max-snippet:-1, max-image-preview:large\">")),
        ("indexability.directive_retired", page().head("<meta name=\"robots\" content=\"noodp\">"), page().head("<meta name=\"robots\" content=\"noarchive\">")),
        ("indexability.expired", page().head("<meta name=\"robots\" content=\"unavailable_after: 2026-01-31\">"), page().head("<meta name=\"robots\" content=\"unavailable_after: 31 Jan 2027 15:00:00 GMT\">")),
        ("indexability.image_preview_forbidden", page().head("<meta name=\"robots\" content=\"max-image-preview:none\">"), page().head("<meta name=\"robots\" content=\"max-image-preview:standard\">")),
        ("indexability.images_forbidden", page().head("<meta name=\"robots\" content=\"noimageindex\">"), page().head("<meta name=\"robots\" content=\"nosnippet\">")),
        ("indexability.embed_alone", page().head("<meta name=\"robots\" content=\"indexifembedded\">"), page().head("<meta name=\"robots\" content=\"noindex, indexifembedded\">")),
        ("indexability.trial_open", page().at("https://staging.shop.example/lamps"), page().at("https://testlamps.example/lamps")),
        ("indexability.internal_search", page().at("https://shop.example/search?q=lamp"), page().at("https://shop.example/search")),
        ("indexability.service_page", page().at("https://shop.example/checkout/"), page().at("https://shop.example/checkout-lamps")),
        ("canonical.tracking", page().swap(CANONICAL, "<link rel=\"canonical\" href=\"https://shop.example/lamps?utm_source=mail\">"), page().swap(CANONICAL, "<link rel=\"canonical\" href=\"https://shop.example/lamps?colour=red\">")),
        ("canonical.paginated_to_first", page().at("https://shop.example/list?page=2").swap("rel=\"canonical\" href=\"https://shop.example/list?page=2\"", "rel=\"canonical\" href=\"https://shop.example/list\""), page().at("https://shop.example/list?page=2")),
        ("canonical.restricted", page().swap(CANONICAL, "<link rel=\"canonical\" media=\"screen\" href=\"https://shop.example/lamps\">"), page()),
        ("amp.canonical_missing", page().swap("<html", "<html amp").swap(CANONICAL, ""), page().swap("<html", "<html amp")),
        ("pagination.self", page().head("<link rel=\"next\" href=\"https://shop.example/lamps\">"), page().head("<link rel=\"next\" href=\"https://shop.example/lamps?page=2\">")),
        ("pagination.same", page().head("<link rel=\"next\" href=\"/lamps/2\"><link rel=\"prev\" href=\"/lamps/2\">"), page().head("<link rel=\"next\" href=\"/lamps/3\"><link rel=\"prev\" href=\"/lamps/1\">")),
        ("title.stuffed", page().swap(TITLE, "<title>Lamps, cheap lamps, brass lamps</title>"), page().swap(TITLE, "<title>Brass lamps and lamps of steel</title>")),
        ("title.empty_part", page().swap(TITLE, "<title>Brass lamps that last |</title>"), page().swap(TITLE, "<title>Brass lamps | Lamp shop</title>")),
        ("title.shouted", page().swap(TITLE, "<title>BRASS LAMPS THAT LAST</title>"), page().swap(TITLE, "<title>NASA lamps that last</title>")),
        ("title.escaped", page().swap(TITLE, "<title>Lamps &amp;amp; cords that last</title>"), page().swap(TITLE, "<title>Lamps &amp; cords that last</title>")),
        ("title.address", page().swap(TITLE, "<title>https://shop.example/lamps</title>"), page().swap(TITLE, "<title>shop.example: lamps that last</title>")),
        ("description.is_title", page().swap(DESCRIPTION, "<meta name=\"description\" content=\"Brass lamps that can be mended.\">"), page()),
        ("description.placeholder", page().swap(DESCRIPTION, "<meta name=\"description\" content=\"Just another WordPress site\">"), page().swap(DESCRIPTION, "<meta name=\"description\" content=\"A shop that is not just another lamp shop, with cords and shades for every lamp.\">")),
        ("description.misplaced", page().swap(DESCRIPTION, "").main(DESCRIPTION), page()),
        ("metadata.icon_missing", page().at("https://shop.example/"), page().at("https://shop.example/").head("<link rel=\"icon\" href=\"/icon.png\">")),
        ("heading.h1_late", page().swap(HEADING, &format!("<h2>Menu</h2>{HEADING}")), page().main("<h2>Cords</h2>")),
        ("heading.none_below", page().main(&"Another lamp of brass. ".repeat(160)), page().main(&format!("<h2>More lamps</h2>{}", "Another lamp of brass. ".repeat(160)))),
        ("heading.placeholder", page().main("<h2>Add Your Heading Text Here</h2>"), page().main("<h2>Headings on lamps</h2>")),
        ("heading.paragraph", page().main(&format!("<h2>{}</h2>", "Brass lamps ".repeat(13))), page().main(&format!("<h2>{}</h2>", "Brass lamps ".repeat(12)))),
        ("content.lang_mismatch", page().swap(TEXT, GERMAN), page().swap("lang=\"en\"", "lang=\"de\"").swap(TEXT, GERMAN)),
        ("content.lang_conflict", page().header("content-language", "fr"), page().header("content-language", "en-GB")),
        ("content.direction_missing", page().swap("lang=\"en\"", "lang=\"ar\""), page().swap("lang=\"en\"", "lang=\"ar\" dir=\"rtl\"")),
        ("content.broken_letters", page().main("<h2>LÃ¤mpchen</h2>"), page().main("<h2>Lämpchen à la mode</h2>")),
        ("content.template_leak", page().main("<h2>[object Object]</h2>"), page().main("<h2>The object</h2>")),
        ("content.error_leak", page().swap(HEADING, "<h1>Brass lamps</h1><p>Warning: Undefined variable $lamp in /srv/lamp.php</p>"), page().main("<p>How to read: Warning: Undefined variable</p>")),
        ("content.date_future", page().swap("2026-03-01", "2027-03-01"), page().swap("2026-03-01", "2026-11-23")),
        ("content.dates_reversed", page().swap("\"datePublished\":\"2026-03-01\"", "\"datePublished\":\"2026-03-01\",\"dateModified\":\"2025-03-01\""), page().swap("\"datePublished\":\"2026-03-01\"", "\"datePublished\":\"2026-03-01\",\"dateModified\":\"2026-03-01\"")),
        ("content.stale", page().swap("2026-03-01", "2021-03-01"), page().swap("2026-03-01", "2024-03-01")),
        ("content.frameset", page().swap("<body>", "<frameset cols=\"1,1\"><frame src=\"/a\"></frameset><body>"), page()),
        ("content.plugin", page().main("<object data=\"/lamp.swf\"></object>"), page().main("<object data=\"/lamp.svg\"></object>")),
        ("content.obsolete_elements", page().main("<center>Lamps</center>"), page().main("<div>Lamps</div>")),
        ("content.reload", page().head("<meta http-equiv=\"refresh\" content=\"300\">"), page().head("<meta http-equiv=\"refresh\" content=\"300; url=/new\">")),
    ]
}
