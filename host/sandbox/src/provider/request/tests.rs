//! Tests that no input of a guest becomes a request that its lock file does not permit.

use catalog::kinds::kind;
use model::contract::{Kind as Of, Mode};
use model::scope::ScopeSet;
use store::ConnectionState;

use super::*;

const LINES: [&str; 5] = [
    "wordpress GET /wp-json/wp/v2/posts/*",
    "wordpress POST /wp-json/wp/v2/posts change",
    "wordpress DELETE /wp-json/wp/v2/posts/* remove",
    "google_search_console POST /webmasters/v3/sites/*/searchAnalytics/query query",
    "google_business_profile.performance GET /v1/locations/*:fetchMultiDailyMetricsTimeSeries",
];

fn entry(of: Of) -> Entry {
    Entry {
        kind: of,
        mode: Mode::Immediate,
        scopes: ScopeSet::default(),
        cost: String::new(),
        price: None,
        arguments: String::new(),
        needs: ["connection:any".to_owned()].into(),
        outside: LINES.iter().map(|line| line.parse().unwrap()).collect(),
        web: None,
        may_remove: Default::default(),
        limits: Default::default(),
        contract: String::new(),
    }
}

fn asked(method: Method, path: &str) -> Asked {
    Asked {
        service: None,
        method,
        path: path.to_owned(),
        query: Vec::new(),
        headers: Vec::new(),
        body: Vec::new(),
        max_bytes: 1_024,
        timeout: Duration::from_secs(5),
    }
}

fn connection(of: &str, endpoint: Option<&str>) -> Connection {
    Connection {
        id: "con_1".into(),
        version: 1,
        kind: of.to_owned(),
        name: "One".to_owned(),
        endpoint: endpoint.map(str::to_owned),
        state: ConnectionState::Ok,
        pace: None,
        settings: "{}".to_owned(),
        secret: 1,
        created_at: Moment(0),
        changed_at: Moment(0),
        answered_at: None,
    }
}

/// The address of a request to a WordPress at this endpoint.
fn at(endpoint: &str, asked: Asked) -> Result<String, Refused> {
    let kind = kind("wordpress").unwrap();
    let connection = connection("wordpress", Some(endpoint));
    asked.check(kind, &connection, &kind.auth[0]).map(|checked| checked.url.to_string())
}

fn permitted(of: Of, kind_name: &str, asked: &Asked) -> Result<(), String> {
    let path = asked.path(kind(kind_name).unwrap()).map_err(|refused| refused.0)?;
    asked.line(&entry(of), kind_name, &path).map(|_| ()).map_err(|refused| refused.0)
}

#[test]
fn only_what_a_line_says_is_permitted_and_only_to_kinds_that_may() {
    let get = asked(Method::Get, "/wp-json/wp/v2/posts/7");
    let post = asked(Method::Post, "/wp-json/wp/v2/posts");
    let delete = asked(Method::Delete, "/wp-json/wp/v2/posts/7");
    for of in [Of::Read, Of::Write, Of::Job, Of::Destructive] {
        assert_eq!(permitted(of, "wordpress", &get), Ok(()));
        assert_eq!(permitted(of, "wordpress", &post).is_ok(), of != Of::Read, "{of:?}");
        assert_eq!(permitted(of, "wordpress", &delete).is_ok(), of == Of::Destructive, "{of:?}");
    }
    let query = asked(Method::Post, "/webmasters/v3/sites/https%3A%2F%2Fshop.example%2F/searchAnalytics/query");
    assert_eq!(permitted(Of::Read, "google_search_console", &query), Ok(()));
}

#[test]
fn a_request_of_another_service_kind_or_method_is_refused_without_the_customers_words() {
    let users = asked(Method::Get, "/wp-json/wp/v2/users/ada@example.com");
    assert_eq!(
        permitted(Of::Write, "wordpress", &users).unwrap_err(),
        "no line permits wordpress GET /wp-json/wp/v2/*/*"
    );
    let put = asked(Method::Put, "/wp-json/wp/v2/posts/7");
    assert_eq!(
        permitted(Of::Destructive, "wordpress", &put).unwrap_err(),
        "no line permits wordpress PUT /wp-json/wp/v2/posts/*"
    );
    let metrics = asked(Method::Get, "/v1/locations/7:fetchMultiDailyMetricsTimeSeries");
    assert!(permitted(Of::Read, "google_business_profile", &metrics).is_err());
    let metrics = Asked { service: Some("performance".to_owned()), ..metrics };
    assert_eq!(permitted(Of::Read, "google_business_profile", &metrics), Ok(()));
    let llm = asked(Method::Get, "/models");
    assert_eq!(permitted(Of::Read, "llm", &llm).unwrap_err(), "no line permits llm GET /*");
}

