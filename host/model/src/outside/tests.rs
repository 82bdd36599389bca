//! What a line permits, and what no path can make of it.

use super::*;

fn line(text: &str) -> Line {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn permits(text: &str, method: Method, path: &str) -> bool {
    let line = line(text);
    path.parse().is_ok_and(|path| line.permits(&line.kind, line.service.as_deref(), method, &path))
}

#[test]
fn a_line_reads_as_it_is_written() {
    for text in [
        "pagespeed GET /pagespeedonline/v5/runPagespeed",
        "google_search_console POST /webmasters/v3/sites/*/searchAnalytics/query query",
        "google_business_profile.performance GET /v1/locations/*:fetchMultiDailyMetricsTimeSeries",
        "wordpress POST /wp-json/wp/v2/posts change",
        "wordpress POST /wp-json/wp/v2/posts/* change idempotent",
        "wordpress DELETE /wp-json/wp/v2/posts/* remove",
        "powerdns PATCH /api/v1/servers/*/zones/** remove",
        "smtp SEND /transactional change",
        "smtp SEND /list change",
    ] {
        assert_eq!(line(text).to_string(), text);
        let json = serde_json::to_string(&line(text)).unwrap();
        assert_eq!(serde_json::from_str::<Line>(&json).unwrap(), line(text));
    }
    assert_eq!(line("llm GET /models read").to_string(), "llm GET /models");
}

#[test]
fn what_is_no_line_says_why() {
    for (text, error) in [
        ("wordpress", LineError::Words),
        ("wordpress GET", LineError::Words),
        ("wordpress GET /a read idempotent", LineError::Words),
        ("wordpress POST /a change again", LineError::Words),
        ("wordpress PUT /a change idempotent", LineError::Words),
        ("WordPress GET /a", LineError::Kind),
        ("wordpress. GET /a", LineError::Kind),
        ("wordpress get /a", LineError::Method),
        ("wordpress TRACE /a", LineError::Method),
        ("wordpress POST /a", LineError::Effect),
        ("wordpress POST /a read", LineError::Effect),
        ("wordpress GET /a change", LineError::Effect),
        ("wordpress PUT /a query", LineError::Effect),
        ("wordpress DELETE /a change", LineError::Effect),
        ("wordpress GET https://a.example/", LineError::Path(PathError::Form)),
        ("wordpress GET /a/**/b", LineError::Path(PathError::Wildcard)),
        ("wordpress GET /a/*b*", LineError::Path(PathError::Wildcard)),
        ("wordpress GET /a%2Fb", LineError::Path(PathError::Wildcard)),
        ("wordpress GET /a?b=c", LineError::Path(PathError::Character)),
        ("wordpress  GET /a", LineError::Method),
        ("smtp SEND / change", LineError::Class),
        ("smtp SEND /** change", LineError::Class),
        ("smtp SEND /list/all change", LineError::Class),
        ("smtp SEND /list", LineError::Effect),
        ("smtp SEND /list query", LineError::Effect),
        ("smtp SEND /list change idempotent", LineError::Words),
    ] {
        assert_eq!(text.parse::<Line>().unwrap_err(), error, "{text}");
    }
}

#[test]
fn a_star_is_one_segment_and_two_are_the_rest() {
    let posts = "wordpress POST /wp-json/wp/v2/posts/* change";
    assert!(permits(posts, Method::Post, "/wp-json/wp/v2/posts/7"));
    for other in [
        "/wp-json/wp/v2/posts",
        "/wp-json/wp/v2/posts/",
        "/wp-json/wp/v2/posts/7/",
        "/wp-json/wp/v2/posts/7/revisions",
        "/wp-json/wp/v2/pages/7",
        "/wp-json/wp/v2/%70osts/7",
        "/wp-json/wp/v2/posts/7:trash",
    ] {
        assert!(!permits(posts, Method::Post, other), "{other}");
    }
    assert!(!permits(posts, Method::Put, "/wp-json/wp/v2/posts/7"));
    let rest = "wordpress GET /wp-json/**";
    assert!(permits(rest, Method::Get, "/wp-json/wp/v2/posts/7"));
    assert!(!permits(rest, Method::Get, "/wp-json"));
    assert!(!permits(rest, Method::Get, "/wp-json/"));
    let action = "google_business_profile GET /v1/locations/*:getVoiceOfMerchantState";
    assert!(permits(action, Method::Get, "/v1/locations/81:getVoiceOfMerchantState"));
    assert!(!permits(action, Method::Get, "/v1/locations/81"));
    assert!(!permits(action, Method::Get, "/v1/locations/81:transfer:getVoiceOfMerchantState"));
}

#[test]
fn a_line_is_of_its_kind_and_service_only() {
    let line = line("google_business_profile.performance GET /v1/locations/*");
    let path = "/v1/locations/81".parse().unwrap();
    assert!(line.permits("google_business_profile", Some("performance"), Method::Get, &path));
    assert!(!line.permits("google_business_profile", None, Method::Get, &path));
    assert!(!line.permits("google_business_profile", Some("reviews"), Method::Get, &path));
    assert!(!line.permits("wordpress", Some("performance"), Method::Get, &path));
}

#[test]
fn a_path_that_somebody_could_read_otherwise_is_no_path() {
    for (text, error) in [
        ("", PathError::Form),
        ("wp-json", PathError::Form),
        ("//evil.example/a", PathError::Form),
        ("https://evil.example/a", PathError::Form),
        ("/a//b", PathError::Segment),
        ("/a/./b", PathError::Segment),
        ("/a/../b", PathError::Segment),
        ("/a/..", PathError::Segment),
        ("/a/%2e%2E/b", PathError::Segment),
        ("/a/.%2e/b", PathError::Segment),
        ("/a/7%2F..%2Fb", PathError::Segment),
        ("/a/%252e%252e/b", PathError::Segment),
        ("/a/7%252Fb", PathError::Segment),
        ("/a\\b", PathError::Character),
        ("/a/7%5C..%5Cb", PathError::Character),
        ("/a?_method=DELETE", PathError::Character),
        ("/a#b", PathError::Character),
        ("/a b", PathError::Character),
        ("/a\r\nHost: evil.example", PathError::Character),
        ("/a%0d%0aHost:%20evil.example", PathError::Character),
        ("/a%00", PathError::Character),
        ("/ä", PathError::Character),
        ("/a%", PathError::Encoding),
        ("/a%4", PathError::Encoding),
        ("/a%zz", PathError::Encoding),
    ] {
        assert_eq!(text.parse::<Path>().unwrap_err(), error, "{text:?}");
    }
    assert!(format!("/{}", "a".repeat(2_048)).parse::<Path>().is_err());
}

#[test]
fn an_encoded_slash_is_seen() {
    let path = |text: &str| text.parse::<Path>().unwrap();
    assert!(path("/sites/https%3A%2F%2Fshop.example%2F/sitemaps").has_encoded_slash());
    assert!(!path("/sites/sc-domain%3Ashop.example/sitemaps").has_encoded_slash());
}

#[test]
fn where_a_path_leads_is_told_however_it_is_spelled() {
    for (path, leads) in [
        ("/v2/users", true),
        ("/v2/users/", true),
        ("/v2/users/7", true),
        ("/V2/Users/7", true),
        ("/v2/%75sers", true),
        ("/v2/%2575sers", true),
        ("/v2/users-of-lamps", false),
        ("/v2", false),
        ("/v2/posts/users", false),
    ] {
        assert_eq!(path.parse::<Path>().unwrap().leads_to("/v2/users"), leads, "{path}");
    }
}

#[test]
fn of_a_path_only_what_a_line_spells_out_is_told() {
    let line = line("wordpress GET /wp-json/wp/v2/posts/*");
    let path = "/wp-json/wp/v2/users/ada@example.com".parse().unwrap();
    assert_eq!(line.path.shared(&path), "/wp-json/wp/v2/*/*");
}

#[test]
fn a_kind_of_operation_decides_what_its_lines_may_do() {
    use crate::contract::Kind::{Destructive, Job, Read, Write};
    for (effect, rights) in [
        (Effect::Read, [Right::Given, Right::Given, Right::Given, Right::Given]),
        (Effect::Query, [Right::Given, Right::Given, Right::Given, Right::Given]),
        (Effect::Change, [Right::Never, Right::Given, Right::Given, Right::Given]),
        (Effect::Remove, [Right::Never, Right::WithReason, Right::WithReason, Right::Given]),
    ] {
        assert_eq!([Read, Write, Job, Destructive].map(|kind| effect.right_of(kind)), rights);
    }
}

#[test]
fn only_some_requests_can_be_sent_again() {
    assert!(line("wordpress PUT /a change").repeats());
    assert!(line("wordpress DELETE /a remove").repeats());
    assert!(line("wordpress POST /a change idempotent").repeats());
    assert!(!line("wordpress POST /a change").repeats());
    assert!(!line("wordpress PATCH /a change").repeats());
}
