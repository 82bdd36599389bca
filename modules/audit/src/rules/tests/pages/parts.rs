//! Cases of links, pictures, names, and what a page loads.

use crate::rules::tests::PageCase;
use crate::rules::tests::base::{LINK, PICTURE, TEXT, VIEWPORT, page};

fn scripts(count: usize) -> String {
    (0..count).map(|at| format!("<script src=\"/{at}.js\"></script>")).collect()
}

fn styles(count: usize) -> String {
    (0..count).map(|at| format!("<link rel=\"stylesheet\" href=\"/{at}.css\">")).collect()
}

fn hosts(count: usize) -> String {
    (0..count).map(|at| format!("<script src=\"https://cdn{at}.example/a.js\"></script>")).collect()
}

pub(super) fn cases() -> Vec<PageCase> {
    vec![
        ("links.malformed", page().swap(LINK, "<a href=\"www.shop.example/desk\">Desk lamps</a>"), page().swap(LINK, "<a href=\"/www/desk\">Desk lamps</a>")),
        ("links.hash_route", page().swap(LINK, "<a href=\"/#/desk\">Desk lamps</a>"), page().swap(LINK, "<a href=\"/desk#top\">Desk lamps</a>")),
        ("links.to_trial", page().swap(LINK, "<a href=\"https://staging.shop.example/desk\">Desk lamps</a>"), page().swap(LINK, "<a href=\"https://staging.other.example/\">A friend</a>")),
        ("links.anchor_is_address", page().swap(LINK, "<a href=\"/desk\">https://shop.example/desk</a>"), page().swap(LINK, "<a href=\"https://other.example/\">https://other.example/</a>")),
        ("links.one_text_two_targets", page().swap(LINK, "<a href=\"/desk\">Lamps</a> <a href=\"/floor\">Lamps</a>"), page().swap(LINK, "<a href=\"/desk\">Lamps</a> <a href=\"/desk\">Lamps</a> <a href=\"/a\">More</a> <a href=\"/b\">More</a>")),
        ("links.broken_fragment", page().swap(LINK, "<a href=\"#lost\">Cords</a>"), page().swap(LINK, "<a href=\"#cords\">Cords</a><h2 id=\"cords\">Cords</h2>")),
        ("links.tracked_inside", page().swap(LINK, "<a href=\"/desk?utm_source=home\">Desk lamps</a>"), page().swap(LINK, "<a href=\"https://other.example/?utm_source=shop\">A friend</a>")),
        ("image.alt_generic", page().swap(PICTURE, "<img src=\"/a.jpg\" alt=\"Image\" width=\"1\" height=\"1\">"), page().swap(PICTURE, "<img src=\"/a.jpg\" alt=\"Image of a brass lamp\" width=\"1\" height=\"1\">")),
        ("image.alt_repeated", page().main("<img src=\"/a.jpg\" alt=\"A lamp\" width=\"1\" height=\"1\"><img src=\"/b.jpg\" alt=\"A lamp\" width=\"1\" height=\"1\"><img src=\"/c.jpg\" alt=\"A lamp\" width=\"1\" height=\"1\">"), page().main("<img src=\"/a.jpg\" alt=\"A lamp\" width=\"1\" height=\"1\"><img src=\"/a.jpg\" alt=\"A lamp\" width=\"1\" height=\"1\"><img src=\"/a.jpg\" alt=\"A lamp\" width=\"1\" height=\"1\">")),
        ("image.alt_stuffed", page().swap(PICTURE, "<img src=\"/a.jpg\" alt=\"lamp, lamp shop, lamp sale, brass lamp, desk lamp, lamps\" width=\"1\" height=\"1\">"), page().swap(PICTURE, "<img src=\"/a.jpg\" alt=\"A lamp of brass, steel, wood, glass, paper, or horn on a desk\" width=\"1\" height=\"1\">")),
        ("image.file_name", page().swap(PICTURE, "<img src=\"/IMG_0042.jpg\" alt=\"A lamp\" width=\"1\" height=\"1\">"), page().swap(PICTURE, "<img src=\"/image-of-a-lamp.jpg\" alt=\"A lamp\" width=\"1\" height=\"1\">")),
        ("image.src_missing", page().swap(PICTURE, "<img data-src=\"/a.jpg\" alt=\"A lamp\" width=\"1\" height=\"1\">"), page().swap(PICTURE, "<img src=\"/a.jpg\" alt=\"A lamp\" width=\"1\" height=\"1\">")),
        ("image.not_responsive", page().swap(PICTURE, "<img src=\"/a.jpg\" alt=\"A lamp\" width=\"1600\" height=\"900\">"), page().swap(PICTURE, "<img src=\"/a.jpg\" srcset=\"/b.jpg 2x\" alt=\"A lamp\" width=\"1600\" height=\"900\">")),
        ("image.loading_invalid", page().swap(PICTURE, "<img src=\"/a.jpg\" alt=\"A lamp\" width=\"1\" height=\"1\" loading=\"auto\">"), page().swap(PICTURE, "<img src=\"/a.jpg\" alt=\"A lamp\" width=\"1\" height=\"1\" loading=\"eager\">")),
        ("accessibility.field_unlabelled", page().main("<input name=\"mail\">"), page().main("<label>Mail <input name=\"mail\"></label>")),
        ("accessibility.button_unnamed", page().main("<button><i></i></button>"), page().main("<button aria-label=\"Close\"><i></i></button>")),
        ("accessibility.frame_untitled", page().main("<iframe src=\"/map\" loading=\"lazy\"></iframe>"), page().main("<iframe src=\"/map\" title=\"Map\" loading=\"lazy\"></iframe>")),
        ("accessibility.video_uncaptioned", page().main("<video src=\"/a.mp4\"></video>"), page().main("<video src=\"/a.mp4\"><track kind=\"captions\" src=\"/a.vtt\"></video>")),
        ("accessibility.sound_by_itself", page().main("<audio src=\"/a.mp3\" autoplay></audio>"), page().main("<video src=\"/a.mp4\" autoplay muted></video>")),
        ("accessibility.tab_order", page().main("<p tabindex=\"2\">x</p>"), page().main("<p tabindex=\"0\">x</p>")),
        ("accessibility.main_missing", page().swap("<main>", "<div>").swap("</main>", "</div>"), page().swap("<main>", "<div role=\"main\">").swap("</main>", "</div>")),
        ("accessibility.id_repeated", page().main("<p id=\"a\">x</p><p id=\"a\">y</p>"), page().main("<p id=\"a\">x</p><p id=\"b\">y</p>")),
        ("performance.scripts_many", page().main(&scripts(41)), page().main(&scripts(40))),
        ("performance.styles_many", page().main(&styles(16)), page().main(&styles(15))),
        ("performance.hosts_many", page().main(&hosts(13)), page().main(&hosts(12))),
        ("performance.blocking_foreign", page().head("<script src=\"https://cdn.example/a.js\"></script>"), page().head("<script src=\"https://cdn.example/a.js\" async></script><script src=\"https://cdn.shop.example/b.js\"></script>")),
        ("performance.twice_loaded", page().main("<script src=\"/a.js\"></script><script src=\"/a.js\"></script>"), page().main("<script src=\"/a.js\"></script><script src=\"/b.js\"></script>")),
        ("performance.dead_service", page().main("<script src=\"https://www.google-analytics.com/analytics.js\"></script>"), page().main("<script src=\"https://www.googletagmanager.com/gtag/js?id=G-1\"></script>")),
        ("performance.preload_aimless", page().head("<link rel=\"preload\" href=\"/a.css\">"), page().head("<link rel=\"preload\" as=\"style\" href=\"/a.css\"><link rel=\"modulepreload\" href=\"/a.js\">")),
        ("performance.font_twice", page().head("<link rel=\"preload\" as=\"font\" href=\"/a.woff2\">"), page().head("<link rel=\"preload\" as=\"font\" crossorigin href=\"/a.woff2\">")),
        ("performance.frames_eager", page().main("<iframe title=\"a\" src=\"/a\"></iframe><iframe title=\"a\" src=\"/a\"></iframe>"), page().main("<iframe title=\"a\" src=\"/a\"></iframe><iframe title=\"b\" src=\"/b\" loading=\"lazy\"></iframe>")),
        ("performance.not_compressed", page().main(&format!("<!--{}-->", "x".repeat(15_000))), page().header("content-encoding", "gzip").main(&format!("<!--{}-->", "x".repeat(15_000)))),
        ("performance.no_store", page().header("cache-control", "private, no-store"), page().header("cache-control", "no-cache")),
        ("performance.no_validator", page().header("etag", ""), page().header("etag", "").header("last-modified", "Sun, 22 Nov 2026 10:00:00 GMT")),
        ("performance.vary_star", page().header("vary", "*"), page().header("vary", "Accept-Encoding")),
        ("performance.inline_scripts", page().head(&format!("<script>{}</script>", "x".repeat(150_001))), page().head(&format!("<script>{}</script>", "x".repeat(150_000)))),
        ("performance.inline_styles", page().head(&format!("<style>{}</style>", "x".repeat(75_001))), page().head(&format!("<style>{}</style>", "x".repeat(75_000)))),
        ("performance.style_imports", page().head("<style>@import \"a.css\";</style>"), page().head("<link rel=\"stylesheet\" href=\"/a.css\">")),
        ("performance.document_write", page().head("<script>document.write(\"x\")</script>"), page().head("<script>document.title = \"x\"</script>")),
        ("performance.nesting", page().main(&"<div>".repeat(40)), page().main(&"<div>".repeat(20))),
        ("mobile.viewport_scale", page().swap(VIEWPORT, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=0.5\">"), page().swap(VIEWPORT, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1.0\">")),
        ("mobile.viewport_unreadable", page().swap(VIEWPORT, "<meta name=\"viewport\" content=\"device-width\">"), page().swap(VIEWPORT, "<meta name=\"viewport\" content=\"width=device-width; initial-scale=1, viewport-fit=cover,\">")),
        ("ai.author_hidden", page().swap(TEXT, "Lamps of brass."), page().swap(TEXT, "Lamps of brass, by the hand of Ada Lovelace.")),
    ]
}
