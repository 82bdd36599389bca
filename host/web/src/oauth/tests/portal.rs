//! The customer's own pages.

use super::*;

async fn inside(world: &World) -> Browser<'_> {
    let mut browser = Browser::new(world);
    browser.sign_in().await;
    browser
}

fn decoded(text: &str) -> String {
    String::from_utf8(URL_SAFE_NO_PAD.decode(text).unwrap()).unwrap()
}

#[tokio::test]
async fn nobody_sees_a_page_of_the_portal_without_signing_in() {
    let world = World::new().await;
    let pages = [
        "/",
        "/usage",
        "/activity?event=job.&from=2026-11-20",
        "/jobs",
        "/jobs/job_x",
        "/credits",
        "/apps",
        "/tokens",
        "/shares",
    ];
    for path in pages {
        let answer = world.get(path).await;
        assert_eq!(answer.location().path(), "/sign-in", "{path}");
        // Whoever signs in comes back to the very page.
        let mut browser = Browser::new(&world);
        let back = browser.sign_in_with(EMAIL, PASSWORD, &decoded(&answer.sent("next").unwrap())).await.location();
        assert_eq!(back.as_str(), format!("{ISSUER}{path}"));
    }
    let forms = [
        "/apps/revoke",
        "/tokens/revoke",
        "/tokens",
        "/credits/activate",
        "/credits/points",
        "/jobs/job_x/cancel",
        "/shares/end",
    ];
    for path in forms {
        assert_eq!(world.post_form(path, &[("grant", "gra_x")]).await.location().path(), "/sign-in", "{path}");
    }
}

#[tokio::test]
async fn the_overview_shows_points_credits_and_addresses() {
    let world = World::new().await;
    let page = inside(&world).await.get("/").await;
    for words in [EMAIL, "100 <small>of 100", "1000", MCP, "https://espalier.example/v1", "not active"] {
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
    for _ in 0..2 {
        let answer = browser.post("/apps/revoke", &[("grant", &grant), ("csrf", &csrf)]).await;
        assert_eq!(answer.location().path(), "/apps");
    }
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
    for path in ["/apps/revoke", "/tokens/revoke"] {
        let answer = browser.post(path, &[("grant", &grant), ("csrf", &csrf)]).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND);
    }
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
    let answer = browser.post("/tokens", &fields).await;
    // The address that the browser goes to, and keeps in its history, says nothing.
    assert_eq!((answer.location().path(), answer.location().query()), ("/tokens", None));
    assert!(answer.header("set-cookie").contains("; HttpOnly; SameSite=Strict; Secure"));
    let made = browser.get("/tokens").await;
    let shown = made.text.split("id=\"token\"").nth(1).unwrap().split('>').nth(1).unwrap();
    let secret = shown.split('<').next().unwrap().to_owned();
    assert!(secret.starts_with("esp_at_"));
    assert_eq!(world.bearer(&secret).await, Ok(()));
    let page = browser.get("/tokens").await;
    assert!(!page.text.contains(&secret) && !page.text.contains("<b>") && page.text.contains("Nightly"));
    assert!(page.text.contains("account:read") && page.text.contains("seo:audit"));
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
    let csrf = browser.get("/credits").await.hidden("/credits/activate", "csrf");
    for _ in 0..2 {
        assert_eq!(browser.post("/credits/activate", &[("csrf", &csrf)]).await.location().path(), "/credits");
        assert_eq!(world.authority.balance(&world.customer).await.unwrap().credits_milli, 900_000);
    }
    assert!(browser.get("/").await.text.contains("active since"));
    let poor = World::with(10).await;
    let mut browser = inside(&poor).await;
    let page = browser.get("/credits").await;
    assert!(page.text.contains("90 are missing"), "{}", page.text);
    let csrf = page.hidden("/sign-out", "csrf");
    let refused = browser.post("/credits/activate", &[("csrf", &csrf)]).await;
    assert_eq!(refused.status, StatusCode::PAYMENT_REQUIRED);
    assert!(refused.text.contains("add 90 credits"), "{}", refused.text);
}

#[tokio::test]
async fn a_form_sent_twice_buys_points_once() {
    let world = World::new().await;
    let mut browser = inside(&world).await;
    let page = browser.get("/credits").await;
    let (csrf, reference) = (page.hidden("/credits/points", "csrf"), page.hidden("/credits/points", "reference"));
    let fields = [("csrf", csrf.as_str()), ("reference", &reference), ("credits", "3")];
    for _ in 0..2 {
        assert_eq!(browser.post("/credits/points", &fields).await.location().path(), "/credits");
    }
    let balance = world.authority.balance(&world.customer).await.unwrap();
    assert_eq!((balance.paid_points, balance.credits_milli), (3_000, 997_000));
    let reference = browser.get("/credits").await.hidden("/credits/points", "reference");
    let more = [("csrf", csrf.as_str()), ("reference", &reference), ("credits", "998")];
    assert_eq!(browser.post("/credits/points", &more).await.status, StatusCode::PAYMENT_REQUIRED);
}

#[tokio::test]
async fn a_token_of_somebody_else_is_not_shown_as_just_made() {
    let world = World::new().await;
    let life = std::time::Duration::from_secs(3_600);
    let password = Password::chosen("another password").unwrap();
    let eve = world.authority.add_customer("eve@example.com", Some(password), 100).await.unwrap().id;
    let token = world.authority.issue_token(&eve, "account:read".parse().unwrap(), "planted", life).await.unwrap();
    let mut browser = inside(&world).await;
    browser.cookies.insert("__Host-espalier-made".to_owned(), token.secret.reveal().to_owned());
    let page = browser.get("/tokens").await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(!page.text.contains(token.secret.reveal()) && !page.text.contains("planted"));
}

