//! Tests of `usage`: which phrases a website takes for the name of a page, and which texts are about the same.

use kit::phrases::Reader;

use super::*;

const PAGE: u32 = 7;
const SEVERAL: Form = Form::Phrase;

/// A website of 400 texts, a phrase that so many say, and the links that it makes of it to the page and to another.
fn names(said: u32, own: u32, other: u32, form: Form, fond: bool) -> bool {
    let links = vec![(PAGE, own), (9, other)];
    let links = vec![(1, links.clone()), (spelled(1, "queue"), links)];
    let kept = Kept { read: 400, texts: 400, phrases: vec![(1, said)], links, fond, ..Kept::default() };
    Usage::of(kept).names(1, PAGE, form)
}

#[test]
fn what_every_twelfth_text_says_names_no_page_nor_does_what_leads_to_another_page() {
    assert!(names(33, 1, 0, SEVERAL, false) && !names(34, 1, 0, SEVERAL, false));
    assert!(names(20, 2, 2, SEVERAL, false) && !names(20, 2, 3, SEVERAL, false));
    assert!(names(20, 0, 2, SEVERAL, false), "two links may be a mistake");
}

#[test]
fn a_website_that_is_fond_of_links_names_nothing_that_it_passes_over() {
    assert!(names(13, 0, 0, SEVERAL, true) && !names(14, 0, 0, SEVERAL, true));
    assert!(names(14, 1, 0, SEVERAL, true) && names(14, 0, 0, SEVERAL, false));
}

#[test]
fn a_single_word_names_a_page_where_most_texts_that_could_link_it_do() {
    assert!(names(20, 8, 0, Form::Name, true) && !names(20, 7, 0, Form::Name, true));
    assert!(names(4, 0, 0, Form::Name, true), "too few to tell");
    assert!(names(20, 0, 0, Form::Name, false), "a website without links says nothing of them");
}

#[test]
fn a_word_that_is_written_as_any_other_names_a_page_only_where_this_very_form_is_mostly_a_link_to_it() {
    let form = Form::Word("queue");
    assert!(names(21, 15, 0, form, true) && !names(21, 14, 0, form, true));
    assert!(!names(20, 20, 0, Form::Word("queues"), true), "links to another form say nothing of it");
    assert!(!names(4, 0, 0, form, true) && names(4, 3, 0, form, true), "few texts are no excuse");
    assert!(names(4, 0, 0, form, false), "a website without links says nothing of them");
}

#[test]
fn a_word_that_longer_texts_than_are_read_say_as_well_is_held_against_all_that_say_it() {
    let word = spelled(1, "queue");
    let named = |all: u32| {
        let (links, phrases) = (vec![(word, vec![(PAGE, 11)])], vec![(1, 10), (word, all)]);
        let kept = Kept { read: 400, texts: 400, phrases, links, fond: true, ..Kept::default() };
        Usage::of(kept).names(1, PAGE, Form::Word("queue"))
    };
    assert!(named(16) && !named(17));
    assert!(named(9), "the index knows no fewer texts than were read");
}

#[test]
fn texts_are_about_the_same_when_they_are_more_alike_than_two_texts_by_chance() {
    let mut reader = Reader::new("en");
    let texts =
        ["brass lamps shine", "lamps of brass", "oak tables stand", "tables made of oak", "wool", "ships", "bread"];
    let others = ["violins", "gardens", "bicycles", "mountains", "kettles"];
    let texts: Vec<Vec<Code>> = texts.iter().chain(&others).map(|text| reader.codes(text)).collect();
    let mut usage = Usage { read: ENOUGH, texts: ENOUGH, ..Usage::default() };
    texts.iter().flatten().for_each(|code| *usage.words.entry(*code).or_default() += 10);
    let profiles: Vec<Profile> = texts.iter().map(|text| usage.profile(text)).collect();
    for (code, weight) in profiles.iter().flatten() {
        *usage.average.entry(*code).or_default() += weight / texts.len() as f64;
    }
    let alike = |a: usize, b: usize| usage.alike(&profiles[a], &profiles[b]);
    assert!(alike(0, 1).is_some_and(|it| it > 0.5) && alike(2, 3).is_some());
    assert_eq!((alike(0, 2), alike(1, 3)), (None, None));
    usage.read = ENOUGH - 1;
    assert_eq!(usage.alike(&profiles[0], &profiles[2]), Some(0.0), "of few texts nothing is held against one");
}
