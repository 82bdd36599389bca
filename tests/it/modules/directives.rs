//! Index directives in forty forms, on a served website: the crawl, the check of one address and the audit answer alike.

use std::collections::BTreeMap;

use axum::Router;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use serde_json::json;
use tests::host::Host;

const SCOPES: &str = "account:read websites:read assets:read assets:write seo:analyze seo:audit seo:execute";

/// What stands in the head, which headers come with it, and whether Google may index the page. Sources: Google, "Robots
/// meta tag, data-nosnippet, and X-Robots-Tag specifications" and "Consolidate duplicate URLs".
const FORMS: [(&str, &[&str], bool); 40] = [
    ("", &[], true),
    (r#"<meta name="robots" content="noindex">"#, &[], false),
    (r#"<META NAME="ROBOTS" CONTENT="NOINDEX">"#, &[], false),
    (r#"<meta name="robots" content="none">"#, &[], false),
    (r#"<meta name="robots" content="all">"#, &[], true),
    (r#"<meta name="robots" content="index, follow">"#, &[], true),
    (r#"<meta name="robots" content="nofollow">"#, &[], true),
    (r#"<meta name="robots" content=" nofollow ,noindex ">"#, &[], false),
    (r#"<meta name="robots" content="index, noindex">"#, &[], false),
    (r#"<meta content="noindex" name="robots">"#, &[], false),
    (r#"<meta name=" robots " content="noindex">"#, &[], false),
    (r#"<meta property="robots" content="noindex">"#, &[], true),
    (r#"<meta name="googlebot" content="noindex">"#, &[], false),
    (r#"<meta name="GoogleBot" content="noindex">"#, &[], false),
    (r#"<meta name="googlebot-news" content="noindex">"#, &[], true),
    (r#"<meta name="bingbot" content="noindex">"#, &[], true),
    (r#"<meta name="robots" content="index"><meta name="googlebot" content="noindex">"#, &[], false),
    (r#"<meta name="robots" content="noarchive, max-snippet:20">"#, &[], true),
    (r#"<meta name="robots" content="max-image-preview:none">"#, &[], true),
    (r#"<meta name="robots" content="noindexed">"#, &[], true),
    (r#"<meta name="description" content="noindex">"#, &[], true),
    (r#"<meta name="robots" content="unavailable_after: 25 Jun 2010 15:00:00 GMT">"#, &[], false),
    (r#"<meta name="robots" content="unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT">"#, &[], false),
    (r#"<meta name="robots" content="unavailable_after: 2010-06-25">"#, &[], false),
    (r#"<meta name="robots" content="unavailable_after: June 25, 2010">"#, &[], false),
    (r#"<meta name="robots" content="unavailable_after: 25-Jun-2010 15:00:00 EST">"#, &[], false),
    (r#"<meta name="robots" content="unavailable_after: Mon, 25 Jun 2096 15:00:00 GMT">"#, &[], true),
    (r#"<meta name="robots" content="unavailable_after: 2096-06-25, nofollow">"#, &[], true),
    (r#"<meta name="robots" content="unavailable_after: Mon, 25 Jun 2096 15:00:00 GMT, noindex">"#, &[], false),
    ("", &["noindex"], false),
    ("", &["NoIndex, nofollow"], false),
    ("", &["nofollow", "noindex"], false),
    ("", &["googlebot: noindex"], false),
    ("", &["bingbot: noindex"], true),
    ("", &["bingbot: noindex, googlebot: nofollow"], true),
    ("", &["googlebot: nofollow, bingbot: noindex"], true),
    ("", &["unavailable_after: 25 Jun 2010 15:00:00 GMT"], false),
    ("", &["unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT"], false),
    ("", &["googlebot: unavailable_after: 25 Jun 2010 15:00:00 GMT"], false),
    (r#"<meta name="robots" content="index">"#, &["noindex"], false),
];

fn page(path: &str) -> Response {
    let html = [(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"))];
    let whole = |head: &str, body: &str| {
        format!("<!doctype html><html lang=\"en\"><head>{head}</head><body>{body}</body></html>")
    };
    if path == "/" {
        let links: String =
            (0..FORMS.len()).map(|at| format!("<a href=\"/form-{at}\">Form number {at}</a> ")).collect();
        return (html, whole("<title>Forms</title>", &links)).into_response();
    }
    let number = path.strip_prefix("/form-").and_then(|at| at.parse::<usize>().ok());
    let Some((number, (head, values, _))) = number.and_then(|at| Some((at, FORMS.get(at)?))) else {
        return (StatusCode::NOT_FOUND, html, whole("<title>Not found</title>", "Nothing is here.")).into_response();
    };
    let mut headers = HeaderMap::new();
    for value in *values {
        headers.append(HeaderName::from_static("x-robots-tag"), HeaderValue::from_static(value));
    }
    let words = format!(
        "<h1>Lamp {number}</h1><p>{}</p>",
        format!("A lamp of kind {number} with words of its own. ").repeat(20)
    );
    (html, headers, whole(&format!("<title>Lamp of kind {number}</title>{head}"), &words)).into_response()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crawl_a_check_and_an_audit_read_forty_forms_of_directives_alike() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let router = Router::new().fallback(async |uri: Uri| page(uri.path()));
    tokio::spawn(async move { axum::serve(listener, router).await });
    let host = Host::start_with(|options| options.map("forms.example", address)).await;
    let ada = host.customer(SCOPES).await;
    host.buy_points(&ada, 20).await;
    let site = ada.run("websites.create", json!({ "domain": "forms.example" })).await.data()["site_id"].clone();
    let crawl = json!({ "site_id": site, "rate_rps": 10, "check_external": false });
    let run = ada.run("crawl.run.start", crawl).await.data()["run_ref"].clone();
    let crawled = ada.wait_for("crawl.run.get", json!({ "run_ref": run }), 180).await;
    assert_eq!(crawled["state"], "succeeded", "{crawled}");
    let listed = ada.read("audit.indexability.report", json!({ "run_ref": run, "limit": 100 })).await.data();
    let rows = listed["rows"].as_array().expect("rows");
    let refused: BTreeMap<&str, &str> =
        rows.iter().filter_map(|it| Some((it["url"].as_str()?, it["reason"].as_str()?))).collect();
    let mut wrong = Vec::new();
    for (at, (head, headers, expected)) in FORMS.iter().enumerate() {
        let url = format!("http://forms.example/form-{at}");
        let page = ada.read("crawl.page.get", json!({ "run_ref": run, "url": url })).await.data();
        let checked = ada.read("indexing.url.check", json!({ "url": url })).await.data();
        let answers = [
            ("crawl", page["indexability"]["verdict"].as_str().map(|it| it == "indexable")),
            ("check", checked["indexable"].as_bool()),
            ("audit", Some(!refused.contains_key(url.as_str()))),
        ];
        for (who, answer) in answers {
            if answer != Some(*expected) {
                wrong.push(format!("{who} says {answer:?} of {head} {headers:?}: {}", page["indexability"]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    host.verify_ledger().await;
}
