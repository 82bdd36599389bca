//! What `wordpress` promises, against a provider that answers by path.

use sdk::{Fake, Module, json};

use super::*;

const POSTS: &str = "/wp-json/wp/v2/posts";
const PAGES: &str = "/wp-json/wp/v2/pages";

/// A WordPress with one post.
fn connected(link: &str, status: &str) -> Fake {
    let module = Module {
        name: "none",
        operations: Vec::new(),
        routes: Vec::new(),
        steps: Vec::new(),
        collections: Vec::new(),
        raw: Vec::new(),
        untrusted: Vec::new(),
    };
    let fake = Fake::new(module).connected("con_1", "wordpress");
    let item = json!({ "id": 7, "link": link, "status": status, "modified_gmt": "2026-09-01T00:00:00",
        "content": { "raw": "<p>Lamps.</p>", "protected": false } });
    fake.provider_answers("GET", POSTS, 200, &json!([item]));
    fake.provider_answers("GET", PAGES, 200, &json!([]));
    fake.provider_answers("GET", &format!("{POSTS}/7"), 200, &item);
    fake.provider_answers("GET", &format!("{POSTS}/7/revisions"), 200, &json!([{ "id": 70 }]));
    fake
}

#[test]
fn the_item_behind_an_address_is_the_published_one_with_its_host_and_path() {
    for (link, status, found) in [
        ("https://www.shop.example/blog/lamps/", "publish", true),
        ("http://shop.example/Blog/Lamps", "publish", true),
        ("https://shop.example/blog/lamps", "draft", false),
        ("https://shop.example/news/lamps", "publish", false),
        ("https://mall.example/blog/lamps", "publish", false),
    ] {
        let fake = connected(link, status);
        let item = find(&fake, "https://shop.example/blog/lamps").unwrap();
        assert_eq!(item.is_some(), found, "{link}");
    }
    let fake = connected("https://shop.example/blog/lamps", "publish");
    assert_eq!(find(&fake, "https://shop.example/").unwrap(), None, "the home page has no slug");
    assert_eq!(find(&fake, "https://shop.example/?p=7").unwrap().unwrap().id, 7);
    assert_eq!(read(&fake, "con_1", Kind::Posts, 8).unwrap(), None);
}

#[test]
fn a_content_that_somebody_else_changed_is_never_written_over() {
    let fake = connected("https://shop.example/blog/lamps", "publish");
    let item = find(&fake, "https://shop.example/blog/lamps").unwrap().unwrap();
    let earlier = Item { raw: "<p>Desks.</p>".to_owned(), ..item.clone() };
    let refused = write(&fake, &earlier, "<p>Oak desks.</p>").unwrap_err();
    assert_eq!(refused.code, "edit_conflict");
    assert!(fake.sent().iter().all(|it| it.starts_with("GET ")));
    // This provider takes everything and stores nothing: what it stores is looked at, not what it says.
    fake.provider_answers("POST", &format!("{POSTS}/7"), 200, &json!({}));
    let edited = write(&fake, &item, "<p>Brass lamps.</p>").unwrap();
    assert_eq!((edited.exact, edited.revision, edited.item.hash()), (false, Some(70), item.hash()));
}

#[test]
fn a_write_of_which_nobody_knows_is_told_so_unless_it_is_there() {
    let fake = connected("https://shop.example/blog/lamps", "publish");
    let item = find(&fake, "https://shop.example/blog/lamps").unwrap().unwrap();
    fake.provider_fails("POST", &format!("{POSTS}/7"), SendFailure::UnknownOutcome);
    assert_eq!(write(&fake, &item, "<p>Brass lamps.</p>").unwrap_err().code, "unknown_outcome");
    assert!(write(&fake, &item, &item.raw).unwrap().exact);
    fake.provider_answers("GET", &format!("{POSTS}/7"), 404, &json!({}));
    assert_eq!(write(&fake, &item, "<p>Brass lamps.</p>").unwrap_err().code, "item_gone");
}
