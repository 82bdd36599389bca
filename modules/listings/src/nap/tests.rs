//! Tests of comparing names and addresses: the restaurants of Fodor's and Zagat, and `rapidfuzz` of
//! Python as a reference.

use super::compare::{Grade, Shown, Truth};
use super::{address, name, ratio};
use crate::address::Address;

/// PyPI `py-entitymatching` 0.4.2 (BSD 3-clause), `datasets/end-to-end/restaurants`: the labelled pairs, gold at the end.
const LABELLED: &str = include_str!("tests/labelled.csv");
const FODORS: &str = include_str!("tests/fodors.csv");
const ZAGATS: &str = include_str!("tests/zagats.csv");
const MATCHES: &str = include_str!("tests/matches.csv");

#[derive(Debug, Clone)]
struct Place {
    name: String,
    address: Address,
    phone: String,
}

fn place(name: &str, street: &str, city: &str, phone: &str) -> Place {
    let address = Address {
        lines: vec![street.to_owned()],
        postcode: None,
        city: Some(city.to_owned()),
        region: None,
        country: "US".parse().unwrap(),
    };
    Place { name: name.to_owned(), address, phone: phone.to_owned() }
}

fn same(a: &Place, b: &Place) -> bool {
    let truth = Truth { names: vec![&a.name], address: &a.address, phone: &a.phone, website: None };
    let shown = Shown {
        name: Some(b.name.clone()),
        street: b.address.lines.first().cloned(),
        phone: Some(b.phone.clone()),
        ..Shown::default()
    };
    truth.is_same(&shown)
}

fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().skip(1).map(|line| line.split(',').map(str::trim).collect())
}

#[test]
fn labelled_restaurants_are_told_to_be_one_or_two() {
    let (mut hits, mut wrong, mut missed) = (0, 0, 0);
    for row in rows(LABELLED) {
        let a = place(row[3], row[4], row[5], row[6]);
        let b = place(row[7], row[8], row[9], row[10]);
        match (same(&a, &b), row[11] == "1") {
            (true, true) => hits += 1,
            (true, false) => wrong += 1,
            (false, true) => missed += 1,
            (false, false) => {}
        }
    }
    let (precision, recall) = (f64::from(hits) / f64::from(hits + wrong), f64::from(hits) / f64::from(hits + missed));
    assert!(precision >= 0.99 && recall >= 0.99, "{hits} found, {wrong} wrong, {missed} missed");
}

#[test]
fn the_matches_are_found_among_all_pairs() {
    let places = |text: &'static str| -> Vec<(String, Place)> {
        rows(text).map(|row| (row[0].to_owned(), place(row[1], row[2], row[3], row[4]))).collect()
    };
    let (fodors, zagats) = (places(FODORS), places(ZAGATS));
    let known: std::collections::BTreeSet<(String, String)> =
        rows(MATCHES).map(|row| (row[0].to_owned(), row[1].to_owned())).collect();
    let (mut hits, mut wrong) = (0, 0);
    for (left, a) in &fodors {
        for (right, b) in &zagats {
            // Without a common digit tail or a likely name three points cannot come together: most pairs are passed over.
            let tail = |it: &Place| it.phone.chars().filter(char::is_ascii_digit).collect::<String>();
            if tail(a) != tail(b) && ratio::token_sort(&a.name, &b.name) < 0.4 {
                continue;
            }
            if same(a, b) {
                if known.contains(&(left.clone(), right.clone())) { hits += 1 } else { wrong += 1 }
            }
        }
    }
    let (precision, recall) =
        (f64::from(hits) / f64::from(hits + wrong), f64::from(hits) / f64::from(u32::try_from(known.len()).unwrap()));
    assert!(precision >= 0.97 && recall >= 0.99, "{hits} of {} found, {wrong} wrong", known.len());
}

#[test]
fn ratios_are_those_of_rapidfuzz() {
    for line in include_str!("tests/rapidfuzz.tsv").lines() {
        let parts: Vec<&str> = line.split('\t').collect();
        let number = |at: usize| parts[at].parse::<f64>().unwrap();
        let (a, b) = (parts[0], parts[1]);
        for (ours, theirs, what) in [
            (ratio::plain(a, b), number(2), "ratio"),
            (ratio::token_sort(a, b), number(3), "token_sort_ratio"),
            (ratio::token_set(a, b), number(4), "token_set_ratio"),
        ] {
            assert!((ours - theirs).abs() < 1e-9, "{what} of `{a}` and `{b}`: {ours}, and the reference says {theirs}");
        }
    }
}

#[test]
fn streets_are_compared_without_abbreviations_and_by_their_house_numbers() {
    let grade = |a: &str, b: &str| address::grade(&address::street(a), &address::street(b));
    for (a, b) in [
        ("12 W. Main St., Suite 4", "12 West Main Street"),
        ("Hauptstr. 5a", "Hauptstraße 5a"),
        ("435 S. La Cienega Blv.", "435 south la cienega boulevard"),
        ("12 Av. des Champs", "12 avenue des champs"),
        ("150 Wooster St. between Houston and Prince Sts.", "150 Wooster Street"),
        ("Via Roma, 12", "via roma 12"),
        ("10-14 High Street", "12 High St"),
    ] {
        assert_eq!(grade(a, b), Grade::Exact, "{a} and {b}: {:?} {:?}", address::street(a), address::street(b));
    }
    for (a, b) in
        [("12 Main Street", "14 Main Street"), ("12 Main Street", "12 Oak Avenue"), ("5a Hauptstr.", "5b Hauptstr.")]
    {
        assert_eq!(grade(a, b), Grade::Conflict, "{a} and {b}");
    }
    assert_eq!(grade("Main Street", "12 Main Street"), Grade::Near, "without a number two shops are not told apart");
}

#[test]
fn names_are_compared_by_what_is_their_own() {
    for (a, b) in [("The Lamp Shop Ltd", "Lamp Shop"), ("L'Écu d'Or", "Lecu Dor"), ("Müller GmbH", "Mueller")] {
        assert!(matches!(name::grade(a, b), Grade::Exact | Grade::Near), "{a} and {b}: {}", name::score(a, b));
    }
    for (a, b) in [("Lamp Shop", "Light House"), ("Bakery Smith", "Butcher Jones"), ("The Restaurant", "The Bar")] {
        assert_eq!(name::grade(a, b), Grade::Conflict, "{a} and {b}: {}", name::score(a, b));
    }
}
