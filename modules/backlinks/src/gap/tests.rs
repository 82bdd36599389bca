//! Gaps: domains that link to competitors are ranked, and those that link to the website are left out.

use sdk::Fake;
use sdk::prelude::*;
use sdk::serde_json::{Value, json};

use crate::trial::{SITE, ahrefs, call, import, website};

fn analysed(fake: &Fake, more: &Value) -> Value {
    let started = call(fake, "backlinks.gap.analyze", more);
    while fake.work_one_step() {}
    let job = fake.jobs().get(&Id::new(started["job_ref"].as_str().expect("a job"))).expect("the job");
    job.result().unwrap_or_else(|| panic!("{:?}", job.fault()))
}

/// Imports links of these domains to a competitor.
fn imported(fake: &Fake, rival: &str, domains: &[(&str, u8)]) {
    let mut csv = "Referring page URL,Target URL,Anchor,Domain rating,Nofollow,First seen,Last seen,Lost\n".to_owned();
    for (domain, rating) in domains {
        csv.push_str(&format!("https://{domain}/p,https://{rival}/,x,{rating},false,2026-01-01,2026-09-01,\n"));
    }
    call(fake, "backlinks.import.run", &json!({ "csv": csv, "of": rival }));
    while fake.work_one_step() {}
}

fn told(it: &Value) -> Vec<String> {
    let all = it["prospects"].as_array().expect("prospects").iter();
    all.map(|it| {
        format!(
            "{} {} {}",
            it["domain"].as_str().unwrap_or("?"),
            it["linked_competitors"].as_array().map_or(0, Vec::len),
            it["rating"]
        )
    })
    .collect()
}

#[test]
fn imported_profiles_of_competitors_are_compared_with_the_own_one() {
    let fake = website();
    import(&fake, &ahrefs(&[("https://ours.example/p", "/", "x", "50,false,2026-01-05,2026-08-01,")]));
    imported(
        &fake,
        "lumen.example",
        &[("both.example", 30), ("one.example", 90), ("ours.example", 50), ("strong.example", 70)],
    );
    imported(
        &fake,
        "brass.example",
        &[("both.example", 35), ("strong.example", 60), ("lumen.example", 20), ("ours.example", 50)],
    );
    let competitors = json!(["lumen.example", "www.brass.example"]);
    let found = analysed(&fake, &json!({ "competitors": competitors }));
    assert_eq!(told(&found), ["strong.example 2 70", "both.example 2 35"], "{found}");
    assert_eq!(
        (&found["already_linking"], &found["prospects"][0]["examples"]),
        (&json!(1), &json!(["https://strong.example/p"]))
    );
    let all = analysed(&fake, &json!({ "competitors": competitors, "min_competitors": 1 }));
    assert_eq!(
        told(&all),
        ["strong.example 2 70", "both.example 2 35", "one.example 1 90"],
        "a competitor is no prospect"
    );
    // The own profile is not changed by those of competitors.
    assert_eq!(call(&fake, "backlinks.profile.get", &json!({}))["totals"]["links"], 1);
}

#[test]
fn the_provider_is_asked_where_it_is_connected() {
    let fake = website().connected("con_1", "dataforseo");
    fake.provider_serves(|_, path, body| {
        assert!(path.ends_with("backlinks/domain_intersection/live"), "{path}");
        let task: Value = sdk::serde_json::from_slice::<Value>(body).ok()?[0].clone();
        assert_eq!((&task["targets"], &task["exclude_targets"], &task["intersection_mode"]), (&json!({ "1": "lumen.example", "2": "brass.example" }), &json!(["shop.example"]), &json!("partial")));
        let of = |host: &str, ranks: [Option<u64>; 2]| {
            let per: sdk::serde_json::Map<String, Value> = ranks.iter().enumerate().map(|(at, rank)| {
                ((at + 1).to_string(), rank.map_or(Value::Null, |rank| json!({ "target": host, "rank": rank, "backlinks": 2 })))
            }).collect();
            json!({ "domain_intersection": per, "summary": { "intersections_count": ranks.iter().flatten().count() } })
        };
        let items = [of("a.example", [Some(10), Some(12)]), of("b.example", [Some(40), Some(3)]), of("c.example", [Some(80), None])];
        let answer = json!({ "status_code": 20_000, "tasks": [{ "status_code": 20_000, "id": "1", "cost": 0.05, "result": [{ "total_count": 3, "items": items }] }] });
        Some((200, answer.to_string().into_bytes()))
    });
    let found = analysed(&fake, &json!({ "competitors": ["lumen.example", "brass.example"] }));
    assert_eq!(told(&found), ["b.example 2 40", "a.example 2 12"], "{found}");
    assert_eq!(
        (&found["provider_cost"]["amount"], &found["degraded"][0]["what"]),
        (&json!("0.050000"), &json!("own_links"))
    );
}

#[test]
fn what_cannot_be_compared_is_refused_at_its_place() {
    let fake = website();
    let cases = [
        (json!({ "competitors": ["a.example"] }), "too_many_competitors", "/min_competitors"),
        (json!({ "competitors": ["a.example", "www.a.example"] }), "competitor_twice", "/competitors/1"),
        (json!({ "competitors": ["a.example", "blog.shop.example"] }), "own_domain", "/competitors/1"),
        (json!({ "competitors": ["a.example", "b.example"] }), "links_not_imported", "/competitors/0"),
        (json!({ "competitors": ["a.example", "b.example"], "source": "provider" }), "connection_required", "/source"),
    ];
    for (mut arguments, code, pointer) in cases {
        arguments["site_id"] = json!(SITE);
        let fault = fake.refusal("backlinks.gap.analyze", arguments);
        assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), (code, Some(pointer)));
    }
}
