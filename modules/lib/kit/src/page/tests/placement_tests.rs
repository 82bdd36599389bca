//! What `placement` promises on real pages whose landmarks were taken away.

use std::collections::BTreeMap;
use std::io::Read;

use serde::Deserialize;

#[derive(Deserialize)]
struct Page {
    set: String,
    html: String,
    /// The number of a link, which its address ends with, and the landmark that held it.
    labels: BTreeMap<u32, String>,
}

/// `placement.json.gz` was made by `tests/references/crawl/placement.py`.
#[test]
fn without_landmarks_nine_of_ten_links_are_still_placed_as_the_landmark_placed_them() {
    let mut json = String::new();
    let packed: &[u8] = include_bytes!("../../../fixtures/placement.json.gz");
    flate2::read::GzDecoder::new(packed).read_to_string(&mut json).expect("a fixture");
    let pages: Vec<Page> = serde_json::from_str(&json).expect("a fixture");
    let (mut right, mut all) = (0, 0);
    let mut wrong = BTreeMap::<(String, String, &str), u32>::new();
    for page in &pages {
        let facts = super::page(&page.html);
        let places: BTreeMap<&str, &str> =
            facts.links.iter().map(|link| (link.url.as_str(), link.placement.word())).collect();
        for (number, label) in &page.labels {
            let found = places[format!("https://shop.example/l/{number}").as_str()];
            all += 1;
            if found == label {
                right += 1;
            } else {
                *wrong.entry((page.set.clone(), label.clone(), found)).or_default() += 1;
            }
        }
    }
    println!("{right} of {all} links: {wrong:#?}");
    assert_eq!(all, 350);
    assert!(right * 10 >= all * 9, "{right} of {all}");
}
