//! What the edges answer to whoever has no right to anything. What they do for those who have is tested on a whole host.

pub(crate) mod shares;

use http::{Method, Request};
use store::edges::recipients::{Asking, Standing};

use crate::tests::{Answer, World};

async fn ask(world: &World, method: Method, path: &str) -> Answer {
    world.send(Request::builder().method(method).uri(path).body(axum::body::Body::empty()).unwrap()).await
}

#[tokio::test]
async fn an_unknown_code_or_token_is_a_page_that_says_nothing_and_is_kept_nowhere() {
    let world = World::new().await;
    for path in [
        "/l/abcdefghij",
        "/l/%00",
        "/l/a%2F..%2Fb",
        "/l/",
        "/r/esp_sh_unknown",
        "/r/x",
        "/u/esp_un_unknown",
        "/c/esp_cf_unknown",
    ] {
        for method in [Method::GET, Method::HEAD] {
            let answer = ask(&world, method, path).await;
            assert_eq!(answer.status, 404, "{path}");
            assert_eq!(answer.header("cache-control"), "no-store", "{path}");
            assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
            assert_eq!(answer.header("x-robots-tag"), "noindex, nofollow, noarchive", "{path}");
            assert!(!answer.headers.contains_key("set-cookie") && !answer.headers.contains_key("location"), "{path}");
            assert!(!answer.text.contains("abcdefghij") && !answer.text.contains("unknown"), "{path}");
        }
    }
}

#[tokio::test]
async fn whoever_finds_our_name_in_a_log_reads_who_we_are_and_how_to_say_no() {
    let world = World::new().await;
    let answer = ask(&world, Method::GET, "/bot").await;
    assert_eq!(answer.status, 200);
    assert!(answer.text.contains("User-agent: EspalierBot\nDisallow: /"), "{}", answer.text);
    assert!(!answer.headers.contains_key("set-cookie"));
}

#[tokio::test]
async fn a_wrong_method_is_told_which_ones_are_right() {
    let world = World::new().await;
    for (path, allowed, wrong) in [
        ("/bot", "GET, HEAD", [Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS]),
        ("/l/abcdefghij", "GET, HEAD", [Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS]),
        ("/r/esp_sh_x", "GET, HEAD, POST", [Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS]),
        ("/u/esp_un_x", "GET, HEAD, POST", [Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS]),
        ("/c/esp_cf_x", "GET, HEAD, POST", [Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS]),
        ("/uploads/esp_up_x", "PUT", [Method::POST, Method::GET, Method::HEAD, Method::DELETE]),
    ] {
        for method in wrong {
            let answer = ask(&world, method.clone(), path).await;
            assert_eq!((answer.status.as_u16(), answer.header("allow")), (405, allowed), "{method} {path}");
        }
    }
}

#[tokio::test]
async fn an_unknown_upload_is_refused_before_its_body_and_in_the_shape_of_the_service() {
    let world = World::new().await;
    let request =
        Request::builder().method(Method::PUT).uri("/uploads/esp_up_unknown").header("content-type", "text/csv");
    let answer = world.send(request.body(axum::body::Body::from("a,b\n")).unwrap()).await;
    answer.expect(404, "upload_not_found");
    assert_eq!(answer.header("connection"), "close");
    assert!(!answer.text.contains("esp_up_unknown"));
}