#[test]
fn what_a_kind_closes_no_line_opens_however_the_path_is_spelled() {
    let lines = ["POST /wp-json/**", "GET /wp-json/**", "PUT /wp-json/**", "DELETE /wp-json/**"];
    let effects = ["change", "", "change", "remove"];
    let outside =
        lines.iter().zip(effects).map(|(line, effect)| format!("wordpress {line} {effect}").trim().parse().unwrap());
    let open = Entry { outside: outside.collect(), ..entry(Of::Destructive) };
    let may = |method, path: &str| {
        let asked = asked(method, path);
        let path = asked.path(kind("wordpress").unwrap());
        path.is_ok_and(|path| asked.line(&open, "wordpress", &path).is_ok())
    };
    for path in [
        "/wp-json/wp/v2/users",
        "/wp-json/wp/v2/users/",
        "/wp-json/wp/v2/users/7/application-passwords",
        "/wp-json/wp/v2/Users/7",
        "/wp-json/wp/v2/%75sers/7",
        "/wp-json/wp/v2/plugins",
        "/wp-json/wp/v2/settings",
        "/wp-json/wp/v2/template-parts/x",
        "/wp-json/wp-abilities/v1/a/run",
    ] {
        assert!(may(Method::Get, path), "{path} may be read");
        for method in [Method::Post, Method::Put, Method::Delete] {
            assert!(!may(method, path), "{method} {path}");
        }
    }
    for path in ["/wp-json/batch/v1", "/wp-json/Batch/v1/", "/wp-json/%62atch/v1"] {
        assert!(!may(Method::Get, path) && !may(Method::Post, path), "{path}");
    }
    for path in ["/wp-json/wp/v2/posts/7", "/wp-json/wp/v2/users-of-lamps", "/wp-json/batches/v1"] {
        assert!(may(Method::Post, path), "{path}");
    }
}

#[test]
fn no_path_leads_elsewhere() {
    for path in [
        "https://evil.example/wp-json/wp/v2/posts",
        "//evil.example/wp-json/wp/v2/posts",
        "@evil.example/wp-json",
        "/wp-json/../../evil",
        "/wp-json/%2e%2e/users",
        "/wp-json/wp/v2/posts/7%2F..%2F..%2Fusers",
        "/wp-json/wp/v2/posts/7%2Frevisions",
        "/wp-json/wp/v2/posts?_method=DELETE",
        "/wp-json/wp/v2/posts#x",
        "/wp-json/wp/v2/posts\r\nX-Evil: 1",
        "/wp-json/wp/v2/posts\\..\\users",
    ] {
        assert!(permitted(Of::Destructive, "wordpress", &asked(Method::Get, path)).is_err(), "{path}");
    }
}

#[test]
fn an_endpoint_replaces_scheme_host_port_and_prefix() {
    let get = || asked(Method::Get, "/wp-json/wp/v2/posts/7");
    assert_eq!(at("https://shop.example", get()).unwrap(), "https://shop.example/wp-json/wp/v2/posts/7");
    assert_eq!(at("https://shop.example/blog", get()).unwrap(), "https://shop.example/blog/wp-json/wp/v2/posts/7");
    let query = vec![("search".to_owned(), "a&b=c ö".to_owned())];
    let url = at("https://shop.example:8443/", Asked { query, ..get() }).unwrap();
    assert_eq!(url, "https://shop.example:8443/wp-json/wp/v2/posts/7?search=a%26b%3Dc+%C3%B6");
    let kind = kind("google_business_profile").unwrap();
    let performance = || Asked { service: Some("performance".to_owned()), ..asked(Method::Get, "/v1/locations/7") };
    let to = |endpoint: Option<&str>| {
        let connection = connection("google_business_profile", endpoint);
        performance().check(kind, &connection, &kind.auth[0]).unwrap().url.to_string()
    };
    assert_eq!(to(None), "https://businessprofileperformance.googleapis.com/v1/locations/7");
    assert_eq!(to(Some("http://127.0.0.1:9000/google")), "http://127.0.0.1:9000/google/v1/locations/7");
}

#[test]
fn a_parameter_that_says_another_method_or_route_is_refused() {
    for name in [
        "_method",
        "_METHOD",
        " _method",
        ".method",
        "_method[]",
        "_method[x]",
        "rest_route",
        "rest.route",
        "rest route",
        "access_token",
    ] {
        let query = vec![(name.to_owned(), "DELETE".to_owned())];
        let refused = at("https://shop.example", Asked { query, ..asked(Method::Post, "/wp-json/wp/v2/posts") });
        assert!(refused.is_err(), "{name}");
    }
    let kind = kind("pagespeed").unwrap();
    let query = vec![("key".to_owned(), "mine".to_owned())];
    let asked = Asked { query, ..asked(Method::Get, "/pagespeedonline/v5/runPagespeed") };
    assert!(asked.check(kind, &connection("pagespeed", None), &kind.auth[0]).is_err());
}

