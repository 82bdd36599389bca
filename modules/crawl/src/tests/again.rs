//! What fetching a part of a crawl again promises, as tests.

use super::*;

fn crawled() -> (Fake, String) {
    let fake = fake();
    serve(
        &fake,
        &[
            ("/", "<title>Home</title><a href=/broken>b</a><a href=/fine>f</a>"),
            ("/fine", "<title>Fine</title><p>old words<a href=/x>x</a><a href=https://a.example/>a</a>"),
            ("/x", "<p>x"),
        ],
    );
    fake.serve("https://shop.example/robots.txt", 200, &[], b"Sitemap: /map.xml\nUser-agent: *\nDisallow: /no\n");
    fake.serve("https://shop.example/map.xml", 200, &[], b"<urlset></urlset>");
    fake.serve("https://shop.example/broken", 500, &[("content-type", "text/html")], b"oops");
    fake.serve("https://a.example/robots.txt", 404, &[], b"");
    fake.serve("https://a.example/", 200, &[], b"");
    let run = crawl(&fake, json!({}));
    (fake, run)
}

#[test]
fn what_failed_is_fetched_again_into_the_same_crawl() {
    let (fake, run) = crawled();
    let before = get(&fake, &run);
    assert_eq!((before["totals"]["errors"].as_u64(), before["status_counts"]["500"].as_u64()), (Some(1), Some(1)));
    serve(&fake, &[("/broken", "<title>Mended</title><p>mended words<a href=/fresh>new</a>")]);
    let again = fake.call("crawl.run.recrawl", json!({ "run_ref": run })).expect("a job");
    assert_eq!((again["queued"].as_u64(), again["reserved_credits"].as_f64()), (Some(1), Some(5.0)));
    let asked = fake.requested().len();
    fake.work();
    let new: Vec<String> = fake.requested().split_off(asked);
    assert_eq!(new.iter().filter(|url| url.starts_with(ORIGIN)).collect::<Vec<_>>(), ["https://shop.example/broken"]);
    let after = get(&fake, &run);
    assert_eq!(after["state"], "succeeded");
    assert_eq!(
        (after["totals"]["errors"].as_u64(), after["totals"]["fetched"].as_u64()),
        (Some(0), before["totals"]["fetched"].as_u64())
    );
    assert_eq!(after["status_counts"], json!({ "200": 4 }));
    assert_eq!(after["totals"]["queued"], 1, "what is newly linked is known, not fetched");
    assert!(after["recrawled_at"].is_string());
    let did = json!({ "chosen": 1, "fetched": 1, "errors": 0, "changed": 1, "added": 0, "stopped": false });
    assert_eq!(after["recrawled"], did);
    for member in ["finished_at", "started_at", "stop_reason"] {
        assert_eq!(after[member], before[member], "{member}");
    }
    let page =
        fake.call("crawl.page.get", json!({ "run_ref": run, "url": "https://shop.example/broken" })).expect("the page");
    assert_eq!((page["page"]["status"].as_u64(), page["head"]["title"].as_str()), (Some(200), Some("Mended")));
    let found = fake.call("crawl.page.search", json!({ "run_ref": run, "query": "mended" })).expect("hits");
    assert_eq!(found["hits"][0]["url"], "https://shop.example/broken");
    assert_eq!(fake.refusal("crawl.run.recrawl", json!({ "run_ref": run })).code, "nothing_failed");
}

