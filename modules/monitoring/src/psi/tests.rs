//! PageSpeed Insights: results are read, kept, compared, and what Lighthouse refuses is told.

use sdk::Fake;
use sdk::prelude::*;
use sdk::serde_json::{Value, json};

use super::stored::Measured;
use crate::trial::{SITE, website};

/// An answer as Lighthouse 13 gives it.
fn answer(performance: f64, lcp: f64, version: &str, field: bool) -> Value {
    let mut out = json!({ "lighthouseResult": {
        "finalDisplayedUrl": "https://shop.example/", "lighthouseVersion": version, "runWarnings": ["slow"],
        "categories": { "performance": { "score": performance }, "seo": { "score": 0.925 }, "best-practices": { "score": null } },
        "audits": {
            "largest-contentful-paint": { "numericValue": lcp }, "first-contentful-paint": { "numericValue": 900.4 }, "total-blocking-time": { "numericValue": 120.0 }, "cumulative-layout-shift": { "numericValue": 0.0214 },
            "image-delivery-insight": { "title": "Improve image delivery", "metricSavings": { "LCP": 450, "FCP": 0 }, "details": { "type": "table", "debugData": { "wastedBytes": 81_000 }, "items": [{ "url": "https://shop.example/a.jpg", "wastedBytes": 81_000 }] } },
            "unused-javascript": { "title": "Reduce unused JavaScript", "details": { "type": "opportunity", "overallSavingsMs": 150, "overallSavingsBytes": 40_000, "items": [] } },
            "uses-http2": { "title": "Use HTTP/2", "details": { "type": "opportunity", "overallSavingsMs": 0 } } } } });
    if field {
        out["loadingExperience"] = json!({ "origin_fallback": true, "metrics": { "LARGEST_CONTENTFUL_PAINT_MS": { "percentile": 2_700 }, "CUMULATIVE_LAYOUT_SHIFT_SCORE": { "percentile": 7 }, "INTERACTION_TO_NEXT_PAINT": { "percentile": 150 } } });
    }
    out
}

fn connected() -> Fake {
    website().connected("con_1", "pagespeed")
}

fn measured(fake: &Fake, arguments: &Value) -> Value {
    let started = fake.call("monitoring.psi.run", arguments.clone()).expect("queued");
    while fake.work_one_step() {}
    let job = fake.jobs().get(&Id::new(started["job_ref"].as_str().expect("a job"))).expect("the job");
    job.result().unwrap_or_else(|| panic!("{:?}", job.fault()))
}

fn serving(fake: &Fake, said: Value) {
    fake.provider_serves(move |_, path, _| {
        path.starts_with("/pagespeedonline/v5/runPagespeed").then(|| (200, said.to_string().into_bytes()))
    });
}

#[test]
fn a_result_is_read_and_kept_for_its_website() {
    let fake = connected();
    serving(&fake, answer(0.62, 3_100.0, "13.0.1", true));
    let told = measured(&fake, &json!({ "urls": ["https://shop.example/", "https://elsewhere.example/"] }));
    let first = &told["results"][0];
    assert_eq!((&told["measured"], &told["stored"]), (&json!(2), &json!(1)), "{told}");
    assert_eq!(
        first["scores"],
        json!({ "performance": 62, "accessibility": null, "best_practices": null, "seo_score": 93 })
    );
    assert_eq!((&first["lab"]["lcp_ms"], &first["lab"]["cls"]), (&json!(3_100.0), &json!(0.021)));
    assert_eq!(
        (&first["field"]["p75"]["cls"], &first["field"]["assessment"], &first["field"]["of_origin"]),
        (&json!(0.07), &json!("fails"), &json!(true))
    );
    let ids: Vec<&str> =
        first["opportunities"].as_array().into_iter().flatten().filter_map(|it| it["id"].as_str()).collect();
    assert_eq!(ids, ["image-delivery-insight", "unused-javascript"], "what saves nothing is no opportunity");
    assert_eq!(
        (&first["opportunities"][0]["saved_ms"], &first["opportunities"][0]["saved_bytes"]),
        (&json!({ "lcp": 450.0 }), &json!(81_000))
    );
}

#[test]
fn a_change_is_notable_beyond_the_noise_of_laboratories() {
    let fake = connected();
    for (performance, lcp, version) in
        [(0.62, 3_000.0, "12.8.0"), (0.66, 2_900.0, "13.0.1"), (0.70, 2_800.0, "13.0.1"), (0.71, 2_200.0, "13.0.2")]
    {
        serving(&fake, answer(performance, lcp, version, false));
        measured(&fake, &json!({ "urls": ["https://shop.example/"], "site_id": SITE }));
        fake.set_now(Moment::from_millis(fake.now().millis() + 3_600_000));
    }
    let listed = fake.call("monitoring.psi.result.list", json!({ "site_id": SITE })).expect("a list");
    let verdicts: Vec<&str> = listed["results"]
        .as_array()
        .expect("results")
        .iter()
        .map(|it| it["change"]["verdict"].as_str().unwrap_or("none"))
        .collect();
    assert_eq!(verdicts, ["notable", "within_noise", "other_version", "none"], "{listed}");
    assert_eq!(listed["results"][0]["change"]["performance_points"], 1);
    let none =
        fake.call("monitoring.psi.result.list", json!({ "site_id": SITE, "strategy": "desktop" })).expect("a list");
    assert_eq!(none["total"], 0);
}

