//! What `render_risk` has to do, sentence by sentence.

use sdk::json;

use crate::tests::{GUIDE, host, html};

#[test]
fn a_page_whose_text_is_in_the_source_is_at_low_risk() {
    let data = host().call("onpage.render_risk.check", json!({ "url": GUIDE })).unwrap();
    assert_eq!((&data["risk"], &data["signals"], &data["advice"]), (&json!("low"), &json!([]), &json!([])));
    assert!(data["source_words"].as_u64().unwrap() > 150 && data["source_links"].as_u64().unwrap() > 5);
}

#[test]
fn an_empty_root_with_its_content_in_data_is_at_high_risk() {
    let data = format!(
        "<script id=__NEXT_DATA__ type=application/json>{{\"text\":\"{}\"}}</script>",
        "many words of prose ".repeat(60)
    );
    let page = html(
        "",
        &format!(
            "<noscript>You need to enable JavaScript to run this app.</noscript><div id=root></div>{data}<script>{}</script>",
            "x();".repeat(2_000)
        ),
    );
    let fake = host().serving("https://app.example/", &page);
    let found = fake.call("onpage.render_risk.check", json!({ "url": "https://app.example/" })).unwrap();
    assert_eq!(found["risk"], "high");
    let kinds: Vec<&str> = found["signals"].as_array().unwrap().iter().map(|it| it["kind"].as_str().unwrap()).collect();
    for kind in [
        "empty_root",
        "few_words",
        "few_links",
        "more_script_than_text",
        "missing_heading",
        "content_in_data",
        "asks_for_script",
    ] {
        assert!(kinds.contains(&kind), "{kind}: {kinds:?}");
    }
    assert!(!found["advice"].as_array().unwrap().is_empty());
}