#[tokio::test]
async fn a_network_that_asks_too_often_waits_at_one_edge_and_not_at_the_others() {
    let rates = service::config::Rates { edge: 3, ..service::config::Rates::default() };
    let world = World::with(model::scope::ScopeSet::all(), rates).await;
    for _ in 0..3 {
        assert_eq!(ask(&world, Method::GET, "/l/abcdefghij").await.status, 404);
    }
    let answer = ask(&world, Method::GET, "/l/abcdefghij").await;
    assert_eq!(answer.status, 429);
    assert_eq!(answer.header("retry-after"), "60");
    assert_eq!(answer.header("ratelimit"), "\"edge\";r=0;t=60");
    assert_eq!(answer.header("cache-control"), "no-store");
    assert!(answer.text.starts_with("<!doctype html>"));
    assert_eq!(ask(&world, Method::GET, "/r/esp_sh_x").await.status, 404);
    for _ in 0..3 {
        assert_eq!(ask(&world, Method::PUT, "/uploads/esp_up_x").await.status, 404);
    }
    ask(&world, Method::PUT, "/uploads/esp_up_x").await.expect(429, "rate_limited");
}

/// An address by which Bob unsubscribes, and whether he has.
async fn offered(world: &World) -> String {
    let (store, now) = (world.service.core.store(), world.service.core.clock().now());
    let secret = store.edges.offer_unsubscribe(&world.customer, "outreach", "bob@shop.example", now).await.unwrap();
    format!("/u/{}", secret.reveal())
}

async fn way(world: &World) -> Option<store::edges::unsubscribes::Way> {
    let found =
        world.service.core.store().edges.unsubscribed(&world.customer, "outreach", "bob@shop.example").await.unwrap();
    found.map(|(_, way)| way)
}

async fn post(world: &World, path: &str, media: &str, body: &str) -> Answer {
    let request = Request::builder().method(Method::POST).uri(path).header("content-type", media);
    world.send(request.body(axum::body::Body::from(body.to_owned())).unwrap()).await
}

#[tokio::test]
async fn following_the_address_asks_and_only_the_form_of_that_page_unsubscribes() {
    let world = World::new().await;
    let path = offered(&world).await;
    for method in [Method::GET, Method::HEAD, Method::GET] {
        let answer = ask(&world, method, &path).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("cache-control"), "no-store");
        assert_eq!(answer.header("x-robots-tag"), "noindex, nofollow, noarchive");
        assert!(!answer.headers.contains_key("set-cookie"));
    }
    assert!(ask(&world, Method::GET, &path).await.text.contains("<form method=\"post\">"));
    for (media, body) in [
        ("application/x-www-form-urlencoded", ""),
        ("application/x-www-form-urlencoded", "confirm=no"),
        ("application/x-www-form-urlencoded", "List-Unsubscribe=Two-Clicks"),
        ("text/plain", "List-Unsubscribe=One-Click"),
        ("multipart/form-data", "List-Unsubscribe=One-Click"),
    ] {
        assert_eq!(post(&world, &path, media, body).await.status, 400, "{media} {body}");
    }
    assert_eq!(way(&world).await, None);
    let answer = post(&world, &path, "application/x-www-form-urlencoded", "confirm=yes").await;
    assert_eq!((answer.status.as_u16(), answer.headers.contains_key("location")), (200, false));
    assert_eq!(way(&world).await, Some(store::edges::unsubscribes::Way::Page));
}

#[tokio::test]
async fn one_click_unsubscribes_in_both_encodings_without_a_redirect_or_a_cookie_and_as_often_as_one_likes() {
    let parts = "--b\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--b--\r\n";
    for (media, body) in [
        ("application/x-www-form-urlencoded", "List-Unsubscribe=One-Click"),
        ("multipart/form-data; boundary=b", parts),
        ("multipart/form-data; boundary=\"b\"", parts),
    ] {
        let world = World::new().await;
        let path = offered(&world).await;
        for _ in 0..2 {
            let answer = post(&world, &path, media, body).await;
            assert_eq!(answer.status, 200, "{media}");
            assert!(!answer.headers.contains_key("location") && !answer.headers.contains_key("set-cookie"));
        }
        assert_eq!(way(&world).await, Some(store::edges::unsubscribes::Way::OneClick));
        let unknown = post(&world, "/u/esp_un_unknown", media, body).await;
        assert_eq!(unknown.status, 404);
    }
}

