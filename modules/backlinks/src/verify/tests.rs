//! Verification: links are looked for where tools saw them, and what is not looked at is not judged.

use sdk::prelude::*;
use sdk::serde_json::{Value, json};
use sdk::{Failure, Fake};

use crate::trial::{SITE, ahrefs, call, import, website};

/// A page with what stands in its head and in its main part.
fn page(head: &str, main: &str) -> String {
    let text = "Lamps for desks are tested here, with light meters and patience, over the whole of a winter and then once more. ";
    format!(
        "<!doctype html><html lang=en><head><title>Desk lamps tested</title>{head}</head><body><main><p>{text}{text}{text}</p>{main}</main><footer><a href=/about>About</a></footer></body></html>"
    )
}

fn serve(fake: &Fake, url: &str, status: u16, html: &str) {
    fake.serve(url, status, &[("content-type", "text/html; charset=utf-8")], html.as_bytes());
}

fn verified(fake: &Fake, more: &Value) -> Value {
    let started = call(fake, "backlinks.verify.run", more);
    while fake.work_one_step() {}
    let job = fake.jobs().get(&Id::new(started["job_ref"].as_str().expect("a job"))).expect("the job");
    assert!(job.fault().is_none(), "{:?}", job.fault());
    job.result().unwrap_or_else(|| panic!("the verification has not ended: {:?}", job.state))
}

fn next_day(fake: &Fake) {
    fake.set_now(Moment::from_millis(fake.now().millis() + 86_400_000));
}

/// How a link of a domain stands.
fn state(fake: &Fake, domain: &str) -> Value {
    let filter = json!({ "filter": [{ "field": "domain", "op": "eq", "value": domain }] });
    call(fake, "backlinks.link.list", &filter)["links"][0].clone()
}

/// One page of every kind; what is right stands beside each.
const KINDS: [(&str, &str, &str, &str); 12] = [
    ("plain.example", "", "<a href='https://shop.example/lamps'>desk lamps</a>", "live main"),
    ("base.example", "<base href='https://shop.example/'>", "<a href='lamps'>desk lamps</a>", "live main"),
    ("www.example", "", "<a href='http://www.shop.example/lamps?utm_source=x#top'>desk lamps</a>", "live main"),
    ("image.example", "", "<a href='https://shop.example/lamps'><img src=x alt='desk lamps'></a>", "live main"),
    ("area.example", "", "<map><area href='https://shop.example/lamps' alt='desk lamps'></map>", "live main"),
    ("nav.example", "", "<nav><a href='https://shop.example/lamps'>desk lamps</a></nav>", "live nav"),
    ("canonical.example", "<link rel=alternate hreflang=de href='https://shop.example/lamps'>", "", "live -"),
    ("redirect.example", "", "<a href='https://shop.example/old-lamps'>desk lamps</a>", "live main"),
    ("short.example", "", "<a href='https://bit.ly/lamps'>desk lamps</a>", "live main"),
    ("other.example", "", "<a href='https://shop.example/chairs'>chairs</a>", "missing -"),
    ("form.example", "", "<form action='https://shop.example/lamps'><button>desk lamps</button></form>", "missing -"),
    ("comment.example", "", "<!-- <a href='https://shop.example/lamps'>desk lamps</a> -->", "missing -"),
];

fn imported(fake: &Fake, domains: &[&str]) {
    let rows: Vec<(String, &str, &str, &str)> = domains
        .iter()
        .map(|it| (format!("https://{it}/p"), "/lamps", "desk lamps", "50,false,2026-01-05,2026-08-01,"))
        .collect();
    let rows: Vec<_> = rows.iter().map(|it| (it.0.as_str(), it.1, it.2, it.3)).collect();
    import(fake, &ahrefs(&rows));
}

