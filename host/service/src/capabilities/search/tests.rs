//! How words are split, stemmed and joined.

use super::words;

#[test]
fn endings_do_not_matter() {
    for row in [
        &["list", "lists", "listing", "listed"][..],
        &["author", "authors"],
        &["analyze", "analysis", "analyse", "analyzing", "analyses"],
        &["create", "created", "creating", "creates"],
        &["page", "pages"],
        &["optimisation", "optimization", "optimise", "optimizing"],
        &["query", "queries"],
        &["status"],
    ] {
        let stems: Vec<Vec<String>> = row.iter().map(|word| words::stems(word).collect()).collect();
        assert!(stems.iter().all(|stem| *stem == stems[0] && stem.len() == 1), "{row:?} {stems:?}");
    }
}

#[test]
fn a_goal_keeps_its_content_words_once() {
    let terms = words::terms("I would like to list all the authors of my authors' site");
    let shown: Vec<&str> = terms.iter().map(|term| term.shown.as_str()).collect();
    assert_eq!(shown, ["list", "authors", "site"]);
    assert!(terms[2].synonyms.contains(&"websit".to_owned()), "{:?}", terms[2].synonyms);
}

#[test]
fn a_goal_of_nothing_but_stop_words_keeps_them() {
    assert_eq!(words::terms("how to do it").len(), 4);
}
