//! The nine operations as a caller meets them.

use sdk::serde_json::Value;
use sdk::{Fake, json};

use crate::crawled::Page;
use kit::crawled::{RunRecord, RunState};
use site::trial::ended;
use site::{Run, Site};

/// A host with one website, crawled once.
pub(crate) fn host() -> Fake {
    crate::fake()
        .with_as("81", Site { origin: "https://shop.example".to_owned(), ..site::Site::default() })
        .with_as("run1", Run(ended("81", 1_000)))
        .with_as("run2", Run(RunRecord { state: RunState::Running, finished_ms: None, ..ended("81", 1_000) }))
}

/// A page of the crawl, with the bylines that readers and machines see.
pub(crate) fn page(fake: &Fake, seq: u64, path: &str, visible: Option<&str>, markup: Option<&str>) {
    let page = Page {
        url: format!("https://shop.example{path}"),
        is_html: true,
        title: format!("Title of {path}"),
        h1: format!("Heading of {path}"),
        byline_visible: visible.map(str::to_owned),
        byline_markup: markup.map(str::to_owned),
        structured_types: "Article, Person".to_owned(),
        ..Page::default()
    };
    put(fake, seq, page);
}

/// A page of the crawl.
pub(crate) fn put(fake: &Fake, seq: u64, page: Page) {
    let id = kit::crawled::page_id("run1", &page.url);
    fake.put_as(&id, Page { run: "run1".to_owned(), seq, status: 200, ..page });
}

/// Creates an author and gives the reference.
pub(crate) fn author(fake: &Fake, first: &str, last: &str) -> String {
    let made = fake.call("authors.create", json!({ "firstname": first, "lastname": last, "site_id": "81" })).unwrap();
    made["author_ref"].as_str().unwrap().to_owned()
}

