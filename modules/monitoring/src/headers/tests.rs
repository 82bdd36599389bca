//! Headers: good ones have an a, each rule is told where it fails and not where it does not apply.

use sdk::Fake;
use sdk::serde_json::{Value, json};

use crate::trial::website;

fn checked(headers: &[(&str, &str)], body: &str) -> Value {
    let fake: Fake = website();
    fake.serve("https://shop.example/", 200, headers, body.as_bytes());
    fake.call("monitoring.headers.check", json!({ "url": "https://shop.example/" })).expect("an answer")
}

fn rules(told: &Value) -> Vec<&str> {
    let mut names: Vec<&str> =
        told["findings"].as_array().into_iter().flatten().filter_map(|it| it["rule"].as_str()).collect();
    names.sort_unstable();
    names
}

const GOOD: [(&str, &str); 12] = [
    ("content-type", "text/html; charset=utf-8"),
    ("content-encoding", "gzip"),
    ("vary", "Accept-Encoding"),
    ("cache-control", "max-age=600"),
    ("etag", "\"1\""),
    ("strict-transport-security", "max-age=31536000; includeSubDomains"),
    (
        "content-security-policy",
        "default-src 'self'; script-src 'self' 'nonce-abc'; frame-ancestors 'none'; object-src 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "strict-origin-when-cross-origin"),
    ("permissions-policy", "camera=()"),
    ("set-cookie", "sid=1; Secure; HttpOnly; SameSite=Lax"),
    ("x-robots-tag", "otherbot: noindex, nofollow"),
];

#[test]
fn what_is_recommended_has_an_a() {
    let told = checked(&GOOD, "<p>x");
    assert_eq!((&told["grade"], rules(&told)), (&json!("a"), Vec::<&str>::new()), "{told}");
}

#[test]
fn each_fault_is_told_with_its_value() {
    let long = "<p>text</p>".repeat(500);
    let told = checked(
        &[
            ("content-type", "text/html"),
            ("cache-control", "public, max-age=soon"),
            ("vary", "*"),
            ("set-cookie", "session=1; expires=Wed, 21 Oct 2026 07:28:00 GMT"),
            ("x-robots-tag", "googlebot: noindex"),
            ("x-powered-by", "PHP/8.1"),
            ("server", "nginx/1.18"),
            ("content-security-policy", "script-src * 'unsafe-inline' 'unsafe-eval'"),
            ("access-control-allow-origin", "*"),
        ],
        &long,
    );
    let found = rules(&told);
    for rule in [
        "noindex_header",
        "not_compressed",
        "hsts_missing",
        "vary_star",
        "max_age_unreadable",
        "public_with_cookie",
        "cookie_not_secure",
        "cookie_script_readable",
        "csp_unsafe_inline",
        "csp_unsafe_eval",
        "csp_wildcard",
        "powered_by",
        "version_told",
        "charset_missing",
        "no_validator",
        "nosniff_missing",
    ] {
        assert!(found.contains(&rule), "{rule}: {found:?}");
    }
    for rule in ["cors_with_credentials", "csp_missing", "not_secure", "nofollow_header", "vary_encoding_missing"] {
        assert!(!found.contains(&rule), "{rule}: {found:?}");
    }
    assert_eq!(
        (&told["grade"], &told["findings"][0]["rule"], &told["findings"][0]["value"]),
        (&json!("f"), &json!("noindex_header"), &json!("googlebot: noindex"))
    );
    assert_eq!(told["findings"][0]["fix"]["operation_id"], "indexing.url.check");
}
