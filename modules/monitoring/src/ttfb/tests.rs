//! Samples of first bytes: plain requests and such that no cache knows, and pauses that are kept.

use sdk::serde_json::json;

use crate::trial::website;

#[test]
fn plain_requests_alternate_with_such_that_no_cache_knows() {
    let fake = website();
    fake.web_plays(|url| {
        let hit = if url.contains("espalier=") { "MISS" } else { "HIT" };
        Some((
            200,
            vec![("cf-cache-status".to_owned(), hit.to_owned()), ("content-type".to_owned(), "text/html".to_owned())],
            b"<p>x".to_vec(),
        ))
    });
    let told = fake
        .call("monitoring.ttfb.sample", json!({ "url": "https://shop.example/a?b=1", "samples": 5 }))
        .expect("an answer");
    assert_eq!(
        (&told["samples"], &told["cached_vs_origin"]["is_cached"], &told["status"]),
        (&json!(5), &json!(true), &json!(200)),
        "{told}"
    );
    let asked = fake.requested();
    let busted = asked.iter().filter(|it| it.contains("?b=1&espalier=")).count();
    assert_eq!((asked.len(), busted), (6, 2), "one more is not counted: {asked:?}");
    let fault = fake.refusal("monitoring.ttfb.sample", json!({ "url": "https://shop.example/", "samples": 2 }));
    assert_eq!(fault.pointer.as_deref(), Some("/samples"));
}

#[test]
fn an_address_that_does_not_answer_is_refused() {
    let fake = website();
    fake.fail("https://shop.example/", sdk::Failure::Unreachable);
    let fault = fake.refusal("monitoring.ttfb.sample", json!({ "url": "https://shop.example/" }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("page_unreachable", Some("/url")));
    fake.fail("https://shop.example/", sdk::Failure::Paced(120));
    assert_eq!(fake.refusal("monitoring.ttfb.sample", json!({ "url": "https://shop.example/" })).code, "host_paced");
}
