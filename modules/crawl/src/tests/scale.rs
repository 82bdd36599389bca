//! What the work at the end of a large crawl promises, as tests: it is cut into steps, and nothing is lost between them.

use super::*;

/// A site of so many pages, fifty links each.
fn large(pages: usize) -> (Fake, String) {
    let fake = fake();
    for n in 0..pages {
        let links: String =
            (1..=20).map(|step| format!("<a href=/s{}/p{}>l</a>", (n + step) % 7, (n * 3 + step) % pages)).collect();
        let html = format!("<title>Page {n}</title><main><p>page number{n} of the large site{links}</main>");
        for section in 0..7 {
            serve(&fake, &[(&format!("/s{section}/p{n}"), &html)]);
        }
    }
    serve(&fake, &[("/", "<a href=/s0/p0>start</a>")]);
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    let run = crawl(&fake, json!({ "max_pages": 1000, "max_depth": 50 }));
    (fake, run)
}

#[test]
fn a_thousand_pages_are_summarised_in_several_steps() {
    let (fake, run) = large(300);
    let view = get(&fake, &run);
    assert_eq!((view["state"].as_str(), view["totals"]["fetched"].as_u64()), (Some("succeeded"), Some(1_000)));
    assert!(fake.rows::<Run>()[0].0.packs >= 20);
    let found = fake.call("crawl.page.search", json!({ "run_ref": run, "query": "large" })).expect("hits");
    assert_eq!((found["total"].as_u64(), found["looked_at"].as_u64()), (Some(999), Some(1_000)), "{found}");
    let tree = fake.call("crawl.structure.get", json!({ "run_ref": run })).expect("a tree");
    assert_eq!(tree["tree"][0]["pages"], 1_000);
    let authority = tree["tree"][0]["authority"].as_f64().expect("a share");
    assert!((authority - 1.0).abs() < 1e-4, "{authority}");
    let same = fake.call("crawl.run.compare", json!({ "run_a": run, "run_b": run })).expect("nothing");
    assert_eq!((same["summary"]["common"].as_u64(), same["summary"]["unchanged"].as_u64()), (Some(1_000), Some(1_000)));
}
