//! Tests of `renames`: of pages that were renamed as sites rename them, the right one comes first.

use super::*;
use crate::chance::Chance;
use crate::phrases::Reader;

const WORDS: &[&str] = &[
    "brass", "lamp", "desk", "oak", "table", "clean", "guide", "best", "reading", "light", "garden", "outdoor",
    "vintage", "repair", "cord", "shade", "glass", "copper", "kitchen", "bedroom", "office", "energy", "bulb",
    "dimmer", "wall", "ceiling", "floor", "pendant", "style", "care", "history", "modern", "classic", "small", "large",
    "smart", "warm",
];
const FOLDERS: &[&str] = &["blog", "guides", "products", "help", "news"];

fn slug_of(chance: &mut Chance) -> Vec<&'static str> {
    (0..3 + chance.below(3)).map(|_| WORDS[chance.below(WORDS.len())]).collect()
}

/// Renames a page in one of the ways in which sites do.
fn renamed(way: usize, folder: &str, slug: &[&str], number: usize, chance: &mut Chance) -> String {
    let whole = slug.join("-");
    let other = FOLDERS[chance.below(FOLDERS.len())];
    let path = match way {
        0 => format!("/{other}/{whole}"),
        1 => format!("/{folder}/{whole}.html"),
        2 => format!("/{folder}/2024/05/{whole}/"),
        3 => format!("/{folder}/{}", slug[..slug.len() - 1].join("-")),
        4 => format!("/{folder}/the-{whole}-{}", WORDS[chance.below(WORDS.len())]),
        5 => format!("/{folder}/{whole}s"),
        6 => format!("/{folder}/{}", whole.replace('-', "_")),
        7 => format!("/index.php?section={other}&page={whole}"),
        8 => format!("/{folder}/{number}-{whole}"),
        _ => format!("/{}/{}", other, slug.iter().rev().copied().collect::<Vec<_>>().join("-")),
    };
    format!("https://shop.example{path}")
}

fn hits(with_titles: bool) -> f64 {
    let (mut right, mut all) = (0, 0);
    for seed in 0..4 {
        let mut chance = Chance::new(seed);
        let (mut reader, mut rarity) = (Reader::new("en"), Rarity::default());
        let (mut standing, mut lost) = (Vec::new(), Vec::new());
        for number in 0..200 {
            let (folder, slug) = (FOLDERS[chance.below(FOLDERS.len())], slug_of(&mut chance));
            let name = reader.codes(&slug.join(" "));
            rarity.add(&name);
            let old = Known {
                url: format!("https://shop.example/{folder}/{}", slug.join("-")),
                name: if with_titles { name.clone() } else { Vec::new() },
            };
            standing.push(Known { url: renamed(number % 10, folder, &slug, number, &mut chance), name });
            lost.push(old);
        }
        let index = Standing::new(&standing, &rarity);
        for (number, lost) in (0..).zip(&lost) {
            all += 1;
            right += u32::from(index.replacement(lost).is_some_and(|it| it.page == number));
        }
    }
    f64::from(right) / f64::from(all)
}

#[test]
fn of_generated_renames_the_right_page_comes_first_in_85_of_100_and_more_with_titles() {
    let (by_address, by_both) = (hits(false), hits(true));
    assert!(by_address >= 0.85, "{by_address}");
    assert!(by_both >= 0.85, "{by_both}");
}

#[test]
fn a_page_with_nothing_in_common_has_no_replacement_and_never_itself() {
    let pages = [Known { url: "https://a.example/lamps".to_owned(), name: Vec::new() }];
    let rarity = Rarity::default();
    let index = Standing::new(&pages, &rarity);
    let lost = |url: &str| Known { url: url.to_owned(), name: Vec::new() };
    assert_eq!(index.replacement(&lost("https://a.example/desks")), None);
    assert_eq!(index.replacement(&lost("https://a.example/lamps")), None);
    assert!(index.replacement(&lost("https://a.example/old/lamp")).is_some_and(|it| it.confidence > 0.5));
    let nothing = Standing::new(&[], &rarity);
    assert_eq!(nothing.replacement(&lost("https://a.example/")), None);
}
