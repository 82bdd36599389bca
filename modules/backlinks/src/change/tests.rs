//! What came and went, weeks that are unusual, and where links land.

use sdk::json;

use super::tail;
use crate::trial::{SITE, ahrefs, call, crawled, import, website};

#[test]
fn domains_that_came_and_links_that_went_are_told_with_what_is_known_of_the_cause() {
    let fake = website();
    let csv = "Referring page URL,Target URL,Anchor,Domain rating,Referring page HTTP code,First seen,Last seen,Lost\n\
        https://new.example/a,https://shop.example/,x,60,200,2026-09-01,2026-09-10,\n\
        https://gone.example/a,https://shop.example/,y,50,404,2025-01-01,2026-08-01,2026-09-02\n\
        https://gone.example/b,https://shop.example/,y,50,200,2025-01-01,2026-09-01,\n\
        https://lost.example/a,https://shop.example/,z,40,200,2025-01-01,2026-08-01,2026-09-03\n\
        https://before.example/a,https://shop.example/,z,40,200,2025-01-01,2025-08-01,2025-09-03\n";
    import(&fake, csv);
    let told = call(&fake, "backlinks.change.report", &json!({}));
    assert_eq!((&told["gained_total"], &told["gained"][0]["domain"]), (&json!(1), &json!("new.example")), "{told}");
    let lost: Vec<_> = told["lost"]
        .as_array()
        .expect("lost")
        .iter()
        .map(|it| (it["domain"].clone(), it["cause"].clone(), it["last_of_domain"].clone()))
        .collect();
    let row = |domain: &str, cause: &str, last: bool| (json!(domain), json!(cause), json!(last));
    assert_eq!(lost, [row("gone.example", "page_gone", false), row("lost.example", "unknown", true)]);
    assert!(told["degraded"].to_string().contains("nobody has looked"), "{told}");
    let reversed =
        fake.refusal("backlinks.change.report", json!({ "site_id": SITE, "from": "2026-09-02", "to": "2026-09-01" }));
    assert_eq!((reversed.code.as_str(), reversed.pointer.as_deref()), ("range_reversed", Some("/to")));
}

#[test]
fn a_week_of_many_new_domains_is_named_with_what_they_share() {
    let fake = website();
    let mut csv = "Referring page URL,Target URL,Anchor,First seen\n".to_owned();
    // One or two new domains a week for a year, and forty in one week with one text.
    let first: sdk::value::Day = "2025-09-01".parse().expect("a day");
    for week in 0..52 {
        for at in 0..=week % 2 {
            csv.push_str(&format!(
                "https://site{week}-{at}.example/,https://shop.example/,lamp {week},{}\n",
                first.plus(week * 7)
            ));
        }
    }
    for at in 0..40 {
        csv.push_str(&format!(
            "https://spam{at}.example/,https://shop.example/,cheap pills,{}\n",
            first.plus(40 * 7 + 2)
        ));
    }
    import(&fake, &csv);
    let told = call(&fake, "backlinks.change.report", &json!({ "from": "2025-09-01", "to": "2026-09-01" }));
    assert_eq!(told["bursts"].as_array().map(Vec::len), Some(1), "{}", told["bursts"]);
    let burst = &told["bursts"][0];
    assert_eq!(
        (&burst["week_of"], &burst["new_domains"], &burst["common_anchor"]),
        (&json!("2026-06-08"), &json!(41), &json!("cheap pills"))
    );
    assert_eq!(burst["sharing_domains"], 40);
}

#[test]
fn the_tail_is_that_of_the_negative_binomial_law() {
    // By hand: 1 - sum of C(k+3, 3) / 2^(k+4) for k below 10, and (2/3)^3.
    for (count, mean, variance, wanted) in [(10, 4.0, 8.0, 0.046_142_578_125), (3, 2.0, 6.0, 0.296_296_296_296_296_3)] {
        let found = tail(count, mean, variance);
        assert!((found - wanted).abs() < 1e-9, "{found} where {wanted} is wanted");
    }
}

#[test]
fn links_are_followed_to_where_they_land() {
    let fake = website();
    let more = "50,false,2026-01-05,2026-08-01,";
    import(
        &fake,
        &ahrefs(&[
            ("https://a.example/", "/", "x", more),
            ("https://b.example/", "/moved", "x", more),
            ("https://c.example/", "/twice", "x", more),
            ("https://d.example/", "/gone", "x", more),
            ("https://e.example/", "/to-gone", "x", more),
            ("https://f.example/", "/hidden", "x", more),
            ("https://g.example/", "/unknown", "x", more),
            ("https://h.example/", "/", "x", "50,true,2026-01-05,2026-08-01,"),
        ]),
    );
    crawled(
        &fake,
        &[
            ("/", "ok", 200, None),
            ("/moved", "redirect", 301, Some("/")),
            ("/twice", "redirect", 301, Some("/moved")),
            ("/gone", "client_error", 404, None),
            ("/to-gone", "redirect", 301, Some("/gone")),
            ("/hidden", "noindex", 200, None),
        ],
    );
    let told = call(&fake, "backlinks.equity.report", &json!({}));
    assert_eq!((&told["links"], &told["domains"]), (&json!(7), &json!(7)), "nofollow hands nothing on: {told}");
    let of = |name: &str| told["shares"][name]["links"].clone();
    assert_eq!(
        ["indexable", "one_redirect", "two_redirects", "error", "non_indexable", "unknown"].map(of),
        [1, 1, 1, 2, 1, 1].map(|it| json!(it))
    );
    let lands: Vec<&str> =
        told["lost"].as_array().expect("lost").iter().filter_map(|it| it["lands"].as_str()).collect();
    assert_eq!(lands, ["error", "non_indexable", "redirected_to_error", "unknown"]);
    assert!(told["degraded"].to_string().contains("links.graph.build"), "{told}");
}
