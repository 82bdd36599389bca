//! Tests of `engine`: anchors that stand in the sentence that is quoted, and no place where a link already is.

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
    let usage = Usage::default();
    let mut engine = Engine::new(&nodes, &names, "en", &usage, skip.iter().copied().collect(), |_| true);
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
fn a_part_of_a_name_is_none_where_its_words_go_on_to_say_something_else() {
    let part = found("We have been cleaning brass with salt for many years.", &[], &[]);
    assert_eq!(part, [(1, "cleaning brass".to_owned())]);
    assert_eq!(found("We have been cleaning brass kettles with salt for many years.", &[], &[]), []);
    let whole = found("We have been cleaning brass lamps together with our friends.", &[], &[]);
    assert_eq!(whole, [(1, "cleaning brass lamps".to_owned())]);
}

#[test]
fn the_sentence_that_says_most_of_the_page_is_quoted() {
    let plain = "Some say that brass lamps shine for many years in halls. A word on cleaning brass lamps with salt and patience.";
    let (nodes, names) = nodes();
    let usage = Usage::default();
    let mut engine = Engine::new(&nodes, &names, "en", &usage, HashSet::new(), |target| target == 1);
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
        "cleaning brass lamps",
        "reading light guide",
        "the care of an oak desk care",
        "—",
        "e.g.",
        "lamp’s",
        "&",
        "the\u{a0}lamp",
        "x",
    ];
    let (nodes, names) = nodes();
    let usage = Usage::default();
    let mut engine = Engine::new(&nodes, &names, "en", &usage, HashSet::new(), |_| true);
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

/// What is found on a page with one telling line, by whoever looks for the second page and by whoever reads every line.
fn both(title: &str, language: &str, line: &str) -> [Vec<Candidate>; 2] {
    let (nodes, mut names) = nodes();
    names[1] = Name { title: title.to_owned(), h1: title.to_owned(), leads: None };
    let filler = "Nothing in these words says what anybody would look for here today.\n".repeat(40);
    let page = text(&format!("{filler}{line}\n{filler}"));
    let usage = Usage::default();
    let engine = || Engine::new(&nodes, &names, language, &usage, HashSet::new(), |target| target == 1);
    [engine().looking_for(&[title]).candidates(0, &page, &[]), engine().candidates(0, &page, &[])]
}

#[test]
fn whoever_looks_for_one_page_finds_what_whoever_reads_every_line_finds() {
    for (title, language, line) in [
        ("Cleaning brass lamps", "en", "We wrote down what we know of cleaning brass lamps at home."),
        ("Cleaning brass lamps", "en", "He told us that CLEANING BRASS lamps takes salt and much patience."),
        ("Lamp possibilities", "en", "There are more lamp possibilities than one in a room of this kind."),
        ("Küchen planen", "de", "Wir haben lange überlegt, wie man Küchen planen kann, ohne zu streiten."),
        ("Große Häuser", "de", "Wer in großen Häusern wohnt, braucht am Abend auch mehr als eine Lampe."),
    ] {
        let [looked_for, read] = both(title, language, line);
        assert_eq!((looked_for.len(), &looked_for), (1, &read), "{title}: {line}");
    }
    let [looked_for, read] =
        both("Cleaning brass lamps", "en", "A lamp of brass is not what we speak of today, my friends.");
    assert_eq!((looked_for, read), (Vec::new(), Vec::new()));
}

#[test]
fn a_page_is_about_what_its_text_says_more_often_than_in_passing_and_than_the_other_text() {
    let said = |times: usize, words: usize| Said { words, says: [(1, times)].into(), ..Said::default() };
    let about = |target: (usize, usize), source: (usize, usize)| {
        said(target.0, target.1).is_about(1, &said(source.0, source.1))
    };
    assert!(about((4, 1_500), (1, 2_000)));
    assert!(!about((1, 1_500), (1, 2_000)), "once in a long text is in passing");
    assert!(!about((2, 2_500), (1, 4_000)), "so is twice in a longer one");
    assert!(!about((4, 1_500), (20, 2_000)), "the other text is about it");
    assert!(about((0, 200), (1, 2_000)), "a short page is called so");
}
