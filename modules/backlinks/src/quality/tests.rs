//! Scores: each part does what it says, and what nobody looked at is not scored.

use proptest::prelude::*;
use sdk::serde_json::json;

use super::formula::{Facts, scored};
use crate::trial::{ahrefs, call, import, website};

/// Facts of which every part is known.
fn known() -> impl Strategy<Value = Facts> {
    let share = || 0.0..=1.0;
    (share(), share(), share(), 0.0..500.0, 0_u8..=100, 0_u32..6, (share(), share(), share(), share()), any::<bool>())
        .prop_map(
            |(similarity, in_main, indexable, external, rating, spam, (lists, other, noindex, network), sitewide)| {
                Facts {
                    similarity: Some(similarity),
                    in_main: Some(in_main),
                    indexable: Some(indexable),
                    external: Some(external),
                    rating: Some(rating),
                    spam_terms: Some(spam),
                    link_lists: Some(lists),
                    other_language: Some(other),
                    noindex: Some(noindex),
                    network: Some(network),
                    sitewide_text: Some(sitewide),
                }
            },
        )
}

proptest! {
    #[test]
    fn a_better_part_never_makes_a_worse_score(facts in known(), more in 0.0..1.0_f64) {
        let before = scored(&facts);
        let up = |it: Option<f64>| it.map(|it| (it + more).min(1.0));
        let better = [
            Facts { similarity: up(facts.similarity), ..facts.clone() },
            Facts { in_main: up(facts.in_main), ..facts.clone() },
            Facts { indexable: up(facts.indexable), ..facts.clone() },
            Facts { external: facts.external.map(|it| it * more), ..facts.clone() },
            Facts { rating: Some(100), ..facts.clone() },
        ];
        for it in better {
            prop_assert!(scored(&it).value >= before.value, "{it:?}");
        }
        let worse = [
            Facts { spam_terms: facts.spam_terms.map(|it| it + 1), ..facts.clone() },
            Facts { link_lists: up(facts.link_lists), ..facts.clone() },
            Facts { other_language: up(facts.other_language), ..facts.clone() },
            Facts { noindex: up(facts.noindex), ..facts.clone() },
            Facts { network: up(facts.network), ..facts.clone() },
            Facts { sitewide_text: Some(true), ..facts.clone() },
        ];
        for it in worse {
            prop_assert!(scored(&it).risk >= before.risk, "{it:?}");
        }
        prop_assert!((before.known_share - 1.0).abs() < 1e-9);
    }
}

#[test]
fn what_is_not_known_is_left_out_and_told() {
    let nothing = scored(&Facts::default());
    assert_eq!((nothing.value, nothing.risk, nothing.known_share), (None, None, 0.0));
    let some = scored(&Facts { rating: Some(40), ..Facts::default() });
    assert_eq!((some.value, some.risk, some.known_share), (None, None, 0.075), "a rating alone is no score");
    let more = scored(&Facts { rating: Some(40), similarity: Some(0.25), ..Facts::default() });
    assert_eq!((more.value, more.risk), (Some(82), None), "0.35 of the topic and 0.15 of the rating");
}

#[test]
fn an_editorial_link_is_worth_more_than_one_of_a_list_of_spam() {
    let fake = website();
    let ended = site::Run(site::trial::ended("81", fake.now().millis() - 3_600_000));
    fake.put_as("run_1", ended);
    import(
        &fake,
        &ahrefs(&[
            ("https://good.example/guide", "/lamps", "desk lamps", "50,false,2026-01-05,2026-08-01,"),
            ("https://list.example/links", "/lamps", "desk lamps", "50,false,2026-01-05,2026-08-01,"),
            ("https://unseen.example/", "/lamps", "desk lamps", "50,false,2026-01-05,2026-08-01,"),
        ]),
    );
    let link = "<a href='https://shop.example/lamps'>desk lamps</a>";
    let text = "A guide to lamps for desks, with the light of each measured at the table and in the room. ".repeat(8);
    let good = format!("<html lang=en><title>Lamps</title><body><main><p>{text}{link}</p></main></body></html>");
    let words = [
        "kite", "bread", "stone", "river", "piano", "glass", "tiger", "onion", "paper", "horse", "cloud", "brick",
        "tooth", "grape", "sugar", "metal", "ocean", "chess", "plant", "wheel", "candle", "spoon", "ladder", "bottle",
    ];
    let others: String = (0..120)
        .map(|at| {
            format!(
                "<li><a href='https://other{at}.example/'>{} {}</a>",
                words[at % words.len()],
                if at % 3 == 0 { "casino poker viagra" } else { "" }
            )
        })
        .collect();
    let list = format!(
        "<html lang=en><title>Links</title><body><main><p>{text}</p></main><footer>{link}<ul>{others}</ul></footer></body></html>"
    );
    for (url, html) in [("https://good.example/guide", &good), ("https://list.example/links", &list)] {
        fake.serve(url, 200, &[("content-type", "text/html")], html.as_bytes());
    }
    fake.fail("https://unseen.example/", sdk::Failure::Timeout);
    call(&fake, "backlinks.verify.run", &json!({}));
    while fake.work_one_step() {}
    let told = call(&fake, "backlinks.quality.score", &json!({}));
    let row = |at: usize| told["rows"][at].clone();
    assert_eq!(
        (&row(0)["domain"], &row(1)["domain"], &told["total"]),
        (&json!("good.example"), &json!("list.example"), &json!(2)),
        "{told}"
    );
    assert!(
        row(0)["value"].as_u64() > row(1)["value"].as_u64() && row(0)["risk"].as_u64() < row(1)["risk"].as_u64(),
        "{told}"
    );
    assert_eq!(row(1)["factors"]["spam_terms"]["part"], 1.0);
    assert_eq!((&row(1)["factors"]["editorial_place"]["part"], &told["unseen_domains"]), (&json!(0.0), &json!(1)));
    let named = call(&fake, "backlinks.quality.score", &json!({ "domains": ["unseen.example", "www.nobody.example"] }));
    assert_eq!(
        (&named["unknown_domains"], &named["rows"][0]["pages_seen"]),
        (&json!(["nobody.example"]), &json!(0)),
        "{named}"
    );
    assert!(
        named["rows"][0]["value"].is_null() && named["rows"][0]["risk"].is_null(),
        "nobody read a page of it: {named}"
    );
    let whats: Vec<&str> =
        named["degraded"].as_array().into_iter().flatten().filter_map(|it| it["what"].as_str()).collect();
    assert_eq!(whats, ["looks", "networks"], "{named}");
}
