//! Tests of `migration` against migrations whose truth is known.

mod fit;
mod made;

use made::{Made, blog, company, shop};

use super::{How, Match, Migration, Page};
use crate::sketch::Sketch;

/// What came of a migration: the share of old pages whose best is right, of those that have one; the share of right ones among
/// those that are surer than 0.6; the share of those with a target that are surer.
fn judged(made: &Made) -> (f64, f64, f64) {
    let migration = Migration::new(&made.old, &made.new);
    let (mut have, mut first, mut sure, mut right, mut covered) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (at, truth) in made.truth.iter().enumerate() {
        let found = migration.target(at);
        let is_right = truth.is_some() && found.map(|it| it.page) == *truth;
        let is_sure = found.is_some_and(|it| it.confidence >= 0.6);
        have += f64::from(u8::from(truth.is_some()));
        first += f64::from(u8::from(is_right));
        sure += f64::from(u8::from(is_sure));
        right += f64::from(u8::from(is_sure && is_right));
        covered += f64::from(u8::from(is_sure && truth.is_some()));
    }
    (first / have, right / sure, covered / have)
}

#[test]
fn of_generated_migrations_the_first_is_right_and_what_is_sure_is_so() {
    for (name, make) in [("shop", shop as fn(u64, usize) -> Made), ("blog", blog), ("company", company)] {
        let of = |seed: u64| make(seed, 900);
        let (first, precision, covered) = judged(&of(101));
        assert!(first >= 0.93 && precision >= 0.98 && covered >= 0.85, "{name}: {first} {precision} {covered}");
        let without = [("without texts", of(102).without_texts()), ("listed", of(103).listed())];
        for (how, made) in without {
            let (first, precision, covered) = judged(&made);
            assert!(first >= 0.75 && precision >= 0.92, "{name} {how}: {first} {precision} {covered}");
        }
    }
}

fn page(url: &str, name: &str) -> Page {
    Page { url: url.to_owned(), name: name.to_owned(), ..Page::default() }
}

fn found(old: &[Page], new: &[Page]) -> Option<(String, Match)> {
    let found = Migration::new(old, new).target(0)?;
    Some((new[found.page as usize].url.clone(), found))
}

#[test]
fn stages_take_what_those_before_have_left() {
    let new = [
        page("https://n.example/Team", "The team"),
        page("https://n.example/shop/brass-desk-lamp", "Brass desk lamp"),
        page("https://n.example/item?sku=LX4401", "Oak table"),
        page("https://n.example/company/overview", "Company"),
        page("https://n.example/p/7781-stool", "A stool"),
    ];
    for (old, url, how) in [
        (page("https://o.example/team.php", ""), "https://n.example/Team", How::Path),
        (
            page("https://o.example/2019/brass-desk-lamp.html", ""),
            "https://n.example/shop/brass-desk-lamp",
            How::LastPart,
        ),
        (page("https://o.example/tables/lx4401-a", "Oak table"), "https://n.example/item?sku=LX4401", How::Number),
    ] {
        let (to, found) = found(std::slice::from_ref(&old), &new).expect("a target");
        assert_eq!((to.as_str(), found.how), (url, how), "{old:?}");
        assert!(found.confidence >= 0.95);
    }
    // The same last part, and names that have nothing in common.
    let (_, other) = found(&[page("https://o.example/lamps/overview", "All lamps of brass")], &new).expect("some page");
    assert!(other.how == How::Likeness && other.confidence < 0.6, "{other:?}");
    // Four digits alone may be anything.
    let other = found(&[page("https://o.example/node/7781", "Terms and conditions")], &new);
    assert!(other.as_ref().is_none_or(|(_, it)| it.how == How::Likeness && it.confidence < 0.6), "{other:?}");
    assert_eq!(found(&[page("https://o.example/zzz", "Qqq")], &new).map(|(to, _)| to), None);
}

#[test]
fn what_two_pages_share_names_neither() {
    let old = [page("https://o.example/a/winter-sale", ""), page("https://o.example/b/winter-sale", "")];
    let new = [page("https://n.example/offers/winter-sale", "")];
    let (_, found) = found(&old, &new).expect("some page");
    assert_eq!(found.how, How::Likeness);
}

#[test]
fn a_page_of_another_language_is_half_as_likely() {
    let old = [page("https://o.example/de/lampen/x-200-desk", "X 200 desk")];
    let new = [
        page("https://n.example/en/lamps/x-200-desk-a", "X 200 desk"),
        page("https://n.example/de/x-200-desk-b", "X 200 desk"),
    ];
    let (to, _) = found(&old, &new).expect("some page");
    assert_eq!(to, "https://n.example/de/x-200-desk-b");
}

#[test]
fn a_page_that_was_moved_and_renamed_is_known_by_its_text() {
    let text =
        |seed: usize| (0..80).map(|at| format!("word{}", (at * 7 + seed * 31) % 997)).collect::<Vec<_>>().join(" ");
    let with = |url: &str, seed: usize| Page { sketch: Sketch::of_text(&text(seed)), ..page(url, "") };
    let new: Vec<Page> = (0..40).map(|at| with(&format!("https://n.example/n{at}"), at)).collect();
    let (to, found) = found(&[with("https://o.example/elsewhere", 17)], &new).expect("some page");
    assert_eq!((to.as_str(), found.parts.text), ("https://n.example/n17", Some(1.0)));
}

#[test]
fn the_folder_above_is_named_never_the_home_page() {
    let new =
        [page("https://n.example/", ""), page("https://n.example/shop/", ""), page("https://n.example/shop/lamps", "")];
    let migration = Migration::new(&[], &new);
    assert_eq!(migration.folder("https://o.example/shop/lamps/desk/brass"), Some(2));
    assert_eq!(migration.folder("https://o.example/shop/tables.php"), Some(1));
    assert_eq!(migration.folder("https://o.example/imprint"), None);
}