/// A letter's address by which Bob answers whether he wants reports.
async fn asked(world: &World) -> String {
    let (store, at) = (world.service.core.store(), world.service.core.clock().now());
    let asking = Asking {
        address: "bob@shop.example".to_owned(),
        module: "reports".to_owned(),
        sender: "hello@shop.example".to_owned(),
        words: "The <b>weekly</b> report".to_owned(),
        at,
    };
    let asked = store.edges.ask_recipient(&world.customer, asking).await.unwrap().unwrap();
    format!("/c/{}", asked.secret.reveal())
}

async fn standing(world: &World) -> Standing {
    let store = world.service.core.store();
    store.edges.standing(&world.customer, "reports", "bob@shop.example").await.unwrap()
}

const FORM: &str = "application/x-www-form-urlencoded";

#[tokio::test]
async fn following_a_letters_address_answers_nothing_and_shows_who_asks_and_what_for() {
    let world = World::new().await;
    let path = asked(&world).await;
    for method in [Method::GET, Method::HEAD, Method::GET] {
        let answer = ask(&world, method, &path).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("cache-control"), "no-store");
        assert_eq!(answer.header("referrer-policy"), "no-referrer");
        assert_eq!(answer.header("x-robots-tag"), "noindex, nofollow, noarchive");
        assert!(answer.header("content-security-policy").starts_with("default-src 'none';"));
        assert!(!answer.headers.contains_key("set-cookie"));
    }
    let shown = ask(&world, Method::GET, &path).await.text;
    assert!(shown.contains("hello@shop.example") && !shown.contains("<b>") && !shown.contains("<script"), "{shown}");
    for answer in ["name=\"answer\" value=\"yes\"", "name=\"answer\" value=\"no\""] {
        assert!(shown.contains(answer), "{shown}");
    }
    for (media, body) in
        [(FORM, ""), (FORM, "answer=maybe"), (FORM, "answer=yes&answer=no"), ("text/plain", "answer=yes")]
    {
        assert_eq!(post(&world, &path, media, body).await.status, 400, "{media} {body}");
    }
    assert!(matches!(standing(&world).await, Standing::Invited(_)));
}

#[tokio::test]
async fn a_yes_confirms_as_often_as_it_is_said_and_whoever_confirmed_can_leave_for_good() {
    let world = World::new().await;
    let path = asked(&world).await;
    for _ in 0..2 {
        let answer = post(&world, &path, FORM, "answer=yes").await;
        assert_eq!((answer.status.as_u16(), answer.headers.contains_key("location")), (200, false));
        assert!(answer.text.contains("You said yes"), "{}", answer.text);
        assert!(matches!(standing(&world).await, Standing::Confirmed(_)));
    }
    let later = ask(&world, Method::GET, &path).await.text;
    assert!(later.contains("value=\"no\"") && !later.contains("value=\"yes\""), "{later}");
    for answer in ["answer=no", "answer=yes"] {
        assert!(post(&world, &path, FORM, answer).await.text.contains("You have left"));
        assert!(matches!(standing(&world).await, Standing::Left(_)));
    }
    assert!(!ask(&world, Method::GET, &path).await.text.contains("<form"));
}

#[tokio::test]
async fn a_no_declines_for_good_and_an_unknown_address_answers_nothing() {
    let world = World::new().await;
    let path = asked(&world).await;
    for answer in ["answer=no", "answer=no", "answer=yes"] {
        assert!(post(&world, &path, FORM, answer).await.text.contains("You said no"));
        assert!(matches!(standing(&world).await, Standing::Declined(_)));
    }
    for method in [Method::GET, Method::POST] {
        let request = Request::builder().method(method).uri("/c/esp_cf_unknown").header("content-type", FORM);
        let answer = world.send(request.body(axum::body::Body::from("answer=yes")).unwrap()).await;
        assert_eq!(answer.status, 404);
        assert!(answer.text.contains("Nothing is here"));
    }
}
