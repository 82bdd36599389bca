//! What asking for an address now, and checking a list of them, promise, as tests.

use super::*;

#[test]
fn an_address_is_asked_hop_by_hop_with_everything_it_says() {
    let fake = fake();
    fake.serve(
        "https://a.example/robots.txt",
        200,
        &[],
        b"User-agent: *\nCrawl-delay: 2\nSitemap: https://a.example/s.xml\n",
    );
    fake.serve("https://a.example/old", 301, &[("location", "/mid")], b"");
    fake.serve("https://a.example/mid", 302, &[("location", "https://a.example/new"), ("x-a", "1")], b"");
    let html = "<title>New</title><link rel=canonical href=/new><h1>Hi</h1><p>three words here</p><a href=/x>x</a>";
    fake.serve(
        "https://a.example/new",
        200,
        &[("content-type", "text/html"), ("strict-transport-security", "max-age=1")],
        html.as_bytes(),
    );
    let fetched = fake.call("crawl.url.fetch", json!({ "url": "https://a.example/old" })).expect("an answer");
    let statuses: Vec<u64> =
        fetched["chain"].as_array().expect("a chain").iter().filter_map(|it| it["status"].as_u64()).collect();
    assert_eq!(statuses, [301, 302, 200]);
    assert_eq!(fetched["chain"][1]["headers"][1], json!(["x-a", "1"]));
    assert_eq!(
        (fetched["final"]["url"].as_str(), fetched["final"]["indexability"]["reason"].as_str()),
        (Some("https://a.example/new"), Some("ok"))
    );
    assert_eq!(
        fetched["robots"],
        json!({ "allowed": true, "status": 200, "crawl_delay_ms": 2000, "sitemaps": ["https://a.example/s.xml"] })
    );
    assert_eq!((fetched["head"]["titles"][0].as_str(), fetched["text"]["h1"].as_str()), (Some("New"), Some("Hi")));
    assert_eq!(
        fetched["tls"],
        json!({
            "secure": true, "failed": false, "hsts": "max-age=1",
            "version": null, "cipher": null, "alpn": null, "handshake_ms": null, "certificate": null, "distrust": [],
        })
    );
    assert!(fetched["degraded"].to_string().contains("certificate"), "{fetched}");
    let once = fake.call("crawl.url.fetch", json!({ "url": "https://a.example/old", "follow": 0 })).expect("an answer");
    assert_eq!((once["chain"].as_array().map(Vec::len), once["final"]["status"].as_u64()), (Some(1), Some(301)));
}

#[test]
fn the_certificate_of_a_secure_host_is_shown() {
    let fake = fake();
    fake.serve("https://a.example/robots.txt", 404, &[], b"");
    fake.serve("https://a.example/", 200, &[], b"");
    let certificate = sdk::Certificate {
        der: Vec::new(),
        subject: "CN=a.example".into(),
        issuer: "CN=Some Authority".into(),
        serial: "01".into(),
        not_before: 1_790_000_000_000,
        not_after: 1_798_000_000_000,
        names: vec!["a.example".into()],
        key: "RSA".into(),
        key_bits: 2048,
        signature: "sha256WithRSAEncryption".into(),
        timestamps: 2,
        self_signed: false,
        authority: false,
    };
    let report = sdk::TlsReport {
        address: "192.0.2.1".into(),
        version: sdk::TlsVersion::Tls13,
        cipher: "TLS13_AES_128_GCM_SHA256".into(),
        alpn: Some("h2".into()),
        chain: vec![certificate],
        distrust: Vec::new(),
        ocsp_stapled: false,
        tls12: sdk::Acceptance::Accepted,
        tls13: sdk::Acceptance::Accepted,
        milliseconds: 20,
    };
    fake.secure("a.example", 443, Ok(report));
    let fetched = fake.call("crawl.url.fetch", json!({ "url": "https://a.example/" })).expect("an answer");
    let tls = &fetched["tls"];
    assert_eq!((tls["version"].as_str(), tls["handshake_ms"].as_u64()), (Some("tls13"), Some(20)), "{tls}");
    assert_eq!(
        (tls["certificate"]["key"].as_str(), tls["certificate"]["names"][0].as_str()),
        (Some("RSA 2048"), Some("a.example"))
    );
    assert!(tls["certificate"]["not_after"].as_str().expect("a moment").starts_with("2026-12"), "{tls}");
}

#[test]
fn addresses_that_may_not_be_asked_or_do_not_answer_are_answers_too() {
    let fake = fake();
    fake.serve("https://a.example/robots.txt", 200, &[], b"User-agent: *\nDisallow: /private\n");
    fake.serve("https://a.example/go", 301, &[("location", "/private")], b"");
    let barred = fake.call("crawl.url.fetch", json!({ "url": "https://a.example/go" })).expect("an answer");
    assert_eq!(
        (barred["final"]["failure"].as_str(), barred["robots"]["allowed"].as_bool()),
        (Some("robots"), Some(false))
    );
    assert!(!fake.requested().contains(&"https://a.example/private".to_owned()));
    fake.fail("https://a.example/slow", sdk::Failure::Timeout);
    let slow = fake
        .call("crawl.url.fetch", json!({ "url": "https://a.example/slow", "user_agent": "generic_browser" }))
        .expect("an answer");
    assert_eq!(
        (slow["final"]["failure"].as_str(), slow["user_agent"].as_str()),
        (Some("timeout"), Some("EspalierBot"))
    );
    assert!(slow["degraded"].to_string().contains("does not pass for a browser"));
    let dead = fake.call("crawl.url.fetch", json!({ "url": "https://dead.example/" })).expect("an answer");
    assert_eq!(
        (dead["final"]["failure"].as_str(), dead["chain"].as_array().map(Vec::len)),
        (Some("unresolved"), Some(0))
    );
}

