//! Tests of robots.txt, observed from the site.

use std::time::Duration;

use super::*;
use crate::egress::Verdict;
use crate::egress::site::{NOW, QUICK, Site, manners, page, store, visit};

const OK: &[&str] = &["content-type: text/plain"];

fn rules(site: &Site, text: &str) {
    site.serve("/robots.txt", 200, OK, text);
    site.serve("/", 200, OK, "home");
    site.serve("/open", 200, OK, "open");
    site.serve("/closed", 200, OK, "closed");
}

async fn status(guard: &Guard, path: &str, manners: &Manners) -> Result<u16, Failure> {
    visit(guard, page(path), manners).await.map(|page| page.status)
}

#[tokio::test]
async fn a_page_that_the_rules_forbid_is_not_asked_for_and_the_trail_says_so() {
    let site = Site::start().await;
    rules(&site, "User-agent: *\nDisallow: /closed\n");
    let (guard, manners) = (site.guard(QUICK), manners(&store().await.0));
    let mut trail = Vec::new();
    let refused = guard.visit(page("/closed"), &manners, &mut trail).await;
    assert_eq!(refused.map(|it| it.status), Err(Failure::Disallowed));
    assert_eq!(trail.last().map(|it| it.verdict), Some(Verdict::Robots));
    assert_eq!(status(&guard, "/open", &manners).await, Ok(200));
    assert_eq!(site.asked(), ["/robots.txt", "/open"]);
}

#[tokio::test]
async fn the_group_of_our_product_token_is_the_one_that_counts() {
    let site = Site::start().await;
    rules(&site, "User-agent: *\nDisallow: /\n\nUser-agent: espalierbot\nDisallow: /closed\n");
    let (guard, manners) = (site.guard(QUICK), manners(&store().await.0));
    assert_eq!(status(&guard, "/open", &manners).await, Ok(200));
    assert_eq!(status(&guard, "/closed", &manners).await, Err(Failure::Disallowed));
}

#[tokio::test]
async fn a_redirect_is_followed_only_where_the_rules_of_its_place_allow_it() {
    let site = Site::start().await;
    rules(&site, "User-agent: *\nDisallow: /closed\n");
    site.serve("/moved", 302, &["location: /closed"], "");
    let (guard, manners) = (site.guard(QUICK), manners(&store().await.0));
    assert_eq!(status(&guard, "/moved", &manners).await, Err(Failure::Disallowed));
    assert_eq!(site.asked(), ["/robots.txt", "/moved"]);
}

#[tokio::test]
async fn the_file_is_asked_for_once_by_all_nodes_and_again_when_it_is_no_longer_fresh() {
    let site = Site::start().await;
    rules(&site, "");
    let (store, clock) = store().await;
    let manners = manners(&store);
    for guard in [site.guard(QUICK), site.guard(QUICK)] {
        let pages = ["/", "/open", "/closed"].map(|path| status(&guard, path, &manners));
        assert!(futures_util::future::join_all(pages).await.into_iter().all(|it| it == Ok(200)));
    }
    let files = || site.asked().iter().filter(|path| *path == "/robots.txt").count();
    assert_eq!(files(), 1);
    let guard = site.guard(QUICK);
    assert_eq!(status(&guard, "/", &manners).await, Ok(200));
    clock.advance(USUAL);
    assert_eq!(status(&guard, "/", &manners).await, Ok(200));
    assert_eq!(files(), 2);
}

#[tokio::test]
async fn a_place_says_within_bounds_how_long_its_file_is_good() {
    for (header, life) in [
        ("cache-control: max-age=7200", Duration::from_secs(7_200)),
        ("cache-control: max-age=31536000", LONGEST),
        ("cache-control: no-cache", SHORTEST),
        ("x-nothing: said", USUAL),
    ] {
        let site = Site::start().await;
        site.serve("/robots.txt", 200, &[header], "User-agent: *\n");
        let (store, _) = store().await;
        status(&site.guard(QUICK), "/", &manners(&store)).await.ok();
        let kept = store.edges.robots_file("http://shop.example").await.expect("a store").expect("it is kept");
        assert_eq!(kept.fresh_until, NOW.plus(life), "{header}");
    }
}

