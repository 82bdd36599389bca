//! Names by their writing, in three languages.

use super::{Kind, names};

fn found(text: &str, language: &str) -> Vec<(String, Kind, u32)> {
    names(text, language).into_iter().map(|it| (it.name, it.kind, it.mentions)).collect()
}

fn is(name: &str, kind: Kind, mentions: u32) -> (String, Kind, u32) {
    (name.to_owned(), kind, mentions)
}

#[test]
fn persons_places_and_organizations_are_told_apart() {
    let text = "The engine was planned by Ada Lovelace in London. Lovelace wrote to the University of Bath, and Dr. Babbage \
                answered from the office of Lampshop Ltd. The Acme Rocket 3 was sold at the Hannover Messe.";
    assert_eq!(
        found(text, "en"),
        [
            is("Ada Lovelace", Kind::Person, 2),
            is("London", Kind::Place, 1),
            is("University of Bath", Kind::Organization, 1),
            is("Babbage", Kind::Person, 1),
            is("Lampshop Ltd", Kind::Organization, 1),
            is("Acme Rocket 3", Kind::Product, 1),
            is("Hannover Messe", Kind::Event, 1),
        ]
    );
}

#[test]
fn a_capital_that_every_sentence_or_title_has_makes_no_name() {
    assert_eq!(found("Lamps are heavy. Brass ages well. The lamp is old. Many people like brass.", "en"), []);
    assert_eq!(found("How To Choose The Right Brass Lamp Today", "en"), []);
    assert_eq!(found("We sell lamps. They shine. Then Monday comes.", "en"), []);
}

#[test]
fn german_nouns_are_no_names_and_towns_are() {
    let text =
        "Die Lampe steht in Berlin auf dem Tisch. Die Lampe gehört Frau Merkel. Der Tisch kommt von der Deutsche Bank.";
    assert_eq!(
        found(text, "de"),
        [is("Berlin", Kind::Place, 1), is("Merkel", Kind::Person, 1), is("Deutsche Bank", Kind::Organization, 1)]
    );
}

#[test]
fn punctuation_ends_a_name() {
    let text = "It was seen by Maria Rossi, Peter Smith (Oslo) and Google. Google's map shows it.";
    assert_eq!(
        found(text, "en"),
        [
            is("Maria Rossi", Kind::Person, 1),
            is("Peter Smith", Kind::Person, 1),
            is("Oslo", Kind::Place, 1),
            is("Google", Kind::Organization, 2)
        ]
    );
}

#[test]
fn hostile_texts_are_read_without_harm() {
    for text in ["", "A", "Ä. Ö. Ü.", "’s 's '", "İİ İ", "((((", "A B C D E F G H I J K L M N O P", "\u{301}a B", "é É"]
    {
        let _ = names(text, "en");
        let _ = names(text, "xx");
    }
}
