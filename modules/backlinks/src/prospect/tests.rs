//! Prospects: pages of the wanted kind and topic, of domains that do not link yet.

use sdk::Fake;
use sdk::prelude::*;
use sdk::serde_json::{Value, json};

use crate::trial::{SITE, ahrefs, call, import, website};

fn found(fake: &Fake, more: &Value) -> Value {
    let started = call(fake, "backlinks.prospect.find", more);
    while fake.work_one_step() {}
    let job = fake.jobs().get(&Id::new(started["job_ref"].as_str().expect("a job"))).expect("the job");
    job.result().unwrap_or_else(|| panic!("{:?}", job.fault()))
}

/// A provider that finds these pages for everything.
fn results(fake: &Fake, urls: &'static [&'static str]) {
    fake.provider_serves(move |_, _, _| {
        let items: Vec<Value> = (1..).zip(urls).map(|(at, url)| json!({ "type": "organic", "rank_group": at, "url": url, "title": "x" })).collect();
        let answer = json!({ "status_code": 20_000, "tasks": [{ "status_code": 20_000, "id": "1", "cost": 0.01, "result": [{ "items": items }] }] });
        Some((200, answer.to_string().into_bytes()))
    });
}

fn page(title: &str, main: &str, more: &str) -> String {
    let filler = "Here stands a paragraph that is long enough to be taken for content by whoever reads it. ".repeat(5);
    format!(
        "<html lang=en><head><title>{title}</title></head><body><main><h1>{title}</h1><p>{filler}</p>{main}</main>{more}</body></html>"
    )
}

fn links(from: usize, count: usize) -> String {
    (from..from + count)
        .map(|at| format!("<p>Read <a href='https://out{at}.example/'>what out{at} says</a> about it.</p>"))
        .collect()
}

#[test]
fn resource_pages_of_the_topic_are_found_and_others_left_out() {
    let fake = website().connected("con_1", "dataforseo");
    import(&fake, &ahrefs(&[("https://known.example/p", "/", "x", "50,false,2026-01-05,2026-08-01,")]));
    results(
        &fake,
        &[
            "https://good.example/links",
            "https://few.example/links",
            "https://off.example/links",
            "https://known.example/links",
            "https://linking.example/links",
            "https://shop.example/links",
            "https://rival.example/links",
            "https://gone.example/links",
        ],
    );
    let html = |url: &str, body: &str| fake.serve(url, 200, &[("content-type", "text/html")], body.as_bytes());
    html(
        "https://good.example/links",
        &page("Desk lamp resources", &links(0, 30), "<footer><a href='/contact'>Contact</a></footer>"),
    );
    html("https://few.example/links", &page("Desk lamp resources", &links(0, 4), ""));
    html("https://off.example/links", &page("Cooking with garlic", &links(0, 30), ""));
    html(
        "https://linking.example/links",
        &page("Desk lamps", &format!("{}<a href='https://shop.example/'>Lamp Shop</a>", links(0, 30)), ""),
    );
    let told = found(
        &fake,
        &json!({ "type": "resource", "topic": "desk lamps", "country": "GB", "exclude": ["rival.example"] }),
    );
    let prospects = told["prospects"].as_array().expect("prospects");
    assert_eq!(
        (prospects.len(), &prospects[0]["url"], &prospects[0]["fit"]),
        (1, &json!("https://good.example/links"), &json!(100)),
        "{told}"
    );
    assert_eq!(
        (&told["left_out"], &told["unfit_pages"], &told["unread_pages"]),
        (&json!(2), &json!(3), &json!(1)),
        "{told}"
    );
    assert_eq!(prospects[0]["contact_url"], "https://good.example/contact");
    assert_eq!(fake.rows::<super::stored::Prospect>().len(), 1);
    found(&fake, &json!({ "type": "resource", "topic": "desk lamps", "country": "GB", "exclude": ["rival.example"] }));
    assert_eq!(fake.rows::<super::stored::Prospect>().len(), 1, "found again is not another one");
}

#[test]
fn dead_links_of_a_page_are_asked_twice_before_they_are_called_so() {
    let fake = website().connected("con_1", "dataforseo");
    results(&fake, &["https://dead.example/links", "https://alive.example/links"]);
    let html = |url: &str, body: &str| fake.serve(url, 200, &[("content-type", "text/html")], body.as_bytes());
    html("https://dead.example/links", &page("Desk lamp links", &links(0, 12), ""));
    html("https://alive.example/links", &page("Desk lamp links", &links(40, 12), ""));
    for at in (0..12).chain(40..52) {
        let status = if at == 3 { 404 } else { 200 };
        fake.serve(&format!("https://out{at}.example/"), status, &[("content-type", "text/html")], b"<p>x");
    }
    let told = found(&fake, &json!({ "type": "broken", "topic": "desk lamp", "country": "GB" }));
    let prospects = told["prospects"].as_array().expect("prospects");
    assert_eq!((prospects.len(), &prospects[0]["dead_links"]), (1, &json!(["https://out3.example/"])), "{told}");
}

#[test]
fn each_type_is_told_by_what_its_pages_say() {
    let cases = [
        ("guest", "Write for us about lamps", "<p>Our submission guidelines.</p>", ""),
        (
            "directory",
            "Directory of lamps",
            "<p>Add your business here.</p>",
            "<form action=/add><input name=url></form>",
        ),
        (
            "citer",
            "Lamps in figures",
            "<p>According to a survey, 43 % of lamps are old. A study of 2025 found that 7 of 10 people read by one. <a href='https://out1.example/'>Source</a></p>",
            "",
        ),
        ("supplier", "Lamps: where to buy", "<p>Our stockists.</p>", ""),
    ];
    for (kind, title, main, more) in cases {
        let fake = website().connected("con_1", "dataforseo");
        results(&fake, &["https://a.example/yes", "https://b.example/no"]);
        fake.serve("https://a.example/yes", 200, &[("content-type", "text/html")], page(title, main, more).as_bytes());
        fake.serve(
            "https://b.example/no",
            200,
            &[("content-type", "text/html")],
            page("Lamps", "<p>About lamps.</p>", "").as_bytes(),
        );
        let told = found(&fake, &json!({ "type": kind, "topic": "lamps", "country": "GB" }));
        let prospects = told["prospects"].as_array().expect("prospects");
        assert_eq!((prospects.len(), &prospects[0]["url"]), (1, &json!("https://a.example/yes")), "{kind}: {told}");
    }
}

#[test]
fn what_cannot_be_searched_is_refused_at_its_place() {
    let fake = website();
    let fault = fake.refusal(
        "backlinks.prospect.find",
        json!({ "site_id": SITE, "type": "guest", "topic": "lamps", "country": "GB" }),
    );
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("connection_required", Some("/site_id")));
    let fake = website().connected("con_1", "dataforseo");
    let fault = fake.refusal("backlinks.prospect.find", json!({ "site_id": SITE, "type": "guest", "topic": "lamps" }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("country_required", Some("/country")));
    fake.provider_serves(|_, _, _| {
        let answer = json!({ "status_code": 20_000, "tasks": [{ "status_code": 40_210, "status_message": "Insufficient Funds.", "cost": 0 }] });
        Some((200, answer.to_string().into_bytes()))
    });
    let started =
        call(&fake, "backlinks.prospect.find", &json!({ "type": "guest", "topic": "lamps", "country": "GB" }));
    while fake.work_one_step() {}
    let job = fake.jobs().get(&Id::new(started["job_ref"].as_str().expect("a job"))).expect("the job");
    assert_eq!(job.fault().map(|it| it.0), Some("provider_quota_exhausted".to_owned()));
}
