//! Cases of what stands in the body: headings, text, links, pictures.

use crate::rules::tests::PageCase;
use crate::rules::tests::base::{HEADING, LINK, PICTURE, TEXT, page};

pub(super) fn cases() -> Vec<PageCase> {
    let link = |html: &str| page().swap(LINK, html);
    let picture = |html: &str| page().swap(PICTURE, html);
    vec![
        ("heading.h1_missing", page().swap(HEADING, "<h2>Brass lamps</h2>"), page()),
        ("heading.h1_multiple", page().main("<h1>And another</h1>"), page().main("<h2>And another</h2>")),
        (
            "heading.h1_empty",
            page().swap(HEADING, "<h1><img src=\"/logo.svg\" alt=\"\" width=\"1\" height=\"1\"></h1>"),
            page().swap(HEADING, "<h1><img src=\"/logo.svg\" alt=\"Lamp shop\" width=\"1\" height=\"1\"></h1>"),
        ),
        (
            "heading.h1_too_long",
            page().swap(HEADING, &format!("<h1>{}</h1>", "Brass lamps ".repeat(13))),
            page().swap(HEADING, &format!("<h1>{}</h1>", "Brass lamps ".repeat(12))),
        ),
        ("heading.skipped", page().main("<h3>Cords</h3>"), page().main("<h2>Cords</h2><h3>Long</h3><h2>Bulbs</h2>")),
        ("heading.empty", page().main("<h2> </h2>"), page().main("<h2>Cords</h2>")),
        (
            "heading.repeated",
            page().main("<h2>Cords</h2><h3>Long</h3><h2>cords</h2>"),
            page().main("<h2>Cords</h2><h2>Bulbs</h2><h3> </h3><h3> </h3>"),
        ),
        ("content.thin", page().swap(TEXT, "Soon."), page()),
        ("content.placeholder", page().swap(TEXT, "Lorem ipsum dolor sit amet."), page()),
        (
            "content.empty_shell",
            page()
                .swap(LINK, "")
                .swap(HEADING, "")
                .swap(TEXT, "")
                .swap("<a href=\"/\">Lamp shop</a>", "")
                .main("<script src=\"/app.js\"></script>"),
            page().main("<script src=\"/app.js\"></script>"),
        ),
        ("content.lang_missing", page().swap(" lang=\"en\"", ""), page()),
        (
            "content.lang_invalid",
            page().swap(" lang=\"en\"", " lang=\"english_uk\""),
            page().swap(" lang=\"en\"", " lang=\"zh-Hant-TW\""),
        ),
        (
            "content.doctype_missing",
            page().swap("<!doctype html>", ""),
            page().swap("<!doctype html>", "<!DOCTYPE HTML>"),
        ),
        (
            "links.none",
            page()
                .swap(LINK, "<a href=\"https://other.example/\">A friend</a>")
                .swap("<a href=\"/\">Lamp shop</a>", ""),
            page().swap(LINK, ""),
        ),
        (
            "links.too_many",
            page().main(&"<a href=\"/a\">Lamp</a>".repeat(300)),
            page().main(&"<a href=\"/a\">Lamp</a>".repeat(290)),
        ),
        (
            "links.uncrawlable",
            link("<a href=\"javascript:go()\">Desk lamps</a>"),
            link("<a href=\"mailto:ada@shop.example\">Write to us</a>"),
        ),
        (
            "links.empty_anchor",
            link("<a href=\"/desk\"><i class=\"icon\"></i></a>"),
            link("<a href=\"/desk\" aria-label=\"Desk lamps\"><i class=\"icon\"></i></a>"),
        ),
        (
            "links.generic_anchor",
            link("<a href=\"/desk\">Read more…</a>"),
            link("<a href=\"/desk\">Read more about desk lamps</a>"),
        ),
        (
            "links.nofollow_internal",
            link("<a href=\"/desk\" rel=\"nofollow noopener\">Desk lamps</a>"),
            link("<a href=\"https://other.example/\" rel=\"nofollow\">A friend</a>"),
        ),
        (
            "links.insecure",
            link("<a href=\"http://shop.example/desk\">Desk lamps</a>"),
            link("<a href=\"http://other.example/\">A friend</a>"),
        ),
        (
            "links.local",
            link("<a href=\"http://localhost:3000/desk\">Desk lamps</a>"),
            link("<a href=\"https://localhost.example/\">A friend</a>"),
        ),
        (
            "image.alt_missing",
            picture("<img src=\"/lamp.jpg\" width=\"1\" height=\"1\">"),
            picture("<img src=\"/line.png\" alt=\"\" width=\"1\" height=\"1\">"),
        ),
        (
            "image.alt_too_long",
            picture(&format!("<img src=\"/lamp.jpg\" alt=\"{}\" width=\"1\" height=\"1\">", "brass lamp ".repeat(23))),
            picture(&format!("<img src=\"/lamp.jpg\" alt=\"{}\" width=\"1\" height=\"1\">", "brass lamp ".repeat(10))),
        ),
        (
            "image.alt_file_name",
            picture("<img src=\"/a.jpg\" alt=\"IMG_0042.jpg\" width=\"1\" height=\"1\">"),
            picture("<img src=\"/a.jpg\" alt=\"How to open a file.jpg\" width=\"1\" height=\"1\">"),
        ),
        (
            "image.linked_without_alt",
            link("<a href=\"/desk\"><img src=\"/desk.jpg\" alt=\"\" width=\"1\" height=\"1\"></a>"),
            link("<a href=\"/desk\"><img src=\"/desk.jpg\" alt=\"\" width=\"1\" height=\"1\"> Desk lamps</a>"),
        ),
        ("image.size_missing", picture("<img src=\"/lamp.jpg\" alt=\"A lamp\">"), page()),
        (
            "image.legacy_format",
            picture("<img src=\"/lamp.TIFF?v=2\" alt=\"A lamp\" width=\"1\" height=\"1\">"),
            picture("<img src=\"/lamp.webp\" alt=\"A lamp\" width=\"1\" height=\"1\">"),
        ),
        (
            "image.first_lazy",
            picture("<img src=\"/lamp.jpg\" alt=\"A lamp\" width=\"1\" height=\"1\" loading=\"lazy\">"),
            page().main("<img src=\"/low.jpg\" alt=\"A low lamp\" width=\"1\" height=\"1\" loading=\"lazy\">"),
        ),
        (
            "image.not_lazy",
            page().main(&"<img src=\"/low.jpg\" alt=\"A low lamp\" width=\"1\" height=\"1\">".repeat(4)),
            page()
                .main(&"<img src=\"/low.jpg\" alt=\"A low lamp\" width=\"1\" height=\"1\" loading=\"lazy\">".repeat(9)),
        ),
    ]
}