#[test]
fn the_newest_results_and_one_of_each_month_before_are_kept() {
    let fake = connected();
    serving(&fake, answer(0.6, 3_000.0, "13.0.1", false));
    for _ in 0..40 {
        measured(&fake, &json!({ "urls": ["https://shop.example/"], "site_id": SITE }));
        fake.set_now(Moment::from_millis(fake.now().millis() + 7 * 86_400_000));
    }
    let rows = fake.rows::<Measured>();
    assert!((26..=30).contains(&rows.len()), "{}", rows.len());
}

#[test]
fn what_lighthouse_refuses_is_told_and_not_asked_again() {
    let fake = connected();
    let asked = std::rc::Rc::new(std::cell::Cell::new(0));
    let kept = asked.clone();
    fake.provider_serves(move |_, _, _| {
        kept.set(kept.get() + 1);
        let said = json!({ "error": { "code": 500, "message": "Lighthouse returned error: FAILED_DOCUMENT_REQUEST. Lighthouse was unable to reliably load the page." } });
        Some((500, said.to_string().into_bytes()))
    });
    let told = measured(&fake, &json!({ "urls": ["https://shop.example/gone"] }));
    assert_eq!(
        (&told["failed"], &told["results"][0]["failure"]["code"], asked.get()),
        (&json!(1), &json!("FAILED_DOCUMENT_REQUEST"), 1),
        "{told}"
    );
    // What may pass is asked again, a few times.
    let fake = connected();
    let kept = asked.clone();
    asked.set(0);
    fake.provider_serves(move |_, _, _| {
        kept.set(kept.get() + 1);
        Some((503, b"{}".to_vec()))
    });
    let told = measured(&fake, &json!({ "urls": ["https://shop.example/"] }));
    assert_eq!((&told["failed"], asked.get()), (&json!(1), 4), "{told}");
    // One that does not answer takes nothing from the others: they are measured once.
    let fake = connected();
    let kept = asked.clone();
    asked.set(0);
    let said = answer(0.6, 3_000.0, "13.0.1", false).to_string();
    fake.provider_plays(move |it| {
        kept.set(kept.get() + 1);
        let is_slow = it.query.iter().any(|it| it.1.ends_with("/slow"));
        Some(if is_slow { Err(sdk::SendFailure::Timeout) } else { Ok((200, Vec::new(), said.clone().into_bytes())) })
    });
    let told = measured(
        &fake,
        &json!({ "urls": ["https://shop.example/slow", "https://shop.example/a", "https://shop.example/b"] }),
    );
    assert_eq!((&told["measured"], &told["failed"], asked.get()), (&json!(2), &json!(1), 6), "{told}");
    assert_eq!(told["results"][0]["url"], "https://shop.example/slow", "in the order of the call");
    // A key that Google does not know is the connection's fault, not the page's.
    let fake = connected();
    fake.provider_serves(|_, _, _| {
        let said = json!({ "error": { "code": 400, "message": "API key not valid.", "details": [{ "reason": "API_KEY_INVALID" }] } });
        Some((400, said.to_string().into_bytes()))
    });
    let started = fake.call("monitoring.psi.run", json!({ "urls": ["https://shop.example/"] })).expect("queued");
    while fake.work_one_step() {}
    let job = fake.jobs().get(&Id::new(started["job_ref"].as_str().expect("a job"))).expect("the job");
    assert_eq!(job.fault().map(|it| it.0), Some("connection_expired".to_owned()));
    assert_eq!(
        fake.refusal("monitoring.crux.get", json!({ "target": "https://shop.example/" })).code,
        "connection_expired"
    );
    let fault = fake.refusal(
        "monitoring.psi.run",
        json!({ "urls": ["https://shop.example/", "https://other.example/"], "site_id": SITE }),
    );
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("url_not_of_site", Some("/urls/1")));
}

#[test]
fn vitals_are_reported_by_template_with_what_fails() {
    let fake = connected();
    for (url, lcp) in [
        ("https://shop.example/p/1", 2_000.0),
        ("https://shop.example/p/2", 3_500.0),
        ("https://shop.example/p/3", 3_600.0),
        ("https://shop.example/", 1_500.0),
    ] {
        serving(&fake, answer(0.6, lcp, "13.0.1", false));
        measured(&fake, &json!({ "urls": [url], "site_id": SITE }));
    }
    let told = fake.call("monitoring.cwv.report", json!({ "site_id": SITE })).expect("a report");
    assert_eq!(
        (&told["pages"], &told["pass_share"], &told["failing_total"]),
        (&json!(4), &json!(0.5), &json!(2)),
        "{told}"
    );
    let of = told["segments"].as_array().expect("groups").iter().find(|it| it["urls"] == 3).expect("the products");
    assert_eq!(
        (&of["kind"], &of["pass_share"], &of["worst_metric"], &of["by_lab"]),
        (&json!("template"), &json!(0.3333), &json!("lcp"), &json!(3)),
        "{of}"
    );
    assert_eq!(told["failing_urls"][0]["basis"], "lab");
    let desktop =
        fake.call("monitoring.cwv.report", json!({ "site_id": SITE, "strategy": "desktop" })).expect("a report");
    assert_eq!((&desktop["pages"], &desktop["pass_share"]), (&json!(0), &Value::Null));
}
