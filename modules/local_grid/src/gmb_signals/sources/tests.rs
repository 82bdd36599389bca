//! Which scans a campaign may stand on.

use sdk::json;

use crate::gmb_signals::trial::call;
use crate::trial::{BUSINESS, SITE, actions_fit, at, scanned, shop, start};

#[test]
fn every_scan_is_listed_with_the_reason_that_makes_it_unfit() {
    let fake = shop();
    let old = scanned(&fake, json!({}), |_, _| at(9, ""));
    fake.set_now(fake.now().plus(46 * 86_400_000));
    let fit = scanned(&fake, json!({ "keywords": ["lamp shop", "lamp repair"] }), |keyword, _| {
        at(if keyword == 0 { 9 } else { 2 }, "")
    });
    let few = scanned(&fake, json!({ "shape": "circle" }), |_, _| at(9, ""));
    let nowhere = scanned(&fake, json!({}), |_, _| at(0, ""));
    let running = start(&fake, json!({}));
    fake.work_one_step();
    let listed = call(&fake, "sources.get", json!({ "business_ref": BUSINESS }));
    let reasons: Vec<_> = listed["sources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["source_ref"].as_str().unwrap().to_owned(), it["reasons"].clone()))
        .collect();
    let wanted = [
        (format!("{running}-0"), json!(["not_completed"])),
        (format!("{nowhere}-0"), json!(["business_not_matched"])),
        (format!("{few}-0"), json!(["too_few_pins"])),
        (format!("{fit}-0"), json!([])),
        (format!("{fit}-1"), json!(["no_weak_zone"])),
        (format!("{old}-0"), json!(["too_old"])),
    ];
    let mut found = reasons.clone();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    let mut expected = wanted.to_vec();
    expected.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(found, expected);
    assert!(reasons[0].0.starts_with(&running) && reasons[5].0.starts_with(&old), "the newest first: {reasons:?}");
    assert_eq!(actions_fit(&listed), 6);
    assert_eq!(listed["sources"][3]["eligible"].as_bool(), Some(listed["sources"][3]["reasons"] == json!([])));
    let page = call(&fake, "sources.get", json!({ "site_id": SITE, "limit": 4 }));
    let rest = call(&fake, "sources.get", json!({ "site_id": SITE, "limit": 4, "cursor": page["next_cursor"] }));
    assert_eq!((page["sources"].as_array().unwrap().len(), rest["sources"].as_array().unwrap().len()), (4, 2));
    assert_eq!(call(&fake, "sources.get", json!({}))["sources"].as_array().unwrap().len(), 6);
}

#[test]
fn a_website_or_business_that_is_not_there_is_not_found_at_its_argument() {
    for (arguments, code, pointer) in [
        (json!({ "site_id": "7" }), "website_not_found", "/site_id"),
        (json!({ "business_ref": "no" }), "business_not_found", "/business_ref"),
    ] {
        let fault = shop().refusal("local_grid.gmb_signals.sources.get", arguments);
        assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), (code, Some(pointer)));
    }
}
