//! What `similarity` has to do, sentence by sentence.

use sdk::json;

use crate::tests::{GUIDE, PAGE, host};

const TEXT: &str =
    "A brass lamp lasts for a lifetime when it is made well and cleaned with care by its owner every spring.";

#[test]
fn texts_are_identical_overlapping_or_different() {
    let verdict = |b: &str| host().call("onpage.similarity.compare", json!({ "a": TEXT, "b": b })).unwrap();
    let same = verdict(&TEXT.to_uppercase());
    assert_eq!(
        (&same["verdict"], &same["simhash_distance"], &same["jaccard"]),
        (&json!("identical"), &json!(0), &json!(1.0))
    );
    let half = verdict(&format!("{} This sentence is new and says something else about tables.", &TEXT[..60]));
    assert_eq!(half["verdict"], "overlapping", "{half}");
    assert_eq!(half["shared_passages"][0]["at_a"], 0);
    let other = verdict("Rain is expected tomorrow in the north, with strong winds near the coast.");
    assert_eq!((&other["verdict"], &other["shared_passages"]), (&json!("different"), &json!([])));
}

#[test]
fn two_addresses_of_one_page_are_identical_and_what_to_do_is_said() {
    let fake = host().serving("https://shop.example/copy", PAGE);
    let data = fake.call("onpage.similarity.compare", json!({ "a": GUIDE, "b": "https://shop.example/copy" })).unwrap();
    assert_eq!(data["verdict"], "identical");
    assert_eq!(data["b"]["page"]["final_url"], "https://shop.example/copy");
    assert_eq!(data["next"][0]["operation_id"], "onpage.page.compare");
}

#[test]
fn the_side_at_fault_is_named() {
    let fault = host().refusal("onpage.similarity.compare", json!({ "a": TEXT, "b": "https://nowhere.example/" }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("page_unreachable", Some("/b")));
    let fault = host().refusal("onpage.similarity.compare", json!({ "a": "...", "b": TEXT }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("too_little_text", Some("/a")));
}
