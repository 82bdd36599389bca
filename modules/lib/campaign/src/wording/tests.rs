//! What the lint promises, as tests: texts that ask, in many languages and spellings, and texts that do not.

use super::Asking::{Click, Rating, Review, Search};
use super::*;

/// What a text asks for first.
const ASKING: &[(Asking, &str)] = &[
    (Search, "Please search for lamps near me and visit us."),
    (Search, "Google our name, then have a look."),
    (Search, "G o o g l e  'lampshop' please"),
    (Search, "Just g00gle it"),
    (Search, "Look it up, then tell us"),
    (Search, "Use the keyword 'wooden lamp'"),
    (Search, "Bitte suchen Sie nach Lampen"),
    (Search, "Bitte bei Ecosia eingeben"),
    (Search, "Recherchez notre nom"),
    (Search, "Busca lámparas y entra"),
    (Search, "Cerca su internet lampade"),
    (Search, "Pesquise por candeeiros"),
    (Search, "Zoek op lampen"),
    (Search, "Wpisz nazwę i wejdź"),
    (Search, "Наберите в поиске лампы"),
    (Search, "「ランプ」で検索してください"),
    (Search, "请在百度找我们"),
    (Search, "램프를 검색하세요"),
    (Click, "Click the second result"),
    (Click, "cl\u{200b}ick here"),
    (Click, "ｃｌｉｃｋ here"),
    (Click, "Open the result of our shop"),
    (Click, "Klicken Sie auf unseren Eintrag"),
    (Click, "Cliquez sur le lien"),
    (Click, "Clicca sul nome"),
    (Click, "Нажмите на ссылку"),
    (Click, "点击第二个"),
    (Rating, "Rate us on the map"),
    (Rating, "Give us 5 stars"),
    (Rating, "Bewerten Sie uns mit fünf Sternen"),
    (Rating, "Notez-nous s'il vous plaît"),
    (Rating, "Califícanos, por favor"),
    (Rating, "Avalie a nossa loja"),
    (Rating, "Beoordeel ons"),
    (Rating, "Oceń nas"),
    (Rating, "★ 5 stars would be great"),
    (Review, "Leave a review"),
    (Review, "r3view us"),
    (Review, "Schreiben Sie eine Rezension"),
    (Review, "Laissez un avis"),
    (Review, "Deja una reseña"),
    (Review, "Lascia una recensione"),
    (Review, "Оставьте отзыв"),
    (Review, "口コミをお願いします"),
];

/// Texts that only invite.
const INVITING: &[&str] = &[
    "Our new wooden lamps are here. Have a look and tell a friend.",
    "We opened a workshop in Lampton; come by on Saturday!",
    "A guide to choosing a lamp, with pictures.",
    "Share it with somebody who is moving house.",
    "The sale ends on 5 May. Starting prices are lower this year.",
    "Research shows that warm light helps sleep.",
    "Neu im Laden: Lampen aus Eichenholz, von Hand gemacht.",
    "Wir freuen uns auf Ihren Besuch.",
    "Nos lampes sont faites à la main, à deux pas de chez vous.",
    "Estamos cerca de ti: ven a vernos.",
    "Siamo vicino a te, passa a trovarci.",
    "Visite a nossa nova loja em Lisboa.",
    "Kom langs in onze winkel.",
    "Zapraszamy do naszego sklepu.",
    "Приходите к нам в гости.",
    "新しいランプが入りました。",
    "Corporate gifts: accurate delivery, decorated boxes.",
    "A starling on a lamp: our logo's story.",
];

#[test]
fn a_text_that_asks_for_a_search_a_click_a_rating_or_a_review_is_refused() {
    for (asks_for, text) in ASKING {
        let found = lint(text);
        assert_eq!(found.first().map(|it| it.asks_for), Some(*asks_for), "{text}: {found:?}");
    }
}

#[test]
fn a_text_that_only_invites_is_not_refused() {
    for text in INVITING {
        assert_eq!(lint(text), [], "{text}");
    }
}

#[test]
fn the_refusal_names_the_argument_and_every_word() {
    let fault = check("/message", "Search for us, then leave a review.").unwrap_err();
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("wording_refused", Some("/message")));
    let detail: serde_json::Value = serde_json::from_str(&fault.detail.unwrap()).unwrap();
    assert_eq!(detail["refused"][0], serde_json::json!({ "asks_for": "search", "words": "search" }));
    assert_eq!(detail["refused"][1]["asks_for"], "review");
    assert!(check("/message", "Come by on Saturday.").is_ok());
}