fn names(list: &Value) -> Vec<&str> {
    list["authors"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect()
}

#[test]
fn authors_are_listed_newest_first_page_by_page() {
    let fake = host();
    for name in ["Ada", "Grace", "Edsger"] {
        author(&fake, name, "Test");
    }
    let first = fake.reply("authors.list", json!({ "limit": 2 })).unwrap();
    assert_eq!(names(&first.data), ["Edsger Test", "Grace Test"]);
    assert_eq!(first.units, 2);
    let second = fake.call("authors.list", json!({ "limit": 2, "cursor": first.data["next_cursor"] })).unwrap();
    assert_eq!(names(&second), ["Ada Test"]);
    assert!(second["next_cursor"].is_null());
}

#[test]
fn an_archived_author_is_left_out_of_the_active_list() {
    let fake = host();
    let ada = author(&fake, "Ada", "Lovelace");
    author(&fake, "Grace", "Hopper");
    fake.call("authors.update", json!({ "author_ref": ada, "status": "archived" })).unwrap();
    let active = fake.call("authors.list", json!({ "status": "active" })).unwrap();
    assert_eq!(names(&active), ["Grace Hopper"]);
    let archived = fake.call("authors.list", json!({ "status": "archived", "site_id": "81" })).unwrap();
    assert_eq!(names(&archived), ["Ada Lovelace"]);
}

#[test]
fn a_cursor_of_another_list_is_refused() {
    let fake = host();
    for name in ["Ada", "Grace"] {
        author(&fake, name, "Test");
    }
    let page = fake.call("authors.list", json!({ "limit": 1 })).unwrap();
    let fault = fake.refusal("authors.list", json!({ "status": "active", "cursor": page["next_cursor"] }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("invalid_cursor", Some("/cursor")));
}

#[test]
fn a_name_beyond_its_bounds_is_refused_by_name() {
    let fake = host();
    let fault = fake.refusal("authors.create", json!({ "firstname": "", "lastname": "Lovelace" }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("invalid_arguments", Some("/firstname")));
    assert!(fake.call("authors.create", json!({ "firstname": "A", "lastname": "L", "colour": "red" })).is_err());
    assert!(fake.rows::<crate::Author>().is_empty());
}

#[test]
fn a_website_of_somebody_else_is_not_found() {
    let fault = host().refusal("authors.create", json!({ "firstname": "A", "lastname": "L", "site_id": "82" }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("website_not_found", Some("/site_id")));
}

#[test]
fn pages_are_assigned_and_their_former_author_is_named() {
    let fake = host();
    let (ada, grace) = (author(&fake, "Ada", "Lovelace"), author(&fake, "Grace", "Hopper"));
    let urls = json!(["https://shop.example/a#top", "HTTPS://SHOP.example/b"]);
    let first = fake.call("authors.assign", json!({ "author_ref": ada, "urls": urls, "drafts": ["d1"] })).unwrap();
    assert_eq!(first, json!({ "assigned": 3, "replaced": [], "degraded": [] }));
    let second =
        fake.call("authors.assign", json!({ "author_ref": grace, "urls": ["https://shop.example/a"] })).unwrap();
    assert_eq!(second["replaced"], json!([{ "subject": "https://shop.example/a", "author_ref": ada }]));
    let reviewer = json!({ "author_ref": ada, "urls": ["https://shop.example/a"], "as": "reviewer" });
    assert_eq!(fake.call("authors.assign", reviewer).unwrap()["replaced"], json!([]));
    let whole = fake.call("authors.get", json!({ "author_ref": ada })).unwrap();
    let pages = json!({ "authored": 1, "reviewed": 1, "drafts": 1, "urls": ["https://shop.example/a", "https://shop.example/b"] });
    assert_eq!(whole["pages"], pages);
    assert_eq!(whole["clicks_28d"], Value::Null);
    let day = fake.now().day().plus(-3);
    let figures = |clicks| kit::pack::Search { impressions: 100, clicks, positions: 300 };
    let row = |page: &str, clicks| (day, format!("https://shop.example/{page}"), figures(clicks));
    search::trial::store_pages(&fake, "81", &[row("a", 5), row("b", 2), row("c", 90)]);
    let whole = fake.call("authors.get", json!({ "author_ref": ada })).unwrap();
    assert_eq!(whole["clicks_28d"], 7);
}

#[test]
fn pages_of_other_websites_and_reviews_of_ones_own_pages_are_refused() {
    let fake = host().with_as("82", Site { origin: "https://other.example".to_owned(), ..Site::default() });
    let ada = author(&fake, "Ada", "Lovelace");
    let assign = |urls: Value, capacity: &str| json!({ "author_ref": ada, "urls": urls, "as": capacity });
    let mine = "https://shop.example/a";
    for foreign in ["https://other.example/a", "https://nobody.example/"] {
        let refused = fake.refusal("authors.assign", assign(json!([mine, foreign]), "author"));
        assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("url_not_of_site", Some("/urls/1")));
    }
    fake.call("authors.assign", assign(json!([mine]), "author")).unwrap();
    let refused = fake.refusal("authors.assign", assign(json!(["https://shop.example/b", mine]), "reviewer"));
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("own_reviewer", Some("/urls/1")));
    let free = fake.call("authors.create", json!({ "firstname": "Grace", "lastname": "Hopper" })).unwrap();
    let both = json!({ "author_ref": free["author_ref"], "urls": [mine, "https://other.example/a"], "as": "reviewer" });
    assert_eq!(fake.call("authors.assign", both).unwrap()["assigned"], 2, "an author of no website may write for all");
}

#[test]
fn a_segment_stands_for_the_pages_that_the_newest_crawl_found_in_it() {
    let fake = host();
    for (seq, path) in (1..).zip(["/guides/a", "/guides/b", "/shop"]) {
        page(&fake, seq, path, None, None);
    }
    let rules = sdk::serde_json::from_value(json!([{ "match": "glob", "value": "/guides/*" }])).unwrap();
    fake.put_as("seg", site::Segment { site_id: "81".into(), name: "Guides".to_owned(), rules });
    let ada = author(&fake, "Ada", "Lovelace");
    let arguments = json!({ "author_ref": ada, "segment_ref": "seg", "urls": ["https://shop.example/guides/a"] });
    assert_eq!(fake.call("authors.assign", arguments).unwrap()["assigned"], 2);
    let whole = fake.call("authors.get", json!({ "author_ref": ada })).unwrap();
    assert_eq!(whole["pages"]["urls"], json!(["https://shop.example/guides/a", "https://shop.example/guides/b"]));
}

#[test]
fn a_list_counts_the_pages_of_each_author_whether_a_customer_has_assigned_few_or_many() {
    let fake = host();
    let (ada, grace) = (author(&fake, "Ada", "Lovelace"), author(&fake, "Grace", "Hopper"));
    let assign = |who: &str, from: usize, to: usize| {
        let urls: Vec<String> = (from..to).map(|page| format!("https://shop.example/{page}")).collect();
        fake.call("authors.assign", json!({ "author_ref": who, "urls": urls, "drafts": [format!("d{from}")] }))
            .unwrap();
    };
    let counted = || -> Vec<Value> {
        let listed = fake.call("authors.list", json!({})).unwrap();
        listed["authors"].as_array().unwrap().iter().map(|it| json!([it["author_ref"], it["pages"]])).collect()
    };
    assert_eq!(counted(), [json!([grace, 0]), json!([ada, 0])]);
    assign(&ada, 0, 3);
    assign(&grace, 3, 5);
    assert_eq!(counted(), [json!([grace, 2]), json!([ada, 3])]);
    assign(&ada, 5, 155);
    assert_eq!(counted(), [json!([grace, 2]), json!([ada, 153])]);
}

#[test]
fn an_archived_author_and_an_empty_assignment_are_refused() {
    let fake = host();
    let ada = author(&fake, "Ada", "Lovelace");
    assert_eq!(fake.refusal("authors.assign", json!({ "author_ref": ada })).code, "nothing_to_assign");
    fake.call("authors.update", json!({ "author_ref": ada, "status": "archived" })).unwrap();
    assert_eq!(fake.refusal("authors.assign", json!({ "author_ref": ada, "drafts": ["d"] })).code, "author_archived");
    let segment = fake.refusal("authors.assign", json!({ "author_ref": author(&fake, "G", "H"), "segment_ref": "s" }));
    assert_eq!((segment.code.as_str(), segment.pointer.as_deref()), ("segment_not_found", Some("/segment_ref")));
    let missing = fake.refusal("authors.assign", json!({ "author_ref": "nobody", "drafts": ["d"] }));
    assert_eq!(missing.code, "author_not_found");
}

#[test]
fn an_update_names_the_pages_whose_markup_grows_stale() {
    let fake = host();
    let ada = author(&fake, "Ada", "Lovelace");
    page(&fake, 1, "/a", Some("Ada Lovelace"), Some("Ada Lovelace"));
    page(&fake, 2, "/b", Some("Ada Lovelace"), None);
    let urls = json!(["https://shop.example/a", "https://shop.example/b", "https://shop.example/never-crawled"]);
    fake.call("authors.assign", json!({ "author_ref": ada, "urls": urls })).unwrap();
    let changed = fake.call("authors.update", json!({ "author_ref": ada, "role": "Mathematician" })).unwrap();
    assert_eq!(changed["stale_markup"], json!(["https://shop.example/a"]));
    assert_eq!(changed["author"]["role"], "Mathematician");
    let archived = fake.call("authors.update", json!({ "author_ref": ada, "status": "archived" })).unwrap();
    assert_eq!(archived["stale_markup"], json!([]));
    let cleared = fake.call("authors.update", json!({ "author_ref": ada, "role": "" })).unwrap();
    assert_eq!(cleared["author"]["role"], Value::Null);
}

#[test]
fn an_author_in_published_markup_is_deleted_only_with_a_successor() {
    let fake = host();
    let (ada, grace) = (author(&fake, "Ada", "Lovelace"), author(&fake, "Grace", "Hopper"));
    page(&fake, 1, "/a", Some("Ada Lovelace"), Some("Lovelace, Ada"));
    fake.call("authors.assign", json!({ "author_ref": ada, "urls": ["https://shop.example/a"], "drafts": ["d1"] }))
        .unwrap();
    let fault = fake.refusal("authors.delete", json!({ "author_ref": ada }));
    assert_eq!(fault.code, "markup_published");
    assert_eq!(fault.detail.as_deref(), Some(r#"{"pages":1,"urls":["https://shop.example/a"]}"#));
    let own = fake.refusal("authors.delete", json!({ "author_ref": ada, "successor_ref": ada }));
    assert_eq!(own.code, "same_author");
    let deleted = fake.call("authors.delete", json!({ "author_ref": ada, "successor_ref": grace })).unwrap();
    assert_eq!(deleted, json!({ "deleted": ada, "reassigned": 2, "cleared": 0 }));
    assert_eq!(fake.call("authors.get", json!({ "author_ref": grace })).unwrap()["pages"]["authored"], 1);
    assert_eq!(fake.refusal("authors.get", json!({ "author_ref": ada })).code, "author_not_found");
}

#[test]
fn an_author_in_no_markup_goes_with_its_assignments() {
    let fake = host();
    let ada = author(&fake, "Ada", "Lovelace");
    fake.call("authors.assign", json!({ "author_ref": ada, "drafts": ["d1", "d2"] })).unwrap();
    let deleted = fake.call("authors.delete", json!({ "author_ref": ada })).unwrap();
    assert_eq!(deleted, json!({ "deleted": ada, "reassigned": 0, "cleared": 2 }));
    assert!(fake.rows::<crate::Assignment>().is_empty());
}

#[test]
fn trust_is_the_sum_of_what_can_be_seen() {
    let fake = host();
    let made = json!({
        "firstname": "Ada", "lastname": "Lovelace", "site_id": "81", "credentials": ["Analyst"], "topics": ["engines"],
        "same_as": ["https://social.example/ada", "https://other.example/ada", "https://gone.example/ada"],
    });
    let ada = fake.call("authors.create", made).unwrap()["author_ref"].clone();
    page(&fake, 1, "/engines", Some("Ada Lovelace"), Some("Ada Lovelace"));
    page(&fake, 2, "/b", Some("A. Lovelace"), None);
    page(&fake, 3, "/team", None, None);
    let profile = Page {
        url: "https://shop.example/team/ada".to_owned(),
        title: "Ada Lovelace – our team".to_owned(),
        is_html: true,
        ..Page::default()
    };
    put(&fake, 4, profile);
    let urls = json!(["https://shop.example/engines", "https://shop.example/b"]);
    fake.call("authors.assign", json!({ "author_ref": ada, "urls": urls })).unwrap();
    let fake = fake
        .serving(
            "https://social.example/ada",
            "<h1>Ada <b>Lovelace</b></h1><a href='https://www.shop.example/'>site</a>",
        )
        .serving("https://other.example/ada", "<meta content=\"Ada Lovelace\"><a href=/elsewhere>x</a>");
    let scored = fake.call("authors.trust.score", json!({ "author_ref": ada })).unwrap();
    let points: Vec<_> =
        scored["evidence"].as_array().unwrap().iter().map(|it| it["points"].as_u64().unwrap()).collect();
    assert_eq!(points, [20, 10, 15, 10, 5, 7]);
    assert_eq!(scored["score"], 67);
    assert_eq!(scored["evidence"][0]["where"], json!(["https://shop.example/team/ada"]));
    assert_eq!(scored["evidence"][1]["where"], json!(["https://shop.example/b"]));
    assert_eq!(scored["evidence"][2]["where"], json!(["https://social.example/ada"]));
    assert_eq!(scored["next"][0]["operation_id"], "authors.byline.audit");
    let whole = fake.call("authors.get", json!({ "author_ref": ada })).unwrap();
    assert_eq!(whole["verified_profiles"][0]["url"], "https://social.example/ada");
    assert_eq!(fake.call("authors.list", json!({})).unwrap()["authors"][0]["trust_score"], 67);
}

#[test]
fn an_author_of_nothing_scores_nothing_and_is_told_to_crawl() {
    let fake = crate::fake().with_as("81", Site { origin: "https://shop.example".to_owned(), ..site::Site::default() });
    let ada = author(&fake, "Ada", "Lovelace");
    let scored = fake.call("authors.trust.score", json!({ "author_ref": ada })).unwrap();
    assert_eq!(scored["score"], 0);
    assert_eq!(scored["next"][0]["operation_id"], "crawl.run.start");
    assert_eq!(scored["next"].as_array().unwrap().len(), 7);
    assert!(fake.requested().is_empty());
}