#[test]
fn redirects_end_at_a_circle_and_at_eight_requests() {
    let fake = fake();
    for host in ["a", "b", "c", "d", "e", "f"] {
        fake.serve(&format!("https://{host}.example/robots.txt"), 404, &[], b"");
    }
    fake.serve("https://a.example/x", 301, &[("location", "/y")], b"");
    fake.serve("https://a.example/y", 301, &[("location", "/x")], b"");
    let circle = fake.call("crawl.url.fetch", json!({ "url": "https://a.example/x" })).expect("an answer");
    assert!(circle["degraded"].to_string().contains("circle") && circle["chain"].as_array().map(Vec::len) == Some(2));
    for (host, next) in [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e"), ("e", "f")] {
        let to = format!("https://{next}.example/");
        fake.serve(&format!("https://{host}.example/"), 301, &[("location", to.as_str())], b"");
    }
    let before = fake.requested().len();
    let long = fake.call("crawl.url.fetch", json!({ "url": "https://a.example/", "follow": 10 })).expect("an answer");
    assert!(long["degraded"].to_string().contains("eight times"), "{long}");
    assert!(fake.requested().len() - before <= 8);
}

fn listed(fake: &Fake, urls: Value) -> (Value, String) {
    let checking = fake.call("crawl.url.batch_check", json!({ "urls": urls })).expect("a job");
    let reference = checking["result_ref"].as_str().expect("a reference").to_owned();
    fake.work();
    (checking, reference)
}

#[test]
fn a_list_is_checked_with_headers_where_they_say_enough() {
    let fake = fake();
    fake.serve("https://shop.example/robots.txt", 200, &[], b"User-agent: *\nDisallow: /no\n");
    fake.serve("https://b.example/robots.txt", 404, &[], b"");
    serve(
        &fake,
        &[("/", "<link rel=canonical href=/other>"), ("/hidden", "<meta name=robots content=noindex>"), ("/no", "x")],
    );
    fake.serve("https://shop.example/moved", 308, &[("location", "/")], b"");
    fake.serve("https://b.example/file.pdf", 200, &[("content-type", "application/pdf")], b"%PDF");
    let urls = json!([
        "https://shop.example/",
        "https://shop.example/hidden",
        "https://shop.example/moved",
        "https://shop.example/no",
        "https://b.example/file.pdf",
        "https://dead.example/x",
        "https://shop.example/#again"
    ]);
    let (checking, reference) = listed(&fake, urls);
    assert_eq!(checking["counts"], json!({ "given": 7, "distinct": 6, "hosts": 3 }));
    let view = get(&fake, &reference);
    assert_eq!(
        (view["state"].as_str(), view["totals"]["fetched"].as_u64(), view["totals"]["blocked"].as_u64()),
        (Some("succeeded"), Some(5), Some(1))
    );
    let columns = json!(["status", "redirect_to", "canonical", "indexability_reason", "failure"]);
    let list = fake.call("crawl.page.list", json!({ "run_ref": reference, "columns": columns })).expect("a list");
    assert_eq!(
        list["pages"],
        json!([
            { "url": "https://shop.example/", "status": 200, "canonical": "https://shop.example/other", "indexability_reason": "canonicalised" },
            { "url": "https://shop.example/hidden", "status": 200, "indexability_reason": "noindex" },
            { "url": "https://shop.example/moved", "status": 308, "redirect_to": "https://shop.example/", "indexability_reason": "redirect" },
            { "url": "https://shop.example/no", "status": 0, "indexability_reason": "robots_blocked", "failure": "robots" },
            { "url": "https://b.example/file.pdf", "status": 200, "indexability_reason": "ok" },
            { "url": "https://dead.example/x", "status": 0, "indexability_reason": "unreachable", "failure": "unresolved" }
        ])
    );
    assert!(!fake.requested().contains(&"https://shop.example/no".to_owned()));
    assert_eq!(fake.requested().iter().filter(|url| url.ends_with("/moved")).count(), 1, "headers were enough");
    assert_eq!(fake.refusal("crawl.run.recrawl", json!({ "run_ref": reference })).code, "not_a_crawl");
    assert_eq!(
        fake.refusal("crawl.page.get", json!({ "url": "https://shop.example/" })).code,
        "run_not_found",
        "a check is not the latest crawl"
    );
}

#[test]
fn a_long_list_is_checked_in_steps_and_each_address_once() {
    let fake = fake();
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    let urls: Vec<String> = (0..130).map(|n| format!("{ORIGIN}/{n}")).collect();
    urls.iter().for_each(|url| fake.serve(url, 204, &[("content-type", "text/plain")], b""));
    let (_, reference) = listed(&fake, json!(urls));
    assert_eq!(get(&fake, &reference)["totals"]["fetched"], 130);
    assert_eq!(fake.requested().len(), 131);
    assert_eq!(fake.refusal("crawl.url.batch_check", json!({ "urls": [] })).code, "invalid_arguments");
    let other = json!({ "urls": ["https://shop.example/"], "site_id": "82" });
    assert_eq!(fake.refusal("crawl.url.batch_check", other).code, "website_not_found");
}