#[test]
fn a_link_is_found_however_the_page_makes_it_and_nothing_else_is_taken_for_one() {
    let fake = website();
    imported(&fake, &KINDS.map(|it| it.0));
    for (domain, head, main, _) in KINDS {
        serve(&fake, &format!("https://{domain}/p"), 200, &page(head, main));
    }
    for from in ["https://shop.example/old-lamps", "https://bit.ly/lamps"] {
        fake.serve(from, 301, &[("location", "https://shop.example/lamps")], b"");
    }
    serve(&fake, "https://shop.example/lamps", 200, &page("", ""));
    serve(&fake, "https://shop.example/chairs", 200, &page("", ""));
    let told = verified(&fake, &json!({}));
    assert_eq!((&told["links"], &told["live"], &told["missing"]), (&json!(12), &json!(9), &json!(3)), "{told}");
    for (domain, _, _, right) in KINDS {
        let link = state(&fake, domain);
        let placement = link["verified"]["placement"].as_str().unwrap_or("-");
        let seen = format!("{} {placement}", link["verified"]["state"].as_str().unwrap_or("?"));
        assert_eq!(seen, right, "{domain}: {link}");
    }
    let via = state(&fake, "redirect.example");
    assert_eq!(via["verified"]["via"], "https://shop.example/old-lamps");
}

#[test]
fn a_link_is_lost_when_two_days_in_a_row_do_not_find_it() {
    let fake = website();
    imported(
        &fake,
        &["gone.example", "removed.example", "moved.example", "nofollow.example", "noindex.example", "back.example"],
    );
    serve(&fake, "https://gone.example/p", 404, "");
    serve(&fake, "https://removed.example/p", 200, &page("", "nothing"));
    fake.serve("https://moved.example/p", 301, &[("location", "https://moved.example/")], b"");
    serve(&fake, "https://moved.example/", 200, &page("", "welcome"));
    let link = "<a rel='nofollow' href='https://shop.example/lamps'>the lamps</a>";
    serve(&fake, "https://nofollow.example/p", 200, &page("", link));
    let link = "<a href='https://shop.example/lamps'>desk lamps</a>";
    serve(&fake, "https://noindex.example/p", 200, &page("<meta name=robots content=noindex>", link));
    serve(&fake, "https://back.example/p", 200, &page("", "under construction"));
    let told = verified(&fake, &json!({}));
    assert_eq!((&told["live"], &told["missing"], &told["lost_total"]), (&json!(2), &json!(4), &json!(0)), "{told}");
    let changed = told["changed"].as_array().expect("changes");
    let told_of: Vec<&str> = changed.iter().filter_map(|it| it["change"].as_str()).collect();
    assert_eq!((told_of, &changed[0]["after"]), (vec!["rel", "anchor"], &json!("nofollow")), "{told}");
    // The same day says nothing new.
    verified(&fake, &json!({ "only": "all" }));
    assert_eq!(state(&fake, "removed.example")["verified"]["state"], "missing");
    next_day(&fake);
    serve(&fake, "https://back.example/p", 200, &page("", link));
    let told = verified(&fake, &json!({ "only": "all" }));
    assert_eq!((&told["live"], &told["lost_total"]), (&json!(3), &json!(3)), "{told}");
    let lost = state(&fake, "removed.example");
    assert_eq!((&lost["lost_on"], &lost["verified"]["state"]), (&json!("2026-09-20"), &json!("lost")), "{lost}");
    assert_eq!(state(&fake, "back.example")["verified"]["state"], "live");
    let report = call(&fake, "backlinks.change.report", &json!({ "from": "2026-09-01", "to": "2026-09-30" }));
    let mut causes: Vec<String> = report["lost"]
        .as_array()
        .expect("losses")
        .iter()
        .map(|it| format!("{} {}", it["domain"].as_str().unwrap_or("?"), it["cause"].as_str().unwrap_or("?")))
        .collect();
    causes.sort();
    let right = [
        "gone.example page_gone",
        "moved.example page_redirects",
        "nofollow.example nofollowed",
        "noindex.example noindexed",
        "removed.example link_removed",
    ];
    assert_eq!(causes, right);
}

