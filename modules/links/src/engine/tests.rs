//! What `engine` promises: anchors that stand in the sentence that is quoted, and no place where a link already is.

use kit::chance::Chance;

use super::*;

const TITLES: [&str; 5] =
    ["Home", "Cleaning brass lamps", "Oak desk care", "Reading light guide", "How to repair a lamp cord"];

fn nodes() -> (Vec<Node>, Vec<Name>) {
    let node = |at: usize| Node {
        url: format!("https://shop.example/{at}"),
        status: 200,
        depth: Some(u32::from(at > 0)),
        authority: 0.2,
        ..Node::default()
    };
    let name = |title: &&str| Name { title: (*title).to_owned(), h1: (*title).to_owned(), leads: None };
    ((0..TITLES.len()).map(node).collect(), TITLES.iter().map(name).collect())
}

fn text(plain: &str) -> Text {
    Text {
        title: "All about lamps".into(),
        headings: "Reading light guide and more words".into(),
        plain: plain.into(),
        ..Text::default()
    }
}

fn found(plain: &str, anchors: &[&str], skip: &[(u32, u32)]) -> Vec<(u32, String)> {
    let (nodes, names) = nodes();
    let mut engine = Engine::new(&nodes, &names, "en", skip.iter().copied().collect(), |_| true);
    let anchors: Vec<String> = anchors.iter().map(|it| (*it).to_owned()).collect();
    engine.candidates(0, &text(plain), &anchors).into_iter().map(|it| (it.target, it.anchor)).collect()
}

#[test]
fn a_sentence_that_names_a_page_is_a_place_for_a_link_to_it() {
    let plain =
        "We wrote down what we know of cleaning brass lamps at home. Nothing to see here, my dear friends of light.";
    assert_eq!(found(plain, &[], &[]), [(1, "cleaning brass lamps".to_owned())]);
    assert_eq!(found(plain, &[], &[(0, 1)]), [], "the pair is linked or was rejected");
    assert_eq!(found(plain, &["brass lamps at home"], &[]), [], "a link stands there");
    assert_eq!(found("Cleaning brass lamps.", &[], &[]), [], "no sentence");
    assert_eq!(found("Reading light guide and more words", &[], &[]), [], "a heading");
}

#[test]
fn the_sentence_that_says_most_of_the_page_is_quoted() {
    let plain = "Some say that brass lamps shine for many years in halls. A word on cleaning brass lamps with salt and patience.";
    let (nodes, names) = nodes();
    let mut engine = Engine::new(&nodes, &names, "en", HashSet::new(), |target| target == 1);
    let found = engine.candidates(0, &text(plain), &[]);
    assert_eq!(found.len(), 1);
    assert!(found[0].sentence.starts_with("A word on cleaning"), "{found:?}");
    assert!(found[0].relevance > 0.0 && rank(&found[0], &nodes) > 0.0);
}

/// Texts of words by chance, in several scripts and with signs between them.
#[test]
fn an_anchor_always_stands_literally_in_its_sentence_and_the_sentence_in_the_text() {
    const WORDS: &[&str] = &[
        "cleaning",
        "brass",
        "lamps",
        "lamp",
        "oak",
        "desk",
        "care",
        "reading",
        "light",
        "guide",
        "the",
        "of",
        "repair",
        "cord",
        "größe",
        "日本",
        "É",
        "(",
        ")",
        "“brass",
        "lamps”,",
        "—",
        "e.g.",
        "lamp’s",
        "&",
        "the\u{a0}lamp",
        "x",
    ];
    let (nodes, names) = nodes();
    let mut engine = Engine::new(&nodes, &names, "en", HashSet::new(), |_| true);
    let mut chance = Chance::new(11);
    let mut count = 0;
    for _ in 0..600 {
        let sentence = |chance: &mut Chance| {
            let words: Vec<&str> = (0..6 + chance.below(20)).map(|_| WORDS[chance.below(WORDS.len())]).collect();
            format!("{}{} ", words.join(" "), [".", "!", "…", "\n"][chance.below(4)])
        };
        let plain: String = (0..5).map(|_| sentence(&mut chance)).collect();
        for candidate in engine.candidates(0, &text(&plain), &[]) {
            assert!(candidate.sentence.contains(&candidate.anchor), "{candidate:?}");
            assert!(plain.contains(&candidate.sentence), "{candidate:?}");
            assert!(!candidate.anchor.trim().is_empty() && candidate.relevance >= 0.0);
            count += 1;
        }
    }
    assert!(count > 500, "{count}");
}

#[test]
fn whoever_looks_for_one_page_finds_what_whoever_reads_every_line_finds() {
    let (nodes, names) = nodes();
    let filler = "Nothing in these words says what anybody would look for here today.\n".repeat(40);
    for line in [
        "We wrote down what we know of cleaning brass lamps at home.",
        "He told us how he had CLEANED a brass lamp with salt and much patience.",
        "It is the cleaning of a lamp of brass that takes most of the day.",
    ] {
        let plain = format!("{filler}{line}\n{filler}");
        let engine = || Engine::new(&nodes, &names, "en", HashSet::new(), |target| target == 1);
        let whole = engine().candidates(0, &text(&plain), &[]);
        assert_eq!(engine().looking_for(&[TITLES[1]], "en").candidates(0, &text(&plain), &[]), whole, "{line}");
    }
}
