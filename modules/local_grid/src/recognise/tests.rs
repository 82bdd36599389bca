//! Who is the business, and who only looks like it.

use super::*;

const HERE: Point = Point { latitude: 51.508, longitude: -0.128 };

fn rules() -> Rules {
    Rules {
        place_id: Some("ChIJown".into()),
        names: vec!["Lamp & Shade Co.".into(), "The Lamp Shop".into()],
        phone: Some(digits("+44 20 7946 0101")),
        domain: Some("shop.example".into()),
    }
}

fn seen(place_id: Option<&str>, name: &str, phone: Option<&str>, domain: Option<&str>, metres: f64) -> Seen {
    Seen {
        place_id: place_id.map(str::to_owned),
        name: name.to_owned(),
        phone: phone.map(str::to_owned),
        domain: domain.map(str::to_owned),
        address: None,
        point: Some(HERE.towards(90.0, metres)),
    }
}

#[test]
fn a_place_id_decides_alone_whatever_the_name() {
    let found = rules().recognise(HERE, &seen(Some("ChIJown"), "Something else", None, None, 9_000.0));
    assert_eq!(found, Some(Evidence::PlaceId));
}

#[test]
fn another_place_id_is_another_branch_unless_name_and_phone_number_are_the_same() {
    let branch =
        seen(Some("ChIJbranch"), "Lamp and Shade Co", Some("+44 20 7946 0202"), Some("www.shop.example"), 100.0);
    assert_eq!(rules().recognise(HERE, &branch), None);
    let renewed = Seen { phone: Some("020 7946 0101".into()), ..branch };
    assert_eq!(rules().recognise(HERE, &renewed), Some(Evidence::NameAndPhone));
}

#[test]
fn without_a_place_id_a_name_needs_the_place_the_phone_number_or_both_website_and_no_place() {
    let known = Rules { place_id: None, ..rules() };
    let of = |seen: Seen| known.recognise(HERE, &seen);
    assert_eq!(of(seen(None, "THE LAMP SHOP", None, None, 200.0)), Some(Evidence::NameAndPlace));
    assert_eq!(of(seen(None, "Lamp shop, the", None, Some("WWW.shop.example"), 200.0)), Some(Evidence::NameAndDomain));
    assert_eq!(of(seen(None, "The Lamp Shop", None, Some("shop.example"), 5_000.0)), None, "a branch of the chain");
    assert_eq!(of(seen(None, "Lamp & Shade Co.", Some("+442079460101"), None, 5_000.0)), Some(Evidence::NameAndPhone));
    let nowhere = Seen { point: None, ..seen(None, "The Lamp Shop", None, Some("shop.example"), 0.0) };
    assert_eq!(of(nowhere.clone()), Some(Evidence::NameAndDomain));
    assert_eq!(of(Seen { domain: None, ..nowhere }), None);
    let renamed = seen(None, "Brightly", Some("0044 20 7946 0101"), Some("shop.example"), 10.0);
    assert_eq!(of(renamed.clone()), Some(Evidence::PhoneAndDomain));
    assert_eq!(of(Seen { phone: Some("7946 0101".into()), domain: None, ..renamed }), None);
}

#[test]
fn names_are_compared_by_their_words_and_forgive_a_slip() {
    assert!(alike("Lamp & Shade Co.", "lamp and shade co"));
    assert!(alike("Müller Leuchten", "MÜLLER-LEUCHTEN"));
    assert!(alike("Brightly Lampworks", "Brightly Lampwork"));
    assert!(!alike("Lamp shop", "Lamp shop Leeds"));
    assert!(!alike("", "!!"));
}
