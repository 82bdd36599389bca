//! The markup of authors with little and with much to say.

use sdk::json;

use super::problems;
use crate::tests::{author, host};

#[test]
fn a_full_profile_says_everything_and_misses_nothing() {
    let fake = host();
    let made = json!({
        "firstname": "Ada", "lastname": "Lovelace", "site_id": "81", "role": "Mathematician", "bio": "Wrote the first program.",
        "credentials": ["Analyst"], "topics": ["engines"], "same_as": ["https://social.example/ada"],
    });
    let ada = fake.call("authors.create", made).unwrap()["author_ref"].clone();
    let arguments = json!({ "author_ref": ada, "page_url": "https://shop.example/team/ada#bio" });
    let made = fake.call("authors.markup.generate", arguments).unwrap();
    assert_eq!((&made["valid"], &made["missing"]), (&json!(true), &json!([])));
    let jsonld = &made["jsonld"];
    assert_eq!(jsonld["@type"], "ProfilePage");
    assert_eq!(jsonld["mainEntity"]["@id"], "https://shop.example/team/ada#person");
    assert_eq!(jsonld["mainEntity"]["sameAs"], json!(["https://social.example/ada"]));
    assert_eq!(jsonld["mainEntity"]["knowsAbout"], json!(["engines"]));
    assert_eq!(jsonld["dateCreated"], "2026-09-28T00:00:00.000Z");
}

#[test]
fn the_identity_is_stable_without_a_page_and_the_gaps_are_named() {
    let fake = host();
    let ada = author(&fake, "Ada", "Lovelace");
    let made = fake.call("authors.markup.generate", json!({ "author_ref": ada })).unwrap();
    assert_eq!(made["valid"], true);
    assert_eq!(made["missing"], json!(["page_url", "role", "bio", "same_as", "topics", "credentials"]));
    assert_eq!(made["jsonld"]["mainEntity"]["@id"], format!("https://shop.example/#person-{ada}"));
    assert_eq!(made["jsonld"]["mainEntity"].get("sameAs"), None);
}

#[test]
fn markup_without_a_name_or_with_a_relative_profile_is_not_valid() {
    let wrong = json!({
        "@context": "https://schema.org", "@type": "ProfilePage", "dateCreated": "yesterday",
        "mainEntity": { "@type": "Person", "@id": "#a", "name": " ", "sameAs": ["/ada"] },
    });
    let problems = problems(wrong.as_object().unwrap());
    let expected = ["dateCreated is a date in ISO 8601", "mainEntity has a name", "sameAs are web addresses"];
    assert_eq!(problems, expected);
}
