//! What goes with a website, against the fake host.

use sdk::json;

use crate::annotation::Annotation;
use crate::competitor::Competitors;
use crate::segment::Segment;
use crate::task::stored::{Finding, Task};
use crate::tests::{HOME, added, shop};
use crate::verify::Token;

#[test]
fn a_deleted_website_takes_everything_with_it_that_was_stored_for_it_and_nothing_else() {
    let fake = shop().serving("https://other.example/", HOME);
    let sites = [added(&fake, "shop.example"), added(&fake, "other.example")];
    for id in &sites {
        let calls = [
            ("websites.verify.start", json!({ "site_id": id, "method": "dns_txt" })),
            (
                "websites.segment.set",
                json!({ "site_id": id, "name": "A", "rules": [{ "match": "glob", "value": "/a" }] }),
            ),
            ("websites.competitor.set", json!({ "site_id": id, "domains": ["rival.example"] })),
            (
                "websites.annotation.add",
                json!({ "site_id": id, "date": "2026-09-28", "title": "A", "kind": "release" }),
            ),
            ("websites.task.create", json!({ "site_id": id, "title": "A" })),
        ];
        for (operation, arguments) in calls {
            fake.call(operation, arguments).unwrap();
        }
    }
    let deleted = fake.call("websites.delete", json!({ "site_id": sites[0] })).unwrap();
    let counts =
        json!({ "websites": 1, "verifications": 1, "segments": 1, "competitors": 1, "annotations": 1, "tasks": 1 });
    assert_eq!(deleted["counts"], counts);
    assert_eq!(fake.rows::<Token>().len(), 1);
    assert_eq!(fake.rows::<Segment>().len(), 1);
    assert_eq!(fake.rows::<Annotation>().len(), 1);
    let left = (fake.rows::<Task>(), fake.rows::<Finding>(), fake.rows::<Competitors>());
    assert_eq!((left.0.len(), left.1.len(), left.2.len()), (1, 1, 1));
    assert_eq!(left.0[0].site_id.as_str(), sites[1]);
    assert_eq!(left.1[0].site_id.as_str(), sites[1]);
    assert_eq!(left.2[0].id.as_str(), sites[1]);
}
