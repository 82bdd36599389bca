//! What a crawl records of a made site of five hundred pages, beside a walk written apart from it.

use std::collections::BTreeMap;
use std::io::Read;

use serde::Deserialize;

use super::*;

/// `site.json.gz` was made by `tests/references/crawl/site.py`.
#[derive(Deserialize)]
struct Made {
    robots: String,
    exclude: Vec<String>,
    pages: BTreeMap<String, Answer>,
    /// Addresses and statuses.
    found: Vec<(String, u16)>,
    /// Source, target, text, and how often.
    links: Vec<(String, String, String, u32)>,
}

#[derive(Deserialize)]
struct Answer {
    status: u16,
    location: Option<String>,
    html: String,
}

fn unpacked(packed: &[u8]) -> String {
    let mut json = String::new();
    flate2::read::GzDecoder::new(packed).read_to_string(&mut json).expect("a fixture");
    json
}

#[test]
fn a_site_of_five_hundred_pages_with_traps_is_recorded_to_the_last_link() {
    let made: Made = serde_json::from_str(&unpacked(include_bytes!("../../fixtures/site.json.gz"))).expect("a fixture");
    let fake = fake();
    let robots = made.robots.as_bytes();
    fake.serve(&format!("{ORIGIN}/robots.txt"), 200, &[("content-type", "text/plain")], robots);
    fake.serve("http://www.shop.example/robots.txt", 200, &[("content-type", "text/plain")], robots);
    for (path, answer) in &made.pages {
        let url = if path.starts_with('/') { format!("{ORIGIN}{path}") } else { path.clone() };
        let mut headers = vec![("content-type", "text/html; charset=utf-8")];
        headers.extend(answer.location.as_deref().map(|it| ("location", it)));
        fake.serve(&url, answer.status, &headers, answer.html.as_bytes());
    }
    let run = crawl(&fake, json!({ "max_pages": 2000, "exclude": made.exclude, "check_external": false }));
    assert_eq!(get(&fake, &run)["stop_reason"], "completed");

    let mut found: Vec<(String, u16)> =
        fake.rows::<Page>().into_iter().map(|page| (page.it.0.url, page.it.0.status)).collect();
    found.sort();
    assert!(made.found.iter().filter(|(_, status)| *status == 200).count() >= 500);
    for (own, wanted) in found.iter().zip(&made.found) {
        assert_eq!(own, wanted);
    }
    assert_eq!(found.len(), made.found.len());

    let mut links = BTreeMap::<(String, String, String), u32>::new();
    for row in fake.rows::<Linked>() {
        let link = row.it.0;
        *links.entry((link.source, link.target, link.anchor)).or_default() += 1;
    }
    let links: Vec<_> = links.into_iter().map(|((from, to, text), count)| (from, to, text, count)).collect();
    for (own, wanted) in links.iter().zip(&made.links) {
        assert_eq!(own, wanted);
    }
    assert_eq!(links.len(), made.links.len());

    // Ten a second were asked for: never more than 5 % above.
    let asked = fake.requested().len() as u64;
    assert!(fake.elapsed() * 105 >= (asked - 1) * 100 * 100, "{asked} in {}", fake.elapsed());
}

/// `robots.json.gz` was made by `tests/references/crawl/robots.py`.
#[test]
fn robots_files_are_read_as_by_googles_matcher() {
    type File = (String, Vec<(String, bool)>);
    let files: Vec<File> =
        serde_json::from_str(&unpacked(include_bytes!("../../fixtures/robots.json.gz"))).expect("a fixture");
    let (mut compared, mut wrong) = (0, Vec::new());
    for (file, answers) in files {
        let robots = kit::robots::Robots::parse(file.as_bytes(), "FooBot");
        compared += answers.len();
        let other = answers.into_iter().filter(|(url, allowed)| robots.allows(url) != *allowed);
        wrong.extend(other.map(|(url, allowed)| format!("{url} is allowed: {allowed}\n{file}")));
    }
    assert!(compared >= 2_000, "{compared}");
    assert!(wrong.is_empty(), "{} of {compared}: {}", wrong.len(), wrong.join("\n\n"));
}
