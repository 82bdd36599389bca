//! Tests of the HTTP cache, observed from the site.

use model::id::CustomerId;
use store::Store;

use super::*;
use crate::egress::site::{self, QUICK, Site, page, store, visit};

fn shelf(customer: &str, module: &str) -> Shelf {
    Shelf { customer: CustomerId::from(customer), module: module.to_owned() }
}

fn manners(store: &Store) -> Manners {
    site::manners(store).keeping(shelf("cus_ann", "crawl"))
}

fn any(path: &str) -> Fetch {
    Fetch { freshness: Freshness::Any, ..page(path) }
}

/// The number of requests to the site, without those for robots.txt.
fn asked(site: &Site) -> usize {
    site.asked().iter().filter(|path| *path != "/robots.txt").count()
}

#[tokio::test]
async fn a_fresh_page_is_an_answer_to_whoever_takes_any_until_its_time_is_over() {
    let site = Site::start().await;
    site.serve("/", 200, &["cache-control: max-age=60", "content-type: text/html"], "one");
    let ((store, clock), guard) = (store().await, site.guard(QUICK));
    let manners = manners(&store);
    assert_eq!(visit(&guard, any("/"), &manners).await.expect("a page").cached, Cached::None);
    clock.advance(Duration::from_secs(40));
    let kept = visit(&guard, any("/"), &manners).await.expect("a page");
    assert_eq!((kept.status, kept.body, kept.cached), (200, b"one".to_vec(), Cached::Fresh));
    assert_eq!(kept.age, Duration::from_secs(40));
    assert!(kept.headers.iter().any(|(name, value)| name == "content-type" && value == "text/html"));
    assert_eq!(asked(&site), 1);
    clock.advance(Duration::from_secs(20));
    assert_eq!(visit(&guard, any("/"), &manners).await.expect("a page").cached, Cached::None);
    assert_eq!(asked(&site), 2);
}

#[tokio::test]
async fn who_wants_it_fresh_really_asks_and_gets_the_kept_body_when_nothing_has_changed() {
    let site = Site::start().await;
    site.serve("/", 200, &["etag: \"a\"", "cache-control: max-age=600", "x-old: 1"], "body");
    let ((store, _), guard) = (store().await, site.guard(QUICK));
    let manners = manners(&store);
    visit(&guard, page("/"), &manners).await.expect("a page");
    assert!(!site.last().contains("if-none-match"));
    site.serve("/", 304, &["etag: \"a\"", "cache-control: max-age=5"], "");
    let again = visit(&guard, page("/"), &manners).await.expect("a page");
    assert!(site.last().contains("if-none-match: \"a\""), "{}", site.last());
    assert!(!site.last().contains("no-cache"), "{}", site.last());
    assert_eq!((again.status, again.body, again.cached), (200, b"body".to_vec(), Cached::Revalidated));
    let header = |name: &str| again.headers.iter().find(|(it, _)| it == name).map(|(_, value)| value.as_str());
    assert_eq!((header("cache-control"), header("x-old")), (Some("max-age=5"), Some("1")));
    assert_eq!(asked(&site), 2);
    site.serve("/", 200, &["etag: \"b\""], "new");
    let changed = visit(&guard, page("/"), &manners).await.expect("a page");
    assert_eq!((changed.body, changed.cached), (b"new".to_vec(), Cached::None));
}

#[tokio::test]
async fn an_answer_that_confirms_another_page_is_asked_for_anew() {
    let site = Site::start().await;
    site.serve("/", 200, &["etag: \"a\""], "body");
    let ((store, _), guard) = (store().await, site.guard(QUICK));
    let manners = manners(&store);
    visit(&guard, page("/"), &manners).await.expect("a page");
    site.serve("/", 304, &["etag: \"z\""], "");
    let odd = visit(&guard, page("/"), &manners).await.expect("an answer");
    assert_eq!((odd.status, odd.cached), (304, Cached::None), "asked without a validator it says so all the same");
    assert!(!site.last().contains("if-none-match"));
    assert_eq!(asked(&site), 3);
}

