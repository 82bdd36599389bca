//! The profile of websites of every age, against the fake host.

use sdk::json;

use crate::stored::Website;
use crate::tests::{added, shop};

#[test]
fn a_website_that_was_stored_before_there_were_proofs_still_reads() {
    let fake = shop();
    let id = added(&fake, "shop.example");
    let mut old = sdk::serde_json::to_value(&fake.rows::<Website>()[0].it).unwrap();
    assert_eq!(old.as_object_mut().unwrap().remove("verification"), Some(json!(null)), "null while there is none");
    let read: Website = sdk::serde_json::from_value(old).unwrap();
    assert_eq!(read.verification, None);
    let shown = fake.call("websites.profile.get", json!({ "site_id": id })).unwrap();
    assert_eq!(
        (&shown["verification"], &shown["segments"], &shown["competitors"]),
        (&json!(null), &json!([]), &json!([]))
    );
}
