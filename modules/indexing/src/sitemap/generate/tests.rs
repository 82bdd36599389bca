//! What generating sitemaps promises; what is written is read again by the reader that validates.

use std::io::Read as _;

use sdk::json;
use sdk::serde_json::Value;

use super::super::write::{Entry, Extensions, File};
use super::super::xml;
use crate::trial::{Crawl, HTML, ORIGIN, RUN, call, ended, refused, text, website};

/// What a visitor of an address sees.
fn seen(fake: &sdk::Fake, url: &Value) -> Vec<u8> {
    let share = sdk::value::Id::<sdk::Share>::new(url.as_str().unwrap().rsplit('/').next().unwrap());
    let key = fake.shares().get(&share).unwrap().key;
    fake.blobs().read(&key, 0, 8 << 20).unwrap()
}

#[test]
fn indexable_pages_are_listed_with_the_day_of_their_last_observed_change() {
    let fake = website();
    Crawl::begin(&fake, "run-0", 10).html("/a", &text("before")).html("/b", &text("same"));
    Crawl::begin(&fake, RUN, 1)
        .html("/a", &text("after"))
        .html("/b", &text("same"))
        .html("/c?x=1&y=2", "<meta property=article:modified_time content=2026-01-05T10:00:00Z><main>c</main>")
        .html("/hidden", "<meta name=robots content=noindex>")
        .answer("/gone", "link", 404, HTML, "");
    let started =
        call(&fake, "indexing.sitemap.generate", json!({ "run_ref": RUN, "base_url": ORIGIN, "gzip": false }));
    let result = ended(&fake, &started);
    assert_eq!((&result["urls"], &result["files"][0]["urls"]), (&json!(3), &json!(3)));
    assert_eq!(result["index_url"], format!("{ORIGIN}/sitemap.xml"));
    assert!(result["index_ref"].as_str().unwrap().starts_with("http"));
    let file = String::from_utf8(seen(&fake, &result["files"][0]["ref"])).unwrap();
    let read = xml::read(&file);
    assert!(read.faults.is_empty(), "{:?}", read.faults.told());
    let day = sdk::value::Moment::from_millis(fake.now().millis() - 86_400_000 - 3_600_000).day().to_string();
    let listed: Vec<(&str, Option<&str>)> =
        read.items.iter().map(|it| (it.loc.as_str(), it.lastmod.as_deref())).collect();
    let at = |path: &str| format!("{ORIGIN}{path}");
    let declared = if fake.now().day().to_string().as_str() > "2026-01-06" { Some("2026-01-05") } else { None };
    assert_eq!(
        listed,
        [(at("/a").as_str(), Some(day.as_str())), (at("/b").as_str(), None), (at("/c?x=1&y=2").as_str(), declared)]
    );
    let index = String::from_utf8(seen(&fake, &result["index_ref"])).unwrap();
    let read = xml::read(&index);
    assert_eq!((read.kind, read.items[0].loc.as_str()), (xml::Kind::Index, "https://shop.example/sitemap-1.xml"));
}

#[test]
fn pictures_and_language_versions_are_written_and_compressed() {
    let fake = website();
    let page = |own: &str, other: &str| {
        format!(
            "<link rel=alternate hreflang=en href=/en><link rel=alternate hreflang=de href=/de><main>{own}<img src=/img/{other}.jpg></main>"
        )
    };
    Crawl::begin(&fake, RUN, 1)
        .html("/en", &page("hello", "a"))
        .html("/de", &page("hallo", "b"))
        .html("/alone", "<link rel=alternate hreflang=fr href=/fr><p>x</p>");
    let arguments = json!({ "run_ref": RUN, "base_url": format!("{ORIGIN}/"), "include": ["image", "hreflang"] });
    let result = ended(&fake, &call(&fake, "indexing.sitemap.generate", arguments));
    let mut file = String::new();
    flate2::read::GzDecoder::new(&seen(&fake, &result["files"][0]["ref"])[..]).read_to_string(&mut file).unwrap();
    let read = xml::read(&file);
    assert!(read.faults.is_empty(), "{:?}", read.faults.told());
    let told: Vec<(usize, u32)> = read.items.iter().map(|it| (it.alternates.len(), it.images)).collect();
    assert_eq!(told, [(0, 0), (2, 1), (2, 1)], "a set speaks only for pages that are in it");
}

#[test]
fn a_file_ends_at_50_000_addresses_and_at_its_bytes() {
    let mut file = File::begin(Extensions::default(), 8 << 20);
    let entry = |at: usize| Entry { url: format!("{ORIGIN}/{at}"), ..Entry::default() };
    assert!((0..50_000).all(|at| file.add(&entry(at))));
    assert!(!file.add(&entry(50_000)));
    let mut small = File::begin(Extensions::default(), 400);
    let fitted = (0..50).take_while(|at| small.add(&entry(*at))).count();
    let text = small.end();
    assert!(text.len() <= 400 && fitted > 0 && xml::read(&text).items.len() == fitted);
}

#[test]
fn another_website_an_empty_crawl_and_one_that_runs_are_refused() {
    let fake = website();
    Crawl::begin(&fake, RUN, 1).answer("/gone", "link", 404, HTML, "");
    let other = json!({ "run_ref": RUN, "base_url": "https://other.example/" });
    assert_eq!(
        refused(&fake, "indexing.sitemap.generate", other),
        ("url_not_of_site".to_owned(), Some("/base_url".to_owned()))
    );
    let started = call(&fake, "indexing.sitemap.generate", json!({ "run_ref": RUN, "base_url": ORIGIN }));
    fake.work();
    let job = fake.jobs().find(&sdk::value::Id::new(started["job_ref"].as_str().unwrap())).unwrap();
    assert_eq!(job.fault().unwrap().0, "nothing_indexable");
    let record = kit::crawled::RunRecord { state: kit::crawled::RunState::Running, ..Default::default() };
    fake.put_as("running", site::Run(record));
    let running = json!({ "run_ref": "running", "base_url": ORIGIN });
    assert_eq!(refused(&fake, "indexing.sitemap.generate", running).0, "run_unfinished");
}
