//! 200 pages beside what Lighthouse 13 itself says of them in Chromium; `tests/references/lighthouse` asked it.

use std::collections::BTreeMap;
use std::io::Read as _;

use sdk::json;
use sdk::serde_json;
use serde::Deserialize;

const JUDGED: &str = include_str!("../judged.json");
const DOCUMENTS: &[u8] = include_bytes!("../../../../lib/kit/fixtures/pages.json.gz");

/// What was served, and what Lighthouse said.
#[derive(Deserialize)]
struct Judged {
    url: String,
    headers: BTreeMap<String, String>,
    robots: (u16, String),
    /// The place of a real page among the documents.
    document: Option<usize>,
    html: Option<String>,
    audits: BTreeMap<String, String>,
    score: u64,
}

#[derive(Deserialize)]
struct Document {
    html: String,
}

fn documents() -> Vec<Document> {
    let mut text = String::new();
    flate2::read::GzDecoder::new(DOCUMENTS).read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn all_audits_of_two_hundred_pages_are_those_of_lighthouse() {
    let judged: Vec<Judged> = serde_json::from_str(JUDGED).unwrap();
    let documents = documents();
    let (mut asked, mut scores, mut other) = (0, 0, Vec::new());
    for it in &judged {
        let html = it.html.as_ref().unwrap_or_else(|| &documents[it.document.unwrap()].html);
        let fake = crate::fake();
        let mut headers = vec![("content-type", "text/html; charset=utf-8")];
        headers.extend(it.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        fake.serve(&it.url, 200, &headers, html.as_bytes());
        let robots = it.url.split('/').take(3).collect::<Vec<_>>().join("/") + "/robots.txt";
        fake.serve(&robots, it.robots.0, &[("content-type", "text/plain")], it.robots.1.as_bytes());
        let checked = fake.call("audit.lighthouse_seo.check", json!({ "url": it.url })).unwrap();
        scores += usize::from(checked["score"] == it.score);
        for audit in checked["audits"].as_array().unwrap() {
            let (id, said) = (audit["id"].as_str().unwrap(), audit["outcome"].as_str().unwrap());
            asked += 1;
            if it.audits[id] != said {
                other.push(format!("{} {id}: we say {said}, it says {}", it.url, it.audits[id]));
            }
        }
    }
    println!(
        "{} of {asked} audits and {scores} of {} scores agree\n{}",
        asked - other.len(),
        judged.len(),
        other.join("\n")
    );
    assert_eq!((judged.len(), asked), (200, 2_000));
    assert!(other.len() * 100 <= asked, "{}", other.join("\n"));
}
