//! Cases of answers, addresses, transport and weight.

use crate::rules::tests::PageCase;
use crate::rules::tests::base::{HEADING, TEXT, TITLE, page};

const ORIGIN: &str = "https://shop.example";

pub(super) fn cases() -> Vec<PageCase> {
    let at = |path: &str| page().at(&format!("{ORIGIN}{path}"));
    vec![
        ("response.no_answer", page().failing("timeout"), page().failing("robots")),
        ("response.server_error", page().status(503), page().status(404)),
        ("response.client_error", page().status(410), page().status(500)),
        (
            "response.soft_404",
            page().swap(TITLE, "<title>Page not found | Lamp shop</title>").swap(TEXT, "Sorry."),
            page().swap(HEADING, "<h1>404 lamps for your home</h1><p>TEXT</p>"),
        ),
        ("response.slow", page().first_byte(801), page().first_byte(800)),
        (
            "response.content_type_missing",
            page().header("content-type", ""),
            page().header("content-type", "text/html"),
        ),
        (
            "response.charset_undeclared",
            page().header("content-type", "text/html").swap("<meta charset=\"utf-8\">", ""),
            page().header("content-type", "text/html"),
        ),
        (
            "response.charset_damaged",
            page().header("content-type", "text/html; charset=shift_jis").swap(TEXT, "TEXT \u{a0}\u{ff}\u{fd}"),
            page().swap(TEXT, "TEXT ünïcödé"),
        ),
        (
            "redirect.temporary",
            page().status(302).header("location", "/new"),
            page().status(301).header("location", "/new"),
        ),
        ("redirect.hops", page().through(&[(301, "/a"), (301, "/lamps")]), page().through(&[(301, "/lamps")])),
        ("url.too_long", at(&format!("/{}", "lamp-".repeat(40))), at(&format!("/{}", "lamp-".repeat(30)))),
        ("url.uppercase", at("/Lamps"), at("/l%C3%A4mpchen")),
        ("url.underscore", at("/brass_lamps"), at("/brass-lamps?sort_by=price")),
        ("url.space", at("/brass%20lamps"), at("/brass-lamps")),
        ("url.double_slash", at("/shop//lamps"), at("/shop/lamps")),
        ("url.parameters", at("/lamps?a=1&b=2&c=3&d=4"), at("/lamps?a=1&b=2&c=3")),
        ("url.session", at("/lamps?PHPSESSID=0123456789"), at("/lamps?side=left")),
        ("url.repeated_segment", at("/lamps/desk/lamps/desk/lamps/desk"), at("/lamps/desk/lamps/floor")),
        ("url.non_ascii", at("/l%C3%A4mpchen"), at("/lamps%20desk")),
        ("security.insecure_page", page().at("http://shop.example/lamps"), page()),
        (
            "security.mixed_content",
            page().main("<img src=\"http://shop.example/old.jpg\" alt=\"An old lamp\" width=\"1\" height=\"1\">"),
            page().main("<a href=\"http://other.example/\">A friend of lamps</a>"),
        ),
        (
            "security.insecure_script",
            page().at("http://shop.example/lamps").main("<script src=\"http://cdn.example/lamp.js\"></script>"),
            page().at("http://shop.example/lamps").main("<script src=\"/lamp.js\"></script>"),
        ),
        (
            "security.insecure_form",
            page().main("<form action=\"http://shop.example/login\"><input type=\"password\"></form>"),
            page().main("<form action=\"/login\"><input type=\"password\"></form>"),
        ),
        (
            "security.insecure_form",
            page().main("<form action=\"/say\"><button formaction=\"http://shop.example/say\">Say</button></form>"),
            page().main("<form action=\"/say\"><button formaction=\"/say/now\">Say</button></form>"),
        ),
        (
            "security.insecure_form",
            page().at("http://shop.example/lamps").main("<form action=\"http://news.example/add\"><input></form>"),
            page().at("http://shop.example/lamps").main("<form action=\"/search\"><input></form>"),
        ),
        (
            "security.hsts_missing",
            page().header("strict-transport-security", "max-age=300"),
            page().header("strict-transport-security", "includeSubDomains; MAX-AGE=\"31536000\""),
        ),
        (
            "security.nosniff_missing",
            page().header("x-content-type-options", ""),
            page().header("x-content-type-options", "NoSniff"),
        ),
        (
            "security.csp_missing",
            page().header("content-security-policy", ""),
            page().header("content-security-policy", "default-src 'self'"),
        ),
        (
            "security.framing_open",
            page().header("content-security-policy", "default-src 'self'"),
            page().header("content-security-policy", "").header("x-frame-options", "DENY"),
        ),
        (
            "security.referrer_open",
            page().header("referrer-policy", "no-referrer, unsafe-url"),
            page().header("referrer-policy", "unsafe-url, same-origin"),
        ),
        (
            "performance.html_large",
            page().main(&format!("<!--{}-->", "x".repeat(2_000_000))),
            page().main(&format!("<!--{}-->", "x".repeat(1_000_000))),
        ),
        ("performance.elements_many", page().main(&"<i>a</i>".repeat(1_400)), page().main(&"<i>a</i>".repeat(1_300))),
        (
            "performance.blocking",
            page().head(&"<script src=\"/a.js\"></script>".repeat(11)),
            page().head(&"<script src=\"/a.js\" defer></script>".repeat(11)),
        ),
    ]
}
