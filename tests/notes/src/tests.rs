//! The two operations as a caller meets them, against the fake host.

use sdk::json;

#[test]
fn a_note_is_listed_under_its_website_and_no_other() {
    let fake = crate::fake();
    let made = fake.call("notes.create", json!({ "site": "example.com", "text": "Renew in May." })).unwrap();
    fake.call("notes.create", json!({ "site": "example.org", "text": "Ask Ada." })).unwrap();
    let listed = fake.call("notes.list", json!({ "site": "example.com" })).unwrap();
    assert_eq!(listed["notes"].as_array().unwrap().len(), 1);
    assert_eq!(listed["notes"][0]["note_ref"], made["note_ref"]);
}

#[test]
fn a_note_without_text_is_refused_where_the_text_would_stand() {
    let fault = crate::fake().refusal("notes.create", json!({ "site": "example.com", "text": "" }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("invalid_arguments", Some("/text")));
}
