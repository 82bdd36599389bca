//! Tests of `wording`: words are taken for the text of a link only as a name has them, standing alone in prose.

use kit::phrases::Reader;

use super::*;

fn places(sentence: &str) -> Vec<(Code, Range<usize>)> {
    Reader::new("en").places(sentence)
}

fn alone(sentence: &str, anchor: &str) -> bool {
    let at = sentence.find(anchor).unwrap();
    let words: Vec<_> =
        places(sentence).into_iter().filter(|it| it.1.start >= at && it.1.end <= at + anchor.len()).collect();
    stands_alone(sentence, &words)
}

#[test]
fn words_within_a_path_a_compound_or_two_clauses_do_not_stand_alone() {
    assert!(alone("It builds on Python’s import system.", "import system"));
    assert!(alone("It is a gateway for CGI (or “FastCGI”).", "CGI"));
    assert!(alone("Ask for built-in types, then go.", "built-in types"));
    for (sentence, anchor) in [
        ("The example in Lib/xmlrpc/server.py shows it.", "xmlrpc"),
        ("These are glob-style names.", "glob"),
        ("The value has an os.errno of its own.", "errno"),
        ("Put it in the options list. Object is what holds it.", "list. Object"),
    ] {
        assert!(!alone(sentence, anchor), "{sentence}");
    }
}

#[test]
fn words_go_on_where_another_telling_word_follows_at_once() {
    let on = |sentence: &str, anchor: &str| {
        let (places, at) = (places(sentence), sentence.find(anchor).unwrap());
        let inside = |place: &(Code, Range<usize>)| place.1.start >= at && place.1.end <= at + anchor.len();
        let start = places.iter().position(inside).unwrap();
        goes_on(sentence, &places, &(start..start + places.iter().filter(|it| inside(it)).count()))
    };
    assert!(on("It does not update directory access times.", "directory access"));
    assert!(!on("Ask for directory access to the data.", "directory access"));
    assert!(!on("Ask for directory access, times and more.", "directory access"));
    assert!(!on("There is no directory access.", "directory access"));
}

#[test]
fn a_single_word_stands_as_in_the_name_and_of_several_each_ends_much_alike() {
    let named = |name: &str, words: &str| {
        let mut reader = Reader::new("en");
        let mut of = |text: &'static str| -> Vec<(Code, &'static str)> {
            reader.places(text).into_iter().map(|(code, at)| (code, &text[at])).collect()
        };
        let (name, words) = (of(Box::leak(name.to_owned().into())), of(Box::leak(words.to_owned().into())));
        as_named(&name, &words, words.len() == 1)
    };
    assert!(named("selectors", "Selectors") && !named("selectors", "selector"));
    assert!(named("Oak desk care", "oak desks") && named("Built-in Types", "built-in type"));
    assert!(!named("Importing Modules", "imported modules") && !named("Encode and decode", "encoders and decoding"));
}

#[test]
fn the_end_of_a_longer_name_is_not_that_name() {
    let ends = |sentence: &str, name: &str| {
        let places = places(sentence);
        let at = places.iter().position(|(_, at)| sentence[at.start..].starts_with(name)).unwrap();
        ends_a_name(sentence, &places, &(at..at + name.split(' ').count()))
    };
    assert!(ends("It is said of the Apache HTTP Server too.", "HTTP Server"));
    assert!(!ends("It is said of the HTTP Server too.", "HTTP Server"));
    assert!(!ends("Apache HTTP Server is one.", "HTTP Server"), "the first word of a sentence has a capital anyway");
    assert!(!ends("See the Mapping abstract base class.", "abstract base class"));
}

#[test]
fn a_verb_is_not_the_noun_that_a_page_is_called_by() {
    let verb = |sentence: &str, words: &str, name: &'static str| {
        let places = places(sentence);
        let at = places.iter().position(|(_, at)| sentence[at.start..].starts_with(words)).unwrap();
        let mut reader = Reader::new("en");
        let name: Vec<(Code, &str)> = reader.places(name).into_iter().map(|(code, at)| (code, &name[at])).collect();
        is_verb(sentence, &places, &(at..at + words.split(' ').count()), &name)
    };
    assert!(verb("Do so if your platform supports it.", "platform supports", "Platform Support"));
    assert!(verb("It is true if the platform supports creating one.", "platform supports", "Platform Support"));
    assert!(verb("When an event schedules more of them.", "event schedules", "Event Schedule"));
    assert!(!verb("Both file formats are read.", "file formats", "File Format"));
    assert!(!verb("These event schedules are old.", "event schedules", "Event Schedules"));
}

#[test]
fn a_signature_is_no_prose_and_a_sentence_is() {
    let prose = |sentence: &str| is_prose(sentence, &places(sentence));
    assert!(prose("Put salt on a soft cloth and wait for a while."));
    assert!(!prose("run(cmd, globals=None, locals=None, timeout=30)"));
}

#[test]
fn a_single_word_is_written_as_a_name_by_a_capital_that_its_sentence_does_not_ask_for() {
    let named = |sentence: &str, word: &str| {
        let words: Vec<_> = places(sentence).into_iter().filter(|it| &sentence[it.1.clone()] == word).take(1).collect();
        matches!(Form::of(sentence, &words), Form::Name)
    };
    assert!(named("Tell the Distutils to pack it.", "Distutils") && named("CGI is a way to do so.", "CGI"));
    assert!(!named("Removes an event from the queue.", "queue") && !named("Queue what is to be done.", "Queue"));
    assert!(named("灯 is a word without small letters.", "灯"));
}