#[test]
fn what_could_not_be_looked_at_is_not_judged() {
    let fake = website();
    imported(&fake, &["forbids.example", "slow.example", "scripts.example", "fails.example", "pdf.example"]);
    fake.fail("https://forbids.example/p", Failure::Disallowed);
    fake.fail("https://slow.example/p", Failure::Timeout);
    serve(
        &fake,
        "https://scripts.example/p",
        200,
        "<html><body><div id=app></div><script src=/app.js></script></body></html>",
    );
    serve(&fake, "https://fails.example/p", 503, "busy");
    fake.serve("https://pdf.example/p", 200, &[("content-type", "application/pdf")], b"%PDF-1.7");
    for _ in 0..2 {
        let told = verified(&fake, &json!({ "only": "all" }));
        assert_eq!((&told["unknown"], &told["lost_total"]), (&json!(5), &json!(0)), "{told}");
        next_day(&fake);
    }
    let report = call(&fake, "backlinks.change.report", &json!({ "from": "2026-09-01", "to": "2026-09-30" }));
    assert_eq!(
        report["lost"],
        json!([]),
        "a host that forbids the look says nothing of search engines, and nothing of the link"
    );
}

#[test]
fn a_host_that_asks_for_a_pause_is_asked_again_later() {
    let fake = website();
    imported(&fake, &["paced.example"]);
    fake.fail("https://paced.example/p", Failure::Paced(20));
    let started = call(&fake, "backlinks.verify.run", &json!({}));
    assert!(fake.work_one_step());
    serve(&fake, "https://paced.example/p", 200, &page("", "<a href='https://shop.example/lamps'>desk lamps</a>"));
    while fake.work_one_step() {}
    let job = fake.jobs().get(&Id::new(started["job_ref"].as_str().expect("a job"))).expect("the job");
    let told: Value = job.result().expect("a result");
    assert_eq!((&told["live"], &told["unknown"]), (&json!(1), &json!(0)), "{told}");
}

#[test]
fn only_what_is_old_is_looked_at_and_a_link_can_be_named() {
    let fake = website();
    imported(&fake, &["a.example", "b.example"]);
    for domain in ["a.example", "b.example"] {
        serve(
            &fake,
            &format!("https://{domain}/p"),
            200,
            &page("", "<a href='https://shop.example/lamps'>desk lamps</a>"),
        );
    }
    let first = state(&fake, "a.example")["link_ref"].clone();
    let told = verified(&fake, &json!({ "link_refs": [first] }));
    assert_eq!((&told["links"], &told["live"]), (&json!(1), &json!(1)));
    let told = verified(&fake, &json!({}));
    assert_eq!(told["links"], 1, "the other one is old: {told}");
    let refused = |more: Value| {
        let mut arguments = json!({ "site_id": SITE });
        more.as_object().into_iter().flatten().for_each(|(name, value)| arguments[name] = value.clone());
        let fault = fake.refusal("backlinks.verify.run", arguments);
        (fault.code, fault.pointer.unwrap_or_default())
    };
    assert_eq!(refused(json!({})), ("nothing_to_verify".to_owned(), "/only".to_owned()));
    let unknown = json!({ "link_refs": ["0000000000000000"] });
    assert_eq!(refused(unknown), ("link_not_found".to_owned(), "/link_refs/0".to_owned()));
    assert_eq!(refused(json!({ "only": "watched" })), ("nothing_to_verify".to_owned(), "/only".to_owned()));
    let listed =
        call(&fake, "backlinks.link.list", &json!({ "filter": [{ "field": "live", "op": "eq", "value": true }] }));
    assert_eq!(listed["total"], 2);
}

#[test]
fn a_link_that_no_tool_gave_a_target_gets_the_one_that_is_found() {
    let fake = website();
    import(&fake, "Linking page,Last crawled\nhttps://a.example/p,2026-09-10\n");
    serve(&fake, "https://a.example/p", 200, &page("", "<a href='https://shop.example/lamps'>desk lamps</a>"));
    verified(&fake, &json!({}));
    let link = state(&fake, "a.example");
    assert_eq!(
        (&link["target"], &link["anchor"]),
        (&json!("https://shop.example/lamps"), &json!("desk lamps")),
        "{link}"
    );
}