#[tokio::test]
async fn the_answer_decides_as_section_2_3_1_says() {
    let moved = (1..=6).map(|step| (format!("/r{step}"), format!("location: /r{}", step + 1)));
    let moved: Vec<(String, String)> = moved.collect();
    for (answer, headers, expected) in [
        (404, "x: y", Ok(200)),
        (403, "x: y", Ok(200)),
        (500, "x: y", Err(Failure::Disallowed)),
        (429, "retry-after: 30", Err(Failure::Paced(Duration::from_secs(30)))),
        (503, "retry-after: 40", Err(Failure::Paced(Duration::from_secs(40)))),
        (301, "location: /rules", Err(Failure::Disallowed)),
        // Six redirects are one too many, so the file counts as missing.
        (302, "location: /r1", Ok(200)),
    ] {
        let site = Site::start().await;
        site.serve("/robots.txt", answer, &[headers], "User-agent: *\nDisallow: /\n");
        site.serve("/rules", 200, OK, "User-agent: *\nDisallow: /open\n");
        site.serve("/open", 200, OK, "open");
        for (path, location) in &moved {
            site.serve(path, 302, &[location], "");
        }
        let found = status(&site.guard(QUICK), "/open", &manners(&store().await.0)).await;
        assert_eq!(found, expected, "{answer} {headers}");
        assert_eq!(site.asked().contains(&"/open".to_owned()), expected.is_ok(), "{answer}");
    }
}

#[tokio::test]
async fn a_file_that_cannot_be_had_any_more_is_obeyed_as_it_was() {
    let site = Site::start().await;
    rules(&site, "User-agent: *\nDisallow: /closed\n");
    let (store, clock) = store().await;
    let manners = manners(&store);
    assert_eq!(status(&site.guard(QUICK), "/open", &manners).await, Ok(200));
    clock.advance(LONGEST);
    site.serve("/robots.txt", 500, &[], "");
    assert_eq!(status(&site.guard(QUICK), "/open", &manners).await, Ok(200));
    site.hang_up("/robots.txt");
    let guard = site.guard(QUICK);
    assert_eq!(status(&guard, "/open", &manners).await, Ok(200));
    assert_eq!(status(&guard, "/closed", &manners).await, Err(Failure::Disallowed));
}

#[tokio::test]
async fn a_place_that_does_not_answer_for_its_rules_is_not_asked_for_a_page() {
    let site = Site::start().await;
    rules(&site, "");
    site.hang_up("/robots.txt");
    let found = status(&site.guard(QUICK), "/open", &manners(&store().await.0)).await;
    assert_eq!(found, Err(Failure::Unreachable));
    assert_eq!(site.asked(), ["/robots.txt"]);
}

#[tokio::test]
async fn a_crawl_delay_is_the_time_between_two_pages_up_to_a_bound() {
    for (delay, wait) in [("20", 20), ("3000", LONGEST_DELAY.as_secs())] {
        let site = Site::start().await;
        rules(&site, &format!("User-agent: *\nCrawl-delay: {delay}\n"));
        let (store, _) = store().await;
        let guard = site.guard(Pace { every: Duration::from_millis(1), burst: 1 });
        let soon = Manners::new(store, tokio::time::Instant::now() + Duration::from_secs(3));
        assert_eq!(status(&guard, "/", &soon).await, Ok(200));
        let Err(Failure::Paced(paced)) = status(&guard, "/open", &soon).await else { panic!("it waits") };
        assert_eq!(paced.as_secs(), wait);
        assert_eq!(site.asked(), ["/robots.txt", "/"]);
    }
}

#[tokio::test]
async fn who_names_a_page_is_not_asked_for_the_rules() {
    let site = Site::start().await;
    rules(&site, "User-agent: *\nDisallow: /\n");
    let named = manners(&store().await.0).obeying(Obey::Nothing);
    assert_eq!(status(&site.guard(QUICK), "/closed", &named).await, Ok(200));
    assert_eq!(site.asked(), ["/closed"]);
}

#[tokio::test]
async fn a_guest_gets_the_shared_file_or_a_new_one_which_everybody_then_obeys() {
    let site = Site::start().await;
    rules(&site, "User-agent: *\nDisallow: /closed\n");
    let (guard, manners) = (site.guard(QUICK), manners(&store().await.0));
    assert_eq!(status(&guard, "/open", &manners).await, Ok(200));
    let shared = Fetch { freshness: Freshness::Any, ..page("/robots.txt") };
    let file = visit(&guard, shared, &manners).await.expect("the file");
    assert_eq!((file.status, file.cached), (200, Cached::Fresh));
    assert_eq!(file.body, b"User-agent: *\nDisallow: /closed\n");
    assert_eq!(site.asked(), ["/robots.txt", "/open"]);
    rules(&site, "User-agent: *\nDisallow: /open\n");
    assert_eq!(visit(&guard, page("/robots.txt"), &manners).await.expect("the file").cached, Cached::None);
    assert_eq!(status(&guard, "/open", &manners).await, Err(Failure::Disallowed));
    assert_eq!(status(&guard, "/closed", &manners).await, Ok(200));
    assert_eq!(site.asked(), ["/robots.txt", "/open", "/robots.txt", "/closed"]);
}