#[tokio::test]
async fn usage_is_empty_at_first_and_then_says_who_used_what_on_which_day() {
    let world = World::new().await;
    let mut browser = inside(&world).await;
    assert!(browser.get("/usage").await.text.contains("Nothing was used in the last 30 days"));
    let life = std::time::Duration::from_secs(3_600);
    let scopes = "account:read".parse().unwrap();
    let token = world.authority.issue_token(&world.customer, scopes, "Nightly report", life).await.unwrap();
    for number in 0..7 {
        let line = world.line("operation.executed", "authors.list", &token.grant);
        world.authority.store().calls.settle(world.call(line, &format!("req_{number}"), 5)).await.unwrap();
    }
    let page = browser.get("/usage").await;
    for words in [
        "65 <small>of 100 left",
        "points for 7 calls",
        "<code>authors.list</code>",
        "Nightly report",
        "The most were 35",
    ] {
        assert!(page.text.contains(words), "{words}: {}", page.text);
    }
    assert!(page.text.contains("<table>") && page.text.contains("role=\"img\""));
    let tokens = browser.get("/tokens").await;
    assert!(tokens.text.contains("35 points in 30 days"), "{}", tokens.text);
}

#[tokio::test]
async fn activity_is_filtered_paged_and_refuses_what_is_no_day() {
    let world = World::new().await;
    let mut browser = inside(&world).await;
    let grant = "gra_x".into();
    for number in 0..60 {
        let subject = if number == 0 { "authors.rare" } else { "authors.list" };
        world.authority.store().calls.audit(world.line("operation.executed", subject, &grant)).await.unwrap();
    }
    let page = browser.get("/activity").await;
    assert_eq!(page.text.matches("<code>authors.list</code>").count(), 50);
    let next = page.text.split("href=\"/activity?before=").nth(1).unwrap().split('"').next().unwrap();
    let older = browser.get(&format!("/activity?before={next}")).await;
    assert_eq!(older.text.matches("<code>authors.").count(), 10, "{}", older.text);
    assert!(older.text.contains("The beginning of the trail"));
    let rare = browser.get("/activity?operation=authors.rare&event=operation.&outcome=well&app=gra_x").await;
    assert_eq!(rare.text.matches("<code>authors.").count(), 1);
    let none = browser.get("/activity?outcome=badly").await;
    assert!(none.text.contains("Nothing fits"), "{}", none.text);
    let wrong = browser.get("/activity?from=yesterday").await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(wrong.text.contains("is not a day"), "{}", wrong.text);
    let turned = browser.get("/activity?from=2026-11-20&to=2026-11-19").await;
    assert_eq!(turned.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn no_job_is_shown_that_is_not_there_and_no_form_without_its_token_is_taken() {
    let world = World::new().await;
    let mut browser = inside(&world).await;
    let empty = browser.get("/jobs").await;
    assert!(empty.text.contains("No jobs yet"), "{}", empty.text);
    let csrf = empty.hidden("/sign-out", "csrf");
    assert_eq!(browser.get("/jobs/job_x").await.status, StatusCode::NOT_FOUND);
    assert_eq!(browser.post("/jobs/job_x/cancel", &[("csrf", &csrf)]).await.status, StatusCode::NOT_FOUND);
    for path in
        ["/jobs/job_x/cancel", "/credits/activate", "/credits/points", "/tokens", "/tokens/revoke", "/apps/revoke"]
    {
        for csrf in ["", "x"] {
            assert_eq!(browser.post(path, &[("csrf", csrf)]).await.status, StatusCode::FORBIDDEN, "{path}");
        }
    }
}

#[tokio::test]
async fn every_page_is_framed_by_nobody_and_runs_no_script_but_ours() {
    let world = World::new().await;
    let mut browser = inside(&world).await;
    for path in ["/", "/usage", "/activity", "/jobs", "/credits", "/apps", "/tokens"] {
        let page = browser.get(path).await;
        assert_eq!(page.status, StatusCode::OK, "{path}");
        let policy = page.header("content-security-policy");
        for rule in ["default-src 'none'", "script-src 'self'", "form-action 'self';", "frame-ancestors 'none'"] {
            assert!(policy.contains(rule), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe") && !page.text.contains(" style=") && !page.text.contains(" onclick="));
        assert_eq!(
            page.text.matches("<form").count(),
            page.text.matches("name=\"csrf\"").count() + page.text.matches("method=\"get\"").count()
        );
    }
}

#[tokio::test]
async fn the_list_of_shares_says_which_ones_ask_for_a_passcode() {
    let world = World::new().await;
    let (store, customer) = (world.authority.store(), &world.customer);
    for (passcode, words) in [(None, 0), (Some("open sesame"), 1)] {
        crate::edge::tests::shares::publish(store, customer, "text/markdown", "plan.md", passcode).await;
        let page = inside(&world).await.get("/shares").await;
        assert_eq!(page.text.matches(" · with a passcode · ").count(), words, "{}", page.text);
        assert!(page.text.contains("text of edges") && !page.text.contains("argon2id"));
    }
}
