//! Tests of `forms`.

use serde_json::json;

use super::*;
use crate::Fake;
use crate::prelude::*;

/// A note as the second version keeps it: with its tags apart, and its topic under another name.
#[record(collection = "notes", version = 2, upgrade = Note::of_before, index(subject))]
struct Note {
    subject: String,
    tags: Vec<String>,
}

/// As the first version kept it.
#[value]
struct First {
    topic: String,
    tags: String,
}

impl Note {
    fn of_before(before: Before) -> Result<Self> {
        let First { topic, tags } = before.read()?;
        Ok(Self { subject: topic, tags: tags.split(',').map(str::to_owned).collect() })
    }
}

fn module() -> crate::Module {
    crate::Module {
        name: "notes",
        operations: vec![],
        routes: vec![],
        steps: vec![],
        collections: vec![crate::Collection::of::<Note>()],
        raw: vec![],
        untrusted: vec![],
    }
}

fn note(subject: &str) -> Note {
    Note { subject: subject.to_owned(), tags: vec!["a".to_owned(), "b".to_owned()] }
}

#[test]
fn a_row_says_its_version_first_and_reads_as_it_was_written() {
    let text = written(&note("bread"));
    assert_eq!(text, r#"{"_form":2,"subject":"bread","tags":["a","b"]}"#);
    assert_eq!(read::<Note>(text).unwrap(), note("bread"));
}

#[test]
fn a_row_of_the_version_before_is_brought_into_this_one_and_a_later_one_is_not_guessed_at() {
    let before = json!({ "topic": "bread", "tags": "a,b" }).to_string();
    assert_eq!(read::<Note>(before.clone()).unwrap(), note("bread"));
    assert_eq!(row::<Note>(&before).unwrap(), written(&note("bread")));
    let later = read::<Note>(r#"{"_form":3,"subject":"bread","tags":[]}"#.to_owned()).unwrap_err();
    assert_eq!(
        (later.code.as_str(), later.message.as_str()),
        ("not_upgraded", "a row of notes has version 3, and 2 is known here")
    );
    let other = read::<Note>(json!({ "topic": 5 }).to_string()).unwrap_err();
    assert!(!other.message.contains('5'), "nothing of a row is in the words: {}", other.message);
}

#[test]
fn rows_of_both_versions_are_found_by_an_index_over_the_later_one_and_saved_in_it() {
    let fake = Fake::new(module()).with(note("bread"));
    fake.stored("notes", "old", &json!({ "topic": "bread", "tags": "x" }));
    let found = fake.records::<Note>().by("subject").equals("bread").page(10_u64, None).unwrap().items;
    assert_eq!(found.len(), 2);
    let old = found.into_iter().find(|it| it.id.as_str() == "old").unwrap();
    assert_eq!(old.tags, ["x"]);
    fake.records::<Note>().save(old).unwrap();
    assert_eq!(fake.records::<Note>().find(&Id::new("old")).unwrap().subject, "bread");
}

#[test]
fn the_contracts_and_the_world_say_that_rows_are_upgraded() {
    let contracts: serde_json::Value = serde_json::from_str(&module().contracts()).unwrap();
    assert_eq!(contracts["collections"][0]["form"], 2);
    assert!(contracts["shapes"]["records"]["notes"]["properties"].get("_form").is_none());
    let wit = module().wit();
    assert!(wit.contains("interface upgrades") && wit.contains("%records: func(call: call)"), "{wit}");
    let asked = json!({ "collection": "notes", "records": [{ "form": 1, "record": r#"{"topic":"a","tags":"b"}"# }] });
    let answer = entry::upgrade(&asked.to_string(), &[Upgraded::of::<Note>()]).unwrap();
    assert_eq!(answer.data, json!({ "records": [r#"{"_form":2,"subject":"a","tags":["b"]}"#] }).to_string());
    assert!(entry::upgrade(&json!({ "collection": "others", "records": [] }).to_string(), &[]).is_err());
}
