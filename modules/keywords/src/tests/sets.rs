//! Sets are created once, listed with their counts, and deleted whole.

use super::*;
use crate::stored::{Cluster, Keyword, Months, Tracker};

#[test]
fn a_set_has_a_name_of_its_own_for_each_market() {
    let fake = fake(&Provider::default());
    let first = set(&fake, &["desk lamp"]);
    let again = json!({ "site_id": SITE, "name": " LAMPS ", "country": "GB", "language": "en" });
    let refused = fake.refusal("keywords.set.create", again);
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("set_exists", Some("/name")));
    call(&fake, "keywords.set.create", &json!({ "site_id": SITE, "name": "Lamps", "country": "DE", "language": "de" }));
    call(
        &fake,
        "keywords.item.update",
        &json!({ "set_ref": first, "changes": [{ "keyword": "Desk Lamp", "target_url": "https://shop.example/lamps" }] }),
    );
    let sets = call(&fake, "keywords.set.list", &json!({ "site_id": SITE }));
    assert_eq!((sets["total"].as_u64(), list(&sets, "sets").len()), (Some(2), 2));
    let row = list(&sets, "sets").iter().find(|it| it["country"] == "GB").expect("the first");
    assert_eq!(
        (row["keywords"].as_u64(), row["mapped_share"].as_f64(), row["clusters"].is_null()),
        (Some(1), Some(1.0), true)
    );
    let page = call(&fake, "keywords.set.list", &json!({ "site_id": SITE, "limit": 1 }));
    let next = call(&fake, "keywords.set.list", &json!({ "site_id": SITE, "limit": 1, "cursor": page["next_cursor"] }));
    assert!(next["next_cursor"].is_null() && next["sets"][0] != page["sets"][0]);
    let unknown = fake.refusal("keywords.set.list", json!({ "site_id": "82" }));
    assert_eq!((unknown.code.as_str(), unknown.pointer.as_deref()), ("website_not_found", Some("/site_id")));
}

#[test]
fn a_set_that_a_tracker_uses_is_deleted_only_when_that_is_meant() {
    let provider = Provider::of(&[("desk lamp", 90)]);
    let fake = fake(&provider);
    let reference = set(&fake, &["desk lamp"]);
    job(&fake, "keywords.metric.refresh", &json!({ "set_ref": reference }));
    job(&fake, "keywords.cluster.lexical", &json!({ "set_ref": reference }));
    fake.put_as("tracker_1", Tracker { set_ref: reference.clone() });
    let refused = fake.refusal("keywords.set.delete", json!({ "set_ref": reference }));
    assert_eq!(refused.code, "set_in_use");
    let deleted = call(&fake, "keywords.set.delete", &json!({ "set_ref": reference, "force": true }));
    assert_eq!((deleted["deleted"].as_bool(), deleted["keywords"].as_u64()), (Some(true), Some(1)));
    assert!(fake.rows::<Keyword>().is_empty() && fake.rows::<Months>().is_empty() && fake.rows::<Cluster>().is_empty());
    assert_eq!(fake.refusal("keywords.item.list", json!({ "set_ref": reference })).code, "set_not_found");
}

#[test]
fn a_large_set_is_deleted_in_parts() {
    let fake = fake(&Provider::default());
    let reference = set(&fake, &[]);
    let lines: Vec<String> = (0..9_500).map(|at| format!("lamp {at}")).collect();
    let imported = call(&fake, "keywords.item.import", &json!({ "set_ref": reference, "lines": lines }));
    assert_eq!(imported["added"].as_u64(), Some(9_500));
    let first = call(&fake, "keywords.set.delete", &json!({ "set_ref": reference }));
    assert_eq!((first["deleted"].as_bool(), first["remaining"].as_u64()), (Some(false), Some(500)));
    assert_eq!(fake.refusal("keywords.item.list", json!({ "set_ref": reference })).code, "set_deleting");
    let last = call(&fake, "keywords.set.delete", &first["next"][0]["arguments"]);
    assert_eq!((last["deleted"].as_bool(), fake.rows::<Keyword>().len()), (Some(true), 0));
}