#[test]
fn headers_are_those_that_the_kind_takes_and_nothing_is_smuggled_in_one() {
    let with = |name: &str, value: &str| {
        let headers = vec![(name.to_owned(), value.to_owned())];
        at(
            "https://shop.example",
            Asked { headers, body: b"{}".to_vec(), ..asked(Method::Post, "/wp-json/wp/v2/posts") },
        )
    };
    assert!(with("Accept", "application/json").is_ok());
    assert!(with("Content-Type", "application/json; charset=utf-8").is_ok());
    assert!(with("Content-Disposition", "attachment; filename=\"a.png\"").is_ok());
    for (name, value) in [
        ("authorization", "Bearer mine"),
        ("host", "evil.example"),
        ("cookie", "a=b"),
        ("x-http-method-override", "DELETE"),
        ("transfer-encoding", "chunked"),
        ("content-length", "0"),
        ("connection", "upgrade"),
        ("x-api-key", "mine"),
        ("accept", "a\r\nauthorization: Bearer mine"),
        ("accept", "a\nb"),
        ("accept\r\nx", "a"),
        ("accept ", "a"),
        ("content-type", "application/x-www-form-urlencoded"),
        ("content-type", "multipart/form-data; boundary=x"),
        ("content-type", "text/html"),
    ] {
        assert!(with(name, value).is_err(), "{name:?}: {value:?}");
    }
    let twice = vec![("accept".to_owned(), "a".to_owned()), ("Accept".to_owned(), "b".to_owned())];
    assert!(
        at("https://shop.example", Asked { headers: twice, ..asked(Method::Get, "/wp-json/wp/v2/posts/7") }).is_err()
    );
}

#[test]
fn a_get_has_no_body_and_no_body_is_without_end() {
    let body = b"{}".to_vec();
    assert!(at("https://shop.example", Asked { body, ..asked(Method::Get, "/wp-json/wp/v2/posts/7") }).is_err());
    let body = vec![b' '; MOST_BODY + 1];
    assert!(at("https://shop.example", Asked { body, ..asked(Method::Post, "/wp-json/wp/v2/posts") }).is_err());
}

#[test]
fn an_endpoint_is_an_address_and_nothing_more() {
    let wordpress = |given: Option<&str>| endpoint(kind("wordpress").unwrap(), given);
    assert_eq!(wordpress(Some("https://Shop.example/blog/")), Ok(Some("https://shop.example/blog".to_owned())));
    assert_eq!(wordpress(Some("https:///blog")), Ok(Some("https://blog".to_owned())), "as browsers read it");
    assert!(wordpress(None).is_err());
    for given in [
        "shop.example",
        "ftp://shop.example",
        "https://u:p@shop.example",
        "https://shop.example/?a=b",
        "https://shop.example/#a",
        "https://shop.example/a//b",
    ] {
        assert!(wordpress(Some(given)).is_err(), "{given}");
    }
    assert_eq!(endpoint(kind("cloudflare").unwrap(), None), Ok(None));
    assert!(endpoint(kind("smtp").unwrap(), Some("smtps://mail.example:465")).is_ok());
    for other in ["https://mail.example", "http://mail.example", "smtps://mail.example/inbox", "smtp://a@mail.example"]
    {
        assert!(endpoint(kind("smtp").unwrap(), Some(other)).is_err(), "{other}");
    }
}

#[test]
fn two_requests_have_one_digest_only_when_they_are_the_same() {
    let digest = |asked: Asked| {
        let kind = kind("wordpress").unwrap();
        asked
            .check(kind, &connection("wordpress", Some("https://shop.example")), &kind.auth[0])
            .unwrap()
            .digest(&Sealed::default())
    };
    let post = || Asked { body: b"{\"title\":\"a\"}".to_vec(), ..asked(Method::Post, "/wp-json/wp/v2/posts") };
    assert_eq!(digest(post()), digest(post()));
    let others = [
        Asked { body: b"{\"title\":\"b\"}".to_vec(), ..post() },
        Asked { path: "/wp-json/wp/v2/pages".to_owned(), ..post() },
        Asked { method: Method::Put, ..post() },
        Asked { query: vec![("a".to_owned(), "b".to_owned())], ..post() },
        Asked { headers: vec![("content-type".to_owned(), "image/png".to_owned())], ..post() },
    ];
    assert!(others.into_iter().all(|other| digest(other) != digest(post())));
}