#[test]
fn links_and_texts_of_a_page_are_replaced_and_counted_once() {
    let (fake, run) = crawled();
    let before = get(&fake, &run);
    serve(&fake, &[("/fine", "<title>Fine</title><p>other text<a href=/x>x</a>"), ("/added", "<p>added")]);
    let urls = json!(["https://shop.example/fine", "https://shop.example/added", "https://shop.example/fine#top"]);
    let again = fake.call("crawl.run.recrawl", json!({ "run_ref": run, "urls": urls })).expect("a job");
    assert_eq!(again["queued"], 2);
    fake.work();
    let after = get(&fake, &run);
    let total = |view: &Value, name: &str| view["totals"][name].as_u64().expect("a number");
    assert_eq!(total(&after, "links"), total(&before, "links") - 1);
    assert_eq!(total(&after, "internal_links"), total(&before, "internal_links"));
    assert_eq!(total(&after, "fetched"), total(&before, "fetched") + 1);
    let links =
        fake.call("crawl.link.list", json!({ "run_ref": run, "source": "https://shop.example/fine" })).expect("links");
    assert_eq!(links["total"], 1);
    for (query, hits) in [("old", 0), ("other", 1)] {
        for mode in ["bm25", "literal"] {
            let found =
                fake.call("crawl.page.search", json!({ "run_ref": run, "query": query, "mode": mode })).expect("hits");
            assert_eq!(found["hits"].as_array().map(Vec::len), Some(hits), "{query} {mode}");
        }
    }
    let mut seqs: Vec<u64> = fake.rows::<Page>().iter().map(|page| page.0.seq).collect();
    seqs.sort_unstable();
    assert_eq!(seqs, (1..=seqs.len() as u64).collect::<Vec<_>>());
}

#[test]
fn what_a_sitemap_says_changed_is_fetched_again() {
    let (fake, run) = crawled();
    let map = "<urlset><url><loc>https://shop.example/fine</loc><lastmod>2026-09-29T01:00:00+01:00</lastmod></url>\
               <url><loc>https://shop.example/x</loc><lastmod>2026-09-01</lastmod></url></urlset>";
    fake.serve("https://shop.example/map.xml", 200, &[], map.as_bytes());
    let again = fake.call("crawl.run.recrawl", json!({ "run_ref": run, "only": "changed_lastmod" })).expect("a job");
    assert!(again["queued"].is_null());
    let asked = fake.requested().len();
    fake.work();
    let new: Vec<String> = fake.requested().split_off(asked);
    assert!(
        new.contains(&"https://shop.example/fine".to_owned()) && !new.contains(&"https://shop.example/x".to_owned())
    );
}

#[test]
fn a_part_that_cannot_be_fetched_again_is_refused() {
    let (fake, run) = crawled();
    let refused = |arguments: Value| {
        let fault = fake.refusal("crawl.run.recrawl", arguments);
        (fault.code, fault.pointer)
    };
    assert_eq!(refused(json!({ "run_ref": run, "only": "listed" })), ("urls_missing".into(), Some("/urls".into())));
    let off = json!({ "run_ref": run, "urls": ["https://shop.example/", "https://other.example/"] });
    assert_eq!(refused(off), ("url_off_site".into(), Some("/urls/1".into())));
    assert_eq!(refused(json!({ "run_ref": "none" })).0, "run_not_found");
    start(&fake, json!({ "max_pages": 1 }));
    let running = fake.rows::<Run>().last().expect("a run").id.as_str().to_owned();
    assert_eq!(refused(json!({ "run_ref": running })).0, "crawl_running");
}

#[test]
fn a_crawl_that_was_stopped_can_be_taken_up_in_part_and_stopped_again() {
    let fake = fake();
    let home: String = (0..70).map(|n| format!("<a href=/p{n}>p</a>")).collect();
    serve(&fake, &[("/", &home)]);
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    for n in 0..70 {
        fake.serve(&format!("{ORIGIN}/p{n}"), 404, &[], b"");
    }
    let run = start(&fake, json!({}));
    fake.work_one_step();
    fake.call("crawl.run.stop", json!({ "run_ref": run })).expect("it stops");
    fake.work();
    assert_eq!(get(&fake, &run)["state"], "cancelled");
    fake.call("crawl.run.recrawl", json!({ "run_ref": run })).expect("a job");
    let asked = fake.requested().len();
    fake.work_one_step();
    fake.call("crawl.run.stop", json!({ "run_ref": run })).expect("it stops again");
    fake.work();
    assert_eq!(get(&fake, &run)["state"], "cancelled");
    assert!(fake.requested().len() - asked <= 51);
}
