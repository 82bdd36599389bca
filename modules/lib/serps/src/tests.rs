//! Result pages as the provider writes them.

use sdk::json;
use sdk::prelude::*;

use crate::{Feature, Page, SnapshotRecord, feature, normal_address, registrable, snapshot_id};

#[test]
fn a_page_has_its_organic_results_in_order_and_its_elements() {
    let page = Page::read(&json!({ "items": [
        { "type": "paid", "rank_group": 1, "rank_absolute": 1, "url": "https://ad.example/" },
        { "type": "ai_overview", "rank_group": 1, "rank_absolute": 2, "references": [
            { "type": "ai_overview_reference", "url": "https://a.example/x" }, { "url": "https://b.example/" } ] },
        { "type": "organic", "rank_group": 2, "rank_absolute": 5, "url": "https://b.example/", "title": "B", "rectangle": { "y": 812.4 } },
        { "type": "organic", "rank_group": 1, "rank_absolute": 3, "url": "https://a.example/", "title": " A  lamp ",
          "links": [{ "type": "link_element", "url": "https://a.example/y" }] },
        { "type": "people_also_ask", "rank_absolute": 4, "items": [
            { "type": "people_also_ask_element", "title": "Which lamp?", "expanded_element": [{ "url": "https://c.example/" }] } ] },
        { "type": "related_searches", "rank_absolute": 6, "items": ["lamp shop", "oil lamp"] },
        { "type": "organic", "rank_group": 0, "url": "https://none.example/" },
        { "type": "something_new", "rank_absolute": 7 },
    ] }));
    assert_eq!(
        page.results.iter().map(|it| (it.position, it.url.as_str())).collect::<Vec<_>>(),
        [(1, "https://a.example/"), (2, "https://b.example/")]
    );
    assert_eq!(
        (page.results[0].title.as_str(), page.results[0].sitelinks, page.results[1].pixels),
        ("A lamp", true, Some(812))
    );
    let of = |wanted: Feature| page.elements.iter().find(|it| it.feature == wanted).expect("an element");
    assert_eq!(of(Feature::AiOverview).urls, ["https://a.example/x", "https://b.example/"]);
    assert_eq!(of(Feature::PeopleAlsoAsk).urls, ["https://c.example/"]);
    assert_eq!(page.questions().collect::<Vec<_>>(), ["Which lamp?"]);
    assert_eq!(of(Feature::RelatedSearches).texts, ["lamp shop", "oil lamp"]);
    assert!(page.has(Feature::Ads) && page.has(Feature::Other) && !page.has(Feature::Video));
    assert!(page.features().contains(&Feature::Sitelinks));
    let snapshot = SnapshotRecord::of(&page, "81", "lamp", "google", "GB", Day::from_epoch(20_000), 10);
    assert_eq!((snapshot.items.len(), snapshot.above, snapshot.questions.len()), (2, 2, 1));
    assert_eq!(snapshot.best(|url| url.contains("b.example")).map(|it| it.position), Some(2));
    assert_eq!(Page::read(&json!(null)), Page::default());
}

#[test]
fn results_are_the_same_page_without_scheme_www_and_tracking() {
    for url in
        ["https://www.shop.example/lamps/?utm_source=x&size=2#top", "http://shop.example/lamps?size=2&srsltid=abc"]
    {
        assert_eq!(normal_address(url).as_deref(), Some("shop.example/lamps?size=2"), "{url}");
    }
    assert_eq!(normal_address("https://shop.example/"), normal_address("http://www.shop.example"));
    assert_ne!(normal_address("https://shop.example/a"), normal_address("https://shop.example/A"));
    assert_eq!((normal_address("mailto:a@b.example"), normal_address("x")), (None, None));
    assert_eq!(registrable("https://blog.shop.co.uk/x").as_deref(), Some("shop.co.uk"));
}

#[test]
fn every_kind_has_a_name_and_organic_results_are_no_feature() {
    assert_eq!(
        (feature("organic"), feature("local_pack"), feature("x")),
        (None, Some(Feature::LocalPack), Some(Feature::Other))
    );
    assert_eq!(Feature::AiOverview.name(), "ai_overview");
    assert!(Feature::Shopping.takes_clicks() && !Feature::PeopleAlsoAsk.takes_clicks());
    assert_eq!(snapshot_id("t", "a").len(), 26);
    assert_ne!(snapshot_id("t", "a"), snapshot_id("t", "b"));
}
