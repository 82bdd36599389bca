//! What `keyword` has to do, sentence by sentence.

use sdk::json;

use crate::tests::{GUIDE, host, html};

#[test]
fn a_query_is_counted_in_every_place_in_any_inflection() {
    let data = host()
        .call("onpage.keyword.usage", json!({ "url": GUIDE, "keywords": ["brass lamp", "wooden table"] }))
        .unwrap();
    let row = &data["rows"][0];
    let places = &row["locations"];
    for place in ["url", "title", "description", "h1", "headings", "first_100_words", "body"] {
        assert!(places[place].as_u64().unwrap() >= 1, "{place}: {row}");
    }
    assert!(row["stem"].as_u64() > row["exact"].as_u64(), "{row}");
    assert!(row["prominence"].as_u64().unwrap() >= 85, "{row}");
    assert_eq!(row["overuse"]["flagged"], false);
    let other = &data["rows"][1];
    assert_eq!(
        (&other["stem"], &other["prominence"], &other["next"][0]["operation_id"]),
        (&json!(0), &json!(0), &json!("onpage.title.suggest"))
    );
}

#[test]
fn a_query_that_stands_everywhere_is_overused() {
    let stuffed = "Buy a cheap lamp here. ".repeat(12);
    let prose = "Every room needs light. The window gives some in the morning, and later a candle or a bulb has to help. People read, cook and talk at night, so light matters. Where to put it depends on the room, on the table and on the eyes of those who live there. ";
    let fake =
        host().serving("https://shop.example/s", &html("", &format!("<main><p>{prose}{stuffed}{prose}</p></main>")));
    let data = fake
        .call("onpage.keyword.usage", json!({ "url": "https://shop.example/s", "keywords": ["cheap lamp", "light"] }))
        .unwrap();
    assert_eq!(data["rows"][0]["overuse"]["flagged"], true, "{data}");
    assert_eq!(data["rows"][1]["overuse"]["flagged"], false, "{data}");
}

/// A phrase need not be the same words beside others: `研究` begins `研究生`.
#[test]
fn a_query_is_found_as_often_as_it_stands_there_without_spaces_and_with_particles() {
    let cases = [
        ("zh", "搜索引擎优化", "我们做搜索引擎优化。搜索引擎优化工具很多，SEO优化也是搜索引擎优化。"),
        ("zh", "研究", "研究生研究生命起源。他在研究所工作。"),
        ("ja", "検索エンジン", "検索エンジンの仕組み。新しい検索エンジンと検索エンジン最適化。"),
        ("ko", "검색 엔진", "검색 엔진을 고르고 검색 엔진에 등록한다. 좋은 검색 엔진은 빠르다."),
        ("th", "เครื่องมือค้นหา", "การปรับเครื่องมือค้นหาและเครื่องมือค้นหาใหม่ เครื่องมือค้นหา"),
    ];
    for (language, query, text) in cases {
        let page = html("", &format!("<main><p>{text}</p></main>"));
        let fake = host().serving("https://shop.example/x", &page);
        let arguments = json!({ "url": "https://shop.example/x", "keywords": [query], "language": language });
        let data = fake.call("onpage.keyword.usage", arguments).unwrap();
        let row = &data["rows"][0];
        let times = text.matches(query).count();
        assert_eq!((&row["exact"], &row["stem"]), (&json!(times), &json!(times)), "{query}: {row}");
        let words = data["words"].as_u64().unwrap();
        assert!((5..40).contains(&words), "{query}: {words} words");
    }
}

#[test]
fn words_apart_in_a_sentence_are_split_occurrences() {
    let fake = host().serving(
        "https://shop.example/x",
        &html("", "<main><p>The lamp on the desk is brass. Desks are brown. Lamps of a desk.</p></main>"),
    );
    let data = fake
        .call("onpage.keyword.usage", json!({ "url": "https://shop.example/x", "keywords": ["brass lamp"] }))
        .unwrap();
    assert_eq!((&data["rows"][0]["split"], &data["rows"][0]["stem"]), (&json!(1), &json!(0)));
    assert_eq!(
        host().refusal("onpage.keyword.usage", json!({ "url": GUIDE, "keywords": [] })).pointer.as_deref(),
        Some("/keywords")
    );
}
