//! What `snippet` has to do, sentence by sentence.

use sdk::json;

use crate::tests::host;

#[test]
fn a_title_that_fits_is_shown_whole_with_its_breadcrumb() {
    let data = host()
        .call(
            "onpage.snippet.preview",
            json!({ "title": "Brass desk lamps for every room", "url": "https://www.shop.example/lamps/desk?x=1" }),
        )
        .unwrap();
    assert_eq!(data["preview"]["desktop"]["title"], "Brass desk lamps for every room");
    assert_eq!(data["preview"]["desktop"]["breadcrumb"], "shop.example › lamps › desk");
    assert_eq!(data["truncated"]["desktop"], json!({ "title": false, "description": false }));
    assert_eq!(data["warnings"], json!([]));
}

#[test]
fn a_cut_title_loses_its_brand_and_its_query_and_says_what_to_do() {
    let title =
        "The complete and very long guide to everything that anybody may want to know about a brass lamp | Lampshop";
    let arguments =
        json!({ "title": title, "description": "", "url": "https://shop.example/", "keyword": "brass lamps" });
    let data = host().call("onpage.snippet.preview", arguments).unwrap();
    let codes: Vec<&str> = data["warnings"].as_array().unwrap().iter().map(|it| it["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["title_truncated", "keyword_cut", "brand_cut", "description_missing"]);
    assert!(data["title_px"].as_f64().unwrap() > 580.0);
    assert_eq!(
        data["warnings"][0]["fix"]["arguments"],
        json!({ "url": "https://shop.example/", "keyword": "brass lamps" })
    );
    assert!(data["preview"]["desktop"]["title"].as_str().unwrap().ends_with(" ..."));
}

#[test]
fn nothing_to_measure_is_refused() {
    assert_eq!(host().refusal("onpage.snippet.preview", json!({})).code, "nothing_to_measure");
    assert_eq!(host().refusal("onpage.snippet.preview", json!({ "title": "x".repeat(301) })).code, "invalid_arguments");
}
