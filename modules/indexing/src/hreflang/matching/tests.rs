//! Generated websites in two languages: how many pairs are found, and how many of those are right.

use kit::chance::Chance;

use super::{Side, pairs};
use crate::hreflang::features::Features;

/// What an address of a made website tells of its page.
#[derive(Clone, Copy)]
enum Kind {
    /// The same path behind the language.
    SamePaths,
    /// Translated names with numbers of articles.
    Ids,
    /// Translated names without any; pictures and numbers tell.
    Pictures,
}

/// Pages of both versions; the first 400 are translations of each other, in another order. Each version has 60 of its own.
fn website(kind: Kind, seed: u64) -> (Vec<Features>, Vec<Features>) {
    let mut dice = Chance::new(seed);
    let folders = [("products", "produkte"), ("guides", "ratgeber"), ("news", "neuigkeiten"), ("stores", "filialen")];
    let (mut english, mut german) = (Vec::new(), Vec::new());
    for at in 0..460 {
        let (own, other) = folders[dice.below(4)];
        let article = 10_000 + dice.below(80_000);
        let rest = |folder: &str, language: &str| match kind {
            Kind::SamePaths => format!("{own}/item-of-{at}-things"),
            Kind::Ids => format!("{folder}/{language}-{}-{article}", dice_word(at, language)),
            Kind::Pictures => format!("{folder}/{language}-{}", dice_word(at, language)),
        };
        let images: Vec<String> = (0..1 + dice.below(3)).map(|nth| format!("photo-{at}-{nth}.jpg")).collect();
        let price = 1_000 + dice.below(60_000);
        let shape =
            [1.0, number(dice.below(6)), number(dice.below(4)), number(images.len()), 1.0, 0.0, number(dice.below(20))];
        for (language, folder, pages) in [("en", own, &mut english), ("de", other, &mut german)] {
            let address = format!("https://shop.example/{language}/{}", rest(folder, language));
            let mut page = Features::of_address(&address, &rest(folder, language));
            // A logo on every page, and one picture in ten is another in the other language.
            page.images.insert("logo-of-shop.png".to_owned());
            page.images.extend(images.iter().filter(|_| dice.below(10) > 0).cloned());
            page.numbers.insert(price.to_string());
            page.numbers.insert("2026".to_owned());
            page.shape = shape.to_vec();
            pages.push(page);
        }
    }
    english.truncate(460);
    // 60 pages of each version have no counterpart.
    let english: Vec<Features> = english.into_iter().take(400).chain(alone("en", kind)).collect();
    let mut german: Vec<Features> = german.into_iter().take(400).chain(alone("de", kind)).collect();
    german[..400].reverse();
    (english, german)
}

fn alone(language: &str, kind: Kind) -> Vec<Features> {
    (0..60)
        .map(|at| {
            let rest = match kind {
                Kind::Ids => format!("own/{language}-{at}-{}", 900_000 + at * if language == "en" { 2 } else { 7 } + 1),
                Kind::SamePaths | Kind::Pictures => format!("own/{language}-{}", dice_word(at + 9_000, language)),
            };
            let mut page = Features::of_address(&format!("https://shop.example/{language}/{rest}"), &rest);
            page.images.insert(format!("own-{language}-{at}.jpg"));
            page.numbers.insert(format!("{}", 70_000 + at * if language == "en" { 1 } else { 3 }));
            page.shape = vec![1.0; 7];
            page
        })
        .collect()
}

/// A word of a language without digits.
fn dice_word(at: usize, language: &str) -> String {
    let mut dice = Chance::of(&format!("{language} {at}"));
    (0..8).map(|_| char::from(b'a' + u8::try_from(dice.below(26)).unwrap())).collect()
}

#[test]
fn pairs_of_three_generated_websites_are_found_with_an_f1_of_95_percent_at_least() {
    for (kind, seed) in [(Kind::SamePaths, 1), (Kind::Ids, 2), (Kind::Pictures, 3)] {
        let (english, german) = website(kind, seed);
        let (a, b) = (Side::new("en", english.iter().collect()), Side::new("de", german.iter().collect()));
        let found: Vec<_> = pairs(&a, &b).into_iter().filter(|it| it.weight >= 0.8).collect();
        let right = found.iter().filter(|it| it.left < 400 && it.right == 399 - it.left).count();
        #[expect(clippy::cast_precision_loss, reason = "some hundred pairs")]
        let (precision, recall) = (right as f64 / found.len() as f64, right as f64 / 400.0);
        let f1 = 2.0 * precision * recall / (precision + recall);
        println!("website {seed}: precision {precision:.3}, recall {recall:.3}, F1 {f1:.3}");
        assert!(f1 >= 0.95, "{precision} {recall}");
    }
}

fn number(it: usize) -> f64 {
    f64::from(u32::try_from(it).unwrap())
}