#[tokio::test]
async fn what_may_not_be_kept_is_not_and_takes_the_earlier_one_with_it() {
    let ((store, _), key) = (store().await, hex(&Sha256::digest(b"http://shop.example/")));
    let has = async || store.edges.kept_page(&shelf("cus_ann", "crawl"), &key).await.expect("a store").is_some();
    let site = Site::start().await;
    let guard = site.guard(QUICK);
    for (status, headers) in [
        (200, &["etag: \"b\"", "cache-control: no-store"][..]),
        (200, &["content-type: text/html"][..]),
        (404, &["etag: \"b\""][..]),
    ] {
        site.serve("/", 200, &["etag: \"a\""], "body");
        visit(&guard, page("/"), &manners(&store)).await.expect("a page");
        assert!(has().await);
        site.serve("/", status, headers, "other");
        let other = visit(&guard, page("/"), &manners(&store)).await.expect("a page");
        assert_eq!((other.status, other.body), (status, b"other".to_vec()));
        assert!(!has().await, "{status} {headers:?}");
    }
    let short = Fetch { max_bytes: 2, ..page("/") };
    site.serve("/", 200, &["etag: \"a\""], "body");
    assert!(visit(&guard, short, &manners(&store)).await.expect("a page").truncated);
    assert!(!has().await, "a part of a page is no page");
}

#[tokio::test]
async fn a_page_that_varies_is_kept_for_those_who_ask_alike() {
    let site = Site::start().await;
    site.serve("/", 200, &["cache-control: max-age=600", "vary: accept-language"], "page");
    let ((store, _), guard) = (store().await, site.guard(QUICK));
    let manners = manners(&store);
    let in_language =
        |language: &str| Fetch { headers: vec![("Accept-Language".to_owned(), language.to_owned())], ..any("/") };
    visit(&guard, in_language("de"), &manners).await.expect("a page");
    assert_eq!(visit(&guard, in_language("de"), &manners).await.expect("a page").cached, Cached::Fresh);
    assert_eq!(visit(&guard, in_language("fr"), &manners).await.expect("a page").cached, Cached::None);
    assert_eq!(asked(&site), 2);
}

#[tokio::test]
async fn pages_are_shared_with_no_other_customer_and_no_other_module() {
    let site = Site::start().await;
    site.serve("/", 200, &["cache-control: max-age=600", "etag: \"a\""], "page");
    let ((store, _), guard) = (store().await, site.guard(QUICK));
    visit(&guard, any("/"), &manners(&store)).await.expect("a page");
    for other in [shelf("cus_bob", "crawl"), shelf("cus_ann", "onpage")] {
        let other = site::manners(&store).keeping(other);
        assert_eq!(visit(&guard, any("/"), &other).await.expect("a page").cached, Cached::None);
        assert!(!site.last().contains("if-none-match"));
    }
    assert_eq!(asked(&site), 3);
}

#[tokio::test]
async fn a_validator_of_the_guest_is_its_own_and_the_304_is_its_answer() {
    let site = Site::start().await;
    site.serve("/", 200, &["etag: \"a\"", "cache-control: max-age=600"], "page");
    let ((store, _), guard) = (store().await, site.guard(QUICK));
    let manners = manners(&store);
    visit(&guard, page("/"), &manners).await.expect("a page");
    site.serve("/", 304, &["etag: \"mine\""], "");
    let own = Fetch { headers: vec![("If-None-Match".to_owned(), "\"mine\"".to_owned())], ..any("/") };
    let answer = visit(&guard, own, &manners).await.expect("an answer");
    assert_eq!((answer.status, answer.cached, answer.body.len()), (304, Cached::None, 0));
    assert!(site.last().contains("\"mine\"") && !site.last().contains("\"a\""), "{}", site.last());
}
