//! The customer's own pages.

use super::*;

async fn inside(world: &World) -> Browser<'_> {
    let mut browser = Browser::new(world);
    browser.sign_in().await;
    browser
}

#[tokio::test]
async fn nobody_sees_a_page_of_the_portal_without_signing_in() {
    let world = World::new().await;
    for path in ["/", "/apps", "/tokens"] {
        assert_eq!(world.get(path).await.location().path(), "/sign-in", "{path}");
    }
    for path in ["/apps/revoke", "/tokens/revoke", "/tokens"] {
        assert_eq!(world.post_form(path, &[("grant", "gra_x")]).await.location().path(), "/sign-in", "{path}");
    }
}

#[tokio::test]
async fn the_overview_shows_points_credits_and_addresses() {
    let world = World::new().await;
    let page = inside(&world).await.get("/").await;
    for words in [EMAIL, "100<span> of 100", "1000", MCP, "https://espalier.example/v1", "not active"] {
        assert!(page.text.contains(words), "{words}: {}", page.text);
    }
}

#[tokio::test]
async fn v8_connected_applications_are_listed_and_can_be_revoked() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    let pair = world.tokens(&client, "account:read destructive:execute").await;
    let mut browser = inside(&world).await;
    let page = browser.get("/apps").await;
    for words in ["Agent", "Read account state and setup", "Delete, stop or irreversibly"] {
        assert!(page.text.contains(words), "{words}: {}", page.text);
    }
    let (csrf, grant) = (page.hidden("/apps/revoke", "csrf"), page.hidden("/apps/revoke", "grant"));
    let forged = browser.post("/apps/revoke", &[("grant", &grant), ("csrf", "x")]).await;
    assert_eq!(forged.status, StatusCode::FORBIDDEN);
    assert_eq!(world.bearer(&pair.access).await, Ok(()));
    let answer = browser.post("/apps/revoke", &[("grant", &grant), ("csrf", &csrf)]).await;
    assert_eq!(answer.location().path(), "/apps");
    assert_eq!(world.bearer(&pair.access).await, Err("invalid_token".to_owned()));
}

#[tokio::test]
async fn a_customer_cannot_revoke_what_is_anothers() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    let pair = world.tokens(&client, "").await;
    let grant = world.authority.connections(&world.customer).await.unwrap()[0].id.to_string();
    let password = Password::chosen("another password").unwrap();
    world.authority.add_customer("eve@example.com", Some(password), 0).await.unwrap();
    let mut browser = Browser::new(&world);
    browser.sign_in_with("eve@example.com", "another password", "/").await;
    let page = browser.get("/apps").await;
    let csrf = page.hidden("/sign-out", "csrf");
    browser.post("/apps/revoke", &[("grant", &grant), ("csrf", &csrf)]).await;
    assert_eq!(world.bearer(&pair.access).await, Ok(()));
}

#[tokio::test]
async fn a_reused_refresh_token_is_told_to_the_customer() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    let pair = world.tokens(&client, "").await;
    world.refresh(&client, &pair.refresh).await;
    world.refresh(&client, &pair.refresh).await;
    let page = inside(&world).await.get("/apps").await;
    assert!(page.text.contains("a refresh token came twice"), "{}", page.text);
}

#[tokio::test]
async fn a_token_is_made_shown_once_and_revoked() {
    let world = World::new().await;
    let mut browser = inside(&world).await;
    let page = browser.get("/tokens").await;
    let csrf = page.hidden("/tokens", "csrf");
    let fields = [
        ("csrf", csrf.as_str()),
        ("name", "Nightly <b>"),
        ("days", "30"),
        ("scope", "account:read"),
        ("scope", "seo:audit"),
    ];
    let made = browser.post("/tokens", &fields).await;
    assert_eq!(made.status, StatusCode::OK, "{}", made.text);
    let secret = made.text.split("id=\"token\">").nth(1).unwrap().split('<').next().unwrap().to_owned();
    assert!(secret.starts_with("esp_at_"));
    assert_eq!(world.bearer(&secret).await, Ok(()));
    let page = browser.get("/tokens").await;
    assert!(page.text.contains("account:read seo:audit") && !page.text.contains(&secret) && !page.text.contains("<b>"));
    let (csrf, grant) = (page.hidden("/tokens/revoke", "csrf"), page.hidden("/tokens/revoke", "grant"));
    browser.post("/tokens/revoke", &[("grant", &grant), ("csrf", &csrf)]).await;
    assert_eq!(world.bearer(&secret).await, Err("invalid_token".to_owned()));
}

#[tokio::test]
async fn a_token_without_scope_or_credits_is_refused_with_the_reason() {
    let world = World::with(10).await;
    let mut browser = inside(&world).await;
    let csrf = browser.get("/tokens").await.hidden("/sign-out", "csrf");
    let none = browser.post("/tokens", &[("csrf", &csrf), ("name", "x"), ("days", "30")]).await;
    assert_eq!(none.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(none.text.contains("at least one scope"));
    let fields = [("csrf", csrf.as_str()), ("name", "x"), ("days", "30"), ("scope", "account:read")];
    let short = browser.post("/tokens", &fields).await;
    assert_eq!(short.status, StatusCode::PAYMENT_REQUIRED);
    assert!(short.text.contains("add 90 credits"), "{}", short.text);
}

#[tokio::test]
async fn external_access_can_be_activated_before_anything_is_connected() {
    let world = World::new().await;
    let mut browser = inside(&world).await;
    let csrf = browser.get("/").await.hidden("/activate", "csrf");
    for _ in 0..2 {
        assert_eq!(browser.post("/activate", &[("csrf", &csrf)]).await.location().path(), "/");
        assert_eq!(world.authority.balance(&world.customer).await.unwrap().credits_milli, 900_000);
    }
    assert!(browser.get("/").await.text.contains("active since"));
    let poor = World::with(10).await;
    let mut browser = inside(&poor).await;
    let csrf = browser.get("/").await.hidden("/activate", "csrf");
    let refused = browser.post("/activate", &[("csrf", &csrf)]).await;
    assert_eq!(refused.status, StatusCode::PAYMENT_REQUIRED);
    assert!(refused.text.contains("add 90 credits"), "{}", refused.text);
}

#[tokio::test]
async fn a_form_sent_twice_buys_points_once() {
    let world = World::new().await;
    let mut browser = inside(&world).await;
    let page = browser.get("/").await;
    let (csrf, reference) = (page.hidden("/points", "csrf"), page.hidden("/points", "reference"));
    let fields = [("csrf", csrf.as_str()), ("reference", &reference), ("credits", "3")];
    for _ in 0..2 {
        assert_eq!(browser.post("/points", &fields).await.location().path(), "/");
    }
    let balance = world.authority.balance(&world.customer).await.unwrap();
    assert_eq!((balance.paid_points, balance.credits_milli), (3_000, 997_000));
    let reference = browser.get("/").await.hidden("/points", "reference");
    let more = [("csrf", csrf.as_str()), ("reference", &reference), ("credits", "998")];
    assert_eq!(browser.post("/points", &more).await.status, StatusCode::PAYMENT_REQUIRED);
}
