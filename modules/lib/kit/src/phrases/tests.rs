//! Tests of `phrases`: phrases that name pages, found as they stand.

use super::*;

const TITLES: [&str; 6] = [
    "How to clean brass lamps | Shop",
    "Desk lamps for reading | Shop",
    "Pricing | Shop",
    "The history of oil lamps | Shop",
    "Delivery and returns | Shop",
    "Delivery and returns | Shop",
];

fn ready() -> (Reader, Phrases, Rarity) {
    let (mut reader, mut rarity, mut phrases) = (Reader::new("en"), Rarity::default(), Phrases::default());
    let names: Vec<Vec<Code>> = own_titles(&TITLES).iter().map(|title| reader.codes(title)).collect();
    names.iter().for_each(|name| rarity.add(name));
    names.iter().enumerate().for_each(|(page, name)| phrases.add(page as u32, name, &rarity));
    (reader, phrases, rarity)
}

fn found(sentence: &str) -> Vec<(u32, String)> {
    let (mut reader, phrases, _) = ready();
    let places = reader.places(sentence);
    let codes: Vec<Code> = places.iter().map(|(code, _)| *code).collect();
    let named = phrases.find(&codes, |_| false).into_iter();
    named
        .map(|it| (it.page, sentence[places[it.words.start].1.start..places[it.words.end - 1].1.end].to_owned()))
        .collect()
}

#[test]
fn a_page_is_named_by_the_words_of_its_title_in_any_inflection_as_they_stand() {
    assert_eq!(found("Read about cleaning brass lamps, then polish."), [(0, "cleaning brass lamps".to_owned())]);
    assert!(found("A brass lamp stands on my desk.").is_empty(), "a part of a name names something else");
    assert_eq!(found("See our pricing for more."), [(2, "pricing".to_owned())]);
    assert_eq!(found("Good \"desk lamps for reading\" are rare."), [(1, "desk lamps for reading".to_owned())]);
    assert!(found("Lamps are lamps, and of the for.").is_empty(), "one common word names nobody");
}

#[test]
fn what_may_not_be_taken_is_not_and_pages_alike_are_both_named() {
    let (mut reader, phrases, _) = ready();
    let codes = reader.codes("Delivery and returns are free");
    assert_eq!(phrases.find(&codes, |_| false).iter().map(|it| it.page).collect::<Vec<_>>(), [4, 5]);
    assert!(phrases.find(&codes, |words| words.start == 0).is_empty());
}

#[test]
fn what_more_than_four_pages_are_called_names_none_of_them() {
    let mut reader = Reader::new("en");
    let names: Vec<Vec<Code>> = (1..7).map(|year| reader.codes(&format!("What changed in year {year}"))).collect();
    let (mut rarity, mut phrases) = (Rarity::default(), Phrases::default());
    names.iter().for_each(|name| rarity.add(name));
    names.iter().enumerate().for_each(|(page, name)| phrases.add(page as u32, name, &rarity));
    let said = reader.codes("See what changed in year 2 of our work");
    assert_eq!((phrases.find(&said, |_| false), phrases.spoken(&said).count()), (vec![], 1));
    assert_eq!(phrases.pages(number(&reader.codes("changed in year"))).len(), 6);
}

#[test]
fn the_name_of_the_shop_is_no_part_of_a_title_and_a_title_of_nothing_else_stays() {
    assert_eq!(
        own_titles(&["Lamps - Shop", "Desks - Shop", "Chairs - Shop", "Shop"])[..],
        ["Lamps", "Desks", "Chairs", "Shop"]
    );
    assert_eq!(own_titles(&["A | B"]), ["A"]);
    let parts = own_parts(&["weakref — Weak references | Docs", "copy — Copies | Docs", "pprint | Docs", "Docs"]);
    assert_eq!(parts, [vec!["weakref", "Weak references"], vec!["copy", "Copies"], vec!["pprint"], vec!["Docs"]]);
}

#[test]
fn likeness_is_one_for_equal_texts_and_nothing_for_texts_without_a_common_word() {
    let (mut reader, _, rarity) = ready();
    let (a, b) = (reader.codes("brass lamps"), reader.codes("oak tables"));
    assert!((likeness(&a, &a, &rarity) - 1.0).abs() < 1e-12);
    assert!(likeness(&a, &b, &rarity).abs() < f64::EPSILON && likeness(&a, &[], &rarity).abs() < f64::EPSILON);
}

#[test]
fn texts_without_a_common_word_are_alike_by_nothing_and_not_by_less() {
    let mut reader = Reader::new("en");
    let (a, b) = (reader.codes("brass lamps"), reader.codes("wooden desks"));
    let alike = likeness(&a, &b, &Rarity::default());
    assert!(alike == 0.0 && alike.is_sign_positive(), "{alike}");
}
