//! What comparing sitemaps with a crawl promises.

use sdk::json;

use crate::trial::{Crawl, HTML, ORIGIN, RUN, call, ended, refused, text, website};

const XML: &[(&str, &str)] = &[("content-type", "application/xml")];

#[test]
fn every_sort_of_disagreement_is_found_and_counted() {
    let fake = website();
    Crawl::begin(&fake, "run-0", 10).listed("/old", &text("before")).listed("/same", &text("same"));
    Crawl::begin(&fake, RUN, 1)
        .listed("/fine", &text("fine"))
        .listed("/old", &text("after"))
        .listed("/same", &text("same"))
        .lost("/lost", &text("lost"))
        .answer("/gone", "both", 404, HTML, "<p>gone</p>")
        .answer("/moved", "both", 301, &[("location", "/fine")], "")
        .listed("/hidden", "<meta name=robots content=noindex><p>x</p>")
        .listed("/copy", "<link rel=canonical href=/fine><p>x</p>")
        .html("/new", &text("new"));
    let day = |days: u64| sdk::value::Moment::from_millis(fake.now().millis() - days * 86_400_000).day();
    let entry = |path: &str, date: Option<String>| {
        let date = date.map(|it| format!("<lastmod>{it}</lastmod>")).unwrap_or_default();
        format!("<url><loc>{ORIGIN}{path}</loc>{date}</url>")
    };
    let entries = [
        entry("/fine", Some("2999-01-01".to_owned())),
        entry("/old", Some(day(30).to_string())),
        entry("/same", Some(day(2).to_string())),
        entry("/lost", None),
        entry("/gone", None),
        entry("/moved", None),
        entry("/hidden", None),
        entry("/copy", None),
        entry("/never", None),
    ];
    let file = format!("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{}</urlset>", entries.concat());
    let index = format!(
        "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><sitemap><loc>{ORIGIN}/part.xml</loc></sitemap></sitemapindex>"
    );
    fake.serve(&format!("{ORIGIN}/sitemap.xml"), 200, XML, index.as_bytes());
    fake.serve(&format!("{ORIGIN}/part.xml"), 200, XML, file.as_bytes());
    let started = call(&fake, "indexing.sitemap.audit", json!({ "run_ref": RUN }));
    let result = ended(&fake, &started);
    assert_eq!((&result["in_both"], &result["only_sitemap"], &result["only_crawl"]), (&json!(8), &json!(1), &json!(1)));
    let counts = json!({
        "lastmod_future": 1, "lastmod_stale": 1, "lastmod_untrue": 1, "orphaned": 1, "not_200": 1, "redirect": 1,
        "noindex": 1, "canonicalised": 1, "not_crawled": 1, "missing_from_sitemap": 1,
    });
    assert_eq!(result["counts"], counts, "{result}");
    let moved = result["problems"].as_array().unwrap().iter().find(|it| it["problem"] == "redirect").unwrap();
    assert_eq!(
        (&moved["detail"], &moved["sitemap"]),
        (&json!(format!("{ORIGIN}/fine")), &json!(format!("{ORIGIN}/part.xml")))
    );
    let report = call(&fake, "indexing.coverage.report", crate::trial::of_site(json!({ "state": "unknown" })));
    assert_eq!(report["rows"][0]["url"], format!("{ORIGIN}/never"), "coverage knows what only sitemaps name");
}

#[test]
fn a_website_without_a_sitemap_and_a_sitemap_of_another_website_are_refused() {
    let fake = website();
    Crawl::begin(&fake, RUN, 1).html("/", &text("home"));
    let other = json!({ "run_ref": RUN, "sitemaps": ["https://other.example/sitemap.xml"] });
    assert_eq!(
        refused(&fake, "indexing.sitemap.audit", other),
        ("url_not_of_site".to_owned(), Some("/sitemaps/0".to_owned()))
    );
    assert_eq!(refused(&fake, "indexing.sitemap.audit", json!({ "run_ref": "none" })).0, "run_not_found");
    let started = call(&fake, "indexing.sitemap.audit", json!({ "run_ref": RUN }));
    fake.work();
    let job = fake.jobs().find(&sdk::value::Id::new(started["job_ref"].as_str().unwrap())).unwrap();
    assert_eq!(job.fault().unwrap().0, "no_sitemap");
}
